/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a checkpoint does not hold: other processes, calls that wait for the host, what the host knows of the process.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/outfile.h"
#include "core-model/linux/checkpoint_parts.h"
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

/* Whether the guest holds a lock of a file; the process's own are those of its outputs. Source: proc_locks(5). */
static bool holds_lock(void)
{
    char line[256];
    bool found = false;
    FILE *f = fopen("/proc/locks", "re");
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        int pid = 0;
        uint64_t inode = 0;
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
        found = sscanf(line, "%*s %*s %*s %*s %d %*x:%*x:%" SCNu64, &pid, &inode) == 2 && pid == getpid() &&
                !outfile_is_writing(inode);
    }
    if (f != NULL)
        fclose(f);
    return found;
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
                      : holds_lock()          ? "the guest holds a lock of a file"
                                              : NULL;
    if (g->task->forks != 0 || g->task->has_children)
        return fail(err, ST_UNMET, "the guest has forked %u process%s", g->task->forks,
                    g->task->forks == 1 ? "" : "es");
    return why != NULL ? fail(err, ST_UNMET, "%s", why) : check_calls(g, err);
}
