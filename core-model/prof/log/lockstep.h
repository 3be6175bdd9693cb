/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a core against a second hart that executes each instruction when it retires, and the core's own invariants in
 * each cycle.
 *
 * The second hart has registers, memory and decode cache of its own and never speculates. Before the first use of a
 * page it copies it from the guest, with the stores that are in flight taken back; from then on the page changes by its
 * own stores only. Compared are: the address and word of each retired instruction, its successor, result, operands,
 * effective address and stored datum; and, whenever nothing is in flight (system calls, ordering violations), all
 * registers and all pages it has. System calls and the delivery of faults happen once, in the guest; their effects on
 * registers and memory are copied. A difference is a fault of ours: BUG(). */
#ifndef CORE_MODEL_PROF_LOCKSTEP_H
#define CORE_MODEL_PROF_LOCKSTEP_H

#include "core-model/prof/observer.h"

struct lockstep;

/* Both borrowed. To be made while nothing is in flight: before core_run, or after core_begin. */
struct lockstep *lockstep_new(const struct core *core, const struct guest *guest);
/* As an observer: to be added to a run's set, or released by its kind. */
struct observer *lockstep_observer(struct lockstep *k);
/* How many instructions have been compared. */
uint64_t lockstep_compared(const struct lockstep *k);

#endif
