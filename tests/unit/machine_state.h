/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine's state (isa/semantics.h), put into a co-processor over its bus. */
#ifndef TESTS_UNIT_MACHINE_STATE_H
#define TESTS_UNIT_MACHINE_STATE_H

#include "isa/bus.h"
#include "isa/semantics.h"

static inline void put_index_registers(const struct bus *bus, const struct isa_machine *m)
{
    for (unsigned i = 0; i < ISA_INDEXES; i += 4) {
        uint64_t word = 0;
        for (unsigned k = 0; k < 4; k++)
            word |= (uint64_t)m->index[i + k] << (16 * k);
        bus_put(bus, BUS_INDEXES + 2 * i, word);
    }
}

/* The associative entries i and i + 1; i is even. */
static inline void put_keys(const struct bus *bus, const struct isa_machine *m, unsigned i)
{
    bus_put(bus, BUS_CAM + 4 * i, (uint32_t)m->tag[i] | m->tag[i + 1] << 32);
    bus_put(bus, BUS_CAM_HIGH + 4 * i, m->tag[i] >> 32 | (m->tag[i + 1] >> 32) << 32);
}

/* Value and index registers, the pseudo-random register, and the arrays; the others come from the program's image. */
static inline void put_machine(const struct bus *bus, const struct isa_machine *m)
{
    for (unsigned i = 0; i < ISA_VALUES; i++)
        bus_put(bus, BUS_VALUES + 8 * i, m->value[i]);
    put_index_registers(bus, m);
    bus_put(bus, BUS_LFSR, m->lfsr);
    for (unsigned i = 0; i < m->rows; i++)
        bus_put(bus, BUS_DATA + 8 * i, m->row[i]);
    for (unsigned i = 0; i < m->entries; i += 2)
        put_keys(bus, m, i);
    for (unsigned i = 0; i < m->entries; i += 64) {
        uint64_t bits = 0;
        for (unsigned k = 0; k < 64; k++)
            bits |= (uint64_t)m->valid[i + k] << k;
        bus_put(bus, BUS_VALID + i / 8, bits);
    }
}

#endif
