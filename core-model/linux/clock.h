/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's clocks and timers. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_CLOCK_H
#define CORE_MODEL_LINUX_CLOCK_H

#include "core-model/linux/guest.h"

enum { LINUX_CLOCK_TICKS = 100 };

struct linux_thread;
struct posix_timer;

/* An interval timer of setitimer, in the time of its clock; deadline 0: not armed. */
struct linux_timer {
    uint64_t deadline_ns, interval_ns;
};
enum { LINUX_TIMERS = 3 };

struct linux_clock {
    uint64_t clock_hz;
    uint64_t slept_ns; /* total time slept: sleeping advances the clock instead of waiting */
    struct linux_timer timer[LINUX_TIMERS];
    struct posix_timer **posix_timer; /* in the order of their creation; owned */
    size_t posix_timers;
    uint64_t start_cycle; /* start of this process, the origin of its processor time */
    uint64_t start_ns;    /* start of this process on CLOCK_MONOTONIC */
    uint64_t children_ns; /* processor time of reaped children */
};

uint64_t linux_clock_ns(const struct guest *g);     /* CLOCK_REALTIME */
void linux_sleep(struct guest *g, uint64_t ns);     /* the guest's clock and time CSR go on by this */
uint64_t linux_monotonic_ns(const struct guest *g); /* CLOCK_MONOTONIC */
bool linux_read_clock(const struct guest *g, int32_t id, uint64_t *ns);
/* When a timer of the clock expires, on linux_clock_ns; 0: never, if first_ns is 0. */
uint64_t linux_timer_deadline(const struct guest *g, int32_t clock, uint64_t first_ns, bool absolute);
uint64_t linux_cpu_ns(const struct guest *g);
uint64_t linux_thread_cpu_ns(const struct guest *g, const struct linux_thread *t);
uint64_t linux_ns_cycles(const struct guest *g, uint64_t ns);
uint64_t linux_cycles_ns(const struct guest *g, uint64_t cycles);
/* Reads a struct timespec: 0, -EFAULT, -EINVAL. */
int64_t linux_get_time(struct guest *g, uint64_t addr, uint64_t *ns);
int64_t linux_put_time(struct guest *g, uint64_t addr, uint64_t ns, unsigned unit_ns);

/* In timer.c: raises signals of expired timers; time to the next expiry in ns, or UINT64_MAX. */
void linux_timers_check(struct guest *g);
uint64_t linux_timers_next(const struct guest *g);

#endif
