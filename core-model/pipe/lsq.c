/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load and store queues: address generation, store-to-load forwarding, memory ordering, and the accesses of retired
 * stores.
 *
 * A load searches for the youngest older store that overlaps it. If that store's address is known and it covers the
 * load, its data are forwarded when available. If it overlaps the load partly, the load waits until the store is in the
 * cache. If its address is unknown, the load proceeds speculatively; the model, which knows all addresses, records the
 * violation with the store. When the store's address is generated, the load is marked, and is refetched when it is the
 * oldest instruction (TIP paper: a flush attributed to the load). A PC-indexed table then makes this load wait for the
 * addresses of older stores (store-wait bits of the 21264). A counting filter over 8-byte granules spares most loads
 * the search. Store data enter the queue in the cycle after their register is written. A load that issues in the cycle
 * of that write searches in the next cycle and finds the data; so does a waiting load.
 *
 * Simplifications: the search happens when the load issues, one address generation earlier than in hardware; stores
 * access the cache in order, and several can miss concurrently; loads read memory when they are fetched, in program
 * order, so a store of another hart never squashes them. */
#include <stdlib.h>
#include <string.h>

#include "core-model/pipe/outside.h"

void lsq_init(struct ooo *c)
{
    uint32_t size = 1;
    while (size < c->cfg.store_queue)
        size *= 2;
    c->store_mask = size - 1;
    c->store = xcalloc(size, sizeof *c->store);
    c->list_head = xmalloc((WHEEL_CYCLES + size) * sizeof *c->list_head);
    memset(c->list_head, 0xff, (WHEEL_CYCLES + size) * sizeof *c->list_head);
    c->store_wait = xcalloc(c->cfg.store_wait_entries, 1);
    c->store_wait_until = c->cfg.store_wait_reset;
}

void lsq_fini(struct ooo *c)
{
    free(c->store);
    free(c->list_head);
    free(c->store_wait);
}

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

void lsq_rename(struct ooo *c, uint32_t i)
{
    struct slot *s = &c->slot[i];
    s->store_mark = c->store_tail;
    if (is_kind(s, RV_UNIT_LOAD)) {
        c->loads++;
        return;
    }
    lsq_enter_store(c, i);
}

void lsq_forget(struct ooo *c, uint32_t stores)
{
    for (; stores > 0; stores--)
        store_filter_count(c, store_at(c, --c->store_tail), -1);
}

void lsq_squash(struct ooo *c, uint32_t i)
{
    if (is_kind(&c->slot[i], RV_UNIT_LOAD)) {
        c->loads--;
        return;
    }
    c->store_tail--;
    if ((int32_t)(c->store_unknown - c->store_tail) > 0)
        c->store_unknown = c->store_tail;
}

void lsq_show_store(struct ooo *c, struct store *st)
{
    if (st->bytes != 0 && !st->performed)
        front_perform(&c->front);
    st->performed = true;
}

void lsq_free(struct ooo *c)
{
    if (c->store_head != c->store_send)
        lsq_free_stores(c);
}

void lsq_perform(struct ooo *c)
{
    lsq_free(c);
    if (c->store_head != c->store_send)
        core_wake_at(c, store_at(c, c->store_head)->done_cycle);
}

void lsq_drain(struct ooo *c)
{
    if (!c->shares)
        return;
    for (uint32_t n = c->store_head; n != c->store_commit; n++)
        lsq_show_store(c, store_at(c, n));
}

/* Returns whether a store older than the mark has no address yet. Sets store_unknown to the oldest such store. */
static bool older_unknown(struct ooo *c, uint32_t mark)
{
    if ((int32_t)(c->store_unknown - c->store_head) < 0)
        c->store_unknown = c->store_head;
    while (c->store_unknown != c->store_tail && store_at(c, c->store_unknown)->known)
        c->store_unknown++;
    return (int32_t)(mark - c->store_unknown) > 0;
}

static void note_overtaken(struct store *st, const struct ooo *c, uint32_t i)
{
    uint64_t position = c->head + ((i - (uint32_t)c->head) & c->ring_mask);
    bool live = st->violator_seq != 0 && c->slot[st->violator & c->ring_mask].seq == st->violator_seq;
    if (!live || position < st->violator) {
        st->violator = position;
        st->violator_seq = c->slot[i].seq;
    }
}

/* The youngest older store with a known address that overlaps the load, or NULL; `knows`: also one without, whose
 * address the load is to wait for. */
static struct store *search_stores(struct ooo *c, uint32_t i, bool knows, uint32_t *at)
{
    struct overlaps v = lsq_search(c, i);
    while (lsq_next_overlap(c, i, &v)) {
        struct store *st = store_at(c, v.at);
        if (st->known || knows) {
            *at = v.at;
            return st;
        }
        note_overtaken(st, c, i);
    }
    return NULL;
}

/* A load or store whose line is on its way to another hart waits until it has arrived there, but only once: atomics do
 * not wait, and could keep the line from it for ever. */
static void access_cache(struct ooo *c, uint32_t i, uint64_t when, bool is_write)
{
    struct slot *s = &c->slot[i];
    uint64_t busy_until = c->shares ? hierarchy_busy_until(&c->mem, c->outcome[i].ea, when, is_write) : 0;
    if (busy_until != 0 && is_kind(s, RV_UNIT_LOAD) && !(s->flags & SLOT_AWAITED)) {
        s->flags |= SLOT_RETRY | SLOT_AWAITED;
        cycle_schedule(c, i, busy_until);
        return;
    }
    lsq_access(c, i, when, is_write);
}

/* Returns the cycle with the translation. */
static uint64_t translate_once(struct ooo *c, uint32_t i, uint64_t when)
{
    struct slot *s = &c->slot[i];
    bool absent;
    if (s->flags & SLOT_TRANSLATED)
        return when;
    s->flags |= SLOT_TRANSLATED;
    when = lsq_translate(c, i, when, &absent);
    if (absent)
        s->trap = RV_TRAP_PAGE;
    return when;
}

/* Makes the load retry later; counts its first wait. */
static void load_wait(struct ooo *c, struct slot *s)
{
    c->stats.blocked_loads += (s->flags & SLOT_BLOCKED) == 0;
    s->flags |= SLOT_RETRY | SLOT_BLOCKED;
}

/* Blocks the load, whose translation is available at `when`, on the store in entry `at`. */
static void load_block(struct ooo *c, uint32_t i, uint32_t at, uint64_t when)
{
    load_wait(c, &c->slot[i]);
    c->due[i] = when;
    list_add(c, wheel_store_list(c, at), i);
}

/* Access of a load whose address is known at `when`: store queue first, then cache. */
static void load_access(struct ooo *c, uint32_t i, uint64_t when)
{
    struct slot *s = &c->slot[i];
    uint32_t at = 0;
    s->flags &= (uint16_t)~SLOT_RETRY;
    when = translate_once(c, i, when);
    if (s->trap != RV_TRAP_NONE) {
        cycle_schedule(c, i, when);
        return;
    }
    lsq_free(c);
    const uint32_t causes = ideal_of(c, s->pc);
    const bool knows = (causes & IDEAL_ORDERING) != 0, gets = (causes & IDEAL_FORWARD) != 0;
    if (!knows && lsq_must_wait(c, i) && older_unknown(c, s->store_mark)) {
        load_block(c, i, c->store_unknown, when);
        return;
    }
    struct store *st = search_stores(c, i, knows, &at);
    bool sent = st != NULL && (int32_t)(c->store_send - at) > 0;
    uint64_t done = sent ? lsq_store_done(c, at) : 0;
    if (st == NULL || (sent && done <= c->now)) {
        access_cache(c, i, when, false);
        return;
    }
    if (gets || (lsq_covers(c, i, at) && st->ready)) {
        stage_event(c, s, PROBE_FORWARDED);
        c->stats.forwarded++;
        cycle_schedule(c, i, (gets ? when : later(when, st->data_cycle)) + c->cfg.forward_cycles);
    } else if (sent) {
        load_wait(c, s);
        cycle_schedule(c, i, later(when, done));
    } else {
        load_block(c, i, at, when);
    }
}

/* Retries a blocked load, whose translation is available at `when`. */
static void load_retry(struct ooo *c, uint32_t i, uint64_t when)
{
    c->stats.load_retries++;
    load_access(c, i, when);
}

void lsq_issue(struct ooo *c, uint32_t i)
{
    struct slot *s = &c->slot[i];
    const struct rv_outcome *o = &c->outcome[i];
    uint64_t when = c->now + c->units.latency[s->insn->unit];
    bool accesses = s->trap == RV_TRAP_NONE && o->mem_bytes != 0;
    if (is_kind(s, RV_UNIT_STORE)) {
        store_at(c, s->store_mark)->known = true;
        cycle_schedule(c, i, accesses ? translate_once(c, i, when) : when);
    } else if (!accesses) {
        cycle_schedule(c, i, when);
    } else if (is_kind(s, RV_UNIT_LOAD)) {
        load_access(c, i, when);
    } else {
        when = translate_once(c, i, when);
        if (s->trap == RV_TRAP_NONE)
            access_cache(c, i, when, true);
        else
            cycle_schedule(c, i, when);
    }
}

/* Schedules a retry of the loads that wait for this store. */
static void wake_loads(struct ooo *c, uint32_t at)
{
    uint16_t i = c->list_head[wheel_store_list(c, at)];
    while (i != NIL) { /* loads that remain blocked are inserted again, before `i` or in another list */
        uint16_t next = c->slot[i].next;
        list_remove(c, i);
        load_retry(c, i, later(c->now, c->due[i]));
        i = next;
    }
}

/* At address generation of a store: checks for a memory-ordering violation. */
static void check_violation(struct ooo *c, const struct store *st)
{
    if (st->violator_seq == 0)
        return;
    struct slot *load = &c->slot[st->violator & c->ring_mask];
    if (load->seq != st->violator_seq || st->violator >= c->rob_tail || st->violator < c->head)
        return;
    if (!(load->flags & SLOT_REPLAY))
        stage_event(c, load, PROBE_REPLAYED);
    load->flags |= SLOT_REPLAY;
    lsq_set_wait(c, (uint32_t)(load - c->slot));
}

static void store_complete(struct ooo *c, uint32_t i)
{
    uint32_t at = c->slot[i].store_mark;
    store_at(c, at)->ready = true;
    issue_complete(c, i);
    wake_loads(c, at);
}

void lsq_event(struct ooo *c, uint32_t i)
{
    struct slot *s = &c->slot[i];
    if (is_kind(s, RV_UNIT_LOAD)) {
        load_retry(c, i, c->now);
        return;
    }
    s->flags |= SLOT_ADDRESS;
    check_violation(c, store_at(c, s->store_mark));
    if (s->flags & SLOT_DATA)
        store_complete(c, i);
    else
        wake_loads(c, s->store_mark);
}

void lsq_store_data(struct ooo *c, uint32_t i)
{
    store_at(c, c->slot[i].store_mark)->data_cycle = c->now + 1;
    if (c->slot[i].flags & SLOT_ADDRESS)
        store_complete(c, i);
}

/* Sends retired stores to the cache in order. */
void store_tick(struct ooo *c)
{
    for (uint32_t n = 0; n < c->cfg.store_drain && c->store_send != c->store_commit; n++) {
        struct store *st = store_at(c, c->store_send);
        if (c->shares && st->done_cycle == 0)
            st->done_cycle = later(hierarchy_busy_until(&c->mem, st->ea, c->now, true), c->now);
        if (c->shares && st->done_cycle > c->now) {
            core_wake_at(c, st->done_cycle);
            return;
        }
        const uint32_t at = c->store_send;
        lsq_send_store(c);
        uint16_t i;
        while ((i = c->list_head[wheel_store_list(c, at)]) != NIL) {
            list_remove(c, i);
            cycle_schedule(c, i, later(store_at(c, at)->done_cycle, c->due[i]));
        }
        c->cycle.active = true;
    }
}
