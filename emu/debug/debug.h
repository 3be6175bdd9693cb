/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger of pcemu -i: breakpoints, inspection and modification of the co-processor's state, and reverse
 * execution.
 *
 * The live co-processor is never rewound, because the guest cannot be. The past is shown on a second co-processor,
 * restored from a snapshot and the recorded inputs (history.h). A change in the past starts a what-if analysis.
 *
 * The owner advances the live machine. At a breakpoint on the co-processor, the prompt runs inside the watch callback;
 * when the core has stopped, the owner calls debug_pause. */
#ifndef EMU_DEBUG_DEBUG_H
#define EMU_DEBUG_DEBUG_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/cop.h"
#include "isa/image.h"

struct debugger;

enum debug_view { DEBUG_VIEW_CORE, DEBUG_VIEW_PIPE, DEBUG_VIEW_GUEST };

/* Views of the guest's source and variables. */
enum debug_guest_view { DEBUG_GUEST_LIST, DEBUG_GUEST_BACKTRACE, DEBUG_GUEST_CODE, DEBUG_GUEST_VALUE };
struct debug_guest_request {
    enum debug_guest_view what;
    bool has_place; /* `pc` is an instruction's; otherwise the guest's own */
    uint64_t pc;
    const char *text; /* VALUE: the expression */
};

/* Services of the owner, pcemu, that need other components. The debugger calls them from within a prompt. */
struct debug_services {
    void *ctx;
    /* Access to the guest: false or ST_RANGE if there is no guest, or if the item does not exist. */
    bool (*guest_register)(void *ctx, const char *name, uint64_t *value);
    bool (*guest_symbol)(void *ctx, const char *name, uint64_t *address); /* of a function */
    bool (*guest_variable)(void *ctx, const char *name, uint64_t *address);
    bool (*guest_memory)(void *ctx, uint64_t address, uint64_t *value);
    /* Calls `see` for the name of each function of the guest. */
    void (*each_symbol)(void *ctx, void (*see)(void *ctx, const char *name), void *see_ctx);
    /* Function, offset and line of an address of an instruction, or of data. The caller frees the string. */
    char *(*place)(void *ctx, uint64_t address, bool is_data);
    /* Why no instruction of the guest retires at an address; NULL: one can. `is_certain`: whatever is mapped there
     * later. The caller frees the string. */
    char *(*why_no_instruction)(void *ctx, uint64_t address, bool *is_certain);
    /* " (did you mean 'NAME'?)" with functions of the guest whose names are similar, or "". The caller frees it. */
    char *(*meant_symbol)(void *ctx, const char *name);
    /* Disassembles `count` guest instructions from `address` on. */
    void (*code)(void *ctx, uint64_t address, uint64_t count, FILE *out);
    /* Finds the first instruction of a source line in each function; see source_lines_find. The caller frees *pc. */
    enum status (*guest_lines)(void *ctx, const char *file, unsigned line, uint64_t **pc, size_t *count,
                               struct errmsg *err);
    enum status (*guest_show)(void *ctx, const struct debug_guest_request *request, FILE *out, struct errmsg *err);
    /* Prints a view of the core or the guest; `count` is 0 if the user gave none. */
    enum status (*view)(void *ctx, enum debug_view view, uint64_t count, FILE *out, struct errmsg *err);
    /* Flag that stops the core at the next cycle; its owner then calls debug_pause. May be set in a signal handler.
     * NULL: no core. */
    volatile int *stop_core;
    /* Requests a call of debug_pause after the retirement of `n` more instructions. */
    enum status (*retire)(void *ctx, uint64_t n, struct errmsg *err);
    /* Assembles one word for word address `at` of the program. */
    enum status (*assemble_word)(void *ctx, unsigned at, const char *text, uint64_t *word, struct errmsg *err);
    /* Replaces the program by that in `path` (NULL: reassembles its source), and creates a new driver. */
    enum status (*reload)(void *ctx, const char *path, const char *const *defines, size_t count, struct errmsg *err);
    /* Runs a shell command with its output sent to `out`; ST_IO if no process can be created. NULL: no shell. */
    enum status (*shell)(void *ctx, const char *command, FILE *out, struct errmsg *err);
    /* Refuses a file that the run reads or writes as the output of a command. NULL: refuses none. */
    enum status (*check_output)(void *ctx, const char *command, const char *path, struct errmsg *err);
    /* Called before and after the commands of a stop. NULL: nothing to be done. */
    void (*begin_commands)(void *ctx);
    void (*end_commands)(void *ctx);
    /* Ends pcemu. */
    void (*quit)(void *ctx);
    /* Takes the place of the commands at a stop, which then come from debug_execute; NULL: terminal and script. */
    void (*prompt)(void *ctx);
};

struct debug_options {
    bool interactive;   /* reads commands from a terminal */
    const char *script; /* NULL: none; "-": standard input */
    FILE *out;          /* output without a terminal; NULL: standard error */
    bool is_remote;     /* commands of debug_execute that use files or the shell of this machine are refused */
};

/* Attaches to a co-processor with a loaded program. All pointers are borrowed; `image` may change in `reload` only.
 * Fails if a requested terminal does not exist or the script cannot be read. */
enum status debug_new(struct debugger **d, struct cop *cop, const struct image *image,
                      const struct debug_options *options, const struct debug_services *services,
                      struct errmsg *err) MUST_USE;
void debug_free(struct debugger *d);

/* Runs the first prompt, before the first cycle. Like all later prompts it returns when the machine is to run. */
void debug_begin(struct debugger *d);
/* To be called at an interrupt of the co-processor, before its driver serves it. */
void debug_interrupt(struct debugger *d);
/* To be called at each retirement of a guest instruction: returns whether the core must stop for debug_pause.
 * Inexpensive without breakpoints on the guest. */
bool debug_retired(struct debugger *d, uint64_t pc);
/* To be called when the guest executes another program, the file `path`, whose names it has from now on. Does nothing
 * in a forked process. */
void debug_executed(struct debugger *d, const char *path);
/* Returns whether a breakpoint on the guest or Ctrl-C requested the stop of the core. */
bool debug_pause_requested(const struct debugger *d);
/* To be called when the core has stopped between two cycles. */
void debug_pause(struct debugger *d);
/* Executes a command in `prompt` or while the core has stopped, with its output. A command that runs the machine is
 * carried out when the owner runs the core. */
void debug_execute(struct debugger *d, const char *command, FILE *out);
/* To be called at the end of the run; `how` describes its cause. Returns when the user quits. */
void debug_end(struct debugger *d, const char *how);
/* Whether a command of a script was refused, and no terminal was there to go on. */
bool debug_failed(const struct debugger *d);

/* Prints docs/debugger-reference.md from the table of commands. */
void debug_print_manual(FILE *out);

#endif
