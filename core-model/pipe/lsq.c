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

#include "core-model/pipe/memo/logging.h"
#include "core-model/pipe/wheel.h"

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

static struct store *store_at(struct ooo *c, uint32_t at) { return &c->store[at & c->store_mask]; }

/* Adds the store's 8-byte granules to the filter or removes them. */
static void filter_count(struct ooo *c, const struct store *st, int by)
{
    if (st->bytes == 0)
        return;
    uint64_t first = st->ea >> 3, last = (st->ea + st->bytes - 1) >> 3;
    c->store_filter[first % STORE_FILTER] = (uint16_t)(c->store_filter[first % STORE_FILTER] + by);
    if (last != first)
        c->store_filter[last % STORE_FILTER] = (uint16_t)(c->store_filter[last % STORE_FILTER] + by);
}

static bool filter_may_hit(const struct ooo *c, const struct rv_outcome *o)
{
    return (c->store_filter[(o->ea >> 3) % STORE_FILTER] |
            c->store_filter[((o->ea + o->mem_bytes - 1) >> 3) % STORE_FILTER]) != 0;
}

void enter_store_perform(struct ooo *c, uint32_t i)
{
    struct slot *s = &c->slot[i];
    const struct rv_outcome *o = &c->outcome[i];
    s->store_mark = c->store_tail;
    struct store *st = store_at(c, c->store_tail++);
    *st = (struct store){.ea = o->ea, .index = i, .bytes = s->trap == RV_TRAP_NONE ? o->mem_bytes : 0};
    filter_count(c, st, 1);
}

void lsq_rename(struct ooo *c, uint32_t i)
{
    struct slot *s = &c->slot[i];
    s->store_mark = c->store_tail;
    if (is_kind(s, RV_UNIT_LOAD)) {
        c->loads++;
        return;
    }
    uint64_t none;
    const uint32_t at = effect_place(c, i);
    if (!effect_replayed(c, EFFECT_ENTER_STORE, at, 0, &none)) {
        enter_store_perform(c, i);
        log_effect(c, EFFECT_ENTER_STORE, at, 0, 0);
    } else { /* the entry may be that of a store which has left the queue in this cycle */
        struct store *st = store_at(c, c->store_tail++);
        st->known = st->ready = false;
        st->data_cycle = st->violator_seq = 0;
    }
}

void lsq_forget(struct ooo *c, uint32_t stores)
{
    for (; stores > 0; stores--)
        filter_count(c, store_at(c, --c->store_tail), -1);
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

static __attribute__((noinline)) void pipe_lsq_perform(struct ooo *c, struct store *st)
{
    if (st->bytes != 0 && !st->performed)
        front_perform(&c->front);
    st->performed = true;
}

uint32_t free_stores_perform(struct ooo *c)
{
    const uint32_t first = c->store_head;
    while (c->store_head != c->store_send && store_at(c, c->store_head)->done_cycle <= c->now) {
        if (c->shares)
            pipe_lsq_perform(c, store_at(c, c->store_head));
        filter_count(c, store_at(c, c->store_head++), -1);
    }
    return c->store_head - first;
}

void lsq_free(struct ooo *c)
{
    uint64_t count;
    if (c->store_head == c->store_send)
        return;
    if (effect_replayed(c, EFFECT_FREE_STORES, 0, 0, &count)) {
        c->store_head += (uint32_t)count;
        return;
    }
    count = free_stores_perform(c);
    log_effect(c, EFFECT_FREE_STORES, 0, 0, count);
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
        pipe_lsq_perform(c, store_at(c, n));
}

static uint8_t *wait_bit(struct ooo *c, uint64_t pc)
{
    if (c->now >= c->store_wait_until) {
        memset(c->store_wait, 0, c->cfg.store_wait_entries);
        c->store_wait_until = c->now + c->cfg.store_wait_reset;
    }
    return &c->store_wait[(pc >> 1) & (c->cfg.store_wait_entries - 1)];
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

static inline bool overlaps(const struct store *st, const struct rv_outcome *o)
{
    return st->bytes != 0 && o->ea + o->mem_bytes > st->ea && st->ea + st->bytes > o->ea;
}

static __attribute__((noinline)) uint64_t find_overlaps(struct ooo *c, const struct rv_outcome *o, uint32_t mark)
{
    uint64_t over = 0, bit = 1;
    for (uint32_t n = mark; n != c->store_head; bit <<= 1)
        over |= overlaps(store_at(c, --n), o) ? bit : 0;
    return over;
}

uint64_t search_perform(struct ooo *c, uint32_t i, uint32_t mark)
{
    const struct rv_outcome *o = &c->outcome[i];
    return filter_may_hit(c, o) ? find_overlaps(c, o, mark) : 0;
}

uint64_t covers_perform(struct ooo *c, uint32_t i, uint32_t at)
{
    const struct rv_outcome *o = &c->outcome[i];
    const struct store *st = store_at(c, at);
    return st->ea <= o->ea && o->ea + o->mem_bytes <= st->ea + st->bytes;
}

/* The youngest older store with a known address that overlaps the load, or NULL. */
static struct store *search_stores(struct ooo *c, uint32_t i, uint32_t *at)
{
    const struct rv_outcome *o = &c->outcome[i];
    if (!filter_may_hit(c, o))
        return NULL;
    for (uint32_t n = c->slot[i].store_mark; n != c->store_head;) {
        struct store *st = store_at(c, --n);
        if (!overlaps(st, o))
            continue;
        if (st->known) {
            *at = n;
            return st;
        }
        note_overtaken(st, c, i);
    }
    return NULL;
}

/* Search by an effect, which has all stores that overlap: whether an address is known is a part of the state. */
static struct store *search_logged(struct ooo *c, uint32_t i, uint32_t *at)
{
    const uint32_t mark = c->slot[i].store_mark, place = effect_place(c, i);
    uint64_t over;
    if (!effect_replayed(c, EFFECT_SEARCH, place, mark - c->store_head, &over)) {
        over = search_perform(c, i, mark);
        log_effect(c, EFFECT_SEARCH, place, mark - c->store_head, over);
    }
    for (; over != 0; over &= over - 1) {
        const uint32_t n = mark - 1 - (uint32_t)__builtin_ctzll(over);
        struct store *st = store_at(c, n);
        if (st->known) {
            *at = n;
            return st;
        }
        note_overtaken(st, c, i);
    }
    return NULL;
}

static inline bool covers(struct ooo *c, uint32_t i, uint32_t at)
{
    uint64_t all;
    const uint32_t place = effect_place(c, i);
    if (!effect_replayed(c, EFFECT_COVERS, place, at - c->store_head, &all)) {
        all = covers_perform(c, i, at);
        log_effect(c, EFFECT_COVERS, place, at - c->store_head, all);
    }
    return all != 0;
}

/* Accesses the cache. Returns the cycle in which the data are available. */
static inline uint64_t access_now(struct ooo *c, uint32_t i, uint64_t when, bool is_write)
{
    const struct rv_outcome *o = &c->outcome[i];
    struct slot *s = &c->slot[i];
    struct cache_result r = hierarchy_data(&c->mem, o->ea, o->mem_bytes, when, is_write);
    s->level = (uint8_t)r.level;
    if (r.level != MEM_LEVEL_L1) {
        probe_event(c, s, data_miss_events(&c->mem, r.level));
        c->probe[i].evicted = c->mem.evicted;
    }
    return r.done;
}

enum { ACCESS_DONE_SHIFT = 8 };

uint64_t access_perform(struct ooo *c, uint32_t i, uint64_t when, bool is_write)
{
    const uint64_t done = access_now(c, i, when, is_write);
    const uint8_t level = c->slot[i].level;
    /* A miss beyond the wheel's horizon is no outstanding miss: its event is rescheduled, and its state not packed. */
    if (done == when + c->mem.l1d.hit_cycles || done - c->now >= WHEEL_CYCLES - 1)
        return (done - c->now) << ACCESS_DONE_SHIFT | level;
    misses_add(c, i, done);
    return (uint64_t)EFFECT_MISS << ACCESS_DONE_SHIFT | level;
}

/* A load or store whose line is on its way to another hart waits until it has arrived there, but only once: atomics do
 * not wait, and could keep the line from it for ever. */
static void access_cache(struct ooo *c, uint32_t i, uint64_t when, bool is_write)
{
    struct slot *s = &c->slot[i];
    uint64_t busy_until = c->shares ? hierarchy_busy_until(&c->mem, c->outcome[i].ea, when, is_write) : 0;
    if (busy_until != 0 && is_kind(s, RV_UNIT_LOAD) && !(s->flags & SLOT_AWAITED)) {
        s->flags |= SLOT_RETRY | SLOT_AWAITED;
        wheel_add(c, i, busy_until);
        return;
    }
    if (!EFFECTS_LOGGED) {
        wheel_add(c, i, access_now(c, i, when, is_write));
        return;
    }
    uint64_t result;
    const uint32_t place = effect_place(c, i), arg = (uint32_t)(when - c->now) << 1 | is_write;
    if (!effect_replayed(c, EFFECT_ACCESS, place, arg, &result)) {
        result = access_perform(c, i, when, is_write);
        log_effect(c, EFFECT_ACCESS, place, arg, result);
    }
    s->level = (uint8_t)result;
    const bool miss = result >> ACCESS_DONE_SHIFT == EFFECT_MISS;
    wheel_add(c, i, miss ? c->misses.done[i] : c->now + (result >> ACCESS_DONE_SHIFT));
    c->misses.is_miss[i] = miss;
}

static inline uint64_t translate_now(struct ooo *c, uint32_t i, uint64_t when)
{
    enum tlb_miss miss;
    struct slot *s = &c->slot[i];
    uint64_t ready = tlb_access(&c->mem.dtlb, c->outcome[i].ea, when, &miss);
    if (miss)
        probe_event(c, s, dtlb_miss_events(miss));
    /* An access to an absent page is complete: the instruction faults when it is the oldest. */
    const bool absent = c->cfg.page_fault_cycles != 0 &&
                        !memory_touched(&c->front.hart->mem, c->outcome[i].ea, c->outcome[i].mem_bytes);
    return (ready - c->now) << 1 | absent;
}

uint64_t translate_perform(struct ooo *c, uint32_t i, uint64_t when) { return translate_now(c, i, when); }

static uint64_t lsq_translate(struct ooo *c, uint32_t i, uint64_t when)
{
    struct slot *s = &c->slot[i];
    if (s->flags & SLOT_TRANSLATED)
        return when;
    s->flags |= SLOT_TRANSLATED;
    uint64_t result;
    const uint32_t place = effect_place(c, i), arg = (uint32_t)(when - c->now);
    if (!effect_replayed(c, EFFECT_TRANSLATE, place, arg, &result)) {
        result = translate_now(c, i, when);
        log_effect(c, EFFECT_TRANSLATE, place, arg, result);
    }
    if (result & 1)
        s->trap = RV_TRAP_PAGE;
    return c->now + (result >> 1);
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

uint64_t store_done_perform(const struct ooo *c, uint32_t at)
{
    const uint64_t done = c->store[at & c->store_mask].done_cycle;
    return done > c->now ? done - c->now : 0;
}

/* The cycle in which the store that was sent is in the cache. */
static uint64_t store_done(struct ooo *c, uint32_t at)
{
    uint64_t cycles;
    const uint32_t place = at - c->store_head;
    if (!effect_replayed(c, EFFECT_STORE_DONE, 0, place, &cycles)) {
        cycles = store_done_perform(c, at);
        log_effect(c, EFFECT_STORE_DONE, 0, place, cycles);
    }
    return c->now + cycles;
}

uint64_t wait_bit_perform(struct ooo *c, uint32_t i) { return *wait_bit(c, c->slot[i].pc); }
void set_wait_perform(struct ooo *c, uint32_t i) { *wait_bit(c, c->slot[i].pc) = 1; }

static bool waits_for_addresses(struct ooo *c, uint32_t i)
{
    uint64_t bit;
    const uint32_t place = effect_place(c, i);
    if (!effect_replayed(c, EFFECT_WAIT_BIT, place, 0, &bit)) {
        bit = wait_bit_perform(c, i);
        log_effect(c, EFFECT_WAIT_BIT, place, 0, bit);
    }
    return bit != 0;
}

/* Without calls of the four functions. */
__attribute__((flatten)) struct load_effects load_perform(struct ooo *c, uint32_t i, uint32_t when, uint32_t mark)
{
    struct load_effects e = {.count = 1, .result = translate_perform(c, i, c->now + when)};
    if (e.result != (uint64_t)when << 1)
        return e;
    e.count = 2;
    e.result = wait_bit_perform(c, i);
    if (e.result != 0)
        return e;
    e.count = 3;
    e.result = search_perform(c, i, mark);
    if (e.result != 0)
        return e;
    e.count = LOAD_EFFECTS;
    e.result = access_perform(c, i, c->now + when, false);
    return e;
}

/* Access of a load whose address is known at `when`: store queue first, then cache. */
static void load_access(struct ooo *c, uint32_t i, uint64_t when)
{
    struct slot *s = &c->slot[i];
    uint32_t at = 0;
    s->flags &= (uint16_t)~SLOT_RETRY;
    when = lsq_translate(c, i, when);
    if (s->trap != RV_TRAP_NONE) {
        wheel_add(c, i, when);
        return;
    }
    lsq_free(c);
    if (waits_for_addresses(c, i) && older_unknown(c, s->store_mark)) {
        load_block(c, i, c->store_unknown, when);
        return;
    }
    struct store *st = EFFECTS_LOGGED ? search_logged(c, i, &at) : search_stores(c, i, &at);
    bool sent = st != NULL && (int32_t)(c->store_send - at) > 0;
    uint64_t done = sent ? store_done(c, at) : 0;
    if (st == NULL || (sent && done <= c->now)) {
        access_cache(c, i, when, false);
        return;
    }
    if (covers(c, i, at) && st->ready) {
        stage_event(c, s, PROBE_FORWARDED);
        c->stats.forwarded++;
        wheel_add(c, i, later(when, st->data_cycle) + c->cfg.forward_cycles);
    } else if (sent) {
        load_wait(c, s);
        wheel_add(c, i, later(when, done));
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
        wheel_add(c, i, accesses ? lsq_translate(c, i, when) : when);
    } else if (!accesses) {
        wheel_add(c, i, when);
    } else if (is_kind(s, RV_UNIT_LOAD)) {
        load_access(c, i, when);
    } else {
        when = lsq_translate(c, i, when);
        if (s->trap == RV_TRAP_NONE)
            access_cache(c, i, when, true);
        else
            wheel_add(c, i, when);
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
    uint64_t none;
    const uint32_t place = effect_place(c, (uint32_t)(load - c->slot));
    if (effect_replayed(c, EFFECT_SET_WAIT, place, 0, &none))
        return;
    set_wait_perform(c, (uint32_t)(load - c->slot));
    log_effect(c, EFFECT_SET_WAIT, place, 0, 0);
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

uint64_t send_perform(struct ooo *c, bool asked)
{
    const uint32_t at = c->store_send++;
    struct store *st = store_at(c, at);
    st->done_cycle = c->now + 1;
    if (st->bytes == 0)
        return asked;
    struct cache_result r = hierarchy_data(&c->mem, st->ea, st->bytes, c->now, true);
    probe_port_accessed(&c->port, at, data_miss_events(&c->mem, r.level), c->now);
    st->done_cycle = r.done;
    return asked ? r.done - c->now : 0;
}

/* Cache access of the oldest retired store. */
static void write_store(struct ooo *c)
{
    uint64_t result;
    const bool asked = c->list_head[wheel_store_list(c, c->store_send)] != NIL;
    if (effect_replayed(c, EFFECT_SEND, 0, asked, &result)) {
        c->store_send++;
        return;
    }
    result = send_perform(c, asked);
    log_effect(c, EFFECT_SEND, 0, asked, result);
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
        write_store(c);
        uint16_t i;
        while ((i = c->list_head[wheel_store_list(c, at)]) != NIL) {
            list_remove(c, i);
            wheel_add(c, i, later(store_at(c, at)->done_cycle, c->due[i]));
        }
        c->cycle.active = true;
    }
}
