/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of slots per value, and the estimation of A.6. */
#include "host/driver/value/value_set.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"

void value_set_fini(struct value_set *s) { free(s->list); }

void value_set_clear(struct value_set *s)
{
    s->count = 0;
    s->total = s->forgotten_hits = s->forgotten_misses = 0;
}

int value_set_find(const struct value_set *s, uint32_t value)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->list[i].value == value)
            return (int)i;
    return -1;
}

void value_set_add(struct value_set *s, uint32_t value, double hits, double misses, double total)
{
    int at = value_set_find(s, value);
    if (at < 0) {
        if (s->count == s->room) {
            s->room = s->room ? 2 * s->room : 2;
            s->list = xrealloc(s->list, s->room * sizeof *s->list);
        }
        at = (int)s->count++;
        s->list[at] = (struct value_tally){.value = value};
    }
    s->list[at].hits += hits;
    s->list[at].misses += misses;
    if (total > hits + misses)
        s->list[at].rest += total - hits - misses;
    s->total += total;
}

void value_set_remove(struct value_set *s, unsigned i) { s->list[i] = s->list[--s->count]; }

void value_set_forget(struct value_set *s, unsigned i)
{
    s->forgotten_hits += s->list[i].hits;
    s->forgotten_misses += s->list[i].misses;
    value_set_remove(s, i);
}

const struct value_tally *value_set_best(const struct value_set *s)
{
    const struct value_tally *best = NULL;
    for (unsigned i = 0; i < s->count; i++)
        if (best == NULL || s->list[i].hits > best->hits)
            best = &s->list[i];
    return best;
}

/* The misses of other values that are occurrences of value v. A miss of value u was a value other than u, distributed
 * in proportion to their hits. If v is the only other value with hits, it gets all misses of u; without hits it gets
 * none. */
static double misses_of_others(const struct value_set *s, unsigned v, double all_hits)
{
    double mine = s->list[v].hits, sum = 0;
    for (unsigned u = 0; mine > 0 && u < s->count; u++)
        if (u != v)
            sum += s->list[u].misses * mine / (all_hits - s->list[u].hits);
    return sum;
}

/* One step: the share of each value under the expected counts by the present shares. Returns the largest change of a
 * share. */
static double maximise(struct value_set *s, double total)
{
    double misses = s->forgotten_misses; /* of each value, per share of those that a miss can be */
    double change = 0;
    for (unsigned v = 0; v < s->count; v++)
        if (s->list[v].likely < 1)
            misses += s->list[v].misses / (1 - s->list[v].likely);
    for (unsigned v = 0; v < s->count; v++) {
        struct value_tally *t = &s->list[v];
        double own = t->likely < 1 ? t->misses / (1 - t->likely) : 0, before = t->likely;
        t->likely = (t->hits + before * (misses - own) + value_replaced_share(before) * t->rest) / total;
        change = fmax(change, fabs(t->likely - before));
    }
    return change;
}

/* The steps become smaller by a constant factor that can be close to one: most of the way is in many small ones. */
void value_set_solve(struct value_set *s)
{
    static const struct {
        unsigned steps;
        double change;
    } end = {.steps = 200, .change = 1e-6};
    double counted = s->forgotten_hits + s->forgotten_misses, hits = 0;
    for (unsigned v = 0; v < s->count; v++) {
        hits += s->list[v].hits;
        counted += s->list[v].hits + s->list[v].misses;
    }
    s->solved = true;
    double total = s->total > counted ? s->total : counted;
    if (hits == 0)
        return;
    for (unsigned v = 0; v < s->count; v++)
        s->list[v].likely = s->list[v].hits / hits * (total + hits) / 2 / total;
    for (unsigned n = 0; n < end.steps; n++)
        if (maximise(s, total) < end.change)
            break;
}

double value_set_estimate(const struct value_set *s, unsigned v)
{
    if (s->solved)
        return s->list[v].likely;
    double hits = 0, counted = 0, total = s->total;
    for (unsigned u = 0; u < s->count; u++) {
        hits += s->list[u].hits;
        counted += s->list[u].hits + s->list[u].misses;
    }
    /* A program that initialises a slot's counters to 1 / 0 / 0 counts one sample more than its total. */
    if (total < counted)
        total = counted;
    if (total == 0)
        return 0;
    double unaccounted = total - counted, equal = unaccounted / s->count, limit = REPLACED_SHARE * unaccounted;
    double samples = s->list[v].hits + misses_of_others(s, v, hits) + (equal < limit ? equal : limit);
    return samples / total;
}
