/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Static schedules of a configured core through the interface contract/schedule.h. */
#ifndef CORE_MODEL_SCHEDULE_SCHEDULE_H
#define CORE_MODEL_SCHEDULE_SCHEDULE_H

#include "contract/schedule.h"
#include "core-model/config/config.h"
#include "core-model/riscv/describe.h"

struct core_schedule;

/* Schedules for the core of the configuration (copied): of an in-order core by its issue rules, with all accesses
 * hitting the first-level caches; of an out-of-order core by its commit width alone. Instructions are decoded by
 * `decode` with `ctx` (borrowed). */
struct core_schedule *core_schedule_new(const struct core_config *cfg, rv_decode_at *decode, void *ctx);
/* NULL is allowed. */
void core_schedule_free(struct core_schedule *s);
/* The interface; borrows `s`. */
struct code_schedule core_schedule_interface(struct core_schedule *s);

#endif
