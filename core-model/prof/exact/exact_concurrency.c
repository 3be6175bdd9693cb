/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `concurrency`: useful overlap and cycles in progress (ProfileMe paper, section 5.2.3), of all
 * pairs of instructions of a run. Implemented by the observer `counts:slots`, from whose table it reads three
 * counts. */
#include <stdlib.h>

#include "base/status.h"
#include "core-model/prof/count/counts.h"
#include "core-model/prof/exact/exact.h"

static void exact_concurrency_attach(struct observer *o, struct core *core) { observer_counts.attach(o, core); }

static void exact_concurrency_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    observer_counts.finish(o, cycles, hart);
}

static void exact_concurrency_release(struct observer *o) { observer_counts.release(o); }

const struct observer_kind observer_exact_concurrency = {
    .name = "exact-concurrency",
    .attach = exact_concurrency_attach,
    .finish = exact_concurrency_finish,
    .release = exact_concurrency_release,
};

/* Ignores the program's filter, because a pair can have instructions of any class. */
static struct observer *exact_concurrency_create(const struct exact_setup *setup)
{
    (void)setup;
    return observer_counts.create(&observer_exact_concurrency, &(struct observer_setup){.option[COUNTS_SLOTS] = 1});
}

static size_t exact_concurrency_rows(void *observer, struct exact_row **out)
{
    size_t n;
    struct count_row *counted = counts_rows(observer, &n);
    *out = xcalloc(n + 1, sizeof **out);
    for (size_t r = 0; r < n; r++)
        (*out)[r] = (struct exact_row){
            .key = {counted[r].pc},
            .count[EXACT_CONCURRENCY_FETCHED] = counted[r].count[COUNT_FETCHED],
            .count[EXACT_CONCURRENCY_USEFUL] = counted[r].count[COUNT_USEFUL_ISSUES],
            .count[EXACT_CONCURRENCY_PROGRESS] = counted[r].count[COUNT_IN_PROGRESS],
        };
    free(counted);
    return n;
}

const struct exact_ops exact_concurrency_ops = {.create = exact_concurrency_create, .rows = exact_concurrency_rows};
