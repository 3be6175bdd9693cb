/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The core: construction, and the loop that runs the stages cycle by cycle and jumps over cycles in which nothing happens.
 * Entry points: core_new, core_run, core_free. */
#include <stdlib.h>

#include "core-model/pipe/wheel.h"

static void units_init(struct core *c)
{
    const struct core_config *cfg = &c->cfg;
#define PARAM(key, def, min, max, u, help)
#define UNIT(key, kind, n, lat, pipe, help) \
    c->unit[RV_UNIT_##kind] = (struct unit){.count = (uint8_t)cfg->key##_units, .latency = (uint8_t)cfg->key##_cycles, \
                                            .pipelined = cfg->key##_pipelined != 0, .used_cycle = UINT64_MAX};
#include "core-model/config.def"
#undef UNIT
#undef PARAM
    c->ports_cycle = UINT64_MAX;
}

static void ring_init(struct core *c)
{
    uint32_t size = 64;
    while (size < c->cfg.rob_entries + c->cfg.fetch_buffer)
        size *= 2;
    if (size > RING_MAX)
        BUG("%u instructions in flight", size);
    c->ring_mask = size - 1;
    c->ring_words = size / 64;
    c->slot = aligned_alloc(64, size * sizeof *c->slot);
    if (c->slot == NULL)
        BUG("out of memory");
    for (uint32_t i = 0; i < size; i++)
        c->slot[i] = (struct slot){.list = NIL};
    c->outcome = xcalloc(size, sizeof *c->outcome);
    c->history = xcalloc(size, sizeof *c->history);
    c->due = xcalloc(size, sizeof *c->due);
    c->predict = xcalloc(size, sizeof *c->predict);
    c->probe = xcalloc(size, sizeof *c->probe);
}

struct core *core_new(const struct core_config *config, struct guest *guest)
{
    struct core *c = xcalloc(1, sizeof *c);
    c->cfg = *config;
    c->guest = guest;
    c->hart = &guest->hart;
    c->next_seq = 1;
    c->wrong = c->fetch_line = c->fetch_page = UINT64_MAX;
    ring_init(c);
    units_init(c);
    rename_init(c);
    lsq_init(c);
    hierarchy_init(&c->mem, config);
    bpred_init(&c->bpred, config);
    return c;
}

void core_free(struct core *c)
{
    if (c == NULL)
        return;
    rename_fini(c);
    lsq_fini(c);
    hierarchy_fini(&c->mem);
    bpred_fini(&c->bpred);
    free(c->slot);
    free(c->outcome);
    free(c->history);
    free(c->due);
    free(c->predict);
    free(c->probe);
    free(c);
}

/* The number of cycles that this one stands for: more than one where nothing happens until the next event. */
static uint64_t cycle_length(const struct core *c)
{
    if (c->cycle.active || c->finished)
        return 1;
    uint64_t next = wheel_next(c);
    if (c->cycle.wake < next)
        next = c->cycle.wake;
    if (next == UINT64_MAX)
        BUG("cycle %llu: nothing will ever happen again", (unsigned long long)c->now);
    return next - c->now;
}

static void core_cycle_run(struct core *c)
{
    c->cycle = (struct cycle_report){.wake = UINT64_MAX};
    commit_tick(c);
    if (c->token_list.count > 0)
        probe_snapshot(c);
    if (!c->finished) {
        event_tick(c);
        issue_tick(c);
        rename_tick(c);
        store_tick(c);
        fetch_tick(c);
    }
    uint64_t cycles = cycle_length(c);
    stats_account(c, cycles);
    c->now += cycles;
    if (c->token_list.count > 0)
        probe_send_token(c, cycles);
}

enum rv_trap core_run(struct core *c, uint64_t max_insts)
{
    c->limit = max_insts > UINT64_MAX - c->retired ? UINT64_MAX : c->retired + max_insts;
    while (!c->finished && c->retired < c->limit) {
        if (c->hart->stop)
            return RV_TRAP_STOP;
        core_cycle_run(c);
    }
    c->hart->cycle = c->now;
    c->hart->instret = c->retired;
    return c->finished ? RV_TRAP_NONE : RV_TRAP_LIMIT;
}

uint64_t core_cycle(const struct core *c)
{
    return c->now;
}

uint64_t core_retired(const struct core *c)
{
    return c->retired;
}
