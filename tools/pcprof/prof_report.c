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

double prof_share(const struct prof *p, unsigned column, double value)
{
    return p->column[column].is_gain ? (double)NAN : value / p->column[column].estimate;
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

static void prof_event_columns(struct report_table *t, const struct prof *p, unsigned c)
{
    const struct prof_column *column = &p->column[c];
    const struct profile_event *e = profile_event(p->profile, column->event);
    const double exact = prof_exact(p, c);
    const double error = e->source == PROFILE_EXACT ? (double)NAN : prof_report_error_of(column->estimate, exact);
    REPORT_COLUMN(t, TEXT, e->name, .member = "event", .title = "event");
    REPORT_COLUMN(t, TEXT, e->by, .member = "by", .title = "by");
    REPORT_COLUMN(t, TEXT, source_names[e->source], .member = "source", .title = "source");
    REPORT_COLUMN_IF(t, prof_is_sampled(e), REAL, round(column->estimate / e->scale), .member = "sampled",
                     .title = "sampled", .absent = "-");
    REPORT_COLUMN(t, REAL, column->estimate, .member = "estimate", .title = "estimate");
    REPORT_COLUMN(t, REAL, exact, .member = "exact", .title = "exact", .absent = "-");
    REPORT_COLUMN(t, SHARE, error, .member = "error", .title = "error %", .decimals = 1, .sign = true, .absent = "-");
    REPORT_COLUMN(t, SHARE, column->misplaced, .member = "misplaced", .title = "misplaced %", .decimals = 2,
                  .absent = "-");
    REPORT_COLUMN(t, COUNT, e->lost, .member = "lost", .title = "lost", .unit = "samples");
    REPORT_COLUMN(t, COUNT, (uint64_t)e->runs, .member = "runs", .title = lacks_runs(p) ? "runs" : NULL, .absent = "-");
}

void prof_report_events(const struct prof *p, struct report *r)
{
    struct report_table *t = report_table(r, "events", NULL);
    report_whole(t);
    prof_event_columns(t, p, 0);
    for (unsigned c = 0; c < p->columns; c++) {
        report_row(t);
        prof_event_columns(t, p, c);
    }
}

void prof_value_columns(const struct prof *p, struct report_table *t, const struct prof_row *row, double cumulative)
{
    for (unsigned c = 0; c < p->columns; c++) {
        const struct prof_column *column = &p->column[c];
        const char *unit = profile_event(p->profile, column->event)->unit, *zero = p->blank ? "" : NULL;
        char *name = report_declares(t) ? name_column(p, c) : NULL; /* of the object that has the members */
        REPORT_COLUMN(t, REAL, row->value[c], .member = "estimate", .group = name, .title = name, .unit = unit,
                      .zero = zero);
        if (!column->is_gain)
            REPORT_COLUMN(t, SHARE, prof_share(p, c, row->value[c]), .member = "share", .group = name, .title = "%",
                          .decimals = 2, .heat = true, .zero = zero);
        if (c == 0 && p->cumulative && !column->is_gain)
            REPORT_COLUMN(t, SHARE, prof_share(p, c, cumulative), .member = "cumulative", .group = name,
                          .title = "cum %", .decimals = 2);
        if (column->exact != PROFILE_NO_EVENT) {
            REPORT_COLUMN(t, REAL, row->exact[c], .member = "exact", .group = name, .title = "exact", .unit = unit,
                          .zero = zero);
            REPORT_COLUMN(t, SHARE, prof_report_error_of(row->value[c], row->exact[c]), .member = "error",
                          .group = name, .title = "error %", .decimals = 1, .sign = true,
                          .absent = p->blank ? "" : "-");
        }
        free(name);
    }
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

const char *prof_no_image(bool has_idle) { return has_idle ? time_columns_no_place(true) : "(unknown)"; }

const char *prof_no_place(const struct prof *p) { return prof_no_image(shows_idle(p)); }

const char *prof_name_image(const struct prof *p, const struct prof_row *row)
{
    return row->image != PROF_UNKNOWN ? profile_image(p->profile, row->image)->name : prof_no_place(p);
}

char *prof_name_line(const struct prof *p, const struct prof_row *row)
{
    const struct profile_line *l = row->image != PROF_UNKNOWN
                                       ? profile_find_line(profile_image(p->profile, row->image), row->address)
                                       : NULL;
    return l != NULL ? xasprintf("%s:%u", basename(profile_file(p->profile, l->file)), l->line) : NULL;
}

char *prof_name_procedure(const struct prof *p, const struct prof_row *row, bool unique)
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
    const char *name = unique ? s->unique : s->shown;
    return p->by == PROF_BY_INSTRUCTION ? xasprintf("%s+0x%" PRIx64, name, row->address - s->start) : xstrdup(name);
}

static void prof_place_columns(const struct prof *p, struct report_table *t, const struct prof_row *row)
{
    const bool declares = report_declares(t);
    char *procedure = declares ? NULL : prof_name_procedure(p, row, true),
         *line = declares ? NULL : prof_name_line(p, row);
    if (p->by == PROF_BY_INSTRUCTION)
        REPORT_COLUMN(t, HEX, row->address, .member = "address", .title = "address", .at = 1);
    if (p->by != PROF_BY_IMAGE)
        REPORT_COLUMN(t, TEXT, procedure, .member = "procedure", .title = "procedure", .function = true,
                      .absent = "(unknown)", .at = 1);
    if (p->by == PROF_BY_LINE || p->by == PROF_BY_INSTRUCTION)
        REPORT_COLUMN(t, TEXT, line, .member = "line", .title = "line", .kept = true, .at = 1);
    if (p->disassembly) {
        char *text = declares ? NULL : listing_text(p->profile, row->image, row->address);
        REPORT_COLUMN(t, TEXT, text, .member = "instruction", .title = "instruction", .at = 1);
        free(text);
    }
    REPORT_COLUMN(t, TEXT, prof_name_image(p, row), .member = "image", .title = "image", .at = 1);
    free(procedure);
    free(line);
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
    const struct prof_row none = {0};
    prof_value_columns(p, t, &none, 0);
    prof_place_columns(p, t, &none);
    for (size_t n = 0; n < count; n++) {
        cumulative += rows[n].value[0];
        report_row(t);
        prof_value_columns(p, t, &rows[n], cumulative);
        prof_place_columns(p, t, &rows[n]);
    }
    prof_report_note(p, r);
}

void prof_report_note(const struct prof *p, struct report *r)
{
    bool has_exact = false, has_gains = false;
    for (unsigned c = 0; c < p->columns; c++) {
        has_exact |= p->column[c].exact != PROFILE_NO_EVENT;
        has_gains |= p->column[c].is_gain;
    }
    if (has_exact)
        report_note(r, "exact: ground truth from the simulator. misplaced: share of the estimate in other rows "
                       "than the exact one.");
    if (has_gains)
        report_note(r, "Gains do not add up: a row has the largest gain of its instructions, as has the whole.");
}
