/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observation of a run beside profiling: the place to stop at, the lock-step check, the pipeline log, the traces. */
#ifndef EMU_PCEMU_WATCH_H
#define EMU_PCEMU_WATCH_H

#include "core-model/prof/log/lockstep.h"
#include "core-model/prof/log/window.h"
#include "core-model/prof/observers.h"
#include "emu/cop_trace.h"
#include "emu/pcemu/options.h"
#include "emu/pcemu/outputs.h"
#include "emu/pcemu/target.h"

struct watch {
    struct window kanata_window, trace_window;
    struct outputs *outputs;     /* borrowed */
    struct cop_trace *cop_trace; /* NULL: none */
    struct lockstep *lockstep;   /* owned by the observers; NULL: none */
    uint32_t trace_kinds;        /* what --trace is to show */
    uint64_t stop_pc;            /* of --stop-at, or of --start-at while the run is skipped up to it */
    volatile int *stop_core;     /* borrowed; set at stop_pc */
    bool stopped;                /* at stop_pc */
};

/* Reads the list of --trace; ends pcemu if a name is unknown, or the run has no such part. `cop`: the run has a
 * co-processor. */
void watch_choose_trace(struct watch *w, const struct options *o, bool cop);
/* Prints a line "NAME\tMEANING" for each name that --trace takes. */
void watch_print_words(FILE *out);
/* Reads the windows that the options name; ends pcemu if one is not understood. Places in the guest are those of the
 * target. */
void watch_open_windows(struct watch *w, const struct options *o, struct target *t);
/* Adds the observers of --stop-at, --check, --kanata and --trace to the set; the target has its core. */
void watch_add(struct watch *w, const struct options *o, const struct machine_config *m, struct target *t,
               struct observers *set);
/* Begins the co-processor's trace, if it is to be shown. */
void watch_trace_cop(struct watch *w, struct cop *cop, const struct image *image);
/* To be called when the run is over and the observers have finished: completes the files, and prints which windows saw
 * nothing. */
void watch_conclude(struct watch *w, const struct options *o, const struct core *core);
void watch_release(struct watch *w);

#endif
