/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors of events in the guest: eventfd, timerfd and signalfd. A timerfd follows the guest's clock, and a
 * signalfd its pending signals, so both are host eventfds that are readable while the event is present; polling them is
 * the host's. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_EVENT_FD_H
#define CORE_MODEL_LINUX_EVENT_FD_H

#include <poll.h>
#include <sys/uio.h>

#include "core-model/linux/guest.h"

struct linux_files;

enum event_kind { EVENT_COUNTER, EVENT_TIMER, EVENT_SIGNALS };

struct linux_event {
    unsigned references;
    enum event_kind kind;
    int host_fd;   /* of timers and signals: a descriptor of the host's eventfd, besides those of the guest */
    bool readable; /* the host's eventfd is not 0 */
    uint64_t mask; /* of signals */
    int32_t clock;
    uint64_t deadline_ns, interval_ns; /* on the guest's clock (linux_clock_ns); deadline 0: not armed */
};

/* Whether the timerfd's deadline has passed. */
bool linux_event_expired(const struct guest *g, const struct linux_event *e);
/* Makes the host's eventfd readable if the event is present, and empty otherwise. */
void linux_event_update(struct guest *g, struct linux_event *e);

/* The guest descriptor `to` refers to the same event as `from`, if that is one. */
void linux_event_share(struct guest *g, uint32_t from, uint32_t to);
/* At the close of a guest descriptor. */
void linux_event_drop(struct guest *g, uint32_t fd);
/* Reads a descriptor whose event is not NULL. */
int64_t linux_event_read(struct guest *g, uint32_t fd, const struct iovec *vector, int64_t count);
/* Whether the descriptor is an event that cannot be written. */
bool linux_event_unwritable(const struct guest *g, uint32_t fd);

/* Updates what the host's poll returns for timerfds and signalfds, and wakes threads that wait for a timerfd. */
void linux_events_check(struct guest *g);
/* Time to the next expiry of a timerfd, in ns, or UINT64_MAX. */
uint64_t linux_events_next(const struct guest *g);
/* Union of the masks of the signalfds. */
uint64_t linux_events_signals(const struct linux_files *files);
/* In a new process: events of its own, with the parent's state. */
void linux_events_fork(struct guest *g);
/* Sets the descriptors of timerfds to -1, for which no wait on the host is needed; returns whether others remain. */
bool linux_events_exclude(const struct guest *g, struct pollfd *host, uint64_t count);

#endif
