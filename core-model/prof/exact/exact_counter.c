/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/exact/exact_counter.h"

#include <stdlib.h>

void *exact_counter_new(size_t bytes, const struct observer_kind *kind, uint32_t classes,
                        void (*retired)(void *ctx, const struct probe_insn *in, uint64_t cycle))
{
    struct exact_counter *c = xcalloc(1, bytes);
    c->base.kind = kind;
    c->base.probe.ctx = c;
    c->base.probe.values = true;
    c->base.probe.stage[PROBE_RETIRED] = retired;
    c->base.probe.filter[PROBE_RETIRED] = &c->filter;
    c->filter = (struct event_filter){.classes = classes, .from = UINT64_MAX};
    return c;
}

void exact_counter_release(struct observer *o)
{
    struct exact_counter *c = (struct exact_counter *)o;
    exact_table_fini(&c->table);
    free(c);
}

size_t exact_counter_rows(void *observer, struct exact_row **rows)
{
    const struct exact_counter *c = observer;
    return exact_table_copy(&c->table, rows);
}
