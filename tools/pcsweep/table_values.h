/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of a study's reports: by program, configuration and profile, with a value for each seed. */
#ifndef TOOLS_PCSWEEP_TABLE_VALUES_H
#define TOOLS_PCSWEEP_TABLE_VALUES_H

#include <stdbool.h>

#include "base/spread.h"
#include "host/study/manifest.h"

/* A column of a row: the values of the seeds, and their mean. */
struct table_cell {
    double *value;
    size_t count;            /* those that are known */
    struct spread_mean mean; /* NAN without values; variance NAN for fewer than 2 */
};

struct table_row {
    const struct job_names *names; /* borrowed from the manifest */
    struct table_cell *cell;       /* of each column */
    size_t seeds;                  /* jobs with a result */
};

struct table_values {
    const char *const *column; /* borrowed */
    size_t columns;
    struct table_row *row; /* in the order of the manifest */
    size_t rows;
};

/* Reads the reports and statistics of the jobs that are done. A column that no report has is an error. The caller
 * releases the values, also after an error. */
enum status table_values_load(const struct manifest *m, const bool *is_done, const char *const *column, size_t columns,
                              struct table_values *v, struct errmsg *err) MUST_USE;
void table_values_release(struct table_values *v);

/* The row of the same program and profile with another configuration; NULL: none. */
const struct table_row *table_values_find(const struct table_values *v, const struct table_row *like,
                                          const char *configuration);

/* The number that a path of members leads to; NAN: none. */
double table_member(const json_t *report, const char *path);

/* The quotient of two means, or the geometric mean of quotients, by its logarithm, with the variance that the spread of
 * seeds suggests. */
struct table_ratio {
    double log;      /* NAN: unknown */
    double variance; /* NAN: unknown */
    double freedom;  /* of the variance */
};
struct table_ratio table_ratio_of(const struct table_cell *cell, const struct table_cell *baseline);
struct table_ratio table_ratio_mean(const struct table_ratio *ratio, size_t count);
/* Its 95 % confidence interval, of Student's distribution; low NAN: unknown. */
struct spread_difference table_ratio_interval(const struct table_ratio *r);

#endif
