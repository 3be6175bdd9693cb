/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of the value driver's rounds and checks, and the earliest time of the next ones within the budget.
 *
 * Rounds may take a share of the time, `resample` thousandths. If the handlers of a round take n cycles, the next
 * round begins n * 1000 / resample cycles after its beginning. n is the sum of the handler cycles since then, without
 * checks. The interrupt that begins a round is part of it. */
#ifndef HOST_DRIVER_VALUE_VALUE_BUDGET_H
#define HOST_DRIVER_VALUE_VALUE_BUDGET_H

#include "host/driver/cost.h"

enum budget_item { BUDGET_ROUND, BUDGET_CHECK };

/* All in core cycles. */
struct value_budget {
    const struct host_clock *clock; /* borrowed */
    unsigned resample;              /* thousandths of the time; 0: neither rounds nor checks */
    uint64_t counted;               /* handler cycles attributed to an item */
    uint64_t round;                 /* charged for the current round */
    uint64_t check, last_check;     /* charged for the current check; for the last one, or an estimate */
    uint64_t check_end;             /* core cycle in which the last check ended */
};

/* `mask_words`: number of words of PC filter 2. */
void value_budget_init(struct value_budget *b, const struct host_clock *clock, unsigned resample, unsigned mask_words);
/* Attributes the handler cycles since the last attribution to an item. */
void value_budget_count(struct value_budget *b, enum budget_item item);
void value_budget_begin_round(struct value_budget *b);
void value_budget_end_check(struct value_budget *b, uint64_t cycle);
/* The core cycle from which a new round is affordable; UINT64_MAX: never. */
uint64_t value_budget_round_due(const struct value_budget *b, uint64_t round_start);
/* The core cycle from which a check is affordable; UINT64_MAX: never. */
uint64_t value_budget_check_due(const struct value_budget *b);

#endif
