/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparison of the page's runs with those of --before, by the rules of pcprof diff, for the first column:
 *   before, event, by, unit, runs[2]   what is compared; runs: numbers of both sides
 *   has_common_image                   whether both sides have values of a file of one name
 *   procedures, lines                  columns: name[], image[] (name), before[], after[], low[], high[] (95 % interval
 *                                      of the difference), p[] (null: unknown), q[] (p, adjusted for the number of
 *                                      rows); lines are those of the page, LINE_PAIRS_GONE behind those that are gone
 *   total                              the same of all, as a column of one row
 *   flames[]                           call stacks of the runs before, as those of the page */
#include <math.h>
#include <stdlib.h>

#include "host/report/json_value.h"
#include "tools/pcprof/diff.h"
#include "tools/pcprof/page.h"

/* What is compared. */
struct page_sides {
    const struct pcprof_input *before, *after;
    struct line_pairs *pairs; /* from `before` to `after` */
};

/* A difference as one row of a column. */
static void page_compare_push(json_t *o, const struct diff_row *row)
{
    const struct spread_difference *x = &row->absolute;
    const struct {
        const char *key;
        double value;
    } columns[] = {{"before", row->mean[0]}, {"after", row->mean[1]}, {"low", x->low},
                   {"high", x->high},        {"p", x->probability},   {"q", row->adjusted}};
    for (size_t n = 0; n < sizeof columns / sizeof columns[0]; n++) {
        json_t *list = json_object_get(o, columns[n].key);
        json_push(list != NULL ? list : json_put(o, columns[n].key, json_array()), json_number(columns[n].value));
    }
}

static json_t *page_compare_rows(const struct diff *d)
{
    json_t *o = json_object(), *name = json_put(o, "name", json_array()), *image = json_put(o, "image", json_array());
    struct diff_row *row = diff_rows(d);
    for (size_t n = 0; n < d->values.places; n++) {
        const struct run_place *place = row[n].place;
        if (row[n].mean[0] == 0 && row[n].mean[1] == 0)
            continue;
        json_push(name, json_text(d->values.by == PROF_BY_LINE ? place->line : place->procedure));
        json_push(image, json_text(place->image));
        page_compare_push(o, &row[n]);
    }
    free(row);
    return o;
}

/* Adds a side with the event of the profiler, or if it has none of this profiler with the event of another one. */
static enum status page_compare_add_side(struct diff *d, unsigned side, const struct profile_event *e,
                                         struct errmsg *err)
{
    struct diff_side *s = &d->side[side];
    char *exactly = xasprintf("%s@%s", e->name, e->by);
    s->first = d->values.runs;
    enum status st = run_values_add(&d->values, s->input, exactly, err);
    if (st == ST_INPUT && d->values.runs == s->first)
        st = run_values_add(&d->values, s->input, e->name, err);
    s->end = d->values.runs;
    free(exactly);
    return st;
}

static void page_compare_describe(const struct diff *d, const struct profile_event *e, json_t *o)
{
    struct diff_row total = diff_total(d);
    json_t *runs = json_put(o, "runs", json_array());
    json_put(o, "before", json_text(d->side[0].name));
    json_put(o, "event", json_text(e->name));
    json_put(o, "by", json_text(e->by));
    json_put(o, "unit", json_text(e->unit));
    json_put(o, "has_common_image", json_boolean(diff_has_common_image(d)));
    for (unsigned s = 0; s < 2; s++)
        json_push(runs, json_integer((json_int_t)(d->side[s].end - d->side[s].first)));
    page_compare_push(json_put(o, "total", json_object()), &total);
}

/* Adds the rows of one kind. */
static enum status page_compare_by(const struct profile_event *e, const struct page_sides *sides, enum prof_by by,
                                   json_t *o, struct errmsg *err)
{
    struct diff d = {.values = {.by = by, .pairs = by == PROF_BY_LINE ? sides->pairs : NULL},
                     .side = {{.name = sides->before->text, .input = sides->before},
                              {.name = sides->after->text, .input = sides->after}}};
    enum status st = page_compare_add_side(&d, 0, e, err);
    d.values.pairs = NULL;
    if (st == ST_OK)
        st = page_compare_add_side(&d, 1, e, err);
    if (st == ST_OK) {
        diff_choose_error(&d);
        if (by == PROF_BY_PROCEDURE)
            page_compare_describe(&d, e, o);
        json_put(o, by == PROF_BY_PROCEDURE ? "procedures" : "lines", page_compare_rows(&d));
    }
    run_values_release(&d.values);
    return st;
}

enum status page_compare(const struct page *p, const struct pcprof_input *before, const struct pcprof_input *after,
                         json_t *trees, json_t **comparison, struct errmsg *err)
{
    struct profile *profile = NULL;
    struct page_sides sides = {.before = before, .after = after};
    if (p->columns == 0)
        return fail(err, ST_INPUT, "%s: the runs have no event to compare", after->text);
    const struct profile_event *e = profile_event(p->profile, p->column[0].event);
    *comparison = json_object();
    enum status st = store_load(before->store, &before->selection, STORE_STACKS | STORE_SCOPES | LINE_PAIRS_PARTS, NULL,
                                NULL, &profile, err);
    if (st == ST_OK) {
        sides.pairs = line_pairs_of(profile, p->profile);
        st = page_compare_by(e, &sides, PROF_BY_PROCEDURE, *comparison, err);
    }
    if (st == ST_OK)
        st = page_compare_by(e, &sides, PROF_BY_LINE, *comparison, err);
    if (st == ST_OK)
        json_put(*comparison, "flames", page_flames(profile, p->names, trees));
    line_pairs_free(sides.pairs);
    profile_free(profile);
    return st;
}
