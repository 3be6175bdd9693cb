/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scoring a value profile. Values are compared by their low 32 bits, which is what the co-processor keeps; true values that share
 * them are one value here, and the loads that have such are counted. Entry points: value_score.h. */
#include "host/value_score.h"

#include <math.h>
#include <stdlib.h>

#include "isa/sample.h"
#include "isa/support/status.h"

struct low_value {
    uint32_t value;
    uint64_t count;
};

struct scoring {
    struct value_score *score;
    struct value_profile *profile;
    struct low_value *low; /* the present load's values, merged and sorted */
    uint32_t room;
    double weight, squares, squares_measured;
};

static int compare_low(const void *a, const void *b)
{
    const struct low_value *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Merges the values of a load by their low 32 bits into s->low; returns how many there are. */
static uint32_t merge_low(struct scoring *s, const struct truth_load *t)
{
    if (t->value_count > s->room) {
        s->room = t->value_count;
        s->low = xrealloc(s->low, s->room * sizeof *s->low);
    }
    for (uint32_t i = 0; i < t->value_count; i++)
        s->low[i] = (struct low_value){.value = (uint32_t)t->values[i].value, .count = t->values[i].count};
    if (t->value_count == 0)
        return 0;
    qsort(s->low, t->value_count, sizeof *s->low, compare_low);
    uint32_t last = 0;
    for (uint32_t i = 1; i < t->value_count; i++) {
        if (s->low[i].value == s->low[last].value)
            s->low[last].count += s->low[i].count;
        else
            s->low[++last] = s->low[i];
    }
    return last + 1;
}

static void annotate_load(const struct scoring *s, struct value_load *l, const struct truth_load *t, uint32_t n)
{
    l->known = true;
    l->executions = t->count;
    for (unsigned v = 0; n != 0 && v < l->value_count; v++) {
        const struct low_value key = {.value = l->values[v].value};
        const struct low_value *low = bsearch(&key, s->low, n, sizeof *s->low, compare_low);
        l->values[v].exact = low != NULL ? low->count : 0;
    }
}

static void score_pair(struct scoring *s, const struct value_load *l, const struct truth_load *t, const struct low_value *low)
{
    struct value_score *score = s->score;
    struct value_pair pair = {.pc = t->pc, .value = low->value, .count = low->count, .exact = (double)low->count / (double)t->count};
    for (unsigned v = 0; l != NULL && !pair.found && v < l->value_count; v++)
        if (l->values[v].value == low->value) {
            pair.found = true;
            pair.estimated = value_estimate(l, v);
            pair.measured = value_measured(l, v);
        }
    if (score->count == score->room) {
        score->room = score->room ? 2 * score->room : 64;
        score->pairs = xrealloc(score->pairs, score->room * sizeof *score->pairs);
    }
    score->pairs[score->count++] = pair;
    score->found += pair.found;
    double error = pair.estimated - pair.exact, error_measured = pair.measured - pair.exact, weight = (double)pair.count;
    s->weight += weight;
    s->squares += weight * error * error;
    s->squares_measured += weight * error_measured * error_measured;
}

static unsigned count_phantoms(const struct value_load *l)
{
    unsigned n = 0;
    for (unsigned v = 0; v < l->value_count; v++) {
        double estimate = value_estimate(l, v), claimed = estimate * (double)l->executions;
        n += estimate >= SCORE_MIN_SHARE && claimed >= SCORE_MIN_COUNT && (double)l->values[v].exact < claimed / 2;
    }
    return n;
}

static void score_load(void *arg, const struct truth_load *t)
{
    struct scoring *s = arg;
    struct value_load *l = value_profile_find(s->profile, sample_pc32(t->pc));
    uint32_t n = merge_low(s, t);
    s->score->loads++;
    s->score->executions += t->count;
    s->score->aliased += n < t->value_count;
    if (l != NULL) {
        s->score->executions_profiled += t->count;
        annotate_load(s, l, t, n);
        s->score->phantoms += count_phantoms(l);
    }
    for (uint32_t i = 0; i < n; i++)
        if (s->low[i].count >= SCORE_MIN_COUNT && (double)s->low[i].count >= SCORE_MIN_SHARE * (double)t->count)
            score_pair(s, l, t, &s->low[i]);
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
    free(s.low);
}

void value_score_fini(struct value_score *s) { free(s->pairs); }
