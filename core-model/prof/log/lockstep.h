/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a core against a second hart that executes each instruction when it retires, and the core's own invariants in
 * each cycle.
 *
 * The second hart (the shadow) has its own registers, memory and decode cache, and does not speculate. Before the first
 * use of a page it copies the page from the guest and undoes the stores in flight; from then on only its own stores
 * modify the page. Compared are address and word of each retired instruction, its successor, result, operands,
 * effective address and store data; and, when no instruction is in flight (system calls, ordering violations), all
 * registers and all pages of the shadow. System calls and fault delivery are performed once, in the guest; their
 * effects on registers and memory are copied. A difference is a BUG().
 *
 * Code that is written over may run as it was until fence.i, so what runs depends on when it was decoded. The shadow
 * decodes when the core fetches, on wrong paths too, from the guest's memory of that moment, and discards what the core
 * has discarded. It also discards all at fence.i and riscv_flush_icache: a core that keeps old code then differs.
 *
 * Other processes, or another mapping of the file, may write a page of shared memory or of a shared file. There the
 * shadow reads what the core has read, and the pages are not compared. */
#ifndef CORE_MODEL_PROF_LOCKSTEP_H
#define CORE_MODEL_PROF_LOCKSTEP_H

#include "core-model/prof/observer.h"

struct lockstep;

/* Both pointers are borrowed. To be created while no instruction is in flight: before core_run, or after core_begin. */
struct lockstep *lockstep_new(const struct core *core, const struct guest *guest);
/* The observer, to be added to a run's set, or released by its kind. */
struct observer *lockstep_observer(struct lockstep *k);
/* Number of instructions compared. */
uint64_t lockstep_compared(const struct lockstep *k);

#endif
