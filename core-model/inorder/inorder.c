/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The in-order core: construction, main loop, commit token, cycle stack. Entry point: inorder_engine. */
#include "core-model/inorder/inorder.h"

#include <stdlib.h>

/* The handler of the guest's alarm. */
static uint64_t take_alarm(void *ctx, uint64_t cycle, uint64_t pc)
{
    struct inorder *c = ctx;
    (void)pc;
    c->finished = front_alarm(&c->front, cycle, c->retired);
    return c->cfg.timer_cycles;
}

static void *inorder_new(const struct core_config *config, struct guest *guest)
{
    struct inorder *c = xcalloc(1, sizeof *c);
    c->cfg = *config;
    interrupt_init(&c->interrupt);
    front_init(&c->front, guest, &c->cfg, &c->bpred, &c->stats, &c->interrupt, &c->port, take_alarm, c);
    probe_port_init(&c->port);
    c->entry = xcalloc(IN_RING, sizeof *c->entry);
    c->empty = &c->stats.stack_frontend;
    c->waited = TOPDOWN_FETCH_OTHER;
    in_issue_init(c);
    hierarchy_init(&c->mem, config);
    bpred_init(&c->bpred, config);
    return c;
}

static void inorder_free(void *self)
{
    struct inorder *c = self;
    probe_port_fini(&c->port);
    hierarchy_fini(&c->mem);
    bpred_fini(&c->bpred);
    free(c->entry);
    free(c);
}

/* Fills the probe record with the instruction's current state. */
static struct probe_insn *inorder_describe(struct in_entry *e, enum probe_cause cause)
{
    struct probe_insn *p = &e->probe;
    p->seq = e->seq;
    p->pc = e->pc;
    p->insn = e->insn;
    p->outcome = &e->outcome;
    p->history = e->history.branches;
    p->events = e->events;
    p->cause = (uint8_t)cause;
    return p;
}

void in_deliver(struct inorder *c, struct in_entry *e, enum probe_stage stage, int n)
{
    enum probe_cause cause = stage == PROBE_SQUASHED ? (enum probe_cause)c->squash_cause : PROBE_CAUSE_NONE;
    probe_port_notify(&c->port.stage_list[stage], n, inorder_describe(e, cause), c->now);
}

void in_deliver_tagged(struct inorder *c, struct in_entry *e, enum probe_cause cause)
{
    struct probe_insn *in = inorder_describe(e, cause);
    uint32_t later = cause == PROBE_CAUSE_NONE ? e->tags & c->port.complete_tags : 0;
    if (later != e->tags)
        probe_port_deliver(&c->port, in, e->tags & ~later, c->now);
    if ((e->flags & IN_WRITING) != 0 && later != 0) {
        probe_port_keep(&c->port, in, later, e->write);
    } else if (later != 0) {
        in->events |= e->written;
        probe_port_deliver(&c->port, in, later, c->now);
    }
}

/* Address of the instruction after the youngest issued one; 0: unknown. */
static uint64_t next_pc(struct inorder *c)
{
    if (c->redirect_at != 0)
        return in_at(c, c->issue - 1)->outcome.next_pc;
    if (c->serial)
        return 0;
    return c->issue != c->tail ? in_at(c, c->issue)->pc : c->front.hart->pc;
}

/* Copies the issue stage at the start of the cycle to the token's banks. */
static void snapshot(struct inorder *c)
{
    struct probe_token *t = &c->token;
    *t = (struct probe_token){.cycle = c->now,
                              .banks = (uint8_t)c->cfg.commit_width,
                              .rob_empty = c->issue == c->arrived,
                              .handler = interrupt_handled_at(&c->interrupt, c->now) || c->front.halted,
                              .oir = t->oir,
                              .last_commit = t->last_commit,
                              .last_handler = t->last_handler};
    t->head = (uint8_t)(c->issue % t->banks);
    t->interrupt_pc = t->handler ? 0 : next_pc(c);
    for (uint64_t p = c->issue; p < c->arrived; p++) {
        uint32_t b = (uint32_t)(p % t->banks);
        t->bank[b].valid = true;
        t->bank[b].pc = in_at(c, p)->pc;
        t->bank[b].events = in_at(c, p)->events;
    }
}

/* The statistic for the stall of the head of the issue stage, or for an empty issue stage. */
static uint64_t *lost_to(struct inorder *c)
{
    if (c->token.exception)
        return &c->stats.stack_exception;
    if (c->token.handler)
        return c->empty = &c->stats.stack_handler;
    if (c->stall != NULL)
        return c->stall;
    if (!c->token.rob_empty && c->token.committing == 0)
        return &c->stats.stack_serial;
    return c->front.port.events != 0 ? &c->stats.stack_icache : c->empty;
}

static void account(struct inorder *c, uint64_t cycles)
{
    uint64_t *lost = lost_to(c), *on = c->token.committing > 0 ? &c->stats.stack_commit : lost;
    *on += cycles;
    *stats_slots_of_stack(&c->stats, lost) += (c->cfg.commit_width - c->token.committing) * cycles;
    if (c->port.wants_slots)
        in_report_slots(c, cycles, lost);
    c->stats.occupancy_fetch_buffer += (c->tail - c->arrived) * cycles;
    *c->fetched += cycles;
    c->stats.cycles += cycles;
}

/* A due interrupt blocks issue and is taken when all issued instructions have retired. */
static void take_interrupt(struct inorder *c)
{
    if (c->finished || c->retired >= c->limit)
        return;
    c->token.handler = true;
    if (c->head != c->issue)
        return;
    const struct in_entry *oldest = c->head != c->tail ? in_at(c, c->head) : NULL;
    uint64_t pc = oldest != NULL ? oldest->pc : c->front.hart->pc;
    in_squash(c, c->head, pc, oldest != NULL ? oldest->history : c->front.history, PROBE_CAUSE_INTERRUPT);
    c->stats.interrupts++;
    front_occupy(&c->front, c->now + 1, interrupt_take(&c->interrupt, c->now, pc));
    probe_port_handled(&c->port, c->interrupt.until - 1);
    probe_port_refresh(&c->port);
}

/* Number of cycles represented by this iteration. */
static uint64_t inorder_cycle_length(const struct inorder *c)
{
    if (c->active || c->finished)
        return 1;
    uint64_t line = interrupt_next(&c->interrupt, c->now), next = c->wake < line ? c->wake : line;
    if (c->front.halted && c->until < next)
        next = c->until;
    if (next == UINT64_MAX)
        BUG("cycle %llu: nothing will ever happen again", (unsigned long long)c->now);
    return next - c->now;
}

static void inorder_send_token(struct inorder *c, uint64_t repeat)
{
    struct probe_token *t = &c->token;
    t->repeat = repeat;
    if (t->committing > 0) {
        uint32_t b = (uint32_t)((c->issue - 1) % t->banks);
        probe_note_commit(t, t->bank[b].pc, t->bank[b].events, t->bank[b].mispredicted, t->bank[b].flushes);
    } else {
        probe_note_no_commit(t, t->bank[t->head].events);
    }
    if (probe_port_wants_token(&c->port, c->now))
        probe_port_token(&c->port, t);
}

static void run_cycle(struct inorder *c)
{
    c->wake = UINT64_MAX;
    c->active = false;
    c->stall = NULL;
    c->stall_leaf = TOPDOWN_LEAVES;
    c->fetched = &c->stats.fetch_serial;
    in_complete_tick(c);
    snapshot(c);
    if (interrupt_due(&c->interrupt, c->now))
        take_interrupt(c);
    else if (!c->finished)
        in_issue_tick(c);
    if (!c->finished) {
        in_arrive_tick(c);
        in_write_tick(c);
        in_fetch_tick(c);
    }
    uint64_t cycles = inorder_cycle_length(c);
    account(c, cycles);
    c->now += cycles;
    if (c->port.tokens)
        inorder_send_token(c, cycles);
}

static void inorder_start(void *self) { (void)self; }

static enum rv_trap inorder_advance(void *self, uint64_t max_insts, uint64_t until)
{
    struct inorder *c = self;
    c->limit = max_insts > UINT64_MAX - c->retired ? UINT64_MAX : c->retired + max_insts;
    c->until = until;
    while (!c->finished && c->retired < c->limit) {
        if (c->now >= until || (c->front.hart->stop && until == UINT64_MAX))
            return RV_TRAP_STOP;
        run_cycle(c);
    }
    return c->finished ? RV_TRAP_NONE : RV_TRAP_LIMIT;
}

static void inorder_stop(void *self, enum rv_trap trap)
{
    struct inorder *c = self;
    if (trap != RV_TRAP_STOP)
        front_update_counters(&c->front, c->now, c->retired);
}

/* Issued instructions do not stall, so they complete; their stores are performed at once. */
static void inorder_quiesce(void *self)
{
    struct inorder *c = self;
    if (c->issue != c->tail && c->redirect_at == 0) {
        const struct in_entry *oldest = in_at(c, c->issue);
        in_squash(c, c->issue, oldest->pc, oldest->history, PROBE_CAUSE_INTERRUPT);
    }
    for (uint64_t p = c->head; p < c->issue; p++)
        in_perform(c, in_at(c, p));
}

static bool inorder_has_stores(const void *self)
{
    const struct inorder *c = self;
    return c->write_send != c->write_tail;
}

static void inorder_squash_all(struct inorder *c)
{
    if (c->head != c->tail) {
        const struct in_entry *oldest = in_at(c, c->head);
        in_squash(c, c->head, oldest->pc, oldest->history, PROBE_CAUSE_SERIALISE);
    }
}

static void inorder_empty(void *self)
{
    struct inorder *c = self;
    if (c->front.hart->stores != NULL)
        inorder_quiesce(c);
    else
        inorder_squash_all(c);
}

static void inorder_begin(void *self)
{
    struct inorder *c = self;
    inorder_squash_all(c);
    for (int r = 0; r < IN_REGISTERS; r++)
        c->board.reg_ready[r] = c->now;
    c->redirect_at = 0;
    c->serial = false;
    c->issued = c->retired;
    c->stats = (struct core_stats){0};
    hierarchy_forget_counts(&c->mem, c->now);
    c->begin_cycle = c->port.retired_before = c->now;
    c->begin_retired = c->retired;
    front_take_over(&c->front, c->now, c->retired);
}

static void inorder_idealise(void *self, const struct ideal *ideal) { ((struct inorder *)self)->ideal = ideal; }

static struct engine_parts inorder_parts(void *self)
{
    struct inorder *c = self;
    return (struct engine_parts){.guest = c->front.guest,
                                 .front = &c->front,
                                 .mem = &c->mem,
                                 .bpred = &c->bpred,
                                 .history = &c->front.history,
                                 .port = &c->port,
                                 .interrupt = &c->interrupt,
                                 .config = &c->cfg};
}

static struct engine_counts inorder_counts(const void *self)
{
    const struct inorder *c = self;
    return (struct engine_counts){c->now, c->now - c->begin_cycle, c->retired - c->begin_retired};
}

static struct core_stats inorder_stats(const void *self)
{
    const struct inorder *c = self;
    struct core_stats s = c->stats;
    s.retired = c->retired - c->begin_retired;
    front_count_idle(&c->front, &s, c->now);
    stats_collect(&s, &c->mem, c->now);
    return s;
}

#define REQUIRE(condition) ((condition) ? (void)0 : BUG("cycle %llu: not %s", (unsigned long long)c->now, #condition))

static void inorder_check(const void *self)
{
    const struct inorder *c = self;
    uint64_t seq = 0;
    REQUIRE(c->head <= c->issue && c->issue <= c->arrived && c->arrived <= c->tail && c->tail - c->head <= IN_RING);
    REQUIRE(c->arrived - c->issue <= c->cfg.commit_width && c->tail - c->arrived <= c->cfg.fetch_buffer);
    REQUIRE(c->write_tail - c->write_head <= c->cfg.store_queue);
    for (uint64_t p = c->head; p < c->tail; p++) {
        const struct in_entry *e = &c->entry[p % IN_RING];
        REQUIRE(e->seq > seq);
        seq = e->seq;
        REQUIRE((e->flags & (IN_EXECUTED | IN_DEFERRED)) || e->trap != RV_TRAP_NONE);
        REQUIRE(p >= c->issue || !(e->events & PROBE_WRONG_PATH));
        REQUIRE(p < c->issue || !(e->flags & IN_DONE));
    }
    REQUIRE(stats_stack_sum(&c->stats) == c->stats.cycles && c->stats.cycles == c->now - c->begin_cycle);
    REQUIRE(stats_fetch_sum(&c->stats) == c->stats.cycles);
    REQUIRE(stats_slots_sum(&c->stats) + c->issued - c->begin_retired == c->stats.cycles * c->cfg.commit_width);
    REQUIRE(c->front.hart->reg[0] == 0);
}

const struct engine inorder_engine = {
    .make = inorder_new,
    .release = inorder_free,
    .parts = inorder_parts,
    .start = inorder_start,
    .advance = inorder_advance,
    .stop = inorder_stop,
    .quiesce = inorder_quiesce,
    .empty = inorder_empty,
    .has_stores = inorder_has_stores,
    .begin = inorder_begin,
    .counts = inorder_counts,
    .stats = inorder_stats,
    .idealise = inorder_idealise,
    .check = inorder_check,
    .print = inorder_print,
};
