/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several harts: the threads of a guest process run at once, each on a core of its own, in cycles of one clock. Stores
 * become visible to other harts in program order when they are in the cache, atomic instructions when they execute
 * alone in the pipeline, loads read memory in program order: total store order, stronger than RISC-V's RVWMO.
 * Deterministic: the harts take turns of a fixed number of cycles, in the order of their numbers. */
#ifndef CORE_MODEL_HARTS_H
#define CORE_MODEL_HARTS_H

#include "core-model/core.h"

struct harts;

/* ST_INPUT: the configuration is not one of `count` harts. */
enum status harts_check(const struct core_config *c, unsigned count, struct errmsg *err) MUST_USE;
/* Adds harts 1 to count - 1 to the guest of `first`, which is hart 0's core (borrowed); they have the configuration of
 * `first`, which may have been warmed but has not run and for which harts_check passes. count is 2 to
 * GUEST_HARTS_MAX. */
enum status harts_new(struct harts **out, struct core *first, unsigned count, struct errmsg *err) MUST_USE;
/* To be called before core_free of the first core. NULL is allowed. */
void harts_free(struct harts *h);

unsigned harts_count(const struct harts *h);
struct core *harts_core(const struct harts *h, unsigned n);

/* Runs until the guest has exited (RV_TRAP_NONE), `max_insts` more instructions have retired on all harts together
 * (RV_TRAP_LIMIT) or the first hart's stop flag is set (RV_TRAP_STOP). At its end the invariants of the
 * directory are checked; violations end in BUG(). */
enum rv_trap harts_run(struct harts *h, uint64_t max_insts);
/* core_empty of each. */
void harts_empty(struct harts *h);
/* core_begin and core_end of each. */
void harts_begin(struct harts *h);
void harts_end(struct harts *h);
/* Instructions retired on all harts since the start or the last harts_begin. */
uint64_t harts_retired(const struct harts *h);

#endif
