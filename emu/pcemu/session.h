/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session of pcemu: the one place that joins a core, the co-processor and its driver.
 *
 *     core --probe port--> sampler --sample sink-->  co-processor --interrupt--> driver --bus--> co-processor
 *       |----probe port--> exact values ------------------------------- truth --------> report
 *       `----probe port--> profilers of time --------------------- time profiles -----> report
 *
 * The state is split by subject; each part has a header and a file of its own:
 *
 *     machine.c    the configuration              profiling.c  program, co-processor, driver, exact answers
 *     target.c     the guest, its core, symbols   service.c    interrupts on their way to the driver
 *     watch.c      windows, traces, checks        debugging.c  the debugger's side of a run
 *     outputs.c    the files that are written     baseline.c   the run without profiling
 *     signals.c    signals and progress lines      recording.c  the run in a file, and its replay
 *
 * pcemu_main.c sets a session up, run.c and run_samples.c run it, conclude.c writes its results. These files belong to
 * the main program: they print messages, and end pcemu if the user's input is bad. */
#ifndef EMU_PCEMU_SESSION_H
#define EMU_PCEMU_SESSION_H

#include "core-model/prof/observers.h"
#include "emu/pcemu/baseline.h"
#include "emu/pcemu/debugging.h"
#include "emu/pcemu/machine.h"
#include "emu/pcemu/options.h"
#include "emu/pcemu/outputs.h"
#include "emu/pcemu/profiling.h"
#include "emu/pcemu/recording.h"
#include "emu/pcemu/service.h"
#include "emu/pcemu/signals.h"
#include "emu/pcemu/target.h"
#include "emu/pcemu/watch.h"
#include "isa/contract/stop.h"

/* How the run ended. */
struct outcome {
    bool partial;         /* it was cut short */
    bool stopped_program; /* the profiling program was stopped for good, as `stop` says */
    struct program_stop stop;
    int exit_status;
};

struct session {
    struct options options;
    struct machine_config machine;
    struct target target;
    struct profiling profiling;
    struct observers *observers; /* of the core */
    struct service service;
    struct watch watch;
    struct recording recording;
    struct debugging debugging;
    struct outputs outputs;
    struct baseline baseline;
    struct status_line status_line;
    struct outcome outcome;
};

/* run.c: runs the guest, on a core or functionally, and sets the outcome. */
void session_run_core(struct session *s);
void session_run_functional(struct session *s);
void session_run_replay(struct session *s);

/* run_samples.c: offers the samples of the file to the co-processor. */
void session_run_samples(struct session *s);

/* The run was ended by a signal: notes it as cut short. */
void session_note_interrupt(struct session *s);

/* conclude.c: ends pcemu if no table of the report will have the member of --sort. To be called when the program is
 * loaded and the observers are created. */
void session_check_sort(struct session *s);

/* conclude.c: writes report and statistics when the run is over. A failure to write ends pcemu. */
void session_conclude(struct session *s);

#endif
