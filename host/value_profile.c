/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accumulating slots per load and value, judging when a load is known, and estimating invariances (A.6). Entry points: value_profile.h. */
#include "host/value_profile.h"

#include <stdlib.h>

#include "isa/support/status.h"

const struct value_confidence value_confidence_default = {
    .invariant_share = 0.95, .variant_share = 0.10, .confident_samples = 64, .visit_samples = 16, .visits_max = 4};

/* A glacial value: a quarter of what a slot can count, and fewer misses than one in 64. */
enum { GLACIAL_HITS = 64, GLACIAL_MISS_RATIO = 64 };

void value_profile_init(struct value_profile *p) { *p = (struct value_profile){0}; }

void value_profile_fini(struct value_profile *p)
{
    struct value_load *l, *next;
    HASH_ITER(hh, p->loads, l, next)
    {
        HASH_DEL(p->loads, l);
        free(l->values);
        free(l);
    }
}

struct value_load *value_profile_find(const struct value_profile *p, uint32_t pc32)
{
    struct value_load *l;
    HASH_FIND(hh, p->loads, &pc32, sizeof pc32, l);
    return l;
}

unsigned value_profile_count(const struct value_profile *p) { return HASH_COUNT(p->loads); }

static struct value_load *find_or_add_load(struct value_profile *p, uint32_t pc32)
{
    struct value_load *l = value_profile_find(p, pc32);
    if (l == NULL) {
        l = xcalloc(1, sizeof *l);
        l->pc32 = pc32;
        HASH_ADD(hh, p->loads, pc32, sizeof l->pc32, l);
    }
    return l;
}

static struct value_count *find_or_add_value(struct value_load *l, uint32_t value)
{
    for (unsigned v = 0; v < l->value_count; v++)
        if (l->values[v].value == value)
            return &l->values[v];
    if (l->value_count == l->value_room) {
        l->value_room = l->value_room ? 2 * l->value_room : 2;
        l->values = xrealloc(l->values, l->value_room * sizeof *l->values);
    }
    l->values[l->value_count] = (struct value_count){.value = value};
    return &l->values[l->value_count++];
}

void value_profile_add(struct value_profile *p, uint32_t pc32, uint32_t value, uint64_t hits, uint64_t misses, uint64_t total)
{
    struct value_load *l = find_or_add_load(p, pc32);
    struct value_count *c = find_or_add_value(l, value);
    c->hits += hits;
    c->misses += misses;
    l->total += total;
    l->visit_total += total;
    if (!l->seen) {
        l->seen = true;
        l->next_seen = p->seen;
        p->seen = l;
    }
}

void value_profile_end_visit(struct value_profile *p)
{
    for (struct value_load *l = p->seen; l != NULL; l = l->next_seen) {
        l->seen = false;
        l->visit_total = 0;
    }
    p->seen = NULL;
}

uint64_t value_load_best_hits(const struct value_load *l)
{
    uint64_t best = 0;
    for (unsigned v = 0; v < l->value_count; v++)
        best = l->values[v].hits > best ? l->values[v].hits : best;
    return best;
}

bool value_load_judge(struct value_load *l, const struct value_confidence *c)
{
    if (l->visit_total >= c->visit_samples)
        l->visits++;
    if (l->visits >= c->visits_max)
        return true;
    if (l->total < c->confident_samples)
        return false;
    double held = (double)value_load_best_hits(l) / (double)l->total;
    return held >= c->invariant_share || held < c->variant_share;
}

bool value_load_is_glacial(const struct value_load *l)
{
    unsigned steady = 0;
    for (unsigned v = 0; v < l->value_count; v++)
        if (l->values[v].hits >= GLACIAL_HITS && l->values[v].misses * GLACIAL_MISS_RATIO <= l->values[v].hits)
            steady++;
    return steady >= 2;
}

/* Of all misses, those that belong to value v: a miss of another value u was one of the values other than u, in proportion to their hits.
 * Where v is the only one with hits beside u it gets all; where v has none it gets none. */
static double misses_of_others(const struct value_load *l, unsigned v, double all_hits)
{
    double mine = (double)l->values[v].hits, sum = 0;
    for (unsigned u = 0; mine > 0 && u < l->value_count; u++)
        if (u != v)
            sum += (double)l->values[u].misses * mine / (all_hits - (double)l->values[u].hits);
    return sum;
}

double value_estimate(const struct value_load *l, unsigned v)
{
    double hits = 0, counted = 0, total = (double)l->total;
    for (unsigned u = 0; u < l->value_count; u++) {
        hits += (double)l->values[u].hits;
        counted += (double)(l->values[u].hits + l->values[u].misses);
    }
    /* A program that starts a new slot's counters at 1 / 0 / 0 counts one sample more than its total says. */
    if (total < counted)
        total = counted;
    if (total == 0)
        return 0;
    double unaccounted = total - counted, equal = unaccounted / l->value_count, limit = 0.20 * unaccounted;
    double samples = (double)l->values[v].hits + misses_of_others(l, v, hits) + (equal < limit ? equal : limit);
    return samples / total;
}

double value_measured(const struct value_load *l, unsigned v)
{
    const struct value_count *c = &l->values[v];
    return c->hits + c->misses == 0 ? 0 : (double)c->hits / (double)(c->hits + c->misses);
}
