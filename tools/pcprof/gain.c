/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gains are read run by run, because a gain is a share of the cycles of its run. Not every run measures the gain that
 * another one measures. A profiler estimates those of all instructions, so what it has no estimate of gains nothing. */
#include "tools/pcprof/gain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "core-model/ideal.h"

bool pcprof_gain_is_event(const struct profile_event *e)
{
    return strncmp(e->name, PCPROF_GAIN_PREFIX, strlen(PCPROF_GAIN_PREFIX)) == 0;
}

bool pcprof_gain_is_measured(const struct pcprof_gain *g) { return !isnan(g->measured); }

double pcprof_gain_share(const struct pcprof_gain *g) { return isnan(g->measured) ? g->estimated : g->measured; }

void pcprof_gain_add_removed(FILE *out, uint32_t removed)
{
    fputs(removed == IDEAL_EVERY_CAUSE ? "all causes of delay" : "the ", out);
    if (removed == IDEAL_EVERY_CAUSE)
        return;
    for (unsigned n = 0; n < IDEAL_BITS; n++) {
        const uint32_t rest = removed >> n;
        if ((rest & 1) == 0)
            continue;
        fputs(ideal_words[n], out);
        fputs(rest == 1 ? "" : (rest >> 1 & ((rest >> 1) - 1)) == 0 ? " and " : ", ", out);
    }
}

/* ---- reading ---- */

/* The gain of a run. */
struct pcprof_gain_seen {
    uint32_t image;
    uint64_t address;
    uint32_t removed;
    const char *causes;
    bool is_measured;
    double share;
};

struct pcprof_gain_reading {
    const struct profile *profile; /* of the selection */
    const char *estimated_by;      /* NULL: no profiler estimates gains */
    size_t estimated_in;           /* runs with estimates by that profiler */
    struct pcprof_gain_seen *seen;
    size_t count;
};

static bool pcprof_gain_is_wanted(const void *ctx, const struct profile_event *e)
{
    (void)ctx;
    return pcprof_gain_is_event(e);
}

static bool pcprof_gain_by_repetition(const struct profile_event *e)
{
    return strcmp(e->by, PROFILE_GAIN_MEASURED) == 0;
}

/* Whether the profile has gains; finds whose estimates count. */
static bool pcprof_gain_find(struct pcprof_gain_reading *r)
{
    bool found = false;
    for (uint32_t n = 0; n < profile_events(r->profile); n++) {
        const struct profile_event *e = profile_event(r->profile, n);
        found |= pcprof_gain_is_event(e);
        if (r->estimated_by == NULL && pcprof_gain_is_event(e) && !pcprof_gain_by_repetition(e))
            r->estimated_by = e->by;
    }
    return found;
}

/* The text of the selection's event, which lives as long as its profile; NULL: it has no such event. */
static const char *pcprof_gain_find_causes(const struct profile *p, const char *name)
{
    for (uint32_t n = 0; n < profile_events(p); n++)
        if (strcmp(profile_event(p, n)->name, name) == 0)
            return profile_event(p, n)->name + strlen(PCPROF_GAIN_PREFIX);
    return NULL;
}

static bool pcprof_gain_is_estimate(const struct pcprof_gain_reading *r, const struct profile_event *e)
{
    return !pcprof_gain_by_repetition(e) && r->estimated_by != NULL && strcmp(e->by, r->estimated_by) == 0;
}

static void pcprof_gain_see_event(struct pcprof_gain_reading *r, const struct profile *run, uint32_t event,
                                  double cycles)
{
    size_t count;
    uint32_t image, removed;
    const struct profile_event *e = profile_event(run, event);
    const bool is_measured = pcprof_gain_by_repetition(e);
    const char *causes = pcprof_gain_find_causes(r->profile, e->name);
    const struct profile_sample *s = profile_samples(run, event, &count);
    if (causes == NULL || ideal_parse(causes, &removed, NULL) != ST_OK ||
        !(is_measured || pcprof_gain_is_estimate(r, e)))
        return;
    for (size_t n = 0; n < count; n++) {
        if (!pcprof_find_image(r->profile, profile_image(run, s[n].image), &image))
            continue;
        r->seen = xgrow(r->seen, r->count, sizeof *r->seen);
        r->seen[r->count++] = (struct pcprof_gain_seen){image,  s[n].address, removed,
                                                        causes, is_measured,  s[n].value * e->scale / cycles};
    }
}

static void pcprof_gain_see_run(struct pcprof_gain_reading *r, const struct profile *run, double cycles)
{
    bool is_estimated = false;
    for (uint32_t e = 0; e < profile_events(run); e++) {
        is_estimated |= pcprof_gain_is_estimate(r, profile_event(run, e));
        pcprof_gain_see_event(r, run, e, cycles);
    }
    r->estimated_in += is_estimated;
}

static enum status pcprof_gain_see_runs(struct pcprof_gain_reading *r, const struct pcprof_input *in,
                                        struct errmsg *err)
{
    struct store_reader *reader = store_reader_new(in->store, 0, pcprof_gain_is_wanted, NULL);
    enum status st = ST_OK;
    for (size_t n = 0; n < in->contents.runs && st == ST_OK; n++) {
        const struct store_run_info *info = &in->contents.run[n];
        struct profile *run;
        st = store_reader_load(reader, info->id, &run, err);
        if (st == ST_OK && info->cycles > 0)
            pcprof_gain_see_run(r, run, (double)info->cycles);
    }
    store_reader_free(reader);
    return st;
}

/* ---- means over the runs ---- */

ORDER(pcprof_gain_by_place, struct pcprof_gain_seen, RISING(image) RISING(address) ALPHABETIC(causes))

static int pcprof_gain_by_share(const void *left, const void *right)
{
    const struct pcprof_gain *a = left, *b = right;
    const double x = pcprof_gain_share(a), y = pcprof_gain_share(b);
    if (x != y)
        return x > y ? -1 : 1;
    return a->image != b->image       ? (a->image > b->image) - (a->image < b->image)
           : a->address != b->address ? (a->address > b->address) - (a->address < b->address)
                                      : (a->removed > b->removed) - (a->removed < b->removed);
}

/* The mean of the gains that were measured, or of those that were estimated: over `runs`, or 0: those that have one.
 * NAN: there is none. */
static double pcprof_gain_mean(const struct pcprof_gain_seen *seen, size_t count, bool is_measured, size_t runs)
{
    double sum = 0;
    size_t known = 0;
    for (size_t n = 0; n < count; n++) {
        sum += seen[n].is_measured == is_measured ? seen[n].share : 0;
        known += seen[n].is_measured == is_measured;
    }
    return known > 0 ? sum / (double)(runs > 0 ? runs : known) : (double)NAN;
}

static void pcprof_gain_join(struct pcprof_gains *g, const struct pcprof_gain_reading *r)
{
    struct pcprof_gain_seen *seen = r->seen;
    g->gain = xcalloc(r->count, sizeof *g->gain);
    qsort(seen, r->count, sizeof *seen, pcprof_gain_by_place);
    for (size_t n = 0, end; n < r->count; n = end) {
        for (end = n; end < r->count && pcprof_gain_by_place(&seen[n], &seen[end]) == 0;)
            end++;
        g->gain[g->count++] = (struct pcprof_gain){
            .image = seen[n].image,
            .address = seen[n].address,
            .removed = seen[n].removed,
            .causes = seen[n].causes,
            .measured = pcprof_gain_mean(seen + n, end - n, true, 0),
            .estimated = pcprof_gain_mean(seen + n, end - n, false, r->estimated_in)};
    }
    qsort(g->gain, g->count, sizeof *g->gain, pcprof_gain_by_share);
}

enum status pcprof_gains_load(struct pcprof_gains *g, const struct pcprof_input *in, const struct profile *p,
                              const char *by, struct errmsg *err)
{
    struct pcprof_gain_reading r = {.profile = p, .estimated_by = by};
    enum status st = ST_OK;
    *g = (struct pcprof_gains){.count = 0};
    if (pcprof_gain_find(&r))
        st = pcprof_gain_see_runs(&r, in, err);
    if (st == ST_OK && r.count > 0)
        pcprof_gain_join(g, &r);
    g->estimated_by = r.estimated_by;
    free(r.seen);
    return st;
}

void pcprof_gains_free(struct pcprof_gains *g) { free(g->gain); }
