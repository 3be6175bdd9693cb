/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of programs/paired.pasm: accumulates slots as the generic driver does, and reports useful concurrency
 * and wasted issue slots per instruction (ProfileMe paper, section 5.2.3). */
#include <stdlib.h>

#include "host/driver/generic_driver.h"
#include "host/driver/paired_profile.h"
#include "host/driver/paired_report.h"

struct paired_driver {
    const struct driver_env *env;
    void *generic; /* the generic driver */
    unsigned layout;
    struct paired_members members;
};

/* Finds the member for a count of the reference. */
static bool paired_driver_find_member(const struct image_layout *l, unsigned count, unsigned *member)
{
    for (*member = 0; *member < l->members; ++*member)
        if (l->member[*member].exact == count && l->member[*member].format == FORMAT_COUNT)
            return true;
    return false;
}

static bool paired_driver_find_layout(struct paired_driver *d, const struct image *im)
{
    for (d->layout = 0; d->layout < im->layouts; d->layout++) {
        const struct image_layout *l = &im->layout[d->layout];
        if (l->exact == EXACT_CONCURRENCY && l->key == FORMAT_PC &&
            paired_driver_find_member(l, EXACT_CONCURRENCY_FETCHED, &d->members.samples) &&
            paired_driver_find_member(l, EXACT_CONCURRENCY_USEFUL, &d->members.useful) &&
            paired_driver_find_member(l, EXACT_CONCURRENCY_PROGRESS, &d->members.latency))
            return true;
    }
    return false;
}

static enum status paired_create(void **self, const struct driver_env *env, struct errmsg *err)
{
    struct sampler_setup sampler = image_sampler(env->image);
    struct paired_driver d = {.env = env};
    if (!paired_driver_find_layout(&d, env->image))
        return fail(err, ST_INPUT,
                    "program %s: expected '.slot ... exact concurrency' with its counts fetched, useful and progress",
                    env->image->name);
    if (sampler.sampler != SAMPLER_PROFILEME || !sampler_profileme(&sampler).pair)
        return fail(err, ST_INPUT, "program %s: expected '.sampler profileme, pair'", env->image->name);
    enum status st = generic_driver_ops.create(&d.generic, env, err);
    if (st != ST_OK)
        return st;
    struct paired_driver *kept = xcalloc(1, sizeof *kept);
    *kept = d;
    *self = kept;
    return ST_OK;
}

static void paired_destroy(void *self)
{
    struct paired_driver *d = self;
    generic_driver_ops.destroy(d->generic);
    free(d);
}

static void paired_interrupt(void *self, unsigned word, uint64_t cycle)
{
    generic_driver_ops.interrupt(((struct paired_driver *)self)->generic, word, cycle);
}

static void paired_finish(void *self, uint64_t cycle)
{
    generic_driver_ops.finish(((struct paired_driver *)self)->generic, cycle);
}

static void paired_driver_profile(void *self, struct program_profile *p)
{
    struct paired_driver *d = self;
    const struct sampler_setup sampler = image_sampler(d->env->image);
    const struct profileme_choice choice = sampler_profileme(&sampler);
    const struct paired_scale scale = {.samples = generic_driver_scale(d->generic),
                                       .window = (double)profileme_window(&choice),
                                       .issue_width = d->env->issue_width};
    paired_profile_fill(p, generic_driver_rows(d->generic, d->layout), &d->members, &scale,
                        driver_exact(d->env, &d->env->image->layout[d->layout]));
}

static void paired_driver_report(void *self, const struct program_profile *p, struct report *r)
{
    (void)self;
    paired_report(r, p);
}

const struct driver_ops paired_driver_ops = {
    .program = "paired",
    .create = paired_create,
    .destroy = paired_destroy,
    .interrupt = paired_interrupt,
    .finish = paired_finish,
    .profile = paired_driver_profile,
    .report = paired_driver_report,
};
