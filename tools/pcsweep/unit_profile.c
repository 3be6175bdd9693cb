/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/unit_profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/study/json_member.h"

/* ---- rows ---- */

static bool unit_event_is_same(const struct profile_event *a, const struct profile_event *b)
{
    return a->source == b->source && strcmp(a->name, b->name) == 0 && strcmp(a->by, b->by) == 0;
}

/* The number of an event, which is added at its first use. */
static uint32_t unit_event_number(struct unit_profile *u, const struct profile_event *e)
{
    for (size_t n = 0; n < u->events; n++)
        if (unit_event_is_same(&u->event[n].event, e))
            return (uint32_t)n;
    u->event = xgrow(u->event, u->events, sizeof *u->event);
    struct unit_event *added = &u->event[u->events];
    *added = (struct unit_event){.event = *e, .shares = region_shares_new(u->plan)};
    added->event.name = xstrdup(e->name);
    added->event.by = xstrdup(e->by);
    added->event.unit = xstrdup(e->unit);
    return (uint32_t)u->events++;
}

/* The row of a place, which is added at its first use. */
static size_t unit_event_row(struct unit_profile *u, uint32_t event, const struct profile_sample *at)
{
    struct unit_place key, *place;
    memset(&key, 0, sizeof key);
    key.event = event;
    key.image = at->image;
    key.address = at->address;
    const unsigned bytes = offsetof(struct unit_place, row);
    HASH_FIND(hh, u->places, &key, bytes, place);
    if (place != NULL)
        return place->row;
    struct unit_event *e = &u->event[event];
    place = xcalloc(1, sizeof *place);
    *place = key;
    place->row = e->shares.rows;
    HASH_ADD(hh, u->places, event, bytes, place);
    e->place = xgrow(e->place, place->row, sizeof *e->place);
    e->place[place->row] = place;
    return place->row;
}

static bool is_of_cycles(const struct profile_event *e)
{
    return strcmp(e->name, "cycles") == 0 || strncmp(e->name, "gain.", strlen("gain.")) == 0;
}

/* Adds an event of a unit. A sample's variance is that of a count, which has Poisson's distribution. */
static void unit_event_add(struct unit_profile *u, uint32_t unit, uint32_t number)
{
    size_t count;
    const struct profile_event *e = profile_event(u->profile, number);
    const struct profile_sample *sample = profile_samples(u->profile, number, &count);
    const uint32_t event = unit_event_number(u, e);
    const bool is_sampled = e->source != PROFILE_EXACT && e->source != PROFILE_PROGRAM;
    double all = e->unplaced * e->scale;
    for (size_t n = 0; n < count; n++) {
        const double value = sample[n].value * e->scale;
        region_shares_add(&u->event[event].shares, unit_event_row(u, event, &sample[n]),
                          (struct region_shares_value){unit, value, is_sampled ? e->scale * value : 0});
        all += value;
    }
    u->event[event].shares.whole[unit] = all;
    u->event[event].event.scale = e->scale;
    u->event[event].event.period = e->period;
}

/* ---- units ---- */

/* Parses what a run has of a kind, and adds it. */
static enum status unit_profile_add_json(struct unit_profile *u, uint32_t unit, int64_t run, bool is_report,
                                         struct errmsg *err)
{
    char *text = NULL, *at = xasprintf("%s:%" PRId64, store_path(u->store), run);
    size_t size_bytes;
    json_t *object = NULL;
    enum status st = is_report ? store_report(u->store, run, &text, &size_bytes, err)
                               : store_statistics(u->store, run, &text, &size_bytes, err);
    if (st == ST_OK)
        st = json_member_parse(at, text, size_bytes, &object, err);
    if (st == ST_OK)
        st = is_report ? unit_profile_add_report(u, unit, at, object, err)
                       : unit_profile_add_statistics(u, unit, at, object, err);
    json_decref(object);
    free(text);
    free(at);
    return st;
}

static enum status unit_profile_add_run(struct unit_profile *u, uint32_t unit, int64_t run, struct errmsg *err)
{
    struct profile *p = NULL;
    enum status st = unit_profile_add_json(u, unit, run, false, err);
    if (st == ST_OK)
        st = unit_profile_add_json(u, unit, run, true, err);
    if (st == ST_OK)
        st = store_reader_load(u->reader, run, &p, err);
    u->profile = p;
    for (uint32_t n = 0; st == ST_OK && n < profile_events(p); n++)
        unit_event_add(u, unit, n);
    return st;
}

/* Time and gains are shares of the cycles, of all units; other events of their own total. */
static void unit_profile_set_wholes(struct unit_profile *u)
{
    for (size_t n = 0; n < u->events; n++)
        if (is_of_cycles(&u->event[n].event))
            memcpy(u->event[n].shares.whole, u->stack.shares.whole, u->stack.shares.units * sizeof(double));
}

static enum status unit_profile_add_units(struct unit_profile *u, const struct unit_store *units, struct errmsg *err)
{
    enum status st = ST_OK;
    uint32_t unit = 0;
    for (size_t k = 0; k < u->plan->strata; k++)
        for (size_t i = 0; st == ST_OK && i < u->plan->stratum[k].chosen; i++, unit++) {
            const uint64_t first = u->plan->stratum[k].candidate[i].first;
            const int64_t run = unit_store_run(units, first);
            st = run != 0
                     ? unit_profile_add_run(u, unit, run, err)
                     : fail(err, ST_INPUT, "%s: expected a profile of the unit at instruction %" PRIu64 ", found none",
                            store_path(u->store), first);
        }
    return st;
}

enum status unit_profile_load(struct unit_profile *u, const char *path, const struct region_plan *p, struct errmsg *err)
{
    struct unit_store units;
    *u = (struct unit_profile){.plan = p};
    u->stack.shares = region_shares_new(p);
    u->gains.shares = region_shares_new(p);
    enum status st = unit_store_list(&units, path, err);
    if (st == ST_OK)
        st = store_open(&u->store, path, STORE_READ, STORE_WAIT_MS, err);
    if (st == ST_OK) {
        u->reader = store_reader_new(u->store, STORE_SYMBOLS | STORE_LINES | STORE_CODE | STORE_SCOPES, NULL, NULL);
        st = unit_profile_add_units(u, &units, err);
        unit_profile_set_wholes(u);
    }
    unit_store_release(&units);
    return st;
}

static void unit_named_release(struct unit_named *n)
{
    for (size_t row = 0; row < n->shares.rows; row++)
        free(n->name[row]);
    free(n->name);
    region_shares_release(&n->shares);
}

static void unit_event_release(struct unit_event *e)
{
    free((char *)e->event.name);
    free((char *)e->event.by);
    free((char *)e->event.unit);
    free(e->place);
    region_shares_release(&e->shares);
}

void unit_profile_release(struct unit_profile *u)
{
    struct unit_place *place, *next;
    HASH_ITER (hh, u->places, place, next) {
        HASH_DEL(u->places, place);
        free(place);
    }
    for (size_t n = 0; n < u->events; n++)
        unit_event_release(&u->event[n]);
    free(u->event);
    unit_named_release(&u->stack);
    unit_named_release(&u->gains);
    store_reader_free(u->reader);
    store_close(u->store);
    *u = (struct unit_profile){0};
}
