/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bookings of a pool of identical servers (MSHRs, a bank, a channel), each of which serves one request at a time.
 *
 * The memory system computes the completion of a request when the request is made, so a request that waits for one
 * server books others for a later cycle. A server is idle before such a booking, and an earlier request may be served
 * then. Idle intervals between bookings are therefore kept, up to a maximum number. When it is exceeded, the interval
 * that ends first is dropped, which is usually in the past. */
#ifndef CORE_MODEL_MEM_SERVERS_H
#define CORE_MODEL_MEM_SERVERS_H

#include <stdint.h>

/* An idle interval of a server, up to its next booking. */
struct servers_idle {
    uint64_t from, to;
};

struct servers {
    uint64_t *free;             /* owned; end of each server's last booking, in ascending order */
    struct servers_idle *idle;  /* owned; ring, sorted by `to` */
    uint32_t count;             /* number of servers */
    uint32_t mask, first, used; /* ring: index mask, oldest entry, number of entries */
    uint32_t least;             /* in cycles; shorter idle intervals are not kept */
};

/* A feasible time slot for a request. */
#define SERVERS_NO_LIMIT UINT64_MAX
struct server_place {
    uint64_t start;  /* the first cycle */
    uint64_t limit;  /* start of the next booking, by which the service must end */
    uint32_t server; /* index in `free`; invalid for an idle interval */
    uint32_t idle;   /* index of the idle interval in the ring; UINT32_MAX: after all bookings of the server */
};

/* `idles`: maximum number of idle intervals kept, a power of two; `least`: minimum length kept, the shortest service
 * time in cycles. */
void servers_init(struct servers *s, uint32_t count, uint32_t idles, uint32_t least);
void servers_fini(struct servers *s);
/* servers_find for the case that all servers have bookings after `at`. */
void servers_wait(const struct servers *s, uint64_t at, uint64_t cycles, uint64_t fresh, struct server_place *p);
/* Sets *p to the earliest slot of at least `cycles` cycles for a request that arrives at `at`. Idle intervals that
 * begin before `fresh` are ignored. */
static inline void servers_find(const struct servers *s, uint64_t at, uint64_t cycles, uint64_t fresh,
                                struct server_place *p)
{
    if (s->free[0] > at) {
        servers_wait(s, at, cycles, fresh, p);
        return;
    }
    /* Best fit: the server with the shortest idle time, so that long intervals are preserved. */
    uint32_t server = s->count - 1;
    while (s->free[server] > at) /* few are busy */
        server--;
    p->start = at;
    p->limit = SERVERS_NO_LIMIT;
    p->server = server;
    p->idle = UINT32_MAX;
}
/* Books the slot until `end`, which is after its start and at most its limit. No booking may have been made since the
 * slot was found. */
void servers_book(struct servers *s, const struct server_place *p, uint64_t end);
/* Booked cycles from `now` on, summed over all servers. */
uint64_t servers_booked_from(const struct servers *s, uint64_t now);

#endif
