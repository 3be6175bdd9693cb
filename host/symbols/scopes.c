/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and inlined calls: a walk over the entries of DWARF (DWARF 5, section 3.3), whose nested address ranges are
 * then made disjoint. */
#include "host/symbols/scopes.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/status.h"
#include "host/symbols/debug_sections.h"
#include "host/symbols/demangle.h"
#include "host/symbols/source_lines.h"

#ifndef DW_AT_GNU_discriminator /* since elfutils 0.189 */
#define DW_AT_GNU_discriminator 0x2136
#endif

/* An address range of a scope, which contains those of the scopes inlined into it. */
struct nested {
    uint64_t start, end;
    uint32_t scope;
};

struct scopes_walk {
    struct scopes *s;
    struct profile *p;
    uint64_t bias;
    const char *folder; /* of the unit's compilation; NULL: unknown */
    Dwarf_Off visited;  /* offset of the last entry visited */
    struct nested *nested;
    size_t count;
};

static uint32_t scopes_number(Dwarf_Die *die, unsigned attribute, uint32_t without)
{
    Dwarf_Attribute a;
    Dwarf_Word value;
    bool has = dwarf_attr_integrate(die, attribute, &a) != NULL && dwarf_formudata(&a, &value) == 0;
    return has ? (uint32_t)value : without;
}

/* The attributes of an inlined call itself, not of the function that is called. */
static uint32_t own_number(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute a;
    Dwarf_Word value;
    return dwarf_attr(die, attribute, &a) != NULL && dwarf_formudata(&a, &value) == 0 ? (uint32_t)value : 0;
}

static const char *scopes_name_of(Dwarf_Die *die)
{
    Dwarf_Attribute a;
    const char *name = NULL;
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &a) != NULL ||
        dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a) != NULL ||
        dwarf_attr_integrate(die, DW_AT_name, &a) != NULL)
        name = dwarf_formstring(&a);
    return name;
}

/* The file that an attribute has as a number in the table of files of its unit. dwarf_decl_file of elfutils 0.188
 * aborts in units of split debugging information. */
static uint32_t scopes_add_file(struct scopes_walk *w, Dwarf_Attribute *a)
{
    Dwarf_Die unit;
    Dwarf_Files *files;
    size_t count;
    Dwarf_Word n;
    if (a == NULL || dwarf_formudata(a, &n) != 0 ||
        dwarf_cu_die(a->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) == NULL ||
        dwarf_getsrcfiles(&unit, &files, &count) != 0 || n >= count)
        return PROFILE_NO_FILE;
    const char *path = dwarf_filesrc(files, n, NULL, NULL);
    if (path == NULL)
        return PROFILE_NO_FILE;
    char *whole = source_path_join(w->folder, path);
    const uint32_t file = profile_add_file(w->p, whole);
    free(whole);
    return file;
}

static char *scopes_keep(struct scopes *s, char *text)
{
    s->owned = xgrow(s->owned, s->owns, sizeof *s->owned);
    return s->owned[s->owns++] = text;
}

/* Adds the scope of an entry; returns its number. */
static uint32_t scopes_add_scope(struct scopes_walk *w, Dwarf_Die *die, const char *name, uint32_t caller)
{
    struct scopes *s = w->s;
    struct profile_scope scope = {.caller = caller, .call_file = PROFILE_NO_FILE};
    scope.name = scopes_keep(s, xstrdup(name));
    char *shown = demangle(name, DEMANGLE_FULL);
    scope.shown = shown == NULL ? scope.name : scopes_keep(s, shown);
    Dwarf_Attribute a;
    scope.file = scopes_add_file(w, dwarf_attr_integrate(die, DW_AT_decl_file, &a));
    scope.line = scopes_number(die, DW_AT_decl_line, 0);
    if (caller != PROFILE_NO_SCOPE) {
        scope.call_file = scopes_add_file(w, dwarf_attr(die, DW_AT_call_file, &a));
        scope.call_line = own_number(die, DW_AT_call_line);
        scope.call_discriminator = own_number(die, DW_AT_GNU_discriminator);
    }
    s->scope = xgrow(s->scope, s->count, sizeof *s->scope);
    s->scope[s->count] = scope;
    return (uint32_t)s->count++;
}

static bool has_code(Dwarf_Die *die)
{
    Dwarf_Addr base, start, end;
    return dwarf_ranges(die, 0, &base, &start, &end) > 0;
}

static void add_ranges(struct scopes_walk *w, Dwarf_Die *die, uint32_t scope)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;
    while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
        if (start == 0 || start >= end) /* 0: code that the linker has discarded */
            continue;
        w->nested = xgrow(w->nested, w->count, sizeof *w->nested);
        w->nested[w->count++] = (struct nested){start + w->bias, end + w->bias, scope};
    }
}

/* Nested entries deeper than this are left out. */
enum { MAX_DEPTH = 256 };

/* Visits the entries below `die`, which belong to the scope `caller`. */
static void symbols_scopes_walk(struct scopes_walk *w, Dwarf_Die *die, uint32_t caller, int depth)
{
    Dwarf_Die child;
    if (depth > MAX_DEPTH || dwarf_child(die, &child) != 0)
        return;
    do {
        /* Entries are in ascending order; attributes of a damaged file can lead back, for ever. */
        if (dwarf_dieoffset(&child) <= w->visited)
            return;
        w->visited = dwarf_dieoffset(&child);
        int tag = dwarf_tag(&child);
        bool is_function = tag == DW_TAG_subprogram;
        bool is_call = tag == DW_TAG_inlined_subroutine && caller != PROFILE_NO_SCOPE;
        const char *name = is_function || is_call ? scopes_name_of(&child) : NULL;
        uint32_t inside = is_function ? PROFILE_NO_SCOPE : caller;
        if (name != NULL && has_code(&child)) {
            inside = scopes_add_scope(w, &child, name, inside);
            add_ranges(w, &child, inside);
        }
        symbols_scopes_walk(w, &child, inside, depth + 1);
    } while (dwarf_siblingof(&child, &child) == 0);
}

/* Outer ranges before those that they contain. */
static int compare_nested(const void *a, const void *b)
{
    const struct nested *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->scope < y->scope ? -1 : x->scope > y->scope;
}

static void scopes_add_row(struct scopes *s, uint64_t start, uint32_t scope)
{
    if (s->ranges > 0 && s->range[s->ranges - 1].start == start)
        s->ranges--;
    if (s->ranges > 0 && s->range[s->ranges - 1].scope == scope)
        return;
    s->range = xgrow(s->range, s->ranges, sizeof *s->range);
    s->range[s->ranges++] = (struct profile_scope_range){start, scope};
}

/* Closes the open ranges that end at or before `address`; `open` of them remain. */
static size_t close_until(struct scopes *s, const struct nested *stack, size_t open, uint64_t address)
{
    while (open > 0 && stack[open - 1].end <= address) {
        open--;
        scopes_add_row(s, stack[open].end, open == 0 ? PROFILE_NO_SCOPE : stack[open - 1].scope);
    }
    return open;
}

/* Makes rows of the innermost scope. A range that crosses the end of the range around it is cut there. */
static void flatten(struct scopes *s, struct nested *nested, size_t count)
{
    struct nested *stack = xmalloc((count + 1) * sizeof *stack);
    size_t open = 0;
    if (count > 0)
        qsort(nested, count, sizeof *nested, compare_nested);
    for (size_t n = 0; n < count; n++) {
        open = close_until(s, stack, open, nested[n].start);
        struct nested r = nested[n];
        if (open > 0 && r.end > stack[open - 1].end)
            r.end = stack[open - 1].end;
        scopes_add_row(s, r.start, r.scope);
        stack[open++] = r;
    }
    close_until(s, stack, open, UINT64_MAX);
    free(stack);
}

/* ---- split debugging information (DWARF 5, section 7.3.2): units are in files of their own ---- */

static const char *scopes_text_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute a;
    return dwarf_attr(die, attribute, &a) == NULL ? NULL : dwarf_formstring(&a);
}

/* Returns whether a file is there. One that could block or has no end, which libdw would read, is refused. */
static bool is_regular(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_nothing(const char *path)
{
    struct stat st;
    return stat(path, &st) != 0 && errno == ENOENT;
}

/* Returns whether libdw finds the file of a unit, in the folder of `path` or in that of the compilation, and can read
 * it. Sets *compressed if it could not decompress it, or only without a limit. */
static bool has_unit(const char *path, Dwarf_Die *skeleton, const char *file, bool *compressed)
{
    const char *slash = strrchr(path, '/'), *folder = scopes_text_of(skeleton, DW_AT_comp_dir);
    char *here = file[0] == '/' ? xstrdup(file)
                                : xasprintf("%.*s%s", slash == NULL ? 0 : (int)(slash + 1 - path), path, file);
    char *there = file[0] == '/' || folder == NULL ? xstrdup(here) : xasprintf("%s/%s", folder, file);
    bool found = is_regular(here) ? is_regular(there) || is_nothing(there) : is_nothing(here) && is_regular(there);
    *compressed = found && !(debug_sections_are_plain(here) && debug_sections_are_plain(there));
    free(here);
    free(there);
    return found && !*compressed;
}

/* Replaces a skeleton by its unit; returns false if that is not there or not read, and keeps the first such file. */
static bool join_unit(struct scopes *s, const char *path, Dwarf_CU *unit, Dwarf_Die *die)
{
    Dwarf_Die whole;
    bool compressed;
    const char *file = scopes_text_of(die, DW_AT_dwo_name);
    if (file == NULL)
        file = scopes_text_of(die, DW_AT_GNU_dwo_name);
    if (file == NULL)
        return true;
    if (has_unit(path, die, file, &compressed) &&
        dwarf_cu_info(unit, NULL, NULL, NULL, &whole, NULL, NULL, NULL) == 0 && whole.addr != NULL) {
        *die = whole;
        return true;
    }
    const char *folder = scopes_text_of(die, DW_AT_comp_dir);
    if (s->missing == NULL)
        s->missing = file[0] == '/' || folder == NULL ? xstrdup(file) : xasprintf("%s/%s", folder, file);
    s->is_compressed |= compressed;
    return false;
}

void scopes_read(struct scopes *s, Dwarf *dwarf, const char *path, uint64_t bias, struct profile *p)
{
    struct scopes_walk w = {.s = s, .p = p, .bias = bias};
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    *s = (struct scopes){0};
    while (dwarf != NULL && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        w.visited = 0;
        w.folder = scopes_text_of(&die, DW_AT_comp_dir); /* split units have it in their skeleton */
        if (join_unit(s, path, unit, &die))
            symbols_scopes_walk(&w, &die, PROFILE_NO_SCOPE, 0);
    }
    flatten(s, w.nested, w.count);
    free(w.nested);
}

void scopes_free(struct scopes *s)
{
    for (size_t n = 0; n < s->owns; n++)
        free(s->owned[n]);
    free(s->owned);
    free(s->missing);
    free(s->scope);
    free(s->range);
    *s = (struct scopes){0};
}
