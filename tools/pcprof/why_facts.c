/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a store knows of a function. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/export/place.h"
#include "tools/pcprof/why.h"

static double why_sum(const struct why *w, uint32_t event)
{
    const struct profile_symbol *s = w->function.symbol;
    return event == PROFILE_NO_EVENT
               ? (double)NAN
               : profile_sum(w->profile, event, w->function.image, s->start, s->start + s->size_bytes) *
                     profile_event(w->profile, event)->scale;
}

/* The sum of an event in the function, exact or estimated; NAN: the store does not have it. */
static double why_sum_of(const struct why *w, const char *name)
{
    const uint32_t exact = profile_find_event(w->profile, name, PROFILE_EXACT);
    return why_sum(w, exact != PROFILE_NO_EVENT ? exact : pcprof_find_event(w->profile, name));
}

bool why_is_in(const struct why *w, struct profile_place at)
{
    const struct profile_symbol *s = w->function.symbol;
    return at.image == w->function.image && at.address >= s->start && at.address < s->start + s->size_bytes;
}

/* ---- lines ---- */

/* Files have one path each, so pointers tell them apart; their order is by path. */
static int why_compare_by_line(const void *a, const void *b)
{
    const struct why_line *x = a, *y = b;
    const int order = x->file != y->file ? strcmp(x->file, y->file) : 0;
    return order != 0 ? order : x->line < y->line ? -1 : x->line > y->line;
}

static int why_compare_lines(const void *a, const void *b)
{
    const struct why_line *x = a, *y = b;
    return x->share != y->share ? (x->share < y->share ? 1 : -1) : why_compare_by_line(a, b);
}

/* The lines of the function's own samples, those of inlined code included. */
static void why_find_lines(struct why *w)
{
    size_t count, lines = 0, kept = 0;
    struct why_function *f = &w->function;
    const struct profile_sample *s = profile_samples(w->profile, w->time, &count);
    struct why_line *line = xcalloc(count + 1, sizeof *line);
    for (size_t n = 0; n < count; n++) {
        if (!why_is_in(w, (struct profile_place){s[n].image, s[n].address}))
            continue;
        const struct profile_line *l = profile_find_line(profile_image(w->profile, f->image), s[n].address);
        if (l != NULL && l->file != PROFILE_NO_FILE)
            line[lines++] = (struct why_line){profile_file(w->profile, l->file), l->line, s[n].value};
    }
    qsort(line, lines, sizeof *line, why_compare_by_line);
    for (size_t n = 0; n < lines; n++) {
        if (kept > 0 && why_compare_by_line(&line[kept - 1], &line[n]) == 0)
            line[kept - 1].share += line[n].share;
        else
            line[kept++] = line[n];
    }
    qsort(line, kept, sizeof *line, why_compare_lines);
    const double all = why_sum(w, w->time) / profile_event(w->profile, w->time)->scale;
    for (size_t n = 0; n < kept && n < WHY_LINES; n++) {
        f->line[n] = line[n];
        f->line[n].share /= all;
    }
    free(line);
}

/* ---- the whole ---- */

void why_find(struct why *w)
{
    struct why_function *f = &w->function;
    const struct profile_event *e = profile_event(w->profile, w->time);
    const double cycles = why_sum(w, w->time), retired = why_sum_of(w, "retired");
    f->share = w->all > 0 ? cycles / w->all : 0;
    f->samples = e->source != PROFILE_EXACT && e->period > 0 ? cycles / e->period : 0;
    f->retired = cycles > 0 ? retired / cycles : (double)NAN;
    f->mispredicted = retired > 0 ? why_sum_of(w, "retired-mispredicted") / retired : (double)NAN;
    f->missed = retired > 0 ? why_sum_of(w, "retired-dcache-miss") / retired : (double)NAN;
    f->hitm = retired > 0 ? why_sum_of(w, "hitm") / retired : (double)NAN;
    why_find_causes(w);
    why_find_lines(w);
    why_find_caller(w);
}
