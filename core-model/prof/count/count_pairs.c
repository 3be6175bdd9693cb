/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact counts of pairs. Entry points: count_pairs.h. */
#include "core-model/prof/count/count_pairs.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"

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

static struct pairs_cycle *cycle_at(const struct count_pairs *p, uint64_t position)
{
    return &p->cycle[position & (p->cycle_capacity - 1)];
}

static void grow_cycles(struct count_pairs *p)
{
    struct pairs_cycle *old = p->cycle;
    size_t capacity = p->cycle_capacity;
    p->cycle_capacity *= 2;
    p->cycle = xcalloc(p->cycle_capacity, sizeof *p->cycle);
    for (uint64_t n = p->low; n != p->high; n++)
        *cycle_at(p, n) = old[n & (capacity - 1)];
    free(old);
}

/* Position of the first entry in [low, high) whose cycle is not before `cycle`; `high` if there is none. */
static uint64_t find_cycle(const struct count_pairs *p, uint64_t high, uint64_t cycle)
{
    uint64_t low = p->low;
    SEARCH(low, high, middle, cycle_at(p, middle)->cycle < cycle);
    return low;
}

/* The entry of the cycle; a new one is inserted in order. Most are near the end. */
static struct pairs_cycle *enter_cycle(struct count_pairs *p, uint64_t cycle)
{
    uint64_t at = find_cycle(p, p->high, cycle);
    if (at != p->high && cycle_at(p, at)->cycle == cycle)
        return cycle_at(p, at);
    if (p->high - p->low == p->cycle_capacity)
        grow_cycles(p);
    for (uint64_t n = p->high++; n != at; n--)
        *cycle_at(p, n) = *cycle_at(p, n - 1);
    *cycle_at(p, at) = (struct pairs_cycle){.cycle = cycle};
    return cycle_at(p, at);
}

/* Adds the cycles before `end`, in which nothing changes, to the instruction-cycles. */
static void spend(struct count_pairs *p, uint64_t end)
{
    if (end <= p->end)
        return;
    for (int phase = 0; phase < PHASES; phase++)
        p->spent[phase] += p->in[phase] * (end - p->end);
    p->end = end;
}

/* Finalises the sums of the cycles before `end`, to which nothing more will be added. */
static void count_pairs_settle(struct count_pairs *p, uint64_t end)
{
    for (; p->final != p->high && cycle_at(p, p->final)->cycle < end; p->final++) {
        struct pairs_cycle *c = cycle_at(p, p->final);
        spend(p, c->cycle);
        c->issues_before = p->issues;
        c->retirements_before = p->retirements;
        p->issues += c->issues;
        p->retirements += c->retirements;
        for (int phase = 0; phase < PHASES; phase++) {
            c->spent_before[phase] = p->spent[phase];
            c->in_before[phase] = p->in[phase];
            p->in[phase] += (uint64_t)(int64_t)c->entered[phase];
        }
    }
    spend(p, end);
}

/* Drops the cycles before `cycle`, which are no longer needed. */
static void count_pairs_forget(struct count_pairs *p, uint64_t cycle)
{
    count_pairs_settle(p, cycle);
    while (p->low != p->final && cycle_at(p, p->low)->cycle < cycle)
        p->low++;
}

/* Number of issues before `cycle`, whose sums are final. */
static uint64_t issues_before(const struct count_pairs *p, uint64_t cycle)
{
    uint64_t at = find_cycle(p, p->final, cycle);
    return at != p->final ? cycle_at(p, at)->issues_before : p->issues;
}

/* Number of retirements before `cycle`. There are none between `cycle` and the first cycle kept. */
static uint64_t retirements_before(const struct count_pairs *p, uint64_t cycle)
{
    uint64_t at = find_cycle(p, p->final, cycle);
    return at != p->final ? cycle_at(p, at)->retirements_before : p->retirements;
}

/* Instruction-cycles spent in each phase before `cycle`, whose sums are final. */
static void spent_before(const struct count_pairs *p, int64_t cycle, uint64_t spent[PHASES])
{
    uint64_t at = find_cycle(p, p->final, (uint64_t)cycle);
    const struct pairs_cycle *c = at != p->final ? cycle_at(p, at) : NULL;
    uint64_t behind = (c != NULL ? c->cycle : p->end) - (uint64_t)cycle;
    for (int phase = 0; phase < PHASES; phase++)
        spent[phase] = (c != NULL ? c->spent_before : p->spent)[phase] -
                       (c != NULL ? c->in_before : p->in)[phase] * behind;
}

/* End of the range of cycles that the instruction's counts depend on. */
static uint64_t needed_by(const struct pairs_insn *i)
{
    uint64_t near = i->retired != 0 ? i->retired + COUNT_NEAR_CYCLES + 1 : 0;
    uint64_t last = i->done > i->issued ? i->done : i->issued;
    return near > last ? near : last;
}

/* Counts the cycles of the rows TOGETHER, excluding the instruction itself. */
static void count_together_cycles(const struct count_pairs *p, const struct pairs_insn *i, struct count_found *found)
{
    for (int own = 0; own < PHASES; own++) {
        struct profileme_span span = i->span[own];
        if (span.from == span.to)
            continue;
        uint64_t from[PHASES], to[PHASES];
        spent_before(p, span.from, from);
        spent_before(p, span.to, to);
        for (int others = 0; others < PHASES; others++)
            found->together[own][others] = to[others] - from[others];
        if (i->retired != 0)
            found->together[own][own] -= (uint64_t)(span.to - span.from);
    }
}

static void count_pairs_count(struct count_pairs *p, const struct pairs_insn *i)
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
    count_together_cycles(p, i, &found);
    count_row_add_found(&p->table->row[i->at], &found);
}

/* Counts the oldest instructions that depend on no cycle from `frontier` on. All instructions in flight were fetched at
 * `frontier` or later. */
static void count_oldest(struct count_pairs *p, uint64_t frontier)
{
    for (; p->first != p->open && needed_by(insn_at(p, p->first)) <= frontier; p->first++) {
        const struct pairs_insn *i = insn_at(p, p->first);
        count_pairs_settle(p, needed_by(i));
        count_pairs_count(p, i);
    }
}

void count_pairs_fetch(struct count_pairs *p, uint64_t seq, uint64_t cycle)
{
    if (p->next == 0) {
        p->first = p->open = p->next = seq;
        p->end = cycle;
    }
    while (p->open != p->next && insn_at(p, p->open)->ended)
        p->open++;
    count_oldest(p, p->open != p->next ? insn_at(p, p->open)->fetched : cycle);
    uint64_t oldest = p->first != p->next ? insn_at(p, p->first)->fetched : cycle;
    count_pairs_forget(p, oldest > COUNT_NEAR_CYCLES ? oldest - COUNT_NEAR_CYCLES : 0);
    if (p->next - p->first == p->insn_capacity)
        grow_insns(p);
    *insn_at(p, p->next++) = (struct pairs_insn){.fetched = cycle};
}

/* Interval from one stage to a later one; empty, at its fetch, if the instruction has not passed both. */
static struct profileme_span span_of(uint64_t fetched, uint64_t from, uint64_t to)
{
    bool passed = from != 0 && to > from;
    return (struct profileme_span){(int64_t)(passed ? from : fetched), (int64_t)(passed ? to : fetched)};
}

void count_pairs_end(struct count_pairs *p, const struct probe_insn *in, uint32_t at)
{
    struct pairs_insn *i = insn_at(p, in->seq);
    i->at = at;
    i->done = in->stage_cycle[PROBE_READY_TO_RETIRE];
    i->issued = in->stage_cycle[PROBE_ISSUED];
    i->ended = true;
#define PHASE(symbol, start, end, cycles, name) \
    i->span[PHASE_##symbol] = span_of(i->fetched, in->stage_cycle[PROBE_##start], in->stage_cycle[PROBE_##end]);
#include "contract/profileme.def"
    if (in->cause != PROBE_CAUSE_NONE)
        return;
    i->retired = in->stage_cycle[PROBE_RETIRED];
    enter_cycle(p, i->retired)->retirements++;
    if (i->issued != 0)
        enter_cycle(p, i->issued)->issues++;
    for (int phase = 0; phase < PHASES; phase++) {
        if (i->span[phase].from == i->span[phase].to)
            continue;
        enter_cycle(p, (uint64_t)i->span[phase].from)->entered[phase]++;
        enter_cycle(p, (uint64_t)i->span[phase].to)->entered[phase]--;
    }
}

void count_pairs_finish(struct count_pairs *p)
{
    for (; p->first != p->next; p->first++) {
        const struct pairs_insn *i = insn_at(p, p->first);
        if (!i->ended)
            continue;
        count_pairs_settle(p, needed_by(i));
        count_pairs_count(p, i);
    }
    p->open = p->next;
}
