/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What follows from profiles of counts: estimates, averages, wasted issue slots, and how far estimates are from the
 * exact counts (ProfileMe paper, sections 5.1 and 5.2). */
#ifndef HOST_COUNT_SCORE_H
#define HOST_COUNT_SCORE_H

#include "host/interval.h"
#include "host/symbols.h"
#include "isa/contract/countprof.h"

/* The number that a count of that kind stands for: kS, or the count itself where it is exact. */
double count_estimate(const struct count_profile *p, const struct count_row *row, enum count_kind kind);
/* Its 95 % confidence interval. Unknown where it is exact, or of cycles or of pairs: their variance is not known. */
struct interval count_interval(const struct count_profile *p, const struct count_row *row, enum count_kind kind);

/* The average of a latency in cycles, over the instructions that have it; NAN where there are none, or the kind is not
 * a latency. */
double count_average(const struct count_row *row, enum count_kind latency);
/* Issue slots that were wasted while the instruction was in progress: L C S / 2 - U W S; NAN where the profile has no
 * pairs. */
double count_wasted(const struct count_profile *p, const struct count_row *row);
/* Instructions that retired in a cycle, within 30 cycles of a retirement of this one, itself included; NAN where the
 * profile has no pairs. */
double count_ipc_near(const struct count_profile *p, const struct count_row *row);

/* How many other instructions that retired were in the phase `others`, on average over the cycles in which this one was
 * in the phase `own`; NAN where the profile has no pairs, or the instruction was never in it. */
double count_alongside(const struct count_profile *p, const struct count_row *row, enum profileme_phase own,
                       enum profileme_phase others);

/* The row of that pc; NULL: there is none. */
const struct count_row *count_find(const struct count_profile *p, uint64_t pc);
/* All rows' sum, of pc 0. */
struct count_row count_total(const struct count_profile *p);
/* The sums by function, by rising pc: its start, 0 where it is not known. The caller's to free. */
struct count_row *count_functions(const struct count_profile *p, const struct symbols *symbols, size_t *count);

/* How many instructions have fewer than RANKED_SAMPLES; 0 where the profile is exact. */
size_t count_few(const struct count_profile *p);

/* Of the instructions with k samples of that kind, RANKED_SAMPLES or more, those whose estimate is within
 * 1 +- 1 / sqrt(k) of the exact count: two thirds are expected (the paper's Figure 3). */
struct count_envelope {
    size_t instructions, inside;
};
struct count_envelope count_envelope(const struct count_profile *p, const struct count_profile *exact,
                                     enum count_kind kind);

#endif
