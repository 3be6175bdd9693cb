/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slots of a layout, read over the bus. */
#ifndef HOST_DRIVER_SLOTS_H
#define HOST_DRIVER_SLOTS_H

#include "isa/bus.h"
#include "isa/image.h"

/* A copy of a slot. */
struct slot_copy {
    unsigned index; /* in the layout */
    uint32_t key;   /* 0 if the layout has no keys */
    uint64_t row;
};

enum slot_use {
    SLOT_USED_BY_ROW,          /* a slot is in use if its row is not 0 */
    SLOT_USED_BY_ROW_OR_VALID, /* a slot is in use if its row is not 0 or its associative entry is valid */
    SLOT_USED_BY_VALID, /* a slot is in use if its associative entry is valid; the rows of other slots are not read */
};

/* Reads the slots in use into `slots`, which has room for all slots of the layout, and returns their number. The key
 * of an invalidated entry is still in the array and is read too; keys of slots not in use are not read. */
unsigned slots_read(const struct bus *bus, const struct image *im, const struct image_layout *l, enum slot_use use,
                    struct slot_copy *slots);

#endif
