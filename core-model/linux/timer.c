/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interval timers: setitimer, getitimer. They use the guest's clock, so a signal arrives after the same number of
 * cycles in every run; a blocking system call advances the clock to the deadline. */
#include <signal.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/event_fd.h"
#include "core-model/linux/posix_timer.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/thread.h"

enum { TIMER_REAL, TIMER_VIRTUAL, TIMER_PROF, SECOND_NS = 1000000000, MICROSECOND_NS = 1000 };

static const int signals[LINUX_TIMERS] = {SIGALRM, SIGVTALRM, SIGPROF};

static uint64_t timer_read_clock(const struct guest *g, int which)
{
    return which == TIMER_REAL ? linux_clock_ns(g) : linux_cpu_ns(g);
}

void linux_timers_check(struct guest *g)
{
    for (int i = 0; i < LINUX_TIMERS; i++) {
        struct linux_timer *t = &g->clock->timer[i];
        uint64_t now;
        if (t->deadline_ns == 0 || (now = timer_read_clock(g, i)) < t->deadline_ns)
            continue;
        (void)linux_send(g, NULL, &(struct linux_siginfo){.signal = signals[i], .code = SI_KERNEL});
        t->deadline_ns = t->interval_ns != 0 ? now + t->interval_ns : 0;
    }
    linux_posix_timers_check(g);
}

/* Whether the timer's next expiry can have an effect. None have those whose signal is pending already, and those of
 * processor time while no thread runs. */
static bool matters(const struct guest *g, int which)
{
    bool is_pending = (g->signals->pending.set & linux_signal_bit(signals[which])) != 0;
    return g->clock->timer[which].deadline_ns != 0 && !is_pending && (which == TIMER_REAL || linux_processor_runs(g));
}

uint64_t linux_timers_next(const struct guest *g)
{
    uint64_t next = UINT64_MAX;
    for (int i = 0; i < LINUX_TIMERS; i++) {
        const struct linux_timer *t = &g->clock->timer[i];
        uint64_t now = matters(g, i) ? timer_read_clock(g, i) : UINT64_MAX;
        uint64_t left = now == UINT64_MAX ? now : t->deadline_ns > now ? t->deadline_ns - now : 0;
        next = left < next ? left : next;
    }
    uint64_t others[] = {linux_posix_timers_next(g), linux_events_next(g)};
    for (int i = 0; i < 2; i++)
        next = others[i] < next ? others[i] : next;
    return next;
}

static int64_t put_timer(struct guest *g, uint64_t addr, int which)
{
    const struct linux_timer *t = &g->clock->timer[which];
    uint64_t now = timer_read_clock(g, which), left = t->deadline_ns > now ? t->deadline_ns - now : 0;
    if (t->deadline_ns != 0 && left < MICROSECOND_NS)
        left = MICROSECOND_NS; /* 0 would mean that the timer is not armed */
    int64_t r = linux_put_time(g, addr, t->interval_ns, MICROSECOND_NS);
    return r < 0 ? r : linux_put_time(g, addr + 2 * sizeof(uint64_t), left, MICROSECOND_NS);
}

int64_t sys_getitimer(struct guest *g, const uint64_t *a)
{
    return a[0] < LINUX_TIMERS ? put_timer(g, a[1], (int)a[0]) : -EINVAL;
}

int64_t sys_setitimer(struct guest *g, const uint64_t *a)
{
    uint64_t value[4] = {0};
    if (a[0] >= LINUX_TIMERS)
        return -EINVAL;
    if (a[1] != 0 && linux_get(g, a[1], value, sizeof value) != 0)
        return -EFAULT;
    if (value[1] >= SECOND_NS / MICROSECOND_NS || value[3] >= SECOND_NS / MICROSECOND_NS || value[0] > UINT32_MAX ||
        value[2] > UINT32_MAX)
        return -EINVAL;
    if (a[2] != 0 && put_timer(g, a[2], (int)a[0]) != 0)
        return -EFAULT;
    uint64_t first = value[2] * SECOND_NS + value[3] * MICROSECOND_NS;
    g->clock->timer[a[0]] = (struct linux_timer){
        .deadline_ns = first != 0 ? timer_read_clock(g, (int)a[0]) + first : 0,
        .interval_ns = value[0] * SECOND_NS + value[1] * MICROSECOND_NS,
    };
    return 0;
}
