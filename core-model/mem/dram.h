/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Main memory: a latency, banks that are busy for a while with each access, and one channel.
 * Modelled simply: no row buffers and no reordering; what conflicts waits its turn. */
#ifndef CORE_MODEL_MEM_DRAM_H
#define CORE_MODEL_MEM_DRAM_H

#include <stdint.h>

struct dram {
    uint32_t latency_cycles, bank_cycles, line_cycles;
    uint32_t bank_mask, line_bits;
    uint64_t *bank_free;  /* owned; per bank, the cycle from which it takes an access */
    uint64_t channel_free;
    uint64_t reads, writes;
};

void dram_init(struct dram *d, uint32_t banks, uint32_t latency_cycles, uint32_t bank_cycles, uint32_t line_cycles,
               uint32_t line_bytes);
void dram_fini(struct dram *d);

/* An access to the line at addr that reaches the memory at `now`: the cycle in which its line has been transferred. */
uint64_t dram_access(struct dram *d, uint64_t addr, uint64_t now, int is_write);

/* Nothing is under way. */
void dram_settle(struct dram *d);

#endif
