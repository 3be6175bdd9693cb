/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interpreter of functional execution: for blocks that are not translated yet, for other hosts, for comparison. */
#ifndef CORE_MODEL_RISCV_INTERPRET_H
#define CORE_MODEL_RISCV_INTERPRET_H

#include "core-model/riscv/hart.h"

/* Executes at most `limit` instructions; *executed is their number. RV_TRAP_LIMIT: that is all, or the place to stop at
 * is reached. h->watch, if it is not NULL, observes them. */
enum rv_trap interpreted_run(struct hart *h, uint64_t limit, uint64_t *executed);

#endif
