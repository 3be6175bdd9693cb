/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Main memory: banks with open rows, one channel, and a request queue of limited length. Simplifications: requests are
 * served in call order, except that a request that arrives before a booked one is served first if bank, channel and
 * queue are idle for long enough (servers.h); so a row hit does not bypass a row conflict. The open row is that of the
 * latest call. No refresh. */
#ifndef CORE_MODEL_MEM_DRAM_H
#define CORE_MODEL_MEM_DRAM_H

#include "core-model/checkpoint/stream.h"
#include "core-model/mem/servers.h"

struct dram_timing {
    uint32_t banks, line_bytes;
    uint32_t latency_cycles; /* latency to the first datum; with rows: of an access that opens a row in an idle bank */
    uint32_t bank_cycles;    /* bank busy time of an access; with rows: of one that opens a row */
    uint32_t line_cycles;    /* channel occupancy of a line */
    uint32_t row_bytes;      /* 0: no rows */
    uint32_t row_hit_cycles, precharge_cycles;
    uint32_t queue; /* 0: no limit */
};

struct dram_bank {
    struct servers time;
    uint64_t row; /* number of the open row + 1; 0: none */
};

struct dram {
    struct dram_timing timing;
    uint32_t line_bits, row_bits;
    struct dram_bank *bank; /* owned */
    struct servers queue;   /* its entries; unused if timing.queue is 0 */
    struct servers channel;
    uint64_t reads, writes, row_hits, row_conflicts;
    uint64_t bank_conflicts; /* accesses to a busy bank */
    uint64_t wait_cycles;    /* total wait of all accesses for bank and queue entry */
};

void dram_init(struct dram *d, const struct dram_timing *timing);
void dram_fini(struct dram *d);

/* Accesses the line at addr; the request reaches the memory at `now`. Returns the cycle in which the transfer ends. */
uint64_t dram_access(struct dram *d, uint64_t addr, uint64_t now, int is_write);

/* The result that dram_access would return. Has no side effects. */
uint64_t dram_would_deliver(const struct dram *d, uint64_t addr, uint64_t now);

/* An access without time, for functional warming: its row is open. */
void dram_warm(struct dram *d, uint64_t addr);
/* Moves the open rows. */
void dram_move(struct dram *d, struct checkpoint_stream *s);

#endif
