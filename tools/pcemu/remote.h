/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's side of --gdb: the guest's run between the commands of gdb. Without --gdb all functions return at once. */
#ifndef TOOLS_PCEMU_REMOTE_H
#define TOOLS_PCEMU_REMOTE_H

#include "core-model/gdb/gdb.h"
#include "core-model/prof/observers.h"
#include "tools/pcemu/debugging.h"
#include "tools/pcemu/target.h"

struct remote {
    struct gdb_server *server;   /* NULL: there is no --gdb */
    struct target *target;       /* borrowed, like the next member */
    struct debugging *debugging; /* for gdb's `monitor` */
    bool began;
};

/* Opens the connection's place if the options request it; exits on error. */
void remote_new(struct remote *r, const struct options *o, struct target *t, struct debugging *d);
/* Adds the observer of hart `n` to its set, unless the functional core runs. */
void remote_add(struct remote *r, struct observers *set, unsigned n);
/* Waits for gdb, and returns when it lets the guest run; exits on error. */
void remote_begin(struct remote *r);
/* Number of instructions, at most `insts`, to run before gdb_server_ran is to be asked. */
uint64_t remote_limit(struct remote *r, uint64_t insts);
/* Runs a guest of the functional core in place of guest_run_to if gdb has it recorded: true, and the trap. */
bool remote_records(struct remote *r, uint64_t insts, uint64_t stop_pc, enum rv_trap *trap);
/* To be called after each run that has not ended the guest. Returns whether gdb caused its end; if so, gdb has let the
 * guest run on. `at_limit`: the run had the limit of remote_limit. */
bool remote_pause(struct remote *r, bool at_limit);
/* To be called at the end of the run. */
void remote_end(struct remote *r);
void remote_release(struct remote *r);

#endif
