/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A selection as a profile. An epoch is read from its sums, runs from their own rows or their sums by procedure. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/store/load.h"

/* ---- events ---- */

/* The columns of both: event, name, by, source, unit, runs, least and largest scale, period, total, lost, unplaced; of
 * the sums: the number of the epoch's event. */
static const char epoch_events[] =
    "SELECT event.id, event.name, by, source, unit, runs, scale_least, scale_most, period / runs, total, lost, "
    "unplaced, epoch_event.id FROM epoch_event JOIN event ON event.id = event JOIN epoch ON epoch.id = epoch "
    "WHERE epoch.name = ?1 ORDER BY epoch_event.id";
static const char run_events[] =
    "SELECT event.id, event.name, by, source, unit, count(*), min(scale), max(scale), avg(period), "
    "CASE WHEN count(total) = count(*) THEN sum(total) END, sum(lost), sum(unplaced), 0 "
    "FROM selected JOIN series ON series.run = selected.run JOIN event ON event.id = event "
    "WHERE ?1 IS NULL GROUP BY event.id ORDER BY min(series.id)";

/* Refuses an event whose numbers are none. */
static void store_load_check_event(struct store_loader *l, struct profile_event *e)
{
    static const char *const names[] = {"scale", "period", "number of values without an image"};
    if (isnan(e->period)) /* 0 / 0: of no runs */
        e->period = 0;
    const double number[] = {e->scale, e->period, e->unplaced};
    for (int i = 0; i < 3; i++)
        if (!(number[i] >= 0 && number[i] < LOADER_LIMIT))
            loader_refuse(l, "%s: event %s: expected a %s from 0 to %g, found %g", l->store->path, e->name, names[i],
                          LOADER_LIMIT, number[i]);
    if (fabs(e->total) >= LOADER_LIMIT)
        loader_refuse(l, "%s: event %s: expected a total below %g, found %g", l->store->path, e->name, LOADER_LIMIT,
                      e->total);
}

/* Adds an event to the profile if it is wanted. */
static void store_load_add_event(struct store_loader *l, const struct statement *q)
{
    char *name = statement_text(q, 1), *by = statement_text(q, 2), *source = statement_text(q, 3),
         *unit = statement_text(q, 4);
    struct profile_event e = {.name = name,
                              .by = by,
                              .unit = unit,
                              .source = store_source_of(source),
                              .scale = statement_real(q, 6),
                              .period = statement_real(q, 8),
                              .total = statement_real(q, 9),
                              .lost = (uint64_t)statement_int(q, 10),
                              .unplaced = statement_real(q, 11),
                              .runs = (uint64_t)statement_int(q, 5)};
    store_load_check_event(l, &e);
    if (l->wanted == NULL || l->wanted(l->ctx, &e)) {
        l->event = xrealloc(l->event, (l->events + 1) * sizeof *l->event);
        l->event[l->events++] = (struct store_loader_event){.event = statement_int(q, 0),
                                                            .epoch_event = statement_int(q, 12),
                                                            .mixed = statement_real(q, 6) != statement_real(q, 7)};
        struct store_loader_event *added = &l->event[l->events - 1];
        added->scale = e.scale;
        if (added->mixed)
            loader_mean_scale(l, added);
        struct profile_event scaled = e;
        scaled.scale = added->scale;
        added->number = profile_add_event(l->profile, &scaled);
    }
    free(name);
    free(by);
    free(source);
    free(unit);
}

static void load_events(struct store_loader *l)
{
    struct statement q = loader_statement(l, l->selection->epoch != NULL ? epoch_events : run_events);
    statement_bind_text(&q, 1, l->selection->epoch);
    while (loader_row(l, &q))
        store_load_add_event(l, &q);
    loader_end(l, &q);
}

/* The runs of each event of a selection, in ascending order: event, run. */
static const char runs_of_epoch[] =
    "SELECT series.event, series.run FROM epoch JOIN run ON run.epoch = epoch.id JOIN series ON series.run = run.id "
    "WHERE epoch.name = ?1 ORDER BY series.run";
static const char runs_selected[] = "SELECT event, series.run FROM selected JOIN series ON series.run = selected.run "
                                    "WHERE ?1 IS NULL ORDER BY series.run";

/* Adds the numbers of their runs to the events. All events of a selection of one run have that run. */
static void load_runs(struct store_loader *l)
{
    const struct store_selection *selection = l->selection;
    if (selection->epoch == NULL && selection->ranges == 1 && selection->range[0].first == selection->range[0].last)
        return;
    struct statement q = loader_statement(l, selection->epoch != NULL ? runs_of_epoch : runs_selected);
    statement_bind_text(&q, 1, selection->epoch);
    while (loader_row(l, &q)) {
        const int64_t event = statement_int(&q, 0);
        for (size_t n = 0; n < l->events; n++)
            if (l->event[n].event == event)
                profile_add_run(l->profile, l->event[n].number, statement_int(&q, 1));
    }
    loader_end(l, &q);
}

/* Fills the table of the runs that are selected. */
static void select_runs(struct store_loader *l)
{
    static const char *const clear[] = {"CREATE TEMP TABLE IF NOT EXISTS selected (run INTEGER PRIMARY KEY)",
                                        "DELETE FROM selected"};
    for (size_t n = 0; n < sizeof clear / sizeof clear[0]; n++) {
        struct statement c = loader_statement(l, clear[n]);
        statement_run(&c);
        loader_end(l, &c);
    }
    struct statement q = loader_statement(
        l, "INSERT OR IGNORE INTO selected SELECT id FROM run WHERE id BETWEEN ?1 AND ?2");
    for (size_t n = 0; n < l->selection->ranges; n++) {
        statement_bind_int(&q, 1, l->selection->range[n].first);
        statement_bind_int(&q, 2, l->selection->range[n].last);
        statement_run(&q);
    }
    loader_end(l, &q);
}

/* ---- statements ---- */

struct statement loader_statement(struct store_loader *l, const char *sql)
{
    return l->code == SQLITE_OK ? statement_new(l->store, sql) : (struct statement){.code = l->code};
}

bool loader_row(const struct store_loader *l, struct statement *q) { return l->code == SQLITE_OK && statement_row(q); }

void loader_refuse(struct store_loader *l, const char *fmt, ...)
{
    if (l->code != SQLITE_OK)
        return;
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    (void)fail(l->err, ST_FORMAT, "%s", text);
    l->code = SQLITE_ABORT;
    free(text);
}

void loader_end(struct store_loader *l, struct statement *q)
{
    if (l->code == SQLITE_OK)
        l->code = q->code;
    statement_free(q);
}

/* Reads the values of a selection in one transaction, also of a store that is open for writing: all parts are of the
 * same moment. */
static enum status store_load_selection(struct store_loader *l, const struct store_selection *selection,
                                        struct errmsg *err)
{
    l->selection = selection;
    l->err = err;
    l->events = 0;
    l->code = sqlite3_exec(l->store->db, "SAVEPOINT load", NULL, NULL, NULL);
    if (selection->epoch == NULL)
        select_runs(l);
    load_events(l);
    load_runs(l);
    loader_load_values(l);
    sqlite3_exec(l->store->db, "RELEASE load", NULL, NULL, NULL);
    if (l->code == SQLITE_OK || l->code == SQLITE_ABORT)
        return l->code == SQLITE_OK ? ST_OK : ST_FORMAT;
    return store_error(l->store, l->code, "the store cannot be read", err);
}

static void store_load_release(struct store_loader *l)
{
    free(l->event);
    loader_free_numbers(l);
}

enum status store_load(const struct profile_store *s, const struct store_selection *selection, unsigned parts,
                       bool (*wanted)(const void *ctx, const struct profile_event *e), const void *ctx,
                       struct profile **profile, struct errmsg *err)
{
    struct store_loader l = {.store = s, .parts = parts, .wanted = wanted, .ctx = ctx, .profile = profile_new()};
    enum status st = store_load_selection(&l, selection, err);
    *profile = l.profile;
    if (st != ST_OK) {
        profile_free(l.profile);
        *profile = NULL;
    }
    store_load_release(&l);
    return st;
}

/* ---- runs one after the other ---- */

struct store_reader {
    struct store_loader loader;
};

struct store_reader *store_reader_new(const struct profile_store *s, unsigned parts,
                                      bool (*wanted)(const void *ctx, const struct profile_event *e), const void *ctx)
{
    struct store_reader *r = xcalloc(1, sizeof *r);
    r->loader = (struct store_loader){
        .store = s, .parts = parts, .wanted = wanted, .ctx = ctx, .profile = profile_new()};
    return r;
}

void store_reader_free(struct store_reader *r)
{
    if (r == NULL)
        return;
    profile_free(r->loader.profile);
    store_load_release(&r->loader);
    free(r);
}

enum status store_reader_load(struct store_reader *r, int64_t run, struct profile **profile, struct errmsg *err)
{
    struct store_range range = {run, run};
    const struct store_selection one = {.range = &range, .ranges = 1};
    *profile = r->loader.profile;
    profile_remove_events(r->loader.profile);
    return store_load_selection(&r->loader, &one, err);
}
