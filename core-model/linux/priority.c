/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Priorities and scheduling policies. They are stored and have no effect: threads take turns. Those of other processes
 * are neither known nor changed: they read as the default. Source: sched(7), sched_setattr(2), getpriority(2). */
#include <unistd.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

enum { POLICY_OTHER = 0, POLICY_FIFO = 1, POLICY_RR = 2, POLICY_BATCH = 3, POLICY_IDLE = 5, POLICY_DEADLINE = 6 };
enum { RESET_ON_FORK = 0x40000000, NICE_MIN = -20, NICE_MAX = 19, REAL_TIME_MAX = 99 };

/* linux_find_target, for calls that refuse a negative number. */
static int64_t thread_of(const struct guest *g, uint64_t tid, struct linux_thread **t)
{
    return (int32_t)tid < 0 ? -EINVAL : linux_find_target(g, tid, t);
}

static uint32_t policy_of(const struct linux_thread *t) { return t != NULL ? t->policy : POLICY_OTHER; }

static int32_t nice_of(const struct guest *g, bool own) { return own ? g->task->nice : 0; }

static bool is_policy(uint32_t policy)
{
    return policy <= POLICY_BATCH || policy == POLICY_IDLE || policy == POLICY_DEADLINE;
}

/* Real-time policies and less niceness are the superuser's. */
static bool is_privileged(void) { return geteuid() == 0; }

static int64_t set_policy(struct linux_thread *t, uint32_t policy, int32_t priority)
{
    bool real_time = policy == POLICY_FIFO || policy == POLICY_RR;
    if (!is_policy(policy) || priority < 0 || priority > REAL_TIME_MAX || real_time != (priority != 0))
        return -EINVAL;
    if ((real_time || policy == POLICY_DEADLINE) && !is_privileged())
        return -EPERM;
    if (t != NULL) {
        t->policy = policy;
        t->priority = priority;
    }
    return 0;
}

/* getpriority and setpriority: a process, a process group or a user; whether the calling process is among them. */
static int64_t check_target(struct guest *g, const uint64_t *a, bool *own)
{
    enum { PROCESS, GROUP, USER };
    const uint64_t self[] = {0};
    struct linux_thread *t;
    switch ((uint32_t)a[0]) {
    case PROCESS:
        if (linux_find_target(g, a[1], &t) != 0)
            return -ESRCH;
        *own = t != NULL;
        return 0;
    case GROUP:
        *own = (uint32_t)a[1] == 0 || (uint32_t)a[1] == sys_getpgid(g, self);
        return *own || linux_host_group(g, (uint32_t)a[1]) >= 0 ? 0 : -ESRCH;
    case USER:
        *own = (uint32_t)a[1] == 0 || (uint32_t)a[1] == getuid();
        return *own ? 0 : -ESRCH;
    default:
        return -EINVAL;
    }
}

/* The kernel's result is 20 - nice. */
int64_t sys_getpriority(struct guest *g, const uint64_t *a)
{
    bool own;
    int64_t r = check_target(g, a, &own);
    return r != 0 ? r : NICE_MAX + 1 - nice_of(g, own);
}

int64_t sys_setpriority(struct guest *g, const uint64_t *a)
{
    bool own;
    int64_t r = check_target(g, a, &own);
    int32_t nice = (int32_t)a[2] < NICE_MIN ? NICE_MIN : (int32_t)a[2] > NICE_MAX ? NICE_MAX : (int32_t)a[2];
    if (r == 0 && nice < nice_of(g, own) && !is_privileged())
        return -EACCES;
    if (r == 0 && own)
        g->task->nice = nice;
    return r;
}

/* ioprio_get and ioprio_set have the targets of getpriority, numbered from 1. */
static int64_t check_input_target(struct guest *g, const uint64_t *a, bool *own)
{
    const uint64_t args[2] = {(uint32_t)a[0] - 1, a[1]};
    return check_target(g, args, own);
}

int64_t sys_ioprio_get(struct guest *g, const uint64_t *a)
{
    bool own;
    int64_t r = check_input_target(g, a, &own);
    return r != 0 ? r : own ? g->task->input_priority : 0;
}

int64_t sys_ioprio_set(struct guest *g, const uint64_t *a)
{
    enum { NONE, REAL_TIME, BEST_EFFORT, IDLE, CLASS_BIT = 13, LEVELS = 8 };
    uint32_t class = (uint32_t)a[2] >> CLASS_BIT, level = (uint32_t)a[2] & ((1 << CLASS_BIT) - 1);
    if (class > IDLE || (class == NONE && level != 0))
        return -EINVAL;
    if (class == REAL_TIME && !is_privileged())
        return -EPERM;
    if ((class == REAL_TIME || class == BEST_EFFORT) && level >= LEVELS)
        return -EINVAL;
    bool own;
    int64_t r = check_input_target(g, a, &own);
    if (r == 0 && own)
        g->task->input_priority = (uint16_t)a[2];
    return r;
}

int64_t sys_sched_setscheduler(struct guest *g, const uint64_t *a)
{
    struct linux_thread *t;
    int32_t priority;
    if ((int32_t)a[0] < 0 || (int32_t)a[1] < 0 || a[2] == 0)
        return -EINVAL;
    if (linux_get(g, a[2], &priority, sizeof priority) != 0)
        return -EFAULT;
    int64_t r = thread_of(g, a[0], &t);
    return r < 0 ? r : set_policy(t, (uint32_t)a[1] & ~(uint32_t)RESET_ON_FORK, priority);
}

int64_t sys_sched_setparam(struct guest *g, const uint64_t *a)
{
    struct linux_thread *t;
    int32_t priority;
    if ((int32_t)a[0] < 0 || a[1] == 0)
        return -EINVAL;
    if (linux_get(g, a[1], &priority, sizeof priority) != 0)
        return -EFAULT;
    int64_t r = thread_of(g, a[0], &t);
    return r < 0 ? r : set_policy(t, policy_of(t), priority);
}

int64_t sys_sched_getscheduler(struct guest *g, const uint64_t *a)
{
    struct linux_thread *t;
    int64_t r = thread_of(g, a[0], &t);
    return r < 0 ? r : policy_of(t);
}

int64_t sys_sched_getparam(struct guest *g, const uint64_t *a)
{
    struct linux_thread *t;
    int64_t r = a[1] == 0 ? -EINVAL : thread_of(g, a[0], &t);
    if (r < 0)
        return r;
    const int32_t priority = t != NULL ? t->priority : 0;
    return linux_put(g, a[1], &priority, sizeof priority);
}

static int64_t priority_limit(uint64_t policy, int64_t limit)
{
    bool real_time = policy == POLICY_FIFO || policy == POLICY_RR;
    return real_time ? limit : (int32_t)policy >= 0 && is_policy((uint32_t)policy) ? 0 : -EINVAL;
}

int64_t sys_sched_get_priority_max(struct guest *g, const uint64_t *a)
{
    (void)g;
    return priority_limit((uint32_t)a[0], REAL_TIME_MAX);
}

int64_t sys_sched_get_priority_min(struct guest *g, const uint64_t *a)
{
    (void)g;
    return priority_limit((uint32_t)a[0], 1);
}

/* The mean turn of a thread. */
int64_t sys_sched_rr_get_interval(struct guest *g, const uint64_t *a)
{
    struct linux_thread *t;
    int64_t r = thread_of(g, a[0], &t);
    uint64_t ns = g->sched->quantum * UINT64_C(1000000000) / g->clock->clock_hz;
    return r < 0 ? r : linux_put_time(g, a[1], ns, 1);
}

/* struct sched_attr, first version. */
struct scheduling {
    uint32_t size_bytes, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

int64_t sys_sched_setattr(struct guest *g, const uint64_t *a)
{
    enum { FLAGS = 0x7f, FLAG_KEEP_POLICY = 8 };
    struct linux_thread *t;
    struct scheduling s;
    uint32_t size_bytes;
    if (a[1] == 0 || (int32_t)a[0] < 0 || (uint32_t)a[2] != 0)
        return -EINVAL;
    if (linux_get(g, a[1], &size_bytes, sizeof size_bytes) != 0)
        return -EFAULT;
    if (size_bytes != 0 && size_bytes < sizeof s)
        return -E2BIG;
    if (linux_get(g, a[1], &s, sizeof s) != 0)
        return -EFAULT;
    if ((int32_t)s.policy < 0 || (s.flags & ~(uint64_t)FLAGS))
        return -EINVAL;
    int64_t r = thread_of(g, a[0], &t);
    if (r < 0)
        return r;
    uint32_t policy = s.flags & FLAG_KEEP_POLICY ? policy_of(t) : s.policy;
    if ((policy == POLICY_OTHER || policy == POLICY_BATCH) && s.nice < nice_of(g, t != NULL) && !is_privileged())
        return -EPERM;
    r = set_policy(t, policy, (int32_t)s.priority);
    if (r == 0 && t != NULL && (policy == POLICY_OTHER || policy == POLICY_BATCH))
        g->task->nice = s.nice > NICE_MAX ? NICE_MAX : s.nice;
    return r;
}

int64_t sys_sched_getattr(struct guest *g, const uint64_t *a)
{
    struct linux_thread *t;
    if (a[1] == 0 || (int32_t)a[0] < 0 || (uint32_t)a[2] < sizeof(struct scheduling) ||
        (uint32_t)a[2] > MEM_PAGE_BYTES || (uint32_t)a[3] != 0)
        return -EINVAL;
    int64_t r = thread_of(g, a[0], &t);
    if (r < 0)
        return r;
    const struct scheduling s = {.size_bytes = sizeof s,
                                 .policy = policy_of(t),
                                 .nice = nice_of(g, t != NULL),
                                 .priority = t != NULL ? (uint32_t)t->priority : 0};
    return linux_put(g, a[1], &s, sizeof s);
}
