/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `instructions`: retirements, events and bytes accessed, by address. A store accesses the cache
 * after its retirement, so its events are counted when the cache accepts it (struct probe_tagger, `complete`). */
#include "core-model/prof/exact/exact_counter.h"

enum { STORES = 1 << OPCLASS_STORE | 1 << OPCLASS_FSTORE };

struct instructions {
    struct exact_counter counter;
    struct event_filter stores; /* the tagger's filter: stores of the program's classes */
};

static void exact_instructions_add_events(uint64_t *count, uint32_t events)
{
    static const struct {
        unsigned count;
        enum probe_event event;
    } of_event[] = {
        {EXACT_INSTRUCTIONS_L1MISS, PROBE_DCACHE_MISS},   {EXACT_INSTRUCTIONS_L2MISS, PROBE_L2_MISS},
        {EXACT_INSTRUCTIONS_LLMISS, PROBE_LLC_MISS},      {EXACT_INSTRUCTIONS_DTMISS, PROBE_DTLB_MISS},
        {EXACT_INSTRUCTIONS_MISPRED, PROBE_MISPREDICTED},
    };
    for (unsigned i = 0; i < sizeof of_event / sizeof of_event[0]; i++)
        count[of_event[i].count] += (events & of_event[i].event) != 0;
}

static uint64_t *exact_instructions_count_of(void *ctx, const struct probe_insn *in)
{
    struct exact_counter *c = ctx;
    return exact_table_at(&c->table, in->pc, 0, 0)->count;
}

static void exact_instructions_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    uint64_t *count = exact_instructions_count_of(ctx, in);
    (void)cycle;
    count[EXACT_INSTRUCTIONS_RETIRED]++;
    count[EXACT_INSTRUCTIONS_BYTES] += in->outcome->mem_bytes;
    if ((STORES >> in->insn->opclass & 1) == 0)
        exact_instructions_add_events(count, in->events);
}

static unsigned exact_instructions_tag_store(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    (void)ctx, (void)seq, (void)pc, (void)opclass, (void)cycle;
    return 1;
}

/* A retired store has made its access, or makes none. */
static void exact_instructions_stored(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle)
{
    (void)tag, (void)cycle;
    exact_instructions_add_events(exact_instructions_count_of(ctx, in), in->events);
}

const struct observer_kind observer_exact_instructions = {
    .name = "exact-instructions",
    .release = exact_counter_release,
};

static struct observer *exact_instructions_create(const struct exact_setup *setup)
{
    struct instructions *i = exact_counter_new(sizeof *i, &observer_exact_instructions, setup->classes,
                                               exact_instructions_retired);
    i->stores = (struct event_filter){.classes = setup->classes & STORES, .from = UINT64_MAX};
    if (i->stores.classes != 0)
        i->counter.base.probe.tagger = (struct probe_tagger){.at = PROBE_MAPPED,
                                                             .bits = 1,
                                                             .filter = &i->stores,
                                                             .tag = exact_instructions_tag_store,
                                                             .tagged = exact_instructions_stored,
                                                             .complete = true};
    return &i->counter.base;
}

const struct exact_ops exact_instructions_ops = {.create = exact_instructions_create, .rows = exact_counter_rows};
