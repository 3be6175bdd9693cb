/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a guest: its phases (skip, warm-up, run), and who watches. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/linux/fault.h"
#include "emu/pcemu/session.h"
#include "host/report/words.h"
#include "host/unwind.h"

enum { MAX_FRAMES = 32 }; /* of a call chain shown */

static void start_guest(struct session *session)
{
    const struct options *o = &session->options;
    struct guest_config config = {
        .path = o->guest[0],
        .argv = o->guest,
        .envp = o->environment,
        .sysroot = o->sysroot,
        .seed = o->seed,
        .clock_hz = (uint64_t)session->config.clock_mhz * 1000000,
        .strace = o->strace,
        .keeps_interrupt = session->debugger != NULL,
    };
    struct errmsg err;
    must(guest_init(&session->guest, &config, &err), &err);
    if (session->symbols != NULL)
        symbols_set_bias(session->symbols, session->guest.bias);
    session_catch_signals(session, &session->guest.hart.stop);
}

bool session_read_guest(void *ctx, uint64_t address, uint64_t *value)
{
    const struct memory *m = ctx;
    if (!memory_allows(m, address, sizeof *value, MEM_R))
        return false;
    memcpy(value, memory_at(m, address), sizeof *value);
    return true;
}

/* A guest that faulted is shown as it stood: where, its registers, and who had called. */
static void tell_fault(struct session *session)
{
    struct guest *g = &session->guest;
    if (g->fault[0] == '\0') {
        fprintf(stderr, "pcemu: the guest ended by a signal: %s, after %" PRIu64 " instructions\n", guest_fatal_words(g), g->hart.instret);
        return;
    }
    struct symbols *symbols = session_symbols(session);
    symbols_set_bias(symbols, g->bias);
    session_find_libraries(session);
    fprintf(stderr, "pcemu: the guest ended by a signal: ");
    guest_print_fault(g, stderr);
    struct unwind_source source = {.symbols = symbols, .read = session_read_guest, .ctx = &g->hart.mem};
    uint64_t pcs[MAX_FRAMES];
    unsigned frames = unwind_chain(&source, g->hart.pc, g->hart.reg, pcs, MAX_FRAMES);
    for (unsigned i = 0; i < frames; i++) {
        /* A return address is behind its call: the line is that of the byte before. */
        char *place = report_place(symbols, i == 0 ? pcs[i] : pcs[i] - 1);
        fprintf(stderr, "  #%-2u 0x%" PRIx64 " %s\n", i, pcs[i], place);
        free(place);
    }
}

/* The run has ended: how, and with which exit status? */
static void finish_guest(struct session *session, enum rv_trap trap)
{
    session->partial = trap != RV_TRAP_NONE;
    session->exit_status = session->guest.exit_status;
    if (trap == RV_TRAP_STOP) {
        session_note_interrupt(session);
    } else if (session->guest.fatal_signal != 0) {
        tell_fault(session);
    }
}

/* A part of the run: functional, skipped, warmed or in detail. */
struct phase {
    const char *what;
    enum rv_trap (*run)(struct session *session, uint64_t insts);
    uint64_t (*done)(const struct session *session);
};

static void show_progress(struct session *session, const struct phase *phase, uint64_t done, uint64_t goal)
{
    struct progress p = {.what = phase->what, .unit = "instructions", .done = done, .goal = goal,
                         .cycles = session->core != NULL ? core_cycle(session->core) : 0};
    session_show_progress(session, &p);
}

/* Runs a phase for `insts` instructions, through the interruptions that only want to know how it goes. */
static enum rv_trap run_phase(struct session *session, const struct phase *phase, uint64_t insts)
{
    uint64_t start = phase->done(session);
    session_begin_progress(session);
    for (;;) {
        uint64_t left = insts != UINT64_MAX ? insts - (phase->done(session) - start) : UINT64_MAX, now = session_debug_limit(session, left);
        enum rv_trap trap = phase->run(session, now);
        if (trap == RV_TRAP_STOP)
            session->guest.hart.stop = 0;
        if (trap != RV_TRAP_NONE && !session->stopped && session_debug_pause(session, trap == RV_TRAP_LIMIT && now < left))
            continue;
        if (trap != RV_TRAP_STOP || session_interrupted() || session->stopped) {
            session_end_progress(session);
            return trap == RV_TRAP_STOP && !session_interrupted() ? RV_TRAP_LIMIT : trap;
        }
        show_progress(session, phase, phase->done(session) - start, insts);
    }
}

static uint64_t guest_instructions(const struct session *session) { return session->guest.hart.instret; }
static uint64_t core_instructions(const struct session *session) { return core_retired(session->core); }

static enum rv_trap functional_step(struct session *session, uint64_t insts)
{
    return session->options.stop_at != NULL ? core_skip(&session->guest, insts, &session->stop_pc) : guest_run(&session->guest, insts);
}
static enum rv_trap skip_step(struct session *session, uint64_t insts)
{
    return session->core != NULL ? core_warm(session->core, insts, NULL) : guest_run(&session->guest, insts);
}
static enum rv_trap core_step(struct session *session, uint64_t insts) { return core_run(session->core, insts); }

/* Up to the place of --start-at. */
static enum rv_trap approach_step(struct session *session, uint64_t insts)
{
    return session->core != NULL ? core_warm(session->core, insts, &session->stop_pc) : core_skip(&session->guest, insts, &session->stop_pc);
}

bool session_resolve_place(void *ctx, const char *name, uint64_t *pc)
{
    struct session *session = ctx;
    char *end;
    *pc = strtoull(name, &end, 0);
    if (end != name && *end == '\0')
        return true;
    symbols_set_bias(session_symbols(session), session->guest.bias);
    return symbols_address(session->symbols, name, pc);
}

uint64_t session_place(struct session *session, const char *option, const char *name)
{
    uint64_t pc = 0;
    if (!session_resolve_place(session, name, &pc)) {
        fprintf(stderr, "pcemu: %s: expected an address or a function of the guest's, found '%s'\n", option, name);
        exit(EXIT_BAD_INPUT);
    }
    return pc;
}

/* The guest has exited in a part of the run that was not to be its last. */
static void tell_exited_within(const struct session *session, const char *part)
{
    fprintf(stderr, "pcemu: the guest exited after %llu instructions, within the %s\n", (unsigned long long)session->guest.hart.instret, part);
}

static void finish_measured(struct session *session, enum rv_trap trap)
{
    if (session->options.stop_at != NULL && trap == RV_TRAP_NONE && !session->stopped)
        fprintf(stderr, "pcemu: --stop-at: the guest exited before it came to '%s'\n", session->options.stop_at);
    finish_guest(session, trap);
}

void session_run_functional(struct session *session)
{
    static const struct phase phase = {"run", functional_step, guest_instructions};
    start_guest(session);
    if (session->options.stop_at != NULL)
        session->stop_pc = session_place(session, "--stop-at", session->options.stop_at);
    finish_measured(session, run_phase(session, &phase, session->options.max_insts));
}

/* The part of the run before the core: --skip-insts, then --start-at. */
static enum rv_trap skip(struct session *session)
{
    static const struct phase skipping = {"skip", skip_step, guest_instructions}, approach = {"skip", approach_step, guest_instructions};
    const struct options *o = &session->options;
    enum rv_trap trap = RV_TRAP_LIMIT;
    if (o->warm)
        session->core = core_new(&session->config, &session->guest);
    if (o->skip_insts > 0)
        trap = run_phase(session, &skipping, o->skip_insts);
    if (trap == RV_TRAP_LIMIT && o->start_at != NULL) {
        session->stop_pc = session_place(session, "--start-at", o->start_at);
        trap = run_phase(session, &approach, UINT64_MAX);
    }
    if (trap == RV_TRAP_NONE)
        tell_exited_within(session, "part skipped");
    if (session->core == NULL)
        session->core = core_new(&session->config, &session->guest);
    return trap;
}

static void attach_profilers(struct session *session)
{
    if (session->cop != NULL) {
        struct sample_sink sink = cop_sink(session->cop);
        retire_sampler_init(&session->sampler, &sink);
        cop_on_clock(session->cop, session_look_at_clock, session);
        struct probe_observer o = retire_sampler_observer(&session->sampler);
        core_attach(session->core, &o);
        session_take_interrupts(session);
    }
    if (session->exact != NULL) {
        struct probe_observer o = exact_values_observer(session->exact);
        core_attach(session->core, &o);
    }
    if (session->exact_taken != NULL) {
        struct probe_observer o = exact_taken_observer(session->exact_taken);
        core_attach(session->core, &o);
    }
    if (session->profilers != NULL)
        profilers_attach(session->profilers, session->core);
}

void session_run_core(struct session *session)
{
    static const struct phase warmup = {"warm-up", core_step, core_instructions}, run = {"run", core_step, core_instructions};
    start_guest(session);
    enum rv_trap trap = skip(session);
    if (trap == RV_TRAP_LIMIT && session->options.warmup > 0) {
        trap = run_phase(session, &warmup, session->options.warmup);
        if (trap == RV_TRAP_NONE)
            tell_exited_within(session, "warm-up");
        core_begin(session->core);
    }
    session_attach_watchers(session);
    attach_profilers(session);
    session_begin_debugging(session);
    if (trap != RV_TRAP_LIMIT)
        finish_guest(session, trap);
    else
        finish_measured(session, run_phase(session, &run, session->options.max_insts));
}
