/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accumulation of slots per load, value and round, classification of known loads, and estimation of invariances. */
#include "host/driver/value/value_profile.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"

const struct value_confidence value_confidence_default = {.invariant_share = 0.95,
                                                          .variant_share = 0.10,
                                                          .same_share = 0.10,
                                                          .confident_samples = 64,
                                                          .visit_samples = 16,
                                                          .same_samples = 16,
                                                          .visits_max = 4};

/* A glacial value: at least a quarter of a slot's maximum count in hits, and fewer than one miss per 64 hits. */
enum { GLACIAL_HITS = 64, GLACIAL_MISS_RATIO = 64 };

void value_profile_init(struct value_profile *p) { *p = (struct value_profile){0}; }

void value_profile_fini(struct value_profile *p)
{
    struct value_load *l, *next;
    HASH_ITER (hh, p->loads, l, next) {
        HASH_DEL(p->loads, l);
        for (unsigned v = 0; v < l->value_count; v++)
            value_set_fini(&l->values[v].highs);
        value_set_fini(&l->round);
        value_set_fini(&l->past);
        value_visits_fini(&l->visited);
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
        l->plain = p->plain;
        HASH_ADD(hh, p->loads, pc32, sizeof l->pc32, l);
    }
    return l;
}

struct value_count *value_load_find(const struct value_load *l, uint32_t value)
{
    for (unsigned v = 0; v < l->value_count; v++)
        if (l->values[v].value == value)
            return &l->values[v];
    return NULL;
}

static struct value_count *find_or_add_value(struct value_load *l, uint32_t value)
{
    struct value_count *c = value_load_find(l, value);
    if (c != NULL)
        return c;
    if (l->value_count == l->value_room) {
        l->value_room = l->value_room ? 2 * l->value_room : 2;
        l->values = xrealloc(l->values, l->value_room * sizeof *l->values);
    }
    l->values[l->value_count] = (struct value_count){.value = value};
    return &l->values[l->value_count++];
}

void value_profile_end_visit(struct value_profile *p, uint64_t cycles)
{
    for (struct value_load *l = p->seen; l != NULL; l = l->next_seen) {
        l->seen = false;
        l->visit_total = 0;
        l->round_cycles += cycles;
        l->looked = p->visit_start + cycles;
    }
    p->seen = NULL;
}

/* Removes the value of the set with the fewest hits from the load; returns its position in the set. */
static unsigned remove_least(struct value_load *l, const struct value_set *s)
{
    unsigned least = 0;
    for (unsigned i = 1; i < s->count; i++)
        if (s->list[i].hits < s->list[least].hits)
            least = i;
    struct value_count *c = value_load_find(l, s->list[least].value);
    if (c == NULL)
        BUG("a value of the set is none of the load's values");
    value_set_fini(&c->highs);
    *c = l->values[--l->value_count];
    return least;
}

static void close_load(struct value_load *l, uint64_t cycle)
{
    double scale = l->round_cycles != 0 ? (double)(cycle - l->round_start) / (double)l->round_cycles : 1;
    for (unsigned i = 0; i < l->round.count; i++) {
        const struct value_tally *t = &l->round.list[i];
        value_set_add(&l->past, t->value, scale * t->hits, scale * t->misses, 0);
    }
    l->past.total += scale * l->round.total;
    while (l->past.count > VALUE_KEPT)
        value_set_remove(&l->past, remove_least(l, &l->past));
    value_set_clear(&l->round);
    l->round_cycles = 0;
    l->round_visits = 0;
}

/* A check has sampled a masked load. The time since its last samples is divided equally between the two rounds,
 * because nothing is known of it. */
static void begin_again(struct value_load *l, uint64_t cycle)
{
    uint64_t middle = l->looked + (cycle - l->looked) / 2;
    close_load(l, middle);
    l->round_start = middle;
    l->checks++;
}

/* Whether a slot shows one value in sufficiently many samples. */
static bool is_steady_slot(uint64_t hits, uint64_t total)
{
    const struct value_confidence *c = &value_confidence_default;
    return total >= c->visit_samples && (double)hits >= c->invariant_share * (double)total;
}

/* Weight of a sample of a slot with n samples. */
static double sample_weight(const struct value_profile *p, uint64_t n)
{
    enum { LIKE_SLOT = 256 }; /* with all_fit, samples count like those of such a slot without it */
    if (!p->damped || n == 0)
        return 1;
    return 1 / sqrt(p->all_fit ? (double)LIKE_SLOT : (double)n);
}

struct value_load *value_profile_add(struct value_profile *p, uint32_t pc32, uint32_t value, uint64_t hits,
                                     uint64_t misses, uint64_t total)
{
    struct value_load *l = find_or_add_load(p, pc32);
    struct value_count *c = find_or_add_value(l, value);
    c->hits += hits;
    c->misses += misses;
    c->steady |= hits >= GLACIAL_HITS && misses * GLACIAL_MISS_RATIO <= hits;
    l->total += total;
    if (p->checking && l->masked && !l->seen && is_steady_slot(hits, total))
        begin_again(l, p->visit_start);
    else if (l->round.count == 0)
        l->round_start = p->round_start;
    double w = sample_weight(p, total);
    if (!l->seen && !p->plain)
        value_visits_begin(&l->visited);
    if (!p->plain)
        value_visits_add(&l->visited, value, w * (double)hits, w * (double)misses,
                         total > hits + misses ? w * (double)(total - hits - misses) : 0);
    value_set_add(&l->round, value, w * (double)hits, w * (double)misses, w * (double)total);
    if (p->damped && l->round.count > VALUE_KEPT) /* there is one round, which never ends */
        value_set_forget(&l->round, remove_least(l, &l->round));
    l->visit_total += total;
    if (!l->seen) {
        l->seen = true;
        l->next_seen = p->seen;
        p->seen = l;
    }
    return l;
}

void value_profile_next_round(struct value_profile *p, uint64_t cycle)
{
    for (struct value_load *l = p->loads; l != NULL; l = l->hh.next)
        if (l->masked) {
            close_load(l, cycle);
            l->masked = false;
        }
    p->masked = 0;
    p->round_start = cycle;
}

void value_profile_close(struct value_profile *p, uint64_t cycle)
{
    for (struct value_load *l = p->loads; l != NULL; l = l->hh.next)
        if (l->round.count != 0)
            close_load(l, cycle);
}

/* Whether the classification is certain: one value has nearly all samples, or no value has a relevant share. */
static bool is_confident(const struct value_set *s, const struct value_confidence *c)
{
    if (s->total < c->confident_samples)
        return false;
    double held = value_set_best(s)->hits / s->total;
    return held >= c->invariant_share || held < c->variant_share;
}

/* Whether the load behaves as in the earlier rounds. */
static bool is_as_before(const struct value_load *l, const struct value_confidence *c)
{
    if (l->past.total == 0 || l->round.total < c->same_samples)
        return false;
    const struct value_tally *best = value_set_best(&l->round);
    int before = value_set_find(&l->past, best->value);
    if (before < 0)
        return false;
    double share = value_set_estimate(&l->round, (unsigned)(best - l->round.list));
    return fabs(value_set_estimate(&l->past, (unsigned)before) - share) <= c->same_share;
}

bool value_load_judge(struct value_load *l, const struct value_confidence *c)
{
    if (l->visit_total >= c->visit_samples) {
        l->visits++;
        l->round_visits++;
    }
    return l->round_visits >= c->visits_max || is_confident(&l->round, c) || is_as_before(l, c);
}

bool value_high_judge(struct value_count *v, const struct value_confidence *c)
{
    v->high_visits++;
    return v->high_visits >= c->visits_max || is_confident(&v->highs, c);
}

bool value_load_is_steady(const struct value_load *l, const struct value_confidence *c)
{
    const struct value_tally *best = value_set_best(&l->round);
    return best != NULL && best->hits >= c->invariant_share * l->round.total;
}

bool value_load_is_glacial(const struct value_load *l)
{
    unsigned steady = 0;
    if (l->plain)
        return false; /* not decidable from single samples */
    for (unsigned v = 0; v < l->value_count; v++)
        steady += l->values[v].steady;
    return steady >= 2;
}

double value_estimate(const struct value_load *l, unsigned v)
{
    const struct value_set *s = l->past.total != 0 ? &l->past : &l->round;
    int i = value_set_find(s, l->values[v].value);
    return i >= 0 ? value_set_estimate(s, (unsigned)i) : 0;
}

double value_estimate_whole(const struct value_load *l, unsigned v, uint64_t whole)
{
    const struct value_set *highs = &l->values[v].highs;
    if (highs->count == 0)
        return value_estimate(l, v);
    int i = value_set_find(highs, (uint32_t)(whole >> 32));
    return i >= 0 ? value_estimate(l, v) * value_set_estimate(highs, (unsigned)i) : 0;
}

uint64_t value_whole(const struct value_count *c)
{
    const struct value_tally *high = value_set_best(&c->highs);
    return (high != NULL ? (uint64_t)high->value << 32 : 0) | c->value;
}

double value_estimate_best(const struct value_load *l, unsigned v)
{
    return value_estimate_whole(l, v, value_whole(&l->values[v]));
}

double value_measured(const struct value_load *l, unsigned v)
{
    const struct value_count *c = &l->values[v];
    if (l->plain)
        return value_estimate(l, v);
    return c->hits + c->misses == 0 ? 0 : (double)c->hits / (double)(c->hits + c->misses);
}
