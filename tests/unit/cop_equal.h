/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of two co-processors. */
#ifndef TESTS_UNIT_COP_EQUAL_H
#define TESTS_UNIT_COP_EQUAL_H

#include <string.h>

#include "emu/cop_state.h"

/* Compares the statistics that no bus region exposes; cop_equal compares the regions. */
static inline bool same_counts(const struct cop *x, const struct cop *y)
{
    for (unsigned i = 0; i < ISA_WORDS; i++)
        if (x->word[i].executed != y->word[i].executed)
            return false;
    return true;
}

static inline bool same_cells(const struct cop *x, const struct cop *y)
{
    for (size_t i = 0; i < bus_region_count; i++) {
        const struct bus_region *r = &bus_regions[i];
        uint64_t vx, vy;
        if (!bus_is_readable(r))
            continue;
        for (uint32_t at = r->address; at < r->address + 8 * r->words; at += 8) {
            if (bus_device_read(x, at, &vx) != bus_device_read(y, at, &vy))
                return false;
            if (bus_device_read(x, at, &vx) == ST_OK && vx != vy)
                return false;
        }
    }
    return true;
}

static inline bool same_config(const struct cop_config *x, const struct cop_config *y)
{
#define COP_PARAM(key, def, min, max, unit, help) &&x->key == y->key
    return true
#include "isa/cop_config.def"
        ;
#undef COP_PARAM
}

static inline bool same_records(const struct cop *x, const struct cop *y)
{
    if (x->buffer.count != y->buffer.count || x->buffer.fields != y->buffer.fields ||
        x->buffer.path_free != y->buffer.path_free || x->admission.lfsr != y->admission.lfsr ||
        x->admission.closed != y->admission.closed)
        return false;
    for (unsigned i = 0; i < x->buffer.count; i++) {
        const struct record *a = buffer_at(&x->buffer, i), *b = buffer_at(&y->buffer, i);
        if (a->opclass != b->opclass || a->readable != b->readable ||
            memcmp(a->field, b->field, x->buffer.fields * sizeof a->field[0]) != 0)
            return false;
    }
    return true;
}

/* Returns whether hardware state, time and statistics are equal. */
static inline bool cop_equal(const struct cop *x, const struct cop *y)
{
    const size_t ports_bytes = (SLOT_NOWHERE - BSRC_VALUE) * sizeof x->operand[0];
    return same_config(&x->config, &y->config) && x->time == y->time && sample_words(x) == sample_words(y) &&
           x->counts.first_cycle == y->counts.first_cycle &&
           memcmp(&x->operand[BSRC_VALUE], &y->operand[BSRC_VALUE], ports_bytes) == 0 &&
           memcmp(&x->use, &y->use, sizeof x->use) == 0 && same_records(x, y) && same_counts(x, y) && same_cells(x, y);
}

#endif
