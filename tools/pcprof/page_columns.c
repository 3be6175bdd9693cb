/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of the page, and their values by instruction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/json_value.h"
#include "tools/pcprof/input.h"
#include "tools/pcprof/page.h"

void page_add(struct page *p, const struct page_value *v)
{
    if (p->values == p->room) {
        p->room = 2 * p->room + 1024;
        p->value = xrealloc(p->value, p->room * sizeof *p->value);
    }
    p->value[p->values++] = *v;
}

static bool page_columns_has_values(const struct profile *p, uint32_t event)
{
    size_t count;
    if (pcprof_gain_is_event(profile_event(p, event)))
        return false;
    profile_samples(p, event, &count);
    return count > 0 || profile_event(p, event)->unplaced != 0;
}

static bool is_answer(const struct page *p, uint32_t event)
{
    for (size_t c = 0; c < p->columns; c++)
        if (p->column[c].exact == event)
            return true;
    return false;
}

static void page_columns_add_column(struct page *p, uint32_t event)
{
    p->column = xrealloc(p->column, (p->columns + 1) * sizeof *p->column);
    p->column[p->columns++] = (struct prof_column){.event = event, .exact = pcprof_find_exact(p->profile, event)};
}

/* Events of one name are neighbours. Cycles are first: they decide the order of procedures. */
static int by_event(const void *a, const void *b, void *ctx)
{
    const struct page *p = ctx;
    const struct prof_column *x = a, *y = b;
    const struct profile_event *e = profile_event(p->profile, x->event), *f = profile_event(p->profile, y->event);
    int cycles = (strcmp(f->name, "cycles") == 0) - (strcmp(e->name, "cycles") == 0);
    int names = cycles != 0 ? cycles : strcmp(e->name, f->name);
    return names != 0 ? names : (x->event > y->event) - (x->event < y->event);
}

void page_columns_choose(struct page *p)
{
    for (uint32_t n = 0; n < profile_events(p->profile); n++)
        if (profile_event(p->profile, n)->source != PROFILE_EXACT && page_columns_has_values(p->profile, n))
            page_columns_add_column(p, n);
    for (uint32_t n = 0; n < profile_events(p->profile); n++)
        if (profile_event(p->profile, n)->source == PROFILE_EXACT && page_columns_has_values(p->profile, n) &&
            !is_answer(p, n))
            page_columns_add_column(p, n);
    if (p->columns > 0)
        qsort_r(p->column, p->columns, sizeof *p->column, by_event, p);
}

size_t page_columns_find(const struct page *p, const char *event, const char *by)
{
    for (size_t c = 0; c < p->columns; c++) {
        const struct profile_event *e = profile_event(p->profile, p->column[c].event);
        if (strcmp(e->name, event) == 0 && strcmp(e->by, by) == 0)
            return c;
    }
    return SIZE_MAX;
}

static uint64_t procedure_of(const struct page *p, uint32_t image, uint64_t address)
{
    if (image == PROF_UNKNOWN)
        return UINT64_MAX;
    const struct profile_symbol *s = profile_find_symbol(profile_image(p->profile, image), address);
    return s != NULL ? s->start : UINT64_MAX;
}

/* Adds the values of a column; returns the share of the estimate that is at a wrong place. */
static double page_columns_add_values(struct page *p, size_t column)
{
    struct prof prof = {.profile = p->profile, .by = PROF_BY_INSTRUCTION, .column = {p->column[column]}, .columns = 1};
    size_t count;
    struct prof_row *row = prof_rows(&prof, &count);
    for (size_t n = 0; n < count; n++)
        page_add(p, &(struct page_value){
                        .image = row[n].image,
                        .key = procedure_of(p, row[n].image, row[n].address),
                        .address = row[n].address,
                        .kind = PAGE_COLUMN,
                        .which = (uint32_t)column,
                        .estimate = row[n].value[0],
                        .exact = prof.column[0].exact != PROFILE_NO_EVENT ? row[n].exact[0] : (double)NAN,
                    });
    free(row);
    return prof.column[0].misplaced;
}

/* The estimate that one sample stands for; NAN: the values are exact, or of unknown samples. */
static double page_columns_per_sample(const struct profile_event *e)
{
    if (prof_is_sampled(e))
        return e->scale;
    return e->source == PROFILE_TIME && e->period > 0 ? e->period : (double)NAN;
}

static json_t *page_columns_describe(struct page *p, size_t column)
{
    struct prof prof = {.profile = p->profile, .by = PROF_BY_PROCEDURE, .column = {p->column[column]}, .columns = 1};
    const struct profile_event *e = profile_event(p->profile, p->column[column].event);
    size_t count;
    free(prof_rows(&prof, &count));
    double exact = prof_exact(&prof, 0), estimate = prof.column[0].estimate;
    json_t *c = json_object();
    json_put(c, "event", json_text(e->name));
    json_put(c, "by", json_text(e->by));
    json_put(c, "source", json_text(prof_source_name(e->source)));
    json_put(c, "unit", json_text(e->unit));
    json_put(c, "per_sample", json_number(page_columns_per_sample(e)));
    json_put(c, "sampled", prof_is_sampled(e) ? json_number(round(estimate / e->scale)) : json_null());
    json_put(c, "estimate", json_number(estimate));
    json_put(c, "exact", json_number(exact));
    json_put(c, "error", json_number(e->source == PROFILE_EXACT ? (double)NAN : (estimate - exact) / exact));
    json_put(c, "misplaced", json_number(prof.column[0].misplaced));
    json_put(c, "misplaced_instructions", json_number(page_columns_add_values(p, column)));
    json_put(c, "lost", json_number((double)e->lost));
    json_put(c, "runs", json_number((double)e->runs));
    return c;
}

json_t *page_columns(struct page *p)
{
    json_t *columns = json_array();
    for (size_t c = 0; c < p->columns; c++)
        json_push(columns, page_columns_describe(p, c));
    return columns;
}
