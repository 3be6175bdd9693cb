/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time from samples of fetched instructions (ProfileMe paper, section 4.1), weighted by their retire delay: the cycles
 * from the retirement before an instruction's to its own. The Alpha 21264A measures it, as does Intel's timed PEBS.
 *
 * Each fetched instruction is selected with probability 1/S. Each cycle of a run belongs to the delay of exactly one
 * retired instruction, so delay * S is an unbiased estimate of an instruction's time. Two corrections attribute each
 * part of the delay to the same instruction as the oracle:
 * - After an offender (identified by the OIR before the instruction), the cycles before the instruction entered the ROB
 *   are attributed to the offender; without the correction to the instruction itself, as by NCI.
 * - A cycle in which n instructions retire is shared by all of them; without the correction it is attributed to the
 *   oldest.
 *
 * With S = 1 and both corrections the profile on an out-of-order core equals the oracle's, except for the run's first
 * cycle, executions squashed by an interrupt, handler time, and store-queue stalls after an offender. On an in-order
 * core the oracle observes issue instead of retirement.
 *
 * In hardware each sample in flight needs a register set. */
#include <stdlib.h>

#include "core-model/prof/count/geometric.h"
#include "core-model/prof/time/oir.h"

#include "base/status.h"

enum { OPTION_PERIOD, OPTION_NO_OFFENDER, OPTION_NO_ILP, OPTION_SEED };

static const struct text_option options[] = {
    [OPTION_PERIOD] =
        {.name = "period", .unit = "instructions", .least = 1, .most = UINT64_C(1) << 40, .otherwise = 10007},
    [OPTION_NO_OFFENDER] = {.name = "no-offender"},
    [OPTION_NO_ILP] = {.name = "no-ilp"},
    [OPTION_SEED] = {.name = "seed", .unit = "numbers", .most = UINT64_MAX, .otherwise = TEXT_OPTION_SEED},
    {.name = NULL},
};

struct retire_delay {
    struct geometric intervals;
    struct random random;
    uint64_t period, next; /* period in instructions; sequence number of the next selection, 0 before the first */
    bool offender, ilp;
    unsigned in_flight; /* number of samples that have neither retired nor been squashed */
    /* passes while a sample is in flight, and until the end of the cycle of its retirement */
    struct event_filter retirements;
    uint64_t cycle;   /* cycle of the last retirement */
    unsigned retired; /* number of retirements in that cycle; unbounded on an in-order core */
    uint64_t *sample; /* addresses of the sampled ones among them */
    unsigned samples, capacity;
};

static unsigned retire_delay_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct retire_delay *d = ((struct profiler *)ctx)->state;
    (void)pc, (void)opclass, (void)cycle;
    if (d->next == 0)
        d->next = seq - 1 + geometric_draw(&d->intervals, &d->random);
    if (seq != d->next)
        return 0;
    d->next += geometric_draw(&d->intervals, &d->random);
    d->in_flight++;
    d->retirements.from = 0;
    return 1;
}

/* Attributes the cycles [from, to) with a commit state to an address. */
static void give(struct profiler *p, uint64_t pc, enum time_state state, uint64_t from, uint64_t to)
{
    const struct retire_delay *d = p->state;
    if (to > from)
        time_map_add(&p->map, pc, state, (to - from) * d->period * TIME_PER_CYCLE);
}

static void await_share(struct retire_delay *d, uint64_t pc)
{
    if (d->samples == d->capacity) {
        d->capacity = d->capacity == 0 ? PROBE_MAX_BANKS : 2 * d->capacity;
        d->sample = xrealloc(d->sample, d->capacity * sizeof *d->sample);
    }
    d->sample[d->samples++] = pc;
}

static void retire_delay_tagged(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct profiler *p = ctx;
    struct retire_delay *d = p->state;
    (void)number;
    p->samples++;
    d->in_flight--;
    if (in->cause != PROBE_CAUSE_NONE)
        return;
    uint64_t from = in->retired_before + 1, entry = in->stage_cycle[PROBE_MAPPED];
    bool oldest = in->retired_before < cycle;
    if (oldest && entry > from) { /* the ROB was empty until `entry` */
        enum time_state state = oir_state(&in->before);
        bool is_offenders = state != STATE_DRAINED && (d->offender || state == STATE_HANDLER);
        give(p, is_offenders ? in->before.pc : in->pc, is_offenders ? state : STATE_DRAINED, from, entry);
        from = entry;
    }
    give(p, in->pc, STATE_STALLED, from, cycle);
    if (d->ilp)
        await_share(d, in->pc);
    else if (oldest)
        give(p, in->pc, STATE_COMPUTING, cycle, cycle + 1);
}

/* Shares a cycle at its end, when the number of its retirements is known. */
static void retire_delay_share(struct profiler *p)
{
    struct retire_delay *d = p->state;
    for (unsigned n = 0; n < d->samples; n++)
        time_map_add(&p->map, d->sample[n], STATE_COMPUTING, d->period * TIME_PER_CYCLE / d->retired);
    d->samples = d->retired = 0;
}

/* Called before the instruction is delivered. A sample is fetched before the cycle of its retirement, so all
 * retirements of that cycle are counted. */
static void retire_delay_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct profiler *p = ctx;
    struct retire_delay *d = p->state;
    (void)in;
    if (cycle != d->cycle) {
        retire_delay_share(p);
        if (d->in_flight == 0)
            d->retirements.from = UINT64_MAX;
    }
    d->cycle = cycle;
    d->retired++;
}

static void retire_delay_start(struct profiler *p)
{
    struct retire_delay *d = xcalloc(1, sizeof *d);
    p->state = d;
    p->base.probe.cycles = 1u << PROBE_RETIRED | 1u << PROBE_MAPPED;
    p->base.probe.tagger = (struct probe_tagger){.at = PROBE_FETCHED,
                                                 .bits = 1,
                                                 .from_seq = &d->next,
                                                 .tag = retire_delay_tag,
                                                 .tagged = retire_delay_tagged,
                                                 .squashed = true};
}

static struct observer *retire_delay_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct observer *o = profiler_create(kind, setup, retire_delay_start);
    struct retire_delay *d = ((struct profiler *)o)->state;
    d->period = setup->option[OPTION_PERIOD];
    d->offender = setup->option[OPTION_NO_OFFENDER] == 0;
    d->ilp = setup->option[OPTION_NO_ILP] == 0;
    d->random.state = setup->option[OPTION_SEED];
    geometric_init(&d->intervals, d->period);
    if (d->ilp) {
        d->retirements = (struct event_filter){.from = UINT64_MAX};
        o->probe.stage[PROBE_RETIRED] = retire_delay_retired;
        o->probe.filter[PROBE_RETIRED] = &d->retirements;
        o->probe.for_tagged = true;
        ((struct profiler *)o)->finish = retire_delay_share;
    }
    return o;
}

static void retire_delay_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    (void)cycles;
    profiler_finish(o, hart, false, true);
    ((struct profiler *)o)->profile.weighted = true;
}

static void retire_delay_release(struct observer *o)
{
    free(((struct retire_delay *)((struct profiler *)o)->state)->sample);
    profiler_release(o);
}

const struct observer_kind observer_retire_delay = {
    .name = "retire-delay",
    .help = "random fetched instructions, weighted by how long retirement waited for each, as timed PEBS",
    .options = options,
    .create = retire_delay_create,
    .attach = profiler_attach,
    .finish = retire_delay_finish,
    .time = profiler_time,
    .release = retire_delay_release,
};
