/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Main memory as row and bank timing, channel bandwidth and a queue. See dram.h. */
#include "core-model/mem/dram.h"

#include <stdlib.h>

#include "isa/support/status.h"

void dram_init(struct dram *d, const struct dram_timing *timing)
{
    *d = (struct dram){.timing = *timing, .line_bits = (uint32_t)__builtin_ctz(timing->line_bytes)};
    d->row_bits = timing->row_bytes != 0 ? (uint32_t)__builtin_ctz(timing->row_bytes) : 0;
    d->bank = xcalloc(timing->banks, sizeof *d->bank);
    if (timing->queue != 0)
        d->queue = xcalloc(timing->queue, sizeof *d->queue);
}

void dram_fini(struct dram *d)
{
    free(d->bank);
    free(d->queue);
}

/* Without rows the banks interleave lines, with rows they interleave rows. Higher address bits are folded in, so that power-of-two strides do
 * not all meet in one bank. */
static struct dram_bank *bank_of(struct dram *d, uint64_t addr)
{
    uint64_t n = addr >> (d->row_bits != 0 ? d->row_bits : d->line_bits);
    return &d->bank[(n ^ n >> 5 ^ n >> 11) & (d->timing.banks - 1)];
}

/* From the bank's start to the first data. An access to the open row leaves the bank free as soon as the channel is. */
static uint64_t bank_access(struct dram *d, struct dram_bank *b, uint64_t addr, uint64_t start)
{
    const struct dram_timing *t = &d->timing;
    uint64_t row = (addr >> d->row_bits) + 1, extra = 0;
    if (d->row_bits != 0 && b->row == row) {
        d->row_hits++;
        b->free = start + t->line_cycles;
        return start + t->row_hit_cycles;
    }
    if (d->row_bits != 0 && b->row != 0) {
        d->row_conflicts++;
        extra = t->precharge_cycles;
    }
    b->row = row;
    b->free = start + extra + t->bank_cycles;
    return start + extra + t->latency_cycles;
}

uint64_t dram_access(struct dram *d, uint64_t addr, uint64_t now, int is_write)
{
    struct dram_bank *b = bank_of(d, addr);
    uint64_t start = now > b->free ? now : b->free;
    uint64_t *place = d->queue != NULL ? &d->queue[d->queue_at] : NULL;
    if (place != NULL && start < *place)
        start = *place; /* the oldest of those before it must have left */
    d->bank_conflicts += b->free > now;
    d->wait_cycles += start - now;
    uint64_t data = bank_access(d, b, addr, start);
    if (data < d->channel_free)
        data = d->channel_free;
    d->channel_free = data + d->timing.line_cycles;
    if (place != NULL) {
        *place = d->channel_free;
        d->queue_at = d->queue_at + 1 == d->timing.queue ? 0 : d->queue_at + 1;
    }
    if (is_write)
        d->writes++;
    else
        d->reads++;
    return d->channel_free;
}

void dram_settle(struct dram *d)
{
    for (uint32_t b = 0; b < d->timing.banks; b++)
        d->bank[b].free = 0;
    for (uint32_t q = 0; q < d->timing.queue; q++)
        d->queue[q] = 0;
    d->channel_free = 0;
}
