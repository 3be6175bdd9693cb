/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An execution-driven core, out-of-order or in-order, that runs a guest process and reports through the probe port. */
#ifndef CORE_MODEL_CORE_H
#define CORE_MODEL_CORE_H

#include <stdio.h>

#include "base/json_stream.h"
#include "core-model/config/config.h"
#include "core-model/linux/guest.h"
#include "core-model/probe/probe.h"

struct core;
struct core_stats;

/* A core as `config` describes it (copied), for `guest` (borrowed; must outlive the core). The configuration has been
 * checked. */
struct core *core_new(const struct core_config *config, struct guest *guest);
void core_free(struct core *c);

/* Adds an observer's subscriptions (copied). Called before core_run or after core_begin. At most CORE_MAX_LISTENERS
 * observers, with PROBE_TAG_BITS bits of tags in all. */
enum { CORE_MAX_LISTENERS = 32 };
void core_subscribe(struct core *c, const struct probe_listener *o);

/* Functional warming, before core_run: executes instructions in program order without timing, and updates caches,
 * TLBs and branch predictors. Returns as core_run does, and also with RV_TRAP_LIMIT when the next instruction is at
 * *stop_pc (borrowed; NULL for none). */
enum rv_trap core_warm(struct core *c, uint64_t max_insts, const uint64_t *stop_pc);

/* Moves the warmed state of caches, TLBs, open rows and branch predictors (checkpoint/stream.h), before the first
 * core_run: that of core_warm is written, and is read into a new core. What is configured otherwise stays empty: *cold
 * is set to the names of these structures and the reasons, to be freed; NULL: there is none. */
struct checkpoint_stream;
void core_move_warmed(struct core *c, struct checkpoint_stream *s, char **cold);

/* Called between two core_runs: empties the pipeline, permits core_subscribe again, and resets core_cycle, core_retired
 * and the statistics to 0. The probe port's cycle numbers continue. */
void core_begin(struct core *c);

/* Runs until the guest has exited (RV_TRAP_NONE), `max_insts` more instructions have retired (RV_TRAP_LIMIT) or the
 * hart's stop flag is set (RV_TRAP_STOP). */
enum rv_trap core_run(struct core *c, uint64_t max_insts);

/* Called between two core_runs: squashes the instructions in flight, so that the hart's registers and memory are those
 * behind the last retired instruction and may be changed. Statistics continue. */
void core_empty(struct core *c);

/* Called after the last core_run: delivers the retired stores with pending accesses to the observers with `complete`.
 * core_begin, and a core_run that returns RV_TRAP_NONE, do the same. */
void core_end(struct core *c);

/* Handles an interrupt that the core has taken in `cycle`, before the instruction at pc. Returns the number of cycles
 * for which the handler occupies the core; 0 counts as 1. */
typedef uint64_t core_handler(void *ctx, uint64_t cycle, uint64_t pc);
/* Connects `handler` to a new interrupt line and returns the line's number. At most CORE_INTERRUPT_LINES. */
enum { CORE_INTERRUPT_LINES = 8 };
unsigned core_connect_interrupt(struct core *c, core_handler *handler, void *ctx);
/* Raises the line as of `cycle`, which may lie in the past. No effect if the line is already raised. May be called by
 * an observer or by a handler. The core takes the interrupt interrupt_cycles later, or when an earlier handler has
 * ended:
 * - All instructions in flight after the last one that retires in that cycle are squashed (PROBE_CAUSE_INTERRUPT); an
 *   in-order core first completes those that have issued.
 * - The line is lowered and its handler is called.
 * - For the handler's cycles nothing is fetched or retired; then fetch resumes at the interrupted pc.
 * The line that became due first is taken first; among equal ones, the one connected first. A handler that raises its
 * own line on each call, with nothing retired in between, stops the program's progress. */
void core_raise_interrupt(struct core *c, unsigned line, uint64_t cycle);

/* An observer has moved its token_from to an earlier cycle outside a call of its `token`. */
void core_expect_token(struct core *c);

/* The guest's hart, for reading the program's state. */
struct hart *core_hart(const struct core *c);
/* The configuration; valid until core_free. */
const struct core_config *core_configuration(const struct core *c);

/* The current cycle number of the probe port. */
uint64_t core_clock(const struct core *c);
/* Cycles and retired instructions since the start or the last core_begin. */
uint64_t core_cycle(const struct core *c);
uint64_t core_retired(const struct core *c);

/* The current statistics. */
struct core_stats core_statistics(const struct core *c);
/* Prints the statistics, one per line with unit and help; writes them as the members of a JSON object. */
void core_print_stats(const struct core *c, FILE *out);
void core_write_stats_json(const struct core *c, const char *key, struct json_stream *out);

/* Idealises static instructions (ideal.h) from now on: to be called between runs. `ideal` is borrowed; NULL: none. Then
 * states are not memoised. False: this core cannot. */
struct ideal;
bool core_idealise(struct core *c, const struct ideal *ideal);

/* Memoises states of the out-of-order core's pipeline, in about this memory; 0 bytes: none. To be called between runs.
 * It has no effect on results. With `checks` no cycle is replayed, but each is compared with what is memoised: BUG() if
 * the same state and the same results outside the pipeline lead to another cycle. Other cores ignore it. */
void core_memoise(struct core *c, uint64_t bytes, bool checks);
struct memo_counts {
    uint64_t recorded, replayed; /* simulated in the stages, and not; idle cycles behind another count with it */
    uint64_t states;             /* memoised in all */
};
struct memo_counts core_memo_counts(const struct core *c);

/* Checks the invariants of all structures (ROB order, free lists, queue counts, undo state); BUG() if one is
 * violated. */
void core_check(const struct core *c);

#endif
