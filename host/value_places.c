/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/value_places.h"

#include <string.h>

enum status value_find_slots(const struct image *im, const struct image_layout **slots, struct errmsg *err)
{
    *slots = NULL;
    for (unsigned i = 0; i < im->layouts && *slots == NULL; i++)
        if (strcmp(im->layout[i].name, "slots") == 0)
            *slots = &im->layout[i];
    if (*slots != NULL && (*slots)->key == FORMAT_PC)
        return ST_OK;
    return fail(err, ST_FORMAT, "program %s: expected a layout 'slots' with a key of format pc, found %s", im->name,
                *slots == NULL ? "no such layout" : "another key");
}

enum status value_find_lane(const struct image *im, const struct image_layout *l, const char *member, unsigned min_bits,
                            unsigned *lane, struct errmsg *err)
{
    for (unsigned i = 0; i < l->members; i++)
        if (strcmp(l->member[i].name, member) == 0 && isa_lanes[l->member[i].lane].width >= min_bits) {
            *lane = l->member[i].lane;
            return ST_OK;
        }
    return fail(err, ST_FORMAT, "program %s: expected member '%s' of at least %u bits in layout %s, found none",
                im->name, member, min_bits, l->name);
}
