/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of <load, value> pairs, and one record per load. A run of equal values is counted when it ends: it is appended
 * to one of PARTS parts, by its hash. A full part is merged: entries of the same pair become one. The host's caches can
 * hold the ends of all parts, and one part that is merged, where they could not hold a table of all pairs. */
#include "core-model/prof/exact/exact_values.h"

#include "core-model/prof/exact/exact.h"
#include "core-model/prof/pc_index.h"
#include "isa/support/pages.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 128, PARTS_BITS = 7, FIRST_CAPACITY = 32 };

/* The memory of part n begins n % SHIFTS * SHIFT entries before its first one, so that the ends of the parts are not in
 * the same set of a cache. */
enum { SHIFT = 4, SHIFTS = 64 };

/* So many entries before one is written, the host's cache is asked for it. */
enum { AHEAD = 4 };

struct pair {
    uint64_t value;
    uint32_t load; /* number of its address */
    uint32_t count;
};

/* A count that a pair's member cannot hold: 2^31 executions are moved here. */
enum { CARRY_BITS = 31 };
struct carry {
    uint64_t value;
    uint32_t load;
};

struct load {
    uint64_t pc;
    uint64_t latest; /* value of the last run; valid if there is one */
    uint64_t length; /* the part of this run that has not been counted */
    uint64_t runs;   /* of equal values */
    uint32_t pairs;  /* distinct values, as of the last merge of all parts */
};

struct exact_values {
    struct observer base;
    struct pc_index index;
    const struct pc_page *page; /* of the last load */
    struct load *loads;         /* by number of the address */
    uint32_t load_capacity;
    struct part {
        struct pair *pair;       /* its memory, see part_at */
        uint32_t used, capacity; /* in entries; a power of two */
    } part[PARTS];
    uint32_t *place; /* of merge: 2 * places */
    uint32_t places; /* the largest capacity */
    struct carry *carries;
    size_t carry_count;
};

/* A part is selected by the highest bits, a place in it by others; the lowest ones are not good. */
enum { PLACE_SHIFT = 20 };
static uint64_t hash_of(uint32_t load, uint64_t value)
{
    uint64_t h = (load * UINT64_C(0x9e3779b97f4a7c15)) ^ (value * UINT64_C(0xc2b2ae3d27d4eb4f));
    h ^= h >> 29;
    return h * UINT64_C(0x9e3779b97f4a7c15);
}

static inline size_t shift_of(uint32_t part) { return (size_t)part % SHIFTS * SHIFT; }

static inline struct pair *part_at(const struct exact_values *x, uint32_t part)
{
    return x->part[part].pair + shift_of(part);
}

/* Sets the capacity of a part. The C library of Linux moves the pages of large ones and copies nothing. */
static void resize(struct exact_values *x, uint32_t part, uint32_t capacity)
{
    struct part *p = &x->part[part];
    p->pair = xrealloc(p->pair, (shift_of(part) + capacity) * sizeof *p->pair);
    p->capacity = capacity;
    if (capacity > x->places) {
        free(x->place);
        x->place = xcalloc(2 * (size_t)capacity, sizeof *x->place);
        x->places = capacity;
    }
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
    for (uint32_t n = 0; n < PARTS; n++)
        free(x->part[n].pair);
    free(x->place);
    free(x->carries);
    free(x);
}

/* The part of a count that a pair can hold; the rest is moved to the carries. */
static inline uint32_t carry(struct exact_values *x, const struct pair *p, uint64_t count)
{
    for (; count > UINT32_MAX; count -= UINT64_C(1) << CARRY_BITS) {
        x->carries = xrealloc(x->carries, (x->carry_count + 1) * sizeof *x->carries);
        x->carries[x->carry_count++] = (struct carry){.value = p->value, .load = p->load};
    }
    return (uint32_t)count;
}

static inline bool is_same(const struct pair *a, const struct pair *b)
{
    return a->load == b->load && a->value == b->value;
}

/* Entries of the same pair become one, the first of them. */
static void merge(struct exact_values *x, uint32_t part)
{
    struct pair *const pair = part_at(x, part);
    const uint32_t mask = 2 * x->part[part].capacity - 1;
    uint32_t distinct = 0;
    memset(x->place, 0, ((size_t)mask + 1) * sizeof *x->place);
    for (const struct pair *p = pair, *end = pair + x->part[part].used; p != end; p++) {
        uint32_t at = (uint32_t)(hash_of(p->load, p->value) >> PLACE_SHIFT) & mask, number;
        while ((number = x->place[at]) != 0 && !is_same(&pair[number - 1], p))
            at = (at + 1) & mask;
        if (number != 0) {
            struct pair *known = &pair[number - 1];
            known->count = carry(x, known, (uint64_t)known->count + p->count);
            continue;
        }
        pair[distinct++] = *p;
        x->place[at] = distinct;
    }
    x->part[part].used = distinct;
}

static __attribute__((noinline)) void make_room(struct exact_values *x, uint32_t part)
{
    const struct part *p = &x->part[part];
    merge(x, part);
    if (p->used > p->capacity / 2)
        resize(x, part, 2 * p->capacity);
}

/* The load's run ends, or what there is of it is counted. */
static inline void end_run(struct exact_values *x, uint32_t load)
{
    const struct load *l = &x->loads[load];
    const uint32_t part = (uint32_t)(hash_of(load, l->latest) >> (64 - PARTS_BITS));
    struct pair p = {.value = l->latest, .load = load};
    p.count = carry(x, &p, l->length);
    if (x->part[part].used == x->part[part].capacity)
        make_room(x, part);
    struct pair *to = part_at(x, part) + x->part[part].used++;
    __builtin_prefetch(to + AHEAD, 1);
    *to = p;
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
    for (uint32_t n = 0; n < PARTS; n++)
        resize(x, n, FIRST_CAPACITY);
    return x;
}

struct observer *exact_values_observer(struct exact_values *x) { return &x->base; }

void exact_values_restart(struct exact_values *x)
{
    for (uint32_t load = 1; load <= x->index.last; load++)
        x->loads[load] = (struct load){.pc = x->loads[load].pc};
    for (uint32_t n = 0; n < PARTS; n++)
        x->part[n].used = 0;
    x->carry_count = 0;
}

/* Counts all that has been added, and merges all parts. Returns the number of distinct pairs. */
static size_t count_all(struct exact_values *x)
{
    size_t pairs = 0;
    for (uint32_t load = 1; load <= x->index.last; load++) {
        if (x->loads[load].length != 0)
            end_run(x, load);
        x->loads[load].length = x->loads[load].pairs = 0;
    }
    for (uint32_t part = 0; part < PARTS; pairs += x->part[part++].used) {
        merge(x, part);
        for (uint32_t n = 0; n < x->part[part].used; n++)
            x->loads[part_at(x, part)[n].load].pairs++;
    }
    return pairs;
}

static int compare_addresses(const void *a, const void *b)
{
    const struct load *const *x = a, *const *y = b;
    return ((*x)->pc > (*y)->pc) - ((*x)->pc < (*y)->pc);
}

/* The `pairs` pairs of each load, one load after the other; first[load] is the index of its first. Owned by the
 * caller. */
static struct truth_value *gather(const struct exact_values *x, size_t pairs, size_t *first)
{
    struct truth_value *values = pages_new(pairs, sizeof *values);
    size_t sum = 0;
    for (uint32_t load = 1; load <= x->index.last; sum += x->loads[load++].pairs)
        first[load] = sum;
    for (uint32_t part = 0; part < PARTS; part++)
        for (const struct pair *p = part_at(x, part), *end = p + x->part[part].used; p != end; p++)
            values[first[p->load]++] = (struct truth_value){p->value, p->count};
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

/* Moves the values that occurred more than once before the others. Returns their number. */
static uint32_t find_repeated(struct truth_value *values, uint32_t count)
{
    uint32_t repeated = 0;
    for (uint32_t n = 0; n < count; n++) {
        const struct truth_value v = values[n];
        if (v.count < 2)
            continue;
        values[n] = values[repeated];
        values[repeated++] = v;
    }
    return repeated;
}

/* Calls `each` for the load, whose values are in `values`, in the order of struct truth_load. */
static void show_load(const struct load *l, struct truth_value *values, struct truth_value *spare,
                      void (*each)(void *arg, const struct truth_load *load), void *arg)
{
    struct truth_load load = {.pc = l->pc, .values = values, .value_count = l->pairs, .stretches = l->runs};
    for (uint32_t v = 0; v < l->pairs; v++)
        load.count += values[v].count;
    const uint32_t repeated = find_repeated(values, l->pairs);
    truth_sort(values, spare, repeated, TRUTH_BY_VALUE);
    truth_sort(values, spare, repeated, TRUTH_BY_FREQUENCY);
    each(arg, &load);
}

static void each_load(void *ctx, void (*each)(void *arg, const struct truth_load *load), void *arg)
{
    struct exact_values *x = ctx;
    const size_t pairs = count_all(x);
    const uint32_t loads = x->index.last;
    size_t *first = xcalloc((size_t)loads + 1, sizeof *first);
    struct truth_value *values = gather(x, pairs, first), *spare = pages_new(pairs, sizeof *spare);
    const struct load **by_pc = xcalloc((size_t)loads + 1, sizeof *by_pc);
    for (uint32_t load = 1; load <= loads; load++)
        by_pc[load - 1] = &x->loads[load];
    qsort(by_pc, loads, sizeof *by_pc, compare_addresses);
    for (uint32_t n = 0; n < loads; n++)
        if (by_pc[n]->pairs != 0) /* 0: none since exact_values_restart */
            show_load(by_pc[n], values + first[by_pc[n] - x->loads], spare, each, arg);
    free(by_pc);
    pages_free(spare, pairs, sizeof *spare);
    pages_free(values, pairs, sizeof *values);
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
    struct copy c = {.row = xcalloc(count_all(x) + 1, sizeof *c.row)};
    each_load(x, copy_load, &c);
    *rows = c.row;
    return c.rows;
}

static struct observer *create(const struct exact_setup *setup)
{
    return exact_values_observer(exact_values_new(setup->classes));
}

const struct exact_ops exact_values_ops = {.create = create, .rows = copy_rows};
