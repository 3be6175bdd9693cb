/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/mem/warm_port.h"

static const struct lines_place no_line = {.address = {LINES_NO_ADDRESS, LINES_NO_ADDRESS}};

/* The place of the port that has the offset of addr. */
static inline struct lines_place *warm_place_of(const struct warm_port *p, uint64_t addr)
{
    return (struct lines_place *)((char *)p->first + (addr & p->lines->place_mask));
}

static uint64_t warm_later(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void lines_init(struct lines *l, const struct hierarchy *mem)
{
    const uint32_t bits = mem->l1d.line_bits;
    const uint64_t line = UINT64_C(1) << bits;
    *l = (struct lines){
        .line_bits = bits,
        .place_mask = sizeof(struct lines_pair) * LINES_PAIRS - sizeof(struct lines_pair),
        .clock = warm_later(warm_later(mem->l1i.clock, mem->l1d.clock), warm_later(mem->itlb.clock, mem->dtlb.clock))};
    l->place_mask &= ~(line - 1); /* a larger line has one place, too */
    for (unsigned i = 0; i < LINES_SIZES; i++)
        l->within[i] = ~(line - (UINT64_C(1) << i));
}

/* A cache of one set may evict the line of the last instruction by the prefetch of the next one. */
void warm_ports_init(struct warm_ports *w, struct hierarchy *mem, struct lines *lines, struct lines_pair *pairs)
{
    lines_init(lines, mem);
    w->code = (struct warm_port){.cache = &mem->l1i,
                                 .tlb = &mem->itlb,
                                 .lines = lines,
                                 .first = &pairs->code,
                                 .prefetches = mem->next_code_line,
                                 .remembers = mem->l1i.set_mask != 0};
    w->data = (struct warm_port){.cache = &mem->l1d,
                                 .tlb = &mem->dtlb,
                                 .lines = lines,
                                 .first = &pairs->data,
                                 .prefetches = mem->next_line && mem->prefetcher == NULL,
                                 .remembers = true};
    for (int i = 0; i < LINES_PAIRS; i++)
        pairs[i] = (struct lines_pair){no_line, no_line};
}

void warm_ports_end(struct warm_ports *w)
{
    w->code.cache->clock = w->data.cache->clock = w->code.tlb->clock = w->data.tlb->clock = w->code.lines->clock;
}

/* ---- one access ---- */

/* Bit of the part of a page in which the address is: an entry of the TLB has 64. */
enum { PART_BITS = TLB_PAGE_BITS - 6 };
static uint64_t warm_part_of(uint64_t addr) { return UINT64_C(1) << (addr >> PART_BITS & 63); }

static inline void warm_port_forget(const struct warm_port *p, uint64_t addr)
{
    struct lines_place *place = warm_place_of(p, addr);
    const uint64_t line = addr & p->lines->within[0];
    if (place->address[0] == line || place->address[1] == line)
        *place = no_line;
}

/* Forgets the lines of the page whose translation was in the entry. */
static void warm_port_forget_page(const struct warm_port *p, struct tlb_entry *replaced)
{
    const uint64_t page = replaced->places_page << TLB_PAGE_BITS;
    for (uint64_t parts = replaced->places; parts != 0; parts &= parts - 1) {
        struct lines_place *place = warm_place_of(p, page + ((uint64_t)__builtin_ctzll(parts) << PART_BITS));
        if (place->used[1] == &replaced->used)
            *place = no_line;
    }
    replaced->places = 0;
}

static inline struct tlb_entry *warm_port_translate(const struct warm_port *p, uint64_t addr)
{
    bool replaced;
    struct tlb_entry *e = tlb_warm(p->tlb, addr, &replaced);
    if (replaced)
        warm_port_forget_page(p, e);
    return e;
}

static void forget_pages(const struct warm_port *p)
{
    for (uint32_t i = 0; i < p->tlb->entries; i++)
        warm_port_forget_page(p, &p->tlb->entry[i]);
}

void warm_ports_forget(struct warm_ports *w)
{
    forget_pages(&w->code);
    forget_pages(&w->data);
}

/* The access is the last one to the line, which is in the cache. What may be written may be read. */
static inline void remember(const struct warm_port *p, uint64_t addr, struct tlb_entry *translation, bool is_write)
{
    const uint64_t address = addr & p->lines->within[0];
    struct lines_place *place = warm_place_of(p, addr);
    struct cache_line *line = cache_look_up(p->cache, addr >> p->lines->line_bits);
    if (translation == NULL || line == NULL || !p->remembers)
        return;
    if (is_write || place->address[0] != address)
        place->address[1] = is_write ? address : LINES_NO_ADDRESS;
    place->address[0] = address;
    place->used[0] = &line->used;
    place->used[1] = &translation->used;
    translation->places |= warm_part_of(addr);
    translation->places_page = addr >> TLB_PAGE_BITS;
}

static inline void forget_victim(const struct warm_port *p)
{
    if (p->cache->victim != CACHE_NO_LINE)
        warm_port_forget(p, p->cache->victim << p->lines->line_bits);
}

/* Returns whether the line was in the cache. */
static inline bool warm_line(const struct warm_port *p, uint64_t addr, bool is_write)
{
    p->cache->victim = CACHE_NO_LINE;
    const bool hit = cache_warm(p->cache, addr, is_write) == MEM_LEVEL_L1;
    forget_victim(p);
    return hit;
}

static void prefetch_next(const struct warm_port *p, uint64_t addr)
{
    p->cache->victim = CACHE_NO_LINE;
    cache_warm_prefetch(p->cache, addr + (UINT64_C(1) << p->lines->line_bits));
    forget_victim(p);
}

/* Before and after an access: the model's clocks follow that of the remembered lines, which sets the same stamps. */
static inline void begin_access(const struct warm_port *p) { p->cache->clock = p->tlb->clock = p->lines->clock; }
static inline void end_access(const struct warm_port *p)
{
    p->lines->clock = warm_later(p->cache->clock, p->tlb->clock);
}

void warm_code(struct warm_ports *w, uint64_t pc)
{
    const struct warm_port *p = &w->code;
    begin_access(p);
    struct tlb_entry *translation = warm_port_translate(p, pc);
    const bool hit = warm_line(p, pc, false);
    remember(p, pc, translation, false);
    if (!hit && p->prefetches)
        prefetch_next(p, pc);
    end_access(p);
}

/* An access to two lines. */
static __attribute__((noinline)) void warm_crossing(const struct warm_port *p, uint64_t addr, uint64_t last,
                                                    bool is_write)
{
    (void)warm_port_translate(p, addr);
    bool hit = warm_line(p, addr, is_write);
    hit &= warm_line(p, last, is_write);
    if (!hit && p->prefetches)
        prefetch_next(p, addr);
}

void warm_data(struct warm_ports *w, uint64_t addr, unsigned size_bytes, bool is_write, bool may_repeat)
{
    const struct warm_port *p = &w->data;
    const uint64_t last = addr + size_bytes - 1;
    begin_access(p);
    if (addr >> p->lines->line_bits != last >> p->lines->line_bits) {
        warm_crossing(p, addr, last, is_write);
    } else {
        struct tlb_entry *translation = warm_port_translate(p, addr);
        const bool hit = warm_line(p, addr, is_write);
        if (may_repeat)
            remember(p, addr, translation, is_write);
        if (!hit && p->prefetches)
            prefetch_next(p, addr);
    }
    end_access(p);
}
