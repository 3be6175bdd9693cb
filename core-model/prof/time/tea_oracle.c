/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact per-instruction cycle stacks: the Oracle's attribution of every cycle, by the instruction's event signature
 * at commit (TEA, ISCA 2023). The empty cycles after a misprediction, flush or exception are attributed to the
 * signature of the instruction in the OIR. */
#include "core-model/prof/time/oir.h"
#include "core-model/prof/time/tea.h"

#include "base/status.h"

static void tea_oracle_share(struct tea *tea, const struct probe_token *t)
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

static void tea_oracle_token(void *ctx, const struct probe_token *t)
{
    struct tea *tea = ((struct profiler *)ctx)->state;
    uint64_t time = t->repeat * TIME_PER_CYCLE;
    tea_settle(tea, t);
    if (t->committing > 0)
        tea_oracle_share(tea, t);
    else if (t->handler)
        pics_map_add(&tea->map, HANDLER_PC, 0, STATE_HANDLER, time);
    else if (token_is_empty(t))
        empty(tea, t, time);
    else
        tea_hold(tea, t, STATE_STALLED, time);
    tea_except(tea, t);
}

static void tea_oracle_commits(void *ctx, const struct probe_commits *c)
{
    struct tea *tea = ((struct profiler *)ctx)->state;
    struct time_map *base = &tea->map.base;
    const struct pc_page *page = &pc_no_page;
    unsigned insn = 0;
    for (const struct probe_commit *n = c->at; n != c->at + c->cycles; n++) {
        const uint64_t part = time_parts[n->committing];
        if (tea->held.waits || n->stalled != 0)
            tea_settle_commit(tea, c->pc[insn], tea_commit_signature(c->event[insn]), n->stalled * TIME_PER_CYCLE);
        for (unsigned end = insn + n->committing; insn != end; insn++) {
            uint32_t signature = tea_commit_signature(c->event[insn]);
            if (signature != 0) {
                pics_map_add(&tea->map, c->pc[insn], signature, STATE_COMPUTING, part);
                continue;
            }
            uint32_t at = time_map_find(base, c->pc[insn], &page);
            base->time[STATE_COMPUTING][at] += part;
        }
    }
}

static void tea_oracle_start(struct profiler *p)
{
    p->state = xcalloc(1, sizeof(struct tea));
    p->base.probe.token = tea_oracle_token;
    p->base.probe.commits = tea_oracle_commits;
    p->base.probe.commit_events = p->base.probe.token_outline = true;
}

static struct observer *tea_oracle_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    return tea_create(kind, setup, tea_oracle_start);
}

static void tea_oracle_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    (void)cycles;
    tea_finish(o, hart, true);
}

const struct observer_kind observer_tea_oracle = {
    .name = "tea-oracle",
    .help = "exact: the oracle's cycles with the event signatures of their instructions",
    .create = tea_oracle_create,
    .attach = profiler_attach,
    .finish = tea_oracle_finish,
    .pics = tea_pics,
    .release = tea_release,
};
