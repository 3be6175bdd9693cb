/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on time. A single process sleeps without waiting on the host; one of several processes also waits on the
 * host, because the others may depend on it. */
#include "core-model/linux/clock.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

enum { SECOND_NS = 1000000000 };

int64_t sys_clock_gettime(struct guest *g, const uint64_t *a)
{
    uint64_t ns;
    return linux_read_clock(g, (int32_t)a[0], &ns) ? linux_put_time(g, a[1], ns, 1) : -EINVAL;
}

int64_t sys_clock_getres(struct guest *g, const uint64_t *a)
{
    uint64_t ns;
    if (!linux_read_clock(g, (int32_t)a[0], &ns))
        return -EINVAL;
    return a[1] != 0 ? linux_put_time(g, a[1], 1, 1) : 0;
}

int64_t sys_gettimeofday(struct guest *g, const uint64_t *a)
{
    const uint64_t no_zone = 0;
    if (a[0] != 0 && linux_put_time(g, a[0], linux_clock_ns(g), 1000) != 0)
        return -EFAULT;
    return a[1] != 0 ? linux_put(g, a[1], &no_zone, sizeof no_zone) : 0;
}

/* Sleeps until the deadline; at a signal, stores the remaining time at `left_addr` unless that is 0. */
static int64_t sleep_until(struct guest *g, uint64_t deadline_ns, uint64_t left_addr)
{
    uint64_t now = linux_clock_ns(g);
    if (now >= deadline_ns)
        return 0;
    if (!linux_signals_ready(g))
        return linux_block(g, &(struct linux_wait){.until_ns = deadline_ns});
    return left_addr != 0 && linux_put_time(g, left_addr, deadline_ns - now, 1) != 0 ? -EFAULT : -EINTR;
}

int64_t sys_nanosleep(struct guest *g, const uint64_t *a)
{
    uint64_t ns;
    int64_t r = linux_get_time(g, a[0], &ns);
    return r == 0 ? sleep_until(g, linux_deadline(g, ns), a[1]) : r;
}

int64_t sys_clock_nanosleep(struct guest *g, const uint64_t *a)
{
    enum { ABSOLUTE = 1, THREAD = 3, COARSE = 6 /* between them, and included: clocks without timers */ };
    uint64_t ns, now;
    if (!linux_read_clock(g, (int32_t)a[0], &now))
        return -EINVAL;
    if ((int32_t)a[0] >= THREAD && (int32_t)a[0] <= COARSE)
        return -EOPNOTSUPP;
    int64_t r = linux_get_time(g, a[2], &ns);
    if (r < 0)
        return r;
    if (a[1] & ABSOLUTE)
        ns = ns > now ? ns - now : 0;
    return sleep_until(g, linux_deadline(g, ns), a[1] & ABSOLUTE ? 0 : a[3]);
}

int64_t sys_times(struct guest *g, const uint64_t *a)
{
    const uint64_t tick_ns = SECOND_NS / LINUX_CLOCK_TICKS;
    const uint64_t tms[4] = {linux_cpu_ns(g) / tick_ns, 0, g->clock->children_ns / tick_ns, 0};
    if (a[0] != 0 && linux_put(g, a[0], tms, sizeof tms) != 0)
        return -EFAULT;
    return (int64_t)((linux_monotonic_ns(g)) / tick_ns);
}

int64_t sys_getrusage(struct guest *g, const uint64_t *a)
{
    enum { WORDS = 18 };
    uint64_t usage[WORDS] = {0}; /* user time, system time, then counters that are not maintained */
    enum { CHILDREN = -1, SELF = 0, THREAD = 1 };
    bool children = (int32_t)a[0] == CHILDREN;
    if (!children && (int32_t)a[0] != SELF && (int32_t)a[0] != THREAD)
        return -EINVAL;
    uint64_t ns = children                  ? g->clock->children_ns
                  : (int32_t)a[0] == THREAD ? linux_cycles_ns(g, linux_thread_cycles(g, g->thread))
                                            : linux_cpu_ns(g);
    usage[0] = ns / SECOND_NS;
    usage[1] = ns % SECOND_NS / 1000;
    return linux_put(g, a[1], usage, sizeof usage);
}

int64_t sys_sysinfo(struct guest *g, const uint64_t *a)
{
    const struct {
        uint64_t uptime, loads[3], total, free, shared, buffers, total_swap, free_swap;
        uint16_t processes, pad;
        uint32_t pad2;
        uint64_t total_high, free_high;
        uint32_t unit, pad3;
    } info = {
        .uptime = (linux_monotonic_ns(g)) / SECOND_NS,
        .total = LINUX_MEMORY_BYTES,
        .free = LINUX_FREE_BYTES,
        .processes = 1,
        .unit = 1,
    };
    return linux_put(g, a[0], &info, sizeof info);
}
