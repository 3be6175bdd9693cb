/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/callstack_paths.h"

#include <stdlib.h>

#include "base/status.h"
#include "contract/context.h"
#include "isa/sample.h"

enum {
    MOST_SHOWN = 8,    /* functions of a path that the text form shows */
    MOST_LISTED = 256, /* functions of a path in a report: the youngest */
};

static unsigned events_member(const struct generic_rows *rows) { return rows->layout->members - 1u; }

static const struct generic_row *find_context(const struct generic_rows *rows, uint64_t context)
{
    const struct generic_identity identity = {.key = context};
    return generic_rows_find(rows, &identity);
}

/* Name of the caller of the outermost function of a path. */
static const char *callstack_paths_base_name(uint64_t context)
{
    return context == 0 ? "start" : context == CONTEXT_UNKNOWN ? "unknown" : "not copied";
}

/* Adds a row for each function of the path, at most MOST_LISTED, and returns the outermost context: the initial one,
 * the unknown one, or one that was not copied. A chain of parents is cyclic only if context numbers collide, so its
 * length is limited to the number of contexts. `path` NULL: adds no rows. */
static uint64_t walk_path(struct report_table *path, const struct generic_rows *rows, uint64_t context, unsigned parent)
{
    const struct generic_row *row;
    unsigned left = generic_rows_count(rows), listed = 0;
    while (context != 0 && context != CONTEXT_UNKNOWN && left-- > 0 && (row = find_context(rows, context)) != NULL) {
        uint64_t caller = row->member[parent];
        if (path != NULL && listed++ < MOST_LISTED) {
            report_row(path);
            report_cell_address(path, sample_pc_of(context_function((uint32_t)context, (uint32_t)caller)));
        }
        context = caller;
    }
    return context;
}

struct callstack_paths_ranked {
    uint64_t events;
    const struct generic_row *row;
};

static int callstack_paths_compare_ranked(const void *left, const void *right)
{
    const struct callstack_paths_ranked *a = left, *b = right;
    if (a->events != b->events)
        return a->events > b->events ? -1 : 1;
    return a->row->identity.key < b->row->identity.key ? -1 : a->row->identity.key > b->row->identity.key;
}

static struct callstack_paths_ranked *callstack_paths_rank(const struct generic_rows *rows)
{
    struct callstack_paths_ranked *ranked = xcalloc(generic_rows_count(rows) + 1, sizeof *ranked);
    size_t n = 0;
    for (const struct generic_row *row = rows->rows; row != NULL; row = row->hh.next)
        ranked[n++] = (struct callstack_paths_ranked){.events = row->member[events_member(rows)], .row = row};
    qsort(ranked, n, sizeof *ranked, callstack_paths_compare_ranked);
    return ranked;
}

static struct report_table *callstack_paths_declare_columns(struct report_table *t, bool exact)
{
    report_column(t, &(struct report_column){.type = REPORT_HEX, .member = "context", .title = "context"});
    report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "events", .title = "events"});
    if (exact)
        report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "exact", .title = "exact"});
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "base", .title = "base"});
    struct report_table *path = report_nested(t, "path", MOST_SHOWN, NULL, 0);
    report_column(path,
                  &(struct report_column){.type = REPORT_ADDRESS, .member = "entry", .title = "functions called"});
    return path;
}

void callstack_paths(struct report *r, const struct generic_rows *rows, unsigned parent, bool exact)
{
    struct report_table *t = report_table(r, "call_paths",
                                          "call paths, the youngest call first: by {order}, {shown} of {rows}");
    report_order(t, "events");
    struct report_table *path = callstack_paths_declare_columns(t, exact);
    struct callstack_paths_ranked *ranked = callstack_paths_rank(rows);
    for (unsigned i = 0; i < generic_rows_count(rows) && ranked[i].events != 0; i++) {
        report_row(t);
        report_cell_hex(t, ranked[i].row->identity.key);
        report_cell_count(t, ranked[i].events);
        if (exact)
            report_cell_count(t, ranked[i].row->exact[events_member(rows)]);
        report_cell_text(t, callstack_paths_base_name(walk_path(NULL, rows, ranked[i].row->identity.key, parent)));
        walk_path(path, rows, ranked[i].row->identity.key, parent);
    }
    free(ranked);
}
