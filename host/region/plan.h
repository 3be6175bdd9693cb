/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The regions file, which is JSON: the strata of a run's units, and the units that are chosen to be simulated. */
#ifndef HOST_REGION_PLAN_H
#define HOST_REGION_PLAN_H

#include "host/region/cluster.h"
#include "host/region/simpoint.h"

enum region_method {
    REGION_STRATIFIED, /* units drawn at random from each stratum */
    REGION_SIMPOINT,   /* the unit nearest to the centre of each cluster */
};

/* Most units of a stratum that are in the file: no more can be chosen. */
enum { REGION_CANDIDATES = 2000 };

struct region_candidate {
    uint64_t first, insns;
};

struct region_stratum {
    uint64_t units, insns; /* all units, and their instructions */
    size_t chosen;         /* candidates that are chosen, from the first one on */
    size_t candidates;
    struct region_candidate *candidate; /* in random order */
};

struct region_plan {
    enum region_method method;
    uint64_t unit;         /* instructions of the first unit, and of others unless they differ */
    uint64_t units, insns; /* of the run */
    uint64_t seed;
    size_t strata;
    struct region_stratum *stratum;
};

/* The clusters as strata; nothing is chosen. */
struct region_plan region_plan_strata(const struct region_vectors *v, const struct region_clusters *c, uint64_t seed);
/* The simulation points, each chosen. */
struct region_plan region_plan_points(const struct region_vectors *v, const struct simpoints *s,
                                      const struct region_clusters *c, uint64_t seed);
void region_plan_release(struct region_plan *p);
/* Chooses `total` units in proportion to the units of strata, or as region_allocate with these deviations, but `least`
 * or more of each stratum, and at least those that are chosen already. */
void region_plan_choose(struct region_plan *p, const double *deviation, size_t total, size_t least);
/* Number of chosen units. */
size_t region_plan_chosen(const struct region_plan *p);
/* Share of the run that a chosen unit of the stratum stands for. */
double region_plan_weight(const struct region_plan *p, size_t stratum);

void region_plan_write(const struct region_plan *p, FILE *out);
/* Reads the text of a file; `name` is for messages. */
enum status region_plan_read(struct region_plan *p, const char *name, const char *text, size_t size_bytes,
                             struct errmsg *err) MUST_USE;

#endif
