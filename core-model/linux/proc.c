/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on the process itself: number, name, limits, exit. */
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
static bool is_self(const struct guest *g, uint64_t pid) { return (int32_t)pid == 0 || (uint32_t)pid == g->os->pid; }

int64_t sys_exit_group(struct guest *g, const uint64_t *a)
{
    g->process->exited = true;
    g->process->exit_status = (int)(a[0] & 0xff);
    return 0;
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
    char name[LINUX_NAME_BYTES] = {0};
    switch (a[0]) {
    case SET_NAME: {
        int64_t r = linux_get_string(g, a[1], name, sizeof name);
        if (r == -EFAULT)
            return r;
        name[sizeof name - 1] = '\0';
        memcpy(g->thread->name, name, sizeof name);
        return 0;
    }
    case GET_NAME:
        return linux_put(g, a[1], g->thread->name, sizeof name);
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
void linux_resource_limit(uint64_t resource, uint64_t limit[2])
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
    linux_resource_limit((uint32_t)a[1], limit);
    uint64_t wanted[2] = {0};
    if (a[2] != 0 && linux_get(g, a[2], wanted, sizeof wanted) != 0)
        return -EFAULT;
    if (wanted[0] > wanted[1])
        return -EINVAL;
    return a[3] != 0 ? linux_put(g, a[3], limit, sizeof limit) : 0;
}

int64_t sys_getrlimit(struct guest *g, const uint64_t *a)
{
    const uint64_t args[4] = {0, a[0], 0, a[1]};
    return sys_prlimit64(g, args);
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
        linux_random_bytes(g->os, part, n);
        if (linux_put(g, a[0] + done, part, n) != 0)
            return done > 0 ? (int64_t)done : -EFAULT;
    }
    return (int64_t)a[1];
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
