/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence in a time profile: instructions with enough samples for a ranking, and the variation of the error over
 * profilers that differ only in their seed. */
#ifndef HOST_FAMILY_TIME_CONFIDENCE_H
#define HOST_FAMILY_TIME_CONFIDENCE_H

#include "contract/report.h"
#include "host/family/time_score.h"

struct time_ranked {
    size_t instructions; /* number of instructions with RANKED_SAMPLES or more samples */
    double share;        /* their share of the profile's time; 0 without time */
};

/* For a sampling profile. An instruction's share of the samples is taken to be its share of the time. */
struct time_ranked time_ranked(const struct time_profile *p);

/* Adds the table "seeds" if profilers differ only in their option `seed`: mean and 95 % interval of their errors,
 * from Student's distribution. error[p][l] is the error of profile p at level l, from 0 to 1. Without an exact
 * profile `error` is NULL, and nothing is added. */
void time_seeds_report(struct report *r, const struct time_profile *profile, unsigned profiles,
                       double (*error)[TIME_LEVEL_COUNT]);

#endif
