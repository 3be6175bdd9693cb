/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server of gdb's remote serial protocol: gdb, or a program that uses it, debugs the guest. The owner runs the guest
 * and calls the server between two runs:
 *
 *     gdb_server_begin                 waits for gdb, and its commands before the first instruction
 *     limit = gdb_server_limit(...)    then a run of at most so many instructions
 *     gdb_server_ran(...)              true: nothing in flight, then gdb_server_stop
 *     gdb_server_end                   the guest has ended
 */
#ifndef CORE_MODEL_GDB_GDB_H
#define CORE_MODEL_GDB_GDB_H

#include "core-model/linux/guest.h"

struct gdb_server;

struct gdb_services {
    void *ctx;
    /* Executes gdb's `monitor COMMAND`, with its output; NULL: there are no such commands. */
    enum status (*monitor)(void *ctx, const char *command, FILE *out, struct errmsg *err);
};

/* Opens the connection's place; see gdb_link_open for its form. */
enum status gdb_server_new(struct gdb_server **out, const char *where, struct errmsg *err) MUST_USE;
/* NULL is allowed. */
void gdb_server_free(struct gdb_server *s);
/* Where gdb connects; NULL: gdb has started this process. */
const char *gdb_server_place(const struct gdb_server *s);

/* Waits for gdb, and serves it until it lets the guest run. The guest is borrowed. `is_functional` tells that the
 * functional core runs it, so that the next instruction's access is known before it executes. */
enum status gdb_server_begin(struct gdb_server *s, struct guest *g, bool is_functional,
                             const struct gdb_services *services, struct errmsg *err) MUST_USE;
/* Whether gdb debugs the guest: not after it has detached. */
bool gdb_server_is_active(const struct gdb_server *s);
/* Whether gdb has killed the guest, or closed the connection. */
bool gdb_server_is_over(const struct gdb_server *s);
/* Whether it is over because the user has pressed Ctrl-C in this process while it waited for gdb. */
bool gdb_server_is_interrupted(const struct gdb_server *s);

/* To be called before each run: the number of instructions, at most `insts`, that it may execute. */
uint64_t gdb_server_limit(struct gdb_server *s, uint64_t insts);
/* To be called for each retired instruction of hart `n`, unless the core is the functional one. */
void gdb_server_retired(struct gdb_server *s, unsigned n, const struct rv_insn *in, const struct rv_outcome *out);
/* To be called after each run that has not ended the guest: whether it has to stop for gdb. */
bool gdb_server_ran(struct gdb_server *s);
/* Runs a guest of the functional core in place of guest_run_to if gdb has it recorded: true, and the trap. */
bool gdb_server_records(struct gdb_server *s, uint64_t max_insts, uint64_t stop_pc, enum rv_trap *trap);
/* Whether the limit of the last run was the server's. */
bool gdb_server_steps(const struct gdb_server *s);
/* Serves gdb until it lets the guest run. */
void gdb_server_stop(struct gdb_server *s);
/* The same for a stop inside a run, of which `words` are the reason: gdb can read and not change the guest. */
void gdb_server_pause(struct gdb_server *s, const char *words);
/* Reports the end of the guest. */
void gdb_server_end(struct gdb_server *s);

#endif
