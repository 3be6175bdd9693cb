/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An execution-driven core, out-of-order or in-order, that runs a guest process and reports through the probe port. */
#ifndef CORE_MODEL_CORE_H
#define CORE_MODEL_CORE_H

#include <stdio.h>

#include "core-model/config.h"
#include "core-model/linux/guest.h"
#include "core-model/probe.h"

struct core;
struct core_stats;

/* A core as `config` describes it (copied), for `guest` (borrowed; must outlive the core). The configuration has been
 * checked. */
struct core *core_new(const struct core_config *config, struct guest *guest);
void core_free(struct core *c);

/* Adds an observer's subscriptions (copied). Before core_run, or after core_begin. At most CORE_MAX_OBSERVERS
 * observers, with PROBE_TAG_BITS bits of tags in all. */
enum { CORE_MAX_OBSERVERS = 32 };
void core_attach(struct core *c, const struct probe_observer *o);

/* Before core_run: executes functionally, one instruction after the other, and warms caches, TLBs and branch predictors
 * on the way. Ends as core_run does, and with RV_TRAP_LIMIT where the next instruction is at *stop_pc (borrowed; NULL
 * for none). */
enum rv_trap core_warm(struct core *c, uint64_t max_insts, const uint64_t *stop_pc);

/* Executes functionally up to *stop_pc (borrowed; NULL for none), as core_warm does, but warms nothing: there is no
 * core yet. */
enum rv_trap core_skip(struct guest *guest, uint64_t max_insts, const uint64_t *stop_pc);

/* Between two core_runs: empties the pipeline, lets observers be attached once more, and makes core_cycle, core_retired
 * and the statistics count from here. The cycle numbers of the probe port go on. */
void core_begin(struct core *c);

/* Runs until the guest has exited (RV_TRAP_NONE), `max_insts` more instructions have retired (RV_TRAP_LIMIT) or the
 * hart's stop flag is seen (RV_TRAP_STOP). */
enum rv_trap core_run(struct core *c, uint64_t max_insts);

/* Behind the last core_run: delivers the stores that have retired and still wait for their access, to the observers
 * that want them complete. A run that has ended with RV_TRAP_NONE and core_begin do so too. */
void core_end(struct core *c);

/* Serves an interrupt that the core has taken in `cycle`, before the instruction at pc: returns for how many cycles its
 * handler occupies the core; 0 is taken as 1. */
typedef uint64_t core_handler(void *ctx, uint64_t cycle, uint64_t pc);
/* Connects `handler` to an interrupt line of its own; returns the line's number. At most CORE_INTERRUPT_LINES. */
enum { CORE_INTERRUPT_LINES = 8 };
unsigned core_connect_interrupt(struct core *c, core_handler *handler, void *ctx);
/* Raises the line as of `cycle`, which may lie in the past. Does nothing while the line is up already. May be called by
 * an observer or by a handler.
 * The core takes the interrupt after interrupt_cycles, or when an earlier handler has ended. All instructions in flight
 * behind the last one that retires in that cycle are squashed (PROBE_CAUSE_INTERRUPT); an in-order core first completes
 * those that have issued. Then the line falls, its handler is called, nothing is fetched or retired for the handler's
 * cycles, and fetch goes on at the interrupted pc. Of several lines the one that is due first is taken first, of equal
 * ones the one that was connected first. A handler that raises its line each time, with nothing retired in between,
 * keeps the program from ever going on. */
void core_raise_interrupt(struct core *c, unsigned line, uint64_t cycle);

/* An observer has moved its token_from to an earlier cycle outside a call of its `token`. */
void core_expect_token(struct core *c);

/* The guest's hart, for reading the program. */
struct hart *core_hart(const struct core *c);
/* The configuration; good until core_free. */
const struct core_config *core_configuration(const struct core *c);

/* The probe port's cycle number now. */
uint64_t core_clock(const struct core *c);
/* Since the start, or since core_begin. */
uint64_t core_cycle(const struct core *c);
uint64_t core_retired(const struct core *c);

/* The statistics as they stand, by stats.h's rows. */
struct core_stats core_statistics(const struct core *c);
/* One line each with unit and help, or as one JSON object. */
void core_print_stats(const struct core *c, FILE *out, bool json);

/* Ends with BUG() where a structure breaks its invariants (ROB order, free lists, queue counts, undo state). */
void core_check(const struct core *c);

#endif
