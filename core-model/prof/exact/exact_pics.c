/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `pics`: the per-instruction cycle stacks of TEA (ISCA 2023). Implemented by the observer
 * `tea-oracle`, whose components become rows. Handlers are not part of the program and have no row. */
#include <stdlib.h>

#include "base/status.h"
#include "core-model/prof/exact/exact.h"
#include "core-model/prof/exact/exact_table.h"
#include "core-model/prof/time/tea.h"

const struct observer_kind observer_exact_pics = {
    .name = "exact-pics",
    .attach = profiler_attach,
    .release = tea_release,
};

/* Ignores the program's filter, because time is attributed to all instructions. */
static struct observer *exact_pics_create(const struct exact_setup *setup)
{
    (void)setup;
    return observer_tea_oracle.create(&observer_exact_pics, &(struct observer_setup){.option = {0}});
}

static size_t exact_pics_rows(void *observer, struct exact_row **out)
{
    size_t all, n = 0;
    const struct tea *tea = ((const struct profiler *)observer)->state;
    struct pics_row *component = pics_map_rows(&tea->map, NULL, &all);
    *out = xcalloc(all + 1, sizeof **out);
    for (size_t r = 0; r < all; r++)
        if (component[r].pc != HANDLER_PC)
            (*out)[n++] = (struct exact_row){
                .key = {component[r].pc, pics_signature16(component[r].signature)},
                .count[EXACT_PICS_TIME] = pics_row_total(&component[r]),
            };
    free(component);
    exact_rows_in_units(*out, n, EXACT_PICS_TIME, TIME_PER_CYCLE);
    return n;
}

const struct exact_ops exact_pics_ops = {.create = exact_pics_create, .rows = exact_pics_rows};
