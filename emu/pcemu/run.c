/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a guest: its phases (skip, warm-up, run), and who watches. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/riscv/fault.h"
#include "emu/pcemu/lab.h"
#include "host/report.h"
#include "host/unwind.h"

enum { MAX_FRAMES = 32 }; /* of a call chain shown */

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
    lab_catch_signals(lab, &lab->guest.hart.stop);
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
        fprintf(stderr, "pcemu: the guest ended by a signal: %s, after %" PRIu64 " instructions\n", guest_fatal_words(g), g->hart.instret);
        return;
    }
    struct symbols *symbols = lab_symbols(lab);
    symbols_set_bias(symbols, g->bias);
    lab_find_libraries(lab);
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
        lab_note_interrupt(lab);
    } else if (lab->guest.fatal_signal != 0) {
        tell_fault(lab);
    }
}

/* A part of the run: functional, skipped, warmed or in detail. */
struct phase {
    const char *what;
    enum rv_trap (*run)(struct lab *lab, uint64_t insts);
    uint64_t (*done)(const struct lab *lab);
};

static void show_progress(struct lab *lab, const struct phase *phase, uint64_t done, uint64_t goal)
{
    struct progress p = {.what = phase->what, .unit = "instructions", .done = done, .goal = goal,
                         .cycles = lab->core != NULL ? core_cycle(lab->core) : 0};
    lab_show_progress(lab, &p);
}

/* Runs a phase for `insts` instructions, through the interruptions that only want to know how it goes. */
static enum rv_trap run_phase(struct lab *lab, const struct phase *phase, uint64_t insts)
{
    uint64_t start = phase->done(lab);
    lab_begin_progress(lab);
    for (;;) {
        uint64_t left = insts != UINT64_MAX ? insts - (phase->done(lab) - start) : UINT64_MAX, now = lab_debug_limit(lab, left);
        enum rv_trap trap = phase->run(lab, now);
        if (trap == RV_TRAP_STOP)
            lab->guest.hart.stop = 0;
        if (trap != RV_TRAP_NONE && !lab->stopped && lab_debug_pause(lab, trap == RV_TRAP_LIMIT && now < left))
            continue;
        if (trap != RV_TRAP_STOP || lab_interrupted() || lab->stopped) {
            lab_end_progress(lab);
            return trap == RV_TRAP_STOP && !lab_interrupted() ? RV_TRAP_LIMIT : trap;
        }
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
        struct sample_sink sink = cop_sink(lab->cop);
        retire_sampler_init(&lab->sampler, &sink);
        cop_on_clock(lab->cop, lab_look_at_clock, lab);
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
