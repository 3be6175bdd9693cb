/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source files of the page: their numbers, and the text of the lines around those with values, where the files are on
 * the disk. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/report/json_value.h"
#include "tools/pcprof/page.h"
#include "tools/pcprof/source_text.h"

enum {
    AROUND = 3,              /* lines that are shown on each side of one with a value */
    SOURCE_BYTES = 3 << 20,  /* of text on a page; further files have none */
    LONGEST_LINE_BYTES = 500 /* of a line, which is cut there */
};

int64_t page_sources_number(struct page *p, uint32_t file)
{
    if (file >= p->profile_files) {
        p->file = xrealloc(p->file, (file + 1u) * sizeof *p->file);
        memset(p->file + p->profile_files, 0, (file + 1u - p->profile_files) * sizeof *p->file);
        p->profile_files = file + 1u;
    }
    if (p->file[file] == 0) {
        json_push(p->files, json_text(profile_file(p->profile, file)));
        p->file[file] = (int64_t)json_array_size(p->files);
    }
    return p->file[file] - 1;
}

void page_sources_want(struct page *p, uint32_t file, uint32_t line)
{
    if (p->wanted == p->want_room) {
        p->want_room = 2 * p->want_room + 256;
        p->want = xrealloc(p->want, p->want_room * sizeof *p->want);
    }
    p->want[p->wanted++] = (struct page_line){file, line};
}

ORDER(page_sources_by_line, struct page_line, RISING(file) RISING(line))

/* Pushes lines [from, to] of a text, each with its distance from the one before. */
static void push_lines(const struct source_text *s, uint32_t from, uint32_t to, uint32_t *last, json_t *step,
                       json_t *text, size_t *bytes)
{
    for (uint32_t line = from; line <= to; line++) {
        size_t length = strnlen(s->line[line - 1], LONGEST_LINE_BYTES);
        char *cut = strndup(s->line[line - 1], length);
        if (cut == NULL)
            out_of_memory();
        json_push(step, json_integer(line - *last));
        json_push(text, json_text(cut));
        free(cut);
        *last = line;
        *bytes += length;
    }
}

/* A store is not trusted, and a page is shared: only what is named as a source file gets on it. */
static bool page_sources_is_source(const char *path)
{
    static const char *const suffixes[] = {
        ".c",   ".h",   ".cc",  ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp", ".hxx", ".inl",  ".ipp", ".tcc",
        ".inc", ".def", ".S",   ".s",   ".rs",  ".go",  ".d", ".f",  ".F",   ".f90", ".F90",  ".f95", ".for",
        ".zig", ".nim", ".pas", ".ml",  ".l",   ".y",   ".m", ".mm", ".adb", ".ads", ".swift"};
    const char *suffix = strrchr(path, '.');
    for (size_t n = 0; suffix != NULL && n < sizeof suffixes / sizeof suffixes[0]; n++)
        if (strcmp(suffix, suffixes[n]) == 0)
            return true;
    return strstr(path, "/include/") != NULL && suffix == NULL; /* <vector> */
}

/* The lines wanted of one file with those around them: {step, text, newer}; null if the file is missing, or has fewer
 * lines than the code says. */
static json_t *describe_file(const struct page *p, const struct page_line *want, size_t count, size_t *bytes)
{
    const char *path = json_string_value(json_array_get(p->files, want->file));
    json_t *o = json_null();
    if (!page_sources_is_source(path))
        return o;
    struct source_text s = source_text_read(path, p->source_dir);
    if (s.path != NULL && want[count - 1].line <= s.lines) {
        uint32_t last = 0;
        o = json_object();
        json_t *step = json_put(o, "step", json_array()), *text = json_put(o, "text", json_array());
        for (size_t n = 0; n < count; n++) {
            uint32_t line = want[n].line, from = line > AROUND ? line - AROUND : 1;
            uint32_t to = line + AROUND < s.lines ? line + AROUND : (uint32_t)s.lines;
            if (line > 0)
                push_lines(&s, from > last ? from : last + 1, to, &last, step, text, bytes);
        }
        json_put(o, "newer", json_boolean(s.time > p->collected));
    }
    source_text_release(&s);
    return o;
}

json_t *page_sources(struct page *p)
{
    json_t *sources = json_array();
    size_t bytes = 0;
    if (p->wanted > 0)
        qsort(p->want, p->wanted, sizeof *p->want, page_sources_by_line);
    for (size_t n = 0, end; n < p->wanted; n = end) {
        for (end = n; end < p->wanted && p->want[end].file == p->want[n].file;)
            end++;
        while (json_array_size(sources) < p->want[n].file)
            json_push(sources, json_null());
        json_push(sources, bytes < SOURCE_BYTES && !p->without_source ? describe_file(p, &p->want[n], end - n, &bytes)
                                                                      : json_null());
    }
    return sources;
}
