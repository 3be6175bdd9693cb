/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples for path reconstruction (ProfileMe paper, section 5.3). Instructions are selected at fetch by a counter of
 * fetched instructions that is reset to a random number at each selection; they yield a sample if they retire.
 * Selection is independent of instructions in flight, so each fetched instruction has the same probability.
 *
 * Rings hold the last retired control transfers and addresses. The number of samples is bounded: at the limit every
 * second sample is dropped, and the period doubles. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "core-model/prof/observer.h"
#include "core-model/prof/path/edge_table.h"
#include "core-model/riscv/describe.h"

enum { SAMPLES = 8192, TRANSFERS = 512, ADDRESSES = PATH_WINDOW + 1 }; /* the last two: powers of two */
_Static_assert((TRANSFERS & (TRANSFERS - 1)) == 0 && (ADDRESSES & (ADDRESSES - 1)) == 0, "indices are masked");

struct paths {
    struct observer base;
    uint64_t period;   /* mean number of fetched instructions between selections; doubles when samples are thinned */
    uint64_t next_seq; /* the first instruction from this sequence number on is selected */
    struct random random;
    struct path_transfer transfer[TRANSFERS]; /* ring */
    uint64_t address[ADDRESSES];              /* ring */
    uint64_t transfers, addresses;            /* totals of the run */
    uint64_t last_seq;                        /* sequence number of the youngest instruction in the rings */
    bool last_transfers;                      /* that instruction is in both rings */
    struct path_sample sample[SAMPLES];
    struct path_transfer *pool; /* transfers of all samples, in the order of the samples */
    size_t pooled, pool_room;
    struct edge_table edges;
    struct path_profile profile;
};

static uint64_t interval(struct paths *p) { return 1 + random_bits(&p->random) % (2 * p->period - 1); }

static void paths_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct paths *p = ctx;
    (void)cycle;
    p->address[p->addresses++ & (ADDRESSES - 1)] = in->pc;
    p->last_seq = in->seq;
    p->last_transfers = (in->insn->flags & (RV_BRANCH | RV_JUMP)) != 0;
    if (!p->last_transfers)
        return;
    p->transfer[p->transfers++ & (TRANSFERS - 1)] = (struct path_transfer){
        .pc = in->pc, .next = in->outcome->next_pc, .kind = rv_code_kind(in->insn), .taken = in->outcome->taken};
    edge_table_count(&p->edges, in->pc, in->outcome->next_pc);
}

static unsigned paths_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct paths *p = ctx;
    (void)pc, (void)opclass, (void)cycle;
    p->next_seq = seq + interval(p);
    p->profile.selected++;
    return 1;
}

static void paths_append(struct paths *p, const struct path_transfer *t)
{
    if (p->pooled == p->pool_room) {
        p->pool_room = p->pool_room != 0 ? 2 * p->pool_room : 4096;
        p->pool = xrealloc(p->pool, p->pool_room * sizeof *p->pool);
    }
    p->pool[p->pooled++] = *t;
}

/* Appends the transfers from the youngest, number `end` - 1, back to a taken one at or before the branch `length`
 * branches before. Returns their number, or 0 if the ring is too short. */
static unsigned copy_path(struct paths *p, uint64_t end)
{
    size_t first = p->pooled;
    unsigned branches = 0, count = 0;
    bool whole = false;
    uint64_t oldest = p->transfers < TRANSFERS ? 0 : p->transfers - TRANSFERS;
    while (!whole && end > oldest) {
        const struct path_transfer *t = &p->transfer[--end & (TRANSFERS - 1)];
        paths_append(p, t);
        branches += t->kind == CODE_BRANCH;
        count++;
        whole = branches >= p->profile.length && t->taken;
    }
    if (whole)
        return count;
    p->pooled = first;
    return 0;
}

/* Keeps samples 0, 2, 4 and so on, and their transfers. */
static void paths_thin(struct paths *p)
{
    size_t kept = 0, pooled = 0;
    for (size_t i = 0; i < p->profile.samples; i += 2) {
        struct path_sample s = p->sample[i];
        memmove(&p->pool[pooled], &p->pool[s.first], s.transfers * sizeof *p->pool);
        s.first = pooled;
        pooled += s.transfers;
        p->sample[kept++] = s;
    }
    p->profile.thinned += p->profile.samples - kept;
    p->profile.samples = kept;
    p->pooled = pooled;
    p->period *= 2;
}

static void paths_take(struct paths *p, const struct probe_insn *in)
{
    bool counted = p->last_seq == in->seq; /* the sampled instruction is in the rings */
    uint64_t before = p->addresses - counted, transfers = p->transfers - (counted && p->last_transfers);
    unsigned distance = 1 + random_below(&p->random, p->profile.window);
    struct path_sample s = {.pc = in->pc, .history = in->history, .distance = distance, .first = p->pooled};
    if (before >= p->profile.window)
        s.transfers = copy_path(p, transfers);
    if (s.transfers == 0) {
        p->profile.cut++;
        return;
    }
    s.partner_pc = p->address[(before - distance) & (ADDRESSES - 1)];
    p->sample[p->profile.samples++] = s;
    if (p->profile.samples == SAMPLES)
        paths_thin(p);
}

static void paths_tagged(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct paths *p = ctx;
    (void)number, (void)cycle;
    if (in->cause == PROBE_CAUSE_NONE)
        paths_take(p, in);
    else
        p->profile.squashed++;
}

static void paths_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct paths *p = (struct paths *)o;
    (void)cycles, (void)hart;
    p->profile.label = o->label != NULL ? o->label : o->kind->name;
    p->profile.sample = p->sample;
    p->profile.transfer = p->pool;
    p->profile.edges = edge_table_sort(&p->edges);
    p->profile.edge = p->edges.row;
}

static const struct path_profile *profile(const struct observer *o) { return &((const struct paths *)o)->profile; }

static void paths_release(struct observer *o)
{
    struct paths *p = (struct paths *)o;
    edge_table_fini(&p->edges);
    free(p->pool);
    free(p);
}

static struct observer *paths_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct paths *p = xcalloc(1, sizeof *p);
    p->base.kind = kind;
    p->base.probe.ctx = p;
    p->base.probe.stage[PROBE_RETIRED] = paths_retired;
    p->base.probe.tagger = (struct probe_tagger){.at = PROBE_FETCHED,
                                                 .bits = 1,
                                                 .from_seq = &p->next_seq,
                                                 .tag = paths_tag,
                                                 .tagged = paths_tagged,
                                                 .squashed = true};
    p->period = p->profile.period = setup->option[0];
    p->profile.window = (unsigned)setup->option[1];
    p->profile.length = (unsigned)setup->option[2];
    p->random.state = setup->option[3];
    p->next_seq = interval(p);
    return &p->base;
}

static const struct text_option options[] = {
    {.name = "period", .unit = "instructions", .least = 1, .most = UINT32_MAX, .otherwise = 1009},
    {.name = "window", .unit = "instructions", .least = 1, .most = PATH_WINDOW, .otherwise = 50},
    {.name = "length", .unit = "branches", .least = 1, .most = PATH_BRANCHES, .otherwise = PATH_BRANCHES},
    {.name = "seed", .unit = "numbers", .most = UINT64_MAX, .otherwise = TEXT_OPTION_SEED},
    {.name = NULL},
};

const struct observer_kind observer_paths = {
    .name = "paths",
    .help = "reconstructs paths from branch history and pairs of samples, and compares them with the true ones",
    .options = options,
    .create = paths_create,
    .finish = paths_finish,
    .paths = profile,
    .release = paths_release,
};
