/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls that send signals, and that wait for them. Source: kill(2), rt_sigqueueinfo(2), sigtimedwait(2). */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

/* Sends a signal to one process: directly to the guest process itself, through the host to others. */
static int64_t send_to(struct guest *g, uint32_t pid, int signal)
{
    const struct linux_siginfo info = {
        .signal = signal, .code = CODE_USER, .word = {g->task->pid | (uint64_t)getuid() << 32}};
    if (pid == g->task->pid)
        return signal == 0 ? 0 : linux_send(g, NULL, &info);
    const struct linux_process *p = linux_process_entry(g, pid);
    return linux_signal_process(g, p != NULL && p->is_thread ? p->parent : pid, signal, NULL);
}

/* Sends a signal to the guest's processes in a process group (0: all except the sender). Other processes of the user
 * are not affected. */
static int64_t send_to_many(struct guest *g, uint32_t group, int signal)
{
    int64_t r = -ESRCH;
    uint32_t pid = 0;
    for (int host; linux_next_process(g, &pid, &host);) {
        const struct linux_process *p = linux_process_entry(g, pid);
        if (p == NULL || (group == 0 ? pid == g->task->pid : p->group != group))
            continue;
        if (send_to(g, pid, signal) == 0)
            r = 0;
    }
    return r;
}

int64_t sys_kill(struct guest *g, const uint64_t *a)
{
    int32_t pid = (int32_t)a[0];
    if (a[1] > LINUX_SIGNAL_MAX)
        return -EINVAL;
    if (pid > 0)
        return send_to(g, (uint32_t)pid, (int)a[1]);
    if (pid == -1)
        return send_to_many(g, 0, (int)a[1]);
    const uint32_t own = linux_process_entry(g, g->task->pid)->group;
    return send_to_many(g, pid == 0 ? own : 0u - (uint32_t)pid, (int)a[1]);
}

/* Sends to one thread. Of another process the number is only that of the process. */
static int64_t send_to_thread(struct guest *g, int32_t tgid, int32_t tid, uint64_t signal)
{
    struct linux_thread *t = linux_thread_find(g, (uint32_t)tid);
    const struct linux_siginfo info = {
        .signal = (int)signal, .code = CODE_TKILL, .word = {g->task->pid | (uint64_t)getuid() << 32}};
    if (tid <= 0 || signal > LINUX_SIGNAL_MAX)
        return -EINVAL;
    if (t == NULL)
        return (uint32_t)tid == g->task->pid || tgid == (int32_t)g->task->pid ? -ESRCH
                                                                              : send_to(g, (uint32_t)tid, (int)signal);
    if (tgid != 0 && (uint32_t)tgid != g->task->pid)
        return -ESRCH;
    return signal == 0 ? 0 : linux_send(g, t, &info);
}

int64_t sys_tkill(struct guest *g, const uint64_t *a) { return send_to_thread(g, 0, (int32_t)a[0], a[1]); }

int64_t sys_tgkill(struct guest *g, const uint64_t *a)
{
    return (int32_t)a[0] <= 0 ? -EINVAL : send_to_thread(g, (int32_t)a[0], (int32_t)a[1], a[2]);
}

/* The siginfo of rt_sigqueueinfo. A process may not pretend that another one, or the kernel, sent it a signal. */
static int64_t get_info(struct guest *g, uint64_t signal, uint64_t addr, bool to_self, struct linux_siginfo *info)
{
    if (signal > LINUX_SIGNAL_MAX)
        return -EINVAL;
    if (linux_get(g, addr, info, sizeof *info) != 0)
        return -EFAULT;
    info->signal = (int)signal;
    return !to_self && (info->code >= 0 || info->code == CODE_TKILL) ? -EPERM : 0;
}

int64_t sys_rt_sigqueueinfo(struct guest *g, const uint64_t *a)
{
    struct linux_siginfo info;
    bool to_self = (uint32_t)a[0] == g->task->pid;
    int64_t r = get_info(g, a[1], a[2], to_self, &info);
    if (r < 0)
        return r;
    if (to_self)
        return a[1] == 0 ? 0 : linux_send(g, NULL, &info);
    siginfo_t sent = {.si_signo = info.signal, .si_code = info.code};
    sent.si_pid = getpid();
    sent.si_uid = getuid();
    sent.si_value.sival_ptr = (void *)(uintptr_t)info.word[1]; /* the guest's, not followed */
    return linux_signal_process(g, (uint32_t)a[0], (int)a[1], &sent);
}

int64_t sys_rt_tgsigqueueinfo(struct guest *g, const uint64_t *a)
{
    struct linux_siginfo info;
    struct linux_thread *t = linux_thread_find(g, (uint32_t)a[1]);
    int64_t r = get_info(g, a[2], a[3], t == g->thread, &info);
    if ((int32_t)a[0] <= 0 || (int32_t)a[1] <= 0)
        return r == -EFAULT ? r : -EINVAL;
    if (r < 0)
        return r;
    if (t == NULL || (uint32_t)a[0] != g->task->pid)
        return -ESRCH;
    return a[2] == 0 ? 0 : linux_send(g, t, &info);
}

int64_t sys_rt_sigpending(struct guest *g, const uint64_t *a)
{
    uint64_t host = 0;
    (void)syscall(SYS_rt_sigpending, &host, sizeof host);
    linux_signals_collect(g);
    const uint64_t set = (g->signals->pending.set | g->thread->pending.set | host) & g->thread->signal_mask;
    return a[1] == sizeof set ? linux_put(g, a[0], &set, sizeof set) : -EINVAL;
}

int64_t sys_rt_sigsuspend(struct guest *g, const uint64_t *a)
{
    uint64_t mask;
    if (a[1] != sizeof mask)
        return -EINVAL;
    if (linux_get(g, a[0], &mask, sizeof mask) != 0)
        return -EFAULT;
    if (linux_waited(g) == NULL)
        linux_replace_mask(g, mask);
    if (linux_signals_ready(g))
        return -EINTR;
    return linux_block(g, &(struct linux_wait){.until_ns = UINT64_MAX});
}

int64_t sys_rt_sigtimedwait(struct guest *g, const uint64_t *a)
{
    uint64_t set, timeout_ns = UINT64_MAX;
    struct linux_siginfo info;
    if (a[3] != sizeof set)
        return -EINVAL;
    int64_t r = linux_get(g, a[0], &set, sizeof set);
    if (r == 0 && a[2] != 0)
        r = linux_get_time(g, a[2], &timeout_ns);
    if (r < 0)
        return r;
    set &= ~(linux_signal_bit(LINUX_SIGKILL) | linux_signal_bit(LINUX_SIGSTOP));
    linux_signals_collect(g);
    (void)linux_signals_collect_set(g, set);
    int signal = linux_take(g, set, &info);
    if (signal != 0)
        return a[1] == 0 || linux_put(g, a[1], &info, sizeof info) == 0 ? signal : -EFAULT;
    uint64_t until_ns = linux_deadline(g, timeout_ns);
    if (linux_clock_ns(g) >= until_ns)
        return -EAGAIN;
    if (linux_signals_ready(g))
        return -EINTR;
    return linux_block(g, &(struct linux_wait){.until_ns = until_ns, .signals = set});
}
