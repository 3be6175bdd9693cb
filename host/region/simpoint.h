/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulation points: of each cluster the unit that is nearest to the centre, with the cluster's share of the run's
 * instructions (T. Sherwood et al., ASPLOS 2002), and the two files of the program SimPoint: lines `UNIT CLUSTER` and
 * lines `WEIGHT CLUSTER`, with units and clusters numbered from 0. */
#ifndef HOST_REGION_SIMPOINT_H
#define HOST_REGION_SIMPOINT_H

#include "host/region/cluster.h"

struct simpoint {
    uint64_t unit, cluster;
    double weight;
};

struct simpoints {
    size_t count;
    struct simpoint *point; /* ordered by unit */
};

struct simpoints simpoints_of(const struct region_vectors *v, const struct region_clusters *c);
void simpoints_release(struct simpoints *s);
void simpoints_write_points(const struct simpoints *s, FILE *out);
void simpoints_write_weights(const struct simpoints *s, FILE *out);
/* Reads both files, whose texts are NUL-terminated; names are for messages. Each cluster of one file is expected in the
 * other, once, and weights from 0 to 1 with a sum of 1. */
enum status simpoints_read(struct simpoints *s, const char *points_name, const char *points, const char *weights_name,
                           const char *weights, struct errmsg *err) MUST_USE;

#endif
