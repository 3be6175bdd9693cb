/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of pcprof diff. */
#ifndef TOOLS_PCPROF_DIFF_H
#define TOOLS_PCPROF_DIFF_H

#include "base/options.h"
#include "tools/pcprof/run_values.h"

/* A set of runs: those from `first` up to `end` of the values. */
struct diff_side {
    const char *name; /* as the user gave it */
    const struct pcprof_input *input;
    size_t first, end;
};

/* Source of the intervals. */
enum diff_error {
    DIFF_FROM_RUNS,    /* the spread of the runs: Welch's test */
    DIFF_FROM_SAMPLES, /* the number of samples: Poisson's distribution */
    DIFF_NONE,         /* exact counts */
    DIFF_UNKNOWN       /* the estimates have no known number of samples */
};

struct diff {
    struct run_values values;
    struct diff_side side[2];
    enum diff_error error;
    bool has_exact;
};

/* A comparison of the two sides' means per run. */
struct diff_row {
    const struct run_place *place; /* NULL: the total */
    double mean[2];
    struct spread_difference absolute, relative;
    double exact;    /* exact difference; NAN: unknown */
    double adjusted; /* the probability, adjusted for the number of rows; of a total as it is; NAN: unknown */
};

/* The smallest increase that --fail-if-slower refuses, a share. */
struct diff_limit {
    bool given;
    double share;
};

/* diff_rows.c: finds what the intervals are from; compares totals; compares places. The caller frees the rows, those of
 * the largest differences first. */
void diff_choose_error(struct diff *d);
struct diff_row diff_total(const struct diff *d);
struct diff_row *diff_rows(const struct diff *d);
/* diff_rows.c: the difference of a row of totals, or NAN if it is 0 but for rounding. */
double diff_total_difference(const struct diff_row *total);
/* diff_rows.c: compares the lengths of the runs in cycles, which are exact; intervals are from the spread of the runs.
 */
struct diff_row diff_lengths(const struct diff *d);

/* diff_rows.c: returns whether both sides have values of an image, or one has no values. */
bool diff_has_common_image(const struct diff *d);

/* diff_moved.c: a sentence that names the procedures with a considerable increase that have their size at another
 * address; NULL: there are none. The caller frees it. */
char *diff_tell_moved(const struct diff *d, const struct diff_row *row, size_t count, bool full_names);

/* diff_head.c: reports what has changed, and the two sides. */
void diff_report_head(const struct diff *d, const struct diff_row *total, struct report *r);

/* diff_gate.c: parses a row's argument, PERCENT%. */
enum status diff_parse_limit(const struct option_row *row, void *options, const char *argument,
                             struct errmsg *err) MUST_USE;
/* diff_gate.c: the total that --fail-if-slower tests: the lengths of the runs if the event is cycles. Those of one run
 * on each side are exact. */
struct diff_row diff_gate_total(const struct diff *d, const struct diff_row *total);
/* diff_gate.c: whether an increase is significant, and at least as large as the limit. A row without a value before has
 * no such share. */
bool diff_is_slower(const struct diff_row *row, const struct diff_limit *limit);
/* diff_gate.c: ST_UNMET if a row is slower; the message names the first one. */
enum status diff_gate_judge(const struct diff *d, const struct diff_row *rows, size_t count,
                            const struct diff_limit *limit, struct errmsg *err) MUST_USE;
/* diff_gate.c: writes a test for each row in the XML of JUnit. */
enum status diff_gate_write(const struct diff *d, const struct diff_row *rows, size_t count,
                            const struct diff_limit *limit, const char *path, struct errmsg *err) MUST_USE;

/* Returns whether a difference is significant: a total at the level of 5 %, rows with a false-discovery rate of 5 %. */
static inline bool diff_is_significant(const struct diff_row *row) { return row->adjusted < 0.05; }

#endif
