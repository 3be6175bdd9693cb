/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes: a guest's fork forks the emulator. The child runs on the functional core, whatever core its parent uses,
 * and writes no reports: it never returns from clone and exits here. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ending.h"
#include "core-model/linux/apart.h"
#include "core-model/linux/clock.h"
#include "core-model/linux/event_fd.h"
#include "core-model/linux/files.h"
#include "core-model/linux/posix_timer.h"
#include "core-model/linux/proc_facts.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"
#include "core-model/linux/vfork.h"

enum { REG_SP = 2, REG_TP = 4, REG_A0 = 10 };

unsigned guest_forks(const struct guest *g) { return g->task->forks; }

enum { CLEAR_HANDLERS_BIT = 32 /* of the flags of clone3 */ };

static void default_handlers(struct linux_signals *signals)
{
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        if (signals->action[signal].handler > 1)
            signals->action[signal] = (struct linux_sigaction){0};
}

static void become_child(struct guest *g, uint32_t pid, const struct clone_request *c)
{
    enum { SETTLS = 0x80000, CHILD_SETTID = 0x1000000 };
    struct linux_clock *clock = g->clock;
    struct linux_signals *signals = g->signals;
    struct linux_task *task = g->task;
    struct hart *h = &g->hart;
    linux_enter_process(g, pid, getpid());
    rv_forked(h);
    task->pid = pid;
    task->is_child = true;
    task->has_children = false;
    memset(task->missing, 0, sizeof task->missing);
    linux_threads_reduce(g);
    linux_harts_leave(g);
    pending_drop(&g->thread->pending, UINT64_MAX);
    pending_drop(&signals->pending, UINT64_MAX);
    linux_signals_forget();
    clock->start_cycle = g->turn_start = h->cycle;
    clock->start_ns = linux_process_entry(g, pid)->facts.start_ns = linux_monotonic_ns(g);
    g->thread->cycles = g->sched->ended_cycles = 0;
    clock->children_ns = 0;
    task->random.state ^= pid *
                          UINT64_C(0x9e3779b97f4a7c15); /* otherwise parent and child would draw the same numbers */
    memset(clock->timer, 0, sizeof clock->timer);
    linux_posix_timers_drop(g);
    linux_events_fork(g);
    linux_shm_fork(g);
    if (signals->signal_fd >= 0)
        close(signals->signal_fd); /* its signal set is that of the parent */
    signals->signal_fd = -1;
    h->stop = 0;
    if (c->flags >> CLEAR_HANDLERS_BIT & 1)
        default_handlers(g->signals);
    linux_signals_update(g);
    h->reg[REG_A0] = 0;
    if (c->stack != 0)
        h->reg[REG_SP] = c->stack;
    if (c->flags & SETTLS)
        h->reg[REG_TP] = c->tls;
    if (c->flags & CHILD_SETTID)
        (void)linux_put(g, c->child_tid, &pid, sizeof pid); /* errors are ignored, as in Linux */
}

void linux_exit_child(struct guest *g)
{
    struct linux_process *p = linux_process_entry(g, g->task->pid);
    linux_threads_release(g);
    if (p != NULL) {
        p->clock_ns = linux_clock_ns(g);
        p->cpu_ns = linux_cpu_ns(g) + g->clock->children_ns;
        p->exited = 1;
    }
    if (g->process->fault[0] != '\0')
        fprintf(stderr, "pcemu: process %u of the guest ended by a signal: %s\n", g->task->pid, g->process->fault);
    if (g->process->fatal_signal != 0)
        ending_by(g->process->fatal_signal);
    _exit(g->process->exit_status);
}

/* Continues the child of a fork, in a process of its own, until it ends. */
static _Noreturn void run_child(struct guest *g, const struct clone_request *c, uint32_t pid)
{
    struct linux_task *task = g->task;
    become_child(g, pid, c);
    task->is_followed = task->follower.run != NULL;
    if (task->is_followed)
        task->follower.run(task->follower.ctx, g);
    task->is_followed = false; /* the rest, and what it executes, is in no profile */
    (void)guest_run(g, UINT64_MAX);
    linux_exit_child(g);
}

static int64_t fork_guest(struct guest *g, const struct clone_request *c, uint32_t pid)
{
    enum { VFORK = 0x4000, PARENT_SETTID = 0x100000 };
    struct linux_task *task = g->task;
    struct linux_vfork vfork = {.pid = pid};
    int ends[2];
    bool waits = (c->flags & VFORK) != 0;
    if (!task->has_children && !task->is_child) {
        task->has_children = true;
        linux_publish(g); /* the first time; a child has what its parent shows */
    }
    task->has_children = true;
    linux_inherit_process(g, pid);
    linux_signals_update(g);
    linux_apart_settle(g);
    int64_t r = waits ? linux_vfork_prepare(g, &vfork, ends) : 0;
    if (r < 0)
        return r;
    void *stack = linux_vfork_copy(g);
    int host = fork(), why = errno;
    if (host == 0) {
        if (!waits)
            linux_vfork_separate(g, stack);
        linux_vfork_leave(g); /* of a child that forks, the parent waits for itself alone */
        if (waits)
            linux_vfork_hold(g, &vfork, ends);
        free(stack);
        run_child(g, c, pid);
    }
    free(stack);
    if (host < 0) {
        if (waits)
            linux_vfork_undo(g, &vfork, ends);
        return -why;
    }
    linux_enter_process(g, pid, host);
    task->forks++;
    if (c->flags & PARENT_SETTID)
        (void)linux_put(g, c->parent_tid, &pid, sizeof pid);
    if (!waits)
        return pid;
    close(ends[1]);
    g->thread->call.vfork = vfork;
    return linux_vfork_wait(g);
}

static int64_t clone_guest(struct guest *g, const struct clone_request *c)
{
    enum { VM = 0x100, SIGHAND = 0x800, VFORK = 0x4000, THREAD = 0x10000, NEW_NAMESPACES = 0x7e020000 };
    if (g->thread->call.vfork.pid != 0)
        return linux_vfork_wait(g);
    if (((c->flags & THREAD) && !(c->flags & SIGHAND)) || ((c->flags & SIGHAND) && !(c->flags & VM)))
        return -EINVAL;
    if ((c->flags & SIGHAND) && (c->flags >> CLEAR_HANDLERS_BIT & 1))
        return -EINVAL;
    if (c->flags & NEW_NAMESPACES)
        return -EPERM;
    if (c->flags & THREAD)
        return linux_thread_start(g, c);
    if ((c->flags & (VM | VFORK)) == VM)
        return -EAGAIN; /* a process that shares its memory with its parent, both running */
    uint32_t pid = linux_claim_pid(g);
    if (pid == 0)
        return -EAGAIN;
    int64_t r = fork_guest(g, c, pid);
    if (r < 0 && r != -LINUX_BLOCK)
        linux_release_number(g, pid);
    return r;
}

int64_t sys_clone(struct guest *g, const uint64_t *a)
{
    const struct clone_request c = {
        .flags = (uint32_t)a[0], .stack = a[1], .parent_tid = a[2], .tls = a[3], .child_tid = a[4]};
    return clone_guest(g, &c);
}

/* clone with a structure of arguments. If it were missing, libc would fall back to clone but leave ENOSYS in errno,
 * which some programs observe. */
int64_t sys_clone3(struct guest *g, const uint64_t *a)
{
    enum { PIDFD = 0x1000 };
    struct {
        uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_bytes, tls;
    } c;
    if (a[1] < sizeof c || a[1] > MEM_PAGE_BYTES)
        return a[1] < sizeof c ? -EINVAL : -E2BIG;
    if (linux_get(g, a[0], &c, sizeof c) != 0)
        return -EFAULT;
    if ((c.flags & PIDFD) || c.flags >> 33 != 0)
        return -ENOSYS;
    const struct clone_request request = {.flags = c.flags,
                                          .stack = c.stack != 0 ? c.stack + c.stack_bytes : 0,
                                          .parent_tid = c.parent_tid,
                                          .child_tid = c.child_tid,
                                          .tls = c.tls};
    return clone_guest(g, &request);
}

/* Records a reaped child: the parent's clock advances at least to the child's end. */
static void note_end(struct guest *g, uint32_t pid)
{
    struct linux_process *p = linux_process_entry(g, pid);
    if (p == NULL)
        return;
    uint64_t now = linux_clock_ns(g);
    if (p->exited && p->clock_ns > now)
        linux_sleep(g, p->clock_ns - now);
    if (p->exited)
        g->clock->children_ns += p->cpu_ns;
    p->exited = 0;
    p->host = 0;
}

/* Translates a wait selector: a child, a process group (negative, or 0 for the own one), or any child (-1). */
static bool host_selector(const struct guest *g, int32_t pid, idtype_t *type, int *host)
{
    const struct linux_process *own = linux_process_entry(g, g->task->pid);
    *type = pid == -1 ? P_ALL : pid > 0 ? P_PID : P_PGID;
    *host = pid == -1 ? 0
            : pid > 0 ? linux_host_pid(g, (uint32_t)pid)
                      : linux_host_group(g, pid == 0 ? own->group : 0u - (uint32_t)pid);
    return *host >= 0;
}

/* Waits for a child: 0 with info->si_pid 0 if none has ended and `options` has WNOHANG. */
static int64_t wait_child(struct guest *g, idtype_t idtype, int id, siginfo_t *info, int options)
{
    const bool interrupted = linux_signals_ready(g);
    *info = (siginfo_t){0};
    if (waitid(idtype, (id_t)id, info, options | WNOHANG) != 0)
        return -errno;
    if (info->si_pid != 0 || (options & WNOHANG))
        return 0;
    if (interrupted)
        return -LINUX_RESTART;
    return linux_block(g, &(struct linux_wait){.until_ns = UINT64_MAX, .child = true});
}

static int wait_status(const siginfo_t *info)
{
    switch (info->si_code) {
    case CLD_EXITED:
        return (info->si_status & 0xff) << 8;
    case CLD_KILLED:
        return info->si_status & 0x7f;
    case CLD_DUMPED:
        return (info->si_status & 0x7f) | 0x80;
    case CLD_CONTINUED:
        return 0xffff;
    default:
        return (info->si_status & 0xff) << 8 | 0x7f;
    }
}

static bool has_ended(const siginfo_t *info)
{
    return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED;
}

static int64_t put_usage(struct guest *g, uint64_t addr, uint64_t ns)
{
    uint64_t usage[sizeof(struct rusage) / sizeof(uint64_t)] = {ns / 1000000000, ns % 1000000000 / 1000};
    return addr != 0 ? linux_put(g, addr, usage, sizeof usage) : 0;
}

int64_t sys_wait4(struct guest *g, const uint64_t *a)
{
    const uint32_t known = WNOHANG | WUNTRACED | WCONTINUED | (uint32_t)__WNOTHREAD | (uint32_t)__WCLONE | __WALL;
    int host, options = (int)a[2];
    idtype_t idtype;
    siginfo_t info;
    if ((uint32_t)options & ~known)
        return -EINVAL;
    if ((int32_t)a[0] == INT32_MIN)
        return -ESRCH;
    if (!host_selector(g, (int32_t)a[0], &idtype, &host))
        return -ECHILD;
    int64_t r = wait_child(g, idtype, host, &info, options | WEXITED);
    if (r < 0 || info.si_pid == 0)
        return r;
    uint32_t pid = linux_guest_pid_before(g, info.si_pid);
    const int32_t status = wait_status(&info);
    uint64_t before = g->clock->children_ns;
    if (has_ended(&info))
        note_end(g, pid);
    if ((a[1] != 0 && linux_put(g, a[1], &status, sizeof status) != 0) ||
        put_usage(g, a[3], g->clock->children_ns - before) != 0)
        return -EFAULT;
    return pid;
}

static int64_t wait_id(struct guest *g, const uint64_t *a, siginfo_t *info)
{
    int id = (int)a[1];
    idtype_t idtype = (idtype_t)(int)a[0];
    if (idtype == P_PIDFD) {
        id = linux_fd(g, a[1]);
        if (id < 0)
            return -EBADF;
    } else if (idtype == P_PID || idtype == P_PGID) {
        if (id < 0 || (idtype == P_PID && id == 0))
            return -EINVAL;
        if (!host_selector(g, idtype == P_PID ? id : -id, &idtype, &id))
            return -ECHILD;
    } else if (idtype != P_ALL) {
        return -EINVAL;
    }
    int64_t r = wait_child(g, idtype, id, info, (int)a[3]);
    if (r == 0 && info->si_pid != 0) {
        uint32_t pid = linux_guest_pid_before(g, info->si_pid);
        if (has_ended(info) && !(a[3] & WNOWAIT))
            note_end(g, pid);
        info->si_pid = (pid_t)pid;
    }
    return r;
}

/* The structure is written even if the call fails, as in Linux. */
int64_t sys_waitid(struct guest *g, const uint64_t *a)
{
    siginfo_t info = {0};
    int64_t r = wait_id(g, a, &info);
    if (r == -LINUX_BLOCK || r == -LINUX_RESTART || a[2] == 0)
        return r;
    return linux_put(g, a[2], &info, sizeof info) != 0 ? -EFAULT : r;
}
