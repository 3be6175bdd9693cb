/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/symbols/line_code.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/symbols/source_lines.h"
#include "host/symbols/symbols.h"

/* A row of a line table, and the code up to the next one. */
struct line_code_row {
    const char *path; /* whole, without steps up and down */
    int line;
    uint64_t start, end;
    bool is_statement;
};

struct line_search {
    const struct symbols *symbols, *in; /* in: the file whose tables are read */
    const char *file;
    int line;
    enum line_choice choice;
    bool has_file;
    int before, behind;        /* the nearest lines with code; behind: at or after `line`; 0: none */
    char *path, *path_besides; /* paths of files that have the line, owned; NULL: none */
    struct line_code *found;
    void (*see)(struct line_search *f, const struct line_code_row *row);
};

/* Whether the path is the name, or ends with it behind a slash. */
static bool path_ends_with(const char *path, const char *name)
{
    const size_t path_length = strlen(path), length = strlen(name);
    return path_length >= length && strcmp(path + path_length - length, name) == 0 &&
           (path_length == length || path[path_length - length - 1] == '/');
}

/* Notes the nearest lines with code. */
static void line_code_note(struct line_search *f, const struct line_code_row *r)
{
    if (r->line < f->line && r->line > f->before)
        f->before = r->line;
    if (r->line >= f->line && (f->behind == 0 || r->line < f->behind))
        f->behind = r->line;
}

static void line_code_keep(struct line_search *f, const struct line_code_row *r)
{
    struct line_code *found = f->found;
    if (r->line != found->line)
        return;
    if (f->path == NULL)
        f->path = xstrdup(r->path);
    if (f->path_besides == NULL && strcmp(r->path, f->path) != 0)
        f->path_besides = xstrdup(r->path);
    found->range = xrealloc(found->range, (found->ranges + 1) * sizeof *found->range);
    found->range[found->ranges++] = (struct line_range){r->start, r->end, r->is_statement};
}

/* Reads a row of the table, whose next one is `next`; false: it has no code of the file that is mapped. */
static bool line_code_read(const struct line_search *f, Dwarf_Line *at, Dwarf_Line *next, uint64_t bias,
                           struct line_code_row *row)
{
    bool is_end = false;
    Dwarf_Addr start = 0, end = 0;
    if (dwarf_lineendsequence(at, &is_end) != 0 || is_end || next == NULL || dwarf_lineno(at, &row->line) != 0 ||
        dwarf_lineaddr(at, &start) != 0 || dwarf_lineaddr(next, &end) != 0 ||
        dwarf_linebeginstatement(at, &row->is_statement) != 0)
        return false;
    row->start = start + bias;
    row->end = end + bias;
    const bool is_wanted = f->choice == LINE_CODE_EXACT ? start < end : row->is_statement && start <= end;
    return is_wanted && row->line > 0 && symbols_file_at(f->symbols, row->start).symbols == f->in;
}

/* The last file of a unit's rows, which are of a few files in turns. */
struct line_code_file {
    const char *written; /* its path as the table has it; NULL: none */
    char *whole;         /* of the folder of the compilation, simplified; owned */
    bool is_wanted;
};

static const struct line_code_file *line_code_file_of(const struct line_search *f, Dwarf_Die *unit, const char *written,
                                                      struct line_code_file *last)
{
    Dwarf_Attribute a;
    if (last->written == written)
        return last;
    free(last->whole);
    last->written = written;
    last->whole = source_path_join(dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a)), written);
    source_path_simplify(last->whole);
    last->is_wanted = path_ends_with(written, f->file) || path_ends_with(last->whole, f->file);
    return last;
}

static void line_code_see_unit(struct line_search *f, Dwarf_Die *unit, uint64_t bias)
{
    Dwarf_Lines *lines;
    size_t count;
    struct line_code_file last = {.written = NULL};
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    for (size_t n = 0; n < count; n++) {
        Dwarf_Line *at = dwarf_onesrcline(lines, n), *next = n + 1 < count ? dwarf_onesrcline(lines, n + 1) : NULL;
        const char *written = dwarf_linesrc(at, NULL, NULL);
        if (written == NULL || !line_code_file_of(f, unit, written, &last)->is_wanted)
            continue;
        struct line_code_row row = {.path = last.whole};
        f->has_file = true;
        if (line_code_read(f, at, next, bias, &row))
            f->see(f, &row);
    }
    free(last.whole);
}

static void line_code_see_file(void *ctx, const struct symbols *file)
{
    struct line_search *f = ctx;
    Dwarf_Addr bias;
    Dwfl_Module *module = symbols_dwfl(file);
    f->in = file;
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &bias)) != NULL;)
        line_code_see_unit(f, unit, bias + symbols_bias(file));
}

/* The file of the function main, for the caller to free; NULL: unknown. */
static char *file_of_main(const struct symbols *s)
{
    uint64_t pc;
    int line;
    char *path = NULL;
    return symbols_address(s, "main", &pc) && source_lines_at(s, pc, &path, &line) ? path : NULL;
}

static enum status line_code_fail(const struct line_search *f, struct errmsg *err)
{
    if (!f->has_file)
        return fail(err, ST_INPUT, "no debugging information of the guest has a file %s", f->file);
    if (f->before == 0 && f->behind == 0)
        return fail(err, ST_INPUT, "%s has no line with code that is mapped", f->file);
    if (f->choice == LINE_CODE_STATEMENT)
        return fail(err, ST_INPUT, "%s has no code at line %d or behind it: its last line with code is %d", f->file,
                    f->line, f->before);
    if (f->before == 0 || f->behind == 0)
        return fail(err, ST_INPUT, "%s has no code at line %d: the nearest line with code is %d", f->file, f->line,
                    f->before + f->behind);
    return fail(err, ST_INPUT, "%s has no code at line %d: the nearest lines with code are %d and %d", f->file, f->line,
                f->before, f->behind);
}

ORDER(line_code_by_address, struct line_range, RISING(start) RISING(end) FALLING(is_statement))

/* Sorts the ranges. Two units can have the same code, as can two mappings of a file. */
static void line_code_order(struct line_code *found)
{
    size_t kept = 0;
    qsort(found->range, found->ranges, sizeof *found->range, line_code_by_address);
    for (size_t n = 0; n < found->ranges; n++)
        if (kept == 0 || found->range[n].start != found->range[kept - 1].start ||
            found->range[n].end != found->range[kept - 1].end)
            found->range[kept++] = found->range[n];
    found->ranges = kept;
}

static enum status line_code_search(struct line_search *f, struct errmsg *err)
{
    f->see = line_code_note;
    symbols_each_file(f->symbols, line_code_see_file, f);
    if (f->behind == 0 || (f->choice == LINE_CODE_EXACT && f->behind != f->line))
        return line_code_fail(f, err);
    f->found->line = f->behind;
    f->see = line_code_keep;
    symbols_each_file(f->symbols, line_code_see_file, f);
    if (f->path_besides != NULL)
        return fail(err, ST_INPUT, "several files have this line: expected one of them, such as %s:%d or %s:%d",
                    f->path, f->line, f->path_besides, f->line);
    line_code_order(f->found);
    return ST_OK;
}

enum status line_code_find(const struct symbols *s, const char *file, int line, enum line_choice choice,
                           struct line_code *found, struct errmsg *err)
{
    char *of_main = file[0] == '\0' ? file_of_main(s) : NULL;
    const char *last = of_main != NULL ? strrchr(of_main, '/') : NULL;
    struct line_search f = {.symbols = s, .line = line, .choice = choice, .found = found};
    f.file = last != NULL ? last + 1 : of_main != NULL ? of_main : file;
    *found = (struct line_code){0};
    const enum status st = f.file[0] != '\0'
                               ? line_code_search(&f, err)
                               : fail(err, ST_INPUT, "the guest has no line information of main: expected FILE:LINE");
    if (st != ST_OK)
        line_code_free(found);
    free(f.path);
    free(f.path_besides);
    free(of_main);
    return st;
}

void line_code_free(struct line_code *found)
{
    free(found->range);
    *found = (struct line_code){0};
}
