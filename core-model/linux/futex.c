/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Futexes. Waiters of this process are threads that are blocked; they are woken in the order in which they blocked. A
 * word in memory shared with other processes is also a futex of the host. Source: futex(2); Linux
 * Documentation/locking/{robust-futexes,pi-futex}.rst, include/uapi/linux/futex.h. Simplified: a futex is identified by
 * its address in this process, and priorities do not exist, so a priority-inheritance lock goes to the first waiter. */
#include <sys/syscall.h>
#include <unistd.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

enum {
    WAIT = 0,
    WAKE = 1,
    REQUEUE = 3,
    CMP_REQUEUE = 4,
    WAKE_OP = 5,
    LOCK_PI = 6,
    UNLOCK_PI = 7,
    TRYLOCK_PI = 8,
    WAIT_BITSET = 9,
    WAKE_BITSET = 10,
    WAIT_REQUEUE_PI = 11,
    CMP_REQUEUE_PI = 12,
    LOCK_PI2 = 13,
    FLAG_PRIVATE = 128,
    FLAG_REALTIME = 256,
    COMMAND = 0x7f,
    HOST_WAIT_NS = 1000000,
    ROBUST_MAX = 2048, /* entries of a robust list that are looked at */
};
#define HAS_WAITERS UINT32_C(0x80000000)
#define OWNER_DIED UINT32_C(0x40000000)
#define OWNER UINT32_C(0x3fffffff)

/* Whether the futex word is shared with other processes. */
static bool futex_is_shared(const struct guest *g, uint64_t addr, uint64_t operation)
{
    return !(operation & FLAG_PRIVATE) && memory_allows_slow(&g->hart.mem, addr, sizeof(uint32_t), MEM_R | MEM_SHARED);
}

/* The thread that has waited longest on the futex and has not been woken, or NULL. */
static struct linux_thread *first_waiter(const struct guest *g, uint64_t addr, uint32_t bitset)
{
    struct linux_thread *first = NULL;
    for (size_t i = 0; i < g->sched->threads; i++) {
        struct linux_thread *t = g->sched->thread[i];
        bool waits = t->waits && !t->wait.woken && t->wait.futex == addr && (t->wait.bitset & bitset) != 0;
        if (waits && (first == NULL || t->wait_order < first->wait_order))
            first = t;
    }
    return first;
}

uint64_t linux_futex_wake(struct guest *g, uint64_t addr, uint64_t most, uint32_t bitset)
{
    uint64_t woken = 0;
    struct linux_thread *t;
    while (woken < most && (t = first_waiter(g, addr, bitset)) != NULL) {
        t->wait.woken = true;
        woken++;
    }
    return woken;
}

/* Wakes waiters in this process, then in others. */
static int64_t wake(struct guest *g, uint64_t addr, uint64_t operation, uint32_t most, uint32_t bitset)
{
    enum { HOST_WAKE = 1 };
    int64_t woken = (int64_t)linux_futex_wake(g, addr, most, bitset);
    if (futex_is_shared(g, addr, operation) && woken < most) {
        int64_t r = linux_result(
            syscall(SYS_futex, memory_at(&g->hart.mem, addr), HOST_WAKE, (int)(most - woken), NULL, NULL, 0));
        woken += r > 0 ? r : 0;
    }
    return woken;
}

/* The time-out of a wait: relative to now for WAIT, absolute for the others, on the guest's monotonic clock or, with
 * FLAG_REALTIME, its real-time clock. */
static int64_t get_deadline(struct guest *g, const uint64_t *a, bool is_relative, bool is_realtime, uint64_t *until_ns)
{
    uint64_t ns = UINT64_MAX, now = is_realtime ? linux_clock_ns(g) : linux_monotonic_ns(g);
    int64_t r = a[3] != 0 ? linux_get_time(g, a[3], &ns) : 0;
    if (r < 0)
        return r;
    if (a[3] != 0 && !is_relative)
        ns = ns > now ? ns - now : 0;
    *until_ns = linux_deadline(g, ns);
    return 0;
}

/* The only thread of a process waits on the host, for the other processes that share the word. Signals do not interrupt
 * the host's wait, so it is limited in time. */
static int64_t wait_shared_alone(struct guest *g, uint64_t addr, uint32_t value, uint64_t until_ns)
{
    for (;;) {
        uint64_t now = linux_clock_ns(g), timer_ns = linux_timers_next(g);
        uint64_t ns = until_ns == UINT64_MAX ? UINT64_MAX : until_ns > now ? until_ns - now : 0;
        uint64_t part_ns = timer_ns < HOST_WAIT_NS ? timer_ns : HOST_WAIT_NS;
        bool last = ns <= part_ns;
        part_ns = last ? ns : part_ns;
        const struct timespec t = {.tv_sec = (time_t)(part_ns / 1000000000), .tv_nsec = (long)(part_ns % 1000000000)};
        int64_t r = linux_result(syscall(SYS_futex, memory_at(&g->hart.mem, addr), WAIT, value, &t, NULL, 0));
        if (r == -ETIMEDOUT)
            linux_sleep(g, until_ns != UINT64_MAX || timer_ns != UINT64_MAX ? part_ns : 0);
        if (r != -EINTR && (r != -ETIMEDOUT || last))
            return r;
        if (r == -EINTR || g->sched->hart[0]->hart.stop == HART_STOP || linux_signals_ready(g))
            return until_ns == UINT64_MAX ? -LINUX_RESTART : -EINTR;
    }
}

static int64_t wait_on(struct guest *g, const uint64_t *a, uint32_t bitset)
{
    uint64_t until_ns;
    uint32_t value;
    const struct linux_wait *w = linux_waited(g);
    bool shared = futex_is_shared(g, a[0], a[1]);
    int64_t r = get_deadline(g, a, (a[1] & COMMAND) == WAIT, (a[1] & FLAG_REALTIME) != 0, &until_ns);
    if (r < 0)
        return r;
    if (bitset == 0 || a[0] % sizeof value != 0)
        return -EINVAL;
    if (w != NULL && w->woken)
        return 0;
    if (linux_get(g, a[0], &value, sizeof value) != 0)
        return -EFAULT;
    if (value != (uint32_t)a[2] && (w == NULL || shared)) /* other processes wake by the change of the word */
        return w == NULL ? -EAGAIN : 0;
    if (linux_clock_ns(g) >= until_ns)
        return -ETIMEDOUT;
    if (linux_signals_ready(g))
        return until_ns == UINT64_MAX ? -LINUX_RESTART : -EINTR;
    if (shared && !linux_has_threads(g))
        return wait_shared_alone(g, a[0], value, until_ns);
    /* After a requeue the thread waits on another futex than at first. */
    uint64_t addr = w != NULL ? w->futex : a[0];
    return linux_block(g,
                       &(struct linux_wait){.until_ns = until_ns, .futex = addr, .bitset = bitset, .retries = shared});
}

/* Makes up to `most` waiters wait on another futex, which can be the same; returns their number. */
static int64_t move_waiters(struct guest *g, uint64_t from, uint32_t most, uint64_t to)
{
    int64_t moved = 0;
    struct linux_thread *t;
    for (; from != to && moved < most && (t = first_waiter(g, from, UINT32_MAX)) != NULL; moved++)
        t->wait.futex = to;
    for (size_t i = 0; from == to && i < g->sched->threads && moved < most; i++)
        moved += g->sched->thread[i]->waits && !g->sched->thread[i]->wait.woken &&
                 g->sched->thread[i]->wait.futex == from;
    return moved;
}

/* Wakes `a[2]` waiters and makes up to `a[3]` others wait on a[4]; returns the number of both, as Linux does. */
static int64_t requeue(struct guest *g, const uint64_t *a, bool compares)
{
    uint32_t value;
    if ((int32_t)a[2] < 0 || (int32_t)a[3] < 0 || a[4] % sizeof value != 0)
        return -EINVAL;
    if (linux_get(g, a[0], &value, sizeof value) != 0 || linux_memory(g, a[4], sizeof value, MEM_R) == NULL)
        return -EFAULT;
    if (compares && value != (uint32_t)a[5])
        return -EAGAIN;
    int64_t woken = wake(g, a[0], a[1], (uint32_t)a[2], UINT32_MAX);
    return woken + move_waiters(g, a[0], (uint32_t)a[3], a[4]);
}

/* FUTEX_WAKE_OP: changes the word at a[4] by an encoded operation, wakes waiters on a[0], and, if the old value
 * compares, on a[4]. */
static int64_t wake_by_operation(struct guest *g, const uint64_t *a)
{
    uint32_t encoded = (uint32_t)a[5], old;
    int32_t operand = (int32_t)(encoded << 8) >> 20, comparand = (int32_t)(encoded << 20) >> 20;
    if (encoded >> 31 != 0) {
        if (operand < 0 || operand > 31)
            return -EINVAL;
        operand = (int32_t)(UINT32_C(1) << operand);
    }
    if (a[4] % sizeof old != 0)
        return -EINVAL;
    if (linux_get(g, a[4], &old, sizeof old) != 0 || linux_memory(g, a[4], sizeof old, MEM_W) == NULL)
        return -EFAULT;
    uint32_t changed[] = {(uint32_t)operand, old + (uint32_t)operand, old | (uint32_t)operand, old & ~(uint32_t)operand,
                          old ^ (uint32_t)operand};
    uint32_t kind = encoded >> 28 & 7, test = encoded >> 24 & 15;
    int32_t signed_old = (int32_t)old;
    const bool holds[] = {signed_old == comparand, signed_old != comparand,
                          signed_old<comparand, signed_old <= comparand, signed_old> comparand,
                          signed_old >= comparand};
    if (kind >= sizeof changed / sizeof changed[0])
        return -ENOSYS;
    (void)linux_put(g, a[4], &changed[kind], sizeof old);
    if (test >= sizeof holds / sizeof holds[0])
        return -ENOSYS;
    int64_t woken = wake(g, a[0], a[1], (uint32_t)a[2], UINT32_MAX);
    return holds[test] ? woken + wake(g, a[4], a[1], (uint32_t)a[3], UINT32_MAX) : woken;
}

/* Takes a priority-inheritance lock if it is free: 0, -EAGAIN, or an error. */
static int64_t try_lock(struct guest *g, uint64_t addr, uint32_t *word)
{
    uint32_t self = g->thread->tid;
    if (addr % sizeof *word != 0)
        return -EINVAL;
    if (linux_get(g, addr, word, sizeof *word) != 0 || linux_memory(g, addr, sizeof *word, MEM_W) == NULL)
        return -EFAULT;
    if ((*word & OWNER) == self)
        return -EDEADLK;
    if ((*word & OWNER) != 0)
        return -EAGAIN;
    uint32_t mine = self | (*word & OWNER_DIED) | (first_waiter(g, addr, UINT32_MAX) != NULL ? HAS_WAITERS : 0);
    return linux_put(g, addr, &mine, sizeof mine);
}

static int64_t futex_lock(struct guest *g, const uint64_t *a)
{
    uint64_t until_ns;
    uint32_t word;
    const struct linux_wait *w = linux_waited(g);
    bool is_realtime = (a[1] & COMMAND) == LOCK_PI || (a[1] & FLAG_REALTIME);
    int64_t r = get_deadline(g, a, false, is_realtime, &until_ns);
    if (r < 0)
        return r;
    if (w != NULL && w->woken) /* the lock was handed over by unlock */
        return 0;
    r = try_lock(g, a[0], &word);
    if (r != -EAGAIN)
        return r;
    if (linux_thread_find(g, word & OWNER) == NULL && linux_host_pid(g, word & OWNER) < 0)
        return -ESRCH;
    if (linux_clock_ns(g) >= until_ns)
        return -ETIMEDOUT;
    if (linux_signals_ready(g))
        return -LINUX_RESTART;
    word |= HAS_WAITERS;
    (void)linux_put(g, a[0], &word, sizeof word);
    return linux_block(
        g, &(struct linux_wait){
               .until_ns = until_ns, .futex = a[0], .bitset = UINT32_MAX, .retries = futex_is_shared(g, a[0], a[1])});
}

/* Hands a priority-inheritance lock to its first waiter. */
static int64_t hand_over(struct guest *g, uint64_t addr, uint32_t flags)
{
    struct linux_thread *next = first_waiter(g, addr, UINT32_MAX);
    uint32_t word = flags;
    if (next != NULL) {
        next->wait.woken = true;
        word |= next->tid | (first_waiter(g, addr, UINT32_MAX) != NULL ? HAS_WAITERS : 0);
    }
    return linux_put(g, addr, &word, sizeof word);
}

static int64_t futex_unlock(struct guest *g, uint64_t addr)
{
    uint32_t word;
    if (addr % sizeof word != 0)
        return -EINVAL;
    if (linux_get(g, addr, &word, sizeof word) != 0)
        return -EFAULT;
    return (word & OWNER) != g->thread->tid ? -EPERM : hand_over(g, addr, 0);
}

int64_t sys_futex(struct guest *g, const uint64_t *a)
{
    uint32_t word;
    int64_t r;
    switch (a[1] & COMMAND) {
    case WAIT:
        return wait_on(g, a, UINT32_MAX);
    case WAIT_BITSET:
        return wait_on(g, a, (uint32_t)a[5]);
    case WAKE:
    case WAKE_BITSET:
        if (a[0] % sizeof word != 0 || ((a[1] & COMMAND) == WAKE_BITSET && (uint32_t)a[5] == 0))
            return -EINVAL;
        if (!(a[1] & FLAG_PRIVATE) && linux_memory(g, a[0], sizeof word, MEM_R) == NULL)
            return -EFAULT;
        return wake(g, a[0], a[1], (uint32_t)a[2], (a[1] & COMMAND) == WAKE ? UINT32_MAX : (uint32_t)a[5]);
    case REQUEUE:
    case CMP_REQUEUE:
        return requeue(g, a, (a[1] & COMMAND) == CMP_REQUEUE);
    case WAKE_OP:
        return wake_by_operation(g, a);
    case LOCK_PI:
    case LOCK_PI2:
        return futex_lock(g, a);
    case TRYLOCK_PI:
        r = try_lock(g, a[0], &word);
        return r;
    case UNLOCK_PI:
        return futex_unlock(g, a[0]);
    default:
        return -ENOSYS;
    }
}

/* A robust futex of a dead owner: marked, and one waiter woken. */
static void mark_dead(struct guest *g, const struct linux_thread *t, uint64_t addr, bool is_pi)
{
    uint32_t word;
    if (linux_get(g, addr, &word, sizeof word) != 0 || (word & OWNER) != t->tid)
        return;
    if (is_pi) {
        (void)hand_over(g, addr, OWNER_DIED);
        return;
    }
    uint32_t dead = (word & HAS_WAITERS) | OWNER_DIED;
    if (linux_put(g, addr, &dead, sizeof dead) == 0 && (word & HAS_WAITERS))
        (void)wake(g, addr, 0, 1, UINT32_MAX);
}

void linux_futex_release(struct guest *g, struct linux_thread *t)
{
    struct {
        uint64_t next;
        int64_t offset;
        uint64_t pending;
    } head;
    if (t->robust_list == 0 || linux_get(g, t->robust_list, &head, sizeof head) != 0)
        return;
    uint64_t entry = head.next;
    for (int n = 0; n < ROBUST_MAX && (entry & ~UINT64_C(1)) != t->robust_list; n++) {
        uint64_t next, at = entry & ~UINT64_C(1); /* bit 0: a priority-inheritance lock */
        if (linux_get(g, at, &next, sizeof next) != 0)
            break;
        if (at != (head.pending & ~UINT64_C(1)))
            mark_dead(g, t, at + (uint64_t)head.offset, (entry & 1) != 0);
        entry = next;
    }
    if (head.pending != 0)
        mark_dead(g, t, (head.pending & ~UINT64_C(1)) + (uint64_t)head.offset, (head.pending & 1) != 0);
}
