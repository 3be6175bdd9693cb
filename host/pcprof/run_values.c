/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/pcprof/run_values.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* ---- places ---- */

static int compare_texts(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int by_name(const void *a, const void *b)
{
    const struct run_place *x = a, *y = b;
    int order = strcmp(x->image, y->image);
    if (order == 0)
        order = compare_texts(x->line, y->line);
    /* A line is one row, whatever procedures it is in. */
    return order != 0 || (x->line != NULL && y->line != NULL) ? order : compare_texts(x->procedure, y->procedure);
}

static void free_place(struct run_place *p)
{
    free(p->procedure);
    free(p->line);
    free(p->image);
    free(p->estimate);
    free(p->exact);
    free(p);
}

/* The place of the rows with this key, in all runs of an input: the names of each are looked up once. */
struct known_place {
    struct place_key {
        uint64_t image, key; /* as in struct prof_row */
    } key;
    struct run_place *place;
    UT_hash_handle hh;
};

/* The place of a row by its names, which is added if it is new. */
static struct run_place *name_place(struct run_values *v, const struct prof *p, const struct prof_row *row, size_t room)
{
    struct run_place *new = xcalloc(1, sizeof *new);
    new->image = xstrdup(prof_name_image(p, row));
    if (v->by != PROF_BY_IMAGE)
        new->procedure = prof_name_procedure(p, row);
    if (v->by == PROF_BY_LINE)
        new->line = prof_name_line(p, row);
    struct run_place **found = tsearch(new, &v->tree, by_name);
    if (found == NULL)
        abort();
    if (*found != new) {
        free_place(new);
        return *found;
    }
    new->estimate = xcalloc(room, sizeof *new->estimate);
    new->exact = xcalloc(room, sizeof *new->exact);
    v->place = xrealloc(v->place, (v->places + 1) * sizeof *v->place);
    v->place[v->places++] = new;
    return new;
}

static struct run_place *find_place(struct run_values *v, struct known_place **known, const struct prof *p,
                                    const struct prof_row *row, size_t room)
{
    const struct place_key key = {row->image, row->key};
    struct known_place *k;
    HASH_FIND(hh, *known, &key, sizeof key, k);
    if (k != NULL)
        return k->place;
    k = xcalloc(1, sizeof *k);
    k->key = key;
    k->place = name_place(v, p, row, room);
    HASH_ADD(hh, *known, key, sizeof k->key, k);
    return k->place;
}

static void forget_places(struct known_place *known)
{
    struct known_place *k, *next;
    HASH_ITER (hh, known, k, next) {
        HASH_DEL(known, k);
        free(k);
    }
}

/* Makes room for more runs. */
static void grow(struct run_values *v, size_t runs)
{
    v->run = xrealloc(v->run, (v->runs + runs) * sizeof *v->run);
    for (size_t n = 0; n < v->places; n++) {
        struct run_place *p = v->place[n];
        p->estimate = xrealloc(p->estimate, (v->runs + runs) * sizeof *p->estimate);
        p->exact = xrealloc(p->exact, (v->runs + runs) * sizeof *p->exact);
        for (size_t run = v->runs; run < v->runs + runs; run++)
            p->estimate[run] = p->exact[run] = 0;
    }
}

/* ---- runs ---- */

/* The factor from an estimate to its variance if the samples are independent: a sample of weight w contributes w to the
 * estimate and w * w to the variance. */
static double per_sample(const struct profile_event *e)
{
    switch (e->source) {
    case PROFILE_EXACT:
        return 0;
    case PROFILE_COUNTER:
        return e->scale;
    case PROFILE_TIME:
        return e->period > 0 ? e->period : (double)NAN;
    case PROFILE_COUNTS: /* the samples of a latency have different weights */
        return strcmp(e->unit, "cycles") != 0 ? e->scale : (double)NAN;
    default:
        return (double)NAN;
    }
}

static void add_run(struct run_values *v, struct known_place **known, struct prof *p, const struct store_run_info *info,
                    size_t room)
{
    size_t count;
    struct prof_row *row = prof_rows(p, &count);
    const struct profile_event *e = profile_event(p->profile, p->column[0].event);
    bool exact = p->column[0].exact != PROFILE_NO_EVENT;
    if (v->name == NULL) {
        v->name = xstrdup(e->name);
        v->unit = xstrdup(e->unit);
    }
    for (size_t n = 0; n < count; n++) {
        struct run_place *place = find_place(v, known, p, &row[n], room);
        place->estimate[v->runs] += row[n].value[0];
        place->exact[v->runs] += exact ? row[n].exact[0] : row[n].value[0];
    }
    v->run[v->runs++] = (struct run_total){.run = info->id,
                                           .epoch = xstrdup(info->epoch),
                                           .by = xstrdup(e->by),
                                           .source = e->source,
                                           .seed = info->seed,
                                           .estimate = p->column[0].estimate,
                                           .exact = isfinite(e->total)           ? e->total
                                                    : exact                      ? p->column[0].exact_sum
                                                    : e->source == PROFILE_EXACT ? p->column[0].estimate
                                                                                 : (double)NAN,
                                           .has_exact = exact,
                                           .per_sample = per_sample(e)};
    free(row);
}

/* Adds a run if it has the event. */
static enum status load_run(struct run_values *v, struct known_place **known, struct store_reader *reader,
                            const struct store_run_info *info, const char *asked, size_t room, struct errmsg *err)
{
    struct prof p = {.by = v->by};
    enum status st = store_reader_load(reader, info->id, &p.profile, err);
    uint32_t event = st == ST_OK ? pcprof_find_event(p.profile, asked) : PROFILE_NO_EVENT;
    if (event != PROFILE_NO_EVENT) {
        p.column[p.columns++] = (struct prof_column){.event = event, .exact = pcprof_find_exact(p.profile, event)};
        add_run(v, known, &p, info, room);
    }
    return st;
}

enum status run_values_add(struct run_values *v, const struct pcprof_input *in, const char *event, struct errmsg *err)
{
    const struct option_list asked = {.count = event != NULL, .text = {event}};
    struct pcprof_events e = pcprof_events_of(&asked), *events = &e;
    struct store_reader *reader = pcprof_reader(in, &events, prof_parts(v->by));
    const struct store_contents *c = &in->contents;
    size_t before = v->runs, room = before + c->runs;
    struct known_place *known = NULL;
    enum status st = ST_OK;
    grow(v, c->runs);
    for (size_t n = 0; n < c->runs && st == ST_OK; n++)
        st = load_run(v, &known, reader, &c->run[n], e.asked->text[0], room, err);
    if (st == ST_OK && v->runs == before)
        st = pcprof_no_event(&e, e.asked->text[0], err);
    store_reader_free(reader);
    forget_places(known);
    pcprof_events_release(&e);
    return st;
}

void run_values_release(struct run_values *v)
{
    for (size_t n = 0; n < v->places; n++) {
        tdelete(v->place[n], &v->tree, by_name);
        free_place(v->place[n]);
    }
    for (size_t n = 0; n < v->runs; n++) {
        free(v->run[n].epoch);
        free(v->run[n].by);
    }
    free(v->place);
    free(v->run);
    free(v->name);
    free(v->unit);
}

bool run_values_are_exact(const struct run_values *v, size_t first, size_t end)
{
    for (size_t n = first; n < end; n++)
        if (!v->run[n].has_exact)
            return false;
    return true;
}

bool run_values_vary(const struct run_values *v, size_t first, size_t end)
{
    for (size_t n = first + 1; n < end; n++)
        for (size_t place = 0; place < v->places; place++)
            if (v->place[place]->estimate[n] != v->place[place]->estimate[first])
                return true;
    return false;
}

char *run_values_name_profilers(const struct run_values *v, size_t first, size_t end)
{
    char *text = xstrdup(v->run[first].by);
    for (size_t n = first + 1; n < end; n++) {
        size_t same = first;
        while (strcmp(v->run[same].by, v->run[n].by) != 0)
            same++;
        if (same < n)
            continue;
        char *longer = xasprintf("%s, %s", text, v->run[n].by);
        free(text);
        text = longer;
    }
    return text;
}

/* ---- the place's columns ---- */

void run_values_declare_place(const struct run_values *v, struct report_table *t)
{
    static const struct report_column procedure = {.type = REPORT_TEXT,
                                                   .member = "procedure",
                                                   .title = "procedure",
                                                   .absent = "(unknown)",
                                                   .at = 1},
                                      line = {.type = REPORT_TEXT, .member = "line", .title = "line", .at = 1},
                                      image = {.type = REPORT_TEXT, .member = "image", .title = "image", .at = 1};
    if (v->by != PROF_BY_IMAGE)
        report_column(t, &procedure);
    if (v->by == PROF_BY_LINE)
        report_column(t, &line);
    report_column(t, &image);
}

void run_values_add_place(const struct run_values *v, struct report_table *t, const struct run_place *place)
{
    if (v->by != PROF_BY_IMAGE)
        report_cell_text(t, place->procedure);
    if (v->by == PROF_BY_LINE)
        report_cell_text(t, place->line);
    report_cell_text(t, place->image);
}
