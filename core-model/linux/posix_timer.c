/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timers of timer_create, on the guest's clock. As in Linux, the signal of a timer is queued at most once; expiries
 * until it is taken are counted as overruns. Source: timer_create(2), timer_settime(2), timer_getoverrun(2); Linux
 * kernel/time/posix-timers.c. */
#include "core-model/linux/posix_timer.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

enum { NOTIFY_SIGNAL = 0, NOTIFY_NONE = 1, NOTIFY_THREAD = 2, NOTIFY_THREAD_ID = 4, OVERRUN_MAX = INT_MAX };

struct posix_timer {
    int32_t id, clock;
    int32_t notify, signal;
    uint32_t tid; /* of NOTIFY_THREAD_ID */
    uint64_t value;
    uint64_t deadline_ns, interval_ns; /* on its clock; deadline 0: not armed */
    bool queued;                       /* its signal is pending */
    int32_t overrun;                   /* of the signal taken last */
};

static struct posix_timer *posix_timer_find(const struct guest *g, uint64_t id)
{
    for (size_t i = 0; i < g->clock->posix_timers; i++)
        if (g->clock->posix_timer[i]->id == (int32_t)id)
            return g->clock->posix_timer[i];
    return NULL;
}

static uint64_t now_of(const struct guest *g, const struct posix_timer *t)
{
    uint64_t ns = 0;
    (void)linux_read_clock(g, t->clock, &ns);
    return ns;
}

/* Moves the deadline past the clock; the number of periods. */
static uint64_t forward(struct posix_timer *t, uint64_t now)
{
    if (now < t->deadline_ns)
        return 0;
    if (t->interval_ns == 0) {
        t->deadline_ns = 0;
        return 0;
    }
    uint64_t periods = (now - t->deadline_ns) / t->interval_ns + 1;
    t->deadline_ns += periods * t->interval_ns;
    return periods;
}

static bool posix_timer_is_in(const struct linux_pending *p, const struct posix_timer *t)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->queue[i].code == SI_TIMER && (int32_t)p->queue[i].word[0] == t->id)
            return true;
    return false;
}

/* Whether the timer's signal is still pending; a change of the signal's action may have removed it. */
static bool is_queued(const struct guest *g, const struct posix_timer *t)
{
    bool found = posix_timer_is_in(&g->signals->pending, t);
    for (size_t i = 0; !found && i < g->sched->threads; i++)
        found = posix_timer_is_in(&g->sched->thread[i]->pending, t);
    return found;
}

static void expire(struct guest *g, struct posix_timer *t, uint64_t now)
{
    const struct linux_siginfo info = {.signal = t->signal, .code = SI_TIMER, .word = {(uint32_t)t->id, t->value}};
    struct linux_thread *to = t->notify == NOTIFY_THREAD_ID ? linux_thread_find(g, t->tid) : NULL;
    bool lost = t->notify == NOTIFY_NONE || (t->notify == NOTIFY_THREAD_ID && to == NULL);
    t->queued = !lost && linux_send(g, to, &info) == 0;
    if (!t->queued)
        (void)forward(t, now);
}

void linux_posix_timers_check(struct guest *g)
{
    for (size_t i = 0; i < g->clock->posix_timers; i++) {
        struct posix_timer *t = g->clock->posix_timer[i];
        uint64_t now = t->deadline_ns != 0 ? now_of(g, t) : 0;
        if (t->queued && !is_queued(g, t)) {
            t->queued = false;
            (void)forward(t, now);
        }
        if (t->deadline_ns != 0 && !t->queued && now >= t->deadline_ns)
            expire(g, t, now);
    }
}

void linux_posix_timer_taken(struct guest *g, struct linux_siginfo *info)
{
    struct posix_timer *t = info->code == SI_TIMER ? posix_timer_find(g, info->word[0] & UINT32_MAX) : NULL;
    if (t == NULL || !t->queued)
        return;
    uint64_t periods = forward(t, now_of(g, t));
    t->queued = false;
    t->overrun = periods > OVERRUN_MAX ? OVERRUN_MAX : periods > 0 ? (int32_t)periods - 1 : 0;
    info->word[0] |= (uint64_t)(uint32_t)t->overrun << 32;
}

static bool is_of_processor(int32_t clock)
{
    enum { PROCESS = 2, THREAD = 3 };
    return clock < 0 || clock == PROCESS || clock == THREAD;
}

uint64_t linux_posix_timers_next(const struct guest *g)
{
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < g->clock->posix_timers; i++) {
        const struct posix_timer *t = g->clock->posix_timer[i];
        if (t->deadline_ns == 0 || t->queued || t->notify == NOTIFY_NONE ||
            (is_of_processor(t->clock) && !linux_processor_runs(g)))
            continue;
        uint64_t now = now_of(g, t), left = t->deadline_ns > now ? t->deadline_ns - now : 0;
        next = left < next ? left : next;
    }
    return next;
}

void linux_posix_timers_drop(struct guest *g)
{
    for (size_t i = 0; i < g->clock->posix_timers; i++)
        free(g->clock->posix_timer[i]);
    free(g->clock->posix_timer);
    g->clock->posix_timer = NULL;
    g->clock->posix_timers = 0;
}

/* struct sigevent of the generic ABI. */
struct guest_sigevent {
    uint64_t value;
    int32_t signal, notify;
    uint32_t tid;
};

static int64_t posix_timer_check_event(const struct guest *g, const struct guest_sigevent *e)
{
    if (e->notify == NOTIFY_NONE)
        return 0;
    if (e->notify != NOTIFY_SIGNAL && e->notify != NOTIFY_THREAD && e->notify != NOTIFY_THREAD_ID)
        return -EINVAL;
    if (e->notify == NOTIFY_THREAD_ID && linux_thread_find(g, e->tid) == NULL)
        return -EINVAL;
    return e->signal >= 1 && e->signal <= LINUX_SIGNAL_MAX ? 0 : -EINVAL;
}

/* The clock as timers use it: THREAD_CPU is that of the calling thread, whatever thread runs later. */
static int64_t posix_timer_clock(const struct guest *g, uint64_t id, int32_t *clock)
{
    enum { MONOTONIC_RAW = 4, REALTIME_COARSE = 5, MONOTONIC_COARSE = 6, REALTIME_ALARM = 8, BOOTTIME_ALARM = 9 };
    enum { THREAD_CPU = 3, OF_THREAD = 6, NUMBER_SHIFT = 3 };
    uint64_t ns;
    *clock = (int32_t)id;
    if (*clock == THREAD_CPU)
        *clock = (int32_t)(~g->thread->tid << NUMBER_SHIFT | OF_THREAD);
    if (!linux_read_clock(g, *clock, &ns))
        return -EINVAL;
    bool has_timers = *clock != MONOTONIC_RAW && *clock != REALTIME_COARSE && *clock != MONOTONIC_COARSE &&
                      *clock != REALTIME_ALARM && *clock != BOOTTIME_ALARM;
    return has_timers ? 0 : -EOPNOTSUPP;
}

int64_t sys_timer_create(struct guest *g, const uint64_t *a)
{
    struct linux_clock *timers = g->clock;
    struct guest_sigevent e = {.signal = SIGALRM, .notify = NOTIFY_SIGNAL};
    int32_t clock;
    int64_t r = posix_timer_clock(g, a[0], &clock);
    if (r < 0)
        return r;
    int32_t id = timers->posix_timers > 0 ? timers->posix_timer[timers->posix_timers - 1]->id + 1 : 0;
    if (a[1] != 0 && linux_get(g, a[1], &e, sizeof e) != 0)
        return -EFAULT;
    if (a[1] == 0)
        e.value = (uint32_t)id;
    r = posix_timer_check_event(g, &e);
    if (r == 0 && timers->posix_timers == PENDING_MAX)
        r = -EAGAIN; /* RLIMIT_SIGPENDING */
    if (r == 0)
        r = linux_put(g, a[2], &id, sizeof id);
    if (r < 0)
        return r;
    timers->posix_timer = xgrow(timers->posix_timer, timers->posix_timers, sizeof(struct posix_timer *));
    struct posix_timer *t = timers->posix_timer[timers->posix_timers++] = xcalloc(1, sizeof *t);
    *t = (struct posix_timer){
        .id = id, .clock = clock, .notify = e.notify, .signal = e.signal, .tid = e.tid, .value = e.value};
    return 0;
}

static int64_t posix_timer_put_setting(struct guest *g, uint64_t addr, const struct posix_timer *t)
{
    uint64_t now = t->deadline_ns != 0 ? now_of(g, t) : 0, left = t->deadline_ns > now ? t->deadline_ns - now : 0;
    if (t->deadline_ns != 0 && left == 0 && t->interval_ns != 0)
        left = t->interval_ns - (now - t->deadline_ns) % t->interval_ns;
    int64_t r = linux_put_time(g, addr, t->interval_ns, 1);
    return r < 0 ? r : linux_put_time(g, addr + 2 * sizeof(uint64_t), left, 1);
}

int64_t sys_timer_settime(struct guest *g, const uint64_t *a)
{
    enum { ABSOLUTE = 1 };
    struct posix_timer *t = posix_timer_find(g, a[0]);
    uint64_t interval_ns, first_ns;
    if (a[2] == 0)
        return -EINVAL;
    int64_t r = linux_get_time(g, a[2], &interval_ns);
    if (r == 0)
        r = linux_get_time(g, a[2] + 2 * sizeof(uint64_t), &first_ns);
    if (r != 0 || t == NULL)
        return r != 0 ? r : -EINVAL;
    const struct posix_timer before = *t;
    bool absolute = (a[1] & ABSOLUTE) != 0;
    t->interval_ns = interval_ns;
    t->deadline_ns = first_ns == 0 ? 0 : absolute ? first_ns : now_of(g, t) + first_ns;
    t->queued = is_queued(g, t);
    t->overrun = 0;
    return a[3] != 0 ? posix_timer_put_setting(g, a[3], &before) : 0;
}

int64_t sys_timer_gettime(struct guest *g, const uint64_t *a)
{
    const struct posix_timer *t = posix_timer_find(g, a[0]);
    return t == NULL ? -EINVAL : posix_timer_put_setting(g, a[1], t);
}

int64_t sys_timer_getoverrun(struct guest *g, const uint64_t *a)
{
    const struct posix_timer *t = posix_timer_find(g, a[0]);
    return t == NULL ? -EINVAL : t->overrun;
}

int64_t sys_timer_delete(struct guest *g, const uint64_t *a)
{
    struct linux_clock *clock = g->clock;
    struct posix_timer *t = posix_timer_find(g, a[0]);
    size_t kept = 0;
    if (t == NULL)
        return -EINVAL;
    for (size_t i = 0; i < clock->posix_timers; i++)
        if (clock->posix_timer[i] != t)
            clock->posix_timer[kept++] = clock->posix_timer[i];
    clock->posix_timers = kept;
    free(t);
    return 0;
}

static void move_posix_timer(struct posix_timer *t, struct checkpoint_stream *s)
{
    t->id = (int32_t)checkpoint_move_signed(s, t->id, 0, INT32_MAX);
    t->clock = (int32_t)checkpoint_move_signed(s, t->clock, INT32_MIN, INT32_MAX);
    t->notify = (int32_t)checkpoint_move_signed(s, t->notify, NOTIFY_SIGNAL, NOTIFY_THREAD_ID);
    t->signal = (int32_t)checkpoint_move_signed(s, t->signal, t->notify == NOTIFY_NONE ? INT32_MIN : 1,
                                                t->notify == NOTIFY_NONE ? INT32_MAX : LINUX_SIGNAL_MAX);
    CHECKPOINT_MOVE(s, t->tid);
    CHECKPOINT_MOVE(s, t->value);
    CHECKPOINT_MOVE(s, t->deadline_ns);
    CHECKPOINT_MOVE(s, t->interval_ns);
    CHECKPOINT_MOVE(s, t->queued);
    t->overrun = (int32_t)checkpoint_move_signed(s, t->overrun, 0, OVERRUN_MAX);
}

void linux_posix_timers_move(struct guest *g, struct checkpoint_stream *s)
{
    struct linux_clock *clock = g->clock;
    const uint64_t count = checkpoint_move(s, clock->posix_timers, 0, PENDING_MAX);
    for (uint64_t i = 0; i < count && !s->failed; i++) {
        if (s->reads) {
            clock->posix_timer = xgrow(clock->posix_timer, clock->posix_timers, sizeof(struct posix_timer *));
            clock->posix_timer[clock->posix_timers++] = xcalloc(1, sizeof(struct posix_timer));
        }
        move_posix_timer(clock->posix_timer[i], s);
    }
}
