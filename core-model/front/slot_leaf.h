/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Categories of top-down analysis (contract/topdown.h) that both cores find alike. Private to core-model. */
#ifndef CORE_MODEL_FRONT_SLOT_LEAF_H
#define CORE_MODEL_FRONT_SLOT_LEAF_H

#include "contract/topdown.h"
#include "core-model/riscv/insn.h"
#include "core-model/stats.h"

/* For slots that wait for the result of an instruction that executes in this unit, which accesses no memory. */
static inline enum topdown_leaf slot_leaf_of_unit(enum rv_unit unit, unsigned latency)
{
    switch (unit) {
    case RV_UNIT_DIV:
    case RV_UNIT_FDIV:
    case RV_UNIT_FSQRT:
        return TOPDOWN_DIVIDER;
    case RV_UNIT_AMO:
    case RV_UNIT_SYSTEM:
        return TOPDOWN_SERIALIZING;
    default:
        return rv_unit_is_fp(unit) ? TOPDOWN_FP : latency > 1 ? TOPDOWN_UNIT : TOPDOWN_DEPENDENCES;
    }
}

/* For slots that wait for data from this level of the memory hierarchy, by an access with these events. */
static inline enum topdown_leaf slot_leaf_of_level(enum mem_level level, uint32_t events)
{
    if ((events & PROBE_HITM) != 0)
        return TOPDOWN_DATA_HITM;
    switch (level) {
    case MEM_LEVEL_L1:
        return TOPDOWN_DATA_L1;
    case MEM_LEVEL_L2:
        return TOPDOWN_DATA_L2;
    case MEM_LEVEL_LLC:
        return TOPDOWN_DATA_L3;
    case MEM_LEVEL_DRAM:
        break;
    }
    return TOPDOWN_DATA_EXTERNAL;
}

/* For slots that wait for an address with these events (enum probe_event), which has missed the L1 TLB. */
static inline enum topdown_leaf slot_leaf_of_translation(uint32_t events)
{
    return (events & PROBE_DTLB_WALK) != 0 ? TOPDOWN_ADDR_WALK : TOPDOWN_ADDR_TLB;
}

/* For slots that wait for fetch, of which `fetch` is the statistic of a cycle. */
static inline enum topdown_leaf slot_leaf_of_fetch(const struct core_stats *s, const uint64_t *fetch)
{
    if (fetch == &s->fetch_icache)
        return TOPDOWN_FETCH_DATA;
    if (fetch == &s->fetch_itlb)
        return TOPDOWN_FETCH_ADDR;
    if (fetch == &s->fetch_serial)
        return TOPDOWN_FETCH_SERIAL;
    if (fetch == &s->full_ftq)
        return TOPDOWN_FTQ_RETIRE;
    return fetch == &s->fetch_btb || fetch == &s->fetch_redirect ? TOPDOWN_FETCH_REDIRECT : TOPDOWN_FETCH_OTHER;
}

#endif
