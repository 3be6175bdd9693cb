/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns that the reports of profiles of time and of cycle stacks share: profilers, a profile's time, its interval,
 * and the errors by level of symbols. Times are whole numbers of 1/TIME_PER_CYCLE cycles, so that sums are exact; the
 * text form has their shares of the profile's time. */
#ifndef HOST_TIME_COLUMNS_H
#define HOST_TIME_COLUMNS_H

#include "isa/contract/report.h"
#include "isa/contract/timeprof.h"

extern const char time_unit[];

/* A profile as the heading of its columns. */
struct time_column {
    const char *label, *period_unit;
    bool exact;
    uint64_t period, samples, time;
};

/* A column of times, and one of their intervals. */
void time_column_declare(struct report_table *t, const struct time_column *c);
void time_column_declare_interval(struct report_table *t, const struct time_column *c);
/* Adds the cell of the interval: the time's share of the profile's time is one of its samples. Time that no sample
 * brought has no interval. */
void time_column_add_interval(struct report_table *t, const struct time_column *c, uint64_t time);

/* A column of times for each category. */
void time_columns_declare_categories(struct report_table *t);
/* The first columns of a table of profilers: label, the flag `exact`, time, samples. */
void time_columns_declare_profiler(struct report_table *t);
/* A column of errors for each enum time_level, where the flag `exact` of the row is not set. */
void time_columns_declare_errors(struct report_table *t);

/* Notes below the table of profilers: which of them have no samples, in a run of so many cycles; and how their errors
 * become known if none of them is exact: by the profiler `reference`. */
void time_columns_note_samples(const struct time_column *c, unsigned count, uint64_t cycles, struct report *r);
void time_columns_note_reference(const struct time_column *c, unsigned count, const char *reference, struct report *r);

#endif
