/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session of pcemu: connects a core, the co-processor and its driver.
 *
 *     core --probe port--> sampler --sample sink-->  co-processor --interrupt--> driver --bus--> co-processor
 *       |----probe port--> exact values ------------------------ ground truth --------> report
 *       `----probe port--> time profilers ----------------------- time profiles -----> report
 *
 * The state is split by subject; each part has its own header and source file:
 *
 *     machine.c    the configuration              profiling.c  program, co-processor, driver, ground truth
 *     target.c     the guest, its core, symbols   service.c    delivery of interrupts to the driver
 *     watch.c      windows, traces, checks        debugging.c  services of the debugger
 *     outputs.c    output files                   baseline.c   the baseline run
 *     signals.c    signals and progress lines     recording.c  recording and replay
 *     collecting.c driver of event counters       storing.c    the profile store
 *     start_folder.c  the folder at the start       confine.c    restrictions of the process
 *     sample_recording.c  recordings of samples    remote.c   gdb's access to the guest
 *     plugins.c    plug-ins                       skeleton.c   sources of plug-ins
 *     checkpointing.c  checkpoints of the guest    restoring.c  runs from a checkpoint
 *     block_vectors.c  basic-block vectors
 *
 * session.c sets a session up, run.c and run_samples.c run it, conclude.c writes its results, follow.c does all of this
 * for the processes that the guest forks. These files belong to
 * the main program: they print messages, and end pcemu if the user's input is bad. */
#ifndef TOOLS_PCEMU_SESSION_H
#define TOOLS_PCEMU_SESSION_H

#include "contract/call_tree.h"
#include "core-model/prof/observers.h"
#include "isa/stop.h"
#include "tools/pcemu/baseline.h"
#include "tools/pcemu/block_vectors.h"
#include "tools/pcemu/checkpointing.h"
#include "tools/pcemu/collecting.h"
#include "tools/pcemu/debugging.h"
#include "tools/pcemu/machine.h"
#include "tools/pcemu/options.h"
#include "tools/pcemu/outputs.h"
#include "tools/pcemu/plugins.h"
#include "tools/pcemu/profiling.h"
#include "tools/pcemu/recording.h"
#include "tools/pcemu/remote.h"
#include "tools/pcemu/sample_recording.h"
#include "tools/pcemu/service.h"
#include "tools/pcemu/signals.h"
#include "tools/pcemu/storing.h"
#include "tools/pcemu/target.h"
#include "tools/pcemu/watch.h"

/* Outcome of the run. */
struct pcemu_session_outcome {
    bool partial;         /* the run was cut short */
    bool stopped_program; /* fatal stop of the profiling program; `stop` gives the cause */
    struct program_stop stop;
    int signal; /* that has ended the run; 0: none */
    int exit_status;
};

struct session {
    struct options options;
    unsigned process; /* number of the guest's process if that was forked; else 0 */
    struct machine_config machine;
    struct plugins plugins;
    struct target target;
    struct profiling profiling;
    struct observers *observers;                        /* observers of the core; with several harts, of the first */
    struct ideal *ideal;                                /* NULL: nothing is idealised */
    struct gains *gains;                                /* NULL: none are asked for */
    const struct gain_result *gained;                   /* its result; without rows before the end of the run */
    struct call_tree *calls;                            /* with --stacks; else NULL */
    struct call_threads *threads;                       /* the same */
    struct observers *other_observers[GUEST_HARTS_MAX]; /* of the other harts, by number; NULL: there is no such hart */
    struct service service;
    /* Of the other harts, by number, if each has a co-processor (cop_per_hart); otherwise NULL. Owned. */
    struct hart_program {
        struct profiling profiling;
        struct service service;
    } * other_program[GUEST_HARTS_MAX];
    struct collecting collecting;
    struct watch watch;
    struct recording recording;
    struct checkpointing checkpointing;
    struct block_vectors vectors;
    struct sample_recording samples;
    struct debugging debugging;
    struct remote remote;
    struct outputs outputs;
    struct baseline baseline;
    struct storing storing;
    struct status_line status_line;
    struct pcemu_session_outcome outcome;
};

/* session.c: creates the observers and, if the run has a program, the co-processor. */
void session_set_up(struct session *s);
/* Runs it from the start, by the function for its core below. */
void session_run(struct session *s);
void session_release(struct session *s);

/* run.c: runs the guest on a core or functionally, and sets the outcome. */
void session_run_core(struct session *s);
void session_run_functional(struct session *s);
/* The same, and writes checkpoints. */
void session_run_checkpoints(struct session *s);
void session_run_replay(struct session *s);
/* Goes on with a started guest on a core of its own. */
void session_run_child(struct session *s);

/* run_samples.c: offers the samples of the file to the co-processor. */
void session_run_samples(struct session *s);

/* Passes the time from the last recorded sample to the end of the recorded run. */
void session_end_recorded(struct session *s);

/* Marks the run as cut short by a signal. */
void session_note_interrupt(struct session *s);

/* conclude.c: exits if --by-hart asks for reports that the run will not have, and says if reports by hart are all that
 * there will be. */
void session_check_reports_of_harts(const struct session *s);

/* conclude.c: exits if no table of the report will have the column of --sort. To be called after loading the program
 * and creating the observers. */
void session_check_sort(struct session *s);

/* conclude.c: writes report and statistics after the run; exits on write errors. */
void session_conclude(struct session *s);

#endif
