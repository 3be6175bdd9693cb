/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals between processes. Signals that the guest handles or ignores are blocked in the emulator's process; they are
 * collected at the end of a system call, during a blocking system call, and periodically in functional execution. So
 * the emulator is never interrupted, and no signal is lost. The emulator uses three signals itself, and cannot block
 * them: its handlers keep those that are the guest's (guest_keep_signal). Signals with default action act on the
 * emulator's process as they would on the guest, or are kept by its handler. */
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/ending.h"
#include "core-model/linux/clock.h"
#include "core-model/linux/event_fd.h"
#include "core-model/linux/files.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/task.h"

enum { SET_BYTES = 8 };

/* Signals that are kept for the guest. A standard signal is pending once, with the siginfo of the first. */
static struct {
    siginfo_t info;
    volatile sig_atomic_t is_full;
} kept[LINUX_SIGNAL_MAX + 1];
static volatile sig_atomic_t has_kept;

/* Uses the kernel's signal sets, not libc's: their bits are the guest's signal numbers on every host. */
static void host_mask(uint64_t mask) { (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, (size_t)SET_BYTES); }

static int host_take(uint64_t set, siginfo_t *info, const struct timespec *timeout)
{
    return (int)syscall(SYS_rt_sigtimedwait, &set, info, timeout, (size_t)SET_BYTES);
}

uint64_t linux_signals_taken(const struct guest *g)
{
    const struct linux_sched *sched = g->sched;
    uint64_t set = g->signals->host_ignored;
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        if (g->signals->action[signal].handler != SIG_DEFAULT)
            set |= linux_signal_bit(signal);
    for (size_t i = 0; i < sched->threads; i++)
        set |= sched->thread[i]->waits ? sched->thread[i]->wait.signals : 0;
    return set | linux_events_signals(g->files);
}

bool linux_children_vanish(const struct guest *g)
{
    return g->signals->action[SIGNO_CHLD].handler == SIG_IGNORED ||
           (g->signals->action[SIGNO_CHLD].flags & ACTION_NOCLDWAIT);
}

/* Shells start background jobs with some signals ignored, on which a guest's behaviour could depend. The guest
 * therefore starts with default actions and no blocked signals, and does not receive external signals that were ignored
 * or blocked. */
void linux_signals_inherit(struct guest *g)
{
    signal(SIGCHLD, SIG_DFL); /* otherwise children are reaped without wait */
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        if (signal != SIGPIPE && ending_is_ignored(signal))
            g->signals->host_ignored |= linux_signal_bit(signal);
    (void)syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &g->signals->host_blocked, (size_t)SET_BYTES);
    g->signals->host_initial = g->signals->host_blocked;
    g->signals->host_ignored |= g->signals->host_initial;
    g->signals->signal_fd = -1;
    linux_signals_update(g);
}

void guest_leave_signals(struct guest *g)
{
    static const struct timespec at_once;
    struct linux_signals *signals = g->signals;
    siginfo_t info;
    while (host_take(signals->host_blocked & ~signals->host_initial, &info, &at_once) > 0)
        continue;
    linux_signals_forget();
    signals->host_passed = 0;
    signals->host_blocked = signals->host_initial;
    host_mask(signals->host_blocked);
}

void linux_signals_fini(struct guest *g)
{
    guest_leave_signals(g);
    if (g->signals->signal_fd >= 0)
        close(g->signals->signal_fd);
}

/* Signals that every thread blocks. */
static uint64_t blocked_by_all(const struct linux_sched *sched)
{
    uint64_t blocked = UINT64_MAX;
    for (size_t i = 0; i < sched->threads; i++)
        blocked &= sched->thread[i]->ended ? UINT64_MAX : sched->thread[i]->signal_mask;
    return blocked;
}

void linux_signals_update(struct guest *g)
{
    struct linux_signals *signals = g->signals;
    uint64_t caught = linux_signals_taken(g), blocked = caught | blocked_by_all(g->sched);
    if (g->task->has_children)
        blocked |= linux_signal_bit(SIGNO_CHLD); /* waits for children wait for SIGCHLD */
    signals->host_passed = blocked & linux_signals_used();
    blocked &= ~signals->host_kept;
    if (blocked == signals->host_blocked)
        return;
    signals->host_blocked = blocked;
    host_mask(blocked);
}

/* Makes a signal that came from another process pending. The host's SIGPIPE for a write of this one is dropped: the
 * thread that wrote has got its own. Returns false for a signal that is dropped. */
static bool record(struct guest *g, const siginfo_t *host)
{
    if (host->si_signo == SIGPIPE && host->si_pid == getpid())
        return false;
    g->signals->children_heard += host->si_signo == SIGNO_CHLD;
    const bool is_of_file = host->si_signo >= SIGIO && host->si_code >= POLL_IN && host->si_code <= POLL_HUP;
    uint32_t sender = is_of_file ? 0 : linux_guest_pid_before(g, host->si_pid);
    if (sender == 0 && (g->signals->host_ignored & linux_signal_bit(host->si_signo)))
        return false;
    struct linux_siginfo info = {
        .signal = host->si_signo, .code = host->si_code, .word = {sender | (uint64_t)host->si_uid << 32}};
    if (host->si_signo == SIGNO_CHLD)
        info.word[1] = (uint32_t)host->si_status;
    else if (is_of_file)
        info.word[0] = (uint64_t)host->si_band, info.word[1] = linux_guest_fd(g, host->si_fd);
    else
        info.word[1] = (uint64_t)(uintptr_t)host->si_value.sival_ptr;
    (void)linux_send(g, NULL, &info);
    return true;
}

bool linux_signals_caught(const struct guest *g)
{
    return linux_signals_taken(g) != 0 || linux_timers_next(g) != UINT64_MAX;
}

bool guest_keep_signal(const struct guest *g, const siginfo_t *info, bool collects)
{
    const int signal = info->si_signo;
    bool is_passed = guest_has_linux(g) && (g->signals->host_passed & linux_signal_bit(signal)) != 0;
    if (!is_passed && collects && info->si_code <= 0)
        is_passed = guest_has_linux(g) && linux_guest_pid_before(g, info->si_pid) != 0;
    if (!is_passed)
        return false;
    if (!kept[signal].is_full)
        kept[signal].info = *info;
    kept[signal].is_full = has_kept = 1;
    return true;
}

bool linux_signals_kept(void) { return has_kept != 0; }

void linux_signals_forget(void)
{
    has_kept = 0;
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        kept[signal].is_full = 0;
}

/* Takes the signals that are kept; returns whether the guest gets any. */
static bool collect_kept(struct guest *g)
{
    bool any = false;
    if (!has_kept)
        return false;
    has_kept = 0;
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++) {
        if (!kept[signal].is_full)
            continue;
        const siginfo_t info = kept[signal].info;
        kept[signal].is_full = 0;
        any |= record(g, &info);
    }
    return any;
}

bool linux_signals_collect_set(struct guest *g, uint64_t set)
{
    static const struct timespec at_once;
    siginfo_t info;
    bool any = collect_kept(g);
    while (set != 0 && host_take(set, &info, &at_once) > 0)
        any |= record(g, &info);
    return any;
}

void guest_collect_signals(struct guest *g)
{
    if (guest_has_linux(g) && linux_signals_collect_set(g, linux_signals_taken(g) & ~linux_signal_bit(SIGNO_CHLD)))
        g->alarm_cycle = 0;
}

void linux_signals_collect(struct guest *g)
{
    uint64_t caught = linux_signals_taken(g);
    for (size_t i = 0; i < g->sched->threads; i++)
        caught |= g->sched->thread[i]->wait.child ? linux_signal_bit(SIGNO_CHLD) : 0; /* dropped if ignored */
    linux_timers_check(g);
    (void)linux_signals_collect_set(g, caught);
    linux_events_check(g);
}

bool linux_signals_ready(struct guest *g)
{
    linux_signals_collect(g);
    return linux_thread_interrupted(g, g->thread);
}

int linux_signals_fd(struct guest *g)
{
    struct linux_sched *sched = g->sched;
    struct linux_signals *signals = g->signals;
    uint64_t caught = linux_signals_taken(g);
    for (size_t i = 0; i < sched->threads; i++)
        caught |= sched->thread[i]->waits && sched->thread[i]->wait.child ? linux_signal_bit(SIGNO_CHLD) : 0;
    if (caught == 0)
        return -1;
    signals->signal_fd = (int)syscall(SYS_signalfd4, signals->signal_fd, &caught, (size_t)SET_BYTES,
                                      O_CLOEXEC | O_NONBLOCK);
    return signals->signal_fd;
}
