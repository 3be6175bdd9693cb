/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of programs that study the instructions in turn: PC filter 1 passes one part of them at a time, those
 * whose hash has the filter's match in the bits of its mask. A visit of a part ends by the timer, which lets handlers
 * take `budget` of 1024 cycles (a parameter of the program), or at an interrupt of the program. Then the slots are
 * copied and the next part passes. Only a part of the instructions leaves samples, so that few are dropped, and the
 * program sees consecutive executions. The counts of a part are scaled by the eligible instructions of the run for each
 * one of its visits. */
#include <stdlib.h>

#include "host/driver/generic_driver.h"
#include "isa/pchash.h"

enum { MOST_PARTS = 256, CYCLES = 1024 };

struct rotating_driver {
    void *generic; /* accumulates the slots */
    const struct driver_env *env;
    uint64_t budget; /* cycles of handlers in 1024 cycles; 0: the part is not changed */
    unsigned parts, part;
    bool begun;        /* the timer has come for the first time: the run can begin late, after a warm-up */
    uint64_t began;    /* core cycle of the first timer */
    uint64_t spent;    /* cycles of handlers */
    uint64_t eligible; /* instructions when the visit began */
    uint64_t of_part[MOST_PARTS];
    uint64_t visits;
};

static bool rotating_serves(const struct image *im)
{
    return im->filter1_mask != 0 && im->gate == IMAGE_NO_INDEX && image_find_param(im, "budget") >= 0;
}

static enum status rotating_create(void **self, const struct driver_env *env, struct errmsg *err)
{
    const struct image *im = env->image;
    struct rotating_driver *d = xcalloc(1, sizeof *d);
    d->env = env;
    d->parts = im->filter1_mask + 1u;
    d->part = im->filter1_match;
    *self = d;
    enum status st = generic_driver_ops.create(&d->generic, env, err);
    if (st == ST_OK)
        st = driver_find_param(im, "budget", 0, CYCLES, &d->budget, err);
    if (st == ST_OK && (d->parts > MOST_PARTS || (d->parts & im->filter1_mask) != 0))
        st = fail(err, ST_FORMAT, "program %s: its filter has the mask 0x%x, expected a power of two less 1, up to %d",
                  im->name, im->filter1_mask, MOST_PARTS - 1);
    return st;
}

static void rotating_destroy(void *self)
{
    struct rotating_driver *d = self;
    if (d->generic != NULL)
        generic_driver_ops.destroy(d->generic);
    free(d);
}

static bool rotating_is_on(const struct rotating_driver *d) { return d->parts > 1 && d->budget != 0; }

/* The visit ends: accounts for its instructions. */
static void rotating_end_visit(struct rotating_driver *d)
{
    const uint64_t eligible = bus_get(d->env->bus, BUS_ELIGIBLE);
    d->of_part[d->part] += eligible - d->eligible;
    d->eligible = eligible;
    d->visits++;
}

static void rotating_begin_visit(struct rotating_driver *d)
{
    const struct image *im = d->env->image;
    d->part = (d->part + 1) % d->parts;
    bus_put(d->env->bus, BUS_FILTER1, im->filter1_mask | (uint64_t)d->part << 16 | (uint64_t)im->filter1_hash << 32);
}

/* Ends a visit, copies the slots, and restarts the program with the next part. */
static void rotating_serve(struct rotating_driver *d, uint64_t cycle, bool timer)
{
    const uint64_t charged = d->env->clock->charged;
    if (timer)
        bus_put(d->env->bus, BUS_COMMAND, BUS_HALT | BUS_DROP_SAMPLES);
    if (rotating_is_on(d)) {
        rotating_end_visit(d);
        rotating_begin_visit(d);
    }
    generic_driver_ops.interrupt(d->generic, 0, cycle);
    d->spent += driver_spent(d->env, charged);
}

static void rotating_interrupt(void *self, unsigned word, uint64_t cycle)
{
    (void)word;
    rotating_serve(self, cycle, false);
}

/* Cycles of a handler that finds all slots in use. */
static uint64_t cost_of_all_slots(const struct rotating_driver *d)
{
    const struct host_cost *c = d->env->cost;
    uint64_t slots = 0;
    for (unsigned i = 0; i < d->env->image->layouts; i++)
        slots += d->env->image->layout[i].count;
    return c->entry + c->exit + slots * (c->bus_read + c->bus_read / 2 + c->row + c->update);
}

/* The visit lasts until the handlers, this visit's with the mean cost, have taken no more than the budget. */
static uint64_t rotating_due(const void *self)
{
    const struct rotating_driver *d = self;
    if (!rotating_is_on(d))
        return UINT64_MAX;
    if (!d->begun)
        return 0;
    const uint64_t mean = d->visits != 0 ? d->spent / d->visits : cost_of_all_slots(d);
    return d->began + (d->spent + mean) * CYCLES / d->budget;
}

static void rotating_timer(void *self, uint64_t cycle)
{
    struct rotating_driver *d = self;
    if (!d->begun) {
        d->begun = true;
        d->began = cycle;
        return;
    }
    rotating_serve(d, cycle, true);
}

/* Instructions of the run for each one of the visits of the part with this key. */
static double rotating_scale(const struct rotating_driver *d, uint64_t key)
{
    const struct image *im = d->env->image;
    uint64_t all = 0, part = d->of_part[pchash_filter1(im->filter1_hash, (uint32_t)key) & im->filter1_mask];
    for (unsigned i = 0; i < d->parts; i++)
        all += d->of_part[i];
    return part != 0 ? (double)all / (double)part : 1;
}

static void rotating_finish(void *self, uint64_t cycle)
{
    struct rotating_driver *d = self;
    generic_driver_ops.finish(d->generic, cycle);
    if (!rotating_is_on(d))
        return;
    rotating_end_visit(d);
    for (unsigned i = 0; i < d->env->image->layouts; i++)
        for (struct generic_row *r = generic_driver_rows(d->generic, i)->rows; r != NULL; r = r->hh.next)
            for (unsigned m = 0; m < IMAGE_MEMBERS; m++)
                r->scaled[m] *= rotating_scale(d, r->identity.key);
}

static void rotating_add(void *self, const void *other)
{
    struct rotating_driver *d = self;
    const struct rotating_driver *o = other;
    generic_driver_ops.add(d->generic, o->generic);
    for (unsigned i = 0; i < d->parts; i++)
        d->of_part[i] += o->of_part[i];
    d->visits += o->visits;
}

static unsigned rotating_parts_visited(const struct rotating_driver *d)
{
    unsigned visited = 0;
    for (unsigned i = 0; i < d->parts; i++)
        visited += d->of_part[i] != 0;
    return visited;
}

/* A processed sample stands for as many events as there are parts: the mean of rotating_scale over the visits. */
static void rotating_profile(void *self, struct program_profile *p)
{
    struct rotating_driver *d = self;
    generic_driver_ops.profile(d->generic, p);
    for (unsigned i = 0; rotating_is_on(d) && i < p->tables; i++) {
        p->table[i].is_scaled = p->table[i].scale.selects = true;
        p->table[i].scale.thinned *= rotating_parts_visited(d);
    }
}

static void rotating_report(void *self, const struct program_profile *p, struct report *r)
{
    struct rotating_driver *d = self;
    if (rotating_is_on(d)) {
        report_count(r, "parts", "parts of the instructions", d->parts, NULL);
        report_count(r, "parts_visited", "  visited", rotating_parts_visited(d), NULL);
        report_tally(r, "part_visits", "  visits", d->visits, "visits");
    }
    generic_driver_ops.report(d->generic, p, r);
}

const struct driver_ops rotating_driver_ops = {
    .program = NULL,
    .serves = rotating_serves,
    .create = rotating_create,
    .destroy = rotating_destroy,
    .interrupt = rotating_interrupt,
    .due = rotating_due,
    .timer = rotating_timer,
    .finish = rotating_finish,
    .add = rotating_add,
    .profile = rotating_profile,
    .report = rotating_report,
};
