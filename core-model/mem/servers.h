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
    uint32_t server;
};

struct servers {
    uint64_t *free;      /* owned; per server: the cycle in which its last booking ends */
    struct idle *idle;   /* owned; ring in the order of `to` */
    uint32_t count;      /* servers */
    uint32_t mask, first, used; /* the ring: size - 1, oldest entry, entries */
};

/* Where a request can be served. */
#define SERVERS_NO_LIMIT UINT64_MAX
struct server_place {
    uint64_t start;      /* the first cycle */
    uint64_t limit;      /* the service must have ended by then: another booking begins */
    uint32_t server;
    uint32_t idle;       /* position in the ring of the idle time; UINT32_MAX: behind all bookings of the server */
};

/* `idles`: idle times kept; a power of two. */
void servers_init(struct servers *s, uint32_t count, uint32_t idles);
void servers_fini(struct servers *s);
/* The earliest place for a request that arrives at `at`; idle times that begin before `fresh` are left out. */
struct server_place servers_find(const struct servers *s, uint64_t at, uint64_t fresh);
/* The earliest place in which a service of that many cycles fits. */
struct server_place servers_fit(const struct servers *s, uint64_t at, uint64_t cycles);
/* Books the place until `end`, which is after its start and not after its limit. No booking may have been made since
 * the place was found. */
void servers_book(struct servers *s, const struct server_place *p, uint64_t end);
/* The cycles from `now` on, of all servers, that are booked. */
uint64_t servers_booked_from(const struct servers *s, uint64_t now);
/* Forgets all bookings. */
void servers_settle(struct servers *s);

#endif
