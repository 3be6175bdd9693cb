/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One open-addressed table of <pc, value> pairs with their counts; sorted when somebody asks. */
#include "core-model/prof/exact_values.h"

#include <stdlib.h>

struct pair {
    uint64_t pc, value, count; /* count 0: a free place */
};

struct exact_values {
    uint32_t classes;
    struct pair *table;
    size_t capacity, used; /* capacity is a power of two */
};

static size_t place_of(const struct exact_values *x, uint64_t pc, uint64_t value)
{
    uint64_t h = (pc * UINT64_C(0x9e3779b97f4a7c15)) ^ (value * UINT64_C(0xc2b2ae3d27d4eb4f));
    h ^= h >> 29;
    size_t at = (size_t)(h * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (x->capacity - 1);
    while (x->table[at].count != 0 && (x->table[at].pc != pc || x->table[at].value != value))
        at = (at + 1) & (x->capacity - 1);
    return at;
}

static void grow(struct exact_values *x)
{
    struct pair *old = x->table;
    size_t n = x->capacity;
    x->capacity *= 2;
    x->table = xcalloc(x->capacity, sizeof *x->table);
    for (size_t i = 0; i < n; i++)
        if (old[i].count != 0)
            x->table[place_of(x, old[i].pc, old[i].value)] = old[i];
    free(old);
}

struct exact_values *exact_values_new(uint32_t classes)
{
    struct exact_values *x = xcalloc(1, sizeof *x);
    x->classes = classes;
    x->capacity = 1 << 12;
    x->table = xcalloc(x->capacity, sizeof *x->table);
    return x;
}

void exact_values_free(struct exact_values *x)
{
    if (x == NULL)
        return;
    free(x->table);
    free(x);
}

void exact_values_add(struct exact_values *x, enum opclass c, uint64_t pc, uint64_t value)
{
    if ((x->classes >> c & 1) == 0)
        return;
    struct pair *p = &x->table[place_of(x, pc, value)];
    if (p->count++ != 0)
        return;
    p->pc = pc;
    p->value = value;
    if (2 * ++x->used > x->capacity)
        grow(x);
}

static void retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    (void)cycle;
    exact_values_add(ctx, (enum opclass)in->insn->opclass, in->pc, in->outcome->value);
}

struct probe_observer exact_values_observer(struct exact_values *x)
{
    struct probe_observer o = {.ctx = x};
    o.stage[PROBE_RETIRED] = retired;
    return o;
}

/* By pc; within one, by falling count, then by value. */
static int compare(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

static void each_load(void *ctx, void (*each)(void *arg, const struct truth_load *load), void *arg)
{
    const struct exact_values *x = ctx;
    struct pair *sorted = xmalloc(x->used * sizeof *sorted);
    struct truth_value *values = xmalloc(x->used * sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < x->capacity; i++)
        if (x->table[i].count != 0)
            sorted[n++] = x->table[i];
    qsort(sorted, n, sizeof *sorted, compare);
    for (size_t i = 0, next; i < n; i = next) {
        struct truth_load load = {.pc = sorted[i].pc, .values = values};
        for (next = i; next < n && sorted[next].pc == load.pc; next++) {
            values[load.value_count++] = (struct truth_value){sorted[next].value, sorted[next].count};
            load.count += sorted[next].count;
        }
        each(arg, &load);
    }
    free(values);
    free(sorted);
}

struct truth exact_values_truth(struct exact_values *x) { return (struct truth){.ctx = x, .loads = each_load}; }
