/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's clocks. They advance with the simulated cycles at the configured frequency, from a fixed start, and by
 * sleeping. */
#include "core-model/linux/clock.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"
#include "core-model/riscv/sem.h"

enum {
    SECOND_NS = 1000000000,
    REALTIME = 0,
    MONOTONIC = 1,
    PROCESS_CPU = 2,
    THREAD_CPU = 3,
    CLOCKS = 12,
};

/* 2024-01-01 00:00:00 UTC; uptime at the start: one hour. */
static const uint64_t epoch_ns = UINT64_C(1704067200) * SECOND_NS, uptime_ns = UINT64_C(3600) * SECOND_NS;

uint64_t linux_cycles_ns(const struct guest *g, uint64_t cycles)
{
    return (uint64_t)((rv_u128)cycles * SECOND_NS / g->clock->clock_hz);
}

uint64_t linux_ns_cycles(const struct guest *g, uint64_t ns)
{
    rv_u128 cycles = (rv_u128)ns * g->clock->clock_hz / SECOND_NS;
    return cycles < UINT64_MAX / 2 ? (uint64_t)cycles : UINT64_MAX / 2;
}

uint64_t linux_cpu_ns(const struct guest *g) { return linux_cycles_ns(g, linux_process_cycles(g)); }

uint64_t linux_thread_cpu_ns(const struct guest *g, const struct linux_thread *t)
{
    return linux_cycles_ns(g, linux_thread_cycles(g, t));
}

uint64_t linux_clock_ns(const struct guest *g)
{
    return epoch_ns + linux_cycles_ns(g, g->hart.cycle) + g->clock->slept_ns;
}

void linux_sleep(struct guest *g, uint64_t ns)
{
    g->clock->slept_ns += ns;
    for (unsigned n = 0; n < g->sched->harts; n++)
        g->sched->hart[n]->hart.slept_cycles = linux_ns_cycles(g, g->clock->slept_ns);
}

uint64_t linux_monotonic_ns(const struct guest *g) { return linux_clock_ns(g) - epoch_ns + uptime_ns; }

/* clock_getcpuclockid and pthread_getcpuclockid derive negative clock numbers from those of processes and threads. */
bool linux_read_clock(const struct guest *g, int32_t id, uint64_t *ns)
{
    enum { KIND = 3, OF_THREAD = 4, NUMBER_SHIFT = 3 };
    const struct linux_thread *t = g->thread;
    uint32_t number = id < 0 ? ~((uint32_t)(id >> NUMBER_SHIFT)) : 0;
    if (id < 0 && (id & OF_THREAD) && number != 0)
        t = linux_thread_find(g, number);
    bool other_process = id < 0 && !(id & OF_THREAD) && number != 0 && number != g->task->pid;
    bool of_thread = id == THREAD_CPU || (id < 0 && (id & OF_THREAD));
    if ((of_thread && t == NULL) || other_process || (id < 0 && (id & KIND) == KIND))
        return false;
    if (of_thread)
        *ns = linux_thread_cpu_ns(g, t);
    else if (id == PROCESS_CPU || id < 0)
        *ns = linux_cpu_ns(g);
    else if (id == REALTIME || id == 5 /* coarse */ || id == 11 /* TAI */)
        *ns = linux_clock_ns(g);
    else if (id < CLOCKS)
        *ns = linux_monotonic_ns(g);
    else
        return false;
    return true;
}

uint64_t linux_timer_deadline(const struct guest *g, int32_t clock, uint64_t first_ns, bool absolute)
{
    uint64_t now = linux_clock_ns(g), of_clock = 0;
    if (first_ns == 0)
        return 0;
    if (absolute)
        (void)linux_read_clock(g, clock, &of_clock);
    return now - of_clock + first_ns;
}

int64_t linux_put_time(struct guest *g, uint64_t addr, uint64_t ns, unsigned unit_ns)
{
    const uint64_t t[2] = {ns / SECOND_NS, ns % SECOND_NS / unit_ns};
    return linux_put(g, addr, t, sizeof t);
}

int64_t linux_get_time(struct guest *g, uint64_t addr, uint64_t *ns)
{
    int64_t t[2];
    if (linux_get(g, addr, t, sizeof t) != 0)
        return -EFAULT;
    if (t[0] < 0 || t[1] < 0 || t[1] >= SECOND_NS)
        return -EINVAL;
    *ns = t[0] > INT64_MAX / SECOND_NS - 1 ? INT64_MAX : (uint64_t)t[0] * SECOND_NS + (uint64_t)t[1];
    return 0;
}
