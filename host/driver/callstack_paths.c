/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/callstack_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/status.h"
#include "contract/context.h"
#include "isa/sample.h"

enum { MOST_SHOWN = 8 }; /* functions of a path that the text form shows */

static const struct generic_row *find_context(const struct generic_rows *rows, uint64_t context)
{
    const struct generic_identity identity = {.key = context};
    return generic_rows_find(rows, &identity);
}

/* Fills in the functions of a path, as many as it can have, and its outermost context: the initial one, the unknown
 * one, or one that was not copied. A chain of parents is cyclic only if context numbers collide, so its length is
 * limited to the number of contexts. */
static void walk_path(struct program_path *path, const struct generic_rows *rows, unsigned parent)
{
    uint64_t context = path->context, entry[PROGRAM_PATH_DEPTH];
    const struct generic_row *row;
    unsigned left = generic_rows_count(rows);
    while (context != 0 && context != CONTEXT_UNKNOWN && left-- > 0 && (row = find_context(rows, context)) != NULL) {
        uint64_t caller = row->member[parent];
        if (path->depth < PROGRAM_PATH_DEPTH)
            entry[path->depth++] = sample_pc_of(context_function((uint32_t)context, (uint32_t)caller));
        context = caller;
    }
    path->base = context;
    path->entry = xcalloc(path->depth, sizeof *path->entry);
    memcpy(path->entry, entry, path->depth * sizeof *entry);
}

ORDER(callstack_paths_compare, struct program_path, FALLING(events) RISING(context))

void callstack_paths_fill(struct program_profile *p, const struct generic_rows *rows, unsigned parent)
{
    const struct program_table *t = &p->table[0];
    const unsigned events = t->members - 1;
    p->has_paths = true;
    p->has_exact_paths = t->member[events].has_exact;
    p->path = xcalloc(t->rows, sizeof *p->path);
    for (size_t i = 0; i < t->rows; i++) {
        const struct program_number *n = &t->row[i].number[events];
        if (n->held == 0)
            continue;
        p->path[p->paths] = (struct program_path){.context = t->row[i].key, .events = n->held, .exact = n->exact};
        walk_path(&p->path[p->paths++], rows, parent);
    }
    qsort(p->path, p->paths, sizeof *p->path, callstack_paths_compare);
}

/* Name of the caller of the outermost function of a path. */
static const char *callstack_paths_base_name(uint64_t context)
{
    return context == 0 ? "start" : context == CONTEXT_UNKNOWN ? "unknown" : "not copied";
}

static void call_path_columns(struct report_table *t, const struct program_path *p, bool has_exact)
{
    REPORT_COLUMN(t, HEX, p->context, .member = "context", .title = "context");
    REPORT_COLUMN(t, COUNT, p->events, .member = "events", .title = "events");
    if (has_exact)
        REPORT_COLUMN(t, COUNT, (uint64_t)p->exact, .member = "exact", .title = "exact");
    REPORT_COLUMN(t, TEXT, callstack_paths_base_name(p->base), .member = "base", .title = "base");
}

static void call_columns(struct report_table *t, uint64_t entry)
{
    REPORT_COLUMN(t, ADDRESS, entry, .member = "entry", .title = "functions called");
}

void callstack_paths_report(struct report *r, const struct program_profile *p)
{
    struct report_table *t = report_table(r, "call_paths",
                                          "call paths, the youngest call first: by {order}, {shown} of {rows}");
    report_order(t, "events");
    call_path_columns(t, &(struct program_path){0}, p->has_exact_paths);
    struct report_table *path = report_nested(t, "path", MOST_SHOWN, NULL, 0);
    call_columns(path, 0);
    for (size_t i = 0; i < p->paths; i++) {
        report_row(t);
        call_path_columns(t, &p->path[i], p->has_exact_paths);
        for (size_t n = 0; n < p->path[i].depth; n++) {
            report_row(path);
            call_columns(path, p->path[i].entry[n]);
        }
    }
}
