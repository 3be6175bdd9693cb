/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Job control. The host's kernel acts on background processes only by signals with default action: those that the guest
 * handles are blocked in the emulator's process, and the kernel takes a blocked signal for one without effect. Source:
 * termios(3), tcsetpgrp(3), credentials(7). */
#include "core-model/linux/job_control.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "core-model/linux/at_once.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/thread.h"

enum { CODE_KERNEL = 0x80, ACTION_DEFAULT = 0 };

/* Whether the terminal is the controlling one, and another process group is in its foreground. */
static bool is_background(int host_fd)
{
    const pid_t front = tcgetpgrp(host_fd);
    return front > 0 && front != getpgrp() && linux_file_kind(host_fd) == FILE_TERMINAL;
}

/* Whether the running thread ignores or blocks the signal. */
static bool is_without_effect(const struct guest *g, int signal)
{
    enum { ACTION_IGNORED = 1 };
    return g->signals->action[signal].handler == ACTION_IGNORED ||
           (g->thread->signal_mask & linux_signal_bit(signal)) != 0;
}

/* Whether no member of the group has a parent that could continue it: one of the session, outside the group. */
static bool is_orphaned(const struct guest *g)
{
    const pid_t group = getpgrp(), session = getsid(0);
    uint32_t pid = 0;
    for (int host; linux_next_process(g, &pid, &host);) {
        const int parent = getpgid(host) == group ? linux_host_parent(host) : 0;
        if (parent > 0 && getpgid(parent) != group && getsid(parent) == session)
            return false;
    }
    return true;
}

static void signal_group(struct guest *g, int signal)
{
    const struct linux_siginfo info = {.signal = signal, .code = CODE_KERNEL};
    const pid_t group = getpgrp();
    uint32_t pid = 0;
    for (int host; linux_next_process(g, &pid, &host);)
        if (host != getpid() && getpgid(host) == group)
            (void)linux_signal_process(g, pid, signal, NULL);
    (void)linux_send(g, NULL, &info);
}

/* Lets the host's kernel act on the process as on any in the background, by a call without another effect: a read of
 * nothing, and a change of the foreground group without a number. */
static int64_t act_on_host(int host_fd, int signal)
{
    char none;
    int64_t r;
    do
        r = linux_result(signal == SIGTTIN ? syscall(SYS_read, host_fd, &none, (size_t)0)
                                           : syscall(SYS_ioctl, host_fd, (unsigned long)TIOCSPGRP, NULL));
    while (r == -EINTR);
    return r == -EIO || r == -ENOTTY ? -EIO : 0;
}

int64_t linux_check_foreground(struct guest *g, int host_fd, int signal)
{
    if (!is_background(host_fd))
        return 0;
    if (is_without_effect(g, signal))
        return signal == SIGTTIN ? -EIO : 0;
    if (g->signals->action[signal].handler == ACTION_DEFAULT)
        return act_on_host(host_fd, signal);
    if (is_orphaned(g))
        return -EIO;
    signal_group(g, signal);
    return -LINUX_RESTART;
}

int64_t linux_check_output(struct guest *g, int host_fd)
{
    struct termios mode;
    const bool is_restricted = is_background(host_fd) && tcgetattr(host_fd, &mode) == 0 && (mode.c_lflag & TOSTOP) != 0;
    return is_restricted ? linux_check_foreground(g, host_fd, SIGTTOU) : 0;
}
