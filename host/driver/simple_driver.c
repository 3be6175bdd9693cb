/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of programs/simple.pasm, the simple sampler of the co-processor paper (section 5): each slot is one
 * sample, and one update of the profile. The profile, its score and its report are those of value_driver.c and
 * value_paper_driver.c; a sample is a hit of its value. */
#include <stdlib.h>

#include "host/driver/driver_ops.h"
#include "host/driver/slots.h"
#include "host/driver/value/value_loads.h"
#include "host/driver/value/value_places.h"
#include "host/driver/value/value_report.h"
#include "host/driver/value/value_timeline.h"

struct simple_driver {
    const struct driver_env *env;
    const struct image_layout *layout;
    unsigned value, total;   /* lanes */
    struct slot_copy *slots; /* room for all slots */
    struct value_profile profile;
    struct value_run run;
    struct value_timeline timeline;
};

static enum status simple_create(void **self, const struct driver_env *env, struct errmsg *err)
{
    struct simple_driver d = {.env = env};
    enum status st = value_find_slots(env->image, &d.layout, err);
    if (st == ST_OK)
        st = value_find_lane(env->image, d.layout, "value", 32, &d.value, err);
    if (st == ST_OK)
        st = value_find_lane(env->image, d.layout, "total", 1, &d.total, err);
    if (st != ST_OK)
        return st;
    d.slots = xcalloc(d.layout->count, sizeof *d.slots);
    value_profile_init(&d.profile);
    d.profile.plain = true;
    struct simple_driver *kept = xcalloc(1, sizeof *kept);
    *kept = d;
    *self = kept;
    return ST_OK;
}

static void simple_destroy(void *self)
{
    struct simple_driver *d = self;
    value_profile_fini(&d->profile);
    value_timeline_fini(&d->timeline);
    free(d->slots);
    free(d);
}

static void copy_samples(struct simple_driver *d)
{
    unsigned n = slots_read(d->env->bus, d->env->image, d->layout, SLOT_USED_BY_ROW, d->slots),
             known = value_profile_count(&d->profile);
    for (unsigned i = 0; i < n; i++) {
        uint64_t samples = isa_lane_of(d->slots[i].row, d->total);
        value_profile_add(&d->profile, d->slots[i].key, (uint32_t)isa_lane_of(d->slots[i].row, d->value), samples, 0,
                          samples);
    }
    value_profile_end_visit(&d->profile, 0);
    d->run.records += n;
    host_clock_merge(d->env->clock, d->layout->count, n, value_profile_count(&d->profile) - known);
}

/* The index registers keep their values: the one of the slots has wrapped to 0. */
static void simple_interrupt(void *self, unsigned word, uint64_t cycle)
{
    struct simple_driver *d = self;
    (void)word;
    d->run.full++;
    copy_samples(d);
    bus_put(d->env->bus, BUS_COMMAND, BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_RESTART);
    value_timeline_add(&d->timeline, &d->profile, &d->env->clock->account, cycle, false);
}

static void simple_finish(void *self, uint64_t cycle)
{
    struct simple_driver *d = self;
    copy_samples(d);
    value_timeline_add(&d->timeline, &d->profile, &d->env->clock->account, cycle, true);
}

static void simple_profile(void *self, struct program_profile *p)
{
    value_loads_fill(p, &((const struct simple_driver *)self)->profile);
}

static void simple_report(void *self, const struct program_profile *p, struct report *r)
{
    struct simple_driver *d = self;
    value_report(r, p, d->env, &d->profile, &d->run, NULL, &d->timeline);
}

const struct driver_ops simple_driver_ops = {
    .program = "simple",
    .of_shares = true,
    .create = simple_create,
    .destroy = simple_destroy,
    .interrupt = simple_interrupt,
    .finish = simple_finish,
    .profile = simple_profile,
    .report = simple_report,
};
