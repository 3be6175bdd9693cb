/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/harts.h"

#include <stdlib.h>

#include "core-model/engine.h"

enum { TURN_CYCLES = 1, RESERVATION_BITS = 6 /* the reservation set is an aligned block of 64 bytes */ };

struct one {
    struct core *core;
    struct front *front; /* of the core */
    struct guest guest;  /* of hart 0: not used */
    struct guest *view;
    struct store_buffer stores;
};

struct harts {
    struct directory *directory;
    unsigned count;
    struct one *hart[GUEST_HARTS_MAX];    /* owned, except hart 0's core */
    uint64_t now;                         /* the cycle that all harts have reached; idle ones may be behind */
    uint64_t entries;                     /* guest_process.entries for which `wake` is set */
    uint64_t wake[GUEST_HARTS_MAX];       /* cycle of the hart's next action; UINT64_MAX: see `due` */
    const uint64_t *due[GUEST_HARTS_MAX]; /* of an idle hart: cycle of its next interrupt; else of no interrupt */
};

/* A store of another hart to the reservation set ends the reservation. */
static void performed(void *ctx, const struct hart *by, uint64_t addr, unsigned size_bytes)
{
    struct harts *h = ctx;
    for (unsigned n = 0; n < h->count; n++) {
        struct hart *other = &h->hart[n]->view->hart;
        uint64_t set = other->reservation >> RESERVATION_BITS;
        if (other != by && other->reservation != UINT64_MAX && addr >> RESERVATION_BITS <= set &&
            set <= (addr + size_bytes - 1) >> RESERVATION_BITS)
            other->reservation = UINT64_MAX;
    }
}

static void quiesce(void *ctx, struct guest *of)
{
    struct harts *h = ctx;
    for (unsigned n = 0; n < h->count; n++)
        if (h->hart[n]->view == of)
            h->hart[n]->core->engine->quiesce(h->hart[n]->core->self);
}

/* Advances the clock of an idle hart, unless the guest has exited or the run is to stop. */
static void harts_catch_up(struct one *o, uint64_t now)
{
    uint64_t before = UINT64_MAX;
    while (o->front->halted && core_clock(o->core) < now && core_clock(o->core) != before) {
        before = core_clock(o->core);
        (void)o->core->engine->advance(o->core->self, UINT64_MAX, now);
    }
}

static struct hierarchy *caches_of(const struct one *o) { return o->core->engine->parts(o->core->self).mem; }

static void harts_connect(struct harts *h, struct one *o)
{
    o->front = o->core->engine->parts(o->core->self).front;
    hierarchy_join(caches_of(o), caches_of(h->hart[0]), h->directory);
    o->view->hart.stores = &o->stores;
    o->front->performed = performed;
    o->front->performed_ctx = h;
}

enum status harts_check(const struct core_config *c, unsigned count, struct errmsg *err)
{
    if (count > 1 && c->llc_bytes == 0)
        return fail(
            err, ST_INPUT,
            "several harts share a last-level cache, which this configuration lacks: expected llc_bytes above 0 "
            "(--set llc_bytes=4M)");
    return ST_OK;
}

enum status harts_new(struct harts **out, struct core *first, unsigned count, struct errmsg *err)
{
    struct engine_parts parts = first->engine->parts(first->self);
    struct harts *h = xcalloc(1, sizeof *h);
    h->now = core_clock(first);
    h->directory = directory_new(parts.mem, parts.config->transfer_cycles, parts.config->invalidate_cycles);
    for (unsigned n = 0; n < count; n++) {
        struct one *o = h->hart[n] = xcalloc(1, sizeof *o);
        o->view = n == 0 ? parts.guest : &o->guest;
        enum status st = n == 0 ? ST_OK : guest_add_hart(&o->guest, parts.guest, err);
        if (st != ST_OK) {
            free(o);
            harts_free(h);
            return st;
        }
        o->core = n == 0 ? first : core_new(parts.config, o->view);
        h->count++;
        harts_connect(h, o);
    }
    guest_set_quiesce(parts.guest, quiesce, h);
    *out = h;
    return ST_OK;
}

void harts_free(struct harts *h)
{
    if (h == NULL)
        return;
    for (unsigned n = h->count; n-- > 0;) {
        if (n > 0) {
            core_free(h->hart[n]->core);
            guest_remove_hart(&h->hart[n]->guest);
        }
        h->hart[n]->view->hart.stores = NULL;
        free(h->hart[n]);
    }
    directory_free(h->directory);
    free(h);
}

unsigned harts_count(const struct harts *h) { return h->count; }
struct core *harts_core(const struct harts *h, unsigned n) { return h->hart[n]->core; }

/* Sets when the hart acts next: a running one, and one whose stores are on their way, at its clock; an idle one at once
 * if a kernel entry has changed its alarm, otherwise at its next interrupt, which a co-processor may raise at any
 * time. */
static void harts_expect(struct harts *h, unsigned n)
{
    static const uint64_t never = UINT64_MAX;
    const struct one *o = h->hart[n];
    bool idle = o->front->halted && !o->core->engine->has_stores(o->core->self);
    bool changed = o->front->alarm_cycle != o->view->alarm_cycle;
    h->wake[n] = !idle ? core_clock(o->core) : changed ? 0 : UINT64_MAX;
    h->due[n] = idle ? &o->front->interrupt->due : &never;
}

static void expect_all(struct harts *h)
{
    h->entries = h->hart[0]->view->process->entries;
    for (unsigned n = 0; n < h->count; n++)
        harts_expect(h, n);
}

/* Lets each hart run up to cycle `until`. Returns RV_TRAP_STOP when all have reached it; *acted tells whether any hart
 * had something to do. */
static enum rv_trap harts_turn(struct harts *h, uint64_t *left, uint64_t until, bool *acted)
{
    *acted = false;
    for (unsigned n = 0; n < h->count; n++) {
        if (h->wake[n] >= until && *h->due[n] >= until)
            continue;
        struct core *c = h->hart[n]->core;
        uint64_t before = core_retired(c);
        *acted = true;
        harts_catch_up(h->hart[n], until - TURN_CYCLES);
        front_follow_kernel(h->hart[n]->front, core_clock(c), before);
        enum rv_trap trap = c->engine->advance(c->self, *left, until);
        *left -= core_retired(c) - before;
        if (trap != RV_TRAP_STOP || *left == 0)
            return trap != RV_TRAP_STOP ? trap : RV_TRAP_LIMIT;
        harts_expect(h, n);
        if (h->entries != h->hart[0]->view->process->entries)
            expect_all(h);
    }
    return RV_TRAP_STOP;
}

/* The first cycle in which a hart acts. */
static uint64_t next_action(const struct harts *h)
{
    uint64_t next = UINT64_MAX;
    for (unsigned n = 0; n < h->count; n++) {
        uint64_t at = h->wake[n] < *h->due[n] ? h->wake[n] : *h->due[n];
        next = at < next ? at : next;
    }
    if (next == UINT64_MAX)
        BUG("cycle %llu: all harts are idle for ever", (unsigned long long)h->now);
    return next;
}

enum rv_trap harts_run(struct harts *h, uint64_t max_insts)
{
    enum rv_trap trap = RV_TRAP_STOP;
    uint64_t left = max_insts;
    bool acted = true;
    for (unsigned n = 0; n < h->count; n++)
        core_start(h->hart[n]->core);
    expect_all(h);
    while (trap == RV_TRAP_STOP && !h->hart[0]->view->hart.stop) {
        uint64_t from = acted ? h->now : next_action(h);
        trap = harts_turn(h, &left, from + TURN_CYCLES, &acted);
        h->now = trap != RV_TRAP_LIMIT ? from + TURN_CYCLES : from;
    }
    for (unsigned n = 0; n < h->count; n++) {
        harts_catch_up(h->hart[n], h->now);
        core_stop(h->hart[n]->core, trap);
    }
    directory_check(h->directory);
    return trap;
}

void harts_empty(struct harts *h)
{
    for (unsigned n = 0; n < h->count; n++)
        core_empty(h->hart[n]->core);
}

void harts_begin(struct harts *h)
{
    for (unsigned n = 0; n < h->count; n++)
        core_begin(h->hart[n]->core);
}

void harts_end(struct harts *h)
{
    for (unsigned n = 0; n < h->count; n++)
        core_end(h->hart[n]->core);
}

uint64_t harts_retired(const struct harts *h)
{
    uint64_t sum = 0;
    for (unsigned n = 0; n < h->count; n++)
        sum += core_retired(h->hart[n]->core);
    return sum;
}
