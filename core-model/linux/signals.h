/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals: actions, sending, delivery, and those of other processes. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_SIGNALS_H
#define CORE_MODEL_LINUX_SIGNALS_H

#include "core-model/linux/guest.h"
#include "core-model/linux/pending.h"

enum {
    LINUX_SIGNAL_MAX = 64,
    LINUX_SIGILL = 4,
    LINUX_SIGTRAP = 5,
    LINUX_SIGBUS = 7,
    LINUX_SIGKILL = 9,
    LINUX_SIGSEGV = 11,
    LINUX_SIGSTOP = 19,
};

struct linux_thread;

struct linux_sigaction {
    uint64_t handler, flags, mask;
};
/* Handlers that are none, flags of actions, numbers of signals, and values of `code`, as the kernel defines them. */
enum {
    SIG_DEFAULT = 0,
    SIG_IGNORED = 1,
    ACTION_NOCLDWAIT = 2,
    ACTION_ONSTACK = 0x08000000,
    ACTION_RESTART = 0x10000000,
    ACTION_NODEFER = 0x40000000,
    SIGNO_CHLD = 17,
    SIGNO_CONT = 18,
    SIGNO_TTOU = 22,
    SIGNO_URG = 23,
    SIGNO_WINCH = 28,
    CODE_USER = 0,
    CODE_TKILL = -6,
};
#define ACTION_RESETHAND UINT64_C(0x80000000)

struct linux_signals {
    struct linux_sigaction action[LINUX_SIGNAL_MAX + 1];
    struct linux_pending pending; /* signals sent to the process that no thread has taken */
    uint64_t host_blocked;        /* signals blocked in the emulator's process */
    uint64_t host_initial;        /* signals blocked before the guest started */
    uint64_t host_ignored; /* signals ignored or blocked before the guest started; delivered only if sent by its own
                            * processes */
    uint64_t host_kept;    /* signals handled by the emulator, whatever the guest's action */
    volatile uint64_t host_passed; /* of those, what guest_keep_signal takes: the guest handles, ignores or blocks it */
    uint64_t children_heard;       /* number of SIGCHLD taken from the host */
    int signal_fd;                 /* signalfd for poll; -1: none */
};

/* Makes a signal pending; delivers pending signals by ending the guest or entering a handler; raises the fault of the
 * instruction at pc. */
void linux_raise(struct guest *g, int signal); /* sent to the running thread on account of its call */
/* Sends a signal to a thread, or to the process (NULL); -EAGAIN: its queue is full. */
int64_t linux_send(struct guest *g, struct linux_thread *to, const struct linux_siginfo *info);
/* Takes the running thread's next pending signal of the set: the signal, or 0. */
int linux_take(struct guest *g, uint64_t set, struct linux_siginfo *info);
void linux_deliver(struct guest *g);
void linux_end_by(struct guest *g, int signal);
void linux_fault(struct guest *g, int signal, int code, uint64_t addr);
const char *linux_signal_name(int signal);
bool linux_signal_ignored(const struct guest *g, int signal);
void linux_set_mask(struct guest *g, uint64_t mask);
void linux_replace_mask(struct guest *g, uint64_t mask); /* until the next delivery */
bool linux_restarts(const struct guest *g); /* whether the next signal to be delivered restarts its system call */
/* The signals pending for the process that are to be delivered to the thread. */
uint64_t linux_signals_chosen(const struct guest *g, const struct linux_thread *t);
/* Whether a signal is to be delivered to the thread. */
bool linux_thread_interrupted(const struct guest *g, const struct linux_thread *t);
static inline uint64_t linux_signal_bit(int signal) { return UINT64_C(1) << (signal - 1); }
/* Signals of which the emulator has handlers for its own use: SIGVTALRM, and those of failed accesses. */
static inline uint64_t linux_signals_used(void)
{
    enum { SIGNO_VTALRM = 26 };
    return linux_signal_bit(SIGNO_VTALRM) | linux_signal_bit(LINUX_SIGBUS) | linux_signal_bit(LINUX_SIGSEGV);
}

/* In host_signals.c. Signals from other processes are blocked in the emulator's process until they are collected here;
 * those with default action act on the emulator's process as they would on the guest. */
void linux_signals_inherit(struct guest *g); /* at the start */
void linux_signals_fini(struct guest *g);
void linux_signals_update(struct guest *g); /* after a change of actions or mask */
bool linux_signals_kept(void);              /* whether guest_keep_signal has kept one that is not collected */
void linux_signals_forget(void);            /* in the child of a fork: what is kept is the parent's */
void linux_signals_collect(struct guest *g);
/* Takes the signals of `set` that other processes have sent, and those that are kept; returns whether the guest gets
 * any. */
bool linux_signals_collect_set(struct guest *g, uint64_t set);
bool linux_signals_ready(struct guest *g); /* collects signals; whether one is to be delivered to the running thread */
bool linux_signals_caught(const struct guest *g); /* whether any signal can be collected */
/* Signals that are collected instead of acting on the emulator's process. */
uint64_t linux_signals_taken(const struct guest *g);
/* A descriptor that is readable when a signal can be collected; -1: none can. */
int linux_signals_fd(struct guest *g);
bool linux_children_vanish(const struct guest *g); /* children that end raise no signal */

#endif
