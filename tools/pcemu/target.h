/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profiled target: the guest, the core on which it runs, and the symbols of its files. */
#ifndef TOOLS_PCEMU_TARGET_H
#define TOOLS_PCEMU_TARGET_H

#include "core-model/core.h"
#include "core-model/harts.h"
#include "core-model/linux/checkpoint.h"
#include "host/symbols/symbols.h"
#include "tools/pcemu/machine.h"

struct target {
    const char *path; /* the ELF file; borrowed; NULL: there is no guest */
    char *program; /* the ELF file that execve has loaded, or the script's interpreter; NULL: none. Then `path` is the
                    * same */
    unsigned programs;                   /* number of programs loaded by execve of which `program` is the last */
    char *debug_path;                    /* folders of debug files, as symbols_new takes them */
    struct guest_checkpoint *checkpoint; /* from which the guest goes on; owned; NULL: it begins */
    char *given;                         /* the path of the guest of the checkpoint; owned */
    struct guest_config config;          /* with which the guest was started */
    struct guest guest;
    bool started;            /* the guest is loaded */
    char *cold;              /* structures whose state the checkpoint has not, and why; owned; NULL: none */
    struct core *core;       /* of the first hart; NULL: none, or not created yet */
    struct harts *harts;     /* NULL: there is one hart */
    struct symbols *symbols; /* NULL: not opened */
    size_t libraries;        /* number of guest images that `symbols` includes */
};

/* Sets the ELF file: the guest that the user has given, or the interpreter of that script. */
void target_name(struct target *t, const struct options *o);
/* Exits if the file does not exist or cannot be a program, so that its error comes before those of other files. */
void target_check(const struct target *t);
/* Loads the guest; exits on error. `keeps_interrupt`: Ctrl-C is not forwarded to the guest. */
void target_start(struct target *t, const struct options *o, const struct machine_config *m, bool keeps_interrupt,
                  const struct guest_follower *follower);
void target_release(struct target *t);
/* Creates the core, unless that is done; exits on error. */
void target_make_core(struct target *t, const struct options *o, const struct machine_config *m);
/* Gives the new core the state of caches and predictors that the checkpoint has, if it has one: prints and keeps what
 * stays cold, because it is configured otherwise. `name` is that of the checkpoint. Exits if the state is damaged. */
void target_take_warmed(struct target *t, const char *name);
/* Creates the cores of the other harts, once; exits on error. */
void target_make_harts(struct target *t, unsigned harts);
/* core_run, core_begin, core_end and core_retired of all harts. */
enum rv_trap target_run(struct target *t, uint64_t max_insts);
void target_begin(struct target *t);
void target_end(struct target *t);
uint64_t target_retired(const struct target *t);

/* Sets where debug files are searched: beside each file, in its subfolder .debug, in --debug-dir, in the sysroot's
 * /usr/lib/debug, and, unless --confine or --no-host-debug is given, in that of the machine and in the cache of
 * debuginfod clients. To be called before target_symbols. */
void target_set_debug_folders(struct target *t, const struct options *o);
/* Symbols and line tables of the ELF file, opened at the first call; NULL without a guest. Exits on error; prints a
 * message and returns NULL if execve has loaded the file. */
struct symbols *target_symbols(struct target *t);
/* Whether execve has loaded another program since the last call of target_find_program. */
bool target_is_replaced(const struct target *t);
/* If so, that is the ELF file from now on: symbols that were open are freed. Returns whether it is so. */
bool target_find_program(struct target *t);
/* The same; symbols that were open are now those of that file. */
bool target_renew_symbols(struct target *t);
/* Adds the libraries that the guest has mapped since the last call to the symbols, if they are open. */
void target_find_libraries(struct target *t);
/* Adds the calls that are active in the running thread, which has begun earlier, as far as its files have call frame
 * information. */
struct call_threads;
void target_find_calls(struct target *t, struct call_threads *threads);
/* Warns of debugging information that was not read; once of each file. */
void target_warn_of_files(struct target *t);

/* Prints the signal that ended the guest on standard error; for a fault, also its address, registers and call chain. */
void target_print_fault(struct target *t);

/* Reads 8 bytes of guest memory; ctx is a struct memory. */
bool target_read_memory(void *ctx, uint64_t address, uint64_t *value);
/* Resolves a guest function's name or a number to an address. ctx is the target. */
bool target_resolve(void *ctx, const char *name, uint64_t *pc);
/* target_resolve that exits with a message naming the option on error. */
uint64_t target_place(struct target *t, const char *option, const char *name);
/* The same; the message has other forms, too, which the option takes: "FORM, ". */
uint64_t target_place_or(struct target *t, const char *option, const char *also, const char *name);

#endif
