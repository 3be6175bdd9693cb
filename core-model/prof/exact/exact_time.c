/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `time`: the Oracle's profile (TIP paper, section 2.2) by instruction and state of commit.
 * Implemented by the observer `oracle`, whose time map becomes rows. Handlers are not part of the program and have no
 * row. */
#include <stdlib.h>

#include "base/status.h"
#include "core-model/prof/exact/exact.h"
#include "core-model/prof/exact/exact_table.h"
#include "core-model/prof/time/profiler.h"

const struct observer_kind observer_exact_time = {
    .name = "exact-time",
    .attach = profiler_attach,
    .release = profiler_release,
};

/* Ignores the program's filter, because time is attributed to all instructions. */
static struct observer *exact_time_create(const struct exact_setup *setup)
{
    (void)setup;
    return observer_oracle.create(&observer_exact_time, &(struct observer_setup){.option = {0}});
}

/* Without access to the program, all stalls count as ALU stalls. */
static struct exact_row exact_time_row_of(const struct time_row *r)
{
    return (struct exact_row){
        .key = {r->pc},
        .count[EXACT_TIME_COMPUTING] = r->time[TIME_EXECUTE],
        .count[EXACT_TIME_STALLED] = r->time[TIME_STALL_ALU],
        .count[EXACT_TIME_FLUSHED] = r->time[TIME_MISPREDICT] + r->time[TIME_FLUSH],
        .count[EXACT_TIME_DRAINED] = r->time[TIME_FRONTEND],
    };
}

static size_t exact_time_rows(void *observer, struct exact_row **out)
{
    size_t all, n = 0;
    struct time_row *time = time_map_rows(&((const struct profiler *)observer)->map, NULL, NULL, &all);
    *out = xcalloc(all + 1, sizeof **out);
    for (size_t r = 0; r < all; r++)
        if (time[r].pc != HANDLER_PC)
            (*out)[n++] = exact_time_row_of(&time[r]);
    free(time);
    for (unsigned c = 0; c < exact_count_count(EXACT_TIME); c++)
        exact_rows_in_units(*out, n, c, TIME_PER_CYCLE);
    return n;
}

const struct exact_ops exact_time_ops = {.create = exact_time_create, .rows = exact_time_rows};
