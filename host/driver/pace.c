/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/pace.h"

#include <string.h>

enum { WIDEST = 16, CYCLES = 1024 };

enum status pace_init(struct pace *p, const struct image *im, struct errmsg *err)
{
    *p = (struct pace){0};
    if (im->gate == IMAGE_NO_INDEX)
        return ST_OK;
    p->width = im->index_width[im->gate];
    return driver_find_param(im, "budget", 0, CYCLES, &p->budget, err);
}

/* The width with which the next interrupt comes about `needed` cycles from now. Each bit doubles the mean pause, and
 * with it about the time to the interrupt, which was `last` cycles with the present width. The time varies, so pauses
 * become shorter by one bit at most. */
static unsigned pace_width(unsigned width, unsigned least, uint64_t last, uint64_t needed)
{
    if (last / 3 > needed)
        return width > least ? width - 1 : width;
    for (; width < WIDEST && last + last / 2 < needed; last *= 2)
        width++;
    return width;
}

void pace_set(struct pace *p, const struct driver_env *env, uint64_t taken, uint64_t spent)
{
    const struct image *im = env->image;
    if (p->budget == 0)
        return;
    const uint64_t now = taken + spent;
    p->spent += spent;
    const uint64_t due = p->spent * CYCLES / p->budget; /* until then the handlers have taken more than the budget */
    p->width = pace_width(p->width, im->index_width[im->gate], taken - p->resumed, due > now ? due - now : 0);
    p->resumed = now;
    uint8_t widths[ISA_INDEXES];
    memcpy(widths, im->index_width, sizeof widths);
    widths[im->gate] = (uint8_t)p->width;
    bus_put(env->bus, BUS_WIDTHS, bus_pack_widths(widths, im->index_saturates, im->gate));
}
