/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact per-instruction cycle stacks: the Oracle's attribution of every cycle, by the event signature that the
 * instruction has when it commits (TEA, ISCA 2023). A mispredicted branch, a flush and an exception have their empty
 * cycles under the signature of the instruction in the OIR. */
#include "core-model/prof/time/oir.h"
#include "core-model/prof/time/tea.h"

#include "isa/support/status.h"

static void share(struct tea *tea, const struct probe_token *t)
{
    for (unsigned n = 0; n < t->committing; n++) {
        unsigned b = (t->head + n) % t->banks;
        pics_map_add(&tea->map, t->bank[b].pc, tea_bank_signature(t, b), STATE_COMPUTING,
                     t->repeat * TIME_PER_CYCLE / t->committing);
    }
}

static void empty(struct tea *tea, const struct probe_token *t, uint64_t time)
{
    enum time_state state = oir_state(&t->oir);
    if (state == STATE_DRAINED)
        tea_hold(tea, t, STATE_DRAINED, time);
    else
        pics_map_add(&tea->map, t->oir.pc, state == STATE_HANDLER ? 0 : tea_offender_signature(&t->oir), state, time);
}

static void token(void *ctx, const struct probe_token *t)
{
    struct tea *tea = ((struct profiler *)ctx)->state;
    uint64_t time = t->repeat * TIME_PER_CYCLE;
    tea_settle(tea, t);
    if (t->committing > 0)
        share(tea, t);
    else if (t->handler)
        pics_map_add(&tea->map, HANDLER_PC, 0, STATE_HANDLER, time);
    else if (token_is_empty(t))
        empty(tea, t, time);
    else
        tea_hold(tea, t, STATE_STALLED, time);
    tea_except(tea, t);
}

static void start(struct profiler *p)
{
    p->state = xcalloc(1, sizeof(struct tea));
    p->base.probe.token = token;
    p->base.probe.token_outline = true;
}

static struct observer *create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    return tea_create(kind, setup, start);
}

static void finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    (void)cycles;
    tea_finish(o, hart, true);
}

const struct observer_kind observer_tea_oracle = {
    .name = "tea-oracle",
    .help = "exact: the oracle's cycles with the event signatures of their instructions",
    .create = create,
    .attach = profiler_attach,
    .finish = finish,
    .pics = tea_pics,
    .release = tea_release,
};
