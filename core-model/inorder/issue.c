/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The in-order core's issue stage: the rules of board.h, serial instructions, faults, memory accesses, write buffer.
 * Entry point: in_issue_tick. */
#include "core-model/front/slot_leaf.h"
#include "core-model/inorder/inorder.h"

enum { WRITE_HOLD_CYCLES = 64 };

static uint8_t blame_of(const struct inorder *c, const uint64_t *stat)
{
    return (uint8_t)(stat - (const uint64_t *)&c->stats);
}

void in_issue_init(struct inorder *c)
{
    in_board_init(&c->board, &c->cfg);
    for (int r = 0; r < IN_REGISTERS; r++) {
        c->reg_blame[r] = blame_of(c, &c->stats.stack_int);
        c->reg_leaf[r] = TOPDOWN_DEPENDENCES;
    }
}

/* The statistic for stalls on a result of the unit. */
static uint64_t *inorder_issue_wait_for(struct inorder *c, enum rv_unit u)
{
    return u == RV_UNIT_LOAD ? &c->stats.stack_load_l1 : stats_stall_of_unit(&c->stats, u);
}

static uint64_t *wait_for_level(struct inorder *c, enum mem_level level)
{
    uint64_t *by_level[] = {&c->stats.stack_load_l1, &c->stats.stack_load_l2, &c->stats.stack_load_llc,
                            &c->stats.stack_load_dram};
    return by_level[level];
}

/* Stalls issue until `cycle`, attributed to `stat`. */
static bool stall(struct inorder *c, uint64_t *stat, uint64_t cycle)
{
    c->stall = stat;
    if (cycle > c->now)
        in_wake_at(c, cycle);
    return false;
}

/* Whether the instruction executes in one cycle whatever its unit takes. */
static bool in_is_short(const struct in_entry *e)
{
    return (e->ideal & IDEAL_LATENCY) != 0 && !in_is_memory((enum rv_unit)e->insn->unit);
}

/* Cycles from issue to the result, or to the access to memory. */
static uint32_t in_latency_of(const struct inorder *c, const struct in_entry *e)
{
    return in_is_short(e) ? 1 : c->board.unit[e->insn->unit].latency;
}

static bool operands_ready(struct inorder *c, struct in_entry *e)
{
    const struct rv_insn *in = e->insn;
    const struct in_wait w = in_board_registers(&c->board, in, in_latency_of(c, e), c->now);
    if (w.hazard != IN_CLEAR && (e->ideal & IDEAL_DEPENDENCE) == 0) {
        uint8_t reg = w.hazard == IN_RESULT ? in->dst : in->src[w.hazard - IN_SOURCE];
        c->stall_leaf = c->reg_leaf[reg];
        return stall(c, (uint64_t *)&c->stats + c->reg_blame[reg], w.until);
    }
    if (!(e->flags & IN_READY)) {
        e->flags |= IN_READY;
        in_stage(c, e, PROBE_DATA_READY);
    }
    return true;
}

static void free_writes(struct inorder *c)
{
    while (c->write_head != c->write_send && c->write[c->write_head % IN_WRITES].done <= c->now)
        c->write_head++;
}

/* Requests that all entries of the write buffer are sent. */
static void flush_writes(struct inorder *c) { c->write_flush = c->write_send != c->write_tail; }

/* Returns whether the instruction is alone in the pipeline. Atomics and fences also wait until the write buffer is
 * empty. */
static bool alone(struct inorder *c, const struct in_entry *e)
{
    if (c->issue != c->head)
        return stall(c, &c->stats.stack_serial, UINT64_MAX);
    if (e->insn->opclass != OPCLASS_ATOMIC && e->insn->opclass != OPCLASS_FENCE)
        return true;
    free_writes(c);
    flush_writes(c);
    if (c->write_head != c->write_send)
        return stall(c, &c->stats.stack_serial, c->write[c->write_head % IN_WRITES].done);
    return c->write_head == c->write_tail || stall(c, &c->stats.stack_serial, c->now + 1);
}

/* Number of the waiting entry with the line of ea; write_tail: none. */
static uint32_t write_merge(const struct inorder *c, uint64_t ea)
{
    uint32_t n = c->write_send;
    while (n != c->write_tail && ((c->write[n % IN_WRITES].ea ^ ea) & ~(uint64_t)c->mem.line_mask) != 0)
        n++;
    return n;
}

/* Bit mask of the 64 parts of its line that an access touches or, with `whole` (for a store), covers completely. Bytes
 * in the next line are ignored. */
static uint64_t line_parts(const struct inorder *c, const struct rv_outcome *o, bool whole)
{
    uint32_t part = c->mem.line_mask < 64 ? 1 : (c->mem.line_mask + 1) / 64, first = (uint32_t)o->ea & c->mem.line_mask;
    uint32_t end = first + o->mem_bytes;
    if (end > c->mem.line_mask + 1)
        end = c->mem.line_mask + 1;
    uint32_t from = whole ? (first + part - 1) / part : first / part, to = whole ? end / part : (end + part - 1) / part;
    return from >= to ? 0 : (~UINT64_C(0) >> (64 - (to - from))) << from;
}

/* Returns whether the instruction is no store, or merges into an entry of the write buffer or finds a free one. */
static bool write_accepts(struct inorder *c, struct in_entry *e)
{
    if (e->insn->unit != RV_UNIT_STORE)
        return true;
    free_writes(c);
    if (c->write_tail - c->write_head < c->cfg.store_queue || write_merge(c, e->outcome.ea) != c->write_tail)
        return true;
    c->stall_leaf = TOPDOWN_STORE_QUEUE;
    c->stats.full_store_queue++;
    if (!(e->events & PROBE_STORE_QUEUE_FULL))
        in_event(c, e, PROBE_STORE_QUEUE_FULL);
    flush_writes(c);
    return stall(c, &c->stats.stack_store, c->now + 1);
}

/* Returns whether this cycle has a slot for the instruction. */
static bool slot_free(struct inorder *c, const struct in_entry *e)
{
    const enum rv_unit kind = (enum rv_unit)e->insn->unit;
    const struct in_wait w = in_board_slots(&c->board, e->insn, c->now);
    if (w.hazard == IN_CLEAR || (e->ideal & IDEAL_UNIT) != 0)
        return true;
    c->stall_leaf = in_is_memory(kind) ? TOPDOWN_LEAVES : TOPDOWN_PORTS;
    return stall(c, inorder_issue_wait_for(c, kind), w.until);
}

/* Returns whether earlier cycles have left a unit for the instruction. */
static bool unit_free(struct inorder *c, const struct in_entry *e)
{
    const enum rv_unit kind = (enum rv_unit)e->insn->unit;
    const struct in_wait w = in_board_units(&c->board, e->insn, c->now);
    if ((e->ideal & IDEAL_UNIT) != 0 || in_is_short(e))
        return true;
    if (w.hazard == IN_BUSY && !in_is_memory(kind))
        c->stall_leaf = (uint8_t)slot_leaf_of_unit(kind, c->board.unit[kind].latency);
    return w.hazard == IN_CLEAR ||
           stall(c, w.hazard == IN_AFTER_STORE ? &c->stats.stack_store : inorder_issue_wait_for(c, kind), w.until);
}

/* Returns whether the access is the first one to its page. */
static bool touches_first(struct inorder *c, struct in_entry *e)
{
    const struct rv_outcome *o = &e->outcome;
    if (c->cfg.page_fault_cycles == 0 || o->mem_bytes == 0 || memory_touched(&c->front.hart->mem, o->ea, o->mem_bytes))
        return false;
    e->trap = RV_TRAP_PAGE;
    c->active = true; /* it faults in the next cycle */
    return !stall(c, &c->stats.stack_exception, UINT64_MAX);
}

/* Page-fault handling. The handler's first instruction arrives as late as any instruction after a flush. */
static void inorder_issue_page_fault(struct inorder *c, struct in_entry *e)
{
    c->stats.page_faults++;
    in_event(c, e, PROBE_PAGE_FAULT);
    in_squash(c, c->head, e->pc, e->history, PROBE_CAUSE_EXCEPTION);
    front_touch(&c->front, e->pc, &e->outcome);
    front_occupy(&c->front, c->now + c->cfg.redirect_cycles + c->cfg.frontend_cycles, c->cfg.page_fault_cycles);
    probe_port_handled(&c->port, c->interrupt.until - 1);
}

/* Raises a program fault or a page fault when all earlier instructions are complete. */
static bool inorder_issue_faults(struct inorder *c, struct in_entry *e)
{
    enum rv_trap trap = (enum rv_trap)e->trap;
    if (trap == RV_TRAP_NONE)
        return false;
    if (c->issue != c->head || c->token.committing > 0)
        return stall(c, &c->stats.stack_exception, UINT64_MAX) || true;
    c->token.exception = true;
    c->token.exception_pc = c->faulted = e->pc;
    probe_port_excepted(&c->port, e->pc, e->events);
    c->empty = &c->stats.stack_exception;
    if (trap == RV_TRAP_PAGE) {
        inorder_issue_page_fault(c, e);
        return true;
    }
    in_squash(c, c->head, e->pc, e->history, PROBE_CAUSE_EXCEPTION);
    c->finished = front_program_fault(&c->front, trap, c->now, c->retired);
    return true;
}

static bool may_issue(struct inorder *c, struct in_entry *e)
{
    if (c->redirect_at != 0)
        return stall(c, &c->stats.stack_mispredict, UINT64_MAX);
    if (c->serial)
        return stall(c, &c->stats.stack_serial, UINT64_MAX);
    if (c->issued >= c->limit || inorder_issue_faults(c, e))
        return false;
    if ((in_flags_of(e) & RV_SERIAL) && !alone(c, e))
        return false;
    return operands_ready(c, e) && slot_free(c, e) && write_accepts(c, e) && unit_free(c, e) && !touches_first(c, e);
}

/* Returns the cycle with the translation of the instruction's address, which is known in cycle `when`. */
static uint64_t inorder_issue_translate(struct inorder *c, struct in_entry *e, uint64_t when)
{
    enum tlb_miss miss;
    if ((e->ideal & IDEAL_DTLB) != 0)
        ideal_translate(&c->mem, e->outcome.ea, when);
    const uint64_t ready = tlb_access(&c->mem.dtlb, e->outcome.ea, when, &miss);
    if (miss)
        in_event(c, e, dtlb_miss_events(miss));
    return ready;
}

/* Returns whether the load has its data from the write buffer. If an entry has its line and not all of its data, it is
 * sent first, then the load reads the cache. */
static bool write_forwards(struct inorder *c, struct in_entry *e)
{
    const uint32_t held = write_merge(c, e->outcome.ea);
    const uint64_t wanted = line_parts(c, &e->outcome, false);
    const uint64_t found = held != c->write_tail ? c->write[held % IN_WRITES].mask & wanted : 0;
    const bool gets = (e->ideal & IDEAL_FORWARD) != 0;
    if (held == c->write_tail || (gets && found == 0))
        return false;
    if (found != wanted && !gets) {
        flush_writes(c);
        return false;
    }
    in_event(c, e, PROBE_FORWARDED);
    c->stats.forwarded++;
    return true;
}

/* Accesses the cache in cycle `when`. */
static struct cache_result inorder_issue_access(struct inorder *c, const struct in_entry *e, uint64_t when,
                                                bool is_write)
{
    const struct rv_outcome *o = &e->outcome;
    c->mem.pc = e->pc;
    const struct ideal_datum d = {.causes = is_write ? 0 : e->ideal, .bytes = o->mem_bytes, .addr = o->ea};
    if (d.causes != 0 && ideal_load(&c->mem, &d, when))
        return (struct cache_result){.done = when + c->mem.l1d.hit_cycles, .level = MEM_LEVEL_L1};
    return hierarchy_data(&c->mem, o->ea, o->mem_bytes, when, is_write);
}

static void access_memory(struct inorder *c, struct in_entry *e, bool is_write)
{
    const uint64_t when = inorder_issue_translate(c, e, c->now + in_latency_of(c, e));
    if (!is_write && write_forwards(c, e)) {
        e->done = when + c->cfg.forward_cycles;
        c->reg_leaf[e->insn->dst] = TOPDOWN_DATA_FORWARD;
        return;
    }
    const struct cache_result r = inorder_issue_access(c, e, when, is_write);
    e->done = r.done;
    in_event(c, e, data_miss_events(&c->mem, r.level));
    e->probe.evicted = r.level != MEM_LEVEL_L1 ? c->mem.evicted : 0;
    c->reg_blame[e->insn->dst] = blame_of(c, wait_for_level(c, r.level));
    const bool translates = (e->events & PROBE_DTLB_MISS) != 0 && r.level == MEM_LEVEL_L1;
    c->reg_leaf[e->insn->dst] = (uint8_t)(translates ? slot_leaf_of_translation(e->events)
                                                     : slot_leaf_of_level(r.level, e->events));
}

static void write_enter(struct inorder *c, struct in_entry *e)
{
    const struct rv_outcome *o = &e->outcome;
    e->done = inorder_issue_translate(c, e, e->done);
    c->last_stored = c->now;
    if ((e->ideal & IDEAL_UNIT) == 0)
        c->board.last_store = c->now;
    uint32_t number = write_merge(c, o->ea);
    struct in_write *held = &c->write[number % IN_WRITES];
    if (number == c->write_tail) {
        c->write_tail++;
        *held = (struct in_write){.ea = o->ea, .pc = e->pc, .bytes = o->mem_bytes};
        e->flags |= IN_WRITING;
        e->write = number;
    }
    held->mask |= line_parts(c, o, true);
}

static void inorder_issue_execute_deferred(struct inorder *c, struct in_entry *e)
{
    switch (front_execute_deferred(&c->front, e->insn, &e->outcome, c->now, c->retired)) {
    case FRONT_EXECUTED:
        e->flags |= IN_EXECUTED;
        break;
    case FRONT_TRAPPED:
        e->trap = e->outcome.trap;
        break;
    case FRONT_ABSENT:
        e->trap = RV_TRAP_PAGE;
        break;
    case FRONT_SYSTEM_CALL:
        break;
    }
}

/* For slots that wait for the result of an instruction in this unit, unless its access to memory says more. */
static enum topdown_leaf leaf_of_result(enum rv_unit unit, unsigned latency)
{
    if (unit == RV_UNIT_LOAD)
        return TOPDOWN_DATA_L1;
    return unit == RV_UNIT_STORE ? TOPDOWN_STORE_OPERANDS : slot_leaf_of_unit(unit, latency);
}

/* The instruction takes its slot and its unit. */
static void in_take_unit(struct inorder *c, const struct in_entry *e)
{
    if ((e->ideal & IDEAL_UNIT) != 0)
        return;
    if (in_is_short(e))
        in_board_take_slot(&c->board, e->insn);
    else
        in_board_issue(&c->board, e->insn, c->now);
}

static void inorder_issue_one(struct inorder *c, struct in_entry *e)
{
    const struct rv_insn *in = e->insn;
    in_take_unit(c, e);
    in_tag(c, e, &c->port.at_rename);
    in_stage(c, e, PROBE_ISSUED);
    e->done = c->now + in_latency_of(c, e);
    c->reg_blame[in->dst] = blame_of(c, inorder_issue_wait_for(c, (enum rv_unit)in->unit));
    c->reg_leaf[in->dst] = (uint8_t)leaf_of_result((enum rv_unit)in->unit, c->board.unit[in->unit].latency);
    if (e->outcome.mem_bytes != 0 && in->unit == RV_UNIT_STORE)
        write_enter(c, e);
    else if (e->outcome.mem_bytes != 0)
        access_memory(c, e, in->unit == RV_UNIT_AMO);
    in_board_result(&c->board, in, e->done);
    if (e->flags & IN_WRONG)
        c->redirect_at = e->done;
    c->serial = (in_flags_of(e) & RV_SERIAL) != 0;
    c->empty = e->flags & IN_WRONG ? &c->stats.stack_mispredict : &c->stats.stack_frontend;
    c->issue++;
    c->issued++;
    c->active = true;
}

/* Sets the token's bank of an issued instruction, including the events that it will have at retirement: the model knows
 * the branch outcome. */
static void inorder_issue_note_commit(struct inorder *c, uint32_t bank, const struct in_entry *e)
{
    struct probe_token *t = &c->token;
    t->bank[bank].commits = true;
    t->bank[bank].mispredicted = (e->flags & IN_WRONG) != 0;
    t->bank[bank].flushes = (in_flags_of(e) & (RV_FLUSH | RV_ECALL)) != 0;
    t->bank[bank].events = e->events;
    if ((e->insn->flags & (RV_BRANCH | RV_JUMP)) && e->outcome.taken)
        t->bank[bank].events |= PROBE_TAKEN;
    if (t->bank[bank].mispredicted)
        t->bank[bank].events |= PROBE_MISPREDICTED;
    if (t->bank[bank].flushes)
        t->bank[bank].events |= PROBE_FLUSHES;
}

void in_issue_tick(struct inorder *c)
{
    in_board_begin_cycle(&c->board);
    for (uint32_t n = 0; n < c->cfg.commit_width && c->issue != c->arrived && !c->finished; n++) {
        struct in_entry *e = in_at(c, c->issue);
        if (!may_issue(c, e))
            return;
        if (e->flags & IN_DEFERRED) {
            inorder_issue_execute_deferred(c, e);
            if (e->trap != RV_TRAP_NONE) {
                c->active = true; /* it faults in the next cycle */
                return;
            }
        }
        uint32_t bank = (uint32_t)(c->issue % c->token.banks);
        inorder_issue_one(c, e);
        c->token.committing++;
        inorder_issue_note_commit(c, bank, e);
    }
}

/* Returns whether the oldest write-buffer entry may be sent. It is kept for merging until a second entry waits (21164PC
 * Hardware Reference Manual, section 2.7.4), no store has issued for some cycles, or the buffer must be emptied. */
static bool write_leaves(struct inorder *c)
{
    uint32_t waiting = c->write_tail - c->write_send;
    uint64_t hold_until = c->last_stored + WRITE_HOLD_CYCLES;
    if (waiting == 0)
        return false;
    if (waiting >= 2 || c->write_flush || c->now >= hold_until)
        return true;
    in_wake_at(c, hold_until);
    return false;
}

/* Sends write-buffer entry `number`. Its stores that have not retired record the events of the access. */
static void write_out(struct inorder *c, uint32_t number)
{
    struct in_write *w = &c->write[number % IN_WRITES];
    c->mem.pc = w->pc;
    struct cache_result r = hierarchy_data(&c->mem, w->ea, w->bytes, c->now, true);
    uint32_t events = data_miss_events(&c->mem, r.level);
    w->done = r.done;
    probe_port_accessed(&c->port, number, events, c->now);
    if (c->port.complete_tags == 0)
        return;
    for (uint64_t p = c->head; p < c->issue; p++) {
        struct in_entry *e = in_at(c, p);
        if ((e->flags & IN_WRITING) && e->write == number) {
            e->flags &= (uint8_t)~IN_WRITING;
            e->written = events;
        }
    }
}

/* Sends the write buffer's oldest entries to the cache. */
void in_write_tick(struct inorder *c)
{
    free_writes(c);
    for (uint32_t n = 0; n < c->cfg.store_drain && write_leaves(c); n++) {
        write_out(c, c->write_send++);
        c->active = true;
    }
    c->write_flush = c->write_flush && c->write_send != c->write_tail;
}
