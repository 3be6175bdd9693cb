/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a profile of time can be relied on: instructions with enough samples to be ranked, and the spread of the
 * error over profilers that differ in their seed alone. */
#ifndef HOST_TIME_CONFIDENCE_H
#define HOST_TIME_CONFIDENCE_H

#include "host/time_score.h"
#include "isa/contract/report.h"

struct time_ranked {
    size_t instructions; /* with RANKED_SAMPLES or more */
    double share;        /* of the profile's time that they have; 0 without time */
};

/* Of a profile that sampled. The samples of an instruction are taken to be its share of all. */
struct time_ranked time_ranked(const struct time_profile *p);

/* Adds the table "seeds" if any profilers differ in their option seed alone: mean and 95 % interval of their errors,
 * from Student's distribution. error[p][l] is the error of profile p at level l, from 0 to 1; without an exact profile,
 * `error` is NULL and nothing is added. */
void time_seeds_report(struct report *r, const struct time_profile *profile, unsigned profiles,
                       double (*error)[TIME_LEVEL_COUNT]);

#endif
