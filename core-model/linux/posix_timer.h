/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timers of timer_create. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_POSIX_TIMER_H
#define CORE_MODEL_LINUX_POSIX_TIMER_H

#include "core-model/checkpoint/stream.h"
#include "core-model/linux/guest.h"
#include "core-model/linux/pending.h"

/* Sends the signals of expired timers. */
void linux_posix_timers_check(struct guest *g);
/* Time to the next expiry in ns, or UINT64_MAX. */
uint64_t linux_posix_timers_next(const struct guest *g);
/* When a signal is taken: if it is a timer's, sets its overruns and starts the timer's next period. */
void linux_posix_timer_taken(struct guest *g, struct linux_siginfo *info);
/* Deletes all timers: at execve, in a child, and at the end. */
void linux_posix_timers_drop(struct guest *g);
/* The timers in a checkpoint. A guest that is restored has none before. */
void linux_posix_timers_move(struct guest *g, struct checkpoint_stream *s);

#endif
