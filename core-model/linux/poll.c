/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls that wait for descriptors (ppoll, pselect6, epoll), and interruptible waiting. A timeout advances the
 * guest's clock by the waiting time. */
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/event_fd.h"
#include "core-model/linux/files.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/socket.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

enum { GUEST_CLOEXEC = 02000000 };

/* The number of descriptors that are ready now, or -1. A signal that interrupts it is one of the emulator: the host
 * answers so even without a time to wait. */
static int poll_now(struct pollfd *host, uint64_t count)
{
    static const struct timespec at_once;
    int n;
    do
        n = ppoll(host, count, &at_once, NULL);
    while (n < 0 && errno == EINTR);
    return n;
}

/* The number of ready descriptors, 0 at the deadline, or -EINTR; else the call blocks. */
static int64_t poll_host_files(struct guest *g, struct pollfd *host, uint64_t count, uint64_t until_ns)
{
    linux_events_check(g);
    int n = poll_now(host, count);
    if (n != 0)
        return linux_result(n);
    if (linux_clock_ns(g) >= until_ns)
        return 0;
    if (linux_signals_ready(g))
        return -EINTR;
    bool on_host = linux_events_exclude(g, host, count);
    return linux_block(
        g, &(struct linux_wait){.until_ns = until_ns, .timer = true, .fds = host, .count = on_host ? count : 0});
}

uint64_t linux_socket_timeout_ns(int host_fd, short events)
{
    struct timeval t;
    socklen_t size_bytes = sizeof t;
    if (getsockopt(host_fd, SOL_SOCKET, events == POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO, &t, &size_bytes) != 0 ||
        (t.tv_sec == 0 && t.tv_usec == 0) || t.tv_sec > INT32_MAX)
        return UINT64_MAX;
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

int64_t linux_wait_ready(struct guest *g, int host_fd, short events)
{
    struct pollfd host = {.fd = host_fd, .events = events};
    int flags = fcntl(host_fd, F_GETFL), access_mode = flags & O_ACCMODE;
    if ((flags & O_NONBLOCK) || access_mode == (events == POLLIN ? O_WRONLY : O_RDONLY))
        return 0; /* the host's call does not wait */
    uint64_t timeout_ns = linux_socket_timeout_ns(host_fd, events);
    int64_t r = poll_host_files(g, &host, 1, linux_deadline(g, timeout_ns));
    if (r == -EINTR && timeout_ns == UINT64_MAX)
        return -LINUX_RESTART; /* with a time-out Linux does not restart a call */
    return r == 0 ? -EAGAIN : r < 0 ? r : 0;
}

/* Sets the signal mask for the duration of the call; returns whether there is one. */
static int64_t take_mask(struct guest *g, uint64_t addr, uint64_t size_bytes)
{
    uint64_t mask;
    if (addr == 0 || linux_waited(g) != NULL)
        return 0;
    if (size_bytes != sizeof mask)
        return -EINVAL;
    if (linux_get(g, addr, &mask, sizeof mask) != 0)
        return -EFAULT;
    linux_replace_mask(g, mask);
    return 0;
}

/* Restores the signal mask, unless a signal ended the call: then delivery restores it. */
static int64_t give_mask_back(struct guest *g, int64_t r)
{
    struct linux_thread *t = g->thread;
    if (r != -EINTR && r != -LINUX_BLOCK && t->has_saved_mask) {
        t->has_saved_mask = false;
        linux_set_mask(g, t->saved_mask);
    }
    return r;
}

/* Replaces the time-out at `addr`, if there is one, by what is left of it. */
static void give_rest(struct guest *g, uint64_t addr, uint64_t until_ns)
{
    uint64_t now_ns = linux_clock_ns(g);
    if (addr != 0 && until_ns != UINT64_MAX)
        (void)linux_put_time(g, addr, until_ns > now_ns ? until_ns - now_ns : 0, 1); /* Linux ignores a failure */
}

int64_t sys_ppoll(struct guest *g, const uint64_t *a)
{
    struct pollfd host[LINUX_FD_MAX], guest[LINUX_FD_MAX]; /* same layout on all hosts */
    uint64_t timeout_ns = UINT64_MAX;
    int64_t closed = 0;
    if (a[1] > linux_fd_limit(g))
        return -EINVAL;
    int64_t r = linux_get(g, a[0], guest, a[1] * sizeof *guest);
    if (r == 0 && a[2] != 0)
        r = linux_get_time(g, a[2], &timeout_ns);
    if (r == 0)
        r = take_mask(g, a[3], a[4]);
    if (r < 0)
        return r;
    for (uint64_t i = 0; i < a[1]; i++) {
        host[i] = guest[i];
        host[i].fd = guest[i].fd < 0 ? -1 : linux_fd(g, (uint64_t)guest[i].fd);
        host[i].revents = 0;
        closed += guest[i].fd >= 0 && host[i].fd < 0;
    }
    uint64_t until_ns = linux_deadline(g, timeout_ns);
    r = give_mask_back(g, poll_host_files(g, host, a[1], closed > 0 ? 0 : until_ns));
    if (r != -LINUX_BLOCK)
        give_rest(g, a[2], until_ns);
    if (r < 0)
        return r;
    for (uint64_t i = 0; i < a[1]; i++)
        guest[i].revents = guest[i].fd >= 0 && host[i].fd < 0 ? POLLNVAL : host[i].revents;
    return linux_put(g, a[0], guest, a[1] * sizeof *guest) != 0 ? -EFAULT : r + closed;
}

enum { SELECT_WORDS = LINUX_FD_MAX / 64 };
static const short select_events[3] = {POLLIN, POLLOUT, POLLPRI};
/* poll events that add a descriptor to the read, write and exception set. */
static const short select_answers[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};

struct select_sets {
    uint64_t word[3][SELECT_WORDS];
    bool given[3];
};

static int64_t get_sets(struct guest *g, const uint64_t *a, struct select_sets *sets)
{
    size_t size_bytes = (a[0] + 63) / 64 * sizeof(uint64_t);
    *sets = (struct select_sets){0};
    if (a[0] > LINUX_FD_MAX)
        return -EINVAL;
    for (int i = 0; i < 3; i++) {
        sets->given[i] = a[1 + i] != 0;
        if (sets->given[i] && linux_get(g, a[1 + i], sets->word[i], size_bytes) != 0)
            return -EFAULT;
    }
    return 0;
}

static bool in_set(const struct select_sets *sets, int i, uint64_t fd)
{
    return (sets->word[i][fd / 64] >> fd % 64 & 1) != 0;
}

/* Converts the three sets to a list for poll; returns the number of descriptors, or -EBADF. */
static int64_t list_sets(struct guest *g, uint64_t limit, const struct select_sets *sets, struct pollfd *host,
                         uint32_t *number)
{
    int64_t count = 0;
    for (uint64_t fd = 0; fd < limit; fd++) {
        short events = 0;
        for (int i = 0; i < 3; i++)
            events = (short)(events | (in_set(sets, i, fd) ? select_events[i] : 0));
        if (events == 0)
            continue;
        int host_fd = linux_fd(g, fd);
        if (host_fd < 0)
            return -EBADF;
        number[count] = (uint32_t)fd;
        host[count++] = (struct pollfd){.fd = host_fd, .events = events};
    }
    return count;
}

static int64_t answer_sets(struct guest *g, const uint64_t *a, const struct select_sets *asked,
                           const struct pollfd *host, const uint32_t *number, int64_t count)
{
    struct select_sets answer = {0};
    int64_t members = 0;
    for (int64_t k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            if (in_set(asked, i, number[k]) && (host[k].revents & select_answers[i]) != 0) {
                answer.word[i][number[k] / 64] |= UINT64_C(1) << number[k] % 64;
                members++;
            }
    for (int i = 0; i < 3; i++)
        if (asked->given[i] && linux_put(g, a[1 + i], answer.word[i], (a[0] + 63) / 64 * sizeof(uint64_t)) != 0)
            return -EFAULT;
    return members;
}

int64_t sys_pselect6(struct guest *g, const uint64_t *a)
{
    struct select_sets sets;
    struct pollfd host[LINUX_FD_MAX];
    uint32_t number[LINUX_FD_MAX];
    uint64_t timeout_ns = UINT64_MAX, mask[2] = {0};
    int64_t r = get_sets(g, a, &sets);
    if (r == 0 && a[4] != 0)
        r = linux_get_time(g, a[4], &timeout_ns);
    if (r == 0 && a[5] != 0)
        r = linux_get(g, a[5], mask, sizeof mask);
    if (r < 0)
        return r;
    int64_t count = list_sets(g, a[0], &sets, host, number);
    if (count < 0)
        return count;
    r = take_mask(g, mask[0], mask[1]);
    if (r == 0) {
        uint64_t until_ns = linux_deadline(g, timeout_ns);
        r = give_mask_back(g, poll_host_files(g, host, (uint64_t)count, until_ns));
        if (r != -LINUX_BLOCK)
            give_rest(g, a[4], until_ns);
    }
    return r < 0 ? r : answer_sets(g, a, &sets, host, number, count);
}

int64_t sys_epoll_create1(struct guest *g, const uint64_t *a)
{
    if ((uint32_t)a[0] & ~(uint32_t)GUEST_CLOEXEC)
        return -EINVAL;
    int fd = epoll_create1(EPOLL_CLOEXEC);
    return fd < 0 ? -errno : linux_new_fd(g, fd, 0, (a[0] & GUEST_CLOEXEC) != 0);
}

/* struct epoll_event of the generic ABI; on x86-64 it is packed. */
struct guest_event {
    uint32_t events, pad;
    uint64_t data;
};

int64_t sys_epoll_ctl(struct guest *g, const uint64_t *a)
{
    struct guest_event guest = {0};
    int epoll = linux_fd(g, a[0]), fd = linux_fd(g, a[2]);
    if (epoll < 0 || fd < 0)
        return -EBADF;
    if (a[1] != EPOLL_CTL_DEL && linux_get(g, a[3], &guest, sizeof guest) != 0)
        return -EFAULT;
    struct epoll_event host = {.events = guest.events, .data.u64 = guest.data};
    return linux_result(epoll_ctl(epoll, (int)a[1], fd, &host));
}

static int64_t wait_for_events(struct guest *g, const uint64_t *a, uint64_t timeout_ns)
{
    struct epoll_event host[LINUX_FD_MAX];
    int epoll = linux_fd(g, a[0]), max = (int)a[2];
    if (epoll < 0)
        return epoll;
    if (max <= 0)
        return -EINVAL;
    struct pollfd wait = {.fd = epoll, .events = POLLIN};
    int64_t r = take_mask(g, a[4], a[5]);
    if (r == 0)
        r = give_mask_back(g, poll_host_files(g, &wait, 1, linux_deadline(g, timeout_ns)));
    if (r <= 0)
        return r;
    int n = epoll_wait(epoll, host, max < LINUX_FD_MAX ? max : LINUX_FD_MAX, 0);
    for (int i = 0; i < n; i++) {
        const struct guest_event one = {.events = host[i].events, .data = host[i].data.u64};
        if (linux_put(g, a[1] + (uint64_t)i * sizeof one, &one, sizeof one) != 0)
            return -EFAULT;
    }
    return linux_result(n);
}

int64_t sys_epoll_pwait(struct guest *g, const uint64_t *a)
{
    enum { MILLISECOND_NS = 1000000 };
    return wait_for_events(g, a, (int32_t)a[3] < 0 ? UINT64_MAX : (uint64_t)(uint32_t)a[3] * MILLISECOND_NS);
}

int64_t sys_epoll_pwait2(struct guest *g, const uint64_t *a)
{
    uint64_t timeout_ns = UINT64_MAX;
    int64_t r = a[3] != 0 ? linux_get_time(g, a[3], &timeout_ns) : 0;
    return r < 0 ? r : wait_for_events(g, a, timeout_ns);
}
