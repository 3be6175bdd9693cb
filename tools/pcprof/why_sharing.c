/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line that harts modify in turns most often, from the events of the profiler sharing,
 * "sharing.KIND.LINE.HART.DATA" (host/run/run_profile.h). They are read run by run, because lines of two programs can
 * have the same address. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
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

/* An event of a run. */
struct why_seen {
    const char *guest, *event; /* of the run; borrowed from the selection's profile */
    struct why_shared_name name;
    double accesses, most;   /* most: of the instruction `at` */
    struct profile_place at; /* of the selection's profile */
};

struct why_sharing_reading {
    const struct profile *profile; /* of the selection */
    struct why_seen *seen;
    size_t count;
};

static bool why_is_sharing(const void *ctx, const struct profile_event *e)
{
    (void)ctx;
    return strncmp(e->name, why_sharing, strlen(why_sharing)) == 0;
}

/* The text of the selection's event, which lives as long as its profile; NULL: it has no such event. */
static const char *why_find_event_name(const struct profile *p, const char *name)
{
    for (uint32_t n = 0; n < profile_events(p); n++)
        if (strcmp(profile_event(p, n)->name, name) == 0)
            return profile_event(p, n)->name;
    return NULL;
}

static void why_see_event(struct why_sharing_reading *r, const char *guest, const struct profile *run, uint32_t event)
{
    size_t count;
    struct why_seen seen = {.guest = guest, .event = why_find_event_name(r->profile, profile_event(run, event)->name)};
    const struct profile_sample *s = profile_samples(run, event, &count);
    if (seen.event == NULL || !why_read_shared(seen.event, &seen.name))
        return;
    for (size_t n = 0; n < count; n++) {
        uint32_t image;
        seen.accesses += s[n].value;
        if (s[n].value <= seen.most || !pcprof_find_image(r->profile, profile_image(run, s[n].image), &image))
            continue;
        seen.most = s[n].value;
        seen.at = (struct profile_place){image, s[n].address};
    }
    if (!(seen.most > 0))
        return;
    r->seen = xgrow(r->seen, r->count, sizeof *r->seen);
    r->seen[r->count++] = seen;
}

static enum status why_see_runs(struct why_sharing_reading *r, const struct pcprof_input *in, struct errmsg *err)
{
    struct store_reader *reader = store_reader_new(in->store, 0, why_is_sharing, NULL);
    enum status st = ST_OK;
    for (size_t n = 0; n < in->contents.runs && st == ST_OK; n++) {
        struct profile *run;
        st = store_reader_load(reader, in->contents.run[n].id, &run, err);
        for (uint32_t e = 0; st == ST_OK && e < profile_events(run); e++)
            why_see_event(r, in->contents.run[n].guest, run, e);
    }
    store_reader_free(reader);
    return st;
}

ORDER(why_by_line, struct why_seen, ALPHABETIC(guest) RISING(name.line))
ORDER(why_by_datum, struct why_seen,
      ALPHABETIC(guest) RISING(name.line) RISING(name.hart) ALPHABETIC(name.data) FALLING(most))
ORDER(why_by_accesses, struct why_datum, FALLING(of_hart) RISING(hart))
ORDER(why_by_hart, struct why_datum, RISING(hart))

/* Sums the events of the first one's hart, of those up to `end`. Returns their number. */
static size_t why_sum_hart(const struct why_seen *seen, size_t end, struct why_datum *hart)
{
    size_t n = 0;
    *hart = (struct why_datum){.hart = seen->name.hart};
    while (n < end && seen[n].name.hart == hart->hart) {
        const struct why_seen *first = &seen[n];
        double accesses = 0;
        for (; n < end && seen[n].name.hart == hart->hart && strcmp(seen[n].name.data, first->name.data) == 0; n++)
            accesses += seen[n].accesses;
        hart->of_hart += accesses;
        if (accesses <= hart->accesses)
            continue;
        hart->accesses = accesses;
        hart->name = first->name.data;
        hart->event = first->event;
        hart->at = first->at;
    }
    return n;
}

/* The line of the events, which are all of it. */
static struct why_shared why_sum_line(const struct why_seen *seen, size_t count)
{
    struct why_shared shared = {.line = seen->name.line, .is_false = true};
    struct why_datum *hart = xcalloc(count, sizeof *hart);
    size_t harts = 0;
    for (size_t n = 0; n < count; n += why_sum_hart(&seen[n], count - n, &hart[harts++]))
        ;
    for (size_t n = 0; n < count; n++) {
        shared.accesses += seen[n].accesses;
        shared.is_false &= seen[n].name.is_false;
    }
    qsort(hart, harts, sizeof *hart, why_by_accesses);
    shared.data = harts < WHY_HARTS ? (unsigned)harts : WHY_HARTS;
    shared.has_others = harts > WHY_HARTS;
    memcpy(shared.datum, hart, shared.data * sizeof *hart);
    qsort(shared.datum, shared.data, sizeof *shared.datum, why_by_hart);
    free(hart);
    return shared;
}

enum status why_find_shared(struct why *w, struct errmsg *err)
{
    struct why_sharing_reading r = {.profile = w->profile};
    const enum status st = why_see_runs(&r, &w->input, err);
    if (r.count > 0)
        qsort(r.seen, r.count, sizeof *r.seen, why_by_datum);
    for (size_t n = 0, end; n < r.count; n = end) {
        for (end = n; end < r.count && why_by_line(&r.seen[n], &r.seen[end]) == 0;)
            end++;
        const struct why_shared shared = why_sum_line(&r.seen[n], end - n);
        if (shared.accesses > w->shared.accesses)
            w->shared = shared;
    }
    free(r.seen);
    return st;
}
