/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of the guest's process, which take turns on its hart, and the calls in which they wait. Private to
 * core-model/linux. */
#ifndef CORE_MODEL_LINUX_THREAD_H
#define CORE_MODEL_LINUX_THREAD_H

#include <poll.h>

#include "core-model/linux/apart.h"
#include "core-model/linux/guest.h"
#include "core-model/linux/pending.h"

struct linux_row; /* syscall.h */

enum { LINUX_CALL_ARGS = 6, LINUX_NAME_BYTES = 16 };

/* Conditions that a blocked thread waits for, besides signals. The members that say when it goes on may be combined. */
struct linux_wait {
    uint64_t until_ns;      /* on the guest's clock (linux_clock_ns); UINT64_MAX: no time-out */
    uint64_t host_until_ns; /* the same on the host's clock; set by linux_block */
    uint64_t futex;         /* address of the futex; 0: none */
    uint32_t bitset;        /* of the futex's waiter */
    bool woken;             /* by a futex operation or a timerfd */
    bool timer;             /* for a timerfd; `woken` when it expires */
    bool child;             /* for the end of a child */
    bool retries;           /* for an event that the host does not tell: the call is tried again */
    bool uninterruptible;   /* a signal that does not end the process waits too */
    uint64_t signals;       /* taken by sigtimedwait */
    struct pollfd *fds;     /* host descriptors; owned by the thread once it is blocked */
    size_t count;
};

/* A vfork whose child has neither executed a program nor ended. */
struct linux_vfork {
    uint32_t pid;                  /* of the child; 0: there is none */
    int fd;                        /* the other end is closed then */
    uint64_t window, window_bytes; /* of the stack, shared with the child */
};

/* The system call that a thread performs. */
struct linux_call {
    uint64_t number, a[LINUX_CALL_ARGS];
    const struct linux_row *row; /* borrowed */
    uint64_t done;               /* by earlier attempts, in bytes */
    struct linux_apart *apart;   /* the host call that waits for it; owned; NULL: none */
    struct linux_vfork vfork;
};

/* The registers of a thread while another one runs. */
struct linux_context {
    uint64_t reg[64], pc;
    uint32_t fcsr;
};

struct linux_thread {
    uint32_t tid;
    struct guest_thread seen; /* guest_running_thread while it runs */
    struct linux_context context;
    struct guest *on; /* the hart on which it runs; NULL: on none */
    uint64_t signal_mask;
    uint64_t saved_mask; /* mask replaced by sigsuspend and similar calls, if has_saved_mask */
    bool has_saved_mask;
    struct linux_pending pending; /* signals sent to this thread */
    uint64_t altstack[3];
    char name[LINUX_NAME_BYTES];
    uint32_t policy; /* SCHED_ of sched_setscheduler */
    int32_t priority;
    uint64_t affinity;    /* processors on which it may run, of sched_setaffinity; bits above the last have no effect */
    uint64_t clear_tid;   /* where 0 is stored at the thread's end, and a waiter woken; 0: nowhere */
    uint64_t robust_list; /* head of the list of robust futexes; 0: none */
    uint64_t cycles;      /* processor time of earlier turns */
    struct linux_call call;
    bool waits; /* blocked in `call` */
    struct linux_wait wait;
    uint64_t tried;      /* cycle of the last attempt to perform the call */
    uint64_t looked;     /* value of sched->looks at that attempt */
    uint64_t wait_order; /* position in the order in which threads blocked */
    bool ended;
};

struct clone_request {
    uint64_t flags, stack, parent_tid, child_tid, tls;
};

/* The first thread, whose number is the process's. */
void linux_threads_init(struct guest *g);
void linux_threads_fini(struct guest *g);
void linux_thread_free(struct linux_thread *t);
/* Starts a thread with a copy of the caller's registers; its number, or -EAGAIN. */
int64_t linux_thread_start(struct guest *g, const struct clone_request *c);
/* Ends the running thread; the process's last thread ends the process. */
void linux_thread_end(struct guest *g, int status);
/* At the process's end: marks the robust futexes of all threads, which other processes may share. */
void linux_threads_release(struct guest *g);
/* The thread with this number in the process, or NULL. */
struct linux_thread *linux_thread_find(const struct guest *g, uint32_t tid);
/* Target of a call's number: a thread, of which 0 is the running one, or another of the guest's processes, for which
 * *t is NULL. -ESRCH: neither. */
int64_t linux_find_target(const struct guest *g, uint64_t tid, struct linux_thread **t);
/* Frees all threads but the running one, whose number becomes the process's: execve, and the child of a fork. */
void linux_threads_reduce(struct guest *g);
/* The running thread begins the program that execve has loaded. */
void linux_thread_begin_program(struct guest *g);
/* Processor time of a thread, in cycles, and of all of the process. */
uint64_t linux_thread_cycles(const struct guest *g, const struct linux_thread *t);
uint64_t linux_process_cycles(const struct guest *g);

/* The first thread, or the running one if that has ended. */
const struct linux_thread *linux_thread_leader(const struct guest *g);
/* Number of threads that have not ended. */
size_t linux_thread_count(const struct guest *g);
/* Whether any thread can execute: otherwise clocks of processor time stand still. */
bool linux_processor_runs(const struct guest *g);
/* Whether any thread but the running one exists. */
bool linux_has_threads(const struct guest *g);

/* In futex.c. Wakes up to `most` waiters on the word; their number. */
uint64_t linux_futex_wake(struct guest *g, uint64_t addr, uint64_t most, uint32_t bitset);
/* Marks the thread's robust futexes as those of a dead owner. */
void linux_futex_release(struct guest *g, struct linux_thread *t);

#endif
