/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report's formats: each renders the whole tree. */
#ifndef HOST_REPORT_RENDER_H
#define HOST_REPORT_RENDER_H

#include <limits.h>
#include <stdio.h>

#include "base/status.h"
#include "contract/report.h"

/* Selection that the text form shows; the other formats have all. */
struct report_view {
    unsigned top;    /* rows of each table; 0: all */
    unsigned width;  /* columns of a line; 0: no limit */
    bool verbose;    /* with the sections of details */
    bool full_names; /* names of functions in tables are not shortened */
    bool legend;     /* with the meaning of the columns of the tables shown */
    bool colours;    /* shares in colours of a terminal */
};

/* The width that --width asks for; where that is not given, REPORT_WIDTH_OF_OUTPUT, the width of the terminal behind
 * the descriptor, and REPORT_WIDTH_OF_FILES if it is none. */
#define REPORT_WIDTH_OF_OUTPUT UINT_MAX
enum { REPORT_WIDTH_OF_FILES = 120 };
unsigned report_width(unsigned asked, int fd);

struct report_format {
    const char *name, *help;
    /* An output that cannot be written has its stream's error flag set. */
    void (*write)(const struct report *r, const struct report_view *v, FILE *out);
};

/* The rows of formats.def. */
enum report_form {
#define REPORT_FORMAT(name, help) REPORT_AS_##name,
#include "host/report/formats.def"
    REPORT_FORMS
};
extern const struct report_format report_formats[REPORT_FORMS];
extern const char *const report_form_names[REPORT_FORMS];

/* Identification at the head of the JSON form. */
#define REPORT_FORMAT_NAME "pcemu report"
enum { REPORT_VERSION = 1 };

/* --sort MEMBER[:up]: sorts the rows of each table that has a column of that member, falling or, with :up, rising;
 * absent cells come last and rows of equal cells stay in order. A member is a column's, or GROUP.MEMBER; where a table
 * has none of that name, the title of a column, in whatever case. One of a nested table sorts the rows around it by
 * their first nested row. ST_INPUT: no table has it; the error names the nearest and all members that there are. */
enum status report_sort(struct report *r, const char *member, struct errmsg *err) MUST_USE;

/* Reads what the JSON form has written. `name` is the file's, for errors: where, what was expected and what was found.
 * *out is the caller's, for report_free; NULL after an error. */
enum status report_read(struct report **out, const char *name, const char *text, size_t size_bytes,
                        struct errmsg *err) MUST_USE;

#endif
