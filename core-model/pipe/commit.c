/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commit: retires the oldest instructions in order, trains the predictors, and makes exceptions, system calls and
 * flushes precise. An exception fires in a cycle in which nothing retires, its instruction being the oldest (TIP paper,
 * section 3.1). */
#include "contract/opclass.h"
#include "core-model/pipe/memo/logging.h"
#include "core-model/pipe/wheel.h"

static void commit_train(struct ooo *c, uint32_t i, const struct slot *s)
{
    bool wrong = (s->flags & SLOT_WRONG) != 0;
    front_train(&c->front, s->insn, s->pc, &c->history[i], &c->predict[i], &c->outcome[i], wrong);
}

/* Retires an instruction that has stalled fetch: fetch resumes after it, immediately or after a flush. */
static void commit_resume_after(struct ooo *c, struct slot *s, uint32_t i)
{
    bool flushes = (s->insn->flags & (RV_FLUSH | RV_ECALL)) != 0;
    if (flushes) {
        probe_event(c, s, PROBE_FLUSHES);
        uint64_t pc = s->flags & SLOT_DEFERRED ? c->front.hart->pc : c->outcome[i].next_pc;
        squash_redirect(c, c->head + 1, pc, c->history[i], PROBE_CAUSE_SERIALISE);
    } else if (s->flags & SLOT_DEFERRED) {
        front_resume(&c->front, c->now);
    }
}

uint64_t commit_first_squashable(const struct ooo *c)
{
    const struct slot *s = &c->slot[c->head & c->ring_mask];
    bool keeps = c->shares && c->head != c->rob_tail && is_kind(s, RV_UNIT_AMO) && (s->flags & SLOT_EXECUTED);
    return c->head + keeps;
}

uint64_t commit_alarm(void *ctx, uint64_t cycle, uint64_t pc)
{
    struct ooo *c = ctx;
    (void)pc;
    lsq_drain(c);
    c->finished = front_alarm(&c->front, cycle, c->retired);
    return c->cfg.timer_cycles;
}

static inline void count_memory(struct ooo *c, uint32_t flags)
{
    c->stats.loads += (flags & RV_LOAD) != 0;
    c->stats.stores += (flags & RV_STORE) != 0;
}

static inline void retire_memory(struct ooo *c, const struct slot *s, uint16_t flags)
{
    count_memory(c, flags);
    c->loads -= is_kind(s, RV_UNIT_LOAD);
    c->store_commit += is_kind(s, RV_UNIT_STORE);
}

/* Effect of retiring an instruction with these flags (enum rv_flag) on predictors, queues and registers. */
static inline void commit_release(struct ooo *c, uint32_t i, const struct slot *s, uint16_t flags)
{
    if (flags & (RV_BRANCH | RV_JUMP))
        commit_train(c, i, s);
    if (flags & (RV_LOAD | RV_STORE))
        retire_memory(c, s, flags);
    if (s->old_dst != NIL)
        rename_free(c, s->old_dst);
}

/* Reports a retired instruction to the observers. */
static inline void report_retired(struct ooo *c, uint32_t i, const struct slot *s)
{
    probe_stage(c, i, PROBE_RETIRED);
    probe_port_result(&c->port, s->insn, s->pc, &c->outcome[i]);
    if ((s->flags & SLOT_TAGGED) == 0)
        return;
    probe_deliver_retired(c, i);
}

static void commit_retire(struct ooo *c, uint32_t i, struct slot *s)
{
    effects_end(c);
    uint16_t flags = s->insn->flags;
    c->retired++;
    c->empty = s->events & PROBE_MISPREDICTED ? EMPTY_MISPREDICT : EMPTY_FRONTEND;
    if (flags & RV_ECALL) {
        lsq_drain(c);
        c->finished = front_system_call(&c->front, c->now, c->retired);
    }
    if ((flags & (RV_FLUSH | RV_ECALL)) || (s->flags & SLOT_DEFERRED)) {
        commit_resume_after(c, s, i);
        if (s->events & PROBE_FLUSHES)
            c->empty = EMPTY_FLUSH;
    }
    commit_release(c, i, s, flags);
    if (flags & RV_SERIAL)
        c->serial_in_rob = false;
    c->head++;
    report_retired(c, i, s);
}

/* Page-fault handling. The handler's first instruction enters the ROB as late as any instruction after a flush; the
 * time until then is attributed to the exception (TIP paper, section 2.2). */
static void commit_page_fault(struct ooo *c, uint32_t i, struct slot *s)
{
    c->stats.page_faults++;
    probe_event(c, s, PROBE_PAGE_FAULT);
    squash_redirect(c, c->head, s->pc, c->history[i], PROBE_CAUSE_EXCEPTION);
    front_touch(&c->front, s->pc, &c->outcome[i]);
    front_occupy(&c->front, c->now + c->cfg.redirect_cycles + c->cfg.frontend_cycles, c->cfg.page_fault_cycles);
    probe_port_handled(&c->port, c->interrupt.until - 1);
}

/* Exception of the oldest instruction, which does not retire: program fault, first access to a page, or memory-ordering
 * violation of a load. */
static __attribute__((noinline)) void raise_exception(struct ooo *c, uint32_t i, struct slot *s)
{
    enum rv_trap trap = s->trap;
    uint64_t pc = s->pc;
    effects_end(c);
    c->cycle.exception = true;
    c->cycle.exception_pc = pc;
    probe_port_excepted(&c->port, pc, s->events);
    c->offender = c->port.before;
    c->offender_head = c->head;
    c->empty = EMPTY_EXCEPTION;
    if (trap == RV_TRAP_NONE) {
        c->empty = EMPTY_ORDERING;
        c->stats.ordering_violations++;
        squash_redirect(c, c->head, pc, c->history[i], PROBE_CAUSE_ORDERING);
        return;
    }
    if (trap == RV_TRAP_PAGE) {
        commit_page_fault(c, i, s);
        c->offender.events = s->events;
        return;
    }
    squash_redirect(c, c->head, pc, c->history[i], PROBE_CAUSE_EXCEPTION);
    lsq_drain(c);
    c->finished = front_program_fault(&c->front, trap, c->now, c->retired);
}

/* Takes an interrupt: squashes all instructions in flight. Instructions with effects outside the hart execute at
 * retirement (system calls) or are idempotent. An exception in the same cycle has priority. */
void commit_interrupt(struct ooo *c)
{
    if (c->finished || c->retired >= c->limit || c->cycle.exception || commit_first_squashable(c) != c->head)
        return;
    effects_end(c);
    uint32_t i = (uint32_t)c->head & c->ring_mask;
    bool in_flight = c->head != c->fetch_tail;
    uint64_t pc = commit_next_pc(c);
    if (c->port.merged.count != 0 && c->cycle.commits == 0 && c->cycle.head != c->cycle.rob_tail)
        probe_merge_stall(c, c->now + 1);
    squash_redirect(c, c->head, pc, in_flight ? c->history[i] : c->front.history, PROBE_CAUSE_INTERRUPT);
    c->stats.interrupts++;
    front_occupy(&c->front, c->now + 1, interrupt_take(&c->interrupt, c->now, pc));
    probe_port_handled(&c->port, c->interrupt.until - 1);
    c->offender_head = c->head;
    probe_port_look_again(&c->port);
}

/* Whether an observer subscribes to what retires. */
static inline bool is_observed(const struct ooo *c)
{
    return probe_wants(c, PROBE_RETIRED) || c->port.result_classes != 0;
}

/* Counts the instructions before `position` as retired. */
static inline void count_up_to(struct ooo *c, uint64_t position)
{
    const uint64_t more = position - c->head;
    c->head = position;
    c->retired += more;
    c->cycle.commits += (uint32_t)more;
}

/* Counts what retires before the instruction at this position, and itself except in the cycle's commits, which count it
 * after its report. Returns its ring index. */
static inline uint32_t count_for_report(struct ooo *c, uint64_t position)
{
    count_up_to(c, position);
    c->head++;
    c->retired++;
    return (uint32_t)position & c->ring_mask;
}

/* Retires instructions from the oldest on that fetch does not wait for and for whose stage no observer is called, at
 * most `most`. Without `tags`, there are no tagged instructions. */
static inline __attribute__((always_inline)) void retire_plain(struct ooo *c, uint32_t most, bool tags)
{
    enum { MORE = RV_SERIAL | RV_FLUSH | RV_ECALL };
    enum { MASK = SLOT_DONE | SLOT_REPLAY | SLOT_DEFERRED };
    const uint64_t head = c->head;
    bool observed = is_observed(c);
    uint32_t n = 0, events = 0;
    for (; n < most; n++) {
        const uint32_t i = (uint32_t)(head + n) & c->ring_mask;
        const struct slot *s = &c->slot[i];
        const struct rv_insn *in = s->insn;
        const uint32_t flags = in->flags;
        if ((s->flags & MASK) != SLOT_DONE || s->trap != RV_TRAP_NONE || (flags & MORE) != 0)
            break;
        if (observed && probe_asks(c, PROBE_RETIRED, (enum opclass)in->opclass))
            break;
        if (observed)
            probe_port_result(&c->port, in, s->pc, &c->outcome[i]);
        events = s->events;
        commit_release(c, i, s, (uint16_t)flags);
        if (tags && (s->flags & SLOT_TAGGED)) {
            probe_deliver_retired(c, count_for_report(c, head + n));
            c->cycle.commits++;
            observed = is_observed(c);
        }
    }
    if (n == 0)
        return;
    count_up_to(c, head + n);
    c->empty = events & PROBE_MISPREDICTED ? EMPTY_MISPREDICT : EMPTY_FRONTEND;
}

/* Of EFFECT_COMMIT, what the state determines: the number of instructions and of stores among them, whether transfers
 * of control are, and a bit for each of their opcode classes. */
enum { COMMIT_COUNT = 15, COMMIT_STORES_SHIFT = 4, COMMIT_TRANSFERS = 1 << 8, COMMIT_CLASSES_SHIFT = 9 };
_Static_assert((int)PROBE_MAX_BANKS <= (int)COMMIT_COUNT && (int)COMMIT_CLASSES_SHIFT + (int)OPCLASS_COUNT <= 32,
               "bits for all");

static inline void train_logged(struct ooo *c, uint32_t i, struct slot *s)
{
    if ((s->insn->flags & (RV_BRANCH | RV_JUMP)) == 0)
        return;
    commit_train(c, i, s);
    s->events |= c->outcome[i].taken ? PROBE_TAKEN : 0; /* a replay does not resolve branches */
}

static __attribute__((noinline)) void train_each(struct ooo *c, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = (uint32_t)(c->head + n) & c->ring_mask;
        train_logged(c, i, &c->slot[i]);
    }
    count_up_to(c, c->head + count);
}

static __attribute__((noinline)) void report_each(struct ooo *c, uint32_t count)
{
    const uint64_t first = c->head;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = (uint32_t)(first + n) & c->ring_mask;
        struct slot *s = &c->slot[i];
        train_logged(c, i, s);
        if ((s->flags & SLOT_TAGGED) == 0 && (c->port.result_classes >> s->insn->opclass & 1) == 0 &&
            !probe_wants(c, PROBE_RETIRED))
            continue;
        report_retired(c, count_for_report(c, first + n), s);
        c->cycle.commits++;
    }
    count_up_to(c, first + count);
}

void commit_perform(struct ooo *c, uint32_t what)
{
    const uint32_t count = what & COMMIT_COUNT;
    c->store_commit += what >> COMMIT_STORES_SHIFT & COMMIT_COUNT;
    if (((c->port.result_classes | c->tagged_classes) & what >> COMMIT_CLASSES_SHIFT) != 0 ||
        probe_wants(c, PROBE_RETIRED))
        report_each(c, count);
    else if ((what & COMMIT_TRANSFERS) != 0)
        train_each(c, count);
    else
        count_up_to(c, c->head + count);
}

/* Retires at most `most` instructions, which are in the ROB, as an effect: those before the first one that fetch waits
 * for. */
static void retire_logged(struct ooo *c, uint32_t most)
{
    enum { MORE = RV_SERIAL | RV_FLUSH | RV_ECALL };
    enum { MASK = SLOT_DONE | SLOT_REPLAY | SLOT_DEFERRED };
    uint64_t none;
    uint32_t n = 0, stores = 0, events = 0, what = 0;
    for (; n < most; n++) {
        const struct slot *s = &c->slot[(c->head + n) & c->ring_mask];
        const uint32_t flags = s->insn->flags;
        if ((s->flags & MASK) != SLOT_DONE || s->trap != RV_TRAP_NONE || (flags & MORE) != 0)
            break;
        if (s->old_dst != NIL)
            rename_free(c, s->old_dst);
        count_memory(c, flags);
        c->loads -= is_kind(s, RV_UNIT_LOAD);
        stores += is_kind(s, RV_UNIT_STORE);
        events = s->events;
        what |= ((flags & (RV_BRANCH | RV_JUMP)) != 0 ? COMMIT_TRANSFERS : 0) |
                1u << (COMMIT_CLASSES_SHIFT + s->insn->opclass);
    }
    if (n == 0)
        return;
    what |= n | stores << COMMIT_STORES_SHIFT;
    if (effect_replayed(c, EFFECT_COMMIT, 0, what, &none)) {
        count_up_to(c, c->head + n);
        c->store_commit += stores;
    } else {
        commit_perform(c, what);
        log_effect(c, EFFECT_COMMIT, 0, what, 0);
    }
    c->empty = events & PROBE_MISPREDICTED ? EMPTY_MISPREDICT : EMPTY_FRONTEND;
}

/* Retires at most `most` instructions, which are in the ROB. An instruction that ends the run or flushes is the last
 * one. */
static inline __attribute__((always_inline)) void commit(struct ooo *c, uint32_t most, bool tags)
{
    struct cycle_report *r = &c->cycle;
    const bool plain = !EFFECTS_LOGGED && probe_may_ask(c, PROBE_RETIRED);
    if (EFFECTS_LOGGED)
        retire_logged(c, most);
    for (;;) {
        if (plain)
            retire_plain(c, most - r->commits, tags);
        if (r->commits == most)
            return;
        uint32_t i = (uint32_t)c->head & c->ring_mask;
        struct slot *s = &c->slot[i];
        if (!(s->flags & SLOT_DONE))
            return;
        if (s->trap != RV_TRAP_NONE || (s->flags & SLOT_REPLAY)) {
            if (r->commits == 0)
                raise_exception(c, i, s);
            return;
        }
        commit_retire(c, i, s);
        r->commits++;
        if (r->commits == most || (s->events & PROBE_FLUSHES))
            return;
    }
}

/* Separate from commit_tick, so the fast path, a cycle without commits, spills no registers. Two functions, so tags
 * cost nothing if no observer uses any. */
static __attribute__((noinline)) void commit_untagged(struct ooo *c, uint32_t most) { commit(c, most, false); }
static __attribute__((noinline)) void commit_tagged(struct ooo *c, uint32_t most) { commit(c, most, true); }

void commit_tick(struct ooo *c)
{
    struct cycle_report *r = &c->cycle;
    uint64_t most = c->rob_tail - c->head;
    r->head = c->head;
    r->rob_tail = c->rob_tail;
    if (most == 0 || !(c->slot[c->head & c->ring_mask].flags & SLOT_DONE))
        return;
    if (most > c->cfg.commit_width)
        most = c->cfg.commit_width;
    if (most > c->limit - c->retired)
        most = c->limit - c->retired;
    if (most == 0)
        return;
    if (c->port.tag_bits == 0)
        commit_untagged(c, (uint32_t)most);
    else
        commit_tagged(c, (uint32_t)most);
    if (r->commits == 0)
        return;
    r->active = true;
    if (probe_port_retires(&c->port))
        c->port.retired_before = c->now;
}
