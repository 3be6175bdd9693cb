/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/region/cluster.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { MOST_PASSES = 100, SAMPLED_UNITS = 4096 };
static const double score_share = 0.9;

double region_distance(const double *a, const double *b)
{
    double sum = 0;
    for (size_t d = 0; d < REGION_DIMENSIONS; d++)
        sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

static double uniform(struct random *r) { return (double)(random_bits(r) >> 11) / 9007199254740992.0; /* 2^53 */ }

/* ---- centres to begin with ---- */

/* The unit at which the sum of the weights reaches a random share of all. */
static size_t choose_by_weight(const double *weight, size_t count, double all, struct random *r)
{
    double at = uniform(r) * all;
    for (size_t i = 0; i < count; i++) {
        at -= weight[i];
        if (at < 0)
            return i;
    }
    return count - 1;
}

/* Chooses each centre with a probability proportional to the square of its distance from those before. Returns the
 * number of centres: fewer than k if all other units are equal to one. */
static size_t choose_centres(const struct region_vectors *v, struct region_clusters *c, size_t k, struct random *r)
{
    double *weight = xmalloc(v->count * sizeof *weight);
    size_t chosen = random_bits(r) % v->count, n = 0;
    for (size_t i = 0; i < v->count; i++)
        weight[i] = INFINITY;
    while (n < k) {
        double all = 0;
        memcpy(c->centre[n], v->unit[chosen].point, sizeof c->centre[n]);
        for (size_t i = 0; i < v->count; i++) {
            weight[i] = fmin(weight[i], region_distance(v->unit[i].point, c->centre[n]));
            all += weight[i];
        }
        n++;
        if (all == 0)
            break;
        chosen = choose_by_weight(weight, v->count, all, r);
    }
    free(weight);
    return n;
}

/* ---- passes ---- */

/* Assigns each unit to the nearest centre. Returns whether one has changed. */
static bool assign_units(const struct region_vectors *v, struct region_clusters *c)
{
    bool changed = false;
    c->error = 0;
    for (size_t i = 0; i < v->count; i++) {
        double least = INFINITY;
        uint32_t nearest = 0;
        for (uint32_t k = 0; k < c->k; k++) {
            const double distance = region_distance(v->unit[i].point, c->centre[k]);
            if (distance < least) {
                least = distance;
                nearest = k;
            }
        }
        changed |= c->of[i] != nearest;
        c->of[i] = nearest;
        c->error += least;
    }
    return changed;
}

/* Moves each centre to the mean of its units; a cluster without units stays where it is. */
static void move_centres(const struct region_vectors *v, struct region_clusters *c)
{
    double(*sum)[REGION_DIMENSIONS] = xcalloc(c->k, sizeof *sum);
    memset(c->size, 0, c->k * sizeof *c->size);
    for (size_t i = 0; i < v->count; i++) {
        c->size[c->of[i]]++;
        for (size_t d = 0; d < REGION_DIMENSIONS; d++)
            sum[c->of[i]][d] += v->unit[i].point[d];
    }
    for (size_t k = 0; k < c->k; k++)
        for (size_t d = 0; d < REGION_DIMENSIONS && c->size[k] != 0; d++)
            c->centre[k][d] = sum[k][d] / (double)c->size[k];
    free(sum);
}

/* Removes the clusters without units. */
static void remove_empty(const struct region_vectors *v, struct region_clusters *c)
{
    uint32_t *now = xcalloc(c->k, sizeof *now), n = 0;
    for (uint32_t k = 0; k < c->k; k++) {
        if (c->size[k] == 0)
            continue;
        memmove(c->centre[n], c->centre[k], sizeof c->centre[n]);
        c->size[n] = c->size[k];
        now[k] = n++;
    }
    for (size_t i = 0; i < v->count; i++)
        c->of[i] = now[c->of[i]];
    c->k = n;
    free(now);
}

/* The Bayesian information criterion of spherical Gaussians with one variance (D. Pelleg and A. Moore, X-means, ICML
 * 2000), for R points of d dimensions: the logarithm of the likelihood, less (parameters / 2) log R. */
static double score_of(const struct region_vectors *v, const struct region_clusters *c)
{
    /* Clusters of equal units would have an infinite likelihood; distances of 10^-6 are rounding and noise. */
    static const double least_variance = 1e-12;
    const double points = (double)v->count, d = REGION_DIMENSIONS, k = (double)c->k, freedom = d * fmax(points - k, 1),
                 variance = fmax(c->error / freedom, least_variance);
    double likelihood = -points * d / 2 * log(2 * acos(-1) * variance) - c->error / (2 * variance);
    for (size_t i = 0; i < c->k; i++)
        likelihood += (double)c->size[i] * log((double)c->size[i] / points);
    return likelihood - (k * d + k) / 2 * log(points); /* k - 1 shares, k centres, one variance */
}

static struct region_clusters start_once(const struct region_vectors *v, size_t k, struct random *r)
{
    struct region_clusters c = {.of = xcalloc(v->count, sizeof *c.of),
                                .centre = xcalloc(k, sizeof *c.centre),
                                .size = xcalloc(k, sizeof *c.size)};
    c.k = choose_centres(v, &c, k, r);
    (void)assign_units(v, &c);
    for (unsigned pass = 0; pass < MOST_PASSES; pass++) {
        move_centres(v, &c);
        if (!assign_units(v, &c))
            break;
    }
    move_centres(v, &c);
    remove_empty(v, &c);
    (void)assign_units(v, &c);
    c.score = score_of(v, &c);
    return c;
}

struct region_clusters region_cluster(const struct region_vectors *v, size_t k, unsigned starts, uint64_t seed)
{
    struct random r = {.state = seed + k};
    if (k > v->count)
        k = v->count;
    struct region_clusters best = start_once(v, k, &r);
    for (unsigned n = 1; n < starts; n++) {
        struct region_clusters c = start_once(v, k, &r);
        const bool is_better = c.error < best.error;
        region_clusters_release(is_better ? &best : &c);
        if (is_better)
            best = c;
    }
    return best;
}

static struct region_clusters choose_among(const struct region_vectors *v, size_t most, unsigned starts, uint64_t seed)
{
    size_t low = 1, high = most < v->count ? most : v->count;
    struct region_clusters one = region_cluster(v, 1, starts, seed), best = region_cluster(v, high, starts, seed);
    double worst_score = fmin(one.score, best.score), best_score = fmax(one.score, best.score);
    if (one.score >= worst_score + score_share * (best_score - worst_score)) {
        region_clusters_release(&best);
        return one;
    }
    region_clusters_release(&one);
    while (high - low > 1) { /* `high` reaches the score, and `low` does not */
        const size_t k = (low + high) / 2;
        struct region_clusters c = region_cluster(v, k, starts, seed);
        best_score = fmax(best_score, c.score);
        if (c.score >= worst_score + score_share * (best_score - worst_score)) {
            region_clusters_release(&best);
            best = c;
            high = k;
        } else {
            region_clusters_release(&c);
            low = k;
        }
    }
    return best;
}

/* Some of the units, at random. */
static struct region_vectors sample_units(const struct region_vectors *v, uint64_t seed)
{
    struct random r = {.state = seed};
    struct region_vectors some = {
        .count = SAMPLED_UNITS, .unit = xmalloc(SAMPLED_UNITS * sizeof *some.unit), .instructions = v->instructions};
    size_t chosen = 0;
    for (size_t i = 0; i < v->count && chosen < SAMPLED_UNITS; i++)
        if (random_bits(&r) % (v->count - i) < SAMPLED_UNITS - chosen)
            some.unit[chosen++] = v->unit[i];
    return some;
}

struct region_clusters region_cluster_choose(const struct region_vectors *v, size_t most, unsigned starts,
                                             uint64_t seed)
{
    if (v->count <= SAMPLED_UNITS)
        return choose_among(v, most, starts, seed);
    struct region_vectors some = sample_units(v, seed);
    struct region_clusters c = choose_among(&some, most, starts, seed);
    const size_t k = c.k;
    region_clusters_release(&c);
    region_vectors_release(&some);
    return region_cluster(v, k, starts, seed);
}

void region_clusters_release(struct region_clusters *c)
{
    free(c->of);
    free(c->centre);
    free(c->size);
    *c = (struct region_clusters){0};
}
