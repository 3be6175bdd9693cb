/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded stacks, as flamegraph.pl reads: "outer;inner N", one line for each different stack of functions. An event is
 * exported alone, because a line has no place for its name. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/export/frame.h"
#include "host/export/select.h"
#include "host/export/unknown.h"

struct export_folded_line {
    char *text;
    double value;
};

static int export_folded_compare_lines(const void *a, const void *b)
{
    return strcmp(((const struct export_folded_line *)a)->text, ((const struct export_folded_line *)b)->text);
}

/* Appends a function's name. ';' separates functions, so it becomes ':'. */
static void append_name(FILE *text, struct names *names, const char *name, bool first)
{
    char *shown = names_show(names, name);
    if (!first)
        fputc(';', text);
    for (const char *c = shown; *c != '\0'; c++)
        fputc(*c == ';' ? ':' : *c == '\n' ? ' ' : *c, text);
    free(shown);
}

/* Names of the functions of a stack, inlined ones included, from the outermost. */
static char *export_folded_fold(const struct profile *p, const struct profile_path *path, bool by_function,
                                struct names *names)
{
    char *text;
    size_t size_bytes;
    FILE *out = xopen_text(&text, &size_bytes);
    for (size_t n = path->depth; n-- > 0;) {
        struct export_place place[EXPORT_PLACES];
        for (size_t i = export_frame_places(p, export_frame_of_path(p, path, n, by_function), place); i-- > 0;)
            append_name(out, names, place[i].shown, ftell(out) == 0);
    }
    if (path->depth == 0)
        append_name(out, names, EXPORT_UNKNOWN, true);
    xclose_text(out);
    return text;
}

static void print_lines(const struct profile *p, uint32_t event, struct export_folded_line *line, size_t count,
                        FILE *out)
{
    struct export_rounding rounding = {0};
    if (count > 0)
        qsort(line, count, sizeof *line, export_folded_compare_lines);
    for (size_t n = 0; n < count; n++) {
        if (n + 1 < count && strcmp(line[n].text, line[n + 1].text) == 0) {
            line[n + 1].value += line[n].value;
            continue;
        }
        uint64_t number = export_round(&rounding, p, event, line[n].value);
        if (number > 0)
            fprintf(out, "%s %" PRIu64 "\n", line[n].text, number);
    }
}

enum status export_write_folded(const struct profile *p, const struct export_options *o, FILE *out, struct errmsg *err)
{
    struct export_events events;
    enum status st = export_select(p, o, EXPORT_STACKS, &events, err);
    if (st == ST_OK) {
        size_t count;
        const struct profile_stack *stack = profile_stacks(p, events.event[0], &count);
        bool by_function = export_is_by_function(p, events.event[0]);
        struct names *names = export_names(p, o->full_names);
        struct export_folded_line *line = xcalloc(count, sizeof *line);
        struct profile_path path = {.frame = NULL};
        for (size_t n = 0; n < count; n++) {
            profile_path_read(&path, p, stack[n].frame);
            line[n] = (struct export_folded_line){export_folded_fold(p, &path, by_function, names), stack[n].value};
        }
        free(path.frame);
        print_lines(p, events.event[0], line, count, out);
        for (size_t n = 0; n < count; n++)
            free(line[n].text);
        free(line);
        names_free(names);
    }
    free(events.event);
    return st;
}
