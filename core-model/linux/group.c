/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parent of a process, and process groups and sessions. Their numbers are kept in the table of processes, because a
 * group outlives its first process. Source: setpgid(2), setsid(2). */
#include <unistd.h>

#include "core-model/linux/process_table.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

int64_t sys_getppid(struct guest *g, const uint64_t *a)
{
    enum { INIT = 1 };
    (void)a;
    const struct linux_process *p = linux_process_entry(g, g->task->pid);
    if (p->host_parent == getppid())
        return p->parent;
    uint32_t reaper = linux_guest_pid(g, getppid()); /* an ancestor, by PR_SET_CHILD_SUBREAPER */
    return reaper != 0 ? reaper : INIT;
}

/* The entry of a process, by its number or that of a thread of it; 0 is this one. NULL: there is none. */
static struct linux_process *linux_group_process_of(const struct guest *g, uint64_t pid)
{
    const uint32_t number = (int32_t)pid == 0 ? g->task->pid : (uint32_t)pid;
    struct linux_process *p = linux_host_pid(g, number) > 0 ? linux_process_entry(g, number) : NULL;
    return p != NULL && p->is_thread ? linux_process_entry(g, p->parent) : p;
}

int64_t sys_getpgid(struct guest *g, const uint64_t *a)
{
    const struct linux_process *p = linux_group_process_of(g, a[0]);
    return p != NULL ? (int64_t)p->group : -ESRCH;
}

int64_t sys_getsid(struct guest *g, const uint64_t *a)
{
    const struct linux_process *p = linux_group_process_of(g, a[0]);
    return p != NULL ? (int64_t)p->session : -ESRCH;
}

int64_t sys_setpgid(struct guest *g, const uint64_t *a)
{
    const uint32_t pid = (int32_t)a[0] == 0 ? g->task->pid : (uint32_t)a[0];
    const uint32_t group = (int32_t)a[1] == 0 ? pid : (uint32_t)a[1];
    struct linux_process *p = linux_group_process_of(g, a[0]);
    if ((int32_t)group < 0)
        return -EINVAL;
    if (p != NULL && p != linux_process_entry(g, pid)) /* the number of a thread */
        return -EINVAL;
    if (p == NULL || (pid != g->task->pid && p->host_parent != getpid()))
        return -ESRCH;
    if (pid != g->task->pid && p->has_executed)
        return -EACCES;
    const int host = linux_host_pid(g, pid), host_group = group == pid ? host : linux_host_group(g, group);
    if (host < 0 || host_group < 0)
        return host < 0 ? host : -EPERM;
    int64_t r = linux_result(setpgid(host, host_group)); /* fails unless it is this process or a child of it */
    if (r == 0)
        p->group = group;
    return r;
}

int64_t sys_setsid(struct guest *g, const uint64_t *a)
{
    struct linux_process *p = linux_process_entry(g, g->task->pid);
    (void)a;
    if (linux_result(setsid()) < 0)
        return -EPERM;
    p->group = p->session = g->task->pid;
    return g->task->pid;
}
