/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters of units that execute the same code: k-means with several starts, and the choice of their number by the
 * Bayesian information criterion, as in SimPoint 3.0 (G. Hamerly, E. Perelman, J. Lau and B. Calder, SimPoint 3.0:
 * Faster and More Flexible Program Phase Analysis, Journal of Instruction-Level Parallelism 7 (2005)). */
#ifndef HOST_REGION_CLUSTER_H
#define HOST_REGION_CLUSTER_H

#include "host/region/vectors.h"

struct region_clusters {
    size_t k;     /* number of clusters, each of which has a unit */
    uint32_t *of; /* the cluster of each unit */
    double (*centre)[REGION_DIMENSIONS];
    size_t *size; /* units of each */
    double error; /* sum of the squares of the distances from the centres */
    double score; /* Bayesian information criterion; more is better */
};

/* The clusters with the least error of `starts` starts, each of which begins with centres that are chosen as k-means++
 * does (D. Arthur and S. Vassilvitskii, SODA 2007). k is at most the number of units; equal units can leave fewer
 * clusters. */
struct region_clusters region_cluster(const struct region_vectors *v, size_t k, unsigned starts, uint64_t seed);
/* The same with the smallest k that is found, of at most `most`, of which the score reaches 90 % of the way from the
 * worst to the best score. k is searched by bisection, and of many units by a random sample of 4,096, as SimPoint 3.0
 * does to be fast. */
struct region_clusters region_cluster_choose(const struct region_vectors *v, size_t most, unsigned starts,
                                             uint64_t seed);
void region_clusters_release(struct region_clusters *c);

/* The square of the distance of two points. */
double region_distance(const double *a, const double *b);

#endif
