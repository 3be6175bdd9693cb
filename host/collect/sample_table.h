/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hash table in which the driver of event counters counts recent samples (DCPI paper, section 4.2.1). A sample is
 * looked up in one bucket of a few entries, a cache line in DCPI, so that a hit misses the data cache once at most. */
#ifndef HOST_COLLECT_SAMPLE_TABLE_H
#define HOST_COLLECT_SAMPLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sample, and how often it occurred. */
struct sample_entry {
    uint64_t pc;
    uint32_t pid;
    uint32_t event; /* any number */
    uint64_t count; /* 0: the entry is free */
};

struct sample_table_shape {
    uint32_t entries, ways; /* the number of buckets is their quotient, rounded up */
    bool front;             /* replacement: see sample_table_add */
};

enum sample_outcome {
    SAMPLE_HIT,    /* the entry's count was incremented */
    SAMPLE_FILLED, /* a free entry was taken */
    SAMPLE_EVICTED /* an entry was taken from another sample */
};

struct sample_table;

struct sample_table *sample_table_new(const struct sample_table_shape *shape);
/* NULL is allowed. */
void sample_table_free(struct sample_table *t);

/* Counts a sample. If its bucket is full, an entry is replaced and copied to `evicted`. Without `front` it is the one
 * that a counter selects, which all buckets share and each eviction increments. With `front` it is the bucket's last:
 * an entry that is hit changes places with the first, and a new one is inserted before the first. */
enum sample_outcome sample_table_add(struct sample_table *t, uint32_t pid, uint64_t pc, uint32_t event,
                                     struct sample_entry *evicted);

/* Calls `see` for each entry in use, bucket by bucket, and empties the table. */
void sample_table_flush(struct sample_table *t, void (*see)(void *ctx, const struct sample_entry *e), void *ctx);

#endif
