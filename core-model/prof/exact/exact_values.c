/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table with open addressing of <pc, value> pairs with counts, sorted when it is read, and a small table of
 * instructions with their latest value. The first table can exceed the host's caches, so counting of a pair is delayed
 * by some pairs, until its entry has been prefetched. */
#include "core-model/prof/exact/exact_values.h"

#include "core-model/prof/exact/exact.h"

#include <stddef.h>
#include <stdlib.h>

enum { PENDING = 16 };

struct pair {
    uint64_t pc, value, count; /* count 0: free entry */
};

/* A pending pair and its hash. */
struct pending {
    uint64_t pc, value, hash;
};

/* A static instruction, its latest value, and its number of runs of equal values; 0: free entry. */
struct stretch {
    uint64_t pc, value, count;
};

struct exact_values {
    struct observer base;
    struct event_filter filter; /* passes the observed classes */
    struct stretch *stretches;  /* open-addressed, by pc */
    size_t stretch_capacity, stretch_used;
    struct pair *table;
    size_t capacity, used;           /* capacity is a power of two */
    struct pending pending[PENDING]; /* ring */
    uint64_t next, counted;          /* number of the next pair; number of the first pending pair */
};

static uint64_t hash_of(uint64_t pc, uint64_t value)
{
    uint64_t h = (pc * UINT64_C(0x9e3779b97f4a7c15)) ^ (value * UINT64_C(0xc2b2ae3d27d4eb4f));
    h ^= h >> 29;
    return h * UINT64_C(0x9e3779b97f4a7c15) >> 20;
}

static inline struct pair *place_of(const struct exact_values *x, const struct pending *one)
{
    size_t at = one->hash & (x->capacity - 1);
    while (x->table[at].count != 0 && (x->table[at].pc != one->pc || x->table[at].value != one->value))
        at = (at + 1) & (x->capacity - 1);
    return &x->table[at];
}

static void grow(struct exact_values *x)
{
    struct pair *old = x->table;
    size_t n = x->capacity;
    x->capacity *= 2;
    x->table = xcalloc(x->capacity, sizeof *x->table);
    for (size_t i = 0; i < n; i++) {
        struct pending one = {old[i].pc, old[i].value, hash_of(old[i].pc, old[i].value)};
        if (old[i].count != 0)
            *place_of(x, &one) = old[i];
    }
    free(old);
}

static inline struct stretch *stretch_of(const struct exact_values *x, uint64_t pc)
{
    size_t at = pc * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (x->stretch_capacity - 1);
    while (x->stretches[at].count != 0 && x->stretches[at].pc != pc)
        at = (at + 1) & (x->stretch_capacity - 1);
    return &x->stretches[at];
}

static void grow_stretches(struct exact_values *x)
{
    struct stretch *old = x->stretches;
    size_t n = x->stretch_capacity;
    x->stretch_capacity *= 2;
    x->stretches = xcalloc(x->stretch_capacity, sizeof *x->stretches);
    for (size_t i = 0; i < n; i++)
        if (old[i].count != 0)
            *stretch_of(x, old[i].pc) = old[i];
    free(old);
}

static inline void follow(struct exact_values *x, uint64_t pc, uint64_t value)
{
    struct stretch *s = stretch_of(x, pc);
    if (s->count != 0 && s->value == value)
        return;
    s->pc = pc;
    s->value = value;
    if (s->count++ == 0 && 2 * ++x->stretch_used > x->stretch_capacity)
        grow_stretches(x);
}

static void release(struct observer *o)
{
    struct exact_values *x = (struct exact_values *)o;
    free(x->table);
    free(x->stretches);
    free(x);
}

/* Counts the first pending pair. */
static inline void count(struct exact_values *x)
{
    const struct pending *one = &x->pending[x->counted++ % PENDING];
    struct pair *p = place_of(x, one);
    if (p->count++ != 0)
        return;
    p->pc = one->pc;
    p->value = one->value;
    if (2 * ++x->used > x->capacity)
        grow(x);
}

void exact_values_add(struct exact_values *x, enum opclass c, uint64_t pc, uint64_t value)
{
    if ((x->filter.classes >> c & 1) == 0)
        return;
    if (x->next - x->counted == PENDING)
        count(x);
    follow(x, pc, value);
    uint64_t hash = hash_of(pc, value);
    x->pending[x->next++ % PENDING] = (struct pending){pc, value, hash};
    __builtin_prefetch(&x->table[hash & (x->capacity - 1)], 1);
}

static void retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    (void)cycle;
    exact_values_add(ctx, (enum opclass)in->insn->opclass, in->pc, in->outcome->value);
}

const struct observer_kind observer_exact_values = {
    .name = "exact-values",
    .help = "the exact value profile: each instruction's results, with counts",
    .release = release,
};

/* Subscribes to the results of retired instructions of these classes. */
struct exact_values *exact_values_new(uint32_t classes)
{
    struct exact_values *x = xcalloc(1, sizeof *x);
    x->base.kind = &observer_exact_values;
    x->base.probe.ctx = x;
    x->base.probe.values = true;
    x->base.probe.stage[PROBE_RETIRED] = retired;
    x->base.probe.filter[PROBE_RETIRED] = &x->filter;
    x->filter = (struct event_filter){.classes = classes, .from = UINT64_MAX};
    x->capacity = 1 << 12;
    x->table = xcalloc(x->capacity, sizeof *x->table);
    x->stretch_capacity = 1 << 10;
    x->stretches = xcalloc(x->stretch_capacity, sizeof *x->stretches);
    return x;
}

struct observer *exact_values_observer(struct exact_values *x) { return &x->base; }

/* One stable pass of a radix sort by one byte of a field. Returns false, without moving pairs, if all have the same
 * byte. */
static bool sort_by_byte(const struct pair *from, struct pair *to, size_t n, size_t field, unsigned shift,
                         uint64_t flip)
{
    size_t at[256] = {0}, sum = 0;
#define BYTE(p) (((*(const uint64_t *)(const void *)((const char *)(p) + field) ^ flip) >> shift) & 0xff)
    for (size_t i = 0; i < n; i++)
        at[BYTE(&from[i])]++;
    if (at[BYTE(from)] == n)
        return false;
    for (unsigned b = 0; b < 256; b++) {
        size_t here = at[b];
        at[b] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        to[at[BYTE(&from[i])]++] = from[i];
#undef BYTE
    return true;
}

/* Sorts by pc, then by descending count, then by value. Returns the array that holds the result. */
static struct pair *sort_pairs(struct pair *pairs, struct pair *spare, size_t n)
{
    static const struct {
        size_t field;
        uint64_t flip;
    } keys[] = {
        {offsetof(struct pair, value), 0}, {offsetof(struct pair, count), UINT64_MAX}, {offsetof(struct pair, pc), 0}};
    for (unsigned k = 0; n > 0 && k < sizeof keys / sizeof keys[0]; k++)
        for (unsigned shift = 0; shift < 64; shift += 8)
            if (sort_by_byte(pairs, spare, n, keys[k].field, shift, keys[k].flip)) {
                struct pair *sorted = spare;
                spare = pairs;
                pairs = sorted;
            }
    return pairs;
}

static void each_load(void *ctx, void (*each)(void *arg, const struct truth_load *load), void *arg)
{
    struct exact_values *x = ctx;
    while (x->counted != x->next)
        count(x);
    struct pair *pairs = xmalloc(2 * x->used * sizeof *pairs);
    struct truth_value *values = xmalloc(x->used * sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < x->capacity; i++)
        if (x->table[i].count != 0)
            pairs[n++] = x->table[i];
    const struct pair *sorted = sort_pairs(pairs, pairs + n, n);
    for (size_t i = 0, next; i < n; i = next) {
        struct truth_load load = {
            .pc = sorted[i].pc, .values = values, .stretches = stretch_of(x, sorted[i].pc)->count};
        for (next = i; next < n && sorted[next].pc == load.pc; next++) {
            values[load.value_count++] = (struct truth_value){sorted[next].value, sorted[next].count};
            load.count += sorted[next].count;
        }
        each(arg, &load);
    }
    free(values);
    free(pairs);
}

struct truth exact_values_truth(struct exact_values *x) { return (struct truth){.ctx = x, .loads = each_load}; }

/* The reference `values`: rows of <pc, value>. */
struct copy {
    struct exact_row *row;
    size_t rows;
};

static void copy_load(void *arg, const struct truth_load *load)
{
    struct copy *c = arg;
    for (uint32_t i = 0; i < load->value_count; i++)
        c->row[c->rows++] = (struct exact_row){.key = {load->pc, load->values[i].value},
                                               .count = {load->values[i].count}};
}

static size_t copy_rows(void *observer, struct exact_row **rows)
{
    struct exact_values *x = observer;
    struct truth truth = exact_values_truth(x);
    struct copy c = {.row = xcalloc(x->used + PENDING, sizeof *c.row)};
    truth.loads(truth.ctx, copy_load, &c);
    *rows = c.row;
    return c.rows;
}

static struct observer *create(const struct exact_setup *setup)
{
    return exact_values_observer(exact_values_new(setup->classes));
}

const struct exact_ops exact_values_ops = {.create = create, .rows = copy_rows};
