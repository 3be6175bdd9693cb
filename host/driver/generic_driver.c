/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of all programs that declare slot layouts. At each interrupt, whatever its reason, it copies the slots
 * in use, merges them by identity, and restarts the program with empty arrays and the initial index registers,
 * because a counter left at its threshold would interrupt again at once. Value registers are kept, because they hold
 * the program's state between samples. A new profiling program needs no C code. */
#include <stdlib.h>

#include "host/driver/generic_driver.h"
#include "host/driver/generic_profile.h"
#include "host/driver/generic_report.h"
#include "host/driver/pace.h"

struct generic_driver {
    const struct driver_env *env;
    struct generic_rows rows[IMAGE_LAYOUTS];
    struct slot_copy *slots;     /* room for the largest layout */
    uint64_t records;            /* slots copied */
    bool counts_dropped;         /* by the program */
    bool stopped;                /* the program was stopped for good */
    uint64_t processed, dropped; /* numbers of samples when the slots were last read */
    struct pace pace;
};

/* Whether a word reads the field with the weight: the program then counts dropped samples itself, with the next
 * admitted one. A record that .record fixes can have the field without such a word. */
static bool counts_dropped(const struct image *im)
{
    for (unsigned w = 0; w < im->words; w++) {
        struct uop u;
        isa_decode(im->word[w], &u);
        if (u.b >= BSRC_FIELD && im->field[u.b - BSRC_FIELD] == FIELD_WEIGHT)
            return true;
    }
    return false;
}

static enum status generic_create(void **self, const struct driver_env *env, struct errmsg *err)
{
    const struct image *im = env->image;
    struct generic_driver *d = xcalloc(1, sizeof *d);
    unsigned most = 0;
    d->env = env;
    d->counts_dropped = counts_dropped(im);
    for (unsigned i = 0; i < im->layouts; i++) {
        generic_rows_init(&d->rows[i], im, &im->layout[i]);
        most = im->layout[i].count > most ? im->layout[i].count : most;
    }
    d->slots = xcalloc(most, sizeof *d->slots);
    *self = d;
    return pace_init(&d->pace, im, err);
}

static void generic_destroy(void *self)
{
    struct generic_driver *d = self;
    for (unsigned i = 0; i < d->env->image->layouts; i++)
        generic_rows_fini(&d->rows[i]);
    free(d->slots);
    free(d);
}

/* Number of samples that one processed sample represents since the slots were last read: itself and the dropped ones.
 * Of a stopped program it is not known which came before. */
static double generic_driver_stands_for(struct generic_driver *d)
{
    if (d->counts_dropped || d->env->image->layouts == 0 || d->stopped)
        return 1;
    uint64_t processed = bus_get(d->env->bus, BUS_PROCESSED), dropped = bus_get(d->env->bus, BUS_DROPPED);
    if (processed == d->processed)
        return 1;
    double ratio = 1 + (double)(dropped - d->dropped) / (double)(processed - d->processed);
    d->processed = processed;
    d->dropped = dropped;
    return ratio;
}

static void generic_driver_copy_slots(struct generic_driver *d)
{
    const struct image *im = d->env->image;
    double each = generic_driver_stands_for(d);
    for (unsigned i = 0; i < im->layouts; i++) {
        unsigned n = slots_read(d->env->bus, im, &im->layout[i], SLOT_USED_BY_ROW_OR_VALID, d->slots);
        unsigned known = generic_rows_count(&d->rows[i]);
        for (unsigned s = 0; s < n; s++)
            generic_rows_add(&d->rows[i], &d->slots[s], each);
        d->records += n;
        host_clock_merge(d->env->clock, im->layout[i].count, n, generic_rows_count(&d->rows[i]) - known);
    }
}

static void generic_interrupt(void *self, unsigned word, uint64_t cycle)
{
    struct generic_driver *d = self;
    const uint64_t charged = d->env->clock->charged;
    (void)word;
    generic_driver_copy_slots(d);
    pace_set(&d->pace, d->env, cycle, driver_spent(d->env, charged));
    for (unsigned w = 0; w < ISA_INDEXES / 4; w++)
        bus_put(d->env->bus, BUS_INDEXES + 8 * w, 0);
    bus_put(d->env->bus, BUS_COMMAND, BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_RESTART);
}

static void generic_finish(void *self, uint64_t cycle)
{
    struct generic_driver *d = self;
    (void)cycle;
    d->stopped = driver_program_stopped(d->env);
    generic_driver_copy_slots(d);
}

static void generic_add(void *self, const void *other)
{
    struct generic_driver *d = self;
    const struct generic_driver *o = other;
    for (unsigned i = 0; i < d->env->image->layouts; i++)
        generic_rows_merge(&d->rows[i], &o->rows[i]);
    d->records += o->records;
}

/* Selections for each one that found free registers. The filters see these alone, so the lost ones are taken to pass in
 * the same proportion. */
static double selections_for_each(const struct sampler_selections *s)
{
    return s != NULL && s->lost < s->selected ? (double)s->selected / (double)(s->selected - s->lost) : 1;
}

struct program_scale generic_driver_scale(const void *self)
{
    const struct generic_driver *d = self;
    const struct bus *statistics = d->env->statistics;
    const struct sampler_setup sampler = image_sampler(d->env->image);
    double period = (double)sampler_period(&sampler) * selections_for_each(d->env->selections);
    uint64_t delivered = bus_get(statistics, BUS_DELIVERED), dropped = bus_get(statistics, BUS_DROPPED);
    const bool scales = delivered != dropped && !d->stopped;
    double thinned = scales ? period * (double)delivered / (double)(delivered - dropped) : period;
    return (struct program_scale){.period = period,
                                  .thinned = thinned,
                                  .counts_dropped = d->counts_dropped && dropped != 0,
                                  .selects = d->env->image->gate != IMAGE_NO_INDEX,
                                  .selects_singly = d->env->image->gate != IMAGE_NO_INDEX &&
                                                    image_window(d->env->image) == 0};
}

struct generic_rows *generic_driver_rows(void *self, unsigned layout)
{
    return &((struct generic_driver *)self)->rows[layout];
}

static void generic_driver_profile(void *self, struct program_profile *p)
{
    struct generic_driver *d = self;
    const struct image *im = d->env->image;
    for (; p->tables < im->layouts; p->tables++)
        generic_profile_fill(&p->table[p->tables], &d->rows[p->tables], driver_exact(d->env, &im->layout[p->tables]),
                             generic_driver_scale(d));
}

/* The reason why no count is compared with an exact one; NULL: some are. */
static const char *why_not_exact(const struct generic_driver *d)
{
    const struct image *im = d->env->image;
    bool named = false;
    for (unsigned i = 0; i < im->layouts; i++) {
        if (driver_exact(d->env, &im->layout[i]) != NULL)
            return NULL;
        named = named || im->layout[i].exact != EXACT_NONE;
    }
    return named ? "not known: --no-truth, no core, or a reload with other filters"
                 : "not known: no .slot names an exact reference";
}

static void generic_driver_report(void *self, const struct program_profile *p, struct report *r)
{
    struct generic_driver *d = self;
    if (why_not_exact(d) != NULL)
        report_text(r, NULL, "exact counts", why_not_exact(d));
    generic_report(r, p);
    struct report *details = report_details(r);
    report_note(details, "The driver:");
    report_tally(details, "records", "slots copied", d->records, "slots");
}

const struct driver_ops generic_driver_ops = {
    .program = NULL,
    .create = generic_create,
    .destroy = generic_destroy,
    .interrupt = generic_interrupt,
    .finish = generic_finish,
    .add = generic_add,
    .profile = generic_driver_profile,
    .report = generic_driver_report,
};
