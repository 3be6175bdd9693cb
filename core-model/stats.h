/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics that all cores report, one field per row of stats.def. */
#ifndef CORE_MODEL_STATS_H
#define CORE_MODEL_STATS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core-model/front/fetch_port.h"
#include "core-model/probe.h"

struct core_stats {
#define STAT(name, unit, event, help) uint64_t name;
#include "core-model/stats.def"
};

/* Counts a branch or jump that retires; `wrong`: it was mispredicted. */
void stats_count_transfer(struct core_stats *s, const struct rv_insn *in, bool wrong);
/* The part of the commit cycle stack that waits for a result of a unit; loads have one for each level of memory
 * instead. */
uint64_t *stats_stall_of_unit(struct core_stats *s, enum rv_unit unit);
/* The slots that are lost in a cycle which this part of the cycle stack has. */
uint64_t *stats_slots_of_stack(struct core_stats *s, const uint64_t *stack);
/* Adds the counters that live with the caches, as they stand at `now`, and sums up. */
void stats_collect(struct core_stats *s, const struct hierarchy *mem, uint64_t now);
/* The count of instructions squashed for that cause. */
uint64_t *stats_of_squash(struct core_stats *s, enum probe_cause cause);
/* What a cycle counts as in which fetch waits. */
uint64_t *stats_of_fetch_wait(struct core_stats *s, enum fetch_wait wait);
/* The sums of the cycle stack and of what fetch did: `cycles`, both, in a sound core. */
uint64_t stats_stack_sum(const struct core_stats *s);
uint64_t stats_fetch_sum(const struct core_stats *s);
/* The slots that are not those of instructions retired or in flight. */
uint64_t stats_slots_sum(const struct core_stats *s);
/* One line each with unit and help, or one JSON object. */
void stats_print(const struct core_stats *s, FILE *out, bool json);

#endif
