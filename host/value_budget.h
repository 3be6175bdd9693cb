/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the value driver's rounds and checks cost, and from when on the next ones are affordable.
 *
 * Rounds may take a share of the time, `resample` thousandths. A round whose handlers take n cycles is followed by the
 * next n * 1000 / resample cycles after its beginning. n is the sum of what handlers were charged since then, checks
 * excluded, and of an estimate of the service that ends the visit under way: what the last copy of slots was charged;
 * before there is one, what a copy takes at the configured costs. The interrupt that begins a round belongs to it. */
#ifndef HOST_VALUE_BUDGET_H
#define HOST_VALUE_BUDGET_H

#include "host/cost.h"

enum budget_item { BUDGET_ROUND, BUDGET_CHECK };

/* All in core cycles. */
struct value_budget {
    const struct host_clock *clock; /* borrowed */
    unsigned resample;              /* thousandths of the time; 0: neither rounds nor checks */
    uint64_t counted;               /* charged to handlers, and attributed to an item */
    uint64_t round;                 /* charged for the present round */
    uint64_t copy;                  /* charged for the last service that copied slots, or an estimate */
    uint64_t check, last_check;     /* charged for the check under way; for the last one, or an estimate */
    uint64_t check_end;             /* core cycle at which the last check ended */
};

/* `slots`: how many the program has; `mask_words`: words of PC filter 2. */
void value_budget_init(struct value_budget *b, const struct host_clock *clock, unsigned resample, unsigned slots,
                       unsigned mask_words);
/* Attributes to an item what was charged to handlers since the last attribution. */
void value_budget_count(struct value_budget *b, enum budget_item item);
/* The same for a service that has ended a visit of the round. If it copied the slots, it is the next estimate. */
void value_budget_end_visit(struct value_budget *b, bool copied);
void value_budget_begin_round(struct value_budget *b);
void value_budget_end_check(struct value_budget *b, uint64_t cycle);
/* The core cycle from which a new round is affordable; UINT64_MAX: never. `copies`: a visit is under way that may end
 * with a copy of the slots. */
uint64_t value_budget_round_due(const struct value_budget *b, uint64_t round_start, bool copies);
/* The same for a check. */
uint64_t value_budget_check_due(const struct value_budget *b);

#endif
