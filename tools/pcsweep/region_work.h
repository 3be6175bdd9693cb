/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of regions, for the commands that make and use them. */
#ifndef TOOLS_PCSWEEP_REGION_WORK_H
#define TOOLS_PCSWEEP_REGION_WORK_H

#include "host/region/results.h"

enum {
    REGION_STARTS = 5, /* of k-means */
    /* Units that are chosen of each stratum at first, if it has them. Many strata with few units each have a narrower
     * interval than few strata; the degrees of freedom come from all of them. */
    REGION_LEAST_OF_STRATUM = 5,
};

/* The most clusters of so many units, for the option of that number, which is 0 if it is not given: then a stratum has
 * 10 units or more on average. */
size_t region_most_clusters(uint64_t option, bool is_simpoint, size_t units);

enum status region_load_vectors(struct region_vectors *v, const char *path, uint64_t unit, uint64_t seed,
                                struct errmsg *err) MUST_USE;
enum status region_load_plan(struct region_plan *p, const char *path, struct errmsg *err) MUST_USE;
enum status region_load_results(struct region_results *r, const char *path, struct errmsg *err) MUST_USE;

/* The number of instructions at which the warm-up of a region begins: 0, if it is the program's start. */
uint64_t region_place(uint64_t first, uint64_t warmup);
/* Writes the places of the chosen regions, ascending, without those at the program's start. */
void region_write_places(const struct region_plan *p, uint64_t warmup, FILE *out);

#endif
