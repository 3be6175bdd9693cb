/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The core: construction, and the main loop, which runs the stages cycle by cycle and skips idle cycles. Entry point:
 * ooo_engine. */
#include <stdlib.h>
#include <string.h>

#include "core-model/pipe/idealised.h"
#include "core-model/pipe/memo/memo.h"
#include "core-model/pipe/wheel.h"

static void units_init(struct ooo *c)
{
    const struct core_config *cfg = &c->cfg;
    struct units *u = &c->units;
    u->busy_until = xcalloc(UNITS_MAX, sizeof *u->busy_until);
#define PARAM(key, def, min, max, unit, help)
#define UNIT(key, kind, n, lat, pipe, help)                   \
    u->count[RV_UNIT_##kind] = (uint8_t)cfg->key##_units;     \
    u->latency[RV_UNIT_##kind] = (uint16_t)cfg->key##_cycles; \
    u->unpipelined |= (uint32_t)(cfg->key##_pipelined == 0) << RV_UNIT_##kind;
#include "core-model/config/config.def"
}

static void ring_init(struct ooo *c)
{
    /* Slots of committed instructions remain valid until the end of the cycle, that of the youngest until the next
     * commit, and those of pending commits until they are sent. */
    enum { KEPT = 64 };
    const uint32_t used = c->cfg.rob_entries + c->cfg.fetch_buffer + c->cfg.commit_width;
    uint32_t size = 64;
    while (size < used + KEPT)
        size *= 2;
    c->pending.most = size - used < PROBE_COMMITS ? size - used : PROBE_COMMITS;
    if (size > RING_MAX)
        BUG("%u instructions in flight", size);
    c->ring_mask = size - 1;
    c->ring_words = size / 64;
    c->slot = aligned_alloc(64, (size + SLOTS_BEHIND) * sizeof *c->slot);
    if (c->slot == NULL)
        out_of_memory();
    for (uint32_t i = 0; i < size + SLOTS_BEHIND; i++)
        c->slot[i] = (struct slot){.list = NIL};
    c->outcome = xcalloc(size, sizeof *c->outcome);
    c->history = xcalloc(size, sizeof *c->history);
    c->tags = xcalloc(size, sizeof *c->tags);
    c->due = xcalloc(size, sizeof *c->due);
    c->causes.translated = xcalloc(size, sizeof *c->causes.translated);
    memset(c->causes.packet_waited, TOPDOWN_FETCH_OTHER, sizeof c->causes.packet_waited);
    c->predict = xcalloc(size, sizeof *c->predict);
    c->probe = xcalloc(size, sizeof *c->probe);
    for (int n = 0; n < 2; n++)
        c->soon[n] = xcalloc(size, sizeof *c->soon[n]);
}

static void *ooo_new(const struct core_config *config, struct guest *guest)
{
    struct ooo *c = xcalloc(1, sizeof *c);
    c->cfg = *config;
    interrupt_init(&c->interrupt);
    front_init(&c->front, guest, &c->cfg, &c->bpred, &c->stats, &c->interrupt, &c->port, commit_alarm, c);
    c->front.outside = &c->outside;
    probe_port_init(&c->port);
    stats_begin(c);
    c->offender_head = c->handled_head = UINT64_MAX;
    ring_init(c);
    units_init(c);
    rename_init(c);
    lsq_init(c);
    hierarchy_init(&c->mem, config);
    bpred_init(&c->bpred, config);
    return c;
}

static void ooo_free(void *self)
{
    struct ooo *c = self;
    memo_free(c);
    probe_port_fini(&c->port);
    rename_fini(c);
    lsq_fini(c);
    hierarchy_fini(&c->mem);
    bpred_fini(&c->bpred);
    free(c->slot);
    free(c->outcome);
    free(c->history);
    free(c->tags);
    free(c->due);
    free(c->causes.translated);
    free(c->predict);
    free(c->probe);
    free(c->soon[0]);
    free(c->soon[1]);
    free(c->units.busy_until);
    free(c);
}

static void ooo_start(void *self)
{
    struct ooo *c = self;
    c->merged_to = c->now;
    c->shares = c->front.hart->stores != NULL;
    if (c->memo != NULL)
        memo_restart(c);
}

static enum rv_trap ooo_advance(void *self, uint64_t max_insts, uint64_t until)
{
    struct ooo *c = self;
    c->limit = max_insts > UINT64_MAX - c->retired ? UINT64_MAX : c->retired + max_insts;
    c->until = until;
    if (c->ideal != NULL) {
        while (core_goes_on(c))
            ideal_cycle_tick(c);
    } else if (c->memo != NULL && !c->shares) {
        while (core_goes_on(c))
            memo_step(c);
        if (c->port.merged.counts)
            memo_flush(c);
    } else {
        while (core_goes_on(c))
            core_cycle_tick(c);
    }
    if (!c->finished && c->retired < c->limit)
        return RV_TRAP_STOP;
    return c->finished ? RV_TRAP_NONE : RV_TRAP_LIMIT;
}

static void ooo_stop(void *self, enum rv_trap trap)
{
    struct ooo *c = self;
    if (c->port.merged.count != 0) {
        probe_merge_stall(c, c->now);
        probe_merge_flush(c);
    }
    if (trap != RV_TRAP_STOP)
        front_update_counters(&c->front, c->now, c->retired);
}

static void ooo_quiesce(void *self)
{
    struct ooo *c = self;
    uint64_t from = commit_first_squashable(c);
    if (from != c->fetch_tail) {
        const struct slot *oldest = &c->slot[from & c->ring_mask];
        squash_redirect(c, from, oldest->pc, c->history[from & c->ring_mask], PROBE_CAUSE_INTERRUPT);
    }
    lsq_drain(c);
}

static bool ooo_has_stores(const void *self)
{
    const struct ooo *c = self;
    return c->store_head != c->store_commit;
}

/* Counts the visits of memoised cycles, which are not for later observers or statistics. */
static void settle_visits(struct ooo *c)
{
    if (c->memo != NULL)
        memo_flush(c);
}

static void ooo_attach(void *self) { settle_visits(self); }

static void ooo_begin(void *self)
{
    struct ooo *c = self;
    if (c->head != c->fetch_tail) {
        const struct slot *oldest = &c->slot[c->head & c->ring_mask];
        squash_redirect(c, c->head, oldest->pc, c->history[c->head & c->ring_mask], PROBE_CAUSE_SERIALISE);
    }
    settle_visits(c);
    stats_begin(c);
    c->targets = fetch_targets(c);
    hierarchy_forget_counts(&c->mem, c->now);
    c->begin_cycle = c->port.retired_before = c->now;
    /* Functional warming has advanced the guest's counters. */
    front_take_over(&c->front, c->now, c->retired);
    c->begin_retired = c->retired;
}

static struct engine_counts ooo_counts(const void *self)
{
    const struct ooo *c = self;
    return (struct engine_counts){c->now, c->now - c->begin_cycle, c->retired - c->begin_retired};
}

static struct engine_parts ooo_parts(void *self)
{
    struct ooo *c = self;
    return (struct engine_parts){.guest = c->front.guest,
                                 .front = &c->front,
                                 .mem = &c->mem,
                                 .bpred = &c->bpred,
                                 .history = &c->front.history,
                                 .port = &c->port,
                                 .interrupt = &c->interrupt,
                                 .config = &c->cfg};
}

static struct core_stats ooo_stats(const void *self)
{
    const struct ooo *c = self;
    struct core_stats s = c->stats;
    s.retired = c->retired - c->begin_retired;
    stats_add_recent(c, &s);
    stats_add_outside(c, &s);
    if (c->memo != NULL)
        memo_add(c->memo, &s);
    front_count_idle(&c->front, &s, c->now);
    stats_collect(&s, &c->mem, c->now);
    return s;
}

static void ooo_idealise(void *self, const struct ideal *ideal) { ((struct ooo *)self)->ideal = ideal; }
static void ooo_memoise(void *self, uint64_t bytes, bool checks) { memo_make(self, bytes, checks); }

static struct memo_counts ooo_memo_counts(const void *self)
{
    const struct ooo *c = self;
    return c->memo != NULL ? memo_read_counts(c->memo) : (struct memo_counts){0};
}

const struct engine ooo_engine = {
    .make = ooo_new,
    .release = ooo_free,
    .parts = ooo_parts,
    .start = ooo_start,
    .advance = ooo_advance,
    .stop = ooo_stop,
    .quiesce = ooo_quiesce,
    .empty = ooo_quiesce,
    .has_stores = ooo_has_stores,
    .attach = ooo_attach,
    .begin = ooo_begin,
    .counts = ooo_counts,
    .stats = ooo_stats,
    .idealise = ooo_idealise,
    .memoise = ooo_memoise,
    .memo_counts = ooo_memo_counts,
    .check = ooo_check,
    .print = ooo_print,
};
