/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a counter's samples are from the instructions that had the event (ProfileMe paper, section 2.2). This is the
 * model's knowledge, which no hardware has: every retired instruction is looked at.
 *
 * The distance is in retired instructions, from the nearest one that had the event to the sampled one. It is positive
 * where the sampled instruction is the later one, which is the skid of a core that executes in order. A core that
 * executes out of order may sample an instruction that is older than the one with the event: a negative distance. */
#ifndef CORE_MODEL_PROF_COUNT_COUNTER_SKID_H
#define CORE_MODEL_PROF_COUNT_COUNTER_SKID_H

#include "core-model/probe.h"
#include "isa/contract/counterprof.h"

struct skid;

/* For a counter of these events, which it numbers from 0; `kinds` is copied. Release with free(). */
struct skid *skid_new(const enum count_kind *kinds, unsigned count);
/* A sample for the event of that number has this address: the next instruction to retire from there. */
void skid_sample(struct skid *s, unsigned event, uint64_t pc);
/* An instruction retires. */
void skid_retire(struct skid *s, const struct probe_insn *in);
/* The run is over. Returns the distances that have samples, by event and rising distance, *count of them; the caller's
 * to free. *unplaced is the number of samples without a distance. */
struct counter_skid *skid_finish(struct skid *s, size_t *count, uint64_t *unplaced);

#endif
