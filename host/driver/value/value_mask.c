/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's copy of PC filter 2, written word by word. */
#include "host/driver/value/value_mask.h"

#include <string.h>

void value_mask_init(struct value_mask *m, const struct bus *bus, unsigned function)
{
    *m = (struct value_mask){.function = function,
                             .size = bus_unpack_geometry(bus_get(bus, BUS_GEOMETRY)).filter2_bits};
}

void value_mask_set(struct value_mask *m, uint32_t pc32)
{
    uint32_t bit = pchash_filter2(m->function, pc32, m->size);
    m->bits[bit / 64] |= 1ull << (bit % 64);
    m->set++;
}

void value_mask_unset(struct value_mask *m, uint32_t pc32)
{
    uint32_t bit = pchash_filter2(m->function, pc32, m->size);
    m->bits[bit / 64] &= ~(1ull << (bit % 64));
}

void value_mask_clear(struct value_mask *m)
{
    memset(m->bits, 0, sizeof m->bits);
    m->set = 0;
}

void value_mask_all(struct value_mask *m) { memset(m->bits, 0xff, m->size / 8); }

void value_mask_next_function(struct value_mask *m)
{
    m->function = (m->function + 1) % PCHASH_COUNT;
    value_mask_clear(m);
}

void value_mask_write(const struct value_mask *m, struct value_mask_table *to)
{
    for (unsigned i = 0; i < m->size / 64; i++)
        if (m->bits[i] != to->written.bits[i]) {
            bus_put(to->bus, BUS_MASKED + 8 * i, m->bits[i]);
            to->writes++;
        }
    if (m->function != to->written.function) {
        bus_put(to->bus, BUS_FILTER2, m->function);
        to->writes++;
    }
    to->written = *m;
}
