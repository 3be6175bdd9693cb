/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memoised states of the pipeline (E. Schnarr and J. Larus, "Fast Out-Of-Order Processor Simulation Using Memoization",
 * ASPLOS 1998). In a known state a replay performs the operations of a cycle (core-model/pipe/outside.h) and skips the
 * stages; their results select the next state (table.h). At an unknown result the state before the cycle is unpacked
 * into the pipeline, and the stages repeat the cycle and continue.
 *
 * Not memoised are cycles with other operations: exceptions, interrupts, system calls, and serialising instructions
 * that execute or flush. With several harts there is no replay, nor while an observer subscribes to more than retired
 * instructions, merged tokens without events, transfers, and tags. A change of code, or a full memory, empties the
 * table. Memoisation does not change results. Private to core-model/pipe. */
#ifndef CORE_MODEL_PIPE_MEMO_MEMO_H
#define CORE_MODEL_PIPE_MEMO_MEMO_H

#include "core-model/pipe/pipe.h"

/* ---- for the core ---- */

/* Runs at least one cycle. */
void memo_step(struct ooo *c);
/* The state between two runs may change: the next cycle begins anew. */
void memo_restart(struct ooo *c);
/* Adds what replayed cycles add to the statistics to c->stats, and counts them for observers that count. */
void memo_flush(struct ooo *c);
/* memo_flush for a copy of the statistics. */
void memo_add(const struct memo *m, struct core_stats *s);
/* Replaces c->memo by a table of `bytes` bytes; 0: none. `checks`: nothing is replayed, and what is recorded again must
 * be the same. */
void memo_make(struct ooo *c, uint64_t bytes, bool checks);
void memo_free(struct ooo *c);
struct memo_counts memo_read_counts(const struct memo *m);

/* ---- for the stages in a cycle that is recorded ----
 * The functions of outside.h with similar names call these. Each performs the operation and logs its result, or takes
 * the result from the log if the replay of this cycle has performed it. */

struct packet;

/* core_cycle_tick of the stages that are compiled with MEMOISED. */
void memo_cycle_tick(struct ooo *c);
void memo_end_log(struct ooo *c);
bool memo_is_repeating(const struct ooo *c);
void memo_note_idle(struct ooo *c);
void memo_note_event(struct ooo *c, uint32_t i);
void memo_fill_misses(struct ooo *c);
void memo_stage_event(struct ooo *c, struct slot *s, uint32_t events);
void memo_commit(struct ooo *c, uint32_t what);
void memo_undo(struct ooo *c, uint64_t position, uint32_t stores, uint64_t pc, struct bpred_history history);
const struct rv_insn *memo_first_insn(struct ooo *c, uint64_t *pc, enum rv_trap *trap);
uint64_t memo_next_pc(const struct ooo *c, const struct rv_insn *in, uint64_t pc);
const struct rv_insn *memo_next_insn(struct ooo *c, const struct rv_insn *in, uint64_t pc, enum rv_trap *trap);
bool memo_port_admits(struct ooo *c);
bool memo_execute(struct ooo *c, uint32_t i, const struct packet *p, const struct rv_insn *in, uint64_t pc,
                  enum rv_trap trap);
unsigned memo_predict(struct ooo *c, uint32_t i);
void memo_enter_store(struct ooo *c, uint32_t i);
void memo_free_stores(struct ooo *c);
uint64_t memo_translate(struct ooo *c, uint32_t i, uint64_t when, bool *absent);
uint64_t memo_wait_bit(struct ooo *c, uint32_t i);
void memo_set_wait(struct ooo *c, uint32_t i);
uint64_t memo_search(struct ooo *c, uint32_t i);
bool memo_covers(struct ooo *c, uint32_t i, uint32_t entry);
void memo_access(struct ooo *c, uint32_t i, uint64_t when, bool is_write);
uint64_t memo_store_done(struct ooo *c, uint32_t entry);
void memo_send(struct ooo *c);

#endif
