/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals between processes. Signals that the guest handles or ignores are blocked in the emulator's process; they are
 * collected at the end of a system call, during a blocking system call, and periodically in functional execution.
 * Signals with default action act on the emulator's process as they would on the guest. So the emulator is never
 * interrupted, and no signal is lost. */
#include "core-model/linux/linux.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SIG_DEFAULT = 0,
    SIG_IGNORED = 1,
    SIGNO_PIPE = 13,
    SIGNO_CHLD = 17,
    ACTION_NOCLDWAIT = 2,
    SET_BYTES = 8,
    SECOND_NS = 1000000000,
    POLL_NS = 20000000,
};

/* Uses the kernel's signal sets, not libc's: their bits are the guest's signal numbers on every host. */
static void host_mask(uint64_t mask) { (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, (size_t)SET_BYTES); }

static int host_take(uint64_t set, siginfo_t *info, const struct timespec *timeout)
{
    return (int)syscall(SYS_rt_sigtimedwait, &set, info, timeout, (size_t)SET_BYTES);
}

uint64_t linux_signals_taken(const struct linux_state *os)
{
    uint64_t set = os->host_ignored;
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        if (os->action[signal].handler != SIG_DEFAULT)
            set |= linux_signal_bit(signal);
    return set;
}

static bool children_vanish(const struct linux_state *os)
{
    return os->action[SIGNO_CHLD].handler == SIG_IGNORED || (os->action[SIGNO_CHLD].flags & ACTION_NOCLDWAIT);
}

/* Shells start background jobs with some signals ignored, on which a guest's behaviour could depend. The guest
 * therefore starts with default actions and no blocked signals, and does not receive external signals that were ignored
 * or blocked. */
void linux_signals_inherit(struct guest *g)
{
    signal(SIGCHLD, SIG_DFL); /* otherwise children are reaped without wait */
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++) {
        struct sigaction action;
        if (signal != SIGNO_PIPE && sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            g->os->host_ignored |= linux_signal_bit(signal);
    }
    (void)syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &g->os->host_blocked, (size_t)SET_BYTES);
    g->os->host_initial = g->os->host_blocked;
    g->os->host_ignored |= g->os->host_initial;
    g->os->signal_fd = -1;
    linux_signals_update(g);
}

void linux_signals_fini(struct guest *g)
{
    host_mask(g->os->host_initial);
    if (g->os->signal_fd >= 0)
        close(g->os->signal_fd);
}

void linux_signals_update(struct guest *g)
{
    struct linux_state *os = g->os;
    uint64_t caught = linux_signals_taken(os), blocked = caught | os->signal_mask;
    if (os->has_children)
        blocked |= linux_signal_bit(SIGNO_CHLD); /* waits for children wait for SIGCHLD */
    blocked &= ~os->host_kept;
    if (blocked == os->host_blocked)
        return;
    os->host_blocked = blocked;
    host_mask(blocked);
    if (os->signal_fd >= 0)
        (void)syscall(SYS_signalfd4, os->signal_fd, &caught, (size_t)SET_BYTES, 0);
}

static void record(struct guest *g, const siginfo_t *info)
{
    struct linux_siginfo *to = &g->os->info[info->si_signo];
    uint32_t sender = info->si_pid > 0 ? linux_guest_pid(g, info->si_pid) : 0;
    if (sender == 0 && (g->os->host_ignored & linux_signal_bit(info->si_signo)))
        return;
    *to = (struct linux_siginfo){.code = info->si_code, .pid = sender, .uid = info->si_uid};
    if (info->si_signo == SIGNO_CHLD)
        to->status = info->si_status;
    else
        to->value = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
    g->os->pending |= linux_signal_bit(info->si_signo);
}

bool linux_signals_caught(const struct guest *g)
{
    return linux_signals_taken(g->os) != 0 || linux_timers_next(g) != UINT64_MAX;
}

void linux_signals_collect(struct guest *g)
{
    static const struct timespec at_once;
    siginfo_t info;
    uint64_t caught = linux_signals_taken(g->os);
    linux_timers_check(g);
    while (caught != 0 && host_take(caught, &info, &at_once) > 0)
        record(g, &info);
}

bool linux_signals_ready(struct guest *g)
{
    linux_signals_collect(g);
    uint64_t ready = g->os->pending & ~g->os->signal_mask;
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        if ((ready & linux_signal_bit(signal)) && !linux_signal_ignored(g, signal))
            return true;
    return false;
}

void linux_signals_wait(struct guest *g, const struct timespec *timeout)
{
    uint64_t caught = linux_signals_taken(g->os), wait_ns = linux_timers_next(g);
    siginfo_t info;
    if (timeout != NULL && (uint64_t)timeout->tv_sec * SECOND_NS + (uint64_t)timeout->tv_nsec < wait_ns)
        wait_ns = (uint64_t)timeout->tv_sec * SECOND_NS + (uint64_t)timeout->tv_nsec;
    bool polls = children_vanish(g->os) && wait_ns > POLL_NS; /* their end raises no signal */
    const uint64_t real_ns = polls ? POLL_NS : wait_ns;
    const struct timespec until = {.tv_sec = (time_t)(real_ns / SECOND_NS), .tv_nsec = (long)(real_ns % SECOND_NS)};
    int signal = host_take(caught | linux_signal_bit(SIGNO_CHLD), &info, real_ns == UINT64_MAX ? NULL : &until);
    if (signal > 0 && (caught & linux_signal_bit(signal)))
        record(g, &info);
    else if (signal < 0 && errno == EAGAIN && !polls)
        g->os->slept_ns += wait_ns;
    linux_timers_check(g);
}

void linux_signals_end(int signal)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    (void)sigaction(signal, &action, NULL);
    host_mask(0);
    (void)kill(getpid(), signal);
}

/* Sends a signal to one process: directly to the guest process itself, through the host to others. */
static int64_t send_to(struct guest *g, uint32_t pid, int signal)
{
    if (pid == g->os->pid) {
        linux_raise(g, signal);
        return 0;
    }
    int host = linux_host_pid(g, pid);
    return host < 0 ? host : linux_result(kill(host, signal));
}

/* Sends a signal to the guest's processes in a host process group (0: all except the sender). Other processes of the
 * user are not affected. */
static int64_t send_to_many(struct guest *g, int group, int signal)
{
    int64_t r = -ESRCH;
    uint32_t pid;
    int host;
    for (uint32_t i = 0; linux_process_at(g, i, &pid, &host); i++) {
        bool self = pid == g->os->pid;
        if (host <= 0 || (group == 0 ? self : getpgid(host) != group))
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
    if (pid == 0 || (pid == -LINUX_PID && linux_guest_pid(g, getpgrp()) == 0))
        return send_to_many(g, getpgrp(), (int)a[1]);
    int host = linux_host_pid(g, (uint32_t)-pid);
    return host < 0 ? host : send_to_many(g, host, (int)a[1]);
}

int64_t sys_tkill(struct guest *g, const uint64_t *a)
{
    return a[1] > LINUX_SIGNAL_MAX || (int32_t)a[0] <= 0 ? -EINVAL : send_to(g, (uint32_t)a[0], (int)a[1]);
}

int64_t sys_tgkill(struct guest *g, const uint64_t *a)
{
    const uint64_t args[2] = {a[1], a[2]};
    return a[0] != a[1] ? -ESRCH : sys_tkill(g, args);
}

int64_t sys_rt_sigqueueinfo(struct guest *g, const uint64_t *a)
{
    siginfo_t info;
    if (a[1] > LINUX_SIGNAL_MAX)
        return -EINVAL;
    if (linux_get(g, a[2], &info, sizeof info) != 0)
        return -EFAULT;
    int host = linux_host_pid(g, (uint32_t)a[0]);
    if (host < 0)
        return host;
    info.si_pid = getpid();
    if ((uint32_t)a[0] != g->os->pid)
        return linux_result(syscall(SYS_rt_sigqueueinfo, host, (int)a[1], &info));
    if (a[1] != 0) {
        info.si_signo = (int)a[1];
        record(g, &info);
    }
    return 0;
}

int64_t sys_rt_sigpending(struct guest *g, const uint64_t *a)
{
    uint64_t host = 0;
    (void)syscall(SYS_rt_sigpending, &host, (size_t)SET_BYTES);
    linux_signals_collect(g);
    const uint64_t set = (g->os->pending | host) & g->os->signal_mask;
    return a[1] == sizeof set ? linux_put(g, a[0], &set, sizeof set) : -EINVAL;
}

int64_t sys_rt_sigsuspend(struct guest *g, const uint64_t *a)
{
    uint64_t mask;
    if (a[1] != sizeof mask)
        return -EINVAL;
    if (linux_get(g, a[0], &mask, sizeof mask) != 0)
        return -EFAULT;
    linux_replace_mask(g, mask);
    while (!linux_signals_ready(g)) {
        if (!linux_signals_caught(g) && !g->os->has_children && !g->os->is_child)
            (void)pause(); /* only external signals can arrive */
        linux_signals_wait(g, NULL);
    }
    return -EINTR;
}

/* Takes a pending signal of the set; 0: none. */
static int take_pending(struct guest *g, uint64_t set)
{
    uint64_t ready = g->os->pending & set;
    int signal = ready != 0 ? 1 + __builtin_ctzll(ready) : 0;
    if (signal != 0)
        g->os->pending &= ~linux_signal_bit(signal);
    return signal;
}

int64_t sys_rt_sigtimedwait(struct guest *g, const uint64_t *a)
{
    uint64_t set, timeout_ns = UINT64_MAX;
    siginfo_t info;
    if (a[3] != sizeof set)
        return -EINVAL;
    int64_t r = linux_get(g, a[0], &set, sizeof set);
    if (r == 0 && a[2] != 0)
        r = linux_get_time(g, a[2], &timeout_ns);
    if (r < 0)
        return r;
    linux_signals_collect(g);
    int signal = take_pending(g, set);
    if (signal == 0) {
        const struct timespec until = {.tv_sec = (time_t)(timeout_ns / SECOND_NS),
                                       .tv_nsec = (long)(timeout_ns % SECOND_NS)};
        if (host_take(set | linux_signals_taken(g->os), &info, a[2] != 0 ? &until : NULL) < 0) {
            g->os->slept_ns += a[2] != 0 && errno == EAGAIN ? timeout_ns : 0;
            return -errno;
        }
        record(g, &info);
        signal = take_pending(g, set);
        if (signal == 0)
            return -EINTR;
    }
    return a[1] == 0 || linux_put_siginfo(g, a[1], signal) == 0 ? signal : -EFAULT;
}
