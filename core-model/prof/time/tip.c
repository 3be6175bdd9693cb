/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TIP: the hardware between ROB and performance counter, and the software that builds a profile from its samples. */
#include "core-model/prof/time/tip.h"

#include "base/status.h"

struct tip {
    struct tip_csr csr;
    bool frozen; /* flags are frozen; addresses remain write-enabled until the first dispatch */
    bool ilp;
};

static uint64_t oldest(unsigned bank) { return (uint64_t)bank << TIP_OLDEST_SHIFT; }
static uint64_t valid(unsigned bank) { return UINT64_C(1) << (TIP_VALID_SHIFT + bank); }

static void select_offender(struct tip_csr *csr, const struct probe_oir *oir)
{
    csr->address[0] = oir->pc;
    csr->flags = valid(0) | (oir->exception ? TIP_EXCEPTION : 0) | (oir->flush ? TIP_FLUSH : 0) |
                 (oir->mispredicted ? TIP_MISPREDICTED : 0);
}

bool tip_select(struct tip_csr *csr, const struct probe_oir *oir, const struct probe_token *t)
{
    if (token_is_empty(t)) {
        select_offender(csr, oir);
        if (oir_state(oir) != STATE_DRAINED)
            return true;
        csr->flags |= TIP_FRONTEND;
        return false;
    }
    csr->flags = oldest(t->head) | (t->committing == 0 ? TIP_STALLED : 0);
    for (unsigned b = 0; b < t->banks; b++) {
        csr->address[b] = t->bank[b].pc;
        if (t->committing > 0 ? t->bank[b].commits : t->bank[b].valid)
            csr->flags |= valid(b);
    }
    if (t->rob_empty) { /* the instruction that enters in this cycle, or waits to enter */
        csr->address[t->head] = t->dispatch_pc;
        csr->flags |= valid(t->head);
    }
    return true;
}

void tip_dispatched(struct tip_csr *csr, const struct probe_token *t)
{
    csr->address[t->head] = t->dispatch_pc;
    csr->flags = (csr->flags & 0xff) | valid(t->head) | oldest(t->head);
}

/* Software recognises a handler by its address. */
enum time_state tip_state(uint64_t flags, uint64_t address)
{
    if (address == HANDLER_PC && flags & TIP_FLUSH)
        return STATE_HANDLER;
    if (flags & TIP_STALLED)
        return STATE_STALLED;
    if (flags & (TIP_EXCEPTION | TIP_FLUSH))
        return STATE_FLUSHED;
    if (flags & TIP_MISPREDICTED)
        return STATE_MISPREDICTED;
    return flags & TIP_FRONTEND ? STATE_DRAINED : STATE_COMPUTING;
}

void tip_account(struct time_map *m, const struct tip_csr *csr, bool ilp)
{
    unsigned head = csr->flags >> TIP_OLDEST_SHIFT & (PROBE_MAX_BANKS - 1),
             valids = csr->flags >> TIP_VALID_SHIFT & 0xff;
    enum time_state state = tip_state(csr->flags, csr->address[head]);
    uint64_t time = csr->cycles * TIME_PER_CYCLE;
    if (state != STATE_COMPUTING || !ilp) {
        time_map_add(m, csr->address[head], state, time);
        return;
    }
    unsigned n = (unsigned)__builtin_popcount(valids);
    for (unsigned b = 0; b < PROBE_MAX_BANKS; b++)
        if (valids >> b & 1)
            time_map_add(m, csr->address[b], state, time / n);
}

/* Takes the triggers of the token, of which there is one at least. They all select the same instructions. */
static void tip_sample(struct profiler *p, struct tip *tip, const struct probe_token *t)
{
    tip->csr.cycles = schedule_take(&p->schedule);
    p->samples++;
    tip->frozen = !tip_select(&tip->csr, &t->oir, t);
    if (tip->frozen)
        return;
    tip->csr.cycles += schedule_take_until(&p->schedule, t->cycle + t->repeat, &p->samples);
    tip_account(&p->map, &tip->csr, tip->ilp);
}

/* Completes a frozen sample. Triggers before its completion would select the same instruction, so the sample also
 * represents their cycles. */
static void tip_complete(struct profiler *p, struct tip *tip, const struct probe_token *t)
{
    uint64_t end = token_is_at_dispatch(t) ? t->cycle : t->cycle + t->repeat;
    tip->csr.cycles += schedule_take_until(&p->schedule, end, &p->samples);
    if (!token_is_at_dispatch(t))
        return;
    tip_dispatched(&tip->csr, t);
    tip_account(&p->map, &tip->csr, tip->ilp);
    tip->frozen = false;
}

/* Handles samples in a handler, and the frozen one that the handler's first instruction completes. */
static void sample_handler(struct profiler *p, struct tip *tip, const struct probe_token *t)
{
    uint64_t cycles = tip->frozen ? tip->csr.cycles : 0;
    tip->frozen = false;
    cycles += schedule_take_until(&p->schedule, t->cycle + t->repeat, &p->samples);
    if (cycles != 0)
        time_map_add(&p->map, HANDLER_PC, STATE_HANDLER, cycles * TIME_PER_CYCLE);
}

static void tip_token(void *ctx, const struct probe_token *t)
{
    struct profiler *p = ctx;
    struct tip *tip = p->state;
    if (t->handler && t->committing == 0)
        sample_handler(p, tip, t);
    if (tip->frozen)
        tip_complete(p, tip, t);
    if (!tip->frozen && schedule_due(&p->schedule, t->cycle + t->repeat))
        tip_sample(p, tip, t);
    if (tip->frozen)
        tip_complete(p, tip, t);
    p->token_from = tip->frozen ? 0 : p->schedule.next;
}

static void tip_finish(struct profiler *p)
{
    struct tip *tip = p->state;
    if (tip->frozen)
        time_map_add(&p->map, 0, STATE_DRAINED, tip->csr.cycles * TIME_PER_CYCLE);
    tip->frozen = false;
}

static void tip_start(struct profiler *p)
{
    struct tip *tip = xcalloc(1, sizeof *tip);
    tip->ilp = true;
    p->state = tip;
    profiler_on_samples(p, tip_token);
    p->finish = tip_finish;
}

static void start_oldest(struct profiler *p)
{
    tip_start(p);
    ((struct tip *)p->state)->ilp = false;
}

PROFILER(tip, "tip", profiler_sampling, tip_start, true,
         "time-proportional: what the oracle would choose in the sampled cycle")
PROFILER(tip_ilp, "tip-ilp", profiler_sampling, start_oldest, true,
         "the same, but only the oldest of several that commit together")
