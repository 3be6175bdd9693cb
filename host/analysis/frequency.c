/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ratio of samples to static cycles of an issue point without dynamic stalls is the frequency; stalls make it
 * larger. The estimate is the mean of a cluster of small ratios. */
#include "host/analysis/frequency.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "host/analysis/constants.h"

/* An issue point: the samples and cycles of its ratio. */
struct point {
    struct frequency_insn *insn;
    double samples, cycles, ratio;
    bool anomalous; /* its M is uncertain, or the instructions of its group do not issue together */
    bool waits;     /* one of its instructions may wait for memory in each execution */
};

struct class_points {
    struct point *point; /* in ascending order of ratio, the anomalous ones last */
    size_t points, usable;
    bool certain;           /* not all points are anomalous; if they are, all are used */
    double samples, cycles; /* of all instructions */
};

/* An issue point with a wait for an earlier instruction of its block stands for all instructions after that one: stalls
 * between the two shorten the wait, but not the sum. */
static struct point point_of(const struct frequency_block *b, uint32_t i)
{
    struct point p = {.insn = &b->insn[i]};
    uint32_t from = b->insn[i].cycles > 1 && b->insn[i].depends > 1 && b->insn[i].depends <= i
                        ? i + 1 - b->insn[i].depends
                        : i;
    for (uint32_t k = from; k <= i; k++) {
        p.samples += b->insn[k].samples;
        p.cycles += b->insn[k].cycles;
        p.waits = p.waits || b->insn[k].waits;
    }
    double partners = 0;
    for (uint32_t k = i + 1; k < b->insns && b->insn[k].cycles <= 0; k++)
        partners += b->insn[k].samples;
    p.ratio = p.samples / p.cycles;
    p.anomalous = b->insn[i].varies || (partners > analysis_PAIR_SHARE * b->insn[i].samples && partners > 1);
    return p;
}

ORDER(by_ratio, struct point, RISING(anomalous) RISING(ratio) RISING(insn))

static struct class_points frequency_collect(const struct frequency_block *block, size_t blocks)
{
    struct class_points c = {0};
    size_t most = 1;
    for (size_t b = 0; b < blocks; b++)
        most += block[b].insns;
    c.point = xcalloc(most, sizeof *c.point);
    for (size_t b = 0; b < blocks; b++)
        for (uint32_t i = 0; i < block[b].insns; i++) {
            c.samples += block[b].insn[i].samples;
            c.cycles += block[b].insn[i].cycles;
            block[b].insn[i].chosen = false;
            if (block[b].insn[i].cycles <= 0)
                continue;
            c.point[c.points] = point_of(&block[b], i);
            c.usable += !c.point[c.points++].anomalous;
        }
    c.certain = c.usable != 0;
    for (size_t i = 0; i < c.points && !c.certain; i++)
        c.point[i].anomalous = false;
    if (!c.certain)
        c.usable = c.points;
    qsort(c.point, c.points, sizeof *c.point, by_ratio);
    return c;
}

/* The points [first, end). */
struct cluster {
    size_t first, end;
    double samples, cycles;
};

static struct cluster cluster_at(const struct class_points *c, size_t first)
{
    struct cluster k = {.first = first, .end = first};
    while (k.end < c->usable && c->point[k.end].ratio <= analysis_CLUSTER_RATIO * c->point[first].ratio) {
        k.samples += c->point[k.end].samples;
        k.cycles += c->point[k.end++].cycles;
    }
    return k;
}

/* Returns whether the frequency of the cluster implies a larger stall of an issue point than is reasonable. */
static bool implies_too_much(const struct class_points *c, const struct cluster *k, double most_stall)
{
    double frequency = k->samples / k->cycles;
    for (size_t i = 0; i < c->points; i++)
        if (c->point[i].samples > (most_stall + c->point[i].cycles) * frequency)
            return true;
    return false;
}

/* Returns whether the class has fewer samples than the frequency of the cluster and all static cycles imply, by more
 * than the noise of both and the uncertainty of M. */
static bool implies_too_little(const struct class_points *c, const struct cluster *k)
{
    double expected = k->samples / k->cycles * c->cycles;
    return expected - analysis_SUM_RATIO * c->samples >
           analysis_NOISE * sqrt(c->samples + expected * c->cycles / k->cycles);
}

static bool all_wait(const struct class_points *c, const struct cluster *k)
{
    for (size_t i = k->first; i < k->end; i++)
        if (!c->point[i].waits)
            return false;
    return true;
}

/* A cluster of points that all may wait for memory has low confidence: they may all wait equally long. So has a low
 * frequency: the ratios of points with few samples differ by chance, and the smallest are too small. */
static enum confidence confidence_of(const struct class_points *c, const struct cluster *k)
{
    double points = (double)(k->end - k->first);
    if (!c->certain || all_wait(c, k) || k->samples / k->cycles < analysis_FEW_SAMPLES)
        return CONFIDENCE_LOW;
    bool tight = c->point[k->end - 1].ratio <= analysis_HIGH_RATIO * c->point[k->first].ratio;
    if (points >= analysis_HIGH_POINTS && tight && k->samples >= analysis_HIGH_SAMPLES)
        return CONFIDENCE_HIGH;
    return points >= analysis_MEDIUM_POINTS && k->samples >= analysis_MEDIUM_SAMPLES ? CONFIDENCE_MEDIUM
                                                                                     : CONFIDENCE_LOW;
}

/* Returns whether a cluster has too few points; or, if all M are uncertain, too few samples: its M may be 0. */
static bool is_too_small(const struct class_points *c, const struct cluster *k)
{
    return (double)(k->end - k->first) <= analysis_CLUSTER_SHARE * (double)c->usable ||
           (!c->certain && k->samples < analysis_FEW_SAMPLES);
}

static struct frequency frequency_choose(const struct class_points *c, const struct cluster *k,
                                         enum confidence confidence)
{
    for (size_t i = k->first; i < k->end; i++)
        c->point[i].insn->chosen = true;
    return (struct frequency){k->samples / k->cycles, confidence};
}

/* The smallest cluster of ratios that is large enough and not refuted. If its points may all wait for memory, and the
 * class has fewer samples than it implies, its points stall, and the largest of the clusters below is chosen. */
static struct frequency frequency_estimate(const struct class_points *c, double most_stall)
{
    struct cluster small = {0};
    for (size_t first = 0; first < c->usable; first++) {
        struct cluster k = cluster_at(c, first);
        if (implies_too_much(c, &k, most_stall))
            continue;
        if (all_wait(c, &k) && implies_too_little(c, &k))
            break;
        if (!is_too_small(c, &k))
            return frequency_choose(c, &k, confidence_of(c, &k));
        if (k.end - k.first > small.end - small.first && k.samples >= analysis_FEW_SAMPLES)
            small = k;
    }
    return small.end > 0 ? frequency_choose(c, &small, CONFIDENCE_LOW)
                         : (struct frequency){c->samples / c->cycles, CONFIDENCE_LOW};
}

struct frequency frequency_of_class(const struct frequency_block *block, size_t blocks, double most_stall)
{
    struct class_points c = frequency_collect(block, blocks);
    struct frequency f = {0, CONFIDENCE_NONE};
    if (c.cycles > 0 && c.samples < analysis_FEW_SAMPLES)
        f = (struct frequency){c.samples / c.cycles, CONFIDENCE_LOW};
    else if (c.cycles > 0)
        f = frequency_estimate(&c, most_stall);
    free(c.point);
    return f;
}
