/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line that harts modify in turns most often, from the events of the profiler sharing,
 * "sharing.KIND.LINE.HART.DATA" (host/run/run_profile.h). */
#include <stdlib.h>
#include <string.h>

#include "tools/pcprof/why.h"

static const char why_sharing[] = "sharing.";

/* An event's name in parts. */
struct why_shared_name {
    bool is_false;
    uint64_t line;
    unsigned hart;
    const char *data;
};

/* Reads a number in front of a full stop, behind which *at is then; false: there is none. */
static bool why_read_number(const char **at, uint64_t *number)
{
    char *end;
    *number = strtoull(*at, &end, 0);
    if (end == *at || *end != '.')
        return false;
    *at = end + 1;
    return true;
}

static bool why_read_shared(const char *name, struct why_shared_name *n)
{
    uint64_t hart;
    if (strncmp(name, why_sharing, strlen(why_sharing)) != 0)
        return false;
    const char *at = name + strlen(why_sharing);
    n->is_false = strncmp(at, "false.", strlen("false.")) == 0;
    at += strcspn(at, ".");
    at += *at == '.';
    if (!why_read_number(&at, &n->line) || !why_read_number(&at, &hart))
        return false;
    n->hart = (unsigned)hart;
    n->data = at;
    return true;
}

static double why_shared_accesses(const struct why *w, uint32_t event, struct profile_place *most)
{
    size_t count;
    double all = 0, best = 0;
    const struct profile_sample *s = profile_samples(w->profile, event, &count);
    for (size_t n = 0; n < count; n++) {
        all += s[n].value;
        if (s[n].value <= best)
            continue;
        best = s[n].value;
        *most = (struct profile_place){s[n].image, s[n].address};
    }
    return all;
}

/* Adds an event of the line: the largest of its hart is kept. */
static void why_keep_datum(struct why_shared *shared, const struct why_datum *d)
{
    shared->accesses += d->accesses;
    for (unsigned n = 0; n < shared->data; n++) {
        if (shared->datum[n].hart != d->hart)
            continue;
        if (d->accesses > shared->datum[n].accesses)
            shared->datum[n] = *d;
        return;
    }
    if (shared->data == WHY_HARTS) {
        shared->others++;
        return;
    }
    unsigned at = shared->data++;
    for (; at > 0 && shared->datum[at - 1].hart > d->hart; at--)
        shared->datum[at] = shared->datum[at - 1];
    shared->datum[at] = *d;
}

static struct why_shared why_collect_shared(const struct why *w, uint64_t line)
{
    struct why_shared shared = {.line = line};
    for (uint32_t e = 0; e < profile_events(w->profile); e++) {
        struct why_shared_name n;
        struct why_datum d = {.event = profile_event(w->profile, e)->name};
        if (!why_read_shared(d.event, &n) || n.line != line)
            continue;
        d.name = n.data;
        d.hart = n.hart;
        d.accesses = why_shared_accesses(w, e, &d.at);
        shared.is_false = n.is_false;
        if (d.accesses > 0)
            why_keep_datum(&shared, &d);
    }
    return shared;
}

struct why_shared why_find_shared(const struct why *w)
{
    struct why_shared most = {.accesses = 0};
    for (uint32_t e = 0; e < profile_events(w->profile); e++) {
        struct why_shared_name n;
        if (!why_read_shared(profile_event(w->profile, e)->name, &n) || n.line == most.line)
            continue;
        const struct why_shared shared = why_collect_shared(w, n.line);
        if (shared.accesses > most.accesses)
            most = shared;
    }
    return most;
}
