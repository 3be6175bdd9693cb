/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger of pcemu -i: it watches a co-processor at work, stops it where the user wants, shows and changes its
 * state, and goes backwards.
 *
 * The live co-processor is never rewound: the guest's world cannot be. What is past is shown on a second co-processor,
 * made from a copy and the recorded inputs (history.h). Changing something there begins a what-if.
 *
 * The live machine is advanced by whoever owns it. Where a condition to stop holds, the prompt runs within the watch
 * callback; where the core has been stopped, its owner calls debug_pause. */
#ifndef EMU_DEBUG_DEBUG_H
#define EMU_DEBUG_DEBUG_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/cop.h"
#include "isa/image.h"

struct debugger;

enum debug_view { DEBUG_VIEW_CORE, DEBUG_VIEW_PIPE, DEBUG_VIEW_GUEST };

/* What only pcemu can do, since it joins the components. All of it may be called from within a prompt. */
struct debug_services {
    void *ctx;
    /* The guest's side; false and ST_RANGE where there is no guest, or not what was asked for. */
    bool (*guest_register)(void *ctx, const char *name, uint64_t *value);
    bool (*guest_symbol)(void *ctx, const char *name, uint64_t *address);
    bool (*guest_memory)(void *ctx, uint64_t address, uint64_t *value);
    /* Calls `see` for the name of each of the guest's functions. */
    void (*each_symbol)(void *ctx, void (*see)(void *ctx, const char *name), void *see_ctx);
    /* Function, offset and line of an address, for free(). */
    char *(*place)(void *ctx, uint64_t pc);
    /* Prints `count` of the guest's instructions from an address on. */
    void (*code)(void *ctx, uint64_t address, uint64_t count, FILE *out);
    /* Prints a view of the core or the guest; `count` is 0 where the user gave none. */
    enum status (*view)(void *ctx, enum debug_view view, uint64_t count, FILE *out, struct errmsg *err);
    /* Makes the core return soon; its owner then calls debug_pause. Safe in a signal handler. NULL where there is no
     * core. */
    volatile int *stop_core;
    /* Makes the core stop, and its owner call debug_pause, when `n` more instructions have retired. */
    enum status (*retire)(void *ctx, uint64_t n, struct errmsg *err);
    /* Assembles one word for the address `at` of the program. */
    enum status (*assemble_word)(void *ctx, unsigned at, const char *text, uint64_t *word, struct errmsg *err);
    /* Replaces the program by what `path` (NULL: its source) holds, and gives the co-processor a new driver. */
    enum status (*reload)(void *ctx, const char *path, const char *const *defines, size_t count, struct errmsg *err);
    /* Runs a command of the system's shell, its output behind `out`; ST_IO where no process can be made. NULL: there is
     * no shell. */
    enum status (*shell)(void *ctx, const char *command, FILE *out, struct errmsg *err);
    /* Ends pcemu. */
    void (*quit)(void *ctx);
};

struct debug_options {
    bool interactive;   /* with a terminal */
    const char *script; /* NULL: none; - is standard input */
    FILE *out;          /* where there is no terminal; NULL: standard error */
};

/* Attaches to a co-processor that has its program. All borrowed; `image` may change in `reload` only. Fails where a
 * terminal is wanted and there is none, or the script cannot be read. */
enum status debug_new(struct debugger **d, struct cop *cop, const struct image *image,
                      const struct debug_options *options, const struct debug_services *services,
                      struct errmsg *err) MUST_USE;
void debug_free(struct debugger *d);

/* The first prompt, before anything runs. Returns when the machine is to run, as all that follow. */
void debug_begin(struct debugger *d);
/* The co-processor interrupts, and its driver has not looked yet. */
void debug_interrupt(struct debugger *d);
/* An instruction of the guest's has retired: must the core stop, for debug_pause? Cheap where there is no breakpoint on
 * the guest. */
bool debug_retired(struct debugger *d, uint64_t pc);
/* Is a breakpoint on the guest, or Ctrl-C, the reason why the core was to stop? */
bool debug_wants_pause(const struct debugger *d);
/* The core has been stopped: between two cycles. */
void debug_pause(struct debugger *d);
/* The run is over; `how` says why. Returns when the user leaves. */
void debug_end(struct debugger *d, const char *how);

/* docs/debugger-reference.md, from the table of commands. */
void debug_print_manual(FILE *out);

#endif
