/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantities derived from count profiles: estimates, averages, wasted issue slots, and errors of the estimates
 * (ProfileMe paper, sections 5.1 and 5.2). */
#ifndef HOST_FAMILY_COUNT_SCORE_H
#define HOST_FAMILY_COUNT_SCORE_H

#include "base/interval.h"
#include "contract/countprof.h"
#include "host/symbols/symbols.h"

/* The estimate for a count of that kind: k samples times the period S, or the count itself if the profile is exact. */
double count_estimate(const struct count_profile *p, const struct count_row *row, enum count_kind kind);
/* The 95 % confidence interval of the estimate. Unknown for exact counts, and for cycles and pairs, whose variance is
 * unknown. */
struct interval count_interval(const struct count_profile *p, const struct count_row *row, enum count_kind kind);

/* The mean of a latency in cycles over the instructions that have it, those of the kind `of`; NAN if there are none. */
double count_average(const struct count_row *row, enum count_kind latency, enum count_kind of);
/* Issue slots wasted while the instruction was in progress: L C S / 2 - U W S; NAN if the profile has no pairs. */
double count_wasted(const struct count_profile *p, const struct count_row *row);
/* Instructions retired per cycle within 30 cycles of a retirement of this instruction, itself included; NAN if the
 * profile has no pairs. */
double count_ipc_near(const struct count_profile *p, const struct count_row *row);

/* Mean number of other instructions, later retired, in the phase `others` in the cycles in which this one was in the
 * phase `own`; NAN if the profile has no pairs, or if the instruction was never in that phase. */
double count_alongside(const struct count_profile *p, const struct count_row *row, enum profileme_phase own,
                       enum profileme_phase others);

/* The row with that pc; NULL: there is none. */
const struct count_row *count_find(const struct count_profile *p, uint64_t pc);
/* The sum of all rows, with pc 0. */
struct count_row count_total(const struct count_profile *p);
/* The sums by function, by ascending pc, which is the function's start; 0: unknown. The caller frees the array. */
struct count_row *count_functions(const struct count_profile *p, const struct symbols *symbols, size_t *count);

/* Number of instructions with fewer than RANKED_SAMPLES samples; 0 if the profile is exact. */
size_t count_few(const struct count_profile *p);

/* Among the instructions with k samples of that kind, k >= RANKED_SAMPLES: those whose ratio of estimate to exact
 * count is within 1 +- 1 / sqrt(k). Two thirds are expected (the paper's Figure 3). */
struct count_envelope {
    size_t instructions, inside;
};
struct count_envelope count_envelope(const struct count_profile *p, const struct count_profile *exact,
                                     enum count_kind kind);

#endif
