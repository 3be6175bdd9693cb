/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/pipe/memo/pack.h"

#include <string.h>

#include "base/varint.h"
#include "core-model/pipe/memo/table.h"

/* Flags of the ring that are not part of the state. */
enum { SLOT_OUTSIDE = SLOT_RAS | SLOT_TAGGED };

struct packed_header {
    uint32_t events, resume;
    uint16_t refill; /* index in struct core_stats */
    uint16_t renamed, fetched, wrong;
    uint16_t sent, committed, held; /* stores */
    uint16_t pending;
    uint8_t flags, wait, empty, zero;
};
_Static_assert(sizeof(struct packed_header) == 28, "no padding");

enum { HEADER_WAITS = 1, HEADER_AHEAD = 2, HEADER_SERIAL = 4, NONE = 0xffff };

/* Of an instruction: its flags (enum slot_flag), and in one byte level, trap, and whether its packet begins; then, if a
 * packet begins, the distance of its address from that of the packet before, and the cycles up to rename if it has not
 * been renamed. */
enum { LEVEL_MASK = 3, TRAP_SHIFT = 2, TRAP_MASK = 15, FIRST = 1 << 6 };
_Static_assert((int)MEM_LEVEL_DRAM <= (int)LEVEL_MASK && (int)RV_TRAP_PAGE <= (int)TRAP_MASK, "bits of level and trap");

/* An event, or a load that waits for a store. */
struct packed_event {
    uint16_t at;
    uint16_t cycles; /* NONE: fill of a miss */
};

struct packed_store {
    uint16_t violator, waiting;
    uint8_t flags, zero;
};
_Static_assert(sizeof(struct packed_store) == 6, "no padding");
enum { HELD_KNOWN = 1, HELD_READY = 2 };

static uint64_t left(const struct ooo *c, uint64_t cycle) { return cycle > c->now ? cycle - c->now : 0; }

static uint32_t index_at(const struct ooo *c, uint32_t at) { return ((uint32_t)c->head + at) & c->ring_mask; }

static bool is_unpipelined(const struct ooo *c, uint32_t unit) { return (c->units.unpipelined >> unit & 1) != 0; }

/* ---- to bytes ---- */

struct state_writer {
    uint8_t *at, *end;
    bool fails;
};

static void pack_put(struct state_writer *w, const void *from, size_t bytes)
{
    if ((size_t)(w->end - w->at) < bytes) {
        w->fails = true;
        return;
    }
    memcpy(w->at, from, bytes);
    w->at += bytes;
}

/* Puts a number of cycles where there is room for it. Returns the place behind it. */
static inline uint8_t *pack_cycles_at(struct state_writer *w, uint8_t *at, uint64_t cycles)
{
    const uint16_t n = (uint16_t)cycles;
    w->fails |= cycles >= NONE;
    memcpy(at, &n, sizeof n);
    return at + sizeof n;
}

static void put_cycles(struct state_writer *w, uint64_t cycles)
{
    uint8_t n[sizeof(uint16_t)];
    (void)pack_cycles_at(w, n, cycles);
    pack_put(w, n, sizeof n);
}

/* One instruction is put at once: most of a state is instructions. */
static void put_slots(struct state_writer *w, const struct ooo *c)
{
    enum { MOST = sizeof(uint16_t) + 1 + VARINT_MOST + sizeof(uint16_t) };
    uint16_t packet = 0;
    uint64_t pc = 0;
    uint8_t *at = w->at;
    for (uint64_t p = c->head; p < c->fetch_tail; p++) {
        const struct slot *s = &c->slot[p & c->ring_mask];
        const bool first = p == c->head || s->packet != packet;
        const uint16_t flags = s->flags & (uint16_t)~SLOT_OUTSIDE;
        if (w->end - at < MOST) {
            w->fails = true;
            return;
        }
        memcpy(at, &flags, sizeof flags);
        at[sizeof flags] = (uint8_t)(s->level | s->trap << TRAP_SHIFT | (first ? FIRST : 0));
        at += sizeof flags + 1;
        if (first) {
            at += varint_put(at, zigzag(s->pc - pc));
            pc = s->pc;
        }
        if (p >= c->rob_tail)
            at = pack_cycles_at(w, at, left(c, s->dispatch_cycle));
        packet = s->packet;
    }
    w->at = at;
}

/* Inserts the instruction before those whose events were added later. */
static void insert_event(const struct ooo *c, uint16_t *all, uint32_t count, uint16_t i)
{
    const uint32_t *order = c->memo->order;
    for (; count > 0 && (int32_t)(order[all[count - 1]] - order[i]) > 0; count--)
        all[count] = all[count - 1];
    all[count] = i;
}

/* The instructions with an event, in the order in which the events were added. Returns their number. */
static uint32_t pack_find_events(const struct ooo *c, uint16_t *all)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->soon_count; k++)
        if (c->slot[c->soon[0][k]].list == SOON)
            insert_event(c, all, n++, c->soon[0][k]);
    for (uint32_t w = 0; w < WHEEL_CYCLES / 64; w++)
        for (uint64_t bits = c->wheel_map[w]; bits != 0; bits &= bits - 1)
            for (uint16_t i = c->list_head[w * 64 + (uint32_t)__builtin_ctzll(bits)]; i != NIL; i = c->slot[i].next)
                insert_event(c, all, n++, i);
    return n;
}

static void put_pending(struct state_writer *w, const struct ooo *c, uint32_t i, uint64_t cycles)
{
    const struct packed_event p = {(uint16_t)((i - (uint32_t)c->head) & c->ring_mask), (uint16_t)cycles};
    pack_put(w, &p, sizeof p);
}

static uint32_t put_events(struct state_writer *w, const struct ooo *c)
{
    uint16_t all[RING_MAX];
    const uint32_t n = pack_find_events(c, all);
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t i = all[k], list = c->slot[i].list;
        const uint64_t cycles = left(c, c->due[i]);
        /* Beyond the wheel's horizon: in another cycle than that of the event, it will be added again. */
        w->fails |= cycles >= WHEEL_CYCLES - 1 || (list != SOON && list != c->due[i] % WHEEL_CYCLES);
        put_pending(w, c, i, c->memo->misses.is_miss[i] ? NONE : cycles);
    }
    return n;
}

static void put_stores(struct state_writer *w, const struct ooo *c)
{
    for (uint32_t n = c->store_head; n != c->store_tail; n++) {
        const struct store *st = &c->store[n & c->store_mask];
        const bool overtaken = st->violator_seq != 0 && st->violator >= c->head && st->violator < c->rob_tail &&
                               c->slot[st->violator & c->ring_mask].seq == st->violator_seq;
        struct packed_store h = {.violator = overtaken ? (uint16_t)(st->violator - c->head) : NONE,
                                 .flags = (uint8_t)((st->known ? HELD_KNOWN : 0) | (st->ready ? HELD_READY : 0))};
        const uint16_t first = c->list_head[wheel_store_list(c, n)];
        for (uint16_t i = first; i != NIL; i = c->slot[i].next)
            h.waiting++;
        w->fails |= left(c, st->data_cycle) != 0;
        pack_put(w, &h, sizeof h);
        for (uint16_t i = first; i != NIL; i = c->slot[i].next) {
            w->fails |= left(c, c->due[i]) >= NONE;
            put_pending(w, c, i, left(c, c->due[i]));
        }
    }
}

static void put_units(struct state_writer *w, const struct ooo *c)
{
    for (uint32_t u = 0; u < RV_UNIT_COUNT; u++)
        for (uint32_t n = 0; is_unpipelined(c, u) && n < c->units.count[u]; n++)
            put_cycles(w, left(c, c->units.busy_until[u][n]));
}

uint32_t state_pack(const struct ooo *c, uint8_t *to, uint32_t most)
{
    const struct front *f = &c->front;
    struct state_writer w = {to, to + most, false};
    if (c->finished || f->halted || c->shares || c->interrupt.until > c->now || left(c, f->port.resume) > UINT32_MAX)
        return 0;
    struct packed_header h = {
        .events = f->port.events,
        .resume = (uint32_t)left(c, f->port.resume),
        .refill = (uint16_t)(c->refill - (const uint64_t *)&c->stats),
        .renamed = (uint16_t)(c->rob_tail - c->head),
        .fetched = (uint16_t)(c->fetch_tail - c->rob_tail),
        .wrong = f->wrong == UINT64_MAX ? NONE : (uint16_t)(f->wrong - c->head),
        .sent = (uint16_t)(c->store_send - c->store_head),
        .committed = (uint16_t)(c->store_commit - c->store_send),
        .held = (uint16_t)(c->store_tail - c->store_commit),
        .flags = (uint8_t)((f->waits ? HEADER_WAITS : 0) | (f->ahead ? HEADER_AHEAD : 0) |
                           (c->serial_in_rob ? HEADER_SERIAL : 0)),
        .empty = c->empty,
    };
    h.wait = h.resume != 0 ? f->port.wait : 0;
    w.at += sizeof h;
    put_slots(&w, c);
    h.pending = (uint16_t)put_events(&w, c);
    put_stores(&w, c);
    put_units(&w, c);
    memcpy(to, &h, sizeof h);
    return w.fails ? 0 : (uint32_t)(w.at - to);
}

/* ---- from bytes ---- */

static void pack_take(const uint8_t **at, void *to, size_t bytes)
{
    memcpy(to, *at, bytes);
    *at += bytes;
}

/* An empty pipeline. */
static void clear(struct ooo *c)
{
    const uint32_t count[2] = {c->cfg.int_registers, c->cfg.fp_registers};
    memset(c->ready, 0, sizeof c->ready);
    memset(c->ready_count, 0, sizeof c->ready_count);
    memset(c->queue_used, 0, sizeof c->queue_used);
    for (uint32_t w = 0; w < WHEEL_CYCLES / 64; w++)
        for (; c->wheel_map[w] != 0; c->wheel_map[w] &= c->wheel_map[w] - 1)
            c->list_head[w * 64 + (uint32_t)__builtin_ctzll(c->wheel_map[w])] = NIL;
    memset(&c->list_head[WHEEL_CYCLES], 0xff, (c->store_mask + 1) * sizeof *c->list_head);
    memset(c->reg_ready, 1, count[0] + count[1]);
    memset(c->reg_waiters, 0xff, (count[0] + count[1]) * sizeof *c->reg_waiters);
    c->soon_count = c->unresolved = c->loads = 0;
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t first = k ? c->first_fp : 0;
        c->free_count[k] = 0;
        for (uint32_t r = 0; r < 32; r++)
            c->map[k * 32 + r] = (uint16_t)(first + r);
        for (uint32_t r = count[k]; r-- > 32;)
            c->free_list[k][c->free_count[k]++] = (uint16_t)(first + r);
    }
}

static void skip_distance(const uint8_t **at)
{
    while ((*(*at)++ & VARINT_MORE) != 0) {
    }
}

static void take_slots(struct ooo *c, const uint8_t **at)
{
    uint16_t packet = c->slot[(c->head - 1) & c->ring_mask].packet;
    uint32_t store = c->store_commit;
    for (uint64_t p = c->head; p < c->fetch_tail; p++) {
        struct slot *s = &c->slot[p & c->ring_mask];
        uint16_t flags, cycles;
        uint8_t more;
        pack_take(at, &flags, sizeof flags);
        pack_take(at, &more, sizeof more);
        s->flags = (uint16_t)(flags | (s->flags & SLOT_OUTSIDE));
        s->level = more & LEVEL_MASK;
        s->trap = more >> TRAP_SHIFT & TRAP_MASK;
        s->list = s->dst = s->old_dst = s->src[0] = s->src[1] = s->src[2] = NIL;
        s->waiting = 0;
        packet = (uint16_t)(packet + ((more & FIRST) != 0));
        s->packet = packet;
        if (more & FIRST)
            skip_distance(at);
        if (p < c->rob_tail) {
            rename_again(c, (uint32_t)p & c->ring_mask, &store);
            continue;
        }
        pack_take(at, &cycles, sizeof cycles);
        s->dispatch_cycle = c->now + cycles;
    }
}

static void take_events(struct ooo *c, const uint8_t **at, uint32_t count)
{
    struct outstanding_misses *m = &c->memo->misses;
    struct packed_event p;
    for (uint32_t n = 0; n < count; n++) {
        pack_take(at, &p, sizeof p);
        const uint32_t i = index_at(c, p.at);
        m->is_miss[i] = p.cycles == NONE;
        c->due[i] = m->is_miss[i] ? m->done[i] : c->now + p.cycles;
        c->memo->order[i] = c->memo->next_order++;
        const uint32_t bucket = c->due[i] % WHEEL_CYCLES;
        list_add(c, bucket, i);
        c->wheel_map[bucket / 64] |= UINT64_C(1) << (bucket % 64);
    }
}

static void take_stores(struct ooo *c, const uint8_t **at)
{
    for (uint32_t n = c->store_head; n != c->store_tail; n++) {
        struct store *st = &c->store[n & c->store_mask];
        struct packed_store h;
        struct packed_event p;
        pack_take(at, &h, sizeof h);
        st->known = (h.flags & HELD_KNOWN) != 0;
        st->ready = (h.flags & HELD_READY) != 0;
        st->data_cycle = 0;
        st->violator = h.violator != NONE ? c->head + h.violator : 0;
        st->violator_seq = h.violator != NONE ? c->slot[index_at(c, h.violator)].seq : 0;
        for (uint32_t k = h.waiting; k-- > 0;) { /* the last one first: each is put before those in the list */
            memcpy(&p, *at + k * sizeof p, sizeof p);
            c->due[index_at(c, p.at)] = c->now + p.cycles;
            list_add(c, wheel_store_list(c, n), index_at(c, p.at));
        }
        *at += h.waiting * sizeof p;
    }
}

static void take_units(struct ooo *c, const uint8_t **at)
{
    uint16_t cycles;
    for (uint32_t u = 0; u < RV_UNIT_COUNT; u++)
        for (uint32_t n = 0; is_unpipelined(c, u) && n < c->units.count[u]; n++) {
            pack_take(at, &cycles, sizeof cycles);
            c->units.busy_until[u][n] = c->now + cycles;
        }
}

void state_unpack(struct ooo *c, const uint8_t *from, uint64_t head, uint32_t store_head)
{
    struct front *f = &c->front;
    struct packed_header h;
    pack_take(&from, &h, sizeof h);
    clear(c);
    c->head = head;
    c->rob_tail = head + h.renamed;
    c->fetch_tail = c->rob_tail + h.fetched;
    c->store_head = c->store_unknown = store_head;
    c->store_send = store_head + h.sent;
    c->store_commit = c->store_send + h.committed;
    c->store_tail = c->store_commit + h.held;
    c->refill = (uint64_t *)&c->stats + h.refill;
    c->empty = h.empty;
    c->serial_in_rob = (h.flags & HEADER_SERIAL) != 0;
    f->waits = (h.flags & HEADER_WAITS) != 0;
    f->ahead = (h.flags & HEADER_AHEAD) != 0;
    f->wrong = h.wrong == NONE ? UINT64_MAX : head + h.wrong;
    f->port.events = h.events;
    f->port.resume = c->now + h.resume;
    f->port.wait = h.wait;
    take_slots(c, &from);
    c->targets = fetch_targets(c);
    take_events(c, &from, h.pending);
    take_stores(c, &from);
    take_units(c, &from);
}
