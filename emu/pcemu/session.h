/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu: the one place that joins a core, the co-processor and its driver.
 *
 *     core --probe port--> retire sampler --sample sink--> co-processor --interrupt--> driver --bus--> co-processor
 *       |----probe port--> exact values ------------------------------- truth --------> report
 *       `----probe port--> profilers of time --------------------- time profiles -----> report
 *
 * pcemu_main.c sets a run up, run.c and run_samples.c let it pass, signals.c hears what comes in between, service.c serves what interrupts it,
 * watch.c looks on, debug.c lets the user look on, baseline.c knows the run without profiling, conclude.c writes what came of it. These are main
 * files: they print, and exit where the user's input is bad. */
#ifndef EMU_PCEMU_SESSION_H
#define EMU_PCEMU_SESSION_H

#include "core-model/core.h"
#include "core-model/prof/exact_values.h"
#include "core-model/prof/kanata.h"
#include "core-model/prof/lockstep.h"
#include "core-model/prof/profilers.h"
#include "core-model/prof/recent.h"
#include "core-model/prof/retire_sampler.h"
#include "core-model/prof/trace.h"
#include "emu/cop_trace.h"
#include "emu/debug/debug.h"
#include "emu/pcemu/options.h"
#include "emu/pcemu/progress.h"
#include "host/driver.h"
#include "host/symbols.h"
#include "isa/contract/stop.h"
#include "isa/support/file.h"

/* Everything of one run. */
struct session {
    struct options options;
    struct core_config config;
    char *machine; /* the configuration in words: its name, and what --set changed */
    struct image image;
    struct cop *cop;
    struct bus bus;
    struct driver *driver;
    struct retire_sampler sampler;
    struct exact_values *exact; /* NULL where the program does not look at values; this and the next also with --no-truth */
    struct exact_values *exact_taken; /* NULL where it does not count events */
    struct truth truth, truth_taken;
    struct profilers *profilers; /* NULL without --profile */
    struct symbols *symbols;
    size_t libraries;            /* of the guest's images, those the symbols know */
    struct guest guest;
    struct core *core;
    bool core_takes_interrupts; /* otherwise the driver is called when the co-processor interrupts */
    uint64_t raised;            /* cycle of the interrupt that the core has not taken yet */
    bool timer_raised;          /* it is the timer's, or was before the co-processor's own came as well */
    uint64_t paused_cycles;     /* that handlers have taken, where there is no core */
    bool serving, raised_again; /* where there is no core: a handler runs; the co-processor interrupted meanwhile */
    uint64_t baseline_cycles, baseline_retired; /* of the run without the program; 0 without --baseline */
    struct outfile report, stats;
    struct outfile kanata_file, trace_file;
    struct window kanata_window, trace_window;
    struct kanata *kanata;
    struct trace *trace;
    struct cop_trace *cop_trace;
    uint32_t trace_kinds; /* what --trace is to show */
    struct lockstep *lockstep;
    struct debugger *debugger; /* NULL without -i and -x */
    struct recent *recent;     /* what it shows of the pipeline */
    bool debugging;            /* it has begun */
    uint64_t debug_goal;       /* instructions retired at which it wants to be asked */
    uint64_t stop_pc;
    bool stopped;      /* at stop_pc */
    double phase_start;  /* seconds */
    bool progress_shown; /* a line of it stands at the terminal */
    bool partial;
    bool stopped_program; /* by what it did: */
    struct stop stop;
    int exit_status;
};

/* Prints `text` behind the tool's name and exits as for bad input. */
_Noreturn void die(const char *text);
/* Dies of an error, unless there is none. */
void must(enum status st, const struct errmsg *err);

/* main.c: the file's names and lines, opened when first needed; NULL without a guest. */
struct symbols *session_symbols(struct session *session);
/* Tells the symbols, if there are any, of the libraries that the guest has mapped since it was last called. */
void session_find_libraries(struct session *session);

/* signals.c: from now on *stop is set (it is borrowed for ever) by a signal that wants the run to end, by one that asks how far it is, and at a
 * terminal now and then. */
void session_catch_signals(const struct session *session, volatile int *stop);
/* Was it the first? Then the run ends, and is noted as cut short. */
bool session_interrupted(void);
void session_note_interrupt(struct session *session);
/* Otherwise a line of progress answers; `p` without its time, which counts from session_begin_progress on. At the end of a phase the line is wiped. */
void session_begin_progress(struct session *session);
void session_show_progress(struct session *session, const struct progress *p);
void session_end_progress(struct session *session);

/* run.c: lets the guest run, on a core or without one, and notes how it ended. */
void session_run_core(struct session *session);
void session_run_functional(struct session *session);
/* Eight bytes of the guest's memory, which ctx is. */
bool session_read_guest(void *ctx, uint64_t address, uint64_t *value);
/* The address of a function of the guest's, or a number. ctx is the session. */
bool session_resolve_place(void *ctx, const char *name, uint64_t *pc);
/* The same, or the end of pcemu, naming the option. */
uint64_t session_place(struct session *session, const char *option, const char *name);

/* service.c: how the co-processor's interrupts reach the driver, and what it takes. */
void session_interrupt(void *session, uint64_t cycle);
/* The operating system's timer: it is this cycle. */
void session_tick(struct session *session, uint64_t cycle);
/* The same, where time is told anyway, now and then: for cop_on_clock. */
uint64_t session_look_at_clock(void *session, uint64_t cycle);
/* From now on the core takes them; no more. */
void session_take_interrupts(struct session *session);
void session_end_service(struct session *session);

/* baseline.c: reads what --baseline names, for this configuration; or the end of pcemu. */
void session_load_baseline(struct session *session);
/* The cycles of the run without the program; 0 where they are not known, or it was another run, which is told. */
uint64_t session_baseline_cycles(const struct session *session);

/* run_samples.c: offers the samples of the file to the co-processor. */
void session_run_samples(struct session *session);

/* conclude.c: the end of pcemu where the report will have no table with the member of --sort; for after the driver and the profilers are made. */
void session_check_sort(struct session *session);

/* watch.c: those who look, but do not profile. */
/* What --trace names; ends pcemu where it knows no such thing, or the run has no such part. */
void session_choose_trace(struct session *session, bool cop);
void session_attach_watchers(struct session *session);
void session_attach_traces(struct session *session); /* of those, for a run without a core */
void session_conclude_watchers(struct session *session);
void session_release_watchers(struct session *session);

/* pcemu_main.c: a driver for the image there is, which it loads and starts. */
enum status session_new_driver(struct session *session, struct driver **driver, struct errmsg *err) MUST_USE;

/* debug.c: all of it does nothing in a run that is not debugged. */
void session_new_debugger(struct session *session);
void session_begin_debugging(struct session *session);
/* How many of the instructions left may run before the debugger wants to be asked. */
uint64_t session_debug_limit(const struct session *session, uint64_t insts);
/* The core has stopped, by the debugger's limit or because somebody wanted it: true where that was the debugger, which has had its word. */
bool session_debug_pause(struct session *session, bool at_limit);
void session_end_debugging(struct session *session);
void session_release_debugger(struct session *session);

/* conclude.c: outputs are opened before a long run, so that a bad name costs nothing, and written when it is over. Where one cannot be
 * written, the run has failed. */
void session_open_outputs(struct session *session);
void session_conclude(struct session *session);

#endif
