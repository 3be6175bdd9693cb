/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/cop_use.h"

#include <string.h>

#include "emu/cop_state.h"

enum { FIRST_SHIFT = 8 };

void use_clear(struct cop_use *u)
{
    *u = (struct cop_use){.interval_shift = FIRST_SHIFT};
    for (unsigned k = 0; k < OPCLASS_COUNT; k++)
        u->by_class[k].least = UINT64_MAX;
}

void use_widen(struct cop_use *u, uint64_t cycle)
{
    while (cycle >> u->interval_shift >= USE_INTERVALS) {
        for (unsigned i = 0; i < USE_INTERVALS / 2; i++) {
            u->interval[i].delivered = u->interval[2 * i].delivered + u->interval[2 * i + 1].delivered;
            u->interval[i].dropped = u->interval[2 * i].dropped + u->interval[2 * i + 1].dropped;
        }
        memset(&u->interval[USE_INTERVALS / 2], 0, sizeof u->interval / 2);
        u->interval_shift++;
    }
}

struct cop_use cop_get_use(const struct cop *c)
{
    struct cop_use u = c->use;
    u.occupancy += c->buffer.count * cop_cycle(c);
    if (c->buffer.count > u.peak)
        u.peak = c->buffer.count;
    return u;
}
