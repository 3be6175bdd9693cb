/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, places and commands in the sentences of pcprof why. */
#include <stdlib.h>
#include <string.h>

#include "base/shell_word.h"
#include "host/export/place.h"
#include "tools/pcprof/why.h"

void why_add_function(const struct why *w, FILE *text, const char *name)
{
    char *shown = names_show(w->names, name);
    fputs(shown, text);
    free(shown);
}

char *why_evidence(const struct why *w, const char *command, const char *more)
{
    char *text;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    fprintf(out, "pcprof %s ", command);
    shell_word_print(w->input.text, out);
    if (more != NULL) {
        fputc(' ', out);
        shell_word_print(more, out);
    }
    xclose_text(out);
    return text;
}

void why_add_place(FILE *out, const char *file, uint32_t line) { fprintf(out, "%s:%u", basename(file), line); }

/* The image's name, if it is not a run's program, whose addresses need none; else NULL. */
static const char *why_library(const struct why *w, uint32_t image)
{
    const struct store_contents *c = &w->input.contents;
    const struct profile_image *i = profile_image(w->profile, image);
    for (size_t n = 0; n < c->runs; n++)
        if (pcprof_is_program(&c->run[n], i))
            return NULL;
    return i->name;
}

void why_add_address(const struct why *w, FILE *out, struct profile_place at, const struct profile_symbol *function)
{
    struct export_place place[EXPORT_PLACES];
    const char *library = why_library(w, at.image), *before = " in ", *after = "";
    fprintf(out, "0x%llx", (unsigned long long)at.address);
    (void)export_places(w->profile, at.image, at.address, place);
    if (function != NULL) {
        fputs(before, out);
        why_add_function(w, out, function->unique);
        before = " (";
    }
    if (place[0].file != NULL) {
        fputs(before, out);
        why_add_place(out, place[0].file, place[0].line);
        after = function != NULL ? ")" : "";
        before = function != NULL ? ", " : " of ";
    }
    if (library != NULL && (function == NULL || function->unique[0] != '[')) { /* not "[FILE]@0xSTART" */
        fprintf(out, "%s%s", before, library);
        after = function != NULL ? ")" : "";
    }
    fputs(after, out);
}

/* The first steps and the last ones, if there are more. */
void why_add_steps(const struct why *w, FILE *out, const struct why_path *p, unsigned from, unsigned to)
{
    enum { WHY_FIRST = 2, WHY_LAST = 4 };
    for (unsigned n = from; n < to; n++) {
        const struct why_step *s = &p->step[n];
        fputs(n > from ? " > " : "", out);
        if (to - from > WHY_FIRST + WHY_LAST && n == from + WHY_FIRST) {
            fputs("... > ", out);
            n = to - WHY_LAST;
            s = &p->step[n];
        }
        why_add_function(w, out, s->symbol->unique);
        if (s->line.file == NULL || n + 1 == p->steps)
            continue;
        fputs(" (", out);
        why_add_place(out, s->line.file, s->line.line);
        fputc(')', out);
    }
}
