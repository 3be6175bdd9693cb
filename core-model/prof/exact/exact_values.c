/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of <load, value> pairs in a hash table with open addressing, and one record per load. A run of equal values is
 * counted when it ends. The table can exceed the host's caches, so counting is delayed by some runs, until the entry
 * has been prefetched. */
#include "core-model/prof/exact/exact_values.h"

#include "core-model/prof/exact/exact.h"
#include "core-model/prof/pc_index.h"
#include "isa/support/pages.h"

#include <stdlib.h>
#include <string.h>

enum { PENDING = 16 };

struct pair {
    uint64_t value;
    uint32_t load; /* number of its address; 0: free entry */
    uint32_t count;
};

/* A count that a pair's member cannot hold: 2^31 executions are moved here. */
enum { CARRY_BITS = 31 };
struct carry {
    uint64_t value;
    uint32_t load;
};

/* A run of equal values that has ended, and the hash of its pair. */
struct pending {
    uint64_t value, length, hash;
    uint32_t load;
};

struct load {
    uint64_t pc;
    uint64_t latest; /* value of the last run; valid if there is one */
    uint64_t length; /* the part of this run that has not been counted */
    uint64_t runs;   /* of equal values */
    uint32_t pairs;  /* distinct values counted */
};

struct exact_values {
    struct observer base;
    struct pc_index index;
    const struct pc_page *page; /* of the last load */
    struct load *loads;         /* by number of the address */
    uint32_t load_capacity;
    struct pair *table;
    size_t capacity, used; /* capacity is a power of two */
    struct carry *carries;
    size_t carry_count;
    struct pending pending[PENDING]; /* ring */
    uint64_t next, counted;          /* number of the next run; number of the first pending run */
};

static uint64_t hash_of(uint32_t load, uint64_t value)
{
    uint64_t h = (load * UINT64_C(0x9e3779b97f4a7c15)) ^ (value * UINT64_C(0xc2b2ae3d27d4eb4f));
    h ^= h >> 29;
    return h * UINT64_C(0x9e3779b97f4a7c15) >> 20;
}

static inline struct pair *place_of(const struct exact_values *x, uint32_t load, uint64_t value, uint64_t hash)
{
    size_t at = hash & (x->capacity - 1);
    while (x->table[at].load != 0 && (x->table[at].load != load || x->table[at].value != value))
        at = (at + 1) & (x->capacity - 1);
    return &x->table[at];
}

static void grow(struct exact_values *x)
{
    struct pair *old = x->table;
    size_t n = x->capacity;
    x->capacity *= 2;
    x->table = pages_new(x->capacity, sizeof *x->table);
    for (size_t i = 0; i < n; i++)
        if (old[i].load != 0)
            *place_of(x, old[i].load, old[i].value, hash_of(old[i].load, old[i].value)) = old[i];
    pages_free(old, n, sizeof *old);
}

/* The number of a load that the index does not find at once. */
static __attribute__((noinline)) uint32_t enter(struct exact_values *x, uint64_t pc)
{
    uint32_t load = pc_index_enter(&x->index, pc);
    if (load >= x->load_capacity) {
        uint32_t n = x->load_capacity;
        x->load_capacity = n > UINT32_MAX / 2 ? UINT32_MAX : 2 * n;
        x->loads = xrealloc(x->loads, x->load_capacity * sizeof *x->loads);
        memset(x->loads + n, 0, (x->load_capacity - n) * sizeof *x->loads);
    }
    x->loads[load].pc = pc;
    return load;
}

static void release(struct observer *o)
{
    struct exact_values *x = (struct exact_values *)o;
    pc_index_fini(&x->index);
    free(x->loads);
    pages_free(x->table, x->capacity, sizeof *x->table);
    free(x->carries);
    free(x);
}

/* Adds to the pair's count. */
static inline void add_to(struct exact_values *x, struct pair *p, uint64_t length)
{
    uint64_t sum = p->count + length;
    for (; sum > UINT32_MAX; sum -= UINT64_C(1) << CARRY_BITS) {
        x->carries = xrealloc(x->carries, (x->carry_count + 1) * sizeof *x->carries);
        x->carries[x->carry_count++] = (struct carry){.value = p->value, .load = p->load};
    }
    p->count = (uint32_t)sum;
}

/* Counts the first pending run. */
static inline void count(struct exact_values *x)
{
    const struct pending *one = &x->pending[x->counted++ % PENDING];
    struct pair *p = place_of(x, one->load, one->value, one->hash);
    const bool is_new = p->load == 0;
    p->load = one->load;
    p->value = one->value;
    add_to(x, p, one->length);
    if (!is_new)
        return;
    x->loads[one->load].pairs++;
    if (2 * ++x->used > x->capacity)
        grow(x);
}

/* The load's run ends, or what there is of it is counted. */
static inline void end_run(struct exact_values *x, uint32_t load)
{
    struct load *l = &x->loads[load];
    if (x->next - x->counted == PENDING)
        count(x);
    uint64_t hash = hash_of(load, l->latest);
    x->pending[x->next++ % PENDING] = (struct pending){l->latest, l->length, hash, load};
    __builtin_prefetch(&x->table[hash & (x->capacity - 1)], 1);
}

static inline void add(struct exact_values *x, uint64_t pc, uint64_t value)
{
    uint32_t load = pc_index_find(&x->index, pc, &x->page);
    if (__builtin_expect(load == 0, 0))
        load = enter(x, pc);
    struct load *l = &x->loads[load];
    if (l->latest == value && l->runs != 0) {
        l->length++;
        return;
    }
    if (l->length != 0)
        end_run(x, load);
    l->latest = value;
    l->length = 1;
    l->runs++;
}

void exact_values_add(struct exact_values *x, enum opclass c, uint64_t pc, uint64_t value)
{
    if ((x->base.probe.result_classes >> c & 1) != 0)
        add(x, pc, value);
}

static void result(void *ctx, enum opclass c, uint64_t pc, uint64_t value)
{
    (void)c;
    add(ctx, pc, value);
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
    x->base.probe.result = result;
    x->base.probe.result_classes = classes;
    pc_index_init(&x->index);
    x->page = &pc_no_page;
    x->load_capacity = 1 << 10;
    x->loads = xcalloc(x->load_capacity, sizeof *x->loads);
    x->capacity = 1 << 12;
    x->table = pages_new(x->capacity, sizeof *x->table);
    return x;
}

struct observer *exact_values_observer(struct exact_values *x) { return &x->base; }

/* All that has been added is in the table. */
static void count_all(struct exact_values *x)
{
    for (uint32_t load = 1; load <= x->index.last; load++) {
        if (x->loads[load].length == 0)
            continue;
        end_run(x, load);
        x->loads[load].length = 0;
    }
    while (x->counted != x->next)
        count(x);
}

static int compare_addresses(const void *a, const void *b)
{
    const struct load *const *x = a, *const *y = b;
    return ((*x)->pc > (*y)->pc) - ((*x)->pc < (*y)->pc);
}

/* The pairs of each load, one load after the other; first[load] is the index of its first. Owned by the caller. */
static struct truth_value *gather(const struct exact_values *x, size_t *first)
{
    struct truth_value *values = pages_new(x->used, sizeof *values);
    size_t sum = 0;
    for (uint32_t load = 1; load <= x->index.last; sum += x->loads[load++].pairs)
        first[load] = sum;
    for (size_t i = 0; i < x->capacity; i++)
        if (x->table[i].load != 0)
            values[first[x->table[i].load]++] = (struct truth_value){x->table[i].value, x->table[i].count};
    for (uint32_t load = 1; load <= x->index.last; load++)
        first[load] -= x->loads[load].pairs;
    for (size_t n = 0; n < x->carry_count; n++) {
        struct truth_value *v = values + first[x->carries[n].load];
        while (v->value != x->carries[n].value)
            v++;
        v->count += UINT64_C(1) << CARRY_BITS;
    }
    return values;
}

static void each_load(void *ctx, void (*each)(void *arg, const struct truth_load *load), void *arg)
{
    struct exact_values *x = ctx;
    count_all(x);
    const uint32_t loads = x->index.last;
    size_t *first = xcalloc((size_t)loads + 1, sizeof *first);
    struct truth_value *values = gather(x, first), *spare = pages_new(x->used, sizeof *spare),
                       *by_value = pages_new(x->used, sizeof *by_value);
    const struct load **by_pc = xcalloc((size_t)loads + 1, sizeof *by_pc);
    for (uint32_t load = 1; load <= loads; load++)
        by_pc[load - 1] = &x->loads[load];
    qsort(by_pc, loads, sizeof *by_pc, compare_addresses);
    for (uint32_t n = 0; n < loads; n++) {
        struct truth_value *of = values + first[by_pc[n] - x->loads];
        const uint32_t pairs = by_pc[n]->pairs;
        struct truth_load load = {.pc = by_pc[n]->pc, .value_count = pairs, .stretches = by_pc[n]->runs};
        for (uint32_t v = 0; v < pairs; v++)
            load.count += of[v].count;
        truth_sort(of, spare, pairs, TRUTH_BY_VALUE);
        memcpy(by_value, of, pairs * sizeof *of);
        truth_sort(of, spare, pairs, TRUTH_BY_FREQUENCY);
        load.values = of;
        load.by_value = by_value;
        each(arg, &load);
    }
    free(by_pc);
    pages_free(spare, x->used, sizeof *spare);
    pages_free(by_value, x->used, sizeof *by_value);
    pages_free(values, x->used, sizeof *values);
    free(first);
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
    count_all(x);
    struct copy c = {.row = xcalloc(x->used + 1, sizeof *c.row)};
    truth.loads(truth.ctx, copy_load, &c);
    *rows = c.row;
    return c.rows;
}

static struct observer *create(const struct exact_setup *setup)
{
    return exact_values_observer(exact_values_new(setup->classes));
}

const struct exact_ops exact_values_ops = {.create = create, .rows = copy_rows};
