/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `instructions`: retirements, events and bytes accessed, by address. Misses of stores are not
 * included, because a store accesses the cache after retirement. */
#include "core-model/prof/exact/exact_counter.h"

static void retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    static const struct {
        unsigned count;
        enum probe_event event;
    } of_event[] = {
        {EXACT_INSTRUCTIONS_L1MISS, PROBE_DCACHE_MISS},   {EXACT_INSTRUCTIONS_L2MISS, PROBE_L2_MISS},
        {EXACT_INSTRUCTIONS_LLMISS, PROBE_LLC_MISS},      {EXACT_INSTRUCTIONS_DTMISS, PROBE_DTLB_MISS},
        {EXACT_INSTRUCTIONS_MISPRED, PROBE_MISPREDICTED},
    };
    struct exact_counter *c = ctx;
    uint64_t *count = exact_table_at(&c->table, in->pc, 0, 0)->count;
    (void)cycle;
    count[EXACT_INSTRUCTIONS_RETIRED]++;
    count[EXACT_INSTRUCTIONS_BYTES] += in->outcome->mem_bytes;
    for (unsigned i = 0; i < sizeof of_event / sizeof of_event[0]; i++)
        count[of_event[i].count] += (in->events & of_event[i].event) != 0;
}

const struct observer_kind observer_exact_instructions = {
    .name = "exact-instructions",
    .help = "how often each instruction retired, its events, and the bytes that it accessed",
    .release = exact_counter_release,
};

static struct observer *create(const struct exact_setup *setup)
{
    return exact_counter_new(sizeof(struct exact_counter), &observer_exact_instructions, setup->classes, retired);
}

const struct exact_ops exact_instructions_ops = {.create = create, .rows = exact_counter_rows};
