/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of timerfds and signalfds: which of them are readable. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/event_fd.h"
#include "core-model/linux/files.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"

static void event_fd_release(struct guest *g, struct linux_event *e)
{
    if (--e->references > 0)
        return;
    g->files->events -= e->kind != EVENT_COUNTER;
    if (e->host_fd >= 0)
        close(e->host_fd);
    free(e);
}

void linux_event_drop(struct guest *g, uint32_t fd)
{
    struct linux_event *e = g->files->event[fd];
    g->files->event[fd] = NULL;
    if (e != NULL)
        event_fd_release(g, e);
}

void linux_event_share(struct guest *g, uint32_t from, uint32_t to)
{
    g->files->event[to] = g->files->event[from];
    if (g->files->event[to] != NULL)
        g->files->event[to]->references++;
}

bool linux_event_unwritable(const struct guest *g, uint32_t fd)
{
    return g->files->event[fd] != NULL && g->files->event[fd]->kind != EVENT_COUNTER;
}

bool linux_event_expired(const struct guest *g, const struct linux_event *e)
{
    return e->deadline_ns != 0 && linux_clock_ns(g) >= e->deadline_ns;
}

static void wake_timer_waiters(struct guest *g)
{
    for (size_t i = 0; i < g->sched->threads; i++)
        if (g->sched->thread[i]->wait.timer)
            g->sched->thread[i]->wait.woken = true;
}

void linux_event_update(struct guest *g, struct linux_event *e)
{
    uint64_t pending = g->signals->pending.set | (guest_is_idle(g) ? 0 : g->thread->pending.set), one = 1;
    bool present = e->kind == EVENT_TIMER ? linux_event_expired(g, e) : (pending & e->mask) != 0;
    if (present == e->readable)
        return;
    e->readable = present;
    ssize_t n = present ? write(e->host_fd, &one, sizeof one) : read(e->host_fd, &one, sizeof one);
    (void)n; /* an eventfd that is not full and not empty */
    if (present && e->kind == EVENT_TIMER)
        wake_timer_waiters(g);
}

void linux_events_check(struct guest *g)
{
    for (unsigned fd = 0; g->files->events > 0 && fd < LINUX_FD_MAX; fd++)
        if (linux_event_unwritable(g, fd))
            linux_event_update(g, g->files->event[fd]);
}

uint64_t linux_events_next(const struct guest *g)
{
    uint64_t next = UINT64_MAX;
    for (unsigned fd = 0; g->files->events > 0 && fd < LINUX_FD_MAX; fd++) {
        const struct linux_event *e = g->files->event[fd];
        if (e == NULL || e->kind != EVENT_TIMER || e->deadline_ns == 0 || e->readable)
            continue;
        uint64_t now = linux_clock_ns(g), left = e->deadline_ns > now ? e->deadline_ns - now : 0;
        next = left < next ? left : next;
    }
    return next;
}

uint64_t linux_events_signals(const struct linux_files *files)
{
    uint64_t set = 0;
    for (unsigned fd = 0; files->events > 0 && fd < LINUX_FD_MAX; fd++)
        set |= files->event[fd] != NULL ? files->event[fd]->mask : 0;
    return set;
}

void linux_events_fork(struct guest *g)
{
    for (unsigned fd = 0; g->files->events > 0 && fd < LINUX_FD_MAX; fd++) {
        struct linux_event *e = g->files->event[fd];
        if (!linux_event_unwritable(g, fd))
            continue;
        unsigned first = 0;
        while (g->files->event[first] != e)
            first++;
        bool nonblocking = (fcntl(g->files->fd[fd], F_GETFL) & O_NONBLOCK) != 0;
        int own = first == fd ? eventfd(0, EFD_CLOEXEC | (nonblocking ? EFD_NONBLOCK : 0)) : -1;
        if (own >= 0) {
            (void)dup3(own, e->host_fd, O_CLOEXEC);
            close(own);
            e->readable = false;
        }
        (void)dup3(e->host_fd, g->files->fd[fd], O_CLOEXEC);
    }
}

bool linux_events_exclude(const struct guest *g, struct pollfd *host, uint64_t count)
{
    bool others = false;
    for (uint64_t i = 0; i < count; i++) {
        for (unsigned fd = 0; g->files->events > 0 && host[i].fd >= 0 && fd < LINUX_FD_MAX; fd++)
            if (g->files->fd[fd] == host[i].fd && g->files->event[fd] != NULL &&
                g->files->event[fd]->kind == EVENT_TIMER)
                host[i].fd = -1;
        others = others || host[i].fd >= 0;
    }
    return others;
}
