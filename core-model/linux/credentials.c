/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User, groups and capabilities: those of the emulator's process. */
#include <grp.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core-model/linux/process_table.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"
#include "core-model/linux/thread.h"

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

int64_t sys_setgroups(struct guest *g, const uint64_t *a)
{
    gid_t groups[NGROUPS_MAX];
    if (geteuid() != 0)
        return -EPERM;
    if ((uint32_t)a[0] > NGROUPS_MAX)
        return -EINVAL;
    int64_t r = linux_get(g, a[1], groups, (uint32_t)a[0] * sizeof groups[0]);
    return r < 0 ? r : linux_result(setgroups((uint32_t)a[0], groups));
}

/* Identity changes are accepted only to the current identity. */
static int64_t keep_id(uint64_t wanted, uint32_t own)
{
    return (uint32_t)wanted == own || (uint32_t)wanted == UINT32_MAX ? 0 : -EPERM;
}

int64_t sys_setuid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return (uint32_t)a[0] == UINT32_MAX ? -EINVAL : keep_id(a[0], getuid());
}
int64_t sys_setgid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return (uint32_t)a[0] == UINT32_MAX ? -EINVAL : keep_id(a[0], getgid());
}

int64_t sys_setfsuid(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return getuid();
}
int64_t sys_setfsgid(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return getgid();
}
int64_t sys_setreuid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return keep_id(a[0], getuid()) | keep_id(a[1], getuid());
}
int64_t sys_setregid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return keep_id(a[0], getgid()) | keep_id(a[1], getgid());
}

int64_t sys_setresuid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return keep_id(a[0], getuid()) | keep_id(a[1], getuid()) | keep_id(a[2], getuid());
}

int64_t sys_setresgid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return keep_id(a[0], getgid()) | keep_id(a[1], getgid()) | keep_id(a[2], getgid());
}

static int64_t put_three(struct guest *g, const uint64_t *a, uint32_t id)
{
    for (int i = 0; i < 3; i++)
        if (linux_put(g, a[i], &id, sizeof id) != 0)
            return -EFAULT;
    return 0;
}

int64_t sys_getresuid(struct guest *g, const uint64_t *a) { return put_three(g, a, getuid()); }
int64_t sys_getresgid(struct guest *g, const uint64_t *a) { return put_three(g, a, getgid()); }

/* struct __user_cap_header_struct; the sets follow in one or two structures of three words. */
struct capability_header {
    uint32_t version;
    int32_t pid;
};
enum { CAPABILITY_VERSION_1 = 0x19980330, CAPABILITY_SET_BYTES = 12, CAPABILITY_SETS = 2 };

static size_t sets_bytes(const struct capability_header *h)
{
    return h->version == CAPABILITY_VERSION_1 ? CAPABILITY_SET_BYTES : CAPABILITY_SETS * CAPABILITY_SET_BYTES;
}

/* The host's number of a process of the guest, for capget; 0: this one. Others do not exist for the guest. */
static int32_t host_number(const struct guest *g, int32_t pid)
{
    if (pid <= 0 || (uint32_t)pid == g->task->pid || linux_thread_find(g, (uint32_t)pid) != NULL)
        return pid < 0 ? pid : 0;
    int host = linux_host_pid(g, (uint32_t)pid);
    return host < 0 ? INT32_MAX : host; /* a number that no process of the host has */
}

/* Forwards a call; the host sets the version if it does not know the given one. */
static int64_t call_host(struct guest *g, long number, uint64_t addr, struct capability_header h, void *sets)
{
    const struct capability_header given = h;
    h.pid = number == SYS_capset && given.pid != 0 && (uint32_t)given.pid != g->thread->tid ? INT32_MAX
                                                                                            : host_number(g, given.pid);
    int64_t r = linux_result(syscall(number, &h, sets));
    h.pid = given.pid;
    return h.version != given.version && linux_put(g, addr, &h, sizeof h) != 0 ? -EFAULT : r;
}

int64_t sys_capget(struct guest *g, const uint64_t *a)
{
    struct capability_header h;
    uint32_t sets[CAPABILITY_SETS * CAPABILITY_SET_BYTES / sizeof(uint32_t)] = {0};
    if (linux_get(g, a[0], &h, sizeof h) != 0)
        return -EFAULT;
    int64_t r = call_host(g, SYS_capget, a[0], h, a[1] != 0 ? sets : NULL);
    return r == 0 && a[1] != 0 ? linux_put(g, a[1], sets, sets_bytes(&h)) : r;
}

int64_t sys_capset(struct guest *g, const uint64_t *a)
{
    struct capability_header h;
    uint32_t sets[CAPABILITY_SETS * CAPABILITY_SET_BYTES / sizeof(uint32_t)] = {0};
    if (linux_get(g, a[0], &h, sizeof h) != 0)
        return -EFAULT;
    bool readable = linux_get(g, a[1], sets, sets_bytes(&h)) == 0;
    return call_host(g, SYS_capset, a[0], h, readable ? sets : NULL);
}
