/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns shared by the reports of time profiles and of cycle stacks: profilers, time, its confidence interval, and
 * errors by symbol level. Times are integers in units of 1/TIME_PER_CYCLE cycles, so that sums are exact; the text
 * form shows shares of the profile's time. */
#ifndef HOST_FAMILY_TIME_COLUMNS_H
#define HOST_FAMILY_TIME_COLUMNS_H

#include "contract/report.h"
#include "contract/timeprof.h"

extern const char time_unit[];

/* A profile, as the heading of its columns. */
struct time_column {
    const char *label, *period_unit;
    bool exact, weighted; /* weighted: samples have different weights */
    uint64_t period, samples, time;
};

/* A column of times, and one of their intervals. The time's share of the profile's time is taken as a share of its
 * samples. Time without samples, and that of weighted samples, has no interval. */
void time_columns_time(struct report_table *t, const struct time_column *c, uint64_t time);
void time_columns_interval(struct report_table *t, const struct time_column *c, uint64_t time);

/* Name of the place of time that no instruction of the program has: of handlers and, next to nothing, that behind the
 * last instruction; `has_idle`: of several harts, which are idle at times. */
const char *time_columns_no_place(bool has_idle);
/* Name of a category in reports. That of handlers has the time of idle harts, too. */
const char *time_columns_category(enum time_category c, bool has_idle);
/* A column of times for each category, absent if `time` is NULL, or 0 unless `with_zeros`. */
void time_columns_categories(struct report_table *t, bool has_idle, const uint64_t *time, bool with_zeros);
/* The first columns of a table of profilers: label, the flag `exact`, time, samples. */
void time_columns_profiler(struct report_table *t, const struct time_column *c);
/* A column of errors for each enum time_level; absent if `error` is NULL. */
void time_columns_errors(struct report_table *t, const double *error);

/* Adds the notes below the table of profilers: profilers without samples in a run of `cycles` cycles and, if no
 * profile is exact, the profiler `reference` that is needed for errors. */
void time_columns_note_samples(const struct time_column *c, unsigned count, uint64_t cycles, struct report *r);
void time_columns_note_reference(const struct time_column *c, unsigned count, const char *reference, struct report *r);

#endif
