/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/run_values.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "tools/pcprof/gain.h"

/* ---- places ---- */

static int run_values_compare_texts(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

int run_values_compare_places(const struct run_place *x, const struct run_place *y)
{
    int order = strcmp(x->image, y->image);
    if (order == 0)
        order = run_values_compare_texts(x->line, y->line);
    /* A line is one row, whatever procedures it is in. */
    return order != 0 || (x->line != NULL && y->line != NULL) ? order
                                                              : run_values_compare_texts(x->procedure, y->procedure);
}

static int run_values_by_name(const void *a, const void *b) { return run_values_compare_places(a, b); }

static void run_values_free_place(struct run_place *p)
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
        uint64_t image, key, procedure; /* as in struct prof_row */
    } key;
    struct run_place *place;
    UT_hash_handle hh;
};

static char *run_values_name_line(const struct run_values *v, const struct prof *p, const struct prof_row *row,
                                  const char *image)
{
    char *line = prof_name_line(p, row);
    if (v->pairs == NULL || line == NULL)
        return line;
    char *name = line_pairs_name(v->pairs, image, line);
    free(line);
    return name;
}

/* Notes where the procedure of a row is, in a place of that name. */
static void run_values_note_code(const struct run_values *v, const struct prof *p, const struct prof_row *row,
                                 struct run_place *place)
{
    struct run_code *c = &place->code[v->side];
    if (v->by != PROF_BY_PROCEDURE || row->image == PROF_UNKNOWN)
        return;
    const struct profile_symbol *s = profile_find_symbol(profile_image(p->profile, row->image), row->address);
    if (s == NULL)
        return;
    c->several |= c->size_bytes != 0 && (c->start != s->start || c->size_bytes != s->size_bytes);
    c->start = s->start;
    c->size_bytes = s->size_bytes;
}

/* The place of a row by its names, which is added if it is new. */
static struct run_place *name_place(struct run_values *v, const struct prof *p, const struct prof_row *row, size_t room)
{
    struct run_place *new = xcalloc(1, sizeof *new);
    new->image = xstrdup(prof_name_image(p, row));
    if (v->by != PROF_BY_IMAGE)
        new->procedure = prof_name_procedure(p, row, false);
    if (v->by == PROF_BY_LINE)
        new->line = run_values_name_line(v, p, row, new->image);
    struct run_place **found = tsearch(new, &v->tree, run_values_by_name);
    if (found == NULL)
        abort();
    run_values_note_code(v, p, row, *found);
    if (*found != new) {
        if (run_values_compare_texts((*found)->procedure, new->procedure) != 0) {
            free((*found)->procedure);
            (*found)->procedure = xstrdup(PROF_SEVERAL);
        }
        run_values_free_place(new);
        return *found;
    }
    new->estimate = xcalloc(room, sizeof *new->estimate);
    new->exact = xcalloc(room, sizeof *new->exact);
    v->place = xrealloc(v->place, (v->places + 1) * sizeof *v->place);
    v->place[v->places++] = new;
    return new;
}

static struct run_place *run_values_find_place(struct run_values *v, struct known_place **known, const struct prof *p,
                                               const struct prof_row *row, size_t room)
{
    const struct place_key key = {row->image, row->key, row->procedure};
    struct known_place *k;
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the key has no padding */
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
static void run_values_grow(struct run_values *v, size_t runs)
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

/* A run whose values are being added. */
struct adding {
    struct run_values *values;
    struct known_place **known;
    const struct prof *prof;
    size_t room;
    bool estimates, exact; /* kind of the values */
};

static void run_values_add_value(void *ctx, const struct prof_row *row, double value)
{
    const struct adding *a = ctx;
    struct run_place *place = run_values_find_place(a->values, a->known, a->prof, row, a->room);
    if (a->estimates)
        place->estimate[a->values->runs] += value;
    if (a->exact)
        place->exact[a->values->runs] += value;
}

static void add_run(struct run_values *v, struct known_place **known, const struct prof *p,
                    const struct store_run_info *info, size_t room)
{
    const struct profile_event *e = profile_event(p->profile, p->column[0].event);
    bool has_exact = p->column[0].exact != PROFILE_NO_EVENT;
    if (v->name == NULL) {
        v->name = xstrdup(e->name);
        v->unit = xstrdup(e->unit);
    }
    double estimate = prof_each(p, 0, false, run_values_add_value,
                                &(struct adding){v, known, p, room, true, !has_exact});
    double exact = prof_each(p, 0, true, run_values_add_value, &(struct adding){v, known, p, room, false, true});
    v->run[v->runs++] = (struct run_total){.run = info->id,
                                           .epoch = xstrdup(info->epoch),
                                           .by = xstrdup(e->by),
                                           .source = e->source,
                                           .seed = info->seed,
                                           .cycles = info->cycles,
                                           .harts = info->harts,
                                           .estimate = estimate,
                                           .exact = isfinite(e->total)           ? e->total
                                                    : has_exact                  ? exact
                                                    : e->source == PROFILE_EXACT ? estimate
                                                                                 : (double)NAN,
                                           .has_exact = has_exact,
                                           .per_sample = per_sample(e)};
}

/* Adds a run if it has the event. Exact answers are left out if the caller needs only their total and the event has it:
 * *events says so, for this run and the next ones. */
static enum status run_values_load_run(struct run_values *v, struct known_place **known, struct store_reader *reader,
                                       const struct store_run_info *info, struct pcprof_events *events, size_t room,
                                       struct errmsg *err)
{
    struct prof p = {.by = v->by, .several_harts = v->several_harts};
    enum status st = store_reader_load(reader, info->id, &p.profile, err);
    uint32_t event = st == ST_OK ? pcprof_find_event(p.profile, events->asked->text[0]) : PROFILE_NO_EVENT;
    if (st == ST_OK && events->without_exact &&
        (event == PROFILE_NO_EVENT || isnan(profile_event(p.profile, event)->total))) {
        events->without_exact = false;
        return run_values_load_run(v, known, reader, info, events, room, err);
    }
    if (event != PROFILE_NO_EVENT) {
        p.column[p.columns++] = (struct prof_column){.event = event, .exact = pcprof_find_exact(p.profile, event)};
        add_run(v, known, &p, info, room);
    }
    return st;
}

enum status run_values_add(struct run_values *v, const struct pcprof_input *in, const char *event, struct errmsg *err)
{
    const struct option_list asked = {.count = event != NULL, .text = {event}};
    if (event != NULL && strncmp(event, PCPROF_GAIN_PREFIX, strlen(PCPROF_GAIN_PREFIX)) == 0)
        return fail(err, ST_INPUT,
                    "expected an event whose values add up, found '%s': gains do not (see pcprof whatif)", event);
    struct pcprof_events e = pcprof_events_of(&asked), *events = &e;
    e.without_exact = !v->with_exact;
    struct store_reader *reader = pcprof_reader(in, &events, prof_parts(v->by));
    const struct store_contents *c = &in->contents;
    size_t before = v->runs, room = before + c->runs;
    struct known_place *known = NULL;
    enum status st = ST_OK;
    run_values_grow(v, c->runs);
    v->several_harts |= prof_has_several_harts(in);
    for (size_t n = 0; n < c->runs && st == ST_OK; n++)
        st = run_values_load_run(v, &known, reader, &c->run[n], events, room, err);
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
        tdelete(v->place[n], &v->tree, run_values_by_name);
        run_values_free_place(v->place[n]);
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

void run_values_place_columns(const struct run_values *v, struct report_table *t, const struct run_place *place)
{
    if (v->by != PROF_BY_IMAGE)
        REPORT_COLUMN(t, TEXT, place->procedure, .member = "procedure", .title = "procedure", .function = true,
                      .absent = "(unknown)", .at = 1);
    if (v->by == PROF_BY_LINE)
        REPORT_COLUMN(t, TEXT, place->line, .member = "line", .title = "line", .kept = true, .at = 1);
    REPORT_COLUMN(t, TEXT, place->image, .member = "image", .title = "image", .at = 1);
}
