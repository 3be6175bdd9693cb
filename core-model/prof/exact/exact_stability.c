/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `stability`: change of address and value between consecutive executions of a load (Constable,
 * ISCA 2024: loads that fetch the same value from the same address). A load's first execution is not counted. */
#include <stdlib.h>

#include "base/status.h"
#include "core-model/prof/exact/exact_counter.h"
#include "core-model/prof/pc_index.h"

/* The latest execution of a load. */
struct latest {
    uint64_t ea, value;
    uint64_t step; /* address minus the previous different one; 0: none yet */
};

struct stability {
    struct exact_counter counter;
    struct pc_index index;
    struct latest *latest; /* owned; by the load's number in the index */
    size_t capacity;
};

/* The reference's count to which an execution belongs. */
static unsigned exact_stability_compare(const struct latest *l, const struct rv_outcome *o)
{
    if (o->ea == l->ea)
        return o->value == l->value ? EXACT_STABILITY_SAME : EXACT_STABILITY_CHANGED;
    return o->ea - l->ea == l->step ? EXACT_STABILITY_STRIDED : EXACT_STABILITY_OTHER;
}

/* The latest execution of the load; *first: this is its first one. */
static struct latest *latest_of(struct stability *s, uint64_t pc, bool *first)
{
    const uint32_t number = pc_index_enter(&s->index, pc, first);
    if (number >= s->capacity) {
        s->capacity = s->capacity != 0 ? 2 * s->capacity : 256;
        s->latest = xrealloc(s->latest, s->capacity * sizeof *s->latest);
    }
    if (*first)
        s->latest[number] = (struct latest){0};
    return &s->latest[number];
}

static void exact_stability_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct stability *s = ctx;
    const struct rv_outcome *o = in->outcome;
    bool first;
    struct latest *l = latest_of(s, in->pc, &first);
    (void)cycle;
    if (!first) {
        exact_table_at(&s->counter.table, in->pc, 0, 0)->count[exact_stability_compare(l, o)]++;
        if (o->ea != l->ea)
            l->step = o->ea - l->ea;
    }
    l->ea = o->ea;
    l->value = o->value;
}

static void exact_stability_release(struct observer *o)
{
    struct stability *s = (struct stability *)o;
    free(s->latest);
    pc_index_fini(&s->index);
    exact_counter_release(o);
}

const struct observer_kind observer_exact_stability = {
    .name = "exact-stability",
    .release = exact_stability_release,
};

static struct observer *exact_stability_create(const struct exact_setup *setup)
{
    struct stability *s = exact_counter_new(sizeof *s, &observer_exact_stability, setup->classes,
                                            exact_stability_retired);
    pc_index_init(&s->index);
    return &s->counter.base;
}

const struct exact_ops exact_stability_ops = {
    .create = exact_stability_create, .rows = exact_counter_rows, .of_all_harts = true};
