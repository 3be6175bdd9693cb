/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact counts of pairs. Entry points: count_pairs.h. */
#include "core-model/prof/count/count_pairs.h"

#include <stdlib.h>

#include "isa/support/status.h"

void count_pairs_init(struct count_pairs *p, struct count_table *table)
{
    *p = (struct count_pairs){.table = table, .insn_capacity = 256, .cycle_capacity = 1024};
    p->insn = xcalloc(p->insn_capacity, sizeof *p->insn);
    p->cycle = xcalloc(p->cycle_capacity, sizeof *p->cycle);
}

void count_pairs_fini(struct count_pairs *p)
{
    free(p->insn);
    free(p->cycle);
}

static struct pairs_insn *insn_at(const struct count_pairs *p, uint64_t seq)
{
    return &p->insn[seq & (p->insn_capacity - 1)];
}

static void grow_insns(struct count_pairs *p)
{
    struct pairs_insn *old = p->insn;
    size_t capacity = p->insn_capacity;
    p->insn_capacity *= 2;
    p->insn = xcalloc(p->insn_capacity, sizeof *p->insn);
    for (uint64_t seq = p->first; seq != p->next; seq++)
        *insn_at(p, seq) = old[seq & (capacity - 1)];
    free(old);
}

static struct pairs_cycle *cycle_at(const struct count_pairs *p, uint64_t cycle)
{
    return &p->cycle[cycle & (p->cycle_capacity - 1)];
}

static void grow_cycles(struct count_pairs *p)
{
    struct pairs_cycle *old = p->cycle;
    size_t capacity = p->cycle_capacity;
    p->cycle_capacity *= 2;
    p->cycle = xcalloc(p->cycle_capacity, sizeof *p->cycle);
    for (uint64_t cycle = p->low; cycle != p->high; cycle++)
        *cycle_at(p, cycle) = old[cycle & (capacity - 1)];
    free(old);
}

/* The ring has the cycles before `end` from here on. */
static void reach(struct count_pairs *p, uint64_t end)
{
    for (; p->high < end; p->high++) {
        if (p->high - p->low == p->cycle_capacity)
            grow_cycles(p);
        *cycle_at(p, p->high) = (struct pairs_cycle){0};
    }
}

/* Nothing will be added to cycles before `end`: their sums are final. */
static void settle(struct count_pairs *p, uint64_t end)
{
    reach(p, end);
    for (; p->final < end; p->final++) {
        struct pairs_cycle *c = cycle_at(p, p->final);
        c->issues_before = p->issues;
        c->retirements_before = p->retirements;
        p->issues += c->issues;
        p->retirements += c->retirements;
    }
}

/* Cycles before `cycle` are not needed any more. */
static void forget(struct count_pairs *p, uint64_t cycle)
{
    if (cycle <= p->low)
        return;
    settle(p, cycle < p->high ? cycle : p->high);
    p->low = cycle;
    if (p->high < cycle)
        p->high = cycle;
    if (p->final < cycle)
        p->final = cycle;
}

/* Issues before the cycle, which is settled. */
static uint64_t issues_before(const struct count_pairs *p, uint64_t cycle)
{
    return cycle < p->final ? cycle_at(p, cycle)->issues_before : p->issues;
}

/* Retirements before it. Between it and the first cycle that is kept there were none. */
static uint64_t retirements_before(const struct count_pairs *p, uint64_t cycle)
{
    if (cycle < p->low)
        cycle = p->low;
    return cycle < p->final ? cycle_at(p, cycle)->retirements_before : p->retirements;
}

/* The end of the cycles that the instruction's counts look at. */
static uint64_t needed_by(const struct pairs_insn *i)
{
    uint64_t near = i->retired != 0 ? i->retired + COUNT_NEAR_CYCLES + 1 : 0;
    return near > i->done ? near : i->done;
}

static void count(struct count_pairs *p, const struct pairs_insn *i)
{
    struct count_found found = {0};
    uint64_t retired = i->retired;
    if (i->done != 0) {
        bool itself = retired != 0 && i->issued != 0 && i->issued < i->done;
        found.USEFUL_OVERLAP = issues_before(p, i->done) - issues_before(p, i->fetched) - itself;
    }
    if (retired != 0) {
        uint64_t from = retired > COUNT_NEAR_CYCLES ? retired - COUNT_NEAR_CYCLES : 0;
        found.RETIRES_BESIDE = retirements_before(p, retired) - retirements_before(p, i->fetched);
        found.RETIRES_NEAR = retirements_before(p, retired + COUNT_NEAR_CYCLES + 1) - retirements_before(p, from) - 1;
    }
    count_row_add_found(&p->table->row[i->at], &found);
}

/* Counts the oldest instructions as long as they need no cycle from `frontier` on. All in flight were fetched then or
 * later. */
static void count_oldest(struct count_pairs *p, uint64_t frontier)
{
    for (; p->first != p->open && needed_by(insn_at(p, p->first)) <= frontier; p->first++) {
        const struct pairs_insn *i = insn_at(p, p->first);
        settle(p, needed_by(i));
        count(p, i);
    }
}

void count_pairs_fetch(struct count_pairs *p, uint64_t seq, uint64_t cycle)
{
    if (p->next == 0) {
        p->first = p->open = p->next = seq;
        p->low = p->high = p->final = cycle;
    }
    while (p->open != p->next && insn_at(p, p->open)->ended)
        p->open++;
    count_oldest(p, p->open != p->next ? insn_at(p, p->open)->fetched : cycle);
    uint64_t oldest = p->first != p->next ? insn_at(p, p->first)->fetched : cycle;
    forget(p, oldest > COUNT_NEAR_CYCLES ? oldest - COUNT_NEAR_CYCLES : 0);
    if (p->next - p->first == p->insn_capacity)
        grow_insns(p);
    *insn_at(p, p->next++) = (struct pairs_insn){.fetched = cycle};
}

void count_pairs_end(struct count_pairs *p, const struct probe_insn *in, uint32_t at)
{
    struct pairs_insn *i = insn_at(p, in->seq);
    i->at = at;
    i->done = in->stage_cycle[PROBE_READY_TO_RETIRE];
    i->ended = true;
    if (in->cause != PROBE_CAUSE_NONE)
        return;
    i->issued = in->stage_cycle[PROBE_ISSUED];
    i->retired = in->stage_cycle[PROBE_RETIRED];
    reach(p, i->retired + 1);
    cycle_at(p, i->retired)->retirements++;
    if (i->issued != 0)
        cycle_at(p, i->issued)->issues++;
}

void count_pairs_finish(struct count_pairs *p)
{
    for (; p->first != p->next; p->first++) {
        const struct pairs_insn *i = insn_at(p, p->first);
        if (!i->ended)
            continue;
        settle(p, needed_by(i));
        count(p, i);
    }
    p->open = p->next;
}
