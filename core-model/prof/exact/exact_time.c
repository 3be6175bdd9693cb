/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `time`: the Oracle's profile (TIP paper, section 2.2) by instruction and state of commit. It is
 * the observer `oracle`, whose map of time is read as rows. Handlers are no instruction of the program and have no
 * row. */
#include <stdlib.h>

#include "core-model/prof/exact/exact.h"
#include "core-model/prof/time/profiler.h"
#include "isa/support/status.h"

const struct observer_kind observer_exact_time = {
    .name = "exact-time",
    .help = "cycles of each instruction by state of commit",
    .attach = profiler_attach,
    .release = profiler_release,
};

/* The program's filter does not matter: time is of all instructions. */
static struct observer *create(const struct exact_setup *setup)
{
    (void)setup;
    return observer_oracle.create(&observer_exact_time, &(struct observer_setup){.option = {0}});
}

static int by_key(const void *left, const void *right)
{
    const struct exact_row *a = left, *b = right;
    return (a->key[0] > b->key[0]) - (a->key[0] < b->key[0]);
}

static struct exact_row row_of(const struct time_entry *e)
{
    return (struct exact_row){
        .key = {e->pc},
        .count[EXACT_TIME_COMPUTING] = e->time[STATE_COMPUTING],
        .count[EXACT_TIME_STALLED] = e->time[STATE_STALLED],
        .count[EXACT_TIME_FLUSHED] = e->time[STATE_MISPREDICTED] + e->time[STATE_FLUSHED],
        .count[EXACT_TIME_DRAINED] = e->time[STATE_DRAINED],
    };
}

/* Parts of cycles become whole cycles. What is left of a row goes on to the next one, so that each row is right to one
 * cycle, and so are all sums. */
static void to_cycles(struct exact_row *rows, size_t n, unsigned count)
{
    uint64_t left = TIME_PER_CYCLE / 2;
    for (size_t r = 0; r < n; r++) {
        left += rows[r].count[count];
        rows[r].count[count] = left / TIME_PER_CYCLE;
        left %= TIME_PER_CYCLE;
    }
}

static size_t rows(struct observer *o, struct exact_row **out)
{
    const struct time_map *m = &((const struct profiler *)o)->map;
    size_t n = 0;
    *out = xcalloc((size_t)m->index.last + 1, sizeof **out);
    for (uint32_t i = 1; i <= m->index.last; i++)
        if (m->entry[i].pc != HANDLER_PC)
            (*out)[n++] = row_of(&m->entry[i]);
    qsort(*out, n, sizeof **out, by_key);
    for (unsigned c = 0; c < exact_count_count(EXACT_TIME); c++)
        to_cycles(*out, n, c);
    return n;
}

const struct exact_ops exact_time_ops = {.create = create, .rows = rows};
