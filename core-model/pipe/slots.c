/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slots at rename, issue and commit for observers: the category of top-down analysis of each, and the instruction
 * to which it belongs. Entry points: slots_report, slots_squash.
 *
 * Of rename, the level 1 of the categories is that of the statistics, which the caller has counted: each leaf belongs
 * to one of them (contract/topdown.def, with one exception). A slot without room is attributed to the oldest
 * instruction that is not complete: the ROB and the queues empty in its order, so it is the one that keeps them full.
 * TIP (MICRO-54) attributes stall cycles to the same instruction; Yasin (ISPASS 2014) classifies these slots by the
 * accesses in flight and names none. Exceptions are a store or load without a queue entry and an instruction that must
 * be alone: they wait themselves.
 *
 * The rules for issue and commit are those of multi-stage CPI stacks (S. Eyerman, W. Heirman, K. Du Bois and I. Hur,
 * "Extending the Performance Analysis Tool Box: Multi-Stage CPI Stacks and FLOPS Stacks", ISPASS 2018): at issue the
 * instruction that computes what the oldest one without an issue waits for, at commit the oldest one; where there is
 * none, what rename has lost its last slots to. The width is that of the narrowest stage. Instructions beyond it count
 * in later cycles. */
#include "core-model/front/slot_leaf.h"
#include "core-model/pipe/pipe.h"

static inline struct slot *at(const struct ooo *c, uint64_t position) { return &c->slot[position & c->ring_mask]; }

static bool is_access(const struct slot *s)
{
    return is_kind(s, RV_UNIT_LOAD) || is_kind(s, RV_UNIT_STORE) || is_kind(s, RV_UNIT_AMO);
}

/* The oldest instruction if it is not complete, or NULL. */
static const struct slot *unfinished_head(const struct ooo *c)
{
    const struct slot *s = at(c, c->head);
    return c->head != c->rob_tail && !(s->flags & SLOT_DONE) ? s : NULL;
}

/* The cycle in which an access that missed the data TLB has its address; 0: it did not miss. */
static uint64_t translated_at(const struct ooo *c, const struct slot *s)
{
    return (s->events & PROBE_DTLB_MISS) != 0 ? c->causes.translated[s - c->slot] : 0;
}

/* Why an instruction that accesses memory is not complete in cycle `now`. */
static enum topdown_leaf leaf_of_access(const struct ooo *c, const struct slot *s, uint64_t now)
{
    if (now < translated_at(c, s))
        return slot_leaf_of_translation(s->events);
    if (is_kind(s, RV_UNIT_STORE))
        return TOPDOWN_STORE_OPERANDS;
    if (s->flags & SLOT_QUEUED)
        return TOPDOWN_ADDR_GENERATION;
    if ((s->flags & SLOT_RETRY) || (s->events & PROBE_FORWARDED))
        return TOPDOWN_DATA_FORWARD;
    return slot_leaf_of_level((enum mem_level)s->level, s->events);
}

static struct slot_cause cause_in_memory(const struct ooo *c, uint64_t now)
{
    const struct slot *head = unfinished_head(c);
    if (head != NULL && is_access(head))
        return (struct slot_cause){leaf_of_access(c, head, now), head->pc, translated_at(c, head)};
    const bool is_store = c->cycle.blocked == &c->stats.full_store_queue;
    return (struct slot_cause){is_store ? TOPDOWN_STORE_QUEUE : TOPDOWN_LOAD_QUEUE, at(c, c->rob_tail)->pc, 0};
}

/* The resource that is used up, while the oldest instruction is complete or a load. */
static enum topdown_leaf leaf_of_resource(const struct ooo *c)
{
    const uint64_t *by = c->cycle.blocked;
    if (by == &c->stats.full_registers)
        return TOPDOWN_REGISTERS;
    if (by == &c->stats.full_branches)
        return TOPDOWN_BRANCHES;
    return by == &c->stats.full_rob ? TOPDOWN_ROB : TOPDOWN_ISSUE_QUEUE;
}

/* The oldest instruction that is not complete, or NULL. */
static const struct slot *oldest_unfinished(const struct ooo *c)
{
    for (uint64_t p = c->head; p != c->rob_tail; p++)
        if (!(at(c, p)->flags & SLOT_DONE))
            return at(c, p);
    return NULL;
}

static enum topdown_leaf leaf_of_execution(const struct ooo *c, const struct slot *s)
{
    const enum rv_unit unit = (enum rv_unit)s->insn->unit;
    if ((s->flags & SLOT_QUEUED) && unit != RV_UNIT_SYSTEM)
        return s->flags & SLOT_READY ? TOPDOWN_PORTS : TOPDOWN_DEPENDENCES;
    return slot_leaf_of_unit(unit, c->units.latency[unit]);
}

/* Why an instruction that has entered the back end has not completed. */
static struct slot_cause cause_of_insn(const struct ooo *c, const struct slot *s, uint64_t now)
{
    if (is_access(s))
        return (struct slot_cause){leaf_of_access(c, s, now), s->pc, translated_at(c, s)};
    return (struct slot_cause){leaf_of_execution(c, s), s->pc, 0};
}

/* An instruction that has completed since commit, or that commit has no width for, hides the one behind it. */
static struct slot_cause cause_in_core(const struct ooo *c)
{
    if (c->cycle.blocked == NULL) /* fetch waits for the retirement of the youngest instruction, or has ended */
        return (struct slot_cause){TOPDOWN_SERIALIZING, at(c, c->fetch_tail - 1)->pc, 0};
    if (c->cycle.blocked == &c->stats.serialised)
        return (struct slot_cause){TOPDOWN_SERIALIZING, at(c, c->serial_in_rob ? c->rob_tail - 1 : c->rob_tail)->pc, 0};
    const struct slot *s = oldest_unfinished(c);
    if (s != NULL && !is_access(s))
        return (struct slot_cause){leaf_of_execution(c, s), s->pc, 0};
    return (struct slot_cause){leaf_of_resource(c), at(c, c->head)->pc, 0};
}

/* The next instruction to enter or, if that is on a wrong path, the mispredicted one. */
static uint64_t next_to_enter(const struct ooo *c)
{
    if (c->front.wrong < c->rob_tail)
        return at(c, c->front.wrong)->pc;
    return c->rob_tail != c->fetch_tail ? at(c, c->rob_tail)->pc : c->front.hart->pc;
}

/* The leaf of the groups `ftq` for what the oldest unfinished instruction waits for. */
static enum topdown_leaf leaf_behind_ftq(enum topdown_leaf waits)
{
    switch (waits) {
    case TOPDOWN_ADDR_GENERATION:
    case TOPDOWN_ADDR_TLB:
    case TOPDOWN_ADDR_WALK:
        return TOPDOWN_FTQ_ADDR;
    case TOPDOWN_DATA_FORWARD:
        return TOPDOWN_FTQ_FORWARD;
    case TOPDOWN_DATA_L1:
        return TOPDOWN_FTQ_L1;
    case TOPDOWN_DATA_L2:
        return TOPDOWN_FTQ_L2;
    case TOPDOWN_DATA_L3:
        return TOPDOWN_FTQ_L3;
    case TOPDOWN_DATA_HITM:
        return TOPDOWN_FTQ_HITM;
    case TOPDOWN_DATA_EXTERNAL:
        return TOPDOWN_FTQ_EXTERNAL;
    case TOPDOWN_STORE_OPERANDS:
        return TOPDOWN_FTQ_STORE;
    case TOPDOWN_DIVIDER:
        return TOPDOWN_FTQ_DIVIDER;
    case TOPDOWN_FP:
        return TOPDOWN_FTQ_FP;
    case TOPDOWN_UNIT:
        return TOPDOWN_FTQ_UNIT;
    case TOPDOWN_DEPENDENCES:
        return TOPDOWN_FTQ_DEPENDENCES;
    case TOPDOWN_PORTS:
        return TOPDOWN_FTQ_PORTS;
    case TOPDOWN_SERIALIZING:
        return TOPDOWN_FTQ_SERIALIZING;
    default:
        BUG("category %d of an unfinished instruction", (int)waits);
    }
}

/* The fetch target queue is full until the oldest instructions retire. */
static struct slot_cause cause_behind_ftq(const struct ooo *c, uint64_t next, uint64_t now)
{
    const struct slot *s = oldest_unfinished(c);
    if (c->head == c->rob_tail)
        return (struct slot_cause){TOPDOWN_FETCH_OTHER, next, 0};
    if (s == NULL)
        return (struct slot_cause){TOPDOWN_FTQ_RETIRE, at(c, c->head)->pc, 0};
    struct slot_cause k = cause_of_insn(c, s, now);
    k.leaf = leaf_behind_ftq(k.leaf);
    return k;
}

static struct slot_cause cause_in_front(const struct ooo *c, uint64_t now)
{
    const struct slot_causes *k = &c->causes;
    const uint64_t next = next_to_enter(c);
    if (c->cycle.renamed > 0)
        return (struct slot_cause){TOPDOWN_FETCH_BANDWIDTH, next, 0};
    if (k->refill == TOPDOWN_FETCH_FLUSH)
        return (struct slot_cause){TOPDOWN_FETCH_FLUSH, k->squasher, 0};
    const enum topdown_leaf leaf = c->rob_tail != c->fetch_tail
                                       ? (enum topdown_leaf)k->packet_waited[at(c, c->rob_tail)->packet % RING_MAX]
                                       : slot_leaf_of_fetch(&c->stats, c->cycle.fetch);
    return leaf == TOPDOWN_FTQ_RETIRE ? cause_behind_ftq(c, next, now) : (struct slot_cause){leaf, next, 0};
}

/* Of the slots that the statistic `lost` has counted in cycle `now`. */
static struct slot_cause cause_of(const struct ooo *c, const uint64_t *lost, uint64_t now)
{
    const struct core_stats *s = &c->stats;
    if (lost == &s->slots_memory)
        return cause_in_memory(c, now);
    if (lost == &s->slots_core)
        return cause_in_core(c);
    if (lost == &s->slots_frontend)
        return cause_in_front(c, now);
    if (lost == &s->slots_recovery)
        return (struct slot_cause){(enum topdown_leaf)c->causes.refill, c->causes.squasher, 0};
    return (struct slot_cause){TOPDOWN_HANDLER, 0, 0};
}

/* Notes why fetch delivers nothing, for the packet that it delivers next. */
static void note_fetch(struct ooo *c)
{
    struct slot_causes *k = &c->causes;
    const enum topdown_leaf leaf = slot_leaf_of_fetch(&c->stats, c->cycle.fetch);
    if (c->cycle.fetch == &c->stats.fetch_active) {
        const struct slot *last = at(c, c->fetch_tail - 1);
        k->packet_waited[last->packet % RING_MAX] = k->waited;
        if (last->dispatch_cycle >= c->now + c->cfg.frontend_cycles) /* no packet ahead of its time (front_resume) */
            k->waited = TOPDOWN_FETCH_OTHER;
    } else if (leaf != TOPDOWN_FETCH_OTHER) {
        k->waited = (uint8_t)leaf;
    }
}

/* Number of these cycles in which the cause is the same. */
static uint64_t same_cycles(const struct slot_cause *k, uint64_t now, uint64_t cycles)
{
    return k->changes > now && k->changes - now < cycles ? k->changes - now : cycles;
}

/* ---- issue and commit ---- */

/* Slots in a cycle of issue and commit: those of the narrowest stage. */
static uint32_t narrowest(const struct core_config *cfg)
{
    const uint32_t issue = cfg->int_issue + cfg->fp_issue + (cfg->mem_in_int_queue ? 0 : cfg->mem_issue);
    const uint32_t least = cfg->commit_width < issue ? cfg->commit_width : issue;
    return cfg->decode_width < least ? cfg->decode_width : least;
}

/* The instruction that computes the operand that the one at `position` waits for; NULL: none. */
static const struct slot *producer_of(const struct ooo *c, uint64_t position)
{
    const struct slot *s = at(c, position);
    for (unsigned n = 0; n < 3; n++)
        for (uint64_t p = c->head; s->src[n] != NIL && !c->reg_ready[s->src[n]] && p != position; p++)
            if (at(c, p)->dst == s->src[n])
                return at(c, p);
    return NULL;
}

static struct slot_cause cause_at_issue(const struct ooo *c, uint64_t now)
{
    const uint64_t end = c->rob_tail - c->cycle.renamed; /* what has entered in this cycle could not issue */
    uint64_t p = c->head;
    while (p != end && (at(c, p)->flags & SLOT_QUEUED) == 0)
        p++;
    if (p == end)
        return c->causes.entry;
    if (p > c->front.wrong)
        return (struct slot_cause){TOPDOWN_MISPREDICT, at(c, c->front.wrong)->pc, 0};
    const struct slot *producer = (at(c, p)->flags & SLOT_READY) != 0 ? NULL : producer_of(c, p);
    return cause_of_insn(c, producer != NULL ? producer : at(c, p), now);
}

static struct slot_cause cause_at_commit(const struct ooo *c, uint64_t now)
{
    const uint64_t end = c->rob_tail - c->cycle.renamed;
    return c->head < end ? cause_of_insn(c, at(c, c->head), now) : c->causes.entry;
}

/* Reports cycles of a stage, in the first of which `passed` instructions pass it. */
static void slots_report_stage(struct ooo *c, enum topdown_stage stage, uint64_t cycles, uint32_t passed,
                               struct slot_cause (*cause)(const struct ooo *c, uint64_t now))
{
    const uint32_t width = narrowest(&c->cfg);
    const uint64_t end = c->now + cycles;
    uint32_t *beyond = &c->causes.beyond[stage];
    struct probe_slots s = {.cycle = c->now, .width = (uint8_t)width};
    if (c->port.slots[stage].count == 0)
        return;
    for (*beyond += passed; s.cycle != end; s.cycle += s.repeat) {
        const struct slot_cause k = cause(c, s.cycle);
        s.entered = (uint8_t)(*beyond < width ? *beyond : width);
        *beyond -= s.entered;
        s.repeat = s.entered > 0 ? 1 : same_cycles(&k, s.cycle, end - s.cycle);
        s.leaf = (uint8_t)k.leaf;
        s.pc = k.pc;
        probe_port_notify_slots(&c->port, stage, &s);
    }
}

/* ---- reports ---- */

static void slots_report_entry(struct ooo *c, uint64_t cycles, const uint64_t *lost)
{
    const uint64_t end = c->now + cycles;
    struct probe_slots s = {
        .cycle = c->now, .width = (uint8_t)c->cfg.decode_width, .entered = (uint8_t)c->cycle.renamed};
    for (; s.cycle != end; s.cycle += s.repeat) {
        const struct slot_cause k = lost != NULL ? cause_of(c, lost, s.cycle)
                                                 : (struct slot_cause){.leaf = TOPDOWN_RETIRING};
        s.repeat = same_cycles(&k, s.cycle, end - s.cycle);
        s.leaf = (uint8_t)k.leaf;
        s.pc = k.pc;
        probe_port_notify_slots(&c->port, TOPDOWN_AT_ENTRY, &s);
        if (lost != NULL)
            c->causes.entry = k;
    }
}

void slots_report(struct ooo *c, uint64_t cycles, const uint64_t *lost)
{
    note_fetch(c);
    if (c->cycle.renamed > 0)
        c->causes.refill = TOPDOWN_FETCH_OTHER;
    slots_report_stage(c, TOPDOWN_AT_COMMIT, cycles, c->cycle.commits, cause_at_commit);
    slots_report_stage(c, TOPDOWN_AT_ISSUE, cycles, c->cycle.issued, cause_at_issue);
    slots_report_entry(c, cycles, lost);
}

/* Instructions from `position` on that have issued. */
static uint32_t issued_from(const struct ooo *c, uint64_t position)
{
    uint32_t issued = 0;
    for (uint64_t p = position; p < c->rob_tail; p++)
        issued += (at(c, p)->flags & SLOT_QUEUED) == 0;
    return issued;
}

void slots_squash(struct ooo *c, uint64_t position, enum probe_cause cause)
{
    static const struct {
        enum topdown_leaf squashed, refill;
        bool behind; /* the instruction that caused the squash is the one before */
    } of[PROBE_CAUSE_COUNT] = {
        [PROBE_CAUSE_MISPREDICT] = {TOPDOWN_MISPREDICT, TOPDOWN_MISPREDICT_RECOVERY, true},
        [PROBE_CAUSE_ORDERING] = {TOPDOWN_ORDERING, TOPDOWN_ORDERING_RECOVERY, false},
        [PROBE_CAUSE_EXCEPTION] = {TOPDOWN_EXCEPTION, TOPDOWN_EXCEPTION_RECOVERY, false},
        [PROBE_CAUSE_SERIALISE] = {TOPDOWN_INTERRUPT, TOPDOWN_FETCH_FLUSH, true},
        [PROBE_CAUSE_INTERRUPT] = {TOPDOWN_INTERRUPT, TOPDOWN_HANDLER, false},
    };
    struct slot_causes *k = &c->causes;
    k->refill = (uint8_t)of[cause].refill;
    k->squasher = at(c, position - of[cause].behind)->pc;
    k->waited = TOPDOWN_FETCH_OTHER;
    k->entry = (struct slot_cause){of[cause].refill, of[cause].refill == TOPDOWN_HANDLER ? 0 : k->squasher, 0};
    if (!c->port.wants_slots || c->rob_tail <= position)
        return;
    struct probe_slots_squashed s = {.cycle = c->now,
                                     .pc = k->squasher,
                                     .slots = (uint32_t)(c->rob_tail - position),
                                     .leaf = (uint8_t)of[cause].squashed};
    probe_port_notify_squashed(&c->port, TOPDOWN_AT_ENTRY, &s);
    s.slots = issued_from(c, position);
    probe_port_notify_squashed(&c->port, TOPDOWN_AT_ISSUE, &s);
}
