/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of pcprof prof. Columns: DCPI paper, Figure 1; then the exact answer and the error. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/family/time_columns.h"
#include "tools/pcprof/listing.h"
#include "tools/pcprof/prof.h"

static const char *const source_names[] = {[PROFILE_EXACT] = "exact count",
                                           [PROFILE_COUNTER] = "counter",
                                           [PROFILE_TIME] = "time",
                                           [PROFILE_COUNTS] = "ProfileMe",
                                           [PROFILE_PROGRAM] = "program"};

const char *prof_source_name(enum profile_source source) { return source_names[source]; }

bool prof_is_sampled(const struct profile_event *e)
{
    return e->source == PROFILE_COUNTER || e->source == PROFILE_COUNTS;
}

double prof_exact(const struct prof *p, unsigned column)
{
    const struct prof_column *c = &p->column[column];
    double total = profile_event(p->profile, c->event)->total;
    return isfinite(total) ? total : c->exact != PROFILE_NO_EVENT ? c->exact_sum : (double)NAN;
}

static bool is_alone(const struct prof *p, unsigned column)
{
    const char *name = profile_event(p->profile, p->column[column].event)->name;
    for (unsigned c = 0; c < p->columns; c++)
        if (c != column && strcmp(profile_event(p->profile, p->column[c].event)->name, name) == 0)
            return false;
    return true;
}

/* The name of a column; with the profiler if several have the event. The caller frees it. */
static char *name_column(const struct prof *p, unsigned column)
{
    const struct profile_event *e = profile_event(p->profile, p->column[column].event);
    return is_alone(p, column) ? xstrdup(e->name) : xasprintf("%s@%s", e->name, e->by);
}

static double prof_report_error_of(double estimate, double exact) { return (estimate - exact) / exact; }

/* Whether an event is that of a part of the runs. */
static bool lacks_runs(const struct prof *p)
{
    for (unsigned c = 0; c < p->columns; c++)
        if (profile_event(p->profile, p->column[c].event)->runs < p->runs)
            return true;
    return false;
}

void prof_report_events(const struct prof *p, struct report *r)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT, .member = "event", .title = "event"},
        {.type = REPORT_TEXT, .member = "by", .title = "by"},
        {.type = REPORT_TEXT, .member = "source", .title = "source"},
        {.type = REPORT_REAL, .member = "sampled", .title = "sampled", .absent = "-"},
        {.type = REPORT_REAL, .member = "estimate", .title = "estimate"},
        {.type = REPORT_REAL, .member = "exact", .title = "exact", .absent = "-"},
        {.type = REPORT_SHARE, .member = "error", .title = "error %", .decimals = 1, .sign = true, .absent = "-"},
        {.type = REPORT_SHARE, .member = "misplaced", .title = "misplaced %", .decimals = 2, .absent = "-"},
        {.type = REPORT_COUNT, .member = "lost", .title = "lost", .unit = "samples"},
    };
    const struct report_column runs = {
        .type = REPORT_COUNT, .member = "runs", .title = lacks_runs(p) ? "runs" : NULL, .absent = "-"};
    struct report_table *t = report_table(r, "events", NULL);
    report_whole(t);
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    report_column(t, &runs);
    for (unsigned c = 0; c < p->columns; c++) {
        const struct prof_column *column = &p->column[c];
        const struct profile_event *e = profile_event(p->profile, column->event);
        report_row(t);
        report_cell_text(t, e->name);
        report_cell_text(t, e->by);
        report_cell_text(t, source_names[e->source]);
        report_cell_real(t, prof_is_sampled(e) ? round(column->estimate / e->scale) : (double)NAN);
        report_cell_real(t, column->estimate);
        double exact = prof_exact(p, c);
        report_cell_real(t, exact);
        report_cell_share(t, e->source == PROFILE_EXACT ? (double)NAN : prof_report_error_of(column->estimate, exact));
        report_cell_share(t, column->misplaced);
        report_cell_count(t, e->lost);
        report_cell_count(t, (uint64_t)e->runs);
    }
}

/* The columns of an event are the members of an object that it names. */
static void declare_event(const struct prof *p, struct report_table *t, unsigned c)
{
    char *name = name_column(p, c);
    const struct profile_event *e = profile_event(p->profile, p->column[c].event);
    const char *zero = p->blank ? "" : NULL;
    const struct report_column columns[] = {
        {.type = REPORT_REAL, .member = "estimate", .group = name, .title = name, .unit = e->unit, .zero = zero},
        {.type = REPORT_SHARE, .member = "share", .group = name, .title = "%", .decimals = 2, .zero = zero},
        {.type = REPORT_SHARE, .member = "cumulative", .group = name, .title = "cum %", .decimals = 2},
        {.type = REPORT_REAL, .member = "exact", .group = name, .title = "exact", .unit = e->unit, .zero = zero},
        {.type = REPORT_SHARE,
         .member = "error",
         .group = name,
         .title = "error %",
         .decimals = 1,
         .sign = true,
         .absent = p->blank ? "" : "-"},
    };
    report_columns(t, columns, 2);
    if (c == 0 && p->cumulative)
        report_column(t, &columns[2]);
    if (p->column[c].exact != PROFILE_NO_EVENT)
        report_columns(t, &columns[3], 2);
    free(name);
}

static void declare_place(const struct prof *p, struct report_table *t)
{
    static const struct report_column
        address = {.type = REPORT_HEX, .member = "address", .title = "address", .at = 1},
        procedure = {.type = REPORT_TEXT, .member = "procedure", .title = "procedure", .absent = "(unknown)", .at = 1},
        line = {.type = REPORT_TEXT, .member = "line", .title = "line", .kept = true, .at = 1},
        instruction = {.type = REPORT_TEXT, .member = "instruction", .title = "instruction", .at = 1},
        image = {.type = REPORT_TEXT, .member = "image", .title = "image", .at = 1};
    if (p->by == PROF_BY_INSTRUCTION)
        report_column(t, &address);
    if (p->by != PROF_BY_IMAGE)
        report_column(t, &procedure);
    if (p->by == PROF_BY_LINE || p->by == PROF_BY_INSTRUCTION)
        report_column(t, &line);
    if (p->disassembly)
        report_column(t, &instruction);
    report_column(t, &image);
}

static const char *prof_report_last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool prof_has_idle(const struct profile *p, const struct prof_column *column, size_t columns, bool several_harts)
{
    for (size_t c = 0; several_harts && c < columns; c++)
        if (strcmp(profile_event(p, column[c].event)->name, "cycles") == 0)
            return true;
    return false;
}

static bool shows_idle(const struct prof *p)
{
    return prof_has_idle(p->profile, p->column, p->columns, p->several_harts);
}

const char *prof_no_place(const struct prof *p) { return time_columns_no_place(shows_idle(p)); }

const char *prof_name_image(const struct prof *p, const struct prof_row *row)
{
    return row->image != PROF_UNKNOWN ? profile_image(p->profile, row->image)->name : prof_no_place(p);
}

char *prof_name_line(const struct prof *p, const struct prof_row *row)
{
    const struct profile_line *l = row->image != PROF_UNKNOWN
                                       ? profile_find_line(profile_image(p->profile, row->image), row->address)
                                       : NULL;
    return l != NULL ? xasprintf("%s:%u", prof_report_last_part(profile_file(p->profile, l->file)), l->line) : NULL;
}

char *prof_name_procedure(const struct prof *p, const struct prof_row *row)
{
    if (row->image == PROF_UNKNOWN)
        return shows_idle(p) ? xstrdup(prof_no_place(p)) : NULL;
    const struct profile_image *i = profile_image(p->profile, row->image);
    const struct profile_symbol *s = profile_find_symbol(i, row->address);
    if (p->by == PROF_BY_LINE && profile_find_line(i, row->address) == NULL)
        return NULL;
    if (row->is_mixed)
        return xstrdup(PROF_SEVERAL);
    if (s == NULL)
        return xasprintf("[%s]", i->name);
    return p->by == PROF_BY_INSTRUCTION ? xasprintf("%s+0x%" PRIx64, s->shown, row->address - s->start)
                                        : xstrdup(s->shown);
}

static void add_place(const struct prof *p, struct report_table *t, const struct prof_row *row)
{
    char *procedure = prof_name_procedure(p, row), *line = prof_name_line(p, row);
    if (p->by == PROF_BY_INSTRUCTION)
        report_cell_hex(t, row->address);
    if (p->by != PROF_BY_IMAGE)
        report_cell_text(t, procedure);
    if (p->by == PROF_BY_LINE || p->by == PROF_BY_INSTRUCTION)
        report_cell_text(t, line);
    if (p->disassembly) {
        char *text = listing_text(p->profile, row->image, row->address);
        report_cell_text(t, text);
        free(text);
    }
    report_cell_text(t, prof_name_image(p, row));
    free(procedure);
    free(line);
}

void prof_declare_values(const struct prof *p, struct report_table *t)
{
    for (unsigned c = 0; c < p->columns; c++)
        declare_event(p, t, c);
}

void prof_add_values(const struct prof *p, struct report_table *t, const struct prof_row *row, double cumulative)
{
    for (unsigned c = 0; c < p->columns; c++) {
        const struct prof_column *column = &p->column[c];
        report_cell_real(t, row->value[c]);
        report_cell_share(t, row->value[c] / column->estimate);
        if (c == 0 && p->cumulative)
            report_cell_share(t, cumulative / column->estimate);
        if (column->exact != PROFILE_NO_EVENT) {
            report_cell_real(t, row->exact[c]);
            report_cell_share(t, prof_report_error_of(row->value[c], row->exact[c]));
        }
    }
}

void prof_report(const struct prof *p, const struct prof_row *rows, size_t count, struct report *r)
{
    static const char *const titles[] = {[PROF_BY_PROCEDURE] = "Procedures by {order}, {shown} of {rows}",
                                         [PROF_BY_IMAGE] = "Images by {order}, {shown} of {rows}",
                                         [PROF_BY_LINE] = "Lines by {order}, {shown} of {rows}",
                                         [PROF_BY_INSTRUCTION] = "Instructions by {order}, {shown} of {rows}"};
    static const char *const keys[] = {[PROF_BY_PROCEDURE] = "procedures",
                                       [PROF_BY_IMAGE] = "images",
                                       [PROF_BY_LINE] = "lines",
                                       [PROF_BY_INSTRUCTION] = "instructions"};
    double cumulative = 0;
    prof_report_events(p, r);
    struct report_table *t = report_table(r, keys[p->by], titles[p->by]);
    char *order = name_column(p, 0);
    report_order(t, order);
    free(order);
    prof_declare_values(p, t);
    declare_place(p, t);
    for (size_t n = 0; n < count; n++) {
        cumulative += rows[n].value[0];
        report_row(t);
        prof_add_values(p, t, &rows[n], cumulative);
        add_place(p, t, &rows[n]);
    }
    prof_report_note(p, r);
}

void prof_report_note(const struct prof *p, struct report *r)
{
    for (unsigned c = 0; c < p->columns; c++)
        if (p->column[c].exact != PROFILE_NO_EVENT) {
            report_note(r, "exact: ground truth from the simulator. misplaced: share of the estimate in other rows "
                           "than the exact one.");
            return;
        }
}
