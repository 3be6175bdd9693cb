/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/value/value_places.h"

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
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): fail returns no ST_OK */
    for (unsigned i = 0; i < l->members; i++)
        if (strcmp(l->member[i].name, member) == 0 && isa_lanes[l->member[i].lane].width >= min_bits) {
            *lane = l->member[i].lane;
            return ST_OK;
        }
    return fail(err, ST_FORMAT, "program %s: expected member '%s' of at least %u bits in layout %s, found none",
                im->name, member, min_bits, l->name);
}

enum status value_find_lanes(const struct image *im, const struct image_layout **slots, struct value_lanes *lane,
                             struct errmsg *err)
{
    enum status st = value_find_slots(im, slots, err);
    if (st == ST_OK)
        st = value_find_lane(im, *slots, "value", 32, &lane->value, err);
    if (st == ST_OK)
        st = value_find_lane(im, *slots, "hit", 8, &lane->hit, err);
    if (st == ST_OK)
        st = value_find_lane(im, *slots, "miss", 8, &lane->miss, err);
    if (st == ST_OK)
        st = value_find_lane(im, *slots, "total", 16, &lane->total, err);
    return st;
}

static enum status value_places_find_register(const struct image *im, const char (*names)[IMAGE_NAME], unsigned count,
                                              const char *kind, const char *name, unsigned *number, struct errmsg *err)
{
    for (*number = 0; *number < count; ++*number)
        if (strcmp(names[*number], name) == 0)
            return ST_OK;
    return fail(err, ST_FORMAT, "program %s: expected %s register named '%s', found none", im->name, kind, name);
}

enum status value_find_index(const struct image *im, const char *name, unsigned *index, struct errmsg *err)
{
    return value_places_find_register(im, im->index_name, ISA_INDEXES, "an index", name, index, err);
}

enum status value_find_const(const struct image *im, const char *name, unsigned *constant, struct errmsg *err)
{
    return value_places_find_register(im, im->const_name, ISA_CONSTS, "a constant", name, constant, err);
}
