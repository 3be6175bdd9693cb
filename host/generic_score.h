/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of events beside the exact ones, for layouts whose members say which events they count (image_layout_has_events). */
#ifndef HOST_GENERIC_SCORE_H
#define HOST_GENERIC_SCORE_H

#include "host/generic_rows.h"
#include "isa/contract/truth.h"

struct generic_score {
    double scale;        /* samples delivered for each that was not dropped: what a count stands for */
    unsigned instructions; /* static ones that retired */
    uint64_t executions, executions_profiled; /* how often; of these, those of instructions that have a row */
    /* The share of the counts that stands in the wrong place: 1 - sum of min(P, O) over instructions and members, where P and O are the shares of
     * the profile's counts and of the exact ones. The measure of profiles of time (host/time_score.h); drops alone do not raise it. */
    double error;
};

/* Fills `s`, and in the rows what is known exactly. `taken` has the instructions of the classes that the program's filter passes, with value 1
 * where one was taken. */
void generic_score_init(struct generic_score *s, struct generic_rows *g, const struct truth *taken, double scale);
/* All counts of events of a row, as estimated and exactly. */
double generic_estimated_events(const struct generic_score *s, const struct image_layout *l, const struct generic_row *r);
uint64_t generic_exact_events(const struct image_layout *l, const struct generic_row *r);

#endif
