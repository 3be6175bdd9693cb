/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Skid of a counter's samples: their distance from the instructions with the event (ProfileMe paper, section 2.2).
 * Ground truth from the simulator, which observes every retired instruction.
 *
 * The distance is in retired instructions, from the nearest one with the event to the sampled one. It is positive if
 * the sampled instruction is younger, as always in an in-order core. An out-of-order core can sample an older
 * instruction than the one with the event: a negative distance. */
#ifndef CORE_MODEL_PROF_COUNT_COUNTER_SKID_H
#define CORE_MODEL_PROF_COUNT_COUNTER_SKID_H

#include "contract/counterprof.h"
#include "core-model/probe/probe.h"

struct skid;

/* Creates the histogram for a counter of these events, numbered from 0; `kinds` is copied. The caller frees it with
 * free(). */
struct skid *skid_new(const enum count_kind *kinds, unsigned count);
/* Adds a sample of the event: the next instruction that retires at this address. */
void skid_sample(struct skid *s, unsigned event, uint64_t pc);
/* An instruction retires. */
void skid_retire(struct skid *s, const struct probe_insn *in);
/* To be called at the end of the run. Returns the *count distances that have samples, sorted by event and distance; the
 * caller frees the array. *unplaced: number of samples without a distance. */
struct counter_skid *skid_finish(struct skid *s, size_t *count, uint64_t *unplaced);

#endif
