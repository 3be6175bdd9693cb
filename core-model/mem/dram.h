/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Main memory: banks that are busy for a while with each access, rows that stay open in them, one channel, and a queue of limited length
 * before it all.
 * Modelled simply: requests are taken in the order of the calls, so a row hit does not overtake a conflict; no refresh. */
#ifndef CORE_MODEL_MEM_DRAM_H
#define CORE_MODEL_MEM_DRAM_H

#include <stdint.h>

struct dram_timing {
    uint32_t banks, line_bytes;
    uint32_t latency_cycles;    /* up to the first data; with rows: where a row is opened in an idle bank */
    uint32_t bank_cycles;       /* a bank is busy with an access; with rows: with one that opens a row */
    uint32_t line_cycles;       /* the channel is busy with a line */
    uint32_t row_bytes;         /* 0: no rows */
    uint32_t row_hit_cycles, precharge_cycles;
    uint32_t queue;             /* 0: no limit */
};

struct dram_bank {
    uint64_t free;              /* the cycle from which it takes an access */
    uint64_t row;               /* open row + 1; 0: none */
};

struct dram {
    struct dram_timing timing;
    uint32_t line_bits, row_bits;
    struct dram_bank *bank;     /* owned */
    uint64_t *queue;            /* owned; ring: when each of the last timing.queue requests leaves */
    uint32_t queue_at;
    uint64_t channel_free;
    uint64_t reads, writes, row_hits, row_conflicts;
    uint64_t bank_conflicts;    /* accesses that found their bank busy */
    uint64_t wait_cycles;       /* of all accesses, for their bank and for a place in the queue */
};

void dram_init(struct dram *d, const struct dram_timing *timing);
void dram_fini(struct dram *d);

/* An access to the line at addr that reaches the memory at `now`: the cycle in which its line has been transferred. */
uint64_t dram_access(struct dram *d, uint64_t addr, uint64_t now, int is_write);

/* Nothing is under way. */
void dram_settle(struct dram *d);

#endif
