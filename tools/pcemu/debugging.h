/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's side of the debugger: services that need several components, and calls of the debugger during a run. Without
 * -i all functions return at once. */
#ifndef TOOLS_PCEMU_DEBUGGING_H
#define TOOLS_PCEMU_DEBUGGING_H

#include "core-model/prof/log/recent.h"
#include "core-model/prof/observers.h"
#include "emu/debug/debug.h"
#include "tools/pcemu/profiling.h"
#include "tools/pcemu/service.h"
#include "tools/pcemu/start_folder.h"
#include "tools/pcemu/target.h"

struct gdb_server;

struct debugging {
    struct debugger *debugger; /* NULL: the run is not debugged */
    struct target *target;     /* borrowed, like the next member */
    struct profiling *profiling;
    struct recent *recent;            /* recent pipeline events, which it shows; owned by the observers */
    char *reloaded;                   /* file of the program that reload has loaded last; NULL: none */
    bool active;                      /* debugging_begin was called */
    bool ended;                       /* debugging_end was called, in the folder in which pcemu was started */
    struct guest_folder guest_folder; /* folder and mask of the guest during the commands of a stop */
    struct gdb_server *gdb;           /* gdb has the place of the prompt; NULL: terminal or script. Borrowed */
    FILE *said;                       /* then: output of stops, in `words` */
    char *words;
    size_t words_bytes;
    uint64_t goal; /* number of retired instructions at which it pauses the run; UINT64_MAX: none */
};

/* Creates the debugger if the options request it, also for gdb's `monitor`; exits on error. */
void debugging_new(struct debugging *d, const struct options *o, struct target *t, struct profiling *p);
/* Adds the debugger's observers of the core to the set. */
void debugging_add(struct debugging *d, struct observers *set);
/* Shows the first prompt. From now on the service reports interrupts to the debugger. */
void debugging_begin(struct debugging *d, struct service *service);
/* Number of instructions, at most `insts`, to run before the debugger's next pause. */
uint64_t debugging_limit(const struct debugging *d, uint64_t insts);
/* To be called when the core has stopped at the debugger's limit, on a signal, or at a breakpoint. Returns whether the
 * debugger caused the stop; if so, the prompt has run. */
bool debugging_pause(struct debugging *d, bool at_limit);
/* To be called at the end of the run. `samples`: the run was over samples from a file, all of which were offered. */
void debugging_end(struct debugging *d, bool samples);
/* Executes a command for gdb; ST_INPUT: the run has no debugger. ctx: the debugging. */
enum status debugging_monitor(void *ctx, const char *command, FILE *out, struct errmsg *err) MUST_USE;
/* Whether a script of the debugger has failed, for the exit status. */
bool debugging_failed(const struct debugging *d);
void debugging_release(struct debugging *d);

#endif
