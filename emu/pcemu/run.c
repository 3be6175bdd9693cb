/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a guest: its phases (skip, warm-up, run), the signals and questions that come in between, and who watches. */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "core-model/riscv/fault.h"
#include "emu/pcemu/lab.h"
#include "emu/progress.h"
#include "host/report.h"
#include "host/unwind.h"

enum { MAX_FRAMES = 32 }; /* of a call chain shown */

/* The only mutable state outside main's reach: the signal handlers'. */
static volatile int *stop_flag;
static volatile sig_atomic_t interrupted, status_wanted;

/* The core stops between two cycles, which changes nothing in what it computes; run_phase sees why and goes on. */
static void on_signal(int signal)
{
    if (signal == SIGUSR1)
        status_wanted = 1;
    else if (signal == SIGINT)
        interrupted = 1;
    *stop_flag = 1;
}

/* A terminal that is watched gets a line of progress. Its timer counts the time we compute, so that it never ends a guest's waiting. */
static void catch_signals(bool debugging)
{
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;
    signal(SIGPIPE, SIG_IGN); /* the guest gets its own, from EPIPE */
    sigaction(SIGUSR1, &act, NULL);
    if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* a shell's background job stays one */
        sigaction(SIGINT, &act, NULL);
    if (isatty(STDERR_FILENO) && !debugging) {
        struct itimerval every = {.it_interval = {.tv_usec = 500000}, .it_value = {.tv_usec = 500000}};
        sigaction(SIGVTALRM, &act, NULL);
        setitimer(ITIMER_VIRTUAL, &every, NULL);
    }
}

static void start_guest(struct lab *lab)
{
    const struct options *o = &lab->options;
    struct guest_config config = {
        .path = o->guest[0],
        .argv = o->guest,
        .envp = o->environment,
        .sysroot = o->sysroot,
        .seed = o->seed,
        .clock_hz = (uint64_t)lab->config.clock_mhz * 1000000,
        .strace = o->strace,
        .keeps_interrupt = lab->debugger != NULL,
    };
    struct errmsg err;
    must(guest_init(&lab->guest, &config, &err), &err);
    if (lab->symbols != NULL)
        symbols_set_bias(lab->symbols, lab->guest.bias);
    stop_flag = &lab->guest.hart.stop;
    catch_signals(lab->debugger != NULL);
}

bool lab_read_guest(void *ctx, uint64_t address, uint64_t *value)
{
    const struct memory *m = ctx;
    if (!memory_allows(m, address, sizeof *value, MEM_R))
        return false;
    memcpy(value, memory_at(m, address), sizeof *value);
    return true;
}

/* A guest that faulted is shown as it stood: where, its registers, and who had called. */
static void tell_fault(struct lab *lab)
{
    struct guest *g = &lab->guest;
    if (g->fault[0] == '\0') {
        fprintf(stderr, "pcemu: the guest ended by a signal: %s\n", strsignal(g->fatal_signal));
        return;
    }
    struct symbols *symbols = lab_symbols(lab);
    symbols_set_bias(symbols, g->bias);
    fprintf(stderr, "pcemu: the guest ended by a signal: ");
    guest_print_fault(g, stderr);
    struct unwind_source source = {.symbols = symbols, .read = lab_read_guest, .ctx = &g->hart.mem};
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
static void finish_guest(struct lab *lab, enum rv_trap trap)
{
    lab->partial = trap != RV_TRAP_NONE;
    lab->exit_status = lab->guest.exit_status;
    if (trap == RV_TRAP_STOP) {
        fprintf(stderr, "pcemu: interrupted\n");
        lab->exit_status = 128 + SIGINT;
    } else if (lab->guest.fatal_signal != 0) {
        tell_fault(lab);
    }
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A part of the run: functional, skipped, warmed or in detail. */
struct phase {
    const char *what;
    enum rv_trap (*run)(struct lab *lab, uint64_t insts);
    uint64_t (*done)(const struct lab *lab);
};

static void show_progress(const struct lab *lab, const struct phase *phase, uint64_t done, uint64_t goal)
{
    bool terminal = isatty(STDERR_FILENO) != 0;
    struct progress p = {.what = phase->what, .done = done, .goal = goal, .seconds = seconds_now() - lab->phase_start,
                         .cycles = lab->core != NULL ? core_cycle(lab->core) : 0};
    fputs(terminal ? "\r\033[Kpcemu: " : "pcemu: ", stderr);
    progress_print(stderr, &p);
    if (!terminal || status_wanted)
        fputc('\n', stderr);
    status_wanted = 0;
}

/* Runs a phase for `insts` instructions, through the interruptions that only want to know how it goes. */
static enum rv_trap run_phase(struct lab *lab, const struct phase *phase, uint64_t insts)
{
    uint64_t start = phase->done(lab);
    bool shown = false;
    lab->phase_start = seconds_now();
    for (;;) {
        uint64_t left = insts != UINT64_MAX ? insts - (phase->done(lab) - start) : UINT64_MAX, now = lab_debug_limit(lab, left);
        enum rv_trap trap = phase->run(lab, now);
        if (trap == RV_TRAP_STOP)
            lab->guest.hart.stop = 0;
        if (trap != RV_TRAP_NONE && !lab->stopped && lab_debug_pause(lab, trap == RV_TRAP_LIMIT && now < left))
            continue;
        if (trap != RV_TRAP_STOP || interrupted || lab->stopped) {
            if (shown)
                fputs("\r\033[K", stderr);
            return trap == RV_TRAP_STOP && !interrupted ? RV_TRAP_LIMIT : trap;
        }
        shown = isatty(STDERR_FILENO) != 0;
        show_progress(lab, phase, phase->done(lab) - start, insts);
    }
}

static uint64_t guest_instructions(const struct lab *lab) { return lab->guest.hart.instret; }
static uint64_t core_instructions(const struct lab *lab) { return core_retired(lab->core); }

static enum rv_trap functional_step(struct lab *lab, uint64_t insts)
{
    return lab->options.stop_at != NULL ? core_skip(&lab->guest, insts, &lab->stop_pc) : guest_run(&lab->guest, insts);
}
static enum rv_trap skip_step(struct lab *lab, uint64_t insts)
{
    return lab->core != NULL ? core_warm(lab->core, insts, NULL) : guest_run(&lab->guest, insts);
}
static enum rv_trap core_step(struct lab *lab, uint64_t insts) { return core_run(lab->core, insts); }

/* Up to the place of --start-at. */
static enum rv_trap approach_step(struct lab *lab, uint64_t insts)
{
    return lab->core != NULL ? core_warm(lab->core, insts, &lab->stop_pc) : core_skip(&lab->guest, insts, &lab->stop_pc);
}

bool lab_resolve_place(void *ctx, const char *name, uint64_t *pc)
{
    struct lab *lab = ctx;
    char *end;
    *pc = strtoull(name, &end, 0);
    if (end != name && *end == '\0')
        return true;
    symbols_set_bias(lab_symbols(lab), lab->guest.bias);
    return symbols_address(lab->symbols, name, pc);
}

uint64_t lab_place(struct lab *lab, const char *option, const char *name)
{
    uint64_t pc = 0;
    if (!lab_resolve_place(lab, name, &pc)) {
        fprintf(stderr, "pcemu: %s: expected an address or a function of the guest's, found '%s'\n", option, name);
        exit(EXIT_BAD_INPUT);
    }
    return pc;
}

/* The guest has exited in a part of the run that was not to be its last. */
static void tell_exited_within(const struct lab *lab, const char *part)
{
    fprintf(stderr, "pcemu: the guest exited after %llu instructions, within the %s\n", (unsigned long long)lab->guest.hart.instret, part);
}

static void finish_measured(struct lab *lab, enum rv_trap trap)
{
    if (lab->options.stop_at != NULL && trap == RV_TRAP_NONE && !lab->stopped)
        fprintf(stderr, "pcemu: --stop-at: the guest exited before it came to '%s'\n", lab->options.stop_at);
    finish_guest(lab, trap);
}

void lab_run_functional(struct lab *lab)
{
    static const struct phase phase = {"run", functional_step, guest_instructions};
    start_guest(lab);
    if (lab->options.stop_at != NULL)
        lab->stop_pc = lab_place(lab, "--stop-at", lab->options.stop_at);
    finish_measured(lab, run_phase(lab, &phase, lab->options.max_insts));
}

/* The part of the run before the core: --skip-insts, then --start-at. */
static enum rv_trap skip(struct lab *lab)
{
    static const struct phase skipping = {"skip", skip_step, guest_instructions}, approach = {"skip", approach_step, guest_instructions};
    const struct options *o = &lab->options;
    enum rv_trap trap = RV_TRAP_LIMIT;
    if (o->warm)
        lab->core = core_new(&lab->config, &lab->guest);
    if (o->skip_insts > 0)
        trap = run_phase(lab, &skipping, o->skip_insts);
    if (trap == RV_TRAP_LIMIT && o->start_at != NULL) {
        lab->stop_pc = lab_place(lab, "--start-at", o->start_at);
        trap = run_phase(lab, &approach, UINT64_MAX);
    }
    if (trap == RV_TRAP_NONE)
        tell_exited_within(lab, "part skipped");
    if (lab->core == NULL)
        lab->core = core_new(&lab->config, &lab->guest);
    return trap;
}

static void attach_profilers(struct lab *lab)
{
    if (lab->cop != NULL) {
        struct sample_sink sink = lab_timed_sink(lab);
        retire_sampler_init(&lab->sampler, &sink);
        struct probe_observer o = retire_sampler_observer(&lab->sampler);
        core_attach(lab->core, &o);
        lab_take_interrupts(lab);
    }
    if (lab->exact != NULL) {
        struct probe_observer o = exact_values_observer(lab->exact);
        core_attach(lab->core, &o);
    }
    if (lab->exact_taken != NULL) {
        struct probe_observer o = exact_taken_observer(lab->exact_taken);
        core_attach(lab->core, &o);
    }
    if (lab->profilers != NULL)
        profilers_attach(lab->profilers, lab->core);
}

void lab_run_core(struct lab *lab)
{
    static const struct phase warmup = {"warm-up", core_step, core_instructions}, run = {"run", core_step, core_instructions};
    start_guest(lab);
    enum rv_trap trap = skip(lab);
    if (trap == RV_TRAP_LIMIT && lab->options.warmup > 0) {
        trap = run_phase(lab, &warmup, lab->options.warmup);
        if (trap == RV_TRAP_NONE)
            tell_exited_within(lab, "warm-up");
        core_begin(lab->core);
    }
    lab_attach_watchers(lab);
    attach_profilers(lab);
    lab_begin_debugging(lab);
    if (trap != RV_TRAP_LIMIT)
        finish_guest(lab, trap);
    else
        finish_measured(lab, run_phase(lab, &run, lab->options.max_insts));
}
