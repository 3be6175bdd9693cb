/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/symbols/source_lines.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "host/symbols/line_code.h"
#include "host/symbols/symbols.h"

/* Whether one of the first `count` places is in the function that starts at `start`. */
static bool has_place_in(const struct symbols *s, const struct source_place *place, size_t count, uint64_t start)
{
    for (size_t n = 0; n < count; n++)
        if (symbols_find(s, place[n].pc).start == start)
            return true;
    return false;
}

enum status source_lines_find(const struct symbols *s, const char *file, int line, struct source_place **place,
                              size_t *count, struct errmsg *err)
{
    struct line_code code;
    const enum status st = line_code_find(s, file, line, LINE_CODE_STATEMENT, &code, err);
    *count = 0;
    *place = NULL;
    if (st != ST_OK)
        return st;
    *place = xcalloc(code.ranges, sizeof **place);
    for (size_t n = 0; n < code.ranges; n++)
        if (!has_place_in(s, *place, *count, symbols_find(s, code.range[n].start).start))
            (*place)[(*count)++] = (struct source_place){code.range[n].start, code.line};
    line_code_free(&code);
    return ST_OK;
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

/* Removes the last part of the path [start, end), unless that is a step up itself; returns the new end, or `end`. */
static char *source_path_leave(char *start, char *end)
{
    char *slash = memrchr(start, '/', (size_t)(end - start)), *last = slash != NULL ? slash + 1 : start;
    const bool is_up = end - last == 2 && strncmp(last, "..", 2) == 0;
    return is_up ? end : slash != NULL ? slash : start;
}

void source_path_simplify(char *path)
{
    char *const start = path + (*path == '/'), *to = start;
    const char *from = path;
    for (size_t length; *(from += strspn(from, "/")) != '\0'; from += length) {
        length = strcspn(from, "/");
        char *before = to;
        if (length == 1 && *from == '.')
            continue;
        if (length == 2 && strncmp(from, "..", 2) == 0) {
            to = source_path_leave(start, to);
            if (to != before || start != path)
                continue;
        }
        if (to > start)
            *to++ = '/';
        memmove(to, from, length);
        to += length;
    }
    *to = '\0';
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
