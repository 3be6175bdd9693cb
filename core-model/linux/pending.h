/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pending signals of a thread or of a process. A standard signal is pending once, whatever the number of times that it
 * was sent; a real-time signal is queued each time, with its value. Source: POSIX.1-2017, 2.4.2 "Signal generation and
 * delivery"; Linux kernel/signal.c. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_PENDING_H
#define CORE_MODEL_LINUX_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core-model/checkpoint/stream.h"

/* The guest's siginfo_t. Values of `code` are the kernel's. */
struct linux_siginfo {
    int32_t signal, error, code, pad;
    uint64_t word[14]; /* [0] the sender's pid and uid, or a fault's address; [1] the value, or a child's status */
};
_Static_assert(sizeof(struct linux_siginfo) == 128, "the size of siginfo_t is part of the kernel's interface");

enum {
    PENDING_MAX = 4096, /* queued signals of a thread or process: RLIMIT_SIGPENDING */
};

/* All zero: none. */
struct linux_pending {
    uint64_t set;                /* bit signal - 1 */
    struct linux_siginfo *queue; /* in order of arrival; owned */
    size_t count;
};

/* Adds the signal info->signal (1 to 64). False: the queue is full. */
bool pending_add(struct linux_pending *p, const struct linux_siginfo *info);
/* The signal of a set, not an empty one, that Linux takes first: the lowest of those of instructions, or of others. */
int pending_first(uint64_t set);
/* Takes the first signal of `set` that is pending, and of that signal the oldest; returns 0 if none is. */
int pending_take(struct linux_pending *p, uint64_t set, struct linux_siginfo *info);
/* Removes the signals of `set`. */
void pending_drop(struct linux_pending *p, uint64_t set);
void pending_fini(struct linux_pending *p);
/* The signals in a checkpoint; none are pending before they are read. */
void pending_move(struct linux_pending *p, struct checkpoint_stream *s);

#endif
