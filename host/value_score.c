/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scoring of a value profile. */
#include "host/value_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isa/contract/sample.h"
#include "isa/support/status.h"

struct scoring {
    struct value_score *score;
    struct value_profile *profile;
    struct truth_value *sorted; /* the current load's values by low half, then by descending count; and the
                                   same room again, for sorting */
    uint32_t room;
    double weight, squares, squares_measured;
    double weight_low, squares_low;
};

/* Sorts the values of a load. Returns true if some differ only in their high halves. */
static bool sort_by_low(struct scoring *s, const struct truth_load *t)
{
    bool aliased = false;
    if (t->value_count > s->room) {
        s->room = t->value_count;
        s->sorted = xrealloc(s->sorted, 2 * (size_t)s->room * sizeof *s->sorted);
    }
    if (t->value_count == 0)
        return false;
    const bool same_high = t->by_value[0].value >> 32 == t->by_value[t->value_count - 1].value >> 32;
    memcpy(s->sorted, same_high ? t->by_value : t->values, t->value_count * sizeof *s->sorted);
    if (same_high)
        return false;
    truth_sort(s->sorted, s->sorted + s->room, t->value_count, TRUTH_BY_LOW_HALF);
    for (uint32_t i = 1; i < t->value_count && !aliased; i++)
        aliased = (uint32_t)s->sorted[i].value == (uint32_t)s->sorted[i - 1].value;
    return aliased;
}

/* Exact occurrences of a value of the profile: of its most likely 64-bit value if the high half is known, otherwise
 * of the most frequent value with its low half. */
static uint64_t exact_count(const struct scoring *s, uint32_t n, const struct value_count *c)
{
    uint32_t low = c->value;
    uint32_t first = 0, end = n;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if ((uint32_t)s->sorted[middle].value < low)
            first = middle + 1;
        else
            end = middle;
    }
    const struct value_tally *high = value_set_best(&c->highs);
    for (; first < n && (uint32_t)s->sorted[first].value == low; first++)
        if (high == NULL || s->sorted[first].value >> 32 == high->value)
            return s->sorted[first].count;
    return 0;
}

static void annotate_load(const struct scoring *s, struct value_load *l, const struct truth_load *t)
{
    l->known = true;
    l->executions = t->count;
    for (unsigned v = 0; v < l->value_count; v++)
        l->values[v].exact = exact_count(s, t->value_count, &l->values[v]);
}

bool value_exact_is_glacial(const struct truth_load *t)
{
    return t->value_count > 1 &&
           (double)t->values[0].count < value_confidence_default.invariant_share * (double)t->count &&
           t->count >= GLACIAL_STRETCH * t->stretches;
}

static void score_pair(struct scoring *s, const struct value_load *l, const struct truth_load *t,
                       const struct truth_value *value)
{
    struct value_score *score = s->score;
    struct value_pair pair = {.pc = t->pc,
                              .value = value->value,
                              .count = value->count,
                              .exact = (double)value->count / (double)t->count,
                              .glacial = value_exact_is_glacial(t)};
    const struct value_count *c = l != NULL ? value_load_find(l, (uint32_t)value->value) : NULL;
    if (c != NULL) {
        unsigned v = (unsigned)(c - l->values);
        pair.estimated = value_estimate_whole(l, v, value->value);
        pair.measured = value_measured(l, v);
        pair.found = pair.estimated > 0;
    }
    if (score->count == score->room) {
        score->room = score->room ? 2 * score->room : 64;
        score->pairs = xrealloc(score->pairs, score->room * sizeof *score->pairs);
    }
    score->pairs[score->count++] = pair;
    score->found += pair.found;
    double error = pair.estimated - pair.exact, error_measured = pair.measured - pair.exact,
           weight = (double)pair.count;
    s->weight += weight;
    s->squares += weight * error * error;
    s->squares_measured += weight * error_measured * error_measured;
}

/* Scores against exact low halves: values that differ only in their high halves count as one value. */
static void score_lows(struct scoring *s, const struct value_load *l, const struct truth_load *t)
{
    for (uint32_t i = 0, next; i < t->value_count; i = next) {
        uint32_t low = (uint32_t)s->sorted[i].value;
        struct truth_value sum = {.value = low};
        for (next = i; next < t->value_count && (uint32_t)s->sorted[next].value == low; next++)
            sum.count += s->sorted[next].count;
        if (!value_counts(t, &sum))
            continue;
        const struct value_count *c = l != NULL ? value_load_find(l, low) : NULL;
        double estimated = c != NULL ? value_estimate(l, (unsigned)(c - l->values)) : 0;
        double error = estimated - (double)sum.count / (double)t->count;
        s->weight_low += (double)sum.count;
        s->squares_low += (double)sum.count * error * error;
    }
}

static unsigned count_phantoms(const struct value_load *l)
{
    unsigned n = 0;
    for (unsigned v = 0; v < l->value_count; v++) {
        double estimate = value_estimate_best(l, v), claimed = estimate * (double)l->executions;
        n += estimate >= SCORE_MIN_SHARE && claimed >= SCORE_MIN_COUNT && (double)l->values[v].exact < claimed / 2;
    }
    return n;
}

static void score_load(void *arg, const struct truth_load *t)
{
    struct scoring *s = arg;
    struct value_load *l = value_profile_find(s->profile, sample_pc32(t->pc));
    s->score->loads++;
    s->score->executions += t->count;
    s->score->aliased += sort_by_low(s, t);
    bool glacial = value_exact_is_glacial(t), diagnosed = l != NULL && value_load_is_glacial(l);
    s->score->glacial += glacial;
    s->score->glacial_found += glacial && diagnosed;
    s->score->glacial_false += diagnosed && !glacial;
    if (l != NULL) {
        s->score->executions_profiled += t->count;
        annotate_load(s, l, t);
        s->score->phantoms += count_phantoms(l);
    }
    for (uint32_t i = 0; i < t->value_count; i++)
        if (value_counts(t, &t->values[i]))
            score_pair(s, l, t, &t->values[i]);
    score_lows(s, l, t);
}

void value_score_init(struct value_score *score, struct value_profile *p, const struct truth *truth)
{
    *score = (struct value_score){0};
    struct scoring s = {.score = score, .profile = p};
    truth->loads(truth->ctx, score_load, &s);
    if (s.weight > 0) {
        score->rms = sqrt(s.squares / s.weight);
        score->rms_measured = sqrt(s.squares_measured / s.weight);
    }
    if (s.weight_low > 0)
        score->rms_low = sqrt(s.squares_low / s.weight_low);
    free(s.sorted);
}

void value_score_fini(struct value_score *s) { free(s->pairs); }
