/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events that an export contains. */
#include "host/export/select.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "contract/countprof.h"
#include "contract/event_alias.h"

unsigned export_kinds(const struct profile *p, uint32_t event)
{
    size_t samples, edges, stacks;
    profile_samples(p, event, &samples);
    profile_edges(p, event, &edges);
    profile_stacks(p, event, &stacks);
    return (samples > 0 ? EXPORT_SAMPLES : 0U) | (edges > 0 ? EXPORT_EDGES : 0U) | (stacks > 0 ? EXPORT_STACKS : 0U);
}

/* Error for the most specific kind of profile that is missing. */
static enum status missing(unsigned kinds, const char *event, struct errmsg *err)
{
    const char *of = event == NULL ? "" : " of event ", *name = event == NULL ? "" : event;
    if ((kinds & EXPORT_SAMPLES) != 0)
        return fail(err, ST_INPUT,
                    "the profile has no samples%s%s: collect some with pcemu --profile, as --profile tip,counts", of,
                    name);
    if ((kinds & EXPORT_STACKS) != 0)
        return fail(err, ST_INPUT, "the profile has no call stacks%s%s: collect some with pcemu --program callstack.pc",
                    of, name);
    return fail(err, ST_INPUT, "the profile has no control transfers%s%s: collect some with pcemu --profile paths", of,
                name);
}

static enum status no_such_event(const struct profile *p, const char *name, struct errmsg *err)
{
    const char **names = xcalloc(profile_events(p) + 1, sizeof *names);
    for (uint32_t e = 0; e < profile_events(p); e++)
        names[e] = profile_event(p, e)->name;
    enum status st = fail(err, ST_INPUT, "the profile has no event '%s'%s; pcprof list names the store's events", name,
                          diag_aside(event_meant(name, names, profile_events(p))).text);
    free(names);
    return st;
}

static bool export_select_is_named(const struct profile_event *e, const char *text)
{
    return strcmp(text, EXPORT_ALL_EVENTS) == 0 || profile_event_is_named(e, text);
}

/* The number of the first name that is one of the event; the number of names if none is. */
static unsigned export_select_position(const struct export_options *o, const struct profile_event *e)
{
    unsigned n = 0;
    while (n < o->events && !export_select_is_named(e, o->event[n]))
        n++;
    return n;
}

bool export_is_time(const struct profile_event *e) { return strcmp(e->name, count_name(COUNT_CYCLES)) == 0; }

/* An event, and its place among those of an export. */
struct export_choice {
    unsigned position; /* the name that it was selected by */
    unsigned kind;     /* 0: exact time; 1: time by a profiler of time; 2: other time; 3: no time */
    uint32_t event;
};

ORDER(export_select_compare, struct export_choice, RISING(position) RISING(kind) RISING(event))

static struct export_choice export_select_choice(const struct profile *p, const struct export_options *o,
                                                 uint32_t event)
{
    const struct profile_event *e = profile_event(p, event);
    struct export_choice c = {export_select_position(o, e), 3, event};
    if (export_is_time(e))
        c.kind = e->source == PROFILE_EXACT ? 0 : e->source == PROFILE_TIME ? 1 : 2;
    return c;
}

/* The profile has all events that are asked for. */
static enum status export_select_check_names(const struct profile *p, const struct export_options *o,
                                             struct errmsg *err)
{
    for (unsigned n = 0; n < o->events; n++) {
        bool found = false;
        for (uint32_t e = 0; e < profile_events(p); e++)
            found |= export_select_is_named(profile_event(p, e), o->event[n]);
        if (!found)
            return no_such_event(p, o->event[n], err);
    }
    return ST_OK;
}

enum status export_select(const struct profile *p, const struct export_options *o, unsigned kinds,
                          struct export_events *events, struct errmsg *err)
{
    struct export_choice *choice = xcalloc(profile_events(p) + 1, sizeof *choice);
    *events = (struct export_events){.event = xcalloc(profile_events(p) + 1, sizeof *events->event)};
    for (uint32_t e = 0; e < profile_events(p); e++) {
        const struct export_choice c = export_select_choice(p, o, e);
        if ((c.position < o->events || o->events == 0) && (export_kinds(p, e) & kinds) != 0)
            choice[events->count++] = c;
    }
    qsort(choice, events->count, sizeof *choice, export_select_compare);
    for (size_t n = 0; n < events->count; n++)
        events->event[n] = choice[n].event;
    free(choice);
    enum status st = export_select_check_names(p, o, err);
    if (st == ST_OK && events->count == 0)
        st = missing(kinds, o->events == 1 ? o->event[0] : NULL, err);
    return st;
}

enum status export_select_one(const struct profile *p, const struct export_options *o, unsigned kinds,
                              struct export_events *events, struct errmsg *err)
{
    enum status st = export_select(p, o, kinds, events, err);
    if (st == ST_OK && o->events == 0)
        events->count = 1;
    return st;
}

char *export_label(const struct profile *p, uint32_t event)
{
    const struct profile_event *e = profile_event(p, event);
    for (uint32_t n = 0; n < profile_events(p); n++)
        if (n != event && strcmp(profile_event(p, n)->name, e->name) == 0)
            return xasprintf("%s (%s)", e->name, e->by);
    return xstrdup(e->name);
}

static uint64_t export_whole(double number)
{
    number = round(number);
    return !(number > 0) ? 0 : number >= 0x1p63 ? (uint64_t)INT64_MAX : (uint64_t)number;
}

uint64_t export_number(const struct profile *p, uint32_t event, double value)
{
    return export_whole(value * profile_event(p, event)->scale);
}

uint64_t export_round(struct export_rounding *r, const struct profile *p, uint32_t event, double value)
{
    r->sum += value > 0 ? value * profile_event(p, event)->scale : 0;
    const uint64_t end = export_whole(r->sum), number = end > r->given ? end - r->given : 0;
    r->given += number;
    return number;
}

enum status export_finish(FILE *out, struct errmsg *err)
{
    errno = 0;
    if (fflush(out) == 0 && ferror(out) == 0)
        return ST_OK;
    return fail(err, ST_IO, "cannot write the profile: %s", errno == 0 ? "write error" : strerror(errno));
}
