/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signatures, held time, and the profile. Entry points: tea.h. */
#include "core-model/prof/time/tea.h"

#include <stdlib.h>

#include "base/status.h"

uint32_t tea_signature(uint32_t events, unsigned commit)
{
    static const struct {
        uint32_t events;
        unsigned commit;
    } source[] = {
#define PICS_EVENT(sym, name, probe_events, commit_flags, meaning) {probe_events, commit_flags},
#include "contract/pics.def"
    };
    uint32_t signature = 0;
    for (unsigned e = 0; e < PICS_EVENT_COUNT; e++)
        if ((events & source[e].events) != 0 || (commit & source[e].commit) != 0)
            signature |= 1u << e;
    return signature;
}

uint32_t tea_bank_signature(const struct probe_token *t, unsigned bank)
{
    return tea_signature(t->bank[bank].events, (t->bank[bank].mispredicted ? PICS_MISPREDICTED : 0u) |
                                                   (t->bank[bank].flushes ? PICS_FLUSHES : 0u));
}

uint32_t tea_offender_signature(const struct probe_oir *o)
{
    unsigned commit = (o->mispredicted ? PICS_MISPREDICTED : 0u) | (o->flush ? PICS_FLUSHES : 0u);
    if (o->exception)
        commit |= o->events & PROBE_REPLAYED ? PICS_ORDERING : PICS_EXCEPTION;
    return tea_signature(o->events, commit);
}

enum tea_end tea_held_look(struct tea_held *h, const struct probe_token *t)
{
    if (!h->waits)
        return TEA_WAITS;
    if (t->committing > 0) {
        h->pc = t->bank[t->head].pc;
        h->signature = tea_bank_signature(t, t->head);
        return TEA_COMPLETE;
    }
    if (t->handler)
        return h->known ? TEA_SQUASHED : TEA_HANDLER;
    if (!token_is_empty(t)) {
        h->known = true;
        h->pc = token_head_pc(t);
        h->signature = t->rob_empty ? 0 : tea_bank_signature(t, t->head);
    }
    return TEA_WAITS;
}

enum tea_end tea_held_except(struct tea_held *h, const struct probe_token *t)
{
    if (!h->waits || !t->exception)
        return TEA_WAITS;
    h->pc = t->exception_pc;
    h->signature = tea_offender_signature(&t->oir);
    return TEA_COMPLETE;
}

static void tea_deliver(struct tea *tea)
{
    const struct tea_held *h = &tea->held;
    if (h->stalled != 0)
        pics_map_add(&tea->map, h->pc, h->signature, STATE_STALLED, h->stalled);
    if (h->drained != 0)
        pics_map_add(&tea->map, h->pc, h->signature, STATE_DRAINED, h->drained);
    tea->held = (struct tea_held){.waits = false};
}

static void time_tea_settle(struct tea *tea, enum tea_end end)
{
    if (end == TEA_WAITS)
        return;
    if (end == TEA_HANDLER) {
        pics_map_add(&tea->map, HANDLER_PC, 0, STATE_HANDLER, tea->held.drained);
        tea->held = (struct tea_held){.waits = false};
        return;
    }
    tea->squashed += end == TEA_SQUASHED;
    tea_deliver(tea);
}

void tea_settle(struct tea *tea, const struct probe_token *t) { time_tea_settle(tea, tea_held_look(&tea->held, t)); }

void tea_hold(struct tea *tea, const struct probe_token *t, enum time_state state, uint64_t time)
{
    struct tea_held *h = &tea->held;
    h->waits = true;
    *(state == STATE_STALLED ? &h->stalled : &h->drained) += time;
    tea_settle(tea, t);
}

void tea_settle_commit(struct tea *tea, uint64_t pc, uint32_t signature, uint64_t stalled)
{
    tea->held.stalled += stalled;
    tea->held.pc = pc;
    tea->held.signature = signature;
    tea_deliver(tea);
}

void tea_except(struct tea *tea, const struct probe_token *t) { time_tea_settle(tea, tea_held_except(&tea->held, t)); }

struct observer *tea_create(const struct observer_kind *kind, const struct observer_setup *setup,
                            void (*start)(struct profiler *p))
{
    struct observer *o = profiler_create(kind, setup, start);
    struct tea *tea = ((struct profiler *)o)->state;
    pics_map_init(&tea->map);
    return o;
}

void tea_finish(struct observer *o, struct hart *hart, bool exact)
{
    struct profiler *p = (struct profiler *)o;
    struct tea *tea = p->state;
    struct pics_profile *out = &tea->profile;
    if (tea->held.waits)
        tea_deliver(tea);
    free((void *)out->row);
    *out = (struct pics_profile){.label = o->label != NULL ? o->label : o->kind->name,
                                 .exact = exact,
                                 .period = p->schedule.period,
                                 .samples = p->samples,
                                 .squashed = tea->squashed};
    out->row = pics_map_rows(&tea->map, hart, &out->rows);
    for (size_t r = 0; r < out->rows; r++)
        out->time += pics_row_total(&out->row[r]);
    pics_map_fini(&tea->map); /* the rows have what it had */
    pics_map_init(&tea->map);
}

const struct pics_profile *tea_pics(const struct observer *o)
{
    return &((const struct tea *)((const struct profiler *)o)->state)->profile;
}

void tea_release(struct observer *o)
{
    struct tea *tea = ((struct profiler *)o)->state;
    free((void *)tea->profile.row);
    pics_map_fini(&tea->map);
    profiler_release(o);
}
