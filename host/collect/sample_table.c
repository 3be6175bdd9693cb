/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/collect/sample_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

struct sample_table {
    uint32_t ways;
    uint64_t buckets;
    bool front;
    uint32_t next; /* way that the next eviction takes */
    struct sample_entry entry[];
};

struct sample_table *sample_table_new(const struct sample_table_shape *shape)
{
    uint64_t buckets = (shape->entries + shape->ways - 1) / shape->ways;
    struct sample_table *t = xcalloc(1, sizeof *t + buckets * shape->ways * sizeof t->entry[0]);
    t->ways = shape->ways;
    t->buckets = buckets;
    t->front = shape->front;
    return t;
}

void sample_table_free(struct sample_table *t) { free(t); }

/* Multiplicative hashing by the golden ratio. The lowest bit of a pc is always 0. */
static uint64_t sample_table_bucket_of(const struct sample_table *t, uint32_t pid, uint64_t pc, uint32_t event)
{
    uint64_t key = (pc >> 1) ^ (uint64_t)pid << 40 ^ (uint64_t)event << 56;
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return (key >> 32) % t->buckets;
}

static void move_to_front(struct sample_entry *bucket, uint32_t way)
{
    struct sample_entry hit = bucket[way];
    bucket[way] = bucket[0];
    bucket[0] = hit;
}

/* Makes room for a new entry in a full bucket; returns its place. */
static struct sample_entry *sample_table_evict(struct sample_table *t, struct sample_entry *bucket,
                                               struct sample_entry *evicted)
{
    uint32_t way = t->front ? t->ways - 1 : t->next;
    *evicted = bucket[way];
    t->next = (t->next + 1) % t->ways; /* NOLINT(clang-analyzer-core.DivideZero): a bucket is full, so it has ways */
    if (!t->front)
        return &bucket[way];
    memmove(&bucket[1], &bucket[0], way * sizeof *bucket);
    return &bucket[0];
}

enum sample_outcome sample_table_add(struct sample_table *t, uint32_t pid, uint64_t pc, uint32_t event,
                                     struct sample_entry *evicted)
{
    struct sample_entry *bucket = &t->entry[sample_table_bucket_of(t, pid, pc, event) * t->ways];
    const struct sample_entry sample = {.pc = pc, .pid = pid, .event = event, .count = 1};
    for (uint32_t way = 0; way < t->ways; way++) {
        struct sample_entry *e = &bucket[way];
        if (e->count == 0) {
            *e = sample;
            if (t->front)
                move_to_front(bucket, way);
            return SAMPLE_FILLED;
        }
        if (e->pc == pc && e->pid == pid && e->event == event) {
            e->count++;
            if (t->front)
                move_to_front(bucket, way);
            return SAMPLE_HIT;
        }
    }
    *sample_table_evict(t, bucket, evicted) = sample;
    return SAMPLE_EVICTED;
}

void sample_table_flush(struct sample_table *t, void (*see)(void *ctx, const struct sample_entry *e), void *ctx)
{
    for (uint64_t n = 0; n < t->buckets * t->ways; n++)
        if (t->entry[n].count != 0) {
            see(ctx, &t->entry[n]);
            t->entry[n] = (struct sample_entry){0};
        }
}
