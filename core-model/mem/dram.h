/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Main memory: banks that are busy for a while with each access, rows that stay open in them, one channel, and a queue
 * of limited length before it all. Modelled simply: requests are served in the order of the calls, except that a
 * request that arrives earlier than a booked one is served before it where bank, channel and queue are idle for long
 * enough (servers.h). So a row hit does not overtake a conflict. The open row is that of the latest call. No refresh.
 */
#ifndef CORE_MODEL_MEM_DRAM_H
#define CORE_MODEL_MEM_DRAM_H

#include "core-model/mem/servers.h"

struct dram_timing {
    uint32_t banks, line_bytes;
    uint32_t latency_cycles; /* up to the first data; with rows: where a row is opened in an idle bank */
    uint32_t bank_cycles;    /* a bank is busy with an access; with rows: with one that opens a row */
    uint32_t line_cycles;    /* the channel is busy with a line */
    uint32_t row_bytes;      /* 0: no rows */
    uint32_t row_hit_cycles, precharge_cycles;
    uint32_t queue; /* 0: no limit */
};

struct dram_bank {
    struct servers time;
    uint64_t row; /* open row + 1; 0: none */
};

struct dram {
    struct dram_timing timing;
    uint32_t line_bits, row_bits;
    struct dram_bank *bank; /* owned */
    struct servers queue;   /* its places; unused where timing.queue is 0 */
    struct servers channel;
    uint64_t reads, writes, row_hits, row_conflicts;
    uint64_t bank_conflicts; /* accesses that found their bank busy */
    uint64_t wait_cycles;    /* of all accesses, for their bank and for a place in the queue */
};

void dram_init(struct dram *d, const struct dram_timing *timing);
void dram_fini(struct dram *d);

/* An access to the line at addr that reaches the memory at `now`: the cycle in which its line has been transferred. */
uint64_t dram_access(struct dram *d, uint64_t addr, uint64_t now, int is_write);

/* What dram_access would return. Changes nothing. */
uint64_t dram_would_deliver(const struct dram *d, uint64_t addr, uint64_t now);

/* Nothing is under way. */
void dram_settle(struct dram *d);

#endif
