/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples of an event counter by instruction and by function, compared with the exact counts of the same event. */
#ifndef HOST_FAMILY_COUNTER_SCORE_H
#define HOST_FAMILY_COUNTER_SCORE_H

#include "contract/counterprof.h"
#include "host/symbols/symbols.h"

/* An instruction or function that has samples or events. */
struct counter_line {
    uint64_t pc; /* address, or start of the function; 0: unknown */
    uint64_t samples;
    double share;       /* of the samples of this event */
    double estimate;    /* events: its share of the counter's estimate */
    uint64_t exact;     /* if the exact counts are known: its instructions that had the event */
    double exact_share; /* if known: share of all instructions that had the event */
};

struct counter_lines {
    struct counter_line *line; /* by descending samples, then exact counts; freed by the caller */
    size_t lines;
    bool has_exact;
    /* If the exact counts are known: the share of samples attributed to the wrong instructions or functions, 1 - sum
     * of min(share, exact_share), as the error of time profiles (TIP paper, section 4); NAN without samples or
     * events. */
    double error;
};

/* `exact` is an exact profile of the run, which may lack the event, or NULL. */
struct counter_lines counter_instructions(const struct counter_profile *p, const struct counter_event *e,
                                          const struct count_profile *exact);
struct counter_lines counter_functions(const struct counter_profile *p, const struct counter_event *e,
                                       const struct count_profile *exact, const struct symbols *symbols);

#endif
