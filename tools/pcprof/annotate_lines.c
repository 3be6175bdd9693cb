/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source lines of a procedure, with the values of events. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "tools/pcprof/annotate.h"
#include "tools/pcprof/source_text.h"

/* A line with code of the procedure. */
struct line_row {
    uint32_t file, line; /* file PROFILE_NO_FILE: code without a line */
    struct prof_row row;
};

struct line_rows {
    struct line_row *row;
    size_t count;
    uint32_t own; /* the file of the procedure's first line, which is shown first */
};

/* The row of the code from `start` up to `end`. */
static void annotate_lines_add_code(const struct annotate *a, struct line_rows *rows, const struct line_row *key,
                                    uint64_t start, uint64_t end)
{
    size_t n = 0;
    while (n < rows->count && (rows->row[n].file != key->file || rows->row[n].line != key->line))
        n++;
    if (n == rows->count) {
        rows->row = xrealloc(rows->row, (rows->count + 1) * sizeof *rows->row);
        rows->row[rows->count++] = *key;
    }
    annotate_add_values(a, &rows->row[n].row, start, end);
}

ORDER(by_line, struct line_row, RISING(file) RISING(line))

/* The lines of the procedure, by file and number. */
static struct line_rows find_lines(const struct annotate *a, const struct annotate_procedure *p)
{
    const struct profile_image *i = profile_image(a->prof.profile, p->image);
    uint64_t start = p->symbol->start, end = start + p->symbol->size_bytes;
    struct line_rows rows = {.own = PROFILE_NO_FILE};
    size_t after = 0; /* the first line beyond `start` */
    for (uint64_t next; start < end; start = next) {
        const struct profile_line *l = profile_find_line(i, start);
        struct line_row key = {.file = PROFILE_NO_FILE, .row = {.image = p->image}};
        if (l != NULL)
            key = (struct line_row){.file = l->file, .line = l->line, .row = {.image = p->image}};
        if (rows.own == PROFILE_NO_FILE)
            rows.own = key.file;
        while (after < i->lines && i->line[after].start <= start)
            after++;
        next = after < i->lines && i->line[after].start < end ? i->line[after].start : end;
        annotate_lines_add_code(a, &rows, &key, start, next);
    }
    if (rows.count > 0)
        qsort(rows.row, rows.count, sizeof *rows.row, by_line);
    return rows;
}

/* ---- the report ---- */

static void line_columns(const struct annotate *a, struct report_table *t, const char *place,
                         const struct prof_row *row, const char *text)
{
    prof_value_columns(&a->prof, t, row, 0);
    REPORT_COLUMN(t, TEXT, place, .member = "line", .title = "line", .kept = true, .absent = "(no line)");
    REPORT_COLUMN(t, TEXT, text, .member = "source", .title = "source");
}

static void annotate_lines_add_row(const struct annotate *a, struct report_table *t, const char *file, uint32_t line,
                                   const struct prof_row *row, const char *text)
{
    char *place = file != NULL ? xasprintf("%s:%u", file, line) : NULL;
    report_row(t);
    line_columns(a, t, place, row, text);
    free(place);
}

/* Notes what is wrong with a source. `last` is the largest line number with code. */
static void check_source(const struct annotate *a, const char *path, const struct source_text *s, uint32_t last,
                         struct report *r)
{
    char *note = NULL;
    if (s->path == NULL)
        note = xasprintf("%s: there is no source text at %s: --source-dir DIR names a folder that has it.",
                         basename(path), path);
    else if (last > s->lines)
        note = xasprintf("%s: the file has %zu lines, and the code is of line %u: it is not the source of the image.",
                         basename(path), s->lines, last);
    else if (s->time > a->collected)
        note = xasprintf("%s: the file is newer than the first run collected: its lines can be others than "
                         "those of the image.",
                         basename(path));
    if (note != NULL)
        report_note(r, note);
    free(note);
}

/* Adds the rows of one file; those of the procedure's own file with the lines between them, which have no code. */
static void annotate_lines_add_file(const struct annotate *a, struct report_table *t, const struct line_row *row,
                                    size_t count, bool whole, struct report *r)
{
    const char *path = profile_file(a->prof.profile, row[0].file);
    struct source_text s = source_text_read(path, a->source_dir);
    uint32_t last = row[count - 1].line;
    check_source(a, path, &s, last, r);
    for (size_t n = 0; n < count; n++) {
        uint32_t from = row[n].line;
        if (whole && n > 0 && last <= s.lines)
            from = row[n - 1].line + 1;
        for (uint32_t line = from; line <= row[n].line; line++) {
            const struct prof_row none = {0};
            const char *text = line >= 1 && line <= s.lines && last <= s.lines ? s.line[line - 1] : NULL;
            annotate_lines_add_row(a, t, basename(path), line, line == row[n].line ? &row[n].row : &none, text);
        }
    }
    source_text_release(&s);
}

/* Adds the rows of the own file, or of the others. */
static void add_files(const struct annotate *a, struct report_table *t, const struct line_rows *rows, bool own,
                      struct report *r)
{
    for (size_t n = 0, end; n < rows->count; n = end) {
        uint32_t file = rows->row[n].file;
        for (end = n; end < rows->count && rows->row[end].file == file;)
            end++;
        if ((file == rows->own) != own)
            continue;
        if (file != PROFILE_NO_FILE)
            annotate_lines_add_file(a, t, &rows->row[n], end - n, own, r);
        else
            annotate_lines_add_row(a, t, NULL, 0, &rows->row[n].row, NULL);
    }
}

void annotate_lines(const struct annotate *a, const struct annotate_procedure *p, struct report *r)
{
    struct line_rows rows = find_lines(a, p);
    char *title = xasprintf("Lines of {procedure} in {image}: {estimate} %s%s",
                            profile_event(a->prof.profile, a->prof.column[0].event)->unit,
                            a->prof.column[0].is_gain ? ", the largest gain" : ", {share}");
    struct report_table *t = report_table(r, "lines", title);
    free(title);
    report_whole(t);
    line_columns(a, t, NULL, &(struct prof_row){0}, NULL);
    add_files(a, t, &rows, true, r);
    add_files(a, t, &rows, false, r);
    free(rows.row);
}
