/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals between processes. Signals that the guest handles or ignores are blocked in the emulator's process; they are
 * collected at the end of a system call, during a blocking system call, and periodically in functional execution. So
 * the emulator is never interrupted, and no signal is lost. The emulator uses two signals itself, and cannot block
 * them: its handler keeps those that are the guest's (guest_keep_signal). Signals with default action act on the
 * emulator's process as they would on the guest, or are kept by its handler. */
#include "core-model/linux/linux.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/ending.h"
#include "core-model/linux/event_fd.h"
#include "core-model/linux/process_table.h"

enum {
    SIG_DEFAULT = 0,
    SIG_IGNORED = 1,
    SIGNO_PIPE = 13,
    SIGNO_CHLD = 17,
    ACTION_NOCLDWAIT = 2,
    SET_BYTES = 8,
    CODE_USER = 0,
    CODE_TKILL = -6,
};

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

uint64_t linux_signals_taken(const struct linux_state *os)
{
    uint64_t set = os->host_ignored;
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        if (os->action[signal].handler != SIG_DEFAULT)
            set |= linux_signal_bit(signal);
    for (size_t i = 0; i < os->threads; i++)
        set |= os->thread[i]->waits ? os->thread[i]->wait.signals : 0;
    return set | linux_events_signals(os);
}

bool linux_children_vanish(const struct guest *g)
{
    const struct linux_state *os = g->os;
    return os->action[SIGNO_CHLD].handler == SIG_IGNORED || (os->action[SIGNO_CHLD].flags & ACTION_NOCLDWAIT);
}

/* Shells start background jobs with some signals ignored, on which a guest's behaviour could depend. The guest
 * therefore starts with default actions and no blocked signals, and does not receive external signals that were ignored
 * or blocked. */
void linux_signals_inherit(struct guest *g)
{
    signal(SIGCHLD, SIG_DFL); /* otherwise children are reaped without wait */
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        if (signal != SIGNO_PIPE && ending_is_ignored(signal))
            g->os->host_ignored |= linux_signal_bit(signal);
    (void)syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &g->os->host_blocked, (size_t)SET_BYTES);
    g->os->host_initial = g->os->host_blocked;
    g->os->host_ignored |= g->os->host_initial;
    g->os->signal_fd = -1;
    linux_signals_update(g);
}

void guest_leave_signals(struct guest *g)
{
    static const struct timespec at_once;
    struct linux_state *os = g->os;
    siginfo_t info;
    while (host_take(os->host_blocked & ~os->host_initial, &info, &at_once) > 0)
        continue;
    linux_signals_forget();
    os->host_passed = 0;
    os->host_blocked = os->host_initial;
    host_mask(os->host_blocked);
}

void linux_signals_fini(struct guest *g)
{
    guest_leave_signals(g);
    if (g->os->signal_fd >= 0)
        close(g->os->signal_fd);
}

/* Signals that every thread blocks. */
static uint64_t blocked_by_all(const struct linux_state *os)
{
    uint64_t blocked = UINT64_MAX;
    for (size_t i = 0; i < os->threads; i++)
        blocked &= os->thread[i]->ended ? UINT64_MAX : os->thread[i]->signal_mask;
    return blocked;
}

void linux_signals_update(struct guest *g)
{
    struct linux_state *os = g->os;
    uint64_t caught = linux_signals_taken(os), blocked = caught | blocked_by_all(os);
    if (os->has_children)
        blocked |= linux_signal_bit(SIGNO_CHLD); /* waits for children wait for SIGCHLD */
    os->host_passed = blocked & (linux_signal_bit(LINUX_SIGBUS) | linux_signal_bit(SIGVTALRM));
    blocked &= ~os->host_kept;
    if (blocked == os->host_blocked)
        return;
    os->host_blocked = blocked;
    host_mask(blocked);
}

/* Makes a signal that came from another process pending. The host's SIGPIPE for a write of this one is dropped: the
 * thread that wrote has got its own. Returns false for a signal that is dropped. */
static bool record(struct guest *g, const siginfo_t *host)
{
    if (host->si_signo == SIGPIPE && host->si_pid == getpid())
        return false;
    g->os->children_heard += host->si_signo == SIGNO_CHLD;
    const bool is_of_file = host->si_signo >= SIGIO && host->si_code >= POLL_IN && host->si_code <= POLL_HUP;
    uint32_t sender = is_of_file ? 0 : linux_guest_pid_before(g, host->si_pid);
    if (sender == 0 && (g->os->host_ignored & linux_signal_bit(host->si_signo)))
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
    return linux_signals_taken(g->os) != 0 || linux_timers_next(g) != UINT64_MAX;
}

bool guest_keep_signal(const struct guest *g, const siginfo_t *info, bool collects)
{
    const int signal = info->si_signo;
    bool is_passed = g->os != NULL && (g->os->host_passed & linux_signal_bit(signal)) != 0;
    if (!is_passed && collects && info->si_code <= 0)
        is_passed = g->os != NULL && linux_guest_pid_before(g, info->si_pid) != 0;
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

/* Takes the signals of `set` that other processes have sent, and those that are kept; returns whether the guest gets
 * any. */
static bool host_collect(struct guest *g, uint64_t set)
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
    if (g->os != NULL && host_collect(g, linux_signals_taken(g->os) & ~linux_signal_bit(SIGNO_CHLD)))
        g->alarm_cycle = 0;
}

void linux_signals_collect(struct guest *g)
{
    uint64_t caught = linux_signals_taken(g->os);
    for (size_t i = 0; i < g->os->threads; i++)
        caught |= g->os->thread[i]->wait.child ? linux_signal_bit(SIGNO_CHLD) : 0; /* dropped if ignored */
    linux_timers_check(g);
    (void)host_collect(g, caught);
    linux_events_check(g);
}

bool linux_signals_ready(struct guest *g)
{
    linux_signals_collect(g);
    return linux_thread_interrupted(g, g->thread);
}

int linux_signals_fd(struct guest *g)
{
    struct linux_state *os = g->os;
    uint64_t caught = linux_signals_taken(os);
    for (size_t i = 0; i < os->threads; i++)
        caught |= os->thread[i]->waits && os->thread[i]->wait.child ? linux_signal_bit(SIGNO_CHLD) : 0;
    if (caught == 0)
        return -1;
    os->signal_fd = (int)syscall(SYS_signalfd4, os->signal_fd, &caught, (size_t)SET_BYTES, O_CLOEXEC | O_NONBLOCK);
    return os->signal_fd;
}

/* Sends a signal to one process: directly to the guest process itself, through the host to others. */
static int64_t send_to(struct guest *g, uint32_t pid, int signal)
{
    const struct linux_siginfo info = {
        .signal = signal, .code = CODE_USER, .word = {g->os->pid | (uint64_t)getuid() << 32}};
    if (pid == g->os->pid)
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
        if (p == NULL || (group == 0 ? pid == g->os->pid : p->group != group))
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
    const uint32_t own = linux_process_entry(g, g->os->pid)->group;
    return send_to_many(g, pid == 0 ? own : 0u - (uint32_t)pid, (int)a[1]);
}

/* Sends to one thread. Of another process the number is only that of the process. */
static int64_t send_to_thread(struct guest *g, int32_t tgid, int32_t tid, uint64_t signal)
{
    struct linux_thread *t = linux_thread_find(g, (uint32_t)tid);
    const struct linux_siginfo info = {
        .signal = (int)signal, .code = CODE_TKILL, .word = {g->os->pid | (uint64_t)getuid() << 32}};
    if (tid <= 0 || signal > LINUX_SIGNAL_MAX)
        return -EINVAL;
    if (t == NULL)
        return (uint32_t)tid == g->os->pid || tgid == (int32_t)g->os->pid ? -ESRCH
                                                                          : send_to(g, (uint32_t)tid, (int)signal);
    if (tgid != 0 && (uint32_t)tgid != g->os->pid)
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
    bool to_self = (uint32_t)a[0] == g->os->pid;
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
    if (t == NULL || (uint32_t)a[0] != g->os->pid)
        return -ESRCH;
    return a[2] == 0 ? 0 : linux_send(g, t, &info);
}

int64_t sys_rt_sigpending(struct guest *g, const uint64_t *a)
{
    uint64_t host = 0;
    (void)syscall(SYS_rt_sigpending, &host, (size_t)SET_BYTES);
    linux_signals_collect(g);
    const uint64_t set = (g->os->pending.set | g->thread->pending.set | host) & g->thread->signal_mask;
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
    (void)host_collect(g, set);
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
