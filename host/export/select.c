/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events that an export contains. */
#include "host/export/select.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
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

static bool export_select_is_asked(const struct export_options *o, const struct profile_event *e)
{
    bool is = o->events == 0;
    for (unsigned n = 0; n < o->events; n++)
        is |= profile_event_is_named(e, o->event[n]);
    return is;
}

/* The profile has all events that are asked for. */
static enum status export_select_check_names(const struct profile *p, const struct export_options *o,
                                             struct errmsg *err)
{
    for (unsigned n = 0; n < o->events; n++) {
        bool found = false;
        for (uint32_t e = 0; e < profile_events(p); e++)
            found |= profile_event_is_named(profile_event(p, e), o->event[n]);
        if (!found)
            return no_such_event(p, o->event[n], err);
    }
    return ST_OK;
}

enum status export_select(const struct profile *p, const struct export_options *o, unsigned kinds,
                          struct export_events *events, struct errmsg *err)
{
    *events = (struct export_events){.event = xcalloc(profile_events(p) + 1, sizeof *events->event)};
    for (uint32_t e = 0; e < profile_events(p); e++)
        if (export_select_is_asked(o, profile_event(p, e)) && (export_kinds(p, e) & kinds) != 0)
            events->event[events->count++] = e;
    enum status st = export_select_check_names(p, o, err);
    if (st == ST_OK && events->count == 0)
        st = missing(kinds, o->events == 1 ? o->event[0] : NULL, err);
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

uint64_t export_number(const struct profile *p, uint32_t event, double value)
{
    double number = round(value * profile_event(p, event)->scale);
    return !(number > 0) ? 0 : number >= 0x1p63 ? (uint64_t)INT64_MAX : (uint64_t)number;
}

enum status export_finish(FILE *out, struct errmsg *err)
{
    errno = 0;
    if (fflush(out) == 0 && ferror(out) == 0)
        return ST_OK;
    return fail(err, ST_IO, "cannot write the profile: %s", errno == 0 ? "write error" : strerror(errno));
}
