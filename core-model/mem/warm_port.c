/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/mem/warm_port.h"

static const struct warm_line no_line = {.address = {WARM_NO_ADDRESS, WARM_NO_ADDRESS}};

static void forget_all(struct warm_port *p)
{
    for (int i = 0; i < WARM_LINES; i++)
        p->line[i] = no_line;
}

static void init(struct warm_port *p, struct hierarchy *mem, struct cache *cache, struct tlb *tlb)
{
    const uint32_t places = cache->set_mask < WARM_LINES ? cache->set_mask + 1 : WARM_LINES;
    *p = (struct warm_port){.mem = mem, .cache = cache, .tlb = tlb, .line_bits = cache->line_bits, .mask = places - 1};
    forget_all(p);
}

void warm_ports_init(struct warm_ports *w, struct hierarchy *mem)
{
    init(&w->code, mem, &mem->l1i, &mem->itlb);
    init(&w->data, mem, &mem->l1d, &mem->dtlb);
}

void warm_ports_forget(struct warm_ports *w)
{
    forget_all(&w->code);
    forget_all(&w->data);
}

/* The only place in which a line of the set of addr can be. */
static struct warm_line *place_of(struct warm_port *p, uint64_t addr)
{
    return &p->line[addr >> p->line_bits & p->mask];
}

/* Forgets the lines of the page whose translation was in the entry. */
static void forget_page(struct warm_port *p, struct tlb_entry *replaced)
{
    for (uint64_t places = replaced->places; places != 0; places &= places - 1) {
        struct warm_line *l = &p->line[__builtin_ctzll(places)];
        if (l->translation == replaced)
            *l = no_line;
    }
    replaced->places = 0;
}

static inline struct tlb_entry *translate(struct warm_port *p, uint64_t addr)
{
    bool replaced;
    struct tlb_entry *e = tlb_warm(p->tlb, addr, &replaced);
    if (replaced)
        forget_page(p, e);
    return e;
}

/* The access was the last one to the line's set. */
static inline void remember(struct warm_port *p, uint64_t addr, struct tlb_entry *translation, bool is_write)
{
    const uint64_t address = addr >> p->line_bits << p->line_bits;
    struct warm_line *l = place_of(p, addr);
    l->address[is_write] = address;
    if (l->address[!is_write] != address)
        l->address[!is_write] = WARM_NO_ADDRESS;
    l->translation = translation;
    translation->places |= UINT64_C(1) << (l - p->line);
}

static void forget(struct warm_port *p, uint64_t addr) { *place_of(p, addr) = no_line; }

static void prefetch_next(struct warm_port *p, uint64_t addr)
{
    const uint64_t next = addr + (UINT64_C(1) << p->line_bits);
    cache_warm_prefetch(p->cache, next);
    forget(p, next);
}

void warm_code(struct warm_ports *w, uint64_t pc)
{
    struct warm_port *p = &w->code;
    struct tlb_entry *translation = translate(p, pc);
    const bool hit = cache_warm(p->cache, pc, false) == MEM_LEVEL_L1;
    if (translation != NULL)
        remember(p, pc, translation, false);
    if (!hit && p->mem->next_code_line)
        prefetch_next(p, pc);
}

/* An access to two lines. */
static __attribute__((noinline)) void warm_crossing(struct warm_port *p, uint64_t addr, uint64_t last, bool is_write)
{
    (void)translate(p, addr);
    bool hit = cache_warm(p->cache, addr, is_write) == MEM_LEVEL_L1;
    hit &= cache_warm(p->cache, last, is_write) == MEM_LEVEL_L1;
    forget(p, addr);
    forget(p, last);
    if (!hit && p->mem->next_line)
        prefetch_next(p, addr);
}

void warm_data(struct warm_ports *w, uint64_t addr, unsigned size_bytes, bool is_write, bool may_repeat)
{
    struct warm_port *p = &w->data;
    const uint64_t last = addr + size_bytes - 1;
    if (addr >> p->line_bits != last >> p->line_bits) {
        warm_crossing(p, addr, last, is_write);
        return;
    }
    struct tlb_entry *translation = translate(p, addr);
    const bool hit = cache_warm(p->cache, addr, is_write) == MEM_LEVEL_L1;
    if (may_repeat && translation != NULL)
        remember(p, addr, translation, is_write);
    else
        forget(p, addr);
    if (!hit && p->mem->next_line)
        prefetch_next(p, addr);
}
