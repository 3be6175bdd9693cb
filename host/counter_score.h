/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples of an event counter by instruction and by function, beside the exact counts of the same event. */
#ifndef HOST_COUNTER_SCORE_H
#define HOST_COUNTER_SCORE_H

#include "host/symbols.h"
#include "isa/contract/counterprof.h"

/* An instruction, or a function, that has samples or the event. */
struct counter_line {
    uint64_t pc; /* of a function its start; 0: unknown */
    uint64_t samples;
    double share;       /* of the event's samples */
    double estimate;    /* events: its share of the counter's estimate */
    uint64_t exact;     /* where the exact counts are known: its instructions that had the event */
    double exact_share; /* the same: of all instructions that had it */
};

struct counter_lines {
    struct counter_line *line; /* by falling samples, then exact counts; to be freed */
    size_t lines;
    bool has_exact;
    /* Where they are known: the share of the samples that is of wrong instructions or functions, 1 - sum of min(share,
     * exact_share), as the error of profiles of time (TIP paper, section 4); NAN without samples or events. */
    double error;
};

/* `exact` is NULL, or an exact profile of the run, which may lack the event. */
struct counter_lines counter_instructions(const struct counter_profile *p, const struct counter_event *e,
                                          const struct count_profile *exact);
struct counter_lines counter_functions(const struct counter_profile *p, const struct counter_event *e,
                                       const struct count_profile *exact, const struct symbols *symbols);

#endif
