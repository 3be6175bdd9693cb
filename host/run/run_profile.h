/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile (profile/profile.h) from the results of a run:
 *
 *   source            events                                              by               value
 *   PROFILE_EXACT     "cycles"                                            the oracle       cycles
 *   PROFILE_EXACT     "topdown.LEAF": each leaf of contract/topdown.def   "topdown"        slots
 *   PROFILE_EXACT     each count kind of the exact counts                 "counts"         events
 *   PROFILE_EXACT     "transfers": its edges are all control transfers    the path sampler transfers
 *   PROFILE_TIME      "cycles"                                            the profiler     cycles
 *   PROFILE_EXACT     each event of TEA's signatures                      the oracle       cycles of executions with it
 *   PROFILE_TIME      the same                                            the profiler     the same
 *   PROFILE_COUNTS    each count kind of ProfileMe                        the profiler     sum over the samples
 *   PROFILE_COUNTER   each event of a counter                             the counter      samples; with the option
 *                                                                                          collect those that reached
 *                                                                                          the daemon
 *   PROFILE_EXACT     "sharing.KIND.LINE.HART.DATA" of the lines with     "sharing"        accesses
 *                     most: KIND is true or false; 8 lines, and of
 *                     each 16 with most accesses
 *   PROFILE_EXACT     "gain.CAUSES": the causes that --gain removed       "gain"           cycles gained
 *   PROFILE_PROGRAM   the same, estimated from graphs of dependences      its label        cycles
 *   PROFILE_PROGRAM   "TABLE.MEMBER" of a table by pc                   the program      estimates
 *   PROFILE_EXACT     the same, if its exact answers have a sum           the program      exact answers
 *   PROFILE_PROGRAM   "call_paths.events": its stacks are call paths, of  the program      events
 *                     the functions' first instructions */
#ifndef HOST_RUN_RUN_PROFILE_H
#define HOST_RUN_RUN_PROFILE_H

#include "contract/call_tree.h"
#include "contract/families.h"
#include "contract/gain.h"
#include "host/collect/sample_table.h"
#include "host/profile/profile.h"
#include "host/symbols/symbols.h"

/* All are borrowed; NULL: the run has none. */
struct run_results {
#define FAMILY(name, type) const struct type##_result *name;
#include "contract/families.def"
    const struct sample_entry *collected; /* samples of the counters with the option `collect` */
    size_t samples_collected;
    const struct program_profile *program;
    const struct gain_result *gains;
    const struct call_tree *calls; /* of the profiles' rows by place, which become stacks of their events */
    const struct symbols *symbols;
    void (*warn)(const char *text); /* called with a line of text on what is missing in a file; NULL: none */
};

/* Returns a new profile, the caller's to free. */
struct profile *run_profile_new(const struct run_results *r);

#endif
