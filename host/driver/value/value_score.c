/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scoring of a value profile. */
#include "host/driver/value/value_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/status.h"
#include "isa/sample.h"

struct value_score_scoring {
    struct value_score *score;
    struct value_profile *profile;
    bool high_differs;          /* the current load's values differ in their high halves */
    struct truth_value *sorted; /* then: its values by low half, then by descending count; and the same room again, for
                                   sorting */
    uint32_t room;
    uint32_t *place; /* else, for the load of the profile: hash table of the numbers, plus 1, of its values */
    uint32_t places; /* a power of two, or 0 */
    double weight, squares, squares_measured;
    double weight_low, squares_low;
    double weight_claimed, squares_claimed; /* of values that the profile alone claims */
};

/* Sorts the values of a load if they differ in their high halves. Returns whether some differ only there. */
static bool sort_by_low(struct value_score_scoring *s, const struct truth_load *t)
{
    bool aliased = false;
    uint64_t differ = 0;
    for (uint32_t i = 1; i < t->value_count; i++)
        differ |= t->values[i].value ^ t->values[0].value;
    s->high_differs = differ >> 32 != 0;
    if (!s->high_differs)
        return false;
    if (t->value_count > s->room) {
        s->room = t->value_count;
        s->sorted = xrealloc(s->sorted, 2 * (size_t)s->room * sizeof *s->sorted);
    }
    memcpy(s->sorted, t->values, t->value_count * sizeof *s->sorted);
    truth_sort(s->sorted, s->sorted + s->room, t->value_count, TRUTH_BY_LOW_HALF);
    for (uint32_t i = 1; i < t->value_count && !aliased; i++)
        aliased = (uint32_t)s->sorted[i].value == (uint32_t)s->sorted[i - 1].value;
    return aliased;
}

/* Whether an exact value is what the profile's value stands for: the 64-bit value with the likeliest high half, or any
 * value with the low half if the high halves are unknown. */
static bool value_score_is_meant(const struct value_count *c, uint64_t exact)
{
    const struct value_tally *high = value_set_best(&c->highs);
    return (uint32_t)exact == c->value && (high == NULL || exact >> 32 == high->value);
}

/* Exact occurrences of what a value of the profile stands for. The values are sorted. */
static uint64_t exact_count(const struct value_score_scoring *s, uint32_t n, const struct value_count *c)
{
    uint32_t first = 0, end = n;
    uint64_t sum = 0;
    SEARCH(first, end, middle, (uint32_t)s->sorted[middle].value < c->value);
    for (; first < n && (uint32_t)s->sorted[first].value == c->value; first++)
        if (value_score_is_meant(c, s->sorted[first].value))
            sum += s->sorted[first].count;
    return sum;
}

/* The place of a low half, or the free one for it. */
static uint32_t value_score_place_of(const struct value_score_scoring *s, const struct value_load *l, uint32_t low)
{
    uint32_t at = (low * UINT32_C(0x9e3779b1) >> 8) & (s->places - 1);
    while (s->place[at] != 0 && l->values[s->place[at] - 1].value != low)
        at = (at + 1) & (s->places - 1);
    return at;
}

/* Enters the values of the profile's load into the hash table, a quarter of which they fill at most. */
static void enter_values(struct value_score_scoring *s, const struct value_load *l)
{
    enum { FIRST_PLACES = 64, SHARE = 4 };
    uint32_t places = s->places != 0 ? s->places : FIRST_PLACES;
    while (places < SHARE * l->value_count)
        places *= 2;
    if (places != s->places)
        s->place = xrealloc(s->place, places * sizeof *s->place);
    s->places = places;
    memset(s->place, 0, places * sizeof *s->place);
    for (uint32_t v = 0; v < l->value_count; v++)
        s->place[value_score_place_of(s, l, l->values[v].value)] = v + 1;
}

/* The exact occurrences of all values of the profile's load, by one pass over the exact values, all of which have the
 * same high half. There may be millions, for each of which value_load_find would look at the load's values one by one.
 */
static void value_score_find_exact(struct value_score_scoring *s, struct value_load *l, const struct truth_load *t)
{
    enter_values(s, l);
    for (uint32_t i = 0; i < t->value_count; i++) {
        const struct truth_value *exact = &t->values[i];
        const uint32_t at = s->place[value_score_place_of(s, l, (uint32_t)exact->value)];
        if (at == 0)
            continue;
        if (value_score_is_meant(&l->values[at - 1], exact->value))
            l->values[at - 1].exact = exact->count;
    }
}

static void annotate_load(struct value_score_scoring *s, struct value_load *l, const struct truth_load *t)
{
    l->known = true;
    l->executions = t->count;
    for (unsigned v = 0; v < l->value_count; v++)
        l->values[v].exact = s->high_differs ? exact_count(s, t->value_count, &l->values[v]) : 0;
    if (!s->high_differs)
        value_score_find_exact(s, l, t);
}

bool value_exact_is_glacial(const struct truth_load *t)
{
    return t->value_count > 1 &&
           (double)t->values[0].count < value_confidence_default.invariant_share * (double)t->count &&
           t->count >= GLACIAL_STRETCH * t->stretches;
}

static void score_pair(struct value_score_scoring *s, const struct value_load *l, const struct truth_load *t,
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

/* Scores against an exact low half, with its occurrences. */
static void score_low(struct value_score_scoring *s, const struct value_load *l, const struct truth_load *t,
                      const struct truth_value *sum)
{
    if (!value_counts(t, sum))
        return;
    const struct value_count *c = l != NULL ? value_load_find(l, (uint32_t)sum->value) : NULL;
    double estimated = c != NULL ? value_estimate(l, (unsigned)(c - l->values)) : 0;
    double error = estimated - (double)sum->count / (double)t->count;
    s->weight_low += (double)sum->count;
    s->squares_low += (double)sum->count * error * error;
}

/* Scores against exact low halves: values that differ only in their high halves count as one value. */
static void score_lows(struct value_score_scoring *s, const struct value_load *l, const struct truth_load *t)
{
    if (!s->high_differs) {
        for (uint32_t i = 0; i < t->value_count && t->values[i].count >= SCORE_MIN_COUNT; i++)
            score_low(s, l, t, &t->values[i]);
        return;
    }
    for (uint32_t i = 0, next; i < t->value_count; i = next) {
        uint32_t low = (uint32_t)s->sorted[i].value;
        struct truth_value sum = {.value = low};
        for (next = i; next < t->value_count && (uint32_t)s->sorted[next].value == low; next++)
            sum.count += s->sorted[next].count;
        score_low(s, l, t, &sum);
    }
}

/* Scores the values that are above both bounds by their estimates, but not exactly. */
static void score_claims(struct value_score_scoring *s, const struct value_load *l)
{
    double executions = (double)l->executions;
    for (unsigned v = 0; v < l->value_count; v++) {
        double estimate = value_estimate_best(l, v), claimed = estimate * executions,
               exact = (double)l->values[v].exact, error = estimate - exact / executions;
        if (estimate < SCORE_MIN_SHARE || claimed < SCORE_MIN_COUNT)
            continue;
        s->score->phantoms += exact < claimed / 2;
        if (exact >= SCORE_MIN_SHARE * executions && exact >= SCORE_MIN_COUNT)
            continue;
        s->weight_claimed += claimed;
        s->squares_claimed += claimed * error * error;
    }
}

static void value_score_load(void *arg, const struct truth_load *t)
{
    struct value_score_scoring *s = arg;
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
        score_claims(s, l);
    }
    for (uint32_t i = 0; i < t->value_count && t->values[i].count >= SCORE_MIN_COUNT; i++)
        if (value_counts(t, &t->values[i]))
            score_pair(s, l, t, &t->values[i]);
    score_lows(s, l, t);
}

static double mean_error(double squares, double weight) { return weight > 0 ? sqrt(squares / weight) : (double)NAN; }

void value_score_init(struct value_score *score, struct value_profile *p, const struct truth *truth)
{
    *score = (struct value_score){0};
    struct value_score_scoring s = {.score = score, .profile = p};
    truth->loads(truth->ctx, value_score_load, &s);
    score->rms = mean_error(s.squares, s.weight);
    score->rms_measured = mean_error(s.squares_measured, s.weight);
    score->rms_low = mean_error(s.squares_low, s.weight_low);
    score->rms_claimed = mean_error(s.squares + s.squares_claimed, s.weight + s.weight_claimed);
    free(s.sorted);
    free(s.place);
}

void value_score_fini(struct value_score *s) { free(s->pairs); }
