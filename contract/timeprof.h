/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time profiles: for each instruction address, the cycles that a profiler attributed to it, by category. The core model
 * fills them from the probe port; the host side reports and compares them.
 *
 * The unit of time is a fraction of a cycle that is divisible by every number of instructions up to 8 that can commit
 * together, so shares of a cycle are exact. */
#ifndef CONTRACT_TIMEPROF_H
#define CONTRACT_TIMEPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/code.h"

enum time_category {
#define TIME_CATEGORY(sym, name, what) TIME_##sym,
#include "contract/timeprof.def"
    TIME_CATEGORY_COUNT
};

enum { TIME_PER_CYCLE = 840 };

struct time_row {
    uint64_t pc; /* 0: time attributed to no instruction: in a handler, or at the end of a run that was cut short */
    /* In units of 1/TIME_PER_CYCLE cycles; all in EXECUTE if the profiler has no categories. */
    uint64_t time[TIME_CATEGORY_COUNT];
};

struct time_profile {
    const char *label; /* the profiler with its options, as given by the user */
    bool exact;        /* every cycle was counted: the ground truth for the others */
    bool by_category;
    bool weighted;              /* samples have different weights: no confidence interval follows from their number */
    uint64_t period;            /* sampling period in cycles; in instructions if weighted */
    uint64_t samples;           /* taken; 0 where exact */
    uint64_t lost;              /* samples selected but not delivered; their time is in the next one */
    uint64_t time;              /* sum over the rows */
    const struct time_row *row; /* in ascending order of pc */
    size_t rows;
    const struct time_row *place; /* by place (call_tree.h), in ascending order; places 0: none are known */
    size_t places;
};

struct time_result {
    const struct time_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    bool has_idle;   /* a hart has no thread at times: pc 0 has that time, too */
    struct code code;
};

/* Name of a category, e.g. "load stall" for TIME_STALL_LOAD. */
const char *time_category_name(enum time_category c);

static inline uint64_t time_row_total(const struct time_row *r)
{
    uint64_t sum = 0;
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
        sum += r->time[c];
    return sum;
}

#endif
