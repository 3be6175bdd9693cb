/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commit: retires the oldest instructions in order, trains the predictors, and makes exceptions, system calls and
 * flushes precise. An exception fires in a cycle in which nothing retires, its instruction being the oldest (TIP paper,
 * section 3.1). */
#include "contract/opclass.h"
#include "core-model/pipe/outside.h"

/* Trains the predictors if the instruction is a transfer of control. Its events are then complete, even if it has been
 * resolved in no stage. */
static inline void commit_train(struct ooo *c, uint32_t i, struct slot *s)
{
    if ((s->insn->flags & (RV_BRANCH | RV_JUMP)) == 0)
        return;
    bool wrong = (s->flags & SLOT_WRONG) != 0;
    front_train(&c->front, s->insn, s->pc, &c->history[i], &c->predict[i], &c->outcome[i], wrong);
    s->events |= c->outcome[i].taken ? PROBE_TAKEN : 0;
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

/* Effect of the retirement of an instruction on load queue and registers. Returns the number of stores. */
static inline uint32_t commit_release(struct ooo *c, const struct slot *s)
{
    const uint32_t flags = s->insn->flags;
    if (s->old_dst != NIL)
        rename_free(c, s->old_dst);
    if ((flags & (RV_LOAD | RV_STORE)) == 0)
        return 0;
    c->stats.loads += (flags & RV_LOAD) != 0;
    c->stats.stores += (flags & RV_STORE) != 0;
    c->loads -= is_kind(s, RV_UNIT_LOAD);
    return is_kind(s, RV_UNIT_STORE);
}

/* Reports a retired instruction to the observers. */
static inline __attribute__((always_inline)) void report_retired(struct ooo *c, uint32_t i, const struct slot *s)
{
    probe_stage(c, i, PROBE_RETIRED);
    probe_port_result(&c->port, s->insn, s->pc, &c->outcome[i]);
    if ((c->port.transfer_classes >> s->insn->opclass & 1) != 0)
        probe_transfer(c, i);
    if ((s->flags & SLOT_TAGGED) == 0)
        return;
    probe_deliver_retired(c, i);
}

/* Retires an instruction that fetch waits for or that is alone in the pipeline. */
static void commit_retire(struct ooo *c, uint32_t i, struct slot *s)
{
    cycle_never_repeats(c);
    uint16_t flags = s->insn->flags;
    if ((ideal_of(c, s->pc) & IDEAL_FLUSH) != 0 && !(s->flags & SLOT_DEFERRED))
        flags &= (uint16_t)~RV_FLUSH;
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
    commit_train(c, i, s);
    c->store_commit += commit_release(c, s);
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
    cycle_never_repeats(c);
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
    cycle_never_repeats(c);
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
    probe_port_refresh(&c->port);
}

/* Counts what retires before the instruction at this position, and itself except in the cycle's commits, which count it
 * after its report. Returns its ring index. */
static inline uint32_t count_for_report(struct ooo *c, uint64_t position)
{
    commit_count_up_to(c, position);
    c->head++;
    c->retired++;
    return (uint32_t)position & c->ring_mask;
}

static __attribute__((noinline)) void train_each(struct ooo *c, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = (uint32_t)(c->head + n) & c->ring_mask;
        commit_train(c, i, &c->slot[i]);
    }
    commit_count_up_to(c, c->head + count);
}

/* `what`: see commit_perform. */
static __attribute__((noinline)) void report_each(struct ooo *c, uint32_t what)
{
    const uint64_t first = c->head;
    const uint32_t count = what & COMMIT_COUNT, classes = c->port.result_classes | c->port.transfer_classes;
    const bool trains = (what & COMMIT_TRANSFERS) != 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = (uint32_t)(first + n) & c->ring_mask;
        struct slot *s = &c->slot[i];
        if (trains)
            commit_train(c, i, s);
        if ((s->flags & SLOT_TAGGED) == 0 && (classes >> s->insn->opclass & 1) == 0 && !probe_wants(c, PROBE_RETIRED))
            continue;
        report_retired(c, count_for_report(c, first + n), s);
        c->cycle.commits++;
    }
    commit_count_up_to(c, first + count);
}

void commit_perform(struct ooo *c, uint32_t what)
{
    const uint32_t count = what & COMMIT_COUNT;
    c->store_commit += what >> COMMIT_STORES_SHIFT & COMMIT_COUNT;
    if (((c->port.result_classes | c->port.transfer_classes | c->tagged_classes) & what >> COMMIT_CLASSES_SHIFT) != 0 ||
        probe_wants(c, PROBE_RETIRED))
        report_each(c, what);
    else if ((what & COMMIT_TRANSFERS) != 0)
        train_each(c, count);
    else
        commit_count_up_to(c, c->head + count);
}

/* Retires instructions from the oldest on, at most `most`, up to the first one that fetch waits for, that has an
 * exception, or that is alone in the pipeline. */
static inline void retire_plain(struct ooo *c, uint32_t most)
{
    enum { MORE = RV_SERIAL | RV_FLUSH | RV_ECALL };
    enum { MASK = SLOT_DONE | SLOT_REPLAY | SLOT_DEFERRED };
    uint32_t n = 0, stores = 0, events = 0, what = 0;
    for (; n < most; n++) {
        const struct slot *s = &c->slot[(c->head + n) & c->ring_mask];
        const uint32_t flags = s->insn->flags;
        if ((s->flags & MASK) != SLOT_DONE || s->trap != RV_TRAP_NONE || (flags & MORE) != 0)
            break;
        stores += commit_release(c, s);
        events = s->events;
        what |= ((flags & (RV_BRANCH | RV_JUMP)) != 0 ? COMMIT_TRANSFERS : 0) |
                1u << (COMMIT_CLASSES_SHIFT + s->insn->opclass);
    }
    if (n == 0)
        return;
    commit_group(c, what | n | stores << COMMIT_STORES_SHIFT);
    c->empty = events & PROBE_MISPREDICTED ? EMPTY_MISPREDICT : EMPTY_FRONTEND;
}

/* Retires at most `most` instructions, which are in the ROB. An instruction that ends the run or flushes is the last
 * one. Not a part of commit_tick, which saves no registers then in cycles without commits. */
static __attribute__((noinline)) void commit(struct ooo *c, uint32_t most)
{
    struct cycle_report *r = &c->cycle;
    for (;;) {
        retire_plain(c, most - r->commits);
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
    commit(c, (uint32_t)most);
    if (r->commits == 0)
        return;
    r->active = true;
    if (probe_port_retires(&c->port))
        c->port.retired_before = c->now;
}
