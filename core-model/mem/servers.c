/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bookings of identical servers. See servers.h. Entry points: servers_find, servers_book. */
#include "core-model/mem/servers.h"

#include <stdlib.h>
#include <string.h>

#include "isa/support/status.h"

void servers_init(struct servers *s, uint32_t count, uint32_t idles)
{
    *s = (struct servers){.count = count, .mask = idles - 1};
    s->free = xcalloc(count, sizeof *s->free);
    s->idle = xcalloc(idles, sizeof *s->idle);
}

void servers_fini(struct servers *s)
{
    free(s->free);
    free(s->idle);
}

static struct idle *idle_at(const struct servers *s, uint32_t n) { return &s->idle[(s->first + n) & s->mask]; }

/* Behind all bookings: the server that has been idle for the shortest time, so that long idle times stay whole. If none
 * is idle, the one that is free first. */
static struct server_place behind_all(const struct servers *s, uint64_t at)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->count; i++) {
        uint64_t f = s->free[i], b = s->free[best];
        if (b > at ? f < b : f <= at && f > b)
            best = i;
    }
    uint64_t start = s->free[best] > at ? s->free[best] : at;
    return (struct server_place){.start = start, .limit = SERVERS_NO_LIMIT, .server = best, .idle = UINT32_MAX};
}

struct server_place servers_find(const struct servers *s, uint64_t at, uint64_t fresh)
{
    struct server_place best = behind_all(s, at);
    if (best.start == at)
        return best;
    for (uint32_t n = s->used; n-- > 0;) {
        const struct idle *e = idle_at(s, n);
        uint64_t start = e->from > at ? e->from : at;
        if (e->to <= at)
            break;
        if (e->from < fresh || start >= e->to)
            continue;
        if (start < best.start || (start == best.start && best.idle != UINT32_MAX && e->to > best.limit))
            best = (struct server_place){.start = start, .limit = e->to, .server = e->server, .idle = n};
    }
    return best;
}

struct server_place servers_fit(const struct servers *s, uint64_t at, uint64_t cycles)
{
    struct server_place p = servers_find(s, at, 0);
    while (p.limit - p.start < cycles)
        p = servers_find(s, at, p.start + 1);
    return p;
}

static void idle_add(struct servers *s, struct idle e)
{
    if (s->used > s->mask) {
        s->first++;
        s->used--;
    }
    uint32_t n = s->used++;
    for (; n > 0 && idle_at(s, n - 1)->to > e.to; n--)
        *idle_at(s, n) = *idle_at(s, n - 1);
    *idle_at(s, n) = e;
}

static struct idle idle_take(struct servers *s, uint32_t n)
{
    struct idle e = *idle_at(s, n);
    for (s->used--; n < s->used; n++)
        *idle_at(s, n) = *idle_at(s, n + 1);
    return e;
}

void servers_book(struct servers *s, const struct server_place *p, uint64_t end)
{
    if (end > p->limit)
        BUG("booked until cycle %llu, but another booking begins in cycle %llu", (unsigned long long)end,
            (unsigned long long)p->limit);
    struct idle e = {s->free[p->server], p->start, p->server};
    if (p->idle == UINT32_MAX) {
        s->free[p->server] = end;
    } else {
        e = idle_take(s, p->idle);
        if (end < e.to)
            idle_add(s, (struct idle){end, e.to, e.server});
    }
    if (e.from < p->start)
        idle_add(s, (struct idle){e.from, p->start, e.server});
}

uint64_t servers_booked_from(const struct servers *s, uint64_t now)
{
    uint64_t cycles = 0;
    for (uint32_t i = 0; i < s->count; i++)
        cycles += s->free[i] > now ? s->free[i] - now : 0;
    for (uint32_t n = s->used; n-- > 0 && idle_at(s, n)->to > now;)
        cycles -= idle_at(s, n)->to - (idle_at(s, n)->from > now ? idle_at(s, n)->from : now);
    return cycles;
}

void servers_settle(struct servers *s)
{
    memset(s->free, 0, s->count * sizeof *s->free);
    s->first = s->used = 0;
}
