/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each callback gets a copy of its record in which addresses are places. When a core reports a cycle, the tracker has
 * seen the transfers that retire in it. Merged tokens come later, so the view of an observer of merged tokens, which
 * gets every cycle, counts the instructions. Entry points: call_view.h. */
#include "core-model/prof/stack/call_view.h"

#include <stdlib.h>

#include "base/status.h"
#include "core-model/riscv/memory.h"

_Static_assert((int)MEM_ADDRESS_BITS <= (int)CALL_ADDRESS_BITS, "a place has every address");

struct call_view {
    const struct call_tracker *calls;
    struct probe_listener inner; /* subscriptions of the observer */
    bool counts;                 /* the observer gets every cycle */
    uint64_t retired;            /* if `counts`: instructions until now */
    struct probe_insn insn;      /* the copies */
    struct probe_token token;
    struct probe_commits commits;
};

/* Address 0 is no instruction. */
static uint64_t call_view_place(uint32_t node, uint64_t pc) { return pc != 0 ? call_place(node, pc) : 0; }

/* ---- instructions ---- */

static const struct probe_insn *call_view_insn(struct call_view *v, const struct probe_insn *in)
{
    v->insn = *in;
    v->insn.pc = call_view_place(call_tracker_at_seq(v->calls, in->seq), in->pc);
    if ((v->inner.cycles & 1u << PROBE_RETIRED) != 0)
        v->insn.before.pc = call_view_place(in->before.exception
                                                ? call_tracker_at_seq(v->calls, in->seq)
                                                : call_tracker_before_seq(v->calls, in->seq, in->before.pc),
                                            in->before.pc);
    return &v->insn;
}

#define STAGE(sym, name, meaning)                                                             \
    static void call_view_stage_##sym(void *ctx, const struct probe_insn *in, uint64_t cycle) \
    {                                                                                         \
        struct call_view *v = ctx;                                                            \
        v->inner.stage[PROBE_##sym](v->inner.ctx, call_view_insn(v, in), cycle);              \
    }
#define EVENT(sym, name, meaning)                                \
    static void call_view_event_##sym(void *ctx, uint64_t cycle) \
    {                                                            \
        struct call_view *v = ctx;                               \
        v->inner.event[PROBE_BIT_##sym](v->inner.ctx, cycle);    \
    }
#include "core-model/probe/probe.def"

static void call_view_result(void *ctx, enum opclass opclass, uint64_t pc, uint64_t value)
{
    const struct call_view *v = ctx;
    v->inner.result(v->inner.ctx, opclass, pc, value);
}

static unsigned call_view_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    const struct call_view *v = ctx;
    return v->inner.tagger.tag(v->inner.ctx, seq, pc, opclass, cycle);
}

static void call_view_tagged(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle)
{
    struct call_view *v = ctx;
    v->inner.tagger.tagged(v->inner.ctx, call_view_insn(v, in), tag, cycle);
}

/* ---- cycles ---- */

/* Places in a cycle behind which `retired` instructions have retired. Of the instructions in the banks that do not
 * commit, the oldest alone has its own context, which is that of the next instruction. */
static void call_view_fill_token(struct call_view *v, const struct probe_token *t, uint64_t retired)
{
    const uint32_t next = call_tracker_at(v->calls, retired);
    struct probe_token *to = &v->token;
    unsigned b = t->head;
    *to = *t;
    to->exception_pc = call_view_place(next, t->exception_pc);
    to->dispatch_pc = call_view_place(next, t->dispatch_pc);
    to->interrupt_pc = call_view_place(next, t->interrupt_pc);
    to->oir.pc = call_view_place(t->oir.exception ? next : call_tracker_at(v->calls, retired - 1), t->oir.pc);
    to->last_commit = call_view_place(call_tracker_at(v->calls, retired - 1), t->last_commit);
    for (unsigned n = 0; n < t->banks; n++) {
        const uint32_t node = n < t->committing ? call_tracker_at(v->calls, retired - t->committing + n) : next;
        to->bank[b].pc = call_view_place(node, t->bank[b].pc);
        b = b + 1 == t->banks ? 0 : b + 1;
    }
}

static void call_view_token(void *ctx, const struct probe_token *t)
{
    struct call_view *v = ctx;
    v->retired += t->committing;
    call_view_fill_token(v, t, v->counts ? v->retired : core_retired(v->calls->core));
    v->inner.token(v->inner.ctx, &v->token);
}

static void call_view_commits(void *ctx, const struct probe_commits *c)
{
    struct call_view *v = ctx;
    struct probe_commits *to = &v->commits;
    uint64_t change = call_tracker_next_change(v->calls, v->retired);
    to->from = c->from;
    to->cycles = c->cycles;
    to->insns = c->insns;
    for (unsigned n = 0; n < c->cycles; n++)
        to->at[n] = c->at[n];
    for (unsigned n = 0; n < c->insns;) {
        const bool is_last = change == v->calls->changes;
        const uint64_t left = is_last ? UINT64_MAX : call_tracker_change(v->calls, change)->retired - v->retired;
        const unsigned end = left < c->insns - n ? n + (unsigned)left : c->insns;
        const uint32_t node = call_tracker_node_until(v->calls, change);
        v->retired += end - n;
        for (; n < end; n++) {
            to->pc[n] = call_place(node, c->pc[n]);
            to->event[n] = c->event[n];
        }
        change += !is_last;
    }
    v->inner.commits(v->inner.ctx, to);
}

/* ---- subscription ---- */

/* The order of cycles matters now: nothing is counted. */
static void call_view_subscribe_cycles(struct call_view *v, struct probe_listener *o)
{
    o->token = o->token != NULL ? call_view_token : NULL;
    o->commits = o->commits != NULL ? call_view_commits : NULL;
    o->counted = NULL;
    v->counts = o->commits != NULL;
}

static void call_view_subscribe_insns(struct probe_listener *o)
{
#define STAGE(sym, name, meaning)      \
    if (o->stage[PROBE_##sym] != NULL) \
        o->stage[PROBE_##sym] = call_view_stage_##sym;
#define EVENT(sym, name, meaning)          \
    if (o->event[PROBE_BIT_##sym] != NULL) \
        o->event[PROBE_BIT_##sym] = call_view_event_##sym;
#include "core-model/probe/probe.def"
    o->result = o->result != NULL ? call_view_result : NULL;
    o->tagger.tag = o->tagger.tag != NULL ? call_view_tag : NULL;
    o->tagger.tagged = o->tagger.tagged != NULL ? call_view_tagged : NULL;
}

struct call_view *call_view_attach(struct observer *o, const struct call_tracker *calls, struct core *core)
{
    struct call_view *v = xcalloc(1, sizeof *v);
    v->calls = calls;
    o->calls = calls;
    if (o->kind->attach != NULL)
        o->kind->attach(o, core);
    v->inner = o->probe;
    v->retired = core_retired(core);
    struct probe_listener outer = o->probe;
    outer.ctx = v;
    call_view_subscribe_cycles(v, &outer);
    call_view_subscribe_insns(&outer);
    core_subscribe(core, &outer);
    return v;
}

void call_view_free(struct call_view *v) { free(v); }
