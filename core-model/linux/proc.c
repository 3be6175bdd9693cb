/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on the process itself: identity, limits, futexes, exit. */
#include "core-model/linux/linux.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int64_t sys_getpid(struct guest *g, const uint64_t *a)
{
    (void)a;
    return g->os->pid;
}
int64_t sys_gettid(struct guest *g, const uint64_t *a)
{
    (void)a;
    return g->os->pid;
}
int64_t sys_getuid(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return getuid();
}
int64_t sys_geteuid(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return geteuid();
}
int64_t sys_getgid(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return getgid();
}
int64_t sys_getegid(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return getegid();
}
int64_t sys_set_tid_address(struct guest *g, const uint64_t *a)
{
    (void)a;
    return g->os->pid;
}
int64_t sys_set_robust_list(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return 0;
}
int64_t sys_sched_yield(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return 0;
}

static bool is_self(const struct guest *g, uint64_t pid) { return (int32_t)pid == 0 || (uint32_t)pid == g->os->pid; }

int64_t sys_getgroups(struct guest *g, const uint64_t *a)
{
    gid_t groups[NGROUPS_MAX];
    int count = getgroups(NGROUPS_MAX, groups);
    if (count < 0)
        return -errno;
    if ((int32_t)a[0] == 0)
        return count;
    if ((int32_t)a[0] < count)
        return -EINVAL;
    return linux_put(g, a[1], groups, (size_t)count * sizeof groups[0]) != 0 ? -EFAULT : count;
}

int64_t sys_exit(struct guest *g, const uint64_t *a)
{
    g->exited = true;
    g->exit_status = (int)(a[0] & 0xff);
    return 0;
}

int64_t sys_exit_group(struct guest *g, const uint64_t *a) { return sys_exit(g, a); }

/* Returns whether the futex word is shared with other processes, so the host must handle it. */
static bool is_shared_futex(const struct guest *g, const uint64_t *a)
{
    enum { FLAG_PRIVATE = 128 };
    return !(a[1] & FLAG_PRIVATE) && memory_allows_slow(&g->hart.mem, a[0], sizeof(uint32_t), MEM_R | MEM_SHARED);
}

static int64_t shared_futex(struct guest *g, const uint64_t *a)
{
    enum { WAIT = 0, WAKE = 1, WAIT_BITSET = 9, WAKE_BITSET = 10, COMMAND = 0x7f };
    uint64_t command = a[1] & COMMAND, ns = 0;
    bool waits = command == WAIT || command == WAIT_BITSET;
    if (!waits && command != WAKE && command != WAKE_BITSET)
        return -ENOSYS;
    int64_t r = waits && a[3] != 0 ? linux_get_time(g, a[3], &ns) : 0;
    if (r < 0)
        return r;
    if (command == WAIT_BITSET && a[3] != 0) { /* absolute timeout on the guest's clock */
        uint64_t now = linux_clock_ns(g);
        ns = ns > now ? ns - now : 0;
    }
    const struct timespec t = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    r = linux_result(syscall(SYS_futex, memory_at(&g->hart.mem, a[0]), waits ? WAIT : WAKE, (uint32_t)a[2],
                             waits && a[3] != 0 ? &t : NULL));
    if (r == -ETIMEDOUT)
        g->os->slept_ns += ns;
    return r;
}

/* With one thread, a wait returns immediately, times out, or would never return. */
int64_t sys_futex(struct guest *g, const uint64_t *a)
{
    enum {
        WAIT = 0,
        WAKE = 1,
        REQUEUE = 3,
        CMP_REQUEUE = 4,
        WAKE_OP = 5,
        WAIT_BITSET = 9,
        WAKE_BITSET = 10,
        COMMAND = 0x7f
    };
    uint32_t value;
    int64_t when[2];
    if (is_shared_futex(g, a))
        return shared_futex(g, a);
    switch (a[1] & COMMAND) {
    case WAKE:
    case WAKE_BITSET:
    case REQUEUE:
    case CMP_REQUEUE:
    case WAKE_OP:
        return 0;
    case WAIT:
    case WAIT_BITSET:
        break;
    default:
        return -ENOSYS;
    }
    if (linux_get(g, a[0], &value, sizeof value) != 0 || (a[3] != 0 && linux_get(g, a[3], when, sizeof when) != 0))
        return -EFAULT;
    if (value != (uint32_t)a[2])
        return -EAGAIN;
    if (a[3] == 0) {
        fprintf(stderr, "error: the only thread waits for ever (futex at 0x%llx): ended\n", (unsigned long long)a[0]);
        linux_raise(g, LINUX_SIGKILL);
        return 0;
    }
    if ((a[1] & COMMAND) == WAIT)
        g->os->slept_ns += (uint64_t)when[0] * 1000000000 + (uint64_t)when[1];
    return -ETIMEDOUT;
}

int64_t sys_prctl(struct guest *g, const uint64_t *a)
{
    enum {
        SET_PDEATHSIG = 1,
        GET_DUMPABLE = 3,
        SET_DUMPABLE = 4,
        SET_NAME = 15,
        GET_NAME = 16,
        SET_NO_NEW_PRIVS = 38,
        SET_VMA = 0x53564d41
    };
    char name[sizeof g->os->task_name];
    switch (a[0]) {
    case SET_NAME: {
        int64_t r = linux_get_string(g, a[1], name, sizeof name);
        if (r == -EFAULT)
            return r;
        name[sizeof name - 1] = '\0';
        memcpy(g->os->task_name, name, sizeof name);
        return 0;
    }
    case GET_NAME:
        return linux_put(g, a[1], g->os->task_name, sizeof name);
    case GET_DUMPABLE:
        return 1;
    case SET_PDEATHSIG:
    case SET_DUMPABLE:
    case SET_NO_NEW_PRIVS:
        return 0;
    case SET_VMA:
    default:
        return -EINVAL;
    }
}

int64_t sys_umask(struct guest *g, const uint64_t *a)
{
    uint32_t old = g->os->umask;
    g->os->umask = a[0] & 0777;
    (void)umask((mode_t)g->os->umask); /* the host's umask must not remove more bits */
    return old;
}

/* Reports only the limits of the emulation. */
static void resource_limit(uint64_t resource, uint64_t limit[2])
{
    enum { STACK = 3, CORE = 4, NOFILE = 7 };
    limit[0] = limit[1] = UINT64_MAX;
    if (resource == STACK)
        limit[0] = LINUX_STACK_BYTES;
    if (resource == CORE)
        limit[0] = 0;
    if (resource == NOFILE)
        limit[0] = limit[1] = LINUX_FD_MAX;
}

int64_t sys_prlimit64(struct guest *g, const uint64_t *a)
{
    enum { LIMITS = 16 };
    uint64_t limit[2];
    if (!is_self(g, a[0]))
        return -ESRCH;
    if ((uint32_t)a[1] >= LIMITS)
        return -EINVAL;
    resource_limit((uint32_t)a[1], limit);
    if (a[2] != 0 && linux_memory(g, a[2], sizeof limit, MEM_R) == NULL)
        return -EFAULT;
    return a[3] != 0 ? linux_put(g, a[3], limit, sizeof limit) : 0;
}

int64_t sys_getrlimit(struct guest *g, const uint64_t *a)
{
    const uint64_t args[4] = {0, a[0], 0, a[1]};
    return sys_prlimit64(g, args);
}

int64_t sys_getrandom(struct guest *g, const uint64_t *a)
{
    void *p = linux_memory(g, a[0], a[1], MEM_W);
    if (p == NULL)
        return -EFAULT;
    linux_random_bytes(g->os, p, a[1]);
    return (int64_t)a[1];
}

int64_t sys_sched_getaffinity(struct guest *g, const uint64_t *a)
{
    const uint64_t one_cpu = 1;
    if (!is_self(g, a[0]))
        return -ESRCH;
    if (a[1] < sizeof one_cpu || a[1] % sizeof one_cpu != 0)
        return -EINVAL;
    return linux_put(g, a[2], &one_cpu, sizeof one_cpu) != 0 ? -EFAULT : (int64_t)sizeof one_cpu;
}

int64_t sys_uname(struct guest *g, const uint64_t *a)
{
    enum { FIELD = 65, FIELDS = 6 };
    static const char *const text[FIELDS] = {"Linux", "pcemu", "6.1.0", "#1 SMP", "riscv64", "(none)"};
    char name[FIELDS][FIELD] = {{0}};
    for (int i = 0; i < FIELDS; i++)
        snprintf(name[i], FIELD, "%s", text[i]);
    return linux_put(g, a[0], name, sizeof name);
}
