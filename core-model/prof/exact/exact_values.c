/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of each load's values. A load with few values counts them in a table, which the host's caches can hold. The
 * other loads have logs of their values: a full log is sorted and merged into the load's values, which are in ascending
 * order. So memory is written and read in sequence, where a table of all values would be accessed at random. */
#include "core-model/prof/exact/exact_values.h"

#include "base/pages.h"
#include "core-model/prof/exact/exact.h"
#include "core-model/prof/pc_index.h"

#include <stdlib.h>
#include <string.h>

#define RADIX_ITEM uint64_t
#define RADIX_KEY(item, order) (*(item))
#include "base/radix_sort.inc"

/* The table of a load with few values, with open addressing. */
enum { FEW_VALUES = 16, FEW_PLACES = 32, FEW_PLACES_BITS = 5 };
struct few {
    struct truth_value place[FEW_PLACES]; /* count 0: no value */
    uint32_t used;
};

/* Sizes of logs: they grow to USUAL, and further while the load has more values than its log has entries, so that
 * merging costs few steps for each entry. */
enum { FIRST_CAPACITY = 64, USUAL_CAPACITY = 1024 };

/* So many entries before one is written, the host's cache is asked for it. */
enum { AHEAD = 16 };

struct load {
    uint64_t pc;
    uint64_t latest; /* value of the last run; valid if there is one */
    uint64_t length; /* the part of this run that has not been counted */
    uint64_t runs;   /* of equal values */
    struct few *few; /* owned; NULL: the load has more values */
    uint64_t *log;   /* owned; executions that are not in `value` */
    uint32_t logged, log_capacity;
    uint32_t count, capacity;
    struct truth_value *value; /* owned; distinct values in ascending order */
};

struct exact_values {
    struct observer base;
    struct pc_index index;
    const struct pc_page *page; /* of the last load */
    struct load *loads;         /* by number of the address */
    uint32_t load_capacity;
    struct truth_value *spare; /* owned, of pages.h */
    size_t spare_capacity;
};

/* The number of a load that the index does not find at once. */
static __attribute__((noinline)) uint32_t exact_values_enter(struct exact_values *x, uint64_t pc)
{
    bool is_new;
    const uint32_t load = pc_index_enter(&x->index, pc, &is_new);
    if (!is_new)
        return load;
    if (load >= x->load_capacity) {
        uint32_t n = x->load_capacity;
        x->load_capacity = n > UINT32_MAX / 2 ? UINT32_MAX : 2 * n;
        x->loads = xrealloc(x->loads, x->load_capacity * sizeof *x->loads);
        memset(x->loads + n, 0, (x->load_capacity - n) * sizeof *x->loads);
    }
    x->loads[load].pc = pc;
    x->loads[load].few = xcalloc(1, sizeof(struct few));
    return load;
}

static void exact_values_release(struct observer *o)
{
    struct exact_values *x = (struct exact_values *)o;
    for (uint32_t n = 1; n <= x->index.last; n++) {
        free(x->loads[n].few);
        pages_free(x->loads[n].log, x->loads[n].log_capacity, sizeof *x->loads[n].log);
        pages_free(x->loads[n].value, x->loads[n].capacity, sizeof *x->loads[n].value);
    }
    pc_index_fini(&x->index);
    free(x->loads);
    pages_free(x->spare, x->spare_capacity, sizeof *x->spare);
    free(x);
}

/* Makes room for `count` values in x->spare, whose contents are lost. */
static void make_room(struct exact_values *x, size_t count)
{
    if (count <= x->spare_capacity)
        return;
    pages_free(x->spare, x->spare_capacity, sizeof *x->spare);
    for (x->spare_capacity = FIRST_CAPACITY; x->spare_capacity < count; x->spare_capacity *= 2) {
    }
    x->spare = pages_new(x->spare_capacity, sizeof *x->spare);
}

/* Adds the counts of the sorted log to those values that are known. Moves the others to `others`, and returns their
 * number. */
static uint32_t count_known(const struct load *l, struct truth_value *others)
{
    const uint64_t *from = l->log, *const end = from + l->logged;
    struct truth_value *v = l->value, *const v_end = v + l->count;
    uint32_t count = 0;
    while (from != end) {
        const uint64_t value = *from, *const first = from++;
        while (from != end && *from == value)
            from++;
        while (v != v_end && v->value < value)
            v++;
        if (v != v_end && v->value == value)
            v->count += (uint64_t)(from - first);
        else
            others[count++] = (struct truth_value){value, (uint64_t)(from - first)};
    }
    return count;
}

/* Inserts values, in ascending order, that are not known. */
static void insert(struct load *l, const struct truth_value *new, uint32_t count)
{
    if (l->count > UINT32_MAX / 2 - count)
        out_of_memory();
    if (l->count + count > l->capacity) {
        const uint32_t capacity = l->capacity;
        while (l->capacity < l->count + count)
            l->capacity = l->capacity == 0 ? FEW_VALUES : 2 * l->capacity;
        l->value = pages_resize(l->value, capacity, l->capacity, sizeof *l->value);
    }
    struct truth_value *const v = l->value;
    uint32_t old = l->count, to = old + count;
    l->count = to;
    while (count > 0)
        v[--to] = old > 0 && v[old - 1].value > new[count - 1].value ? v[--old] : new[--count];
}

/* Counts what is in the load's log. */
static void count_log(struct exact_values *x, struct load *l)
{
    make_room(x, l->logged);
    radix_sort(l->log, (uint64_t *)x->spare, l->logged, 0);
    const uint32_t others = count_known(l, x->spare);
    if (others > 0)
        insert(l, x->spare, others);
    l->logged = 0;
}

static __attribute__((noinline)) void empty_log(struct exact_values *x, struct load *l)
{
    if (l->log_capacity != 0)
        count_log(x, l);
    if (l->log_capacity >= USUAL_CAPACITY && l->log_capacity >= l->count)
        return;
    const uint32_t capacity = l->log_capacity;
    l->log_capacity = capacity == 0 ? FIRST_CAPACITY : 2 * capacity;
    l->log = pages_resize(l->log, capacity, l->log_capacity, sizeof *l->log);
}

/* Each execution of a run is logged: it has taken the simulator longer. */
static inline void log_run(struct exact_values *x, struct load *l)
{
    for (uint64_t n = l->length; n > 0; n--) {
        if (__builtin_expect(l->logged == l->log_capacity, 0))
            empty_log(x, l);
        __builtin_prefetch(&l->log[l->logged + AHEAD], 1);
        l->log[l->logged++] = l->latest;
    }
}

/* Counts the value in the table. False: it has no place. */
static inline bool exact_values_count_few(struct few *f, uint64_t value, uint64_t count)
{
    uint32_t at = (uint32_t)(value * UINT64_C(0x9e3779b97f4a7c15) >> (64 - FEW_PLACES_BITS));
    while (f->place[at].count != 0 && f->place[at].value != value)
        at = (at + 1) % FEW_PLACES;
    struct truth_value *v = &f->place[at];
    if (__builtin_expect(v->count == 0, 0)) {
        if (f->used == FEW_VALUES)
            return false;
        f->used++;
        v->value = value;
    }
    v->count += count;
    return true;
}

/* The values of the table become those of the load. */
static void show_few(struct load *l)
{
    struct truth_value v[FEW_VALUES];
    uint32_t count = 0;
    for (uint32_t at = 0; at < FEW_PLACES; at++) {
        const struct truth_value new = l->few->place[at];
        if (new.count == 0)
            continue;
        uint32_t to = count++;
        for (; to > 0 && v[to - 1].value > new.value; to--)
            v[to] = v[to - 1];
        v[to] = new;
    }
    l->count = 0;
    insert(l, v, count);
}

static __attribute__((noinline)) void leave_few(struct load *l)
{
    show_few(l);
    free(l->few);
    l->few = NULL;
}

/* The load's run ends, or what there is of it is counted. */
static inline void end_run(struct exact_values *x, struct load *l)
{
    if (l->few != NULL) {
        if (exact_values_count_few(l->few, l->latest, l->length))
            return;
        leave_few(l);
    }
    log_run(x, l);
}

static inline void exact_add(struct exact_values *x, uint64_t pc, uint64_t value)
{
    uint32_t load = pc_index_find(&x->index, pc, &x->page);
    if (__builtin_expect(load == 0, 0))
        load = exact_values_enter(x, pc);
    struct load *l = &x->loads[load];
    if (l->latest == value && l->runs != 0) {
        l->length++;
        return;
    }
    if (l->length != 0)
        end_run(x, l);
    l->latest = value;
    l->length = 1;
    l->runs++;
}

void exact_values_add(struct exact_values *x, enum opclass c, uint64_t pc, uint64_t value)
{
    if ((x->base.probe.result_classes >> c & 1) != 0)
        exact_add(x, pc, value);
}

static void result(void *ctx, enum opclass c, uint64_t pc, uint64_t value)
{
    (void)c;
    exact_add(ctx, pc, value);
}

const struct observer_kind observer_exact_values = {
    .name = "exact-values",
    .release = exact_values_release,
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
    return x;
}

struct observer *exact_values_observer(struct exact_values *x) { return &x->base; }

void exact_values_restart(struct exact_values *x)
{
    for (uint32_t n = 1; n <= x->index.last; n++) {
        struct load *l = &x->loads[n];
        l->latest = l->length = l->runs = 0;
        l->logged = l->count = 0;
        free(l->few);
        l->few = xcalloc(1, sizeof *l->few);
    }
}

/* Counts all that has been added. Returns the number of distinct values, summed over all loads. */
static size_t count_all(struct exact_values *x)
{
    size_t values = 0;
    for (uint32_t n = 1; n <= x->index.last; n++) {
        struct load *l = &x->loads[n];
        if (l->length != 0)
            end_run(x, l);
        l->length = 0;
        if (l->few != NULL)
            show_few(l);
        else
            count_log(x, l);
        values += l->count;
    }
    return values;
}

static int exact_values_compare_addresses(const void *a, const void *b)
{
    const struct load *const *x = a, *const *y = b;
    return ((*x)->pc > (*y)->pc) - ((*x)->pc < (*y)->pc);
}

/* Copies the values that occurred more than once, and behind them the others, to x->spare. Returns the number of the
 * former. */
static uint32_t repeated_first(const struct exact_values *x, const struct load *l)
{
    uint32_t repeated = 0, others = 0;
    for (uint32_t n = 0; n < l->count; n++)
        repeated += l->value[n].count > 1;
    struct truth_value *to = x->spare, *other = to + repeated;
    for (uint32_t n = 0; n < l->count; n++)
        *(l->value[n].count > 1 ? to++ : &other[others++]) = l->value[n];
    return repeated;
}

/* Calls `each` for the load. */
static void show_load(struct exact_values *x, const struct load *l,
                      void (*each)(void *arg, const struct truth_load *load), void *arg)
{
    struct truth_load load = {.pc = l->pc, .value_count = l->count, .stretches = l->runs};
    for (uint32_t n = 0; n < l->count; n++)
        load.count += l->value[n].count;
    make_room(x, 2 * (size_t)l->count);
    load.values = x->spare;
    truth_sort(x->spare, x->spare + l->count, repeated_first(x, l), TRUTH_BY_FREQUENCY);
    each(arg, &load);
}

static void each_load(void *ctx, void (*each)(void *arg, const struct truth_load *load), void *arg)
{
    struct exact_values *x = ctx;
    const uint32_t loads = x->index.last;
    (void)count_all(x);
    const struct load **by_pc = xcalloc((size_t)loads + 1, sizeof *by_pc);
    for (uint32_t load = 1; load <= loads; load++)
        by_pc[load - 1] = &x->loads[load];
    qsort(by_pc, loads, sizeof *by_pc, exact_values_compare_addresses);
    for (uint32_t n = 0; n < loads; n++)
        if (by_pc[n]->count != 0) /* 0: none since exact_values_restart */
            show_load(x, by_pc[n], each, arg);
    free(by_pc);
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

static struct observer *exact_values_create(const struct exact_setup *setup)
{
    return exact_values_observer(exact_values_new(setup->classes));
}

const struct exact_ops exact_values_ops = {.create = exact_values_create, .rows = copy_rows};
