/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `dependences`: loads with the stores that wrote what they read (co-processor paper,
 * section 4, memory dependence profiling). A load depends on the youngest store before it that wrote one of its
 * bytes. */
#include "core-model/prof/exact/exact_counter.h"
#include "core-model/prof/exact/recent_stores.h"

struct dependences {
    struct exact_counter counter;
    struct recent_stores stores;
    uint64_t violator; /* address of a load squashed by a memory-ordering violation, until it retires; or 0 */
};

/* Maximum distance of a store, as in the row of exact.def. */
enum { GREATEST_DISTANCE = 63 };
_Static_assert((int)GREATEST_DISTANCE <= (int)RECENT_DISTANCE, "these stores are known");

/* The youngest store that wrote a byte of the load, or NULL. */
static const struct recent_store *find_writer(struct recent_stores *s, const struct rv_outcome *read)
{
    for (uint64_t i = s->next; i != s->oldest; i--) {
        const struct recent_store *st = recent_stores_at(s, i - 1);
        if (s->number - st->number > GREATEST_DISTANCE)
            return NULL;
        if (recent_store_overlap(st, read) != 0)
            return st;
    }
    return NULL;
}

static void exact_dependences_add_load(struct dependences *d, const struct probe_insn *in,
                                       const struct recent_store *writer)
{
    struct exact_row *row = exact_table_at(&d->counter.table, in->pc, writer->pc, 0);
    row->count[EXACT_DEPENDENCES_LOADS]++;
    row->count[EXACT_DEPENDENCES_DISTANCE] += d->stores.number - writer->number;
    row->count[EXACT_DEPENDENCES_FORWARDED] += (in->events & PROBE_FORWARDED) != 0;
    row->count[EXACT_DEPENDENCES_VIOLATIONS] += d->violator == in->pc;
}

static void exact_dependences_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct dependences *d = ctx;
    (void)cycle;
    recent_stores_count(&d->stores);
    if (in->outcome->mem_bytes == 0)
        return;
    if (in->outcome->wrote_mem) {
        recent_stores_add(&d->stores, in);
        return;
    }
    const struct recent_store *writer = find_writer(&d->stores, in->outcome);
    if (writer != NULL)
        exact_dependences_add_load(d, in, writer);
    d->violator = 0;
}

/* A load with a memory-ordering violation is the oldest instruction when it is squashed, and retires next. */
static void exact_dependences_squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct dependences *d = ctx;
    (void)cycle;
    if (in->cause == PROBE_CAUSE_ORDERING && (in->events & PROBE_REPLAYED) != 0)
        d->violator = in->pc;
}

const struct observer_kind observer_exact_dependences = {
    .name = "exact-dependences",
    .release = exact_counter_release,
};

static struct observer *exact_dependences_create(const struct exact_setup *setup)
{
    struct dependences *d = exact_counter_new(sizeof *d, &observer_exact_dependences, setup->classes,
                                              exact_dependences_retired);
    d->counter.base.probe.stage[PROBE_SQUASHED] = exact_dependences_squashed;
    d->counter.base.probe.filter[PROBE_SQUASHED] = &d->counter.filter;
    return &d->counter.base;
}

const struct exact_ops exact_dependences_ops = {
    .create = exact_dependences_create, .rows = exact_counter_rows, .of_all_harts = true};
