/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events that an export contains. */
#include "host/export/select.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

unsigned export_kinds(const struct profile *p, uint32_t event)
{
    size_t samples, edges, stacks;
    profile_samples(p, event, &samples);
    profile_edges(p, event, &edges);
    profile_stacks(p, event, &stacks);
    return (samples > 0 ? EXPORT_SAMPLES : 0U) | (edges > 0 ? EXPORT_EDGES : 0U) | (stacks > 0 ? EXPORT_STACKS : 0U);
}

/* What the user lacks, by the most specific kind. */
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
    char *names = xstrdup("");
    for (uint32_t e = 0; e < profile_events(p); e++) {
        char *more = xasprintf("%s%s%s", names, e == 0 ? "" : ", ", profile_event(p, e)->name);
        free(names);
        names = more;
    }
    enum status st = fail(err, ST_INPUT, "the profile has no event '%s'; it has: %s", name,
                          profile_events(p) == 0 ? "none" : names);
    free(names);
    return st;
}

enum status export_select(const struct profile *p, const struct export_options *o, unsigned kinds,
                          struct export_events *events, struct errmsg *err)
{
    bool named = false;
    *events = (struct export_events){.event = xcalloc(profile_events(p) + 1, sizeof *events->event)};
    for (uint32_t e = 0; e < profile_events(p); e++) {
        if (o->event != NULL && strcmp(o->event, profile_event(p, e)->name) != 0)
            continue;
        named = true;
        if ((export_kinds(p, e) & kinds) != 0)
            events->event[events->count++] = e;
    }
    if (o->event != NULL && !named)
        return no_such_event(p, o->event, err);
    return events->count > 0 ? ST_OK : missing(kinds, o->event, err);
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
