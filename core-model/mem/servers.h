/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bookings of a set of identical servers (MSHRs, a bank, a channel), each of which serves one request at a time.
 *
 * The memory system computes the completion of a request when the request is made, so a request that waits for one
 * server books others for a later cycle. A server is idle before such a booking, and an earlier request may be served
 * then. The idle times between bookings are therefore kept, up to a limit. Beyond the limit the idle time that ends
 * first is dropped, which is usually in the past. */
#ifndef CORE_MODEL_MEM_SERVERS_H
#define CORE_MODEL_MEM_SERVERS_H

#include <stdint.h>

/* An idle time of a server, up to its next booking. */
struct idle {
    uint64_t from, to;
};

struct servers {
    uint64_t *free;             /* owned; the cycle in which each server's last booking ends, ascending */
    struct idle *idle;          /* owned; ring in the order of `to` */
    uint32_t count;             /* servers */
    uint32_t mask, first, used; /* the ring: size - 1, oldest entry, entries */
    uint32_t least;             /* cycles; shorter idle times are not kept */
};

/* Where a request can be served. */
#define SERVERS_NO_LIMIT UINT64_MAX
struct server_place {
    uint64_t start;  /* the first cycle */
    uint64_t limit;  /* the service must have ended by then: another booking begins */
    uint32_t server; /* by its position in `free`; of no meaning in an idle time */
    uint32_t idle;   /* position in the ring of the idle time; UINT32_MAX: behind all bookings of the server */
};

/* `idles`: idle times kept, a power of two, of `least` cycles or more: what the shortest service takes. */
void servers_init(struct servers *s, uint32_t count, uint32_t idles, uint32_t least);
void servers_fini(struct servers *s);
/* The same as servers_find where all servers have bookings behind `at`. */
struct server_place servers_wait(const struct servers *s, uint64_t at, uint64_t cycles, uint64_t fresh);
/* The earliest place of at least that many cycles for a request that arrives at `at`. Idle times that begin before
 * `fresh` are left out. */
static inline struct server_place servers_find(const struct servers *s, uint64_t at, uint64_t cycles, uint64_t fresh)
{
    struct server_place p = {.start = at, .limit = SERVERS_NO_LIMIT, .idle = UINT32_MAX};
    if (s->free[0] > at)
        return servers_wait(s, at, cycles, fresh);
    /* The server that has been idle for the shortest time, so that long idle times stay whole. */
    while (p.server + 1 < s->count && s->free[p.server + 1] <= at)
        p.server++;
    return p;
}
/* Books the place until `end`, which is after its start and not after its limit. No booking may have been made since
 * the place was found. */
void servers_book(struct servers *s, const struct server_place *p, uint64_t end);
/* The cycles from `now` on, of all servers, that are booked. */
uint64_t servers_booked_from(const struct servers *s, uint64_t now);
/* Forgets all bookings. */
void servers_settle(struct servers *s);

#endif
