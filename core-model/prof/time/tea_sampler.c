/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TEA's sampler: TIP's selection, and the event signature of each selected instruction (TEA, ISCA 2023). Commit banks
 * and OIR hold the signatures of their instructions, so a sample of a commit or of an offender is complete immediately.
 * A sample of a stalled or drained ROB waits until the selected instruction commits or raises its exception. Triggers
 * until then select the same instruction and join the sample. */
#include "core-model/prof/time/tea.h"

#include "base/status.h"

/* All instructions that commit together share the cycle. */
static void sample_commit(struct tea *tea, const struct tip_csr *csr, const struct probe_token *t)
{
    for (unsigned b = 0; b < t->banks; b++)
        if (csr->flags >> (TIP_VALID_SHIFT + b) & 1)
            pics_map_add(&tea->map, csr->address[b], tea_bank_signature(t, b), STATE_COMPUTING,
                         csr->cycles * TIME_PER_CYCLE / t->committing);
}

static void tea_sampler_sample(struct tea *tea, const struct probe_token *t, uint64_t cycles)
{
    struct tip_csr csr = {.cycles = cycles};
    uint64_t time = cycles * TIME_PER_CYCLE;
    if (t->handler && t->committing == 0) {
        pics_map_add(&tea->map, HANDLER_PC, 0, STATE_HANDLER, time);
    } else if (!tip_select(&csr, &t->oir, t)) {
        tea_hold(tea, t, STATE_DRAINED, time);
    } else if (csr.flags & TIP_STALLED) {
        tea_hold(tea, t, STATE_STALLED, time);
    } else if (csr.flags & (TIP_EXCEPTION | TIP_FLUSH | TIP_MISPREDICTED)) {
        enum time_state state = tip_state(csr.flags, csr.address[0]);
        uint32_t signature = state == STATE_HANDLER ? 0 : tea_offender_signature(&t->oir);
        pics_map_add(&tea->map, csr.address[0], signature, state, time);
    } else {
        sample_commit(tea, &csr, t);
    }
}

static void tea_sampler_token(void *ctx, const struct probe_token *t)
{
    struct profiler *p = ctx;
    struct tea *tea = p->state;
    tea_settle(tea, t);
    uint64_t cycles = schedule_take_until(&p->schedule, t->cycle + t->repeat, &p->samples);
    if (cycles != 0)
        tea_sampler_sample(tea, t, cycles);
    tea_except(tea, t);
    p->token_from = tea->held.waits ? 0 : p->schedule.next;
}

static void tea_sampler_start(struct profiler *p)
{
    p->state = xcalloc(1, sizeof(struct tea));
    profiler_on_samples(p, tea_sampler_token);
}

static struct observer *tea_sampler_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    return tea_create(kind, setup, tea_sampler_start);
}

static void tea_sampler_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    (void)cycles;
    tea_finish(o, hart, false);
}

const struct observer_kind observer_tea = {
    .name = "tea",
    .help = "time-proportional event analysis: TIP's instructions with their event signatures",
    .options = profiler_sampling,
    .create = tea_sampler_create,
    .attach = profiler_attach,
    .finish = tea_sampler_finish,
    .pics = tea_pics,
    .release = tea_release,
};
