/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A layout's rows beside the exact reference that the layout names (isa/contract/exact.def). */
#ifndef HOST_GENERIC_SCORE_H
#define HOST_GENERIC_SCORE_H

#include "host/generic_rows.h"

/* One count of the reference that a member of the layout holds. */
struct generic_count {
    double estimated; /* over all rows */
    uint64_t exact;   /* over all rows of the reference */
    double error;     /* as that of the score, of this count alone */
};

/* How events are estimated from what was counted. */
struct generic_scale {
    double period;       /* what a delivered sample stands for: events of the reference */
    double thinned;      /* what a sample that was not dropped stands for, in the mean of the run */
    bool counts_dropped; /* samples were dropped, and what the program counted stands for them, too */
};

struct generic_score {
    double period;                    /* what a delivered sample stands for: events of the reference */
    uint64_t rows;                    /* of the reference, with an event in a count that a member holds */
    uint64_t rows_profiled;           /* of these, those of which the profile has an event */
    uint64_t rows_false;              /* of the profile, with an event, without an exact one */
    uint64_t events, events_profiled; /* exact events; of these, those of the rows profiled */
    /* The share of the events that stands in the wrong place: 1 - sum of min(P, O) over rows and counts, where P and O
     * are the shares of the profile's events and of the exact ones. The measure of profiles of time
     * (host/time_score.h); drops alone do not raise it. 1 if the profile is empty and the reference is not. */
    double error;
    struct generic_count count[IMAGE_MEMBERS]; /* by member; of those that hold a count of the reference */
};

/* Fills `s`, and `exact` of the rows. `exact` is the layout's reference; a sample stands for `period` of its events. */
void generic_score_init(struct generic_score *s, struct generic_rows *g, const struct exact_source *exact,
                        double period);
/* Does the member hold a count of the layout's reference; and if so, one of its events? */
bool generic_is_counted(const struct image_layout *l, unsigned member);
bool generic_is_event(const struct image_layout *l, unsigned member);
/* What a member of the format `count` estimates in a row, where a sample stands for `period` events. */
double generic_estimate(double period, const struct image_layout *l, const struct generic_row *r, unsigned member);

#endif
