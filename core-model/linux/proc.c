/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on the process itself: number, name, limits, exit. */
#include <stdio.h>
#include <sys/stat.h>

#include "core-model/linux/files.h"
#include "core-model/linux/proc_facts.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

int64_t sys_getpid(struct guest *g, const uint64_t *a)
{
    (void)a;
    return g->task->pid;
}
static bool is_self(const struct guest *g, uint64_t pid) { return (int32_t)pid == 0 || (uint32_t)pid == g->task->pid; }

int64_t sys_exit_group(struct guest *g, const uint64_t *a)
{
    g->process->exited = true;
    g->process->exit_status = (int)(a[0] & 0xff);
    return 0;
}

int64_t sys_umask(struct guest *g, const uint64_t *a)
{
    uint32_t old = g->task->umask;
    g->task->umask = a[0] & 0777;
    (void)umask((mode_t)g->task->umask); /* the host's umask must not remove more bits */
    return old;
}

void linux_limits_init(struct linux_task *task)
{
    for (int i = 0; i < LINUX_LIMITS; i++)
        task->limit[i] = (struct linux_limit){UINT64_MAX, UINT64_MAX};
    task->limit[LINUX_LIMIT_STACK].now = LINUX_STACK_BYTES;
    task->limit[LINUX_LIMIT_CORE].now = 0;
    task->limit[LINUX_LIMIT_NOFILE] = (struct linux_limit){LINUX_FD_MAX, LINUX_FD_MAX};
}

/* A limit of another process is read, and cannot be changed. */
static int64_t limit_of_other(struct guest *g, const uint64_t *a)
{
    struct linux_facts facts;
    if (!linux_read_facts(g, (uint32_t)a[0], &facts))
        return -ESRCH;
    if (a[2] != 0)
        return -EPERM;
    return a[3] != 0 ? linux_put(g, a[3], &facts.limit[(uint32_t)a[1]], sizeof facts.limit[0]) : 0;
}

int64_t sys_prlimit64(struct guest *g, const uint64_t *a)
{
    struct linux_limit wanted, old;
    if ((uint32_t)a[1] >= LINUX_LIMITS)
        return -EINVAL;
    if (!is_self(g, a[0]))
        return limit_of_other(g, a);
    struct linux_limit *limit = &g->task->limit[(uint32_t)a[1]];
    old = *limit;
    if (a[2] != 0) {
        if (linux_get(g, a[2], &wanted, sizeof wanted) != 0)
            return -EFAULT;
        if (wanted.now > wanted.most)
            return -EINVAL;
        if (wanted.most > limit->most)
            return -EPERM;
        *limit = wanted;
    }
    return a[3] != 0 ? linux_put(g, a[3], &old, sizeof old) : 0;
}

int64_t sys_getrlimit(struct guest *g, const uint64_t *a)
{
    const uint64_t args[4] = {0, a[0], 0, a[1]};
    int64_t r = sys_prlimit64(g, args);
    return r == 0 && a[1] == 0 ? -EFAULT : r;
}

int64_t sys_getrandom(struct guest *g, const uint64_t *a)
{
    enum { NONBLOCK = 1, RANDOM = 2, INSECURE = 4 };
    uint32_t flags = (uint32_t)a[2];
    if ((flags & ~(uint32_t)(NONBLOCK | RANDOM | INSECURE)) || (flags & (RANDOM | INSECURE)) == (RANDOM | INSECURE))
        return -EINVAL;
    if (linux_memory(g, a[0], a[1], MEM_W) == NULL)
        return -EFAULT;
    uint8_t part[MEM_PAGE_BYTES];
    for (uint64_t done = 0, n; done < a[1]; done += n) {
        n = a[1] - done < sizeof part ? a[1] - done : sizeof part;
        random_fill(&g->task->random, part, n);
        if (linux_put(g, a[0] + done, part, n) != 0)
            return done > 0 ? (int64_t)done : -EFAULT;
    }
    return (int64_t)a[1];
}

const char *const linux_uname[LINUX_UNAMES] = {
    [UNAME_SYSTEM] = "Linux",   [UNAME_NODE] = "pcemu",      [UNAME_RELEASE] = "6.1.0",
    [UNAME_VERSION] = "#1 SMP", [UNAME_MACHINE] = "riscv64", [UNAME_DOMAIN] = "(none)"};

int64_t sys_uname(struct guest *g, const uint64_t *a)
{
    enum { FIELD = 65 };
    char name[LINUX_UNAMES][FIELD] = {{0}};
    for (int i = 0; i < LINUX_UNAMES; i++)
        snprintf(name[i], FIELD, "%s", linux_uname[i]);
    return linux_put(g, a[0], name, sizeof name);
}
