/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of a layout's rows with the exact reference that the layout names (contract/exact.def). */
#ifndef HOST_DRIVER_GENERIC_SCORE_H
#define HOST_DRIVER_GENERIC_SCORE_H

#include "host/driver/generic_rows.h"

/* A count of the reference to which a member of the layout corresponds. */
struct generic_count {
    double estimated; /* over all rows */
    uint64_t exact;   /* over all rows of the reference */
    double error;     /* error as in the score, for this count only */
};

/* Scale factors from counts to estimated events. */
struct generic_scale {
    double period;       /* what a delivered sample stands for: events of the reference, lost selections included */
    double thinned;      /* mean number of samples that one sample not dropped represents */
    bool counts_dropped; /* samples were dropped, and the program's counts include them by weight */
};

struct generic_score {
    double period;                    /* what a delivered sample stands for: events of the reference */
    uint64_t rows;                    /* rows of the reference with events in a scored count */
    uint64_t rows_profiled;           /* of these, rows for which the profile has events */
    uint64_t rows_false;              /* rows of the profile with events but without exact ones */
    uint64_t events, events_profiled; /* exact events; of these, the events of profiled rows */
    /* The share of events attributed to the wrong row or count: 1 - sum of min(P, O) over rows and counts, where P
     * and O are the shares of the profile's events and of the exact events. The same measure as for time profiles
     * (host/family/time_score.h); uniform drops do not increase it. 1 if the profile is empty and the reference is not.
     */
    double error;
    struct generic_count count[IMAGE_MEMBERS]; /* by member; of those that hold a count of the reference */
};

/* Fills `s` and the rows' `exact`. `exact` is the layout's reference; a sample represents `period` of its events. */
void generic_score_init(struct generic_score *s, struct generic_rows *g, const struct exact_source *exact,
                        double period);
/* Whether the member corresponds to a count of the layout's reference, and whether that counts the events that are
 * sampled: those of the reference's first count. */
bool generic_is_counted(const struct image_layout *l, unsigned member);
bool generic_is_event(const struct image_layout *l, unsigned member);
/* Whether the score adds the member up: the scored counts are those in the unit of the reference's first count; of a
 * layout without one, those in the unit of its first exact count. */
bool generic_is_scored(const struct image_layout *l, unsigned member);
/* The unit of the scored counts, static; NULL: the layout has no exact count. */
const char *generic_scored_unit(const struct image_layout *l);
/* The estimate of a row's counting member, where a sample represents `period` events. */
double generic_estimate(double period, const struct image_layout *l, const struct generic_row *r, unsigned member);

#endif
