/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The issue slots for observers: the category of top-down analysis of each, and the instruction to which it belongs.
 * The level 1 of the categories is that of the statistics: see core-model/pipe/slots.c. A slot that waits for a
 * hazard belongs to the oldest instruction in the issue stage, as in DCPI's samples, and has the category of the
 * result or unit for which that instruction waits. Entry point: in_report_slots. */
#include "core-model/front/slot_leaf.h"
#include "core-model/inorder/inorder.h"

/* The category for a statistic of the cycle stack, in the back end. */
static enum topdown_leaf leaf_of_stack(const struct core_stats *s, const uint64_t *stack)
{
    const struct {
        const uint64_t *stack;
        enum topdown_leaf leaf;
    } of[] = {{&s->stack_int, TOPDOWN_DEPENDENCES},     {&s->stack_fp, TOPDOWN_FP},
              {&s->stack_serial, TOPDOWN_SERIALIZING},  {&s->stack_load_l1, TOPDOWN_DATA_L1},
              {&s->stack_load_l2, TOPDOWN_DATA_L2},     {&s->stack_load_llc, TOPDOWN_DATA_L3},
              {&s->stack_store, TOPDOWN_STORE_OPERANDS}};
    for (size_t n = 0; n < sizeof of / sizeof of[0]; n++)
        if (of[n].stack == stack)
            return of[n].leaf;
    return TOPDOWN_DATA_EXTERNAL;
}

/* Address of the youngest instruction that has issued. */
static uint64_t issued_pc(struct inorder *c) { return in_at(c, c->issue - 1)->pc; }

/* The next instruction to issue or, if that is on a wrong path, the mispredicted one. */
static uint64_t next_to_issue(struct inorder *c)
{
    if (c->redirect_at != 0)
        return issued_pc(c);
    return c->issue != c->tail ? in_at(c, c->issue)->pc : c->front.hart->pc;
}

static void set_front(struct inorder *c, struct probe_slots *s)
{
    s->pc = next_to_issue(c);
    if (s->entered > 0) {
        s->leaf = TOPDOWN_FETCH_BANDWIDTH;
    } else if (c->empty == &c->stats.stack_flush) {
        s->leaf = TOPDOWN_FETCH_FLUSH;
        s->pc = issued_pc(c);
    } else {
        s->leaf = c->issue != c->tail ? in_at(c, c->issue)->waited : (uint8_t)slot_leaf_of_fetch(&c->stats, c->fetched);
    }
}

/* Sets category and address of the slots without an instruction. */
static void set_cause(struct inorder *c, struct probe_slots *s, const uint64_t *lost)
{
    const uint64_t *slots = stats_slots_of_stack(&c->stats, lost);
    if (slots == &c->stats.slots_handler) {
        s->leaf = TOPDOWN_HANDLER;
        s->pc = 0;
    } else if (slots == &c->stats.slots_frontend) {
        set_front(c, s);
    } else if (lost == &c->stats.stack_mispredict) {
        s->leaf = TOPDOWN_MISPREDICT_RECOVERY;
        s->pc = issued_pc(c);
    } else if (lost == &c->stats.stack_exception) {
        s->leaf = TOPDOWN_EXCEPTION_RECOVERY;
        s->pc = c->token.exception || c->token.rob_empty ? c->faulted : in_at(c, c->issue)->pc;
    } else {
        s->leaf = c->stall_leaf != TOPDOWN_LEAVES ? c->stall_leaf : (uint8_t)leaf_of_stack(&c->stats, lost);
        s->pc = c->serial || c->issue == c->arrived ? issued_pc(c) : in_at(c, c->issue)->pc;
    }
}

/* Notes why fetch delivers nothing, for the packet that it delivers next. */
static void in_note_fetch(struct inorder *c)
{
    const enum topdown_leaf leaf = slot_leaf_of_fetch(&c->stats, c->fetched);
    if (c->fetched == &c->stats.fetch_active || leaf != TOPDOWN_FETCH_OTHER)
        c->waited = (uint8_t)leaf;
}

void in_report_slots(struct inorder *c, uint64_t cycles, const uint64_t *lost)
{
    struct probe_slots s = {.cycle = c->now,
                            .repeat = cycles,
                            .width = (uint8_t)c->cfg.commit_width,
                            .entered = c->token.committing,
                            .leaf = TOPDOWN_RETIRING};
    in_note_fetch(c);
    if (s.entered < s.width)
        set_cause(c, &s, lost);
    probe_port_notify_slots(&c->port, TOPDOWN_AT_ENTRY, &s);
}
