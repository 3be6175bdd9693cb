/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Main memory as latency, bank occupancy and channel bandwidth. See dram.h. */
#include "core-model/mem/dram.h"

#include <stdlib.h>

#include "isa/support/status.h"

void dram_init(struct dram *d, uint32_t banks, uint32_t latency_cycles, uint32_t bank_cycles, uint32_t line_cycles,
               uint32_t line_bytes)
{
    *d = (struct dram){.latency_cycles = latency_cycles, .bank_cycles = bank_cycles, .line_cycles = line_cycles,
                       .bank_mask = banks - 1, .line_bits = (uint32_t)__builtin_ctz(line_bytes)};
    d->bank_free = xcalloc(banks, sizeof *d->bank_free);
}

void dram_fini(struct dram *d)
{
    free(d->bank_free);
}

uint64_t dram_access(struct dram *d, uint64_t addr, uint64_t now, int is_write)
{
    uint64_t line = addr >> d->line_bits;
    /* Higher address bits are folded in, so that power-of-two strides do not all meet in one bank. */
    uint64_t *bank = &d->bank_free[(line ^ line >> 5 ^ line >> 11) & d->bank_mask];
    uint64_t start = now > *bank ? now : *bank;
    *bank = start + d->bank_cycles;
    uint64_t data = start + d->latency_cycles;
    if (data < d->channel_free)
        data = d->channel_free;
    d->channel_free = data + d->line_cycles;
    if (is_write)
        d->writes++;
    else
        d->reads++;
    return d->channel_free;
}

void dram_settle(struct dram *d)
{
    for (uint32_t b = 0; b <= d->bank_mask; b++)
        d->bank_free[b] = 0;
    d->channel_free = 0;
}
