/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics that all cores report, one field per row of stats.def. */
#ifndef CORE_MODEL_STATS_H
#define CORE_MODEL_STATS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json_stream.h"
#include "core-model/front/fetch_port.h"
#include "core-model/probe/probe.h"

struct core_stats {
#define STAT(name, unit, event, help) uint64_t name;
#include "core-model/stats.def"
};

/* Counts a retired branch or jump; `wrong`: it was mispredicted. */
void stats_count_transfer(struct core_stats *s, const struct rv_insn *in, bool wrong);
/* The component of the commit cycle stack for cycles that wait for a result of this kind of unit. Loads have one
 * component for each level of the memory hierarchy instead. */
uint64_t *stats_stall_of_unit(struct core_stats *s, enum rv_unit unit);
/* The statistic of lost slots for a cycle that counts in this component of the cycle stack. */
uint64_t *stats_slots_of_stack(struct core_stats *s, const uint64_t *stack);
/* Adds the counters of the caches, as of cycle `now`, and computes the sums. */
void stats_collect(struct core_stats *s, const struct hierarchy *mem, uint64_t now);
/* The number of instructions squashed for that cause. */
uint64_t *stats_of_squash(struct core_stats *s, enum probe_cause cause);
/* The statistic for a cycle in which fetch waits for this reason. */
uint64_t *stats_of_fetch_wait(struct core_stats *s, enum fetch_wait wait);
/* The sums of the cycle stack and of the fetch statistics. Both equal `cycles` if the model is correct. */
uint64_t stats_stack_sum(const struct core_stats *s);
uint64_t stats_fetch_sum(const struct core_stats *s);
/* The sum of all slots other than those of instructions retired or in flight. */
uint64_t stats_slots_sum(const struct core_stats *s);
/* Prints the statistics, one per line with unit and help. */
void stats_print(const struct core_stats *s, FILE *out);
/* Writes them as members of the current object. */
void stats_write_json(const struct core_stats *s, struct json_stream *out);

#endif
