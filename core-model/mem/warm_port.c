/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/mem/warm_port.h"

static const struct lines_place no_line = {.address = {LINES_NO_ADDRESS, LINES_NO_ADDRESS}};

static void forget_all(struct lines *l)
{
    for (int i = 0; i < LINES_PLACES; i++)
        l->place[i] = no_line;
}

/* Lines of one set have one place. */
static void init(struct warm_port *p, struct cache *cache, struct tlb *tlb, struct lines *lines, bool prefetches)
{
    const uint32_t places = cache->set_mask < LINES_PLACES ? cache->set_mask + 1 : LINES_PLACES;
    *p = (struct warm_port){.cache = cache, .tlb = tlb, .lines = lines, .prefetches = prefetches};
    *lines = (struct lines){.clock = &tlb->clock, .line_bits = cache->line_bits, .mask = places - 1};
    forget_all(lines);
}

void warm_ports_init(struct warm_ports *w, struct hierarchy *mem, struct lines *code, struct lines *data)
{
    init(&w->code, &mem->l1i, &mem->itlb, code, mem->next_code_line);
    init(&w->data, &mem->l1d, &mem->dtlb, data, mem->next_line);
}

void warm_ports_forget(struct warm_ports *w)
{
    forget_all(w->code.lines);
    forget_all(w->data.lines);
}

/* Forgets the lines of the page whose translation was in the entry. */
static void warm_port_forget_page(struct warm_port *p, struct tlb_entry *replaced)
{
    for (uint64_t places = replaced->places; places != 0; places &= places - 1) {
        struct lines_place *place = &p->lines->place[__builtin_ctzll(places)];
        if (place->used == &replaced->used)
            *place = no_line;
    }
    replaced->places = 0;
}

static inline struct tlb_entry *warm_port_translate(struct warm_port *p, uint64_t addr)
{
    bool replaced;
    struct tlb_entry *e = tlb_warm(p->tlb, addr, &replaced);
    if (replaced)
        warm_port_forget_page(p, e);
    return e;
}

/* The access was the last one to the line's set. */
static inline void remember(struct warm_port *p, uint64_t addr, struct tlb_entry *translation, bool is_write)
{
    const uint64_t address = addr >> p->lines->line_bits << p->lines->line_bits;
    struct lines_place *place = lines_place_of(p->lines, addr);
    place->address[is_write] = address;
    if (place->address[!is_write] != address)
        place->address[!is_write] = LINES_NO_ADDRESS;
    place->used = &translation->used;
    translation->places |= UINT64_C(1) << (place - p->lines->place);
}

static void warm_port_forget(struct warm_port *p, uint64_t addr) { *lines_place_of(p->lines, addr) = no_line; }

static void prefetch_next(struct warm_port *p, uint64_t addr)
{
    const uint64_t next = addr + (UINT64_C(1) << p->lines->line_bits);
    cache_warm_prefetch(p->cache, next);
    warm_port_forget(p, next);
}

void warm_code(struct warm_ports *w, uint64_t pc)
{
    struct warm_port *p = &w->code;
    struct tlb_entry *translation = warm_port_translate(p, pc);
    const bool hit = cache_warm(p->cache, pc, false) == MEM_LEVEL_L1;
    if (translation != NULL)
        remember(p, pc, translation, false);
    if (!hit && p->prefetches)
        prefetch_next(p, pc);
}

/* An access to two lines. */
static __attribute__((noinline)) void warm_crossing(struct warm_port *p, uint64_t addr, uint64_t last, bool is_write)
{
    (void)warm_port_translate(p, addr);
    bool hit = cache_warm(p->cache, addr, is_write) == MEM_LEVEL_L1;
    hit &= cache_warm(p->cache, last, is_write) == MEM_LEVEL_L1;
    warm_port_forget(p, addr);
    warm_port_forget(p, last);
    if (!hit && p->prefetches)
        prefetch_next(p, addr);
}

void warm_data(struct warm_ports *w, uint64_t addr, unsigned size_bytes, bool is_write, bool may_repeat)
{
    struct warm_port *p = &w->data;
    const uint64_t last = addr + size_bytes - 1;
    if (addr >> p->lines->line_bits != last >> p->lines->line_bits) {
        warm_crossing(p, addr, last, is_write);
        return;
    }
    struct tlb_entry *translation = warm_port_translate(p, addr);
    const bool hit = cache_warm(p->cache, addr, is_write) == MEM_LEVEL_L1;
    if (may_repeat && translation != NULL)
        remember(p, addr, translation, is_write);
    else
        warm_port_forget(p, addr);
    if (!hit && p->prefetches)
        prefetch_next(p, addr);
}
