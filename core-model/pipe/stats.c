/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cycle stack: what each cycle was spent on, as seen at commit. Entry point: stats_account. */
#include "core-model/pipe/pipe.h"

static uint64_t *stall_of_head(struct ooo *c, const struct slot *s)
{
    switch (s->insn->unit) {
    case RV_UNIT_LOAD: {
        uint64_t *by_level[] = {&c->stats.stack_load_l1, &c->stats.stack_load_l2, &c->stats.stack_load_llc,
                                &c->stats.stack_load_dram};
        return by_level[s->level];
    }
    case RV_UNIT_STORE: return &c->stats.stack_store;
    case RV_UNIT_AMO:
    case RV_UNIT_SYSTEM: return &c->stats.stack_serial;
    case RV_UNIT_FADD:
    case RV_UNIT_FMUL:
    case RV_UNIT_FMA:
    case RV_UNIT_FDIV:
    case RV_UNIT_FSQRT:
    case RV_UNIT_FMISC: return &c->stats.stack_fp;
    default: return &c->stats.stack_int;
    }
}

static uint64_t *stall_of_empty(struct ooo *c)
{
    switch ((enum empty_cause)c->empty) {
    case EMPTY_MISPREDICT: return &c->stats.stack_mispredict;
    case EMPTY_FLUSH: return &c->stats.stack_flush;
    case EMPTY_EXCEPTION: return &c->stats.stack_exception;
    case EMPTY_FRONTEND: break;
    }
    return c->fetch_events != 0 ? &c->stats.stack_icache : &c->stats.stack_frontend;
}

void stats_account(struct ooo *c, uint64_t cycles)
{
    const struct cycle_report *r = &c->cycle;
    c->stats.cycles += cycles;
    if (r->stall != NULL)
        *r->stall += cycles;
    if (r->commits > 0)
        c->stats.stack_commit += cycles;
    else if (r->exception)
        c->stats.stack_exception += cycles;
    else if (r->head == r->rob_tail)
        *stall_of_empty(c) += cycles;
    else
        *stall_of_head(c, &c->slot[r->head & c->ring_mask]) += cycles;
}
