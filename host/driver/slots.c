/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of slots. Only the needed rows, keys and valid bits are read, because each bus access takes host time. */
#include "host/driver/slots.h"

/* A bus region of packed items, with the most recently read word cached. */
struct word_cache {
    uint32_t address;
    uint64_t word;
};

static uint64_t slots_fetch(const struct bus *bus, struct word_cache *c, uint32_t address)
{
    if (c->address != address) {
        c->address = address;
        c->word = bus_get(bus, address);
    }
    return c->word;
}

static bool slots_is_valid(const struct bus *bus, struct word_cache *valid, unsigned at)
{
    return slots_fetch(bus, valid, BUS_VALID + 8 * (at / 64)) >> (at % 64) & 1;
}

unsigned slots_read(const struct bus *bus, const struct image *im, const struct image_layout *l, enum slot_use use,
                    struct slot_copy *slots)
{
    struct word_cache keys = {0}, valid = {0};
    bool keyed = l->key != FORMAT_NONE;
    unsigned found = 0;
    for (unsigned i = 0; i < l->count; i++) {
        unsigned at = im->base[l->base] + i;
        if (use == SLOT_USED_BY_VALID && !slots_is_valid(bus, &valid, at))
            continue;
        uint64_t row = bus_get(bus, BUS_DATA + 8 * at);
        bool used = row != 0 || use == SLOT_USED_BY_VALID;
        if (!used && (!keyed || use != SLOT_USED_BY_ROW_OR_VALID || !slots_is_valid(bus, &valid, at)))
            continue;
        uint64_t pair = keyed ? slots_fetch(bus, &keys, BUS_CAM + 8 * (at / 2)) : 0;
        slots[found++] = (struct slot_copy){.index = i, .key = (uint32_t)(pair >> (32 * (at % 2))), .row = row};
    }
    return found;
}
