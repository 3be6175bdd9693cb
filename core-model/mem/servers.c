/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bookings of identical servers. See servers.h. Entry points: servers_wait, servers_book. */
#include "core-model/mem/servers.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

void servers_init(struct servers *s, uint32_t count, uint32_t idles, uint32_t least)
{
    *s = (struct servers){.count = count, .mask = idles - 1, .least = least};
    s->free = xcalloc(count, sizeof *s->free);
    s->idle = xcalloc(idles, sizeof *s->idle);
}

void servers_fini(struct servers *s)
{
    free(s->free);
    free(s->idle);
}

static struct servers_idle *idle_at(const struct servers *s, uint32_t n) { return &s->idle[(s->first + n) & s->mask]; }

void servers_wait(const struct servers *s, uint64_t at, uint64_t cycles, uint64_t fresh, struct server_place *p)
{
    *p = (struct server_place){.start = s->free[0], .limit = SERVERS_NO_LIMIT, .idle = UINT32_MAX};
    for (uint32_t n = s->used; n-- > 0;) {
        const struct servers_idle *e = idle_at(s, n);
        if (e->to < at + cycles)
            break;
        uint64_t start = e->from > at ? e->from : at;
        if (e->from < fresh || e->to - start < cycles || start > p->start)
            continue;
        if (start < p->start || (p->idle != UINT32_MAX && e->to > p->limit))
            *p = (struct server_place){.start = start, .limit = e->to, .idle = n};
    }
}

static void idle_add(struct servers *s, struct servers_idle e)
{
    if (e.to - e.from < s->least)
        return;
    if (s->used > s->mask) {
        s->first++;
        s->used--;
    }
    uint32_t n = s->used++;
    for (; n > 0 && idle_at(s, n - 1)->to > e.to; n--)
        *idle_at(s, n) = *idle_at(s, n - 1);
    *idle_at(s, n) = e;
}

static struct servers_idle idle_take(struct servers *s, uint32_t n)
{
    struct servers_idle e = *idle_at(s, n);
    for (s->used--; n < s->used; n++)
        *idle_at(s, n) = *idle_at(s, n + 1);
    return e;
}

/* Changes the end of the server's last booking. */
static void free_at(struct servers *s, uint32_t server, uint64_t end)
{
    uint32_t last = s->count - 1; /* new position: usually last */
    while (last > server && s->free[last] > end)
        last--;
    if (last > server)
        memmove(&s->free[server], &s->free[server + 1], (last - server) * sizeof *s->free);
    s->free[last] = end;
}

void servers_book(struct servers *s, const struct server_place *p, uint64_t end)
{
    if (end > p->limit)
        BUG("booked until cycle %llu, but another booking begins in cycle %llu", (unsigned long long)end,
            (unsigned long long)p->limit);
    uint64_t from;
    if (p->idle == UINT32_MAX) {
        from = s->free[p->server];
        free_at(s, p->server, end);
    } else {
        struct servers_idle e = idle_take(s, p->idle);
        from = e.from;
        if (end < e.to)
            idle_add(s, (struct servers_idle){end, e.to});
    }
    if (from < p->start)
        idle_add(s, (struct servers_idle){from, p->start});
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
