/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of pcprof prof. */
#ifndef TOOLS_PCPROF_PROF_H
#define TOOLS_PCPROF_PROF_H

#include "base/status.h"
#include "contract/report.h"
#include "host/profile/profile.h"
#include "tools/command/output.h"
#include "tools/pcprof/input.h"

/* Unit of a row. */
enum prof_by {
#define BY(symbol, name) PROF_BY_##symbol,
#include "tools/pcprof/prof_options.def"
    PROF_BYS
};

/* A column: an event, and the exact answer. */
struct prof_column {
    uint32_t event, exact;      /* exact: PROFILE_NO_EVENT if the profile has none, or if the event itself is exact */
    double estimate, exact_sum; /* sums, of places and unplaced */
    double misplaced;           /* share of the estimate that is in other rows than the exact one; NAN: unknown */
    bool is_gain;               /* a row has the largest value of its instructions, and `estimate` is the largest one */
};

enum { PROF_COLUMNS = 16 };
struct prof {
    struct profile *profile;
    enum prof_by by;
    bool several_harts; /* a run has them; they have no thread at times */
    bool cumulative;    /* with the cumulative share of the first event */
    bool blank;         /* zeros are blank in the text form */
    bool disassembly;   /* of instructions; the profile has their code */
    struct prof_column column[PROF_COLUMNS];
    unsigned columns;
    uint64_t runs; /* of the selection; an event may be of fewer */
};

/* A row; values are estimates. */
struct prof_row {
    uint32_t image;     /* PROF_UNKNOWN: values whose address belongs to no image */
    uint64_t key;       /* start of the procedure or the line's key; the address */
    uint64_t address;   /* the lowest with a value */
    uint64_t procedure; /* of lines: start of the procedure of the address; UINT64_MAX: unknown */
    bool is_mixed;      /* of lines: other procedures have values, too */
    double value[PROF_COLUMNS], exact[PROF_COLUMNS];
};
#define PROF_UNKNOWN UINT32_MAX

/* prof_rows.c: the rows, by the first column's estimates in descending order, and the columns' sums. The caller frees
 * the rows. */
struct prof_row *prof_rows(struct prof *p, size_t *count);

/* prof_rows.c: the values of a column, or the exact ones, as estimates: calls `see` with the image, key and address of
 * a row; one row can have several values. Returns their sum. */
typedef void prof_see(void *ctx, const struct prof_row *row, double value);
double prof_each(const struct prof *p, unsigned column, bool exact, prof_see *see, void *ctx);

/* prof_rows.c: adds a value of a column to one of the same row; of gains, which do not add up, the larger one stays.
 * The sum of a column in the addresses [start, end), as an estimate; of gains the largest. */
void prof_join(const struct prof_column *c, double *sum, double value);
double prof_sum(const struct prof *p, unsigned column, uint32_t image, uint64_t start, uint64_t end);

/* prof_report.c: the name of a source; whether its values are numbers of samples times a scale; the exact total of a
 * column whose sums are known, NAN: unknown. */
const char *prof_source_name(enum profile_source source);
bool prof_is_sampled(const struct profile_event *e);
double prof_exact(const struct prof *p, unsigned column);
/* prof_report.c: the share of a value in the column's sum; NAN: gains have none. */
double prof_share(const struct prof *p, unsigned column, double value);

/* prof_report.c: adds events and rows to a report. */
void prof_report(const struct prof *p, const struct prof_row *rows, size_t count, struct report *r);

/* prof_report.c, for reports with rows of their own: add the table of events, whose sums prof_rows has set; the columns
 * of a row's values; the note below. */
void prof_report_events(const struct prof *p, struct report *r);
void prof_value_columns(const struct prof *p, struct report_table *t, const struct prof_row *row, double cumulative);
/* Adds what `exact` and gains are, if a column has them. */
void prof_report_note(const struct prof *p, struct report *r);

/* prof_report.c: returns whether values that belong to no image are those of harts without a thread, and of handlers: a
 * run has several harts, and a column is of cycles. */
bool prof_has_idle(const struct profile *p, const struct prof_column *column, size_t columns, bool several_harts);
/* prof_report.c: the name of values of no image; of these values. */
const char *prof_no_image(bool has_idle);
const char *prof_no_place(const struct prof *p);
/* prof.c: returns whether a run of the input has several harts. */
bool prof_has_several_harts(const struct pcprof_input *in);

/* The names of a row: its procedure, of an instruction with the offset, "[IMAGE]" without a symbol, PROF_SEVERAL for a
 * line in several; its "FILE:LINE". NULL: unknown. The caller frees them. unique: of several procedures of a name in an
 * image, each with its start. */
#define PROF_SEVERAL "(several)"
char *prof_name_procedure(const struct prof *p, const struct prof_row *row, bool unique);
char *prof_name_line(const struct prof *p, const struct prof_row *row);
const char *prof_name_image(const struct prof *p, const struct prof_row *row);

/* prof.c: the parts of a profile that rows need. */
unsigned prof_parts(enum prof_by by);

/* prof.c: loads the profile of a selection, with the columns of the events asked for; prints it. The caller frees the
 * profile, also after an error. */
enum status prof_load(struct prof *p, const struct pcprof_input *in, const struct option_list *asked, unsigned parts,
                      struct errmsg *err) MUST_USE;
enum status prof_print(struct prof *p, const struct pcprof_input *in, const struct command_output *output,
                       struct errmsg *err) MUST_USE;

#endif
