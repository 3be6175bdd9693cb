/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selecting, filling and reading the slots of the second pass. */
#include "host/driver/value/value_high.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "host/driver/slots.h"

/* Minimum share of a frequent value: a quarter of the load's executions, the threshold of the score, minus a margin
 * for the estimate's error. */
#define FREQUENT_SHARE 0.20

void value_high_init(struct value_high *h, const struct bus *bus, struct host_clock *clock, unsigned slots_row,
                     unsigned lows_row, unsigned room)
{
    *h = (struct value_high){.bus = bus, .clock = clock, .slots_row = slots_row, .lows_row = lows_row, .room = room};
    h->load = xcalloc(room, sizeof(struct value_load *));
    h->low = xcalloc(room, sizeof *h->low);
}

void value_high_fini(struct value_high *h)
{
    free(h->queue);
    free(h->load);
    free(h->low);
}

/* The load's most frequent value with an unknown high half, or NULL. */
static const struct value_count *next_value(const struct value_load *l)
{
    const struct value_count *best = NULL;
    double most = FREQUENT_SHARE;
    for (unsigned v = 0; v < l->value_count; v++) {
        double share = l->values[v].high_known ? 0 : value_estimate(l, v);
        if (share >= most) {
            most = share;
            best = &l->values[v];
        }
    }
    return best;
}

void value_high_consider(struct value_high *h, struct value_load *l)
{
    if (l->asking || next_value(l) == NULL)
        return;
    if (h->queued == h->queue_room) {
        h->queue_room = h->queue_room ? 2 * h->queue_room : 64;
        h->queue = xrealloc(h->queue, h->queue_room * sizeof(struct value_load *));
    }
    l->asking = true;
    h->queue[h->queued++] = l;
}

void value_high_choose(struct value_high *h)
{
    unsigned taken = 0;
    h->count = 0;
    for (; taken < h->queued && h->count < h->room; taken++) {
        struct value_load *l = h->queue[taken];
        const struct value_count *v = next_value(l);
        l->asking = false;
        if (v == NULL)
            continue; /* less frequent since a later round */
        h->load[h->count] = l;
        h->low[h->count++] = v->value;
    }
    h->queued -= taken;
    memmove(h->queue, h->queue + taken, h->queued * sizeof(struct value_load *));
}

void value_high_fill(const struct value_high *h, struct value_mask_table *table)
{
    struct value_mask others = table->written;
    value_mask_all(&others);
    for (unsigned i = 0; i < h->count; i++) {
        bus_put(h->bus, BUS_DATA + 8 * (h->lows_row + i), h->low[i]);
        value_mask_unset(&others, h->load[i]->pc32);
    }
    for (unsigned i = 0; i < h->count; i += 2) {
        uint64_t second = i + 1 < h->count ? h->load[i + 1]->pc32 : 0;
        bus_put(h->bus, BUS_CAM + 8 * ((h->slots_row + i) / 2), h->load[i]->pc32 | second << 32);
    }
    for (unsigned i = 0; i < h->count; i += 64) {
        unsigned left = h->count - i;
        bus_put(h->bus, BUS_VALID + 8 * ((h->slots_row + i) / 64), left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX);
    }
    value_mask_write(&others, table);
}

unsigned value_high_collect(struct value_high *h, const struct value_lanes *at)
{
    unsigned answered = 0;
    for (unsigned i = 0; i < h->count; i++) {
        uint64_t row = bus_get(h->bus, BUS_DATA + 8 * (h->slots_row + i)), total = isa_lane_of(row, at->total);
        struct value_count *v = value_load_find(h->load[i], h->low[i]);
        if (total != 0)
            value_set_add(&v->highs, (uint32_t)isa_lane_of(row, at->value), (double)isa_lane_of(row, at->hit),
                          (double)isa_lane_of(row, at->miss), (double)total);
        v->high_known = value_high_judge(v, &value_confidence_default);
        answered += total != 0;
        value_high_consider(h, h->load[i]);
    }
    host_clock_work(h->clock, HOST_ROW, h->count);
    host_clock_work(h->clock, HOST_UPDATE, answered);
    host_clock_work(h->clock, HOST_JUDGE, h->count);
    return answered;
}
