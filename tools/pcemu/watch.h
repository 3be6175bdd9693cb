/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observation of a run other than profiling: --stop-at, the lock-step check, the pipeline log, the traces. */
#ifndef TOOLS_PCEMU_WATCH_H
#define TOOLS_PCEMU_WATCH_H

#include "core-model/prof/log/lockstep.h"
#include "core-model/prof/log/window.h"
#include "core-model/prof/observers.h"
#include "emu/cop_trace.h"
#include "tools/pcemu/options.h"
#include "tools/pcemu/outputs.h"
#include "tools/pcemu/perf_data.h"
#include "tools/pcemu/target.h"
#include "tools/pcemu/timeline.h"

struct watch {
    struct window kanata_window, trace_window;
    struct outputs *outputs;     /* borrowed */
    struct cop_trace *cop_trace; /* NULL: none */
    struct pcemu_timeline timeline;
    struct perf_recording perf;
    struct lockstep *lockstep; /* owned by the observers; NULL: none */
    uint32_t trace_kinds;      /* bit mask of the kinds of --trace */
    uint64_t stop_pc;          /* address of --stop-at, or of --start-at while the run skips to it */
    volatile int *stop_core;   /* borrowed; set at stop_pc */
    bool stopped;              /* the run stopped at stop_pc */
};

/* Parses the list of --trace; exits if a name is unknown or the run has no such component. `cop`: the run has a
 * co-processor. */
void watch_choose_trace(struct watch *w, const struct options *o, bool cop);
/* Prints a line "NAME\tMEANING" for each name of --trace, for shell completion. */
void watch_print_words(FILE *out);
/* Parses the windows of the options; exits on a syntax error. Guest addresses are resolved in the target. */
void watch_open_windows(struct watch *w, const struct options *o, struct target *t);
/* Adds the observers of --stop-at, --check, --kanata, --perf, --timeline and --trace to the set. The target must have
 * its core. */
void watch_add(struct watch *w, const struct options *o, const struct machine_config *m, struct target *t,
               struct observers *set);
/* Starts the co-processor's trace or time line if requested. */
void watch_trace_cop(struct watch *w, struct cop *cop, const struct image *image);
/* Completes the files and reports empty windows. To be called after the run, when the observers have finished. */
void watch_conclude(struct watch *w, const struct options *o, struct target *t, const char *guest);
void watch_release(struct watch *w);

#endif
