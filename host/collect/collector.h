/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of event counters, after DCPI (paper, section 4.2), and the time that it and its daemon take. The
 * interrupt handler counts samples in a table (sample_table.h). Entries that the table evicts go to one of two overflow
 * buffers. When a buffer is full, the daemon reads it while the handler appends to the other; from time to time the
 * daemon reads the table too. While the table is read, the handler writes its samples to the buffer instead. A sample
 * is lost if no buffer has room.
 *
 * The daemon runs on the interrupted hart, whose program then waits, or on another processor, at the same time as the
 * program (host_daemon_elsewhere). Its own samples, its effect on the caches, and the interrupt between processors
 * that begins a flush are not modelled. */
#ifndef HOST_COLLECT_COLLECTOR_H
#define HOST_COLLECT_COLLECTOR_H

#include "host/collect/sample_table.h"

/* The keys of contract/collect.def. */
struct collect_config {
#define COLLECT(key, def, min, max, unit, help, source) uint32_t key;
#include "contract/collect.def"
    uint32_t entry, exit; /* cycles to take an interrupt and to return from it */
    bool free;            /* nothing takes time */
};

/* Work of one hart's driver, and of the daemon for that hart. Times are in cycles, those of samples include entry and
 * exit. */
struct collect_account {
    uint64_t samples; /* delivered by the counters; each is in one of the next four */
    uint64_t hits, filled, evicted, bypassed;
    uint64_t lost;                                   /* counts of entries that found both buffers full */
    uint64_t entries;                                /* given to the daemon */
    uint64_t buffers;                                /* overflow buffers that it read because they were full */
    uint64_t flushes;                                /* of the table */
    uint64_t hit_cycles, miss_cycles, bypass_cycles; /* in the handler */
    uint64_t daemon_cycles;
    uint64_t hart_cycles; /* all of these times that the hart's program waited for */
};

/* The daemon's part: receives entries. Those of the same sample may arrive several times. */
typedef void collect_daemon(void *ctx, const struct sample_entry *e);

struct collector;

/* Makes the driver of a machine with `harts` harts. `config` is copied. */
struct collector *collector_new(const struct collect_config *config, unsigned harts, collect_daemon *daemon, void *ctx);
/* NULL is allowed. */
void collector_free(struct collector *c);

/* Handles the interrupt of a counter on a hart in core cycle `cycle`, which does not decrease from call to call of a
 * hart. Returns the cycles for which handler and daemon occupy the hart. */
uint64_t collector_sample(struct collector *c, unsigned hart, uint32_t pid, uint64_t pc, uint32_t event,
                          uint64_t cycle);
/* Gives everything to the daemon: the end of the collection, whose time is not charged. */
void collector_finish(struct collector *c);

struct collect_account collector_account(const struct collector *c, unsigned hart);

#endif
