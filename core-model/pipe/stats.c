/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cycle stack: what each cycle was spent on, as seen at commit. Entry point: stats_account. */
#include "core-model/pipe/pipe.h"

static uint64_t *stall_of_head(struct ooo *c, const struct slot *s)
{
    uint64_t *by_level[] = {&c->stats.stack_load_l1, &c->stats.stack_load_l2, &c->stats.stack_load_llc, &c->stats.stack_load_dram};
    return s->insn->unit == RV_UNIT_LOAD ? by_level[s->level] : stats_stall_of_unit(&c->stats, s->insn->unit);
}

static uint64_t *stall_of_empty(struct ooo *c)
{
    if (interrupt_handled_at(&c->interrupt, c->now))
        c->empty = EMPTY_HANDLER;
    switch ((enum empty_cause)c->empty) {
    case EMPTY_MISPREDICT: return &c->stats.stack_mispredict;
    case EMPTY_FLUSH: return &c->stats.stack_flush;
    case EMPTY_EXCEPTION: return &c->stats.stack_exception;
    case EMPTY_HANDLER: return &c->stats.stack_handler;
    case EMPTY_FRONTEND: break;
    }
    return c->fetch.events != 0 ? &c->stats.stack_icache : &c->stats.stack_frontend;
}

void stats_account(struct ooo *c, uint64_t cycles)
{
    const struct cycle_report *r = &c->cycle;
    c->stats.cycles += cycles;
    if (r->stall != NULL)
        *r->stall += cycles;
    *r->fetch += cycles;
    if (r->commits > 0)
        c->stats.stack_commit += cycles;
    else if (r->exception)
        c->stats.stack_exception += cycles;
    else if (r->head == r->rob_tail)
        *stall_of_empty(c) += cycles;
    else
        *stall_of_head(c, &c->slot[r->head & c->ring_mask]) += cycles;
}
