/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Skeleton of an observer: a histogram of load latencies, from issue to the data, in classes that double. It counts
 * loads and atomics that retire, and reports their mean latency and the share that missed the L1 data cache. */
#include <pcemu/plugin.h>
#include <stdio.h>
#include <stdlib.h>

enum { CLASSES = 12 }; /* class n: latencies from 2^n on, below 2^(n+1); the last one: all above */

struct latencies {
    uint64_t loads, cycles, missed;
    uint64_t of_class[CLASSES];
};

static void *latencies_create(const struct pcemu_setup *setup, char *error, size_t error_bytes)
{
    if (setup->options[0] != '\0') {
        snprintf(error, error_bytes, "expected no options, found '%s'", setup->options);
        return NULL;
    }
    struct latencies *l = calloc(1, sizeof *l);
    if (l == NULL)
        snprintf(error, error_bytes, "there is no memory");
    return l;
}

static int is_load(const struct pcemu_insn *in)
{
    return in->opclass == PCEMU_CLASS_LOAD || in->opclass == PCEMU_CLASS_FLOAD || in->opclass == PCEMU_CLASS_ATOMIC;
}

static void latencies_retired(void *state, const struct pcemu_insn *in)
{
    struct latencies *l = state;
    if (!is_load(in))
        return;
    const uint64_t issued = in->cycle[PCEMU_STAGE_ISSUED], done = in->cycle[PCEMU_STAGE_LOAD_COMPLETED];
    const uint64_t latency = issued != 0 && done > issued ? done - issued : 0;
    int n = 0;
    for (uint64_t rest = latency >> 1; rest != 0 && n < CLASSES - 1; rest >>= 1)
        n++;
    l->loads++;
    l->cycles += latency;
    l->missed += (in->events & PCEMU_EVENT_DCACHE_MISS) != 0;
    l->of_class[n]++;
}

static void latencies_report(void *state, const struct pcemu_host *host, struct pcemu_report *r)
{
    const struct latencies *l = state;
    const double loads = l->loads != 0 ? (double)l->loads : 1;
    host->count(r, "loads", "  loads", l->loads, NULL);
    host->real(r, "mean_latency", "  mean latency", (double)l->cycles / loads, 2, "cycles");
    host->share(r, "missed", "  missed the L1 data cache", (double)l->missed / loads);
    struct pcemu_table *t = host->table(r, "latencies", "Load latencies");
    host->column(t, PCEMU_COLUMN_COUNT, "from", "from, cycles");
    host->column(t, PCEMU_COLUMN_COUNT, "loads", "loads");
    host->column(t, PCEMU_COLUMN_SHARE, "share", "share");
    for (int n = 0; n < CLASSES; n++) {
        if (l->of_class[n] == 0)
            continue;
        host->row(t);
        host->cell_count(t, n == 0 ? 0 : UINT64_C(1) << n);
        host->cell_count(t, l->of_class[n]);
        host->cell_number(t, (double)l->of_class[n] / loads);
    }
}

static const struct pcemu_observer latencies = {
    PCEMU_VERSION(struct pcemu_observer),
    .stages = 1u << PCEMU_STAGE_ISSUED | 1u << PCEMU_STAGE_LOAD_COMPLETED,
    .retired = latencies_retired,
    .report = latencies_report,
};

const struct pcemu_plugin pcemu_plugin = {
    PCEMU_VERSION(struct pcemu_plugin),
    .kind = PCEMU_KIND_OBSERVER,
    .name = "load-latency",
    .description = "histogram of the latencies of loads",
    .create = latencies_create,
    .destroy = free,
    .functions = &latencies,
};
