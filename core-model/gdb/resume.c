/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the guest runs on, and why it stops. Source: the manual of gdb, "Stop Reply Packets"; the numbers of signals are
 * those of gdb's include/gdb/signals.def. */
#include <unistd.h>

#include "core-model/gdb/registers.h"
#include "core-model/gdb/server.h"

enum { SIGNAL_INT = 2, SIGNAL_TRAP = 5, SIGNAL_KILL = 9, REAL_TIME = 32, GDB_UNKNOWN = 143, REG_SP = 2 };

/* gdb's numbers of Linux's standard signals, by Linux's. */
static const uint8_t gdb_numbers[REAL_TIME] = {0,           1,  2,  3,  4,  5,  6,  10, 8,  9,  30, 11, 31, 13, 14, 15,
                                               GDB_UNKNOWN, 20, 19, 17, 18, 21, 22, 16, 24, 25, 26, 27, 28, 23, 32, 12};
/* Of real-time signals: 33 to 63 are consecutive. */
enum { GDB_REAL_TIME_33 = 45, GDB_REAL_TIME_63 = 75, GDB_REAL_TIME_32 = 77, GDB_REAL_TIME_64 = 78 };

unsigned gdb_signal_number(int signal)
{
    if (signal < 0 || signal > 64)
        return GDB_UNKNOWN;
    if (signal < REAL_TIME)
        return gdb_numbers[signal];
    return signal == 32 ? GDB_REAL_TIME_32 : signal == 64 ? GDB_REAL_TIME_64 : (unsigned)signal - 33 + GDB_REAL_TIME_33;
}

int gdb_signal_of(uint64_t number)
{
    for (int signal = 1; signal <= 64; signal++)
        if (gdb_signal_number(signal) == number)
            return signal;
    return 0;
}

uint32_t gdb_resume_thread(const struct gdb_server *s)
{
    struct guest_registers r;
    uint32_t first = 0;
    const uint64_t tid = s->general_thread;
    if (tid != 0 && tid <= UINT32_MAX && guest_find_registers(s->guest, (uint32_t)tid, &r))
        return (uint32_t)tid;
    if (guest_find_registers(s->guest, s->event.tid, &r))
        return s->event.tid;
    (void)guest_list_threads(s->guest, &first, 1);
    return first;
}

/* ---- stops ---- */

static void tell_exit(struct gdb_server *s)
{
    const struct guest_process *p = s->guest->process;
    if (p->exited && p->fatal_signal == 0)
        gdb_reply_text(&s->reply, "W%02x", (unsigned)p->exit_status & 0xff);
    else
        gdb_reply_text(&s->reply, "X%02x", gdb_signal_number(p->exited ? p->fatal_signal : SIGNAL_KILL));
}

/* The cause, as far as gdb knows such causes. */
static void tell_cause(struct gdb_server *s)
{
    static const char *const watches[] = {
        [GDB_WATCH_WRITE] = "watch", [GDB_WATCH_READ] = "rwatch", [GDB_WATCH_ACCESS] = "awatch"};
    const struct gdb_event *e = &s->event;
    if (e->kind == GDB_EVENT_BREAK && e->watch == GDB_BREAK_HARDWARE && s->knows_hwbreak)
        gdb_reply_text(&s->reply, "hwbreak:;");
    else if (e->kind == GDB_EVENT_BREAK && s->knows_swbreak)
        gdb_reply_text(&s->reply, "swbreak:;");
    else if (e->kind == GDB_EVENT_WATCH)
        gdb_reply_text(&s->reply, "%s:%llx;", watches[e->watch], (unsigned long long)e->address);
    else if (e->kind == GDB_EVENT_BEGIN)
        gdb_reply_text(&s->reply, "replaylog:begin;");
    if (e->kind != GDB_EVENT_EXEC)
        return;
    const char *program = guest_program(s->guest);
    gdb_reply_text(&s->reply, "exec:");
    gdb_reply_hex(&s->reply, program, strlen(program));
    gdb_reply_text(&s->reply, ";");
}

void gdb_resume_tell_stop(struct gdb_server *s)
{
    const struct gdb_event *e = &s->event;
    const bool has_signal = e->kind == GDB_EVENT_FAULT || e->kind == GDB_EVENT_SIGNAL;
    const int signal = has_signal ? e->signal : e->kind == GDB_EVENT_INTERRUPT ? SIGNAL_INT : SIGNAL_TRAP;
    struct guest_registers r;
    if (e->kind == GDB_EVENT_EXIT) {
        tell_exit(s);
        return;
    }
    const uint32_t tid = gdb_resume_thread(s);
    gdb_reply_text(&s->reply, "T%02x", gdb_signal_number(signal));
    tell_cause(s);
    gdb_reply_text(&s->reply, "thread:%x;", tid);
    if (!guest_find_registers(s->guest, tid, &r))
        return;
    gdb_reply_text(&s->reply, "%02x:", (unsigned)REG_SP);
    gdb_register_put(&r, REG_SP, &s->reply);
    gdb_reply_text(&s->reply, ";%02x:", (unsigned)GDB_REG_PC);
    gdb_register_put(&r, GDB_REG_PC, &s->reply);
    gdb_reply_text(&s->reply, ";");
}

/* The first event counts; what happens until the run has stopped happens again after it. */
static void note_event(struct gdb_server *s, const struct gdb_event *e)
{
    if (s->event.kind == GDB_EVENT_NONE)
        s->event = *e;
    s->guest->hart.stop = HART_STOP;
}

static bool is_reported(struct gdb_server *s, int signal)
{
    if (s->deliver == signal) {
        s->deliver = 0;
        return false;
    }
    return signal == SIGNAL_TRAP || (s->passed >> (signal - 1) & 1) == 0;
}

/* A forked process of the guest has the ebreaks in its copy of the memory. */
static bool leave_to_child(struct gdb_server *s, struct guest *g, enum guest_stop stop)
{
    const bool is_ours = stop == GUEST_STOP_FAULT && gdb_breaks_at(&s->breaks, g->hart.pc) != NULL;
    if (stop == GUEST_STOP_EXEC)
        gdb_breaks_forget(&s->breaks);
    else if (is_ours)
        gdb_breaks_remove_all(&s->breaks, g);
    return is_ours;
}

bool gdb_resume_withholds(void *ctx, struct guest *g, enum guest_stop stop, int signal)
{
    struct gdb_server *s = ctx;
    if (getpid() != s->owner)
        return leave_to_child(s, g, stop);
    struct gdb_event e = {.kind = GDB_EVENT_FAULT, .signal = signal, .tid = guest_thread_on(g, g->number)};
    if (stop == GUEST_STOP_EXEC) {
        gdb_breaks_forget(&s->breaks);
        e.kind = GDB_EVENT_EXEC;
        if (s->knows_exec)
            note_event(s, &e);
        return false;
    }
    const struct gdb_point *at = stop == GUEST_STOP_FAULT && signal == SIGNAL_TRAP
                                     ? gdb_breaks_at(&s->breaks, g->hart.pc)
                                     : NULL;
    if (at == NULL && s->event.kind == GDB_EVENT_NONE && !is_reported(s, signal))
        return false;
    if (at != NULL)
        e.kind = GDB_EVENT_BREAK, e.watch = at->kind;
    else if (stop == GUEST_STOP_SIGNAL)
        e.kind = GDB_EVENT_SIGNAL;
    note_event(s, &e);
    return true;
}

/* ---- running on ---- */

/* What becomes of the signal that was withheld, and of the one that gdb passes. */
static void settle_signals(struct gdb_server *s)
{
    const struct gdb_event *e = &s->event;
    const bool is_same = (e->kind == GDB_EVENT_SIGNAL || e->kind == GDB_EVENT_FAULT) && e->signal == s->run.signal;
    if (e->kind == GDB_EVENT_SIGNAL && !is_same)
        guest_drop_signal(s->guest, e->tid, e->signal);
    s->deliver = s->run.signal;
    if (!is_same && s->run.signal != 0)
        guest_send_signal(s->guest, s->run.tid != 0 ? s->run.tid : gdb_resume_thread(s), s->run.signal);
    if (e->kind == GDB_EVENT_SIGNAL || (!is_same && s->run.signal != 0))
        guest_expect_signals(s->guest);
}

void gdb_resume_begin(struct gdb_server *s, const struct gdb_run *run)
{
    s->run = *run;
    if (s->event.kind != GDB_EVENT_PAUSE)
        settle_signals(s);
    if (run->tid != 0 && s->event.kind != GDB_EVENT_PAUSE)
        guest_prefer_thread(s->guest, run->tid);
    s->event = (struct gdb_event){.kind = GDB_EVENT_NONE};
    s->owes_stop = s->leaves = true;
}

static bool is_limited(const struct gdb_server *s)
{
    return s->is_active && (s->run.kind != GDB_RUN_ON || s->breaks.watch_count != 0);
}

bool gdb_server_steps(const struct gdb_server *s) { return is_limited(s); }

static struct gdb_access access_of(const struct rv_insn *in, const uint64_t *reg)
{
    return (struct gdb_access){.address = reg[in->src[0]] + (uint64_t)(int64_t)in->imm,
                               .size_bytes = rv_access_bytes(in),
                               .reads = (in->flags & RV_LOAD) != 0,
                               .writes = (in->flags & RV_STORE) != 0};
}

uint64_t gdb_server_limit(struct gdb_server *s, uint64_t insts)
{
    struct guest *g = s->guest;
    enum rv_trap trap;
    if (!is_limited(s))
        return insts;
    s->ran = (struct gdb_ran){.before = g->hart.instret};
    for (unsigned n = 0; n < GUEST_HARTS_MAX; n++)
        s->ran.thread[n] = guest_thread_on(g, n);
    const struct rv_insn *in = s->is_functional ? rv_fetch(&g->hart, g->hart.pc, &trap) : NULL;
    if (in != NULL)
        s->ran.access = access_of(in, g->hart.reg);
    return insts != 0;
}

void gdb_server_retired(struct gdb_server *s, unsigned n, const struct rv_insn *in, const struct rv_outcome *out)
{
    if (!is_limited(s))
        return;
    s->ran.is_known = true;
    s->ran.hart = n;
    s->ran.access = (struct gdb_access){.address = out->ea,
                                        .size_bytes = out->mem_bytes,
                                        .reads = (in->flags & RV_LOAD) != 0,
                                        .writes = (in->flags & RV_STORE) != 0};
}

static bool is_in_range(const struct gdb_server *s, uint32_t tid)
{
    struct guest_registers r;
    return s->run.kind == GDB_RUN_RANGE && guest_find_registers(s->guest, tid, &r) && *r.pc >= s->run.start &&
           *r.pc < s->run.end;
}

/* After a run of at most one instruction: notes a watchpoint that it has met, or that the step is done. */
static void look_at_step(struct gdb_server *s)
{
    const struct gdb_ran *ran = &s->ran;
    if (!(s->is_functional ? s->guest->hart.instret != ran->before : ran->is_known))
        return;
    const uint32_t tid = ran->thread[ran->hart];
    const struct gdb_point *met = ran->access.size_bytes != 0 ? gdb_breaks_met(&s->breaks, &ran->access) : NULL;
    struct gdb_event e = {.kind = GDB_EVENT_WATCH, .tid = tid};
    if (met != NULL)
        e.watch = met->kind, e.address = met->address;
    else if (s->run.kind != GDB_RUN_ON && tid == s->run.tid && !is_in_range(s, tid))
        e.kind = GDB_EVENT_STEP;
    else
        return;
    note_event(s, &e);
}

/* Ctrl-C while the guest ran: in the terminal of this process, or sent by gdb. */
static void look_at_input(struct gdb_server *s)
{
    const struct gdb_event e = {.kind = GDB_EVENT_INTERRUPT};
    while (s->event.kind == GDB_EVENT_NONE && gdb_link_has_input(&s->link)) {
        const int byte = gdb_link_read(&s->link);
        const enum gdb_input input = byte >= 0 ? gdb_reader_take(&s->reader, (uint8_t)byte) : GDB_INPUT_NONE;
        s->is_over |= byte < 0;
        if (byte < 0 || input == GDB_INPUT_INTERRUPT)
            note_event(s, &e);
    }
    if (gdb_alert_is_interrupt())
        note_event(s, &e);
}

bool gdb_server_ran(struct gdb_server *s)
{
    if (!s->is_active)
        return false;
    if (s->event.kind == GDB_EVENT_NONE && is_limited(s))
        look_at_step(s);
    look_at_input(s);
    if (s->event.kind == GDB_EVENT_NONE)
        return !gdb_breaks_are_applied(&s->breaks);
    for (unsigned n = 0; s->event.tid == 0 && n < GUEST_HARTS_MAX; n++)
        s->event.tid = guest_thread_on(s->guest, n);
    s->guest->hart.stop = 0;
    s->general_thread = s->event.tid;
    return true;
}
