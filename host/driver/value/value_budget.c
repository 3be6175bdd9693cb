/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accounts of rounds and checks. */
#include "host/driver/value/value_budget.h"

/* check_part: checks may take a quarter of the rounds' share of the time. check_limit: no check begins while handlers
 * have taken 18 thousandths of the time or more; otherwise the unfinished profile and its checks together would
 * exceed the 2 % of the co-processor paper (section 5.3). check_loads: number of loads in the estimate of the first
 * check's cost.
 *
 * least_round: minimum length of a round in cycles. Without it, rounds would follow each other in consecutive cycles
 * if the host's work is configured to take no time. */
static const struct {
    unsigned check_part, check_limit, check_loads, least_round;
} policy = {.check_part = 4, .check_limit = 18, .check_loads = 64, .least_round = 50000};

/* Cycles for a slot in use: its row, half a word of keys, and the work on its record. */
static uint64_t record_cycles(const struct host_cost *c) { return c->bus_read * 3 / 2 + c->row + c->update + c->judge; }

void value_budget_init(struct value_budget *b, const struct host_clock *clock, unsigned resample, unsigned mask_words)
{
    const struct host_cost *c = &clock->cost;
    uint64_t service = (uint64_t)c->entry + c->exit;
    *b = (struct value_budget){.clock = clock, .resample = resample, .counted = clock->charged};
    /* The timer begins and ends a check, and the mask is written twice. */
    b->last_check = 2 * service + 2 * (uint64_t)mask_words * c->bus_write + policy.check_loads * record_cycles(c);
}

void value_budget_count(struct value_budget *b, enum budget_item item)
{
    *(item == BUDGET_CHECK ? &b->check : &b->round) += b->clock->charged - b->counted;
    b->counted = b->clock->charged;
}

void value_budget_begin_round(struct value_budget *b) { b->round = 0; }

void value_budget_end_check(struct value_budget *b, uint64_t cycle)
{
    value_budget_count(b, BUDGET_CHECK);
    b->last_check = b->check;
    b->check = 0;
    b->check_end = cycle;
}

uint64_t value_budget_round_due(const struct value_budget *b, uint64_t round_start)
{
    if (b->resample == 0)
        return UINT64_MAX;
    uint64_t cycles = b->round * 1000 / b->resample;
    return round_start + (cycles > policy.least_round ? cycles : policy.least_round);
}

uint64_t value_budget_check_due(const struct value_budget *b)
{
    if (b->resample == 0)
        return UINT64_MAX;
    uint64_t paid = b->check_end + b->last_check * 1000 * policy.check_part / b->resample;
    uint64_t affordable = b->counted * 1000 / policy.check_limit;
    return paid > affordable ? paid : affordable;
}
