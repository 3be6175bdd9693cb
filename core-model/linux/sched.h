/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scheduling: the threads, the harts on which they take turns, and the calls in which they wait. Private to
 * core-model/linux. */
#ifndef CORE_MODEL_LINUX_SCHED_H
#define CORE_MODEL_LINUX_SCHED_H

#include "base/random.h"
#include "core-model/linux/thread.h"

enum { LINUX_QUANTUM = 100000 /* default of guest_config.quantum */ };

struct linux_sched {
    struct linux_thread **thread; /* in the order of their start; owned */
    size_t threads;
    uint64_t started;                    /* threads until now, and programs of execve: each has a number of its own */
    struct guest *hart[GUEST_HARTS_MAX]; /* borrowed */
    unsigned harts;
    unsigned processors; /* that the guest sees: more than `harts` before those are added and in the child of a fork */
    void (*quiesce)(void *ctx, struct guest *hart); /* see guest_set_quiesce; NULL: nothing is to be done */
    void *quiesce_ctx;
    uint64_t quantum;          /* in cycles */
    struct random turn_random; /* of the lengths of turns */
    uint64_t ended_cycles;     /* processor time of threads that have ended */
    uint64_t waits_begun;
    uint64_t looks;    /* changes when threads that wait for the host may be able to go on */
    int leader_status; /* exit status of the first thread, if that has ended */
};

/* The result of a handler that cannot go on: records what the thread waits for and returns -LINUX_BLOCK. w->fds is
 * copied. The handler is called again, with the same arguments, when one of the events may have happened, and then
 * decides anew; it returns -EINTR or -LINUX_RESTART itself when linux_signals_ready. */
int64_t linux_block(struct guest *g, const struct linux_wait *w);
/* In a handler that is called again: what it waited for; NULL in the first call. */
const struct linux_wait *linux_waited(const struct guest *g);
/* The host's monotonic clock, in ns. */
uint64_t linux_host_ns(void);
/* The time-out of a call, from the guest's clock at its first attempt. timeout_ns UINT64_MAX: none. */
uint64_t linux_deadline(const struct guest *g, uint64_t timeout_ns);
/* For an event that the host does not tell: -LINUX_BLOCK, or -LINUX_RESTART if a signal has arrived. */
int64_t linux_wait_again(struct guest *g);

/* Performs the running thread's call, at first or again; afterwards thread->waits tells whether it is blocked. */
void linux_perform(struct guest *g);
/* At the end of a call and at an alarm: lets another thread run if the running one is blocked or its turn is over,
 * leaves the hart idle if none can run and other harts run some, waits on the host if all are blocked, delivers the
 * running thread's signals, and sets the next alarm of each hart. */
void linux_schedule(struct guest *g);

/* In harts.c: discards decoded instructions of the range on all harts, and, before another address space replaces that
 * of `g`, on all harts what they have in flight. */
void linux_discard_code(struct guest *g, uint64_t start, uint64_t size_bytes);
/* Does so for decoded instructions that memory no longer holds, and for those behind the end of a file that has been
 * cut, wherever it is mapped. */
void linux_flush_code(struct guest *g);
void linux_drop_cut_code(struct guest *g);
void linux_quiesce_others(struct guest *g);
/* The child of a fork runs on the hart of `g` alone. */
void linux_harts_leave(struct guest *g);
/* After execve all harts have the address space of `g`. */
void linux_harts_share_memory(struct guest *g);

/* In processors.c. The processors that the guest sees, and those of them on which the thread may run. */
uint64_t linux_processors(const struct linux_sched *sched);
uint64_t linux_affinity(const struct guest *g, const struct linux_thread *t);
/* Time that the processors of this process have spent in turns of threads: their sum. */
uint64_t linux_busy_ns(const struct guest *g);
/* Whether the thread may run on the hart of `g`: on the only one, or one to which it is bound. */
bool linux_may_run_on(const struct guest *g, const struct linux_thread *t);
/* The processor of which the thread's code reads the number. */
unsigned linux_processor(const struct guest *g, const struct linux_thread *t);

#endif
