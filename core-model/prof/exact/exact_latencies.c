/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `latencies`: load latencies by address, in buckets whose bounds are powers of two. The latency is
 * ProfileMe's "load issue to completion" (paper, Table 1): the sample field `memlat`. */
#include "core-model/prof/exact/exact_counter.h"

/* Bucket 0: below 4 cycles; the upper bound doubles from bucket to bucket. */
static unsigned exact_latencies_bucket_of(uint64_t cycles)
{
    unsigned bucket = 0;
    for (uint64_t rest = cycles >> 2; rest != 0 && bucket < EXACT_LATENCIES_FROM_256; rest >>= 1)
        bucket++;
    return bucket;
}

static void exact_latencies_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct exact_counter *c = ctx;
    uint64_t issued = in->stage_cycle[PROBE_ISSUED], completed = in->stage_cycle[PROBE_LOAD_COMPLETED];
    uint64_t latency = issued != 0 && completed > issued ? completed - issued : 0;
    (void)cycle;
    exact_table_at(&c->table, in->pc, 0, 0)->count[exact_latencies_bucket_of(latency)]++;
}

const struct observer_kind observer_exact_latencies = {
    .name = "exact-latencies",
    .release = exact_counter_release,
};

static struct observer *exact_latencies_create(const struct exact_setup *setup)
{
    struct exact_counter *c = exact_counter_new(sizeof *c, &observer_exact_latencies, setup->classes,
                                                exact_latencies_retired);
    c->base.probe.cycles = 1u << PROBE_ISSUED | 1u << PROBE_LOAD_COMPLETED;
    return &c->base;
}

const struct exact_ops exact_latencies_ops = {.create = exact_latencies_create, .rows = exact_counter_rows};
