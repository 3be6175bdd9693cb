/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/value/value_copy.h"

unsigned value_slots_taken(const struct driver_env *env, const struct image_layout *slots, unsigned next)
{
    uint32_t last = (uint32_t)(env->image->base[slots->base] + slots->count - 1);
    if (bus_get(env->bus, BUS_DATA + 8 * last) != 0)
        return slots->count;
    return (unsigned)(bus_get(env->bus, BUS_INDEXES + 8 * (next / 4)) >> 16 * (next % 4)) & (slots->count - 1u);
}

unsigned value_copy_slots(const struct driver_env *env, const struct image_layout *slots, unsigned taken,
                          const struct value_lanes *lane, struct slot_copy *copies, struct value_profile *p)
{
    struct image_layout first = *slots;
    first.count = (uint16_t)taken;
    unsigned n = slots_read(env->bus, env->image, &first, SLOT_USED_BY_ROW, copies), known = value_profile_count(p),
             records = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct slot_copy *s = &copies[i];
        uint64_t total = isa_lane_of(s->row, lane->total);
        if (total == 0)
            continue;
        value_profile_add(p, s->key, (uint32_t)isa_lane_of(s->row, lane->value), isa_lane_of(s->row, lane->hit),
                          isa_lane_of(s->row, lane->miss), total);
        records++;
    }
    host_clock_merge(env->clock, taken, records, value_profile_count(p) - known);
    return records;
}
