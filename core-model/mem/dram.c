/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Main memory as row and bank timing, channel bandwidth and a queue. See dram.h. */
#include "core-model/mem/dram.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/status.h"

enum { BANK_IDLE_TIMES = 16, SHARED_IDLE_TIMES = 128 }; /* maximum numbers of idle intervals kept */

void dram_init(struct dram *d, const struct dram_timing *timing)
{
    *d = (struct dram){.timing = *timing, .line_bits = (uint32_t)__builtin_ctz(timing->line_bytes)};
    d->row_bits = timing->row_bytes != 0 ? (uint32_t)__builtin_ctz(timing->row_bytes) : 0;
    d->bank = xcalloc(timing->banks, sizeof *d->bank);
    for (uint32_t b = 0; b < timing->banks; b++)
        servers_init(&d->bank[b].time, 1, BANK_IDLE_TIMES, 1);
    servers_init(&d->channel, 1, SHARED_IDLE_TIMES, timing->line_cycles);
    servers_init(&d->queue, timing->queue != 0 ? timing->queue : 1, SHARED_IDLE_TIMES, timing->line_cycles);
}

void dram_fini(struct dram *d)
{
    for (uint32_t b = 0; b < d->timing.banks; b++)
        servers_fini(&d->bank[b].time);
    free(d->bank);
    servers_fini(&d->channel);
    servers_fini(&d->queue);
}

/* Bank mapping: banks interleave lines, or rows if configured. Higher address bits are XORed in, so that power-of-two
 * strides do not map to one bank. */
static struct dram_bank *dram_bank_of(const struct dram *d, uint64_t addr)
{
    uint64_t n = addr >> (d->row_bits != 0 ? d->row_bits : d->line_bits);
    return &d->bank[(n ^ n >> 5 ^ n >> 11) & (d->timing.banks - 1)];
}

static uint64_t dram_row_of(const struct dram *d, uint64_t addr) { return (addr >> d->row_bits) + 1; }

/* Resources of an access and their times. */
struct plan {
    struct dram_bank *bank;
    uint64_t row; /* row_of the open row after the access */
    bool row_hit, row_conflict;
    struct server_place in_queue, in_bank, on_channel;
    uint64_t bank_cycles, end; /* cycles for which the bank is busy; cycle of the last datum */
};

/* Cycles from the start in the bank to the first datum. A row hit frees the bank together with the channel. */
static uint64_t bank_latency(const struct dram *d, struct plan *p)
{
    const struct dram_timing *t = &d->timing;
    p->row_hit = d->row_bits != 0 && p->bank->row == p->row;
    p->row_conflict = d->row_bits != 0 && !p->row_hit && p->bank->row != 0;
    uint64_t extra = p->row_conflict ? t->precharge_cycles : 0;
    p->bank_cycles = p->row_hit ? t->line_cycles : extra + t->bank_cycles;
    return p->row_hit ? t->row_hit_cycles : extra + t->latency_cycles;
}

/* Plans an access. Its queue entry is held until the transfer ends. */
static void dram_plan(const struct dram *d, uint64_t addr, uint64_t now, struct plan *p)
{
    p->bank = dram_bank_of(d, addr);
    p->row = dram_row_of(d, addr);
    const uint64_t latency = bank_latency(d, p), line = d->timing.line_cycles;
    p->in_queue = (struct server_place){.start = now, .limit = SERVERS_NO_LIMIT};
    if (d->timing.queue != 0)
        servers_find(&d->queue, now, latency + line, 0, &p->in_queue);
    for (;;) {
        servers_find(&p->bank->time, p->in_queue.start, p->bank_cycles, 0, &p->in_bank);
        servers_find(&d->channel, p->in_bank.start + latency, line, 0, &p->on_channel);
        p->end = p->on_channel.start + line;
        if (p->end <= p->in_queue.limit)
            return;
        servers_find(&d->queue, now, latency + line, p->in_queue.start + 1, &p->in_queue);
    }
}

uint64_t dram_would_deliver(const struct dram *d, uint64_t addr, uint64_t now)
{
    struct plan p;
    dram_plan(d, addr, now, &p);
    return p.end;
}

uint64_t dram_access(struct dram *d, uint64_t addr, uint64_t now, int is_write)
{
    struct plan p;
    dram_plan(d, addr, now, &p);
    servers_book(&p.bank->time, &p.in_bank, p.in_bank.start + p.bank_cycles);
    servers_book(&d->channel, &p.on_channel, p.end);
    if (d->timing.queue != 0)
        servers_book(&d->queue, &p.in_queue, p.end);
    p.bank->row = p.row;
    d->row_hits += p.row_hit;
    d->row_conflicts += p.row_conflict;
    d->bank_conflicts += p.in_bank.start > p.in_queue.start;
    d->wait_cycles += p.in_bank.start - now;
    if (is_write)
        d->writes++;
    else
        d->reads++;
    return p.end;
}

void dram_warm(struct dram *d, uint64_t addr) { dram_bank_of(d, addr)->row = dram_row_of(d, addr); }

void dram_move(struct dram *d, struct checkpoint_stream *s)
{
    for (uint32_t b = 0; b < d->timing.banks; b++)
        CHECKPOINT_MOVE(s, d->bank[b].row);
}
