/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single instructions between those that a loop executes faster: what is rare, and the rest of a budget. */
#ifndef CORE_MODEL_RISCV_STEP_H
#define CORE_MODEL_RISCV_STEP_H

#include "core-model/riscv/hart.h"

/* Executes the instruction at h->pc by rv_exec, unless it is the place to stop at: RV_TRAP_LIMIT. */
enum rv_trap rv_step(struct hart *h);
/* `step`, which is rv_step or observes it, for a loop whose floating-point flags are the host's, and which has executed
 * `count` instructions that are not in the hart's counters yet. Afterwards the host has no flags. */
enum rv_trap rv_step_counted(struct hart *h, uint64_t count, enum rv_trap (*step)(struct hart *h));

#endif
