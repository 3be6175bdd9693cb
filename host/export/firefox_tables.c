/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shared tables of a profile for the Firefox Profiler (its repository: src/types/profile.ts and
 * docs-developer/CHANGELOG-formats.md, version 60). */
#include "host/export/firefox_tables.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "host/export/unknown.h"
#include "host/report/json_value.h"

/* A row of a table by its key. */
struct firefox_row {
    char *key;
    json_int_t number;
    UT_hash_handle hh;
};

/* ---- tables ---- */

/* `columns` ends with NULL. */
static void firefox_table_begin(struct firefox_table *t, const char *const *columns)
{
    *t = (struct firefox_table){.columns = json_object()};
    for (; *columns != NULL; columns++)
        json_put(t->columns, *columns, json_array());
}

static void firefox_table_end(struct firefox_table *t)
{
    struct firefox_row *row, *next;
    HASH_ITER (hh, t->row_of, row, next) {
        HASH_DEL(t->row_of, row);
        free(row->key);
        free(row);
    }
    json_decref(t->columns);
}

/* Finds the row of a key, which it frees. Without one it numbers the next row, returns false, and the caller adds the
 * row's columns. */
static bool firefox_table_find(struct firefox_table *t, char *key, json_int_t *number)
{
    struct firefox_row *row;
    HASH_FIND_STR(t->row_of, key, row);
    if (row != NULL) {
        free(key);
        *number = row->number;
        return true;
    }
    row = xmalloc(sizeof *row);
    *row = (struct firefox_row){.key = key, .number = *number = t->rows++};
    HASH_ADD_KEYPTR(hh, t->row_of, row->key, strlen(row->key), row);
    return false;
}

static void firefox_table_put(struct firefox_table *t, const char *column, json_t *value)
{
    json_push(json_object_get(t->columns, column), value);
}

/* A number; null without one. */
static json_t *firefox_optional(bool is_known, json_int_t number)
{
    return is_known ? json_integer(number) : json_null();
}

static json_int_t firefox_string(struct firefox_tables *t, const char *text)
{
    json_int_t number;
    if (!firefox_table_find(&t->strings, xstrdup(text), &number))
        firefox_table_put(&t->strings, "text", json_text(text));
    return number;
}

static json_int_t firefox_source(struct firefox_tables *t, const char *path)
{
    json_int_t number;
    if (!firefox_table_find(&t->sources, xstrdup(path), &number)) {
        firefox_table_put(&t->sources, "uuid", json_null());
        firefox_table_put(&t->sources, "filename", json_integer(firefox_string(t, path)));
    }
    return number;
}

/* ---- images ---- */

/* Values of handlers, and of no file, are in images of which there is no file. */
static bool firefox_is_file(const struct profile_image *i) { return i->path[0] != '['; }

/* The identifier of Breakpad: the first 16 bytes of the build ID, with the numbers of a GUID in the order of a
 * little-endian machine, and the age 0. */
static json_t *firefox_breakpad_id(const char *build_id)
{
    enum { DIGITS = 32 };
    static const int digit[DIGITS] = {6,  7,  4,  5,  2,  3,  0,  1,  10, 11, 8,  9,  14, 15, 12, 13,
                                      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    char text[DIGITS + 2] = "";
    for (int n = 0; n < DIGITS; n++)
        text[n] = (size_t)digit[n] < strlen(build_id) ? (char)toupper((unsigned char)build_id[digit[n]]) : '0';
    text[DIGITS] = '0';
    return json_string(text);
}

static void firefox_add_lib(struct firefox_tables *t, const struct profile_image *i)
{
    json_t *lib = json_push(t->libs, json_object());
    const bool has_id = strspn(i->build_id, "0123456789abcdef") == strlen(i->build_id) && *i->build_id != '\0';
    json_put(lib, "arch", json_string("riscv64"));
    json_put(lib, "name", json_text(i->name));
    json_put(lib, "path", json_text(i->path));
    json_put(lib, "debugName", json_text(i->name));
    json_put(lib, "debugPath", json_text(i->path));
    json_put(lib, "breakpadId", has_id ? firefox_breakpad_id(i->build_id) : json_string(""));
    json_put(lib, "codeId", has_id ? json_text(i->build_id) : json_null());
}

/* The number of the resource that stands for an image, and the number of its library, if it has one. */
static json_int_t firefox_resource(struct firefox_tables *t, uint32_t image)
{
    enum { LIBRARY = 1 };
    const struct profile_image *i = profile_image(t->p, image);
    if (t->resource[image] != 0)
        return t->resource[image] - 1;
    const bool is_file = firefox_is_file(i);
    firefox_table_put(&t->resources, "lib", firefox_optional(is_file, (json_int_t)json_array_size(t->libs)));
    firefox_table_put(&t->resources, "name", json_integer(firefox_string(t, is_file ? i->name : i->path)));
    firefox_table_put(&t->resources, "host", json_null());
    firefox_table_put(&t->resources, "type", json_integer(is_file ? LIBRARY : 0));
    if (is_file)
        firefox_add_lib(t, i);
    t->resource[image] = ++t->resources.rows;
    return t->resource[image] - 1;
}

/* The number of the function's symbol in its file; null without one. */
static json_t *firefox_symbol(struct firefox_tables *t, uint32_t image, uint64_t address)
{
    json_int_t number;
    const struct profile_image *i = profile_image(t->p, image);
    const struct profile_symbol *s = profile_find_symbol(i, address);
    if (s == NULL || !firefox_is_file(i))
        return json_null();
    if (firefox_table_find(&t->symbols, xasprintf("%" PRIu32 " %" PRIx64, image, s->start), &number))
        return json_integer(number);
    json_t *lib = json_array_get(json_object_get(t->resources.columns, "lib"), (size_t)firefox_resource(t, image));
    char *shown = names_show(t->names, s->unique);
    firefox_table_put(&t->symbols, "libIndex", json_incref(lib));
    firefox_table_put(&t->symbols, "address", json_integer((json_int_t)(s->start - export_image_base(i))));
    firefox_table_put(&t->symbols, "name", json_integer(firefox_string(t, shown)));
    firefox_table_put(&t->symbols, "functionSize", json_integer((json_int_t)s->size_bytes));
    free(shown);
    return json_integer(number);
}

/* ---- frames ---- */

static json_int_t firefox_function(struct firefox_tables *t, uint32_t image, const struct export_place *at)
{
    json_int_t number;
    const char *file = export_place_file(at);
    if (firefox_table_find(&t->functions, xasprintf("%" PRIu32 " %s\n%s", image, at->shown, file == NULL ? "" : file),
                           &number))
        return number;
    char *shown = names_show(t->names, at->shown);
    firefox_table_put(&t->functions, "name", json_integer(firefox_string(t, shown)));
    firefox_table_put(&t->functions, "isJS", json_false());
    firefox_table_put(&t->functions, "relevantForJS", json_false());
    firefox_table_put(&t->functions, "resource", json_integer(firefox_resource(t, image)));
    firefox_table_put(&t->functions, "source", file == NULL ? json_null() : json_integer(firefox_source(t, file)));
    firefox_table_put(&t->functions, "lineNumber", firefox_optional(at->first_line > 0, at->first_line));
    firefox_table_put(&t->functions, "columnNumber", json_null());
    free(shown);
    return number;
}

/* Adds a function at a frame. `depth`: number of functions that it is inlined into. A line of another file than the
 * function's is left out, because lines have no file of their own. */
static json_int_t firefox_frame(struct firefox_tables *t, struct export_frame f, const struct export_place *at,
                                size_t depth, int category)
{
    json_int_t number;
    const uint32_t image = f.at.image;
    const struct profile_image *i = profile_image(t->p, image);
    if (firefox_table_find(
            &t->frames,
            xasprintf("%" PRIu32 " %" PRIx64 " %d %zu %d", image, f.at.address, f.is_function, depth, category),
            &number))
        return number;
    const char *file = export_place_file(at);
    const bool has_line = at->line > 0 && at->file != NULL && strcmp(at->file, file) == 0;
    firefox_table_put(&t->frames, "func", json_integer(firefox_function(t, image, at)));
    firefox_table_put(&t->frames, "address",
                      json_integer(firefox_is_file(i) ? (json_int_t)(f.at.address - export_image_base(i)) : -1));
    firefox_table_put(&t->frames, "inlineDepth", json_integer((json_int_t)depth));
    firefox_table_put(&t->frames, "category", firefox_optional(category != FIREFOX_NO_CATEGORY, category + 1));
    firefox_table_put(&t->frames, "subcategory", firefox_optional(category != FIREFOX_NO_CATEGORY, 0));
    firefox_table_put(&t->frames, "nativeSymbol", firefox_symbol(t, image, f.at.address));
    firefox_table_put(&t->frames, "innerWindowID", json_null());
    firefox_table_put(&t->frames, "line", firefox_optional(has_line, at->line));
    firefox_table_put(&t->frames, "column", json_null());
    return number;
}

/* ---- stacks ---- */

/* Adds the functions at a frame to a stack; stacks are numbers plus 1, 0: the empty one. */
static uint32_t firefox_extend(struct firefox_tables *t, uint32_t stack, struct export_frame f, int category)
{
    struct export_place place[EXPORT_PLACES];
    const size_t count = export_frame_places(t->p, f, place);
    for (size_t n = count; n-- > 0;) {
        const json_int_t frame = firefox_frame(t, f, &place[n], count - 1 - n, n == 0 ? category : FIREFOX_NO_CATEGORY);
        firefox_table_put(&t->stacks, "frame", json_integer(frame));
        firefox_table_put(&t->stacks, "prefix", firefox_optional(stack > 0, (json_int_t)stack - 1));
        stack = (uint32_t)++t->stacks.rows;
    }
    return stack;
}

/* The stack of a caller, whose own callers are added first. */
static uint32_t firefox_caller(struct firefox_tables *t, uint32_t frame)
{
    struct profile_path path = {.frame = NULL};
    if (frame == 0 || t->caller[frame] != 0)
        return frame == 0 ? 0 : t->caller[frame];
    profile_path_read(&path, t->p, frame);
    uint32_t stack = 0;
    for (size_t n = path.depth; n-- > 0;) {
        uint32_t *known = &t->caller[path.frame[n]];
        if (*known == 0)
            *known = firefox_extend(t, stack, export_frame_caller(t->p, path.frame[n]), FIREFOX_NO_CATEGORY);
        stack = *known;
    }
    free(path.frame);
    return stack;
}

json_int_t firefox_tables_stack(struct firefox_tables *t, uint32_t frame, bool by_function, int category)
{
    uint32_t *known = &t->leaf[category + 1 + (by_function ? FIREFOX_CATEGORIES : 0)][frame];
    if (*known == 0 && frame == 0)
        *known = firefox_extend(t, 0, (struct export_frame){export_unknown_place(t->p), false}, category);
    if (*known == 0)
        *known = firefox_extend(t, firefox_caller(t, profile_frame(t->p, frame)->caller),
                                export_frame_innermost(t->p, frame, by_function), category);
    return (json_int_t)*known - 1;
}

/* ---- the whole ---- */

void firefox_tables_begin(struct firefox_tables *t, const struct profile *p, bool full_names)
{
    const size_t frames = profile_frames_end(p) + (size_t)1;
    *t = (struct firefox_tables){.p = p,
                                 .names = export_names(p, full_names),
                                 .libs = json_array(),
                                 .resource = xcalloc(profile_images(p) + 1, sizeof *t->resource),
                                 .caller = xcalloc(frames, sizeof *t->caller)};
    for (int n = 0; n < 2 * FIREFOX_CATEGORIES; n++)
        t->leaf[n] = xcalloc(frames, sizeof *t->leaf[n]);
    firefox_table_begin(&t->strings, (const char *const[]){"text", NULL});
    firefox_table_begin(&t->sources, (const char *const[]){"uuid", "filename", NULL});
    firefox_table_begin(&t->resources, (const char *const[]){"lib", "name", "host", "type", NULL});
    firefox_table_begin(&t->symbols, (const char *const[]){"libIndex", "address", "name", "functionSize", NULL});
    firefox_table_begin(&t->functions, (const char *const[]){"name", "isJS", "relevantForJS", "resource", "source",
                                                             "lineNumber", "columnNumber", NULL});
    firefox_table_begin(&t->frames, (const char *const[]){"address", "inlineDepth", "category", "subcategory", "func",
                                                          "nativeSymbol", "innerWindowID", "line", "column", NULL});
    firefox_table_begin(&t->stacks, (const char *const[]){"frame", "prefix", NULL});
}

void firefox_tables_end(struct firefox_tables *t)
{
    struct firefox_table *const table[] = {&t->strings,   &t->sources, &t->resources, &t->symbols,
                                           &t->functions, &t->frames,  &t->stacks};
    for (size_t n = 0; n < sizeof table / sizeof table[0]; n++)
        firefox_table_end(table[n]);
    for (int n = 0; n < 2 * FIREFOX_CATEGORIES; n++)
        free(t->leaf[n]);
    free(t->caller);
    free(t->resource);
    json_decref(t->libs);
    names_free(t->names);
}

static void firefox_share(json_t *shared, const char *name, const struct firefox_table *t)
{
    json_put(t->columns, "length", json_integer(t->rows));
    json_put(shared, name, json_incref(t->columns));
}

json_t *firefox_tables_shared(const struct firefox_tables *t)
{
    json_t *shared = json_object();
    firefox_share(shared, "stackTable", &t->stacks);
    firefox_share(shared, "frameTable", &t->frames);
    firefox_share(shared, "funcTable", &t->functions);
    firefox_share(shared, "resourceTable", &t->resources);
    firefox_share(shared, "nativeSymbols", &t->symbols);
    firefox_share(shared, "sources", &t->sources);
    json_put(shared, "stringArray", json_incref(json_object_get(t->strings.columns, "text")));
    return shared;
}

json_t *firefox_tables_libs(const struct firefox_tables *t) { return json_incref(t->libs); }
