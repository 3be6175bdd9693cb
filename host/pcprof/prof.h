/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of pcprof prof share. */
#ifndef HOST_PCPROF_PROF_H
#define HOST_PCPROF_PROF_H

#include "host/profile/profile.h"
#include "isa/contract/report.h"
#include "isa/support/status.h"

/* What a row stands for. */
enum prof_by {
#define BY(symbol, name) PROF_BY_##symbol,
#include "host/pcprof/prof_options.def"
    PROF_BYS
};

/* A column: an event, and the exact answer. */
struct prof_column {
    uint32_t event, exact;      /* exact: PROFILE_NO_EVENT if the profile has none, or if the event itself is exact */
    double estimate, exact_sum; /* sums, of places and unplaced */
    double misplaced;           /* share of the estimate that is in other rows than the exact one; NAN: unknown */
};

enum { PROF_COLUMNS = 16 };
struct prof {
    const struct profile *profile;
    enum prof_by by;
    struct prof_column column[PROF_COLUMNS];
    unsigned columns;
};

/* A row; values are estimates. */
struct prof_row {
    uint32_t image;   /* PROF_UNKNOWN: values whose address belongs to no image */
    uint64_t key;     /* start of the procedure or the line's key; the address */
    uint64_t address; /* the lowest with a value */
    double value[PROF_COLUMNS], exact[PROF_COLUMNS];
};
#define PROF_UNKNOWN UINT32_MAX

/* prof.c: the exact answer to an event: preferably of the same profiler, as of a program; PROFILE_NO_EVENT of an exact
 * one. */
uint32_t prof_find_exact(const struct profile *p, uint32_t event);

/* prof_rows.c: the rows, by the first column's estimates in descending order, and the columns' sums. The caller frees
 * the rows. */
struct prof_row *prof_rows(struct prof *p, size_t *count);

/* prof_report.c: the name of a source; whether its values are numbers of samples times a scale; the exact total of a
 * column whose sums are known, NAN: unknown. */
const char *prof_source_name(enum profile_source source);
bool prof_is_sampled(const struct profile_event *e);
double prof_exact(const struct prof *p, unsigned column);

/* prof_report.c: adds events and rows to a report. */
void prof_report(const struct prof *p, const struct prof_row *rows, size_t count, struct report *r);

#endif
