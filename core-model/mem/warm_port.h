/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functional warming of one hart's hierarchy: accesses without time and counts, which leave in caches and TLBs what
 * accesses leave of which each begins when the last one is over. Lines are remembered that are in the L1 cache, with
 * their pages in the TLB: a further access to one changes nothing but the orders of use. */
#ifndef CORE_MODEL_MEM_WARM_PORT_H
#define CORE_MODEL_MEM_WARM_PORT_H

#include "core-model/mem/hierarchy.h"
#include "core-model/riscv/lines.h"

/* An L1 cache with its TLB. All are borrowed. */
struct warm_port {
    struct cache *cache;
    struct tlb *tlb;
    struct lines *lines;
    struct lines_place *first; /* of the pairs */
    bool prefetches;           /* the next line, after a miss */
    bool remembers;
};

struct warm_ports {
    struct warm_port code, data;
};

/* `lines` and the LINES_PAIRS `pairs` are set, and borrowed: the remembered lines. */
void warm_ports_init(struct warm_ports *w, struct hierarchy *mem, struct lines *lines, struct lines_pair *pairs);
/* Forgets the lines, because permissions may have changed. */
void warm_ports_forget(struct warm_ports *w);
/* Sets the clocks of caches and TLBs to that of the remembered lines. */
void warm_ports_end(struct warm_ports *w);

/* An access to a line that is not remembered (lines_again). It is remembered now, if it may be repeated without a test
 * of permissions. */
void warm_code(struct warm_ports *w, uint64_t pc);
void warm_data(struct warm_ports *w, uint64_t addr, unsigned size_bytes, bool is_write, bool may_repeat);

#endif
