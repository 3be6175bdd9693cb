/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes operations and makes the corresponding calls. Columns that no observer needs are not decompressed. Entry
 * point: replay_operate. */
#include "core-model/record/replay_state.h"

/* ---- calls ---- */

static inline void tell(struct core_replay *r, struct stream_entry *e, enum probe_stage stage)
{
    const struct probe_port *p = &r->port;
    uint64_t now = r->stream.now;
    if ((p->stages_wanted & 1u << stage) == 0)
        return;
    probe_port_note(p, &e->in, stage, now);
    const struct listener_list *l = &p->stage_list[stage];
    int n = probe_port_next(l, 0, (enum opclass)e->in.insn->opclass, now);
    if (n < l->count)
        probe_port_notify(l, n, &e->in, now);
}

static inline void replay_operate_tag(struct core_replay *r, struct stream_entry *e, const struct tagger_list *l)
{
    enum opclass opclass = (enum opclass)e->in.insn->opclass;
    uint32_t before = e->tags;
    if (!probe_port_asks(l, e->in.seq, opclass, r->stream.now))
        return;
    e->tags |= probe_port_tags(&r->port, l, e->in.seq, e->in.pc, opclass, r->stream.now);
    if (before == 0 && e->tags != 0)
        probe_port_tagged(&r->port, l, &e->in, r->stream.now);
}

/* Number of banks read by the observers of this cycle's token. */
static inline unsigned banks_wanted(const struct core_replay *r, uint64_t end)
{
    if (!probe_port_wants_token(&r->port, end))
        return 0;
    return r->port.banks_from < end ? PROBE_MAX_BANKS : r->stream.commits > 0 ? r->stream.commits : 1;
}

static inline void replay_operate_see(struct core_replay *r)
{
    if (!r->stream.seen)
        stream_sample_banks(&r->stream, banks_wanted(r, r->stream.now + 1));
}

/* ---- operations ---- */

static inline void replay_operate_fetch(struct core_replay *r, uint32_t number)
{
    struct stream *s = &r->stream;
    if (number == 0 || s->tail - s->head >= s->in_flight) {
        r->failed = true;
        return;
    }
    if (r->tokens_only) {
        stream_fetch_unseen(s, number);
        return;
    }
    struct stream_entry *e = stream_fetch(s, number);
    if (r->has_history)
        e->in.history = r->history;
    r->has_history = false;
    if (r->reads_values)
        stream_get_values(s, &r->column[RECORD_VALUES], s->tail - 1);
    if (e->in.events & PROBE_WRONG_PATH)
        probe_port_event(&r->port, PROBE_WRONG_PATH, s->now);
    tell(r, e, PROBE_FETCHED);
    replay_operate_tag(r, e, &r->port.at_fetch);
}

/* Reads a new instruction; returns its number, or 0 if it is invalid. */
static uint32_t new_code(struct core_replay *r)
{
    struct stream *s = &r->stream;
    struct rv_insn insn;
    uint64_t pc = stream_at(s, s->tail - 1)->in.pc + cursor_difference(&r->column[RECORD_CODE]);
    uint64_t word = cursor_number(&r->column[RECORD_CODE]);
    if (word == 0)
        return stream_add_code(s, pc, &front_fault);
    if (word > UINT32_MAX || !rv_decode((uint32_t)word, &insn))
        return 0;
    return stream_add_code(s, pc, &insn);
}

/* Fetches predicted instructions. */
static inline void fetch_run(struct core_replay *r, unsigned count)
{
    struct stream *s = &r->stream;
    replay_operate_see(r);
    if (r->tokens_only) {
        bool fits = s->tail - s->head + count <= s->in_flight;
        r->failed |= !fits || !stream_fetch_run_unseen(s, count);
        return;
    }
    for (; count > 0 && !r->failed; count--)
        replay_operate_fetch(r, stream_predict(s));
}

static uint32_t number_to_fetch(struct core_replay *r, enum record_op op)
{
    const struct stream *s = &r->stream;
    uint32_t before = stream_at(s, s->tail - 1)->code;
    if (op == OP_FETCH_NEW)
        return new_code(r);
    if (op == OP_FETCH_OTHER)
        return stream_code(s, before)->other;
    uint64_t number = before + cursor_difference(&r->column[RECORD_PATH]);
    return number < s->codes ? (uint32_t)number : 0;
}

static inline void map(struct core_replay *r, unsigned count, bool ready)
{
    struct stream *s = &r->stream;
    if (s->tail - s->mapped < count) {
        r->failed = true;
        return;
    }
    replay_operate_see(r);
    if (r->tokens_only) {
        (void)stream_map(s);
        s->mapped += count - 1;
        return;
    }
    while (count-- > 0) {
        struct stream_entry *e = stream_map(s);
        tell(r, e, PROBE_MAPPED);
        if (!s->in_order)
            replay_operate_tag(r, e, &r->port.at_rename);
        if (ready)
            tell(r, e, PROBE_DATA_READY);
    }
}

static inline void replay_operate_issue(struct core_replay *r, unsigned count)
{
    struct stream *s = &r->stream;
    if (!s->in_order || s->mapped - s->issue < count) {
        r->failed = true;
        return;
    }
    replay_operate_see(r);
    while (count-- > 0) {
        struct stream_entry *e = stream_issue(s);
        replay_operate_tag(r, e, &r->port.at_rename);
        tell(r, e, PROBE_ISSUED);
    }
}

/* Delivers a retired instruction; observers that need a store's access get stores at OP_STORE. */
static void deliver_retired(struct core_replay *r, struct stream_entry *e)
{
    uint32_t later = stream_is_store(e->in.insn) ? e->tags & r->port.complete_tags : 0;
    if (later != 0)
        probe_port_keep(&r->port, &e->in, later, (uint32_t)(r->stream.stores - 1));
    if (e->tags != later)
        probe_port_deliver(&r->port, &e->in, e->tags & ~later, r->stream.now);
}

static inline void replay_operate_retire(struct core_replay *r, unsigned count)
{
    struct stream *s = &r->stream;
    if ((s->in_order ? s->issue : s->mapped) - s->head < count) {
        r->failed = true;
        return;
    }
    if (r->tokens_only) {
        stream_retire_unseen(s, count);
        r->retired += count;
        return;
    }
    while (count-- > 0) {
        struct stream_entry *e = stream_retire(s);
        r->retired++;
        tell(r, e, PROBE_RETIRED);
        probe_port_result(&r->port, e->in.insn, e->in.pc, e->in.outcome);
        if (e->tags == 0)
            continue;
        deliver_retired(r, e);
        probe_port_untagged(&r->port);
    }
}

static void squash(struct core_replay *r, unsigned count)
{
    struct stream *s = &r->stream;
    if (s->tail - s->head < count || s->cause == PROBE_CAUSE_NONE) {
        r->failed = true;
        return;
    }
    stream_begin_squash(s);
    if (r->tokens_only) {
        stream_squash_unseen(s, count);
        return;
    }
    while (count-- > 0) {
        struct stream_entry *e = stream_squash(s);
        tell(r, e, PROBE_SQUASHED);
        if ((e->tags & r->port.squash_tags) != 0)
            probe_port_deliver(&r->port, &e->in, e->tags, s->now);
        if (e->tags != 0)
            probe_port_untagged(&r->port);
    }
}

/* The instruction in flight at an offset from the oldest, or NULL. */
static struct stream_entry *in_flight(struct core_replay *r, uint64_t position)
{
    const struct stream *s = &r->stream;
    if (position - s->head < s->tail - s->head)
        return stream_at(s, position);
    r->failed = true;
    return NULL;
}

static inline void exec_one(struct core_replay *r)
{
    static const enum record_column column[EXEC_EVENT] = {RECORD_READY, RECORD_ISSUED, RECORD_LOADED, RECORD_DONE};
    static const enum probe_stage stage[EXEC_EVENT] = {PROBE_DATA_READY, PROBE_ISSUED, PROBE_LOAD_COMPLETED,
                                                       PROBE_READY_TO_RETIRE};
    uint8_t callback = cursor_get(&r->column[RECORD_EXEC]);
    if (callback >= EXEC_EVENT) {
        if (callback - EXEC_EVENT < PROBE_EVENT_COUNT)
            probe_port_event(&r->port, 1u << (callback - EXEC_EVENT), r->stream.now);
        else
            r->failed = true;
        return;
    }
    replay_operate_see(r);
    uint64_t *last = &r->stream.last[callback];
    *last += cursor_difference(&r->column[column[callback]]);
    struct stream_entry *e = in_flight(r, *last);
    if (e != NULL)
        tell(r, e, stage[callback]);
}

static inline void exec(struct core_replay *r, unsigned count)
{
    if (r->needs_exec)
        while (count-- > 0)
            exec_one(r);
}

/* Maximum number of cycles that can follow. */
static inline uint64_t cycles_left(const struct core_replay *r)
{
    return RECORD_CYCLE_MOST - (r->stream.now - r->start.clock);
}

/* Sends the stream's token at the end of cycle `end`. */
static inline void replay_operate_send_token(struct core_replay *r, uint64_t end)
{
    struct stream *s = &r->stream;
    s->now = end;
    if (probe_port_wants_token(&r->port, end))
        probe_port_token(&r->port, &s->token);
    stream_next_cycle(s);
}

static inline void replay_operate_end_cycle(struct core_replay *r, enum record_op op)
{
    struct stream *s = &r->stream;
    struct column_cursor *c = &r->column[RECORD_TOKENS];
    uint64_t flags = op == OP_TOKEN_FLAGS ? cursor_number(c) : s->flags;
    uint64_t repeat = op == OP_TOKEN ? 1 : cursor_number(c);
    if (repeat == 0 || repeat > cycles_left(r) || flags >> (PROBE_MAX_BANKS + 2) != 0 || s->commits > s->token.banks) {
        r->failed = true;
        return;
    }
    stream_end_token(s, (uint32_t)flags, repeat, banks_wanted(r, s->now + repeat));
    replay_operate_send_token(r, s->now + repeat);
}

/* Ends the cycle with a token that is stored in full. */
static void end_cycle_whole(struct core_replay *r)
{
    struct stream *s = &r->stream;
    struct probe_token t;
    stream_get_token(&r->column[RECORD_TOKENS], &t);
    if (r->failed || t.repeat == 0 || t.repeat > cycles_left(r)) {
        r->failed = true;
        return;
    }
    t.cycle = s->now;
    stream_end_token(s, s->flags, t.repeat, PROBE_MAX_BANKS);
    stream_replace_token(s, &t);
    replay_operate_send_token(r, t.cycle + t.repeat);
}

static void change_events(struct core_replay *r, enum record_op op)
{
    struct stream *s = &r->stream;
    struct column_cursor *c = &r->column[RECORD_EVENTS];
    uint64_t at = op == OP_EVENTS || op == OP_EVENTS_BANK ? cursor_number(c) : 0;
    uint32_t events = (uint32_t)cursor_number(c);
    if (op == OP_EVENTS_FETCH) {
        s->fetch_events ^= events;
        return;
    }
    if (op != OP_EVENTS_HEAD)
        replay_operate_see(r);
    if (op == OP_EVENTS_BANK) {
        if (at < s->token.banks)
            stream_change_bank(s, (unsigned)at, events);
        else
            r->failed = true;
        return;
    }
    struct stream_entry *e = in_flight(r, s->head + at);
    if (e != NULL)
        e->in.events ^= events;
}

/* Completes a store's access, given its offset from the oldest waiting store. */
static void end_store(struct core_replay *r, uint64_t behind, uint32_t events)
{
    uint64_t number = r->waiting + behind;
    if (r->tokens_only)
        return;
    if (number >= r->stream.stores || behind >= STORES_WAIT) {
        r->failed = true;
        return;
    }
    if (r->port.kept.count != 0)
        probe_port_deliver_kept(&r->port, (uint32_t)number, events, r->stream.now);
    r->done[number % STORES_WAIT] = true;
    while (r->waiting < r->stream.stores && r->done[r->waiting % STORES_WAIT])
        r->done[r->waiting++ % STORES_WAIT] = false;
}

/* Executes an infrequent operation. */
static void other(struct core_replay *r, enum record_op op)
{
    struct stream *s = &r->stream;
    struct column_cursor *rest = &r->column[RECORD_REST];
    uint64_t n = cursor_number(rest);
    switch (op) {
    case OP_CAUSE:
        r->failed |= n >= PROBE_CAUSE_COUNT;
        s->cause = (uint8_t)n;
        break;
    case OP_SEQ:
        r->failed |= n < s->seq;
        s->seq = n;
        break;
    case OP_HISTORY:
        r->history = n;
        r->has_history = true;
        break;
    case OP_NEXT_PC:
        replay_operate_see(r);
        stream_give_pc(s, s->next_pc + (n >> 1 ^ -(n & 1)));
        break;
    case OP_TARGET:
        stream_give_target(s, stream_at(s, s->head)->in.pc + (n >> 1 ^ -(n & 1)));
        break;
    case OP_STORE:
        replay_operate_see(r);
        end_store(r, n, (uint32_t)cursor_number(rest));
        break;
    case OP_CLOCK:
        r->failed |= n < s->now || n - s->now > cycles_left(r);
        s->now = r->failed ? s->now : n;
        break;
    case OP_OUTCOME:
        if (!r->start.head.values || in_flight(r, s->head + n) == NULL)
            r->failed = true;
        else if (r->reads_values)
            stream_get_values(s, &r->column[RECORD_VALUES], s->head + n);
        break;
    default:
        r->failed = true;
    }
}

static inline void replay_operate_one(struct core_replay *r, uint8_t op)
{
    if (op < OP_MAP) {
        fetch_run(r, op + 1u);
    } else if (op < OP_RETIRE) {
        map(r, (unsigned)(op - OP_MAP) % RECORD_RUN + 1u, op >= OP_MAP_READY);
    } else if (op < OP_ISSUE) {
        replay_operate_retire(r, op - OP_RETIRE + 1u);
    } else if (op < OP_EXEC) {
        replay_operate_issue(r, op - OP_ISSUE + 1u);
    } else if (op < OP_SQUASH) {
        exec(r, op - OP_EXEC + 1u);
    } else if (op < OP_TOKEN) {
        squash(r, op - OP_SQUASH + 1u);
    } else if (op < OP_TOKEN_WHOLE) {
        replay_operate_end_cycle(r, (enum record_op)op);
    } else if (op == OP_TOKEN_WHOLE) {
        end_cycle_whole(r);
    } else if (op <= OP_FETCH_NEW) {
        replay_operate_see(r);
        replay_operate_fetch(r, number_to_fetch(r, (enum record_op)op));
    } else if (op == OP_BEFORE) {
        stream_get_before(&r->column[RECORD_REST], &r->stream);
    } else if (op >= OP_EVENTS && op <= OP_EVENTS_BANK) {
        change_events(r, (enum record_op)op);
    } else {
        other(r, (enum record_op)op);
    }
}

bool replay_operate(struct core_replay *r)
{
    const struct column_cursor *ops = &r->column[RECORD_OPS];
    while (ops->at != ops->end && !r->failed) {
        uint8_t op = *r->column[RECORD_OPS].at++;
        replay_operate_one(r, op);
        if (op >= OP_TOKEN && op <= OP_TOKEN_WHOLE && r->guest->hart.stop)
            return false;
    }
    return true;
}
