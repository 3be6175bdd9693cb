/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/symbols/source_lines.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/symbols/symbols.h"

/* A search of a line. */
struct line_search {
    const struct symbols *symbols;
    const char *file, *found_file; /* of the line found; NULL: none */
    const char *other_file;        /* another one of the same name that has lines, too; NULL: none */
    int line, best;                /* 0: none found */
    struct source_place *place;
    uint64_t *start; /* of the function of each place */
    size_t room, count;
    bool has_file;
};

/* Whether the path is the name, or ends with it behind a slash. */
static bool path_ends_with(const char *path, const char *name)
{
    const size_t path_length = strlen(path), length = strlen(name);
    return path_length >= length && strcmp(path + path_length - length, name) == 0 &&
           (path_length == length || path[path_length - length - 1] == '/');
}

/* Keeps the lowest address of the line in each function. */
static void keep_place(struct line_search *f, uint64_t pc, int line)
{
    const uint64_t start = symbols_find(f->symbols, pc).start;
    for (size_t i = 0; i < f->count; i++)
        if (f->start[i] == start) {
            f->place[i].pc = pc < f->place[i].pc ? pc : f->place[i].pc;
            return;
        }
    if (f->count == f->room)
        return;
    f->start[f->count] = start;
    f->place[f->count++] = (struct source_place){pc, line};
}

static void look_at_line(struct line_search *f, Dwarf_Line *at, uint64_t bias)
{
    int line = 0;
    Dwarf_Addr address = 0;
    bool is_statement = false, is_end = false;
    const char *path = dwarf_linesrc(at, NULL, NULL);
    if (path == NULL || !path_ends_with(path, f->file))
        return;
    f->has_file = true;
    if (dwarf_lineno(at, &line) != 0 || dwarf_lineaddr(at, &address) != 0 ||
        dwarf_linebeginstatement(at, &is_statement) != 0 || dwarf_lineendsequence(at, &is_end) != 0 || !is_statement ||
        is_end || line < f->line || (f->best != 0 && line > f->best))
        return;
    if (line != f->best) {
        f->best = line;
        f->count = 0;
        f->found_file = path;
        f->other_file = NULL;
    }
    if (strcmp(path, f->found_file) != 0)
        f->other_file = path;
    keep_place(f, address + bias, line);
}

static void look_at_units(struct line_search *f)
{
    Dwarf_Addr bias;
    Dwfl_Module *module = symbols_dwfl(f->symbols);
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &bias)) != NULL;) {
        Dwarf_Lines *lines;
        size_t count;
        if (dwarf_getsrclines(unit, &lines, &count) != 0)
            continue;
        for (size_t i = 0; i < count; i++)
            look_at_line(f, dwarf_onesrcline(lines, i), bias + symbols_bias(f->symbols));
    }
}

ORDER(by_address, struct source_place, RISING(pc))

/* The file of the function main, for the caller to free; NULL: unknown. */
static char *file_of_main(const struct symbols *s)
{
    uint64_t pc;
    int line;
    char *path = NULL;
    return symbols_address(s, "main", &pc) && source_lines_at(s, pc, &path, &line) ? path : NULL;
}

static enum status search_line(struct line_search *f, struct errmsg *err)
{
    look_at_units(f);
    if (!f->has_file)
        return fail(err, ST_INPUT, "no debugging information of the guest has a file %s", f->file);
    if (f->best == 0)
        return fail(err, ST_INPUT, "%s has no code at line %d or behind it", f->file, f->line);
    if (f->other_file != NULL)
        return fail(err, ST_INPUT, "several files have this line: expected one of them, such as %s:%d or %s:%d",
                    f->found_file, f->line, f->other_file, f->line);
    qsort(f->place, f->count, sizeof *f->place, by_address);
    return ST_OK;
}

enum status source_lines_find(const struct symbols *s, const char *file, int line, struct source_place *place,
                              size_t room, size_t *count, struct errmsg *err)
{
    char *of_main = file[0] == '\0' ? file_of_main(s) : NULL;
    const char *last = of_main != NULL ? strrchr(of_main, '/') : NULL;
    struct line_search f = {.symbols = s, .file = last != NULL ? last + 1 : of_main != NULL ? of_main : file};
    f.line = line;
    f.place = place;
    f.room = room;
    *count = 0;
    if (f.file[0] == '\0')
        return fail(err, ST_INPUT, "the guest has no line information of main: expected FILE:LINE");
    f.start = xcalloc(room, sizeof *f.start);
    const enum status st = search_line(&f, err);
    *count = st == ST_OK ? f.count : 0;
    free(f.start);
    free(of_main);
    return st;
}

/* The libdwfl module of the file that is mapped at pc, and the link-time address there; NULL: none. */
static Dwfl_Module *module_at(const struct symbols *s, uint64_t pc, Dwarf_Addr *address)
{
    const struct symbols_file file = symbols_file_at(s, pc);
    *address = file.address;
    return file.symbols != NULL ? symbols_dwfl(file.symbols) : NULL;
}

char *source_path_join(const char *folder, const char *file)
{
    const bool is_whole = file[0] == '/' || folder == NULL || folder[0] != '/';
    return is_whole ? xstrdup(file) : xasprintf("%s/%s", folder, file);
}

bool source_lines_at(const struct symbols *s, uint64_t pc, char **path, int *line)
{
    Dwarf_Addr address;
    Dwfl_Module *module = module_at(s, pc, &address);
    Dwfl_Line *at = module != NULL ? dwfl_module_getsrc(module, address) : NULL;
    const char *file = at != NULL ? dwfl_lineinfo(at, NULL, line, NULL, NULL, NULL) : NULL;
    const char *folder = at != NULL ? dwfl_line_comp_dir(at) : NULL;
    if (file == NULL)
        return false;
    *path = source_path_join(folder, file);
    return true;
}

static struct source_inlined inlined_call(Dwarf_Die *die)
{
    Dwarf_Attribute a;
    Dwarf_Word number = 0, line = 0;
    Dwarf_Die unit;
    Dwarf_Files *files;
    size_t count;
    struct source_inlined call = {.name = dwarf_diename(die)};
    if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &a), &line) == 0 && line <= INT_MAX)
        call.line = (int)line;
    if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &a), &number) == 0 &&
        dwarf_diecu(die, &unit, NULL, NULL) != NULL && dwarf_getsrcfiles(&unit, &files, &count) == 0 &&
        number < count) {
        const char *path = dwarf_filesrc(files, number, NULL, NULL);
        call.file = path != NULL ? basename(path) : NULL;
    }
    return call;
}

size_t source_lines_inlined(const struct symbols *s, uint64_t pc, struct source_inlined *call, size_t room)
{
    Dwarf_Addr address, bias;
    Dwfl_Module *module = module_at(s, pc, &address);
    Dwarf_Die *unit = module != NULL ? dwfl_module_addrdie(module, address, &bias) : NULL, *scopes = NULL;
    const int count = unit != NULL ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
    size_t n = 0;
    for (int i = 0; i < count && n < room && dwarf_tag(&scopes[i]) != DW_TAG_subprogram; i++)
        if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
            call[n++] = inlined_call(&scopes[i]);
    free(scopes);
    return n;
}
