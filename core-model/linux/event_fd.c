/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eventfd, timerfd and signalfd. Source: eventfd(2), timerfd_create(2), signalfd(2); Linux fs/timerfd.c,
 * fs/signalfd.c. */
#include "core-model/linux/event_fd.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/files.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

enum { GUEST_NONBLOCK = 04000, GUEST_CLOEXEC = 02000000, NEW_FLAGS = GUEST_NONBLOCK | GUEST_CLOEXEC };

/* A new guest descriptor of a host eventfd. */
static int64_t new_event(struct guest *g, enum event_kind kind, unsigned value, uint64_t flags, bool semaphore)
{
    int host = eventfd(value,
                       EFD_CLOEXEC | (flags & GUEST_NONBLOCK ? EFD_NONBLOCK : 0) | (semaphore ? EFD_SEMAPHORE : 0));
    if (host < 0)
        return -errno;
    int own = kind != EVENT_COUNTER ? fcntl(host, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    int64_t fd = own < 0 && kind != EVENT_COUNTER ? -errno : linux_new_fd(g, host, 0, (flags & GUEST_CLOEXEC) != 0);
    if (fd < 0) {
        close(own);
        return fd;
    }
    g->files->event[fd] = xcalloc(1, sizeof *g->files->event[fd]);
    *g->files->event[fd] = (struct linux_event){.references = 1, .kind = kind, .host_fd = own};
    g->files->events += kind != EVENT_COUNTER;
    return fd;
}

/* The event of this kind, or NULL with -EBADF or -EINVAL in *r. */
static struct linux_event *event_of(const struct guest *g, uint64_t fd, enum event_kind kind, int64_t *r)
{
    int host = linux_fd(g, fd);
    struct linux_event *e = host < 0 ? NULL : g->files->event[(uint32_t)fd];
    bool found = e != NULL && e->kind == kind;
    *r = host < 0 ? host : found ? 0 : -EINVAL;
    return found ? e : NULL;
}

/* Waits for an event that is not present. */
static int64_t event_fd_wait_for(struct guest *g, uint32_t fd, const struct linux_wait *w)
{
    if (fcntl(g->files->fd[fd], F_GETFL) & O_NONBLOCK)
        return -EAGAIN;
    return linux_signals_ready(g) ? -LINUX_RESTART : linux_block(g, w);
}

/* The number of expiries since the last read. */
static int64_t read_timer(struct guest *g, uint32_t fd, const struct iovec *vector, int64_t count)
{
    struct linux_event *e = g->files->event[fd];
    if (!linux_event_expired(g, e))
        return event_fd_wait_for(g, fd, &(struct linux_wait){.until_ns = UINT64_MAX, .timer = true});
    uint64_t late_ns = linux_clock_ns(g) - e->deadline_ns;
    const uint64_t expiries = 1 + (e->interval_ns != 0 ? late_ns / e->interval_ns : 0);
    e->deadline_ns = e->interval_ns != 0 ? e->deadline_ns + expiries * e->interval_ns : 0;
    linux_event_update(g, e);
    return linux_scatter(vector, count, 0, &expiries, sizeof expiries) ? (int64_t)sizeof expiries : -EFAULT;
}

static struct signalfd_siginfo event_fd_describe(const struct linux_siginfo *info)
{
    struct signalfd_siginfo s = {.ssi_signo = (uint32_t)info->signal, .ssi_errno = info->error, .ssi_code = info->code};
    if (info->code == SI_TIMER) {
        s.ssi_tid = (uint32_t)info->word[0];
        s.ssi_overrun = (uint32_t)(info->word[0] >> 32);
    } else {
        s.ssi_pid = (uint32_t)info->word[0];
        s.ssi_uid = (uint32_t)(info->word[0] >> 32);
    }
    if (info->signal == SIGCHLD) {
        s.ssi_status = (int32_t)info->word[1];
    } else {
        s.ssi_int = (int32_t)info->word[1];
        s.ssi_ptr = info->word[1];
    }
    return s;
}

static int64_t read_signals(struct guest *g, uint32_t fd, const struct iovec *vector, int64_t count, uint64_t room)
{
    struct linux_event *e = g->files->event[fd];
    struct linux_siginfo info;
    uint64_t done = 0;
    linux_signals_collect(g);
    while (room - done >= sizeof(struct signalfd_siginfo) && linux_take(g, e->mask, &info) != 0) {
        const struct signalfd_siginfo s = event_fd_describe(&info);
        if (!linux_scatter(vector, count, done, &s, sizeof s))
            return done > 0 ? (int64_t)done : -EFAULT;
        done += sizeof s;
    }
    linux_event_update(g, e);
    return done > 0 ? (int64_t)done
                    : event_fd_wait_for(g, fd, &(struct linux_wait){.until_ns = UINT64_MAX, .signals = e->mask});
}

int64_t linux_event_read(struct guest *g, uint32_t fd, const struct iovec *vector, int64_t count)
{
    static const size_t record_bytes[] = {sizeof(uint64_t), sizeof(uint64_t), sizeof(struct signalfd_siginfo)};
    enum event_kind kind = g->files->event[fd]->kind;
    uint64_t room = 0;
    for (int64_t i = 0; i < count; i++)
        room += vector[i].iov_len;
    if (room < record_bytes[kind])
        return -EINVAL;
    if (kind == EVENT_TIMER)
        return read_timer(g, fd, vector, count);
    if (kind == EVENT_SIGNALS)
        return read_signals(g, fd, vector, count, room);
    return linux_read_host(g, g->files->fd[fd], vector, count);
}

int64_t sys_eventfd2(struct guest *g, const uint64_t *a)
{
    enum { SEMAPHORE = 1 };
    if ((uint32_t)a[1] & ~(uint32_t)(NEW_FLAGS | SEMAPHORE))
        return -EINVAL;
    return new_event(g, EVENT_COUNTER, (unsigned)a[0], a[1], (a[1] & SEMAPHORE) != 0);
}

int64_t sys_timerfd_create(struct guest *g, const uint64_t *a)
{
    enum { REALTIME = 0, MONOTONIC = 1, BOOTTIME = 7, REALTIME_ALARM = 8, BOOTTIME_ALARM = 9 };
    uint32_t clock = (uint32_t)a[0];
    if (((uint32_t)a[1] & ~(uint32_t)NEW_FLAGS) || (clock != REALTIME && clock != MONOTONIC && clock != BOOTTIME &&
                                                    clock != REALTIME_ALARM && clock != BOOTTIME_ALARM))
        return -EINVAL;
    if (clock == REALTIME_ALARM || clock == BOOTTIME_ALARM)
        return -EPERM; /* the machine cannot wake up */
    int64_t fd = new_event(g, EVENT_TIMER, 0, a[1], false);
    if (fd >= 0)
        g->files->event[fd]->clock = (int32_t)clock;
    return fd;
}

static int64_t event_fd_put_setting(struct guest *g, uint64_t addr, const struct linux_event *e)
{
    uint64_t now = linux_clock_ns(g), left = e->deadline_ns > now ? e->deadline_ns - now : 0;
    if (e->deadline_ns != 0 && left == 0 && e->interval_ns != 0)
        left = e->interval_ns - (now - e->deadline_ns) % e->interval_ns;
    int64_t r = linux_put_time(g, addr, e->interval_ns, 1);
    return r < 0 ? r : linux_put_time(g, addr + 2 * sizeof(uint64_t), left, 1);
}

int64_t sys_timerfd_settime(struct guest *g, const uint64_t *a)
{
    enum { ABSOLUTE = 1, CANCEL_ON_SET = 2 };
    uint64_t interval_ns, first_ns;
    int64_t r = linux_get_time(g, a[2], &interval_ns);
    if (r == 0)
        r = linux_get_time(g, a[2] + 2 * sizeof(uint64_t), &first_ns);
    if (r == 0 && ((uint32_t)a[1] & ~(uint32_t)(ABSOLUTE | CANCEL_ON_SET)))
        r = -EINVAL;
    if (r != 0)
        return r;
    struct linux_event *e = event_of(g, a[0], EVENT_TIMER, &r);
    if (e == NULL)
        return r;
    const struct linux_event before = *e;
    e->interval_ns = interval_ns;
    e->deadline_ns = linux_timer_deadline(g, e->clock, first_ns, (a[1] & ABSOLUTE) != 0);
    linux_events_check(g);
    return a[3] != 0 ? event_fd_put_setting(g, a[3], &before) : 0;
}

int64_t sys_timerfd_gettime(struct guest *g, const uint64_t *a)
{
    int64_t r;
    const struct linux_event *e = event_of(g, a[0], EVENT_TIMER, &r);
    return e == NULL ? r : event_fd_put_setting(g, a[1], e);
}

int64_t sys_signalfd4(struct guest *g, const uint64_t *a)
{
    uint64_t mask;
    if (a[2] != sizeof mask)
        return -EINVAL;
    if (linux_get(g, a[1], &mask, sizeof mask) != 0)
        return -EFAULT;
    if ((uint32_t)a[3] & ~(uint32_t)NEW_FLAGS)
        return -EINVAL;
    int64_t fd = (int32_t)a[0], r;
    if (fd == -1)
        fd = new_event(g, EVENT_SIGNALS, 0, a[3], false);
    if (fd < 0 && (int32_t)a[0] == -1)
        return fd;
    struct linux_event *e = event_of(g, (uint64_t)fd, EVENT_SIGNALS, &r);
    if (e == NULL)
        return r;
    e->mask = mask & ~(linux_signal_bit(LINUX_SIGKILL) | linux_signal_bit(LINUX_SIGSTOP));
    linux_signals_update(g);
    linux_events_check(g);
    return fd;
}
