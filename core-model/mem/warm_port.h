/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functional warming of one hart's hierarchy: accesses without time and counts, which leave in caches and TLBs what
 * accesses leave of which each begins when the last one is over. Lines are remembered of which a further access changes
 * nothing but the order of use in the TLB, because each is the most recently used one of its set. */
#ifndef CORE_MODEL_MEM_WARM_PORT_H
#define CORE_MODEL_MEM_WARM_PORT_H

#include "core-model/mem/hierarchy.h"

enum { WARM_LINES = 64 }; /* as many as tlb_entry.places has bits */
#define WARM_NO_ADDRESS UINT64_MAX

struct warm_line {
    uint64_t address[2]; /* of the line, if it is remembered for reads, for writes; else WARM_NO_ADDRESS */
    struct tlb_entry *translation;
    uint64_t unused; /* makes the size a power of two */
};

/* An L1 cache with its TLB. */
struct warm_port {
    struct hierarchy *mem; /* borrowed, as is what follows */
    struct cache *cache;
    struct tlb *tlb;
    uint32_t line_bits, mask;          /* mask: of the low bits of a line's number, which choose its place */
    struct warm_line line[WARM_LINES]; /* lines of one set have one place */
};

struct warm_ports {
    struct warm_port code, data;
};

void warm_ports_init(struct warm_ports *w, struct hierarchy *mem);
/* Forgets the lines, because permissions may have changed. */
void warm_ports_forget(struct warm_ports *w);

/* An access whose line is remembered, so that it needs no permission. Otherwise returns false and changes nothing.
 * `line_bits` and `mask` are those of the port, `size_bytes` is a power of two. */
static inline __attribute__((always_inline)) bool warm_again(struct warm_port *p, uint64_t line_bits, uint64_t mask,
                                                             uint64_t addr, uint64_t size_bytes, bool is_write)
{
    const uint64_t within = (UINT64_C(1) << line_bits) - size_bytes; /* of a line and an aligned access */
    const struct warm_line *l = &p->line[addr >> line_bits & mask];
    if (l->address[is_write] != (addr & ~within))
        return false;
    tlb_use(p->tlb, l->translation);
    return true;
}

/* An access of the general case. It is remembered if it may be repeated without a test of permissions. */
void warm_code(struct warm_ports *w, uint64_t pc);
void warm_data(struct warm_ports *w, uint64_t addr, unsigned size_bytes, bool is_write, bool may_repeat);

#endif
