/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CSV form: the values as rows of the table `summary`, then each table with a header. The first cell of each row is
 * the name of its table, so that one table is what grep finds. Quoting is that of RFC 4180; lines end with a line feed.
 * A text that a spreadsheet would execute has an apostrophe before it; numbers have none.
 * Entry point: report_write_csv. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contract/report_tree.h"
#include "host/report/formats.h"

/* Returns whether spreadsheets take a text for a formula. The names of a guest's functions and files are not to be
 * trusted. */
static bool is_formula(const char *text) { return strspn(text, "=+-@\t\r\n") > 0 && text[1] != '\0'; }

/* Behind an apostrophe a spreadsheet has a text. */
static void report_csv_put_text(const char *text, FILE *out)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0' && !is_formula(text)) {
        fputs(text, out);
        return;
    }
    fputs(is_formula(text) ? "\"'" : "\"", out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '"' ? "\"%c" : "%c", *text);
    fputc('"', out);
}

/* A further cell of the line. */
static void report_csv_put_cell(const char *text, FILE *out)
{
    fputc(',', out);
    report_csv_put_text(text, out);
}

/* The shortest digits that are read back as the same number. */
static void report_csv_put_real(double x, FILE *out)
{
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    fprintf(out, ",%s", text);
}

static void put_known(const char *text, FILE *out) { report_csv_put_cell(text != NULL ? text : "", out); }

/* The cells of a place: one for each of place_members. */
static const char *const place_members[] = {"pc", "function", "offset", "address", "library", "file", "line"};
enum { PLACE_MEMBERS = sizeof place_members / sizeof place_members[0] };

static void report_csv_put_place(const struct report_place *p, FILE *out)
{
    fprintf(out, ",0x%" PRIx64, p->pc);
    put_known(p->function, out);
    if (p->function != NULL)
        fprintf(out, ",%" PRIu64, p->offset);
    else
        fputc(',', out);
    fprintf(out, ",0x%" PRIx64, p->address);
    put_known(p->library, out);
    put_known(p->file, out);
    if (p->file != NULL)
        fprintf(out, ",%d", p->line);
    else
        fputc(',', out);
}

static unsigned cells_of(enum report_type t)
{
    return t == REPORT_ADDRESS ? PLACE_MEMBERS : t == REPORT_INTERVAL ? 2 : 1;
}

static void put_content(const struct report_cell *c, enum report_type type, FILE *out)
{
    switch (c->type) {
    case REPORT_TEXT:
        report_csv_put_cell(c->text, out);
        break;
    case REPORT_COUNT:
        fprintf(out, ",%" PRIu64, c->count);
        break;
    case REPORT_HEX:
        fprintf(out, ",0x%" PRIx64, c->count);
        break;
    case REPORT_REAL:
    case REPORT_SHARE:
        report_csv_put_real(c->real, out);
        break;
    case REPORT_FLAG:
        fputs(c->flag ? ",true" : ",false", out);
        break;
    case REPORT_ADDRESS:
        report_csv_put_place(c->place, out);
        break;
    case REPORT_INTERVAL:
        report_csv_put_real(c->interval[0], out);
        report_csv_put_real(c->interval[1], out);
        break;
    default:
        for (unsigned i = 0; i < cells_of(type); i++)
            fputc(',', out);
        break;
    }
}

/* "path.name", or the name alone at the root; the caller's to free. */
static char *report_csv_join(const char *path, const char *name)
{
    return path[0] != '\0' ? xasprintf("%s.%s", path, name) : xstrdup(name);
}

static void report_csv_put_value(const struct report_value *v, const char *path, FILE *out)
{
    if (v->key == NULL)
        return;
    char *key = report_csv_join(path, v->key);
    fputs("summary", out);
    report_csv_put_cell(key, out);
    free(key);
    if (v->cell.type == REPORT_ADDRESS)
        fprintf(out, ",0x%" PRIx64, v->cell.place->pc);
    else
        put_content(&v->cell, REPORT_TEXT, out);
    report_csv_put_cell(v->unit != NULL ? v->unit : v->type == REPORT_SHARE ? "share" : "", out);
    const struct {
        bool is_known;
        double x;
    } more[] = {{v->has_exact, v->exact}, {v->has_interval, v->low}, {v->has_interval, v->high}};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        if (more[i].is_known)
            report_csv_put_real(more[i].x, out);
        else
            fputc(',', out);
    }
    fputc('\n', out);
}

static void put_summary(const struct report *r, const char *path, FILE *out)
{
    for (const struct report_node *n = r->first; n != NULL; n = n->next) {
        if (n->kind == REPORT_VALUE)
            report_csv_put_value(&n->value, path, out);
        if (n->kind != REPORT_SECTION)
            continue;
        char *below = n->section->key != NULL ? report_csv_join(path, n->section->key) : xstrdup(path);
        put_summary(n->section, below, out);
        free(below);
    }
}

/* The heading of a column's cell: the names of its group and its member, and `part` of it. */
static void put_heading(const struct report_column *c, const char *part, FILE *out)
{
    const char *names[] = {c->group, c->member, part};
    char *heading = xstrdup("");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i] == NULL)
            continue;
        char *longer = report_csv_join(heading, names[i]);
        free(heading);
        heading = longer;
    }
    report_csv_put_cell(heading, out);
    free(heading);
}

/* Of a nested table: the number of the row around it, from 0 on, for each table around it, outermost first. */
static void put_row_headings(const struct report_table *t, FILE *out)
{
    if (t == NULL)
        return;
    put_row_headings(t->parent, out);
    report_csv_put_cell(t->key, out);
}

static void put_header(const struct report_table *t, const char *path, FILE *out)
{
    static const char *const bounds[] = {"low", "high"};
    report_csv_put_text(path, out);
    put_row_headings(t->parent, out);
    for (unsigned c = 0; c < t->columns; c++) {
        const struct report_column *column = &t->column[c];
        bool has_parts = cells_of(column->type) > 1;
        for (unsigned i = 0; i < cells_of(column->type) && report_type_has_cells(column->type); i++)
            put_heading(column, !has_parts ? NULL : column->type == REPORT_ADDRESS ? place_members[i] : bounds[i], out);
    }
    fputc('\n', out);
}

/* `rows` is the text of the numbers of the rows around, each behind a comma. */
static void put_row(const struct report_table *t, size_t row, const char *path, const char *rows, FILE *out)
{
    report_csv_put_text(path, out);
    fputs(rows, out);
    for (unsigned c = 0; c < t->columns; c++)
        if (report_type_has_cells(t->column[c].type))
            put_content(report_cell_at(t, row, c), t->column[c].type, out);
    fputc('\n', out);
}

/* The rows of `t` that lie within rows `first` to `end` of `outer`, which is `t` or a table around it. */
static void put_rows_within(const struct report_table *t, const struct report_table *outer, size_t first, size_t end,
                            const char *path, const char *rows, FILE *out)
{
    const struct report_table *inner = t;
    while (inner != outer && inner->parent != outer)
        inner = inner->parent;
    for (size_t row = first; row < end; row++) {
        if (inner == outer) {
            put_row(t, row, path, rows, out);
            continue;
        }
        const struct report_cell *within = report_cell_at(outer, row, inner->parent_column);
        char *longer = xasprintf("%s,%zu", rows, row - first);
        put_rows_within(t, inner, within->rows.first, within->rows.first + within->rows.count, path, longer, out);
        free(longer);
    }
}

/* The table, then those nested in it. */
static void report_csv_put_table(const struct report_table *t, const char *path, FILE *out)
{
    const struct report_table *outermost = t;
    while (outermost->parent != NULL)
        outermost = outermost->parent;
    put_header(t, path, out);
    put_rows_within(t, outermost, 0, outermost->rows, path, "", out);
    for (unsigned c = 0; c < t->columns; c++) {
        if (t->nested[c] == NULL)
            continue;
        char *below = report_csv_join(path, t->nested[c]->key);
        report_csv_put_table(t->nested[c], below, out);
        free(below);
    }
}

static void put_tables(const struct report *r, const char *path, FILE *out)
{
    for (const struct report_node *n = r->first; n != NULL; n = n->next) {
        if (n->kind != REPORT_TABLE && n->kind != REPORT_SECTION)
            continue;
        const char *key = n->kind == REPORT_TABLE ? n->table->key : n->section->key;
        char *below = key != NULL ? report_csv_join(path, key) : xstrdup(path);
        if (n->kind == REPORT_TABLE)
            report_csv_put_table(n->table, below, out);
        else
            put_tables(n->section, below, out);
        free(below);
    }
}

void report_write_csv(const struct report *r, const struct report_view *v, FILE *out)
{
    (void)v;
    fputs("summary,key,value,unit,exact,low,high\n", out);
    put_summary(r, "", out);
    put_tables(r, "", out);
}
