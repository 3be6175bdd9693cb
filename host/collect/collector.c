/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/collect/collector.h"

#include <stdlib.h>

#include "base/status.h"

struct overflow_buffer {
    struct sample_entry *entry;
    uint32_t count;
};

struct hart_driver {
    struct sample_table *table;
    struct overflow_buffer buffer[2];
    unsigned active;     /* the buffer that the handler appends to */
    uint64_t busy_until; /* the daemon reads the other buffer, or the table, up to this cycle */
    bool flushing;       /* it reads the table */
    uint64_t next_flush; /* cycle */
    struct collect_account account;
};

struct collector {
    struct collect_config config;
    collect_daemon *daemon;
    void *ctx;
    unsigned harts;
    struct hart_driver hart[];
};

struct collector *collector_new(const struct collect_config *config, unsigned harts, collect_daemon *daemon, void *ctx)
{
    struct collector *c = xcalloc(1, sizeof *c + harts * sizeof c->hart[0]);
    c->config = *config;
    c->daemon = daemon;
    c->ctx = ctx;
    c->harts = harts;
    const struct sample_table_shape shape = {config->table_entries, config->table_ways, config->table_front != 0};
    for (unsigned n = 0; n < harts; n++) {
        struct hart_driver *h = &c->hart[n];
        h->table = sample_table_new(&shape);
        for (int b = 0; b < 2; b++)
            h->buffer[b].entry = xcalloc(config->buffer_entries, sizeof *h->buffer[b].entry);
        h->next_flush = config->drain_cycles;
    }
    return c;
}

void collector_free(struct collector *c)
{
    if (c == NULL)
        return;
    for (unsigned n = 0; n < c->harts; n++) {
        sample_table_free(c->hart[n].table);
        for (int b = 0; b < 2; b++)
            free(c->hart[n].buffer[b].entry);
    }
    free(c);
}

/* ---- the daemon's reading ---- */

/* Samples that the daemon reads at once. */
struct reading {
    struct collector *collector;
    uint64_t entries;
};

static void collector_read_entry(void *ctx, const struct sample_entry *e)
{
    struct reading *r = ctx;
    r->collector->daemon(r->collector->ctx, e);
    r->entries++;
}

static void read_buffer(struct reading *r, struct overflow_buffer *b)
{
    for (uint32_t n = 0; n < b->count; n++)
        collector_read_entry(r, &b->entry[n]);
    b->count = 0;
}

/* Charges what the daemon has read from `cycle` on; returns the time that it takes from the hart. */
static uint64_t charge_daemon(struct hart_driver *h, const struct reading *r, uint64_t cycle)
{
    const struct collect_config *k = &r->collector->config;
    uint64_t time = k->free ? 0 : r->entries * k->daemon_entry;
    h->account.entries += r->entries;
    h->account.daemon_cycles += time;
    if (k->daemon_elsewhere == 0)
        return time;
    h->busy_until = cycle + time;
    return 0;
}

/* The daemon reads the full buffer, and the handler takes the other one, which the daemon has read. */
static uint64_t switch_buffers(struct collector *c, struct hart_driver *h, uint64_t cycle)
{
    struct reading r = {.collector = c};
    struct overflow_buffer *full = &h->buffer[h->active];
    h->active ^= 1;
    h->account.buffers++;
    h->flushing = false;
    read_buffer(&r, full);
    return charge_daemon(h, &r, cycle);
}

/* The daemon reads the table and the buffer in use. */
static uint64_t flush(struct collector *c, struct hart_driver *h, uint64_t cycle)
{
    struct reading r = {.collector = c};
    h->account.flushes++;
    h->flushing = true;
    sample_table_flush(h->table, collector_read_entry, &r);
    read_buffer(&r, &h->buffer[h->active]);
    h->active ^= 1;
    return charge_daemon(h, &r, cycle);
}

/* ---- the handler ---- */

static void collector_append(const struct collector *c, struct hart_driver *h, const struct sample_entry *e)
{
    struct overflow_buffer *b = &h->buffer[h->active];
    if (b->count == c->config.buffer_entries)
        h->account.lost += e->count;
    else
        b->entry[b->count++] = *e;
}

/* Stores a sample; returns the time of that alone. */
static uint64_t collector_store(const struct collector *c, struct hart_driver *h, const struct sample_entry *sample,
                                uint64_t cycle)
{
    const struct collect_config *k = &c->config;
    struct collect_account *a = &h->account;
    uint64_t around = k->free ? 0 : (uint64_t)k->entry + k->exit, time;
    if (h->flushing && cycle < h->busy_until) {
        collector_append(c, h, sample);
        a->bypassed++;
        a->bypass_cycles += time = k->free ? 0 : around + k->sample_bypass;
        return time;
    }
    struct sample_entry evicted;
    enum sample_outcome outcome = sample_table_add(h->table, sample->pid, sample->pc, sample->event, &evicted);
    if (outcome == SAMPLE_HIT) {
        a->hits++;
        a->hit_cycles += time = k->free ? 0 : around + k->sample_hit;
        return time;
    }
    if (outcome == SAMPLE_EVICTED)
        collector_append(c, h, &evicted);
    a->evicted += outcome == SAMPLE_EVICTED;
    a->filled += outcome == SAMPLE_FILLED;
    a->miss_cycles += time = k->free ? 0 : around + k->sample_miss;
    return time;
}

uint64_t collector_sample(struct collector *c, unsigned hart, uint32_t pid, uint64_t pc, uint32_t event, uint64_t cycle)
{
    struct hart_driver *h = &c->hart[hart];
    const struct sample_entry sample = {.pc = pc, .pid = pid, .event = event, .count = 1};
    h->account.samples++;
    uint64_t time = collector_store(c, h, &sample, cycle);
    bool idle = cycle >= h->busy_until;
    if (idle && cycle >= h->next_flush) {
        h->next_flush = cycle + c->config.drain_cycles;
        time += flush(c, h, cycle);
    } else if (idle && h->buffer[h->active].count == c->config.buffer_entries) {
        time += switch_buffers(c, h, cycle);
    }
    h->account.hart_cycles += time;
    return time;
}

void collector_finish(struct collector *c)
{
    for (unsigned n = 0; n < c->harts; n++) {
        struct hart_driver *h = &c->hart[n];
        struct reading r = {.collector = c};
        sample_table_flush(h->table, collector_read_entry, &r);
        read_buffer(&r, &h->buffer[h->active]);
        h->account.entries += r.entries;
    }
}

struct collect_account collector_account(const struct collector *c, unsigned hart) { return c->hart[hart].account; }
