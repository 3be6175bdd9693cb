/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `deadstores`: stores of which every byte is overwritten before any is read (DeadSpy, CGO 2012).
 * The dead store is attributed to the store that overwrites its last byte. */
#include "core-model/prof/exact/exact_counter.h"
#include "core-model/prof/exact/recent_stores.h"

struct dead_stores {
    struct exact_counter counter;
    struct recent_stores stores;
};

/* Marks the stores from which the load reads a byte. */
static void mark_read(struct recent_stores *s, const struct rv_outcome *read)
{
    for (uint64_t i = s->oldest; i != s->next; i++) {
        struct recent_store *st = recent_stores_at(s, i);
        st->read |= (recent_store_overlap(st, read) & st->visible) != 0;
    }
}

static void overwrite(struct dead_stores *d, const struct probe_insn *in)
{
    for (uint64_t i = d->stores.oldest; i != d->stores.next; i++) {
        struct recent_store *st = recent_stores_at(&d->stores, i);
        uint8_t bytes = recent_store_overlap(st, in->outcome) & st->visible;
        st->visible ^= bytes;
        if (bytes != 0 && st->visible == 0 && !st->read)
            exact_table_at(&d->counter.table, st->pc, in->pc, 0)->count[EXACT_DEAD_STORES_DEAD]++;
    }
}

static void exact_dead_stores_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct dead_stores *d = ctx;
    (void)cycle;
    recent_stores_count(&d->stores);
    if (in->outcome->mem_bytes == 0)
        return;
    if (!in->outcome->wrote_mem) {
        mark_read(&d->stores, in->outcome);
        return;
    }
    overwrite(d, in);
    recent_stores_add(&d->stores, in);
}

const struct observer_kind observer_exact_dead_stores = {
    .name = "exact-dead-stores",
    .release = exact_counter_release,
};

static struct observer *exact_dead_stores_create(const struct exact_setup *setup)
{
    return exact_counter_new(sizeof(struct dead_stores), &observer_exact_dead_stores, setup->classes,
                             exact_dead_stores_retired);
}

const struct exact_ops exact_dead_stores_ops = {
    .create = exact_dead_stores_create, .rows = exact_counter_rows, .of_all_harts = true};
