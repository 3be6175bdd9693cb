/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sending signals to the threads of this process, and which of them are to be delivered to a thread. */
#include <unistd.h>

#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

const char *linux_signal_name(int signal)
{
    static const char *const names[] = {
        "0",       "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",  "SIGTRAP", "SIGABRT",   "SIGBUS",  "SIGFPE",   "SIGKILL",
        "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT",  "SIGSTOP",
        "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG",  "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",
        "SIGPWR",  "SIGSYS",  "SIG32",   "SIG33",   "SIG34",   "SIG35",   "SIG36",     "SIG37",   "SIG38",    "SIG39",
        "SIG40",   "SIG41",   "SIG42",   "SIG43",   "SIG44",   "SIG45",   "SIG46",     "SIG47",   "SIG48",    "SIG49",
        "SIG50",   "SIG51",   "SIG52",   "SIG53",   "SIG54",   "SIG55",   "SIG56",     "SIG57",   "SIG58",    "SIG59",
        "SIG60",   "SIG61",   "SIG62",   "SIG63",   "SIG64",
    };
    return signal >= 0 && signal < (int)(sizeof names / sizeof names[0]) ? names[signal] : "an unknown signal";
}

static bool ignored_by_default(int signal)
{
    return signal == SIGNO_CHLD || (signal >= SIGNO_CONT && signal <= SIGNO_TTOU) || signal == SIGNO_URG ||
           signal == SIGNO_WINCH;
}

bool linux_signal_ignored(const struct guest *g, int signal)
{
    uint64_t handler = g->signals->action[signal].handler;
    return handler == SIG_IGNORED || (handler == SIG_DEFAULT && ignored_by_default(signal));
}

void linux_end_by(struct guest *g, int signal)
{
    g->process->exited = true;
    g->process->fatal_signal = signal;
    g->process->exit_status = 128 + signal;
}

/* The thread that is to take a signal of the process, as Linux chooses it: the first one, else the running one, else
 * any that does not block it; NULL: all do. */
static struct linux_thread *taker(const struct guest *g, int signal)
{
    uint64_t bit = linux_signal_bit(signal);
    struct linux_thread *best = NULL;
    for (size_t i = g->sched->threads; i-- > 0;) {
        struct linux_thread *t = g->sched->thread[i];
        bool wants = !t->ended && ((t->signal_mask & bit) == 0 || (t->waits && (t->wait.signals & bit) != 0));
        if (wants && (best == NULL || best != g->thread || t->tid == g->task->pid))
            best = t;
    }
    return best;
}

/* The signals pending for the process that are to be delivered to the thread. */
uint64_t linux_signals_chosen(const struct guest *g, const struct linux_thread *t)
{
    uint64_t set = 0;
    for (uint64_t left = g->signals->pending.set; left != 0; left &= left - 1) {
        int signal = 1 + __builtin_ctzll(left);
        set |= taker(g, signal) == t ? linux_signal_bit(signal) : 0;
    }
    return set;
}

/* Whether the signal ends the process: at once, whichever thread runs. */
static bool is_fatal(const struct guest *g, const struct linux_thread *to, int signal)
{
    const struct linux_thread *t = to != NULL ? to : taker(g, signal);
    bool wanted = t != NULL && (t->signal_mask & linux_signal_bit(signal)) == 0;
    return wanted && g->signals->action[signal].handler == SIG_DEFAULT && !ignored_by_default(signal);
}

int64_t linux_send(struct guest *g, struct linux_thread *to, const struct linux_siginfo *info)
{
    if (g->process->exited)
        return 0; /* the first one has ended it */
    if (is_fatal(g, to, info->signal)) {
        linux_end_by(g, info->signal);
        return 0;
    }
    return pending_add(to != NULL ? &to->pending : &g->signals->pending, info) ? 0 : -EAGAIN;
}

void linux_raise(struct guest *g, int signal)
{
    const struct linux_siginfo info = {
        .signal = signal, .code = CODE_USER, .word = {g->task->pid | (uint64_t)getuid() << 32}};
    (void)linux_send(g, g->thread, &info);
}

/* The first signal that is to be delivered to the thread and not ignored; 0: none. */
static int next_signal(const struct guest *g, const struct linux_thread *t)
{
    uint64_t ready = (t->pending.set | linux_signals_chosen(g, t)) & ~t->signal_mask;
    for (int signal; ready != 0; ready &= ~linux_signal_bit(signal)) {
        signal = pending_first(ready);
        if (!linux_signal_ignored(g, signal))
            return signal;
    }
    return 0;
}

bool linux_thread_interrupted(const struct guest *g, const struct linux_thread *t) { return next_signal(g, t) != 0; }

bool linux_restarts(const struct guest *g)
{
    int signal = next_signal(g, g->thread);
    return signal == 0 || (g->signals->action[signal].flags & ACTION_RESTART) != 0;
}
