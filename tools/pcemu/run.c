/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a guest through its phases (skip, warm-up, run), and attaches the observers. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/ending.h"
#include "core-model/prof/sampler/sampler.h"
#include "host/report/words.h"
#include "tools/pcemu/confine.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/follow.h"
#include "tools/pcemu/gains.h"
#include "tools/pcemu/idealise.h"
#include "tools/pcemu/message.h"
#include "tools/pcemu/session.h"

static void start_guest(struct session *s)
{
    const struct guest_follower follower = {follow_child, s};
    const bool debugs = s->debugging.debugger != NULL || s->remote.server != NULL;
    target_start(&s->target, &s->options, &s->machine, debugs, s->options.follow_children ? &follower : NULL);
    confine_guest(&s->options, &s->target.guest);
    signals_catch(&s->target.guest.hart.stop, &s->target.guest, debugs);
    block_vectors_start(&s->vectors, &s->options, &s->target, s->outputs.bbv.stream);
}

/* Sets the outcome and exit status from the trap that ended the run. */
static void finish_guest(struct session *s, enum rv_trap trap)
{
    remote_end(&s->remote);
    s->outcome.partial = trap != RV_TRAP_NONE;
    s->outcome.exit_status = s->target.guest.process->exit_status;
    if (trap == RV_TRAP_STOP)
        session_note_interrupt(s);
    else if (s->target.guest.process->fatal_signal != 0)
        target_print_fault(&s->target);
}

/* A phase of the run: functional execution, skip, warm-up, or detailed simulation. */
struct pcemu_run_phase {
    const char *what;
    enum rv_trap (*run)(struct session *s, uint64_t insts);
    uint64_t (*done)(const struct session *s);
};

static void erase_line(void *ctx) { status_line_end(ctx); }

static void show_progress(struct session *s, const struct pcemu_run_phase *phase, uint64_t done, uint64_t goal)
{
    struct progress p = {.what = phase->what,
                         .unit = "instructions",
                         .done = done,
                         .goal = goal,
                         .cycles = s->target.core != NULL ? core_cycle(s->target.core) : 0};
    const bool writes = guest_has_linux(&s->target.guest);
    status_line_show(&s->status_line, &p, writes && guest_in_line(&s->target.guest));
    if (writes)
        guest_before_output(&s->target.guest, erase_line, &s->status_line);
}

/* Runs a phase for `insts` instructions. A stop that only requests a line of progress does not end it. */
static enum rv_trap run_phase(struct session *s, const struct pcemu_run_phase *phase, uint64_t insts)
{
    uint64_t start = phase->done(s);
    status_line_begin(&s->status_line);
    if (guest_has_linux(&s->target.guest) && isatty(STDERR_FILENO))
        guest_before_output(&s->target.guest, NULL, NULL); /* it follows lines from here on */
    for (;;) {
        uint64_t left = insts != UINT64_MAX ? insts - (phase->done(s) - start) : UINT64_MAX,
                 now = remote_limit(&s->remote, debugging_limit(&s->debugging, left));
        enum rv_trap trap = phase->run(s, now);
        if (trap == RV_TRAP_STOP)
            s->target.guest.hart.stop = 0;
        if (trap != RV_TRAP_NONE && !s->watch.stopped &&
            (remote_pause(&s->remote, trap == RV_TRAP_LIMIT && now < left) ||
             debugging_pause(&s->debugging, trap == RV_TRAP_LIMIT && now < left)))
            continue;
        bool is_replaced = s->process != 0 && target_is_replaced(&s->target); /* a followed process begins anew */
        if (trap != RV_TRAP_STOP || signals_ended_by() != 0 || s->watch.stopped || is_replaced) {
            status_line_end(&s->status_line);
            return trap == RV_TRAP_STOP && signals_ended_by() == 0 ? RV_TRAP_LIMIT : trap;
        }
        show_progress(s, phase, phase->done(s) - start, insts);
        guest_collect_signals(&s->target.guest);
    }
}

static uint64_t guest_instructions(const struct session *s) { return s->target.guest.hart.instret; }
static uint64_t core_instructions(const struct session *s) { return target_retired(&s->target); }

static enum rv_trap functional_step(struct session *s, uint64_t insts)
{
    const uint64_t stop_pc = s->options.stop_at != NULL ? s->watch.stop_pc : UINT64_MAX;
    enum rv_trap trap;
    if (s->vectors.out != NULL)
        return block_vectors_run(&s->vectors, &s->target, insts);
    if (!remote_records(&s->remote, insts, stop_pc, &trap))
        trap = guest_run_to(&s->target.guest, insts, stop_pc);
    s->watch.stopped = s->options.stop_at != NULL && trap == RV_TRAP_LIMIT &&
                       s->target.guest.hart.pc == s->watch.stop_pc;
    return trap;
}
static enum rv_trap skip_step(struct session *s, uint64_t insts)
{
    return s->target.core != NULL ? core_warm(s->target.core, insts, NULL) : guest_run(&s->target.guest, insts);
}
static enum rv_trap core_step(struct session *s, uint64_t insts) { return target_run(&s->target, insts); }

/* Executes functionally up to the address of --start-at. */
static enum rv_trap approach_step(struct session *s, uint64_t insts)
{
    return s->target.core != NULL ? core_warm(s->target.core, insts, &s->watch.stop_pc)
                                  : guest_run_to(&s->target.guest, insts, s->watch.stop_pc);
}

/* Reports that the guest exited in a phase before the measured one. */
static void print_early_exit(const struct session *s, const char *part, const char *expected)
{
    uint64_t insts = s->target.guest.hart.instret;
    char number[REPORT_NUMBER];
    print_message("the guest exited after %s instruction%s, within the %s: expected %s", report_number(number, insts),
                  insts == 1 ? "" : "s", part, expected);
}

static void finish_measured(struct session *s, enum rv_trap trap)
{
    block_vectors_end(&s->vectors, &s->target);
    if (s->options.stop_at != NULL && trap == RV_TRAP_NONE && !s->watch.stopped)
        print_message("--stop-at: the guest exited before it came to '%s'", s->options.stop_at);
    finish_guest(s, trap);
}

void session_run_functional(struct session *s)
{
    static const struct pcemu_run_phase phase = {"run", functional_step, guest_instructions};
    start_guest(s);
    if (s->options.stop_at != NULL)
        s->watch.stop_pc = target_place(&s->target, "--stop-at", s->options.stop_at);
    remote_begin(&s->remote);
    finish_measured(s, run_phase(s, &phase, s->options.max_insts));
}

/* Makes the first hart's core, with the plug-ins. */
static void make_cold_core(struct session *s)
{
    target_make_core(&s->target, &s->options, &s->machine);
    plugins_join(&s->plugins, s->target.core, &s->options, 0);
}

/* The same, with what the checkpoint has of its caches and predictors, if there is no core yet. */
static void make_core(struct session *s)
{
    if (s->target.core != NULL)
        return;
    make_cold_core(s);
    target_take_warmed(&s->target, s->options.restore);
}

void session_run_checkpoints(struct session *s)
{
    static const struct pcemu_run_phase phase = {"run", functional_step, guest_instructions};
    static const struct pcemu_run_phase warming = {"warm", skip_step, guest_instructions};
    struct checkpointing *c = &s->checkpointing;
    const uint64_t *done = &s->target.guest.hart.instret;
    start_guest(s);
    if (s->options.warm)
        make_core(s);
    const uint64_t end = s->options.max_insts > UINT64_MAX - *done ? UINT64_MAX : *done + s->options.max_insts;
    enum rv_trap trap = RV_TRAP_LIMIT;
    while (trap == RV_TRAP_LIMIT && *done < end) {
        const uint64_t next = checkpointing_next(c, *done);
        trap = run_phase(s, s->options.warm ? &warming : &phase, (next < end ? next : end) - *done);
        if (trap == RV_TRAP_LIMIT && *done == next)
            checkpointing_write(c, &s->target);
    }
    checkpointing_end(c, *done, trap == RV_TRAP_NONE);
    finish_measured(s, trap);
    if (c->refused != 0 && s->outcome.exit_status == 0)
        s->outcome.exit_status = EXIT_BAD_INPUT;
}

/* The phases before detailed simulation: --skip-insts, then --start-at. */
static enum rv_trap skip(struct session *s)
{
    static const struct pcemu_run_phase skipping = {"skip", skip_step, guest_instructions},
                                        approach = {"skip", approach_step, guest_instructions};
    const struct options *o = &s->options;
    enum rv_trap trap = RV_TRAP_LIMIT;
    if (o->warm)
        make_core(s);
    if (o->skip_insts > 0)
        trap = run_phase(s, &skipping, o->skip_insts);
    if (trap == RV_TRAP_LIMIT && o->start_at != NULL) {
        s->watch.stop_pc = target_place(&s->target, "--start-at", o->start_at);
        trap = run_phase(s, &approach, UINT64_MAX);
    }
    if (trap == RV_TRAP_NONE)
        print_early_exit(s, "part skipped",
                         o->start_at != NULL ? "--start-at of a place that it executes" : "a lower --skip-insts");
    make_core(s);
    if (s->ideal == NULL)
        s->ideal = idealise_find(&s->target, o);
    gains_place(s->gains, s);
    (void)core_idealise(s->target.core, s->ideal);
    target_make_harts(&s->target, (unsigned)o->harts);
    for (unsigned n = 1; s->target.harts != NULL && n < harts_count(s->target.harts); n++)
        plugins_join(&s->plugins, harts_core(s->target.harts, n), o, n);
    return trap;
}

/* Adds the sampler of hart `n` for its co-processor, whose interrupts the hart takes. */
static void sample_program(struct session *s, struct profiling *p, struct service *service, unsigned n)
{
    struct core *core = n == 0 ? s->target.core : harts_core(s->target.harts, n);
    profiling_sample(p, n, n == 0 ? s->observers : s->other_observers[n]);
    cop_on_clock(p->cop, service_poll_clock, service);
    service_begin(service, core, s->machine.config.host_free);
}

/* Attaches the observers of the harts behind the first. */
static void attach_to_others(struct session *s)
{
    for (unsigned n = 1; s->target.harts != NULL && n < harts_count(s->target.harts); n++) {
        struct core *core = harts_core(s->target.harts, n);
        if (s->other_program[n] != NULL)
            sample_program(s, &s->other_program[n]->profiling, &s->other_program[n]->service, n);
        else if (s->profiling.cop != NULL)
            profiling_sample_hart(&s->profiling, n, core, s->other_observers[n]);
        remote_add(&s->remote, s->other_observers[n], n);
        collecting_add_hart(&s->collecting, n, s->other_observers[n]);
        if (s->watch.perf.period != 0)
            perf_recording_add_hart(&s->watch.perf, s->other_observers[n]);
        if (s->watch.timeline.step != 0)
            pcemu_timeline_add_hart(&s->watch.timeline, s->other_observers[n]);
        observers_attach(s->other_observers[n], core);
    }
}

/* Attaches the observers: the measured part of the run starts here. */
static void attach_observers(struct session *s)
{
    struct target *t = &s->target;
    struct errmsg err;
    must(observers_check_core(s->observers, t->core, &err), &err);
    watch_open_windows(&s->watch, &s->options, t);
    watch_add(&s->watch, &s->options, &s->machine, t, s->observers);
    watch_trace_cop(&s->watch, s->profiling.cop, &s->profiling.image);
    if (s->profiling.cop != NULL)
        sample_program(s, &s->profiling, &s->service, 0);
    debugging_add(&s->debugging, s->observers);
    remote_add(&s->remote, s->observers, 0);
    recording_add(&s->recording, &s->options, &s->machine, t, &s->outputs, s->observers);
    sample_recording_add(&s->samples, &s->options, &s->machine, &s->profiling.image, t, &s->outputs, s->observers);
    collecting_start(&s->collecting, &s->machine, t, s->observers);
    observers_attach(s->observers, t->core);
    attach_to_others(s);
    if (s->threads != NULL)
        target_find_calls(t, s->threads);
}

void session_run_core(struct session *s)
{
    static const struct pcemu_run_phase warmup = {"warm-up", core_step, core_instructions},
                                        run = {"run", core_step, core_instructions};
    start_guest(s);
    enum rv_trap trap = skip(s);
    if (trap == RV_TRAP_LIMIT && s->options.warmup > 0) {
        trap = run_phase(s, &warmup, s->options.warmup);
        if (trap == RV_TRAP_NONE)
            print_early_exit(s, "warm-up", "a lower --warmup or --skip-insts");
        target_begin(&s->target);
    }
    attach_observers(s);
    debugging_begin(&s->debugging, &s->service);
    remote_begin(&s->remote);
    if (trap != RV_TRAP_LIMIT)
        finish_guest(s, trap);
    else
        finish_measured(s, run_phase(s, &run, s->options.max_insts));
}

void session_run_child(struct session *s)
{
    static const struct pcemu_run_phase run = {"run", core_step, core_instructions};
    signals_catch(&s->target.guest.hart.stop, &s->target.guest, false);
    make_cold_core(s);
    (void)core_idealise(s->target.core, s->ideal);
    attach_observers(s);
    finish_measured(s, run_phase(s, &run, s->options.max_insts));
}

void session_run_replay(struct session *s)
{
    static const struct pcemu_run_phase replay = {"replay", core_step, core_instructions};
    struct errmsg err;
    recording_start(&s->recording, &s->target);
    signals_catch(&s->target.guest.hart.stop, &s->target.guest, false);
    watch_open_windows(&s->watch, &s->options, &s->target);
    watch_add(&s->watch, &s->options, &s->machine, &s->target, s->observers);
    must(observers_check_core(s->observers, s->target.core, &err), &err);
    recording_attach(&s->recording, s->observers, s->target.core);
    if (run_phase(s, &replay, UINT64_MAX) == RV_TRAP_STOP)
        session_note_interrupt(s);
    else
        s->outcome.partial = recording_finish(&s->recording, &s->target);
}

void session_note_interrupt(struct session *s)
{
    char name[ENDING_NAME];
    int signal = signals_ended_by();
    if (signal == SIGINT)
        print_message("interrupted");
    else
        print_message("ended by %s", ending_signal_name(signal, name));
    s->outcome.partial = true;
    s->outcome.signal = signal;
    s->outcome.exit_status = 128 + signal;
}
