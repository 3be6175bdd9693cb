/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a checkpoint does not hold: other processes, calls that wait for the host, what the host knows of the process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/linux/checkpoint_parts.h"
#include "core-model/linux/files.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

static enum status check_calls(const struct guest *g, struct errmsg *err)
{
    for (size_t i = 0; i < g->sched->threads; i++) {
        const struct linux_thread *t = g->sched->thread[i];
        const char *call = t->call.row != NULL && t->call.row->about.name != NULL ? t->call.row->about.name : "a call";
        if (t->ended)
            continue;
        if (t->call.apart != NULL || (t->waits && t->wait.count > 0))
            return fail(err, ST_UNMET, "thread %u waits in %s for a descriptor", t->tid, call);
        if (t->waits && t->wait.child)
            return fail(err, ST_UNMET, "thread %u waits in %s for a child", t->tid, call);
    }
    return ST_OK;
}

/* Whether the host descriptor holds a lock of its file: of the process, of the open file, or by flock. Source:
 * proc_pid_fdinfo(5). */
static bool holds_lock(int host_fd)
{
    char line[256], *name = xasprintf("/proc/self/fdinfo/%d", host_fd);
    bool found = false;
    FILE *f = fopen(name, "re");
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL)
        found = strncmp(line, "lock:", strlen("lock:")) == 0;
    if (f != NULL)
        fclose(f);
    free(name);
    return found;
}

static enum status check_locks(const struct guest *g, struct errmsg *err)
{
    for (int fd = 0; fd < LINUX_FD_MAX; fd++)
        if (g->files->fd[fd] >= 0 && holds_lock(g->files->fd[fd]))
            return fail(err, ST_UNMET, "the guest holds a lock of a file, by descriptor %d", fd);
    return ST_OK;
}

enum status linux_check_checkpoint(const struct guest *g, struct errmsg *err)
{
    const struct linux_process *own = linux_process_entry(g, g->task->pid);
    const char *why = g->process->exited           ? "the guest has exited"
                      : g->task->is_child          ? "it is a child of the guest"
                      : g->sched->harts > 1        ? "the guest runs on several harts"
                      : g->process->tracer != NULL ? "a debugger has stopped the guest"
                      : own->group != LINUX_PID || own->session != LINUX_PPID
                          ? "the guest has begun a process group or a session"
                      : linux_shm_was_used(g) ? "the guest has had a segment of shared memory (shmget)"
                                              : NULL;
    if (g->task->forks != 0 || g->task->has_children)
        return fail(err, ST_UNMET, "the guest has forked %u process%s", g->task->forks,
                    g->task->forks == 1 ? "" : "es");
    if (why != NULL)
        return fail(err, ST_UNMET, "%s", why);
    enum status st = check_locks(g, err);
    return st == ST_OK ? check_calls(g, err) : st;
}
