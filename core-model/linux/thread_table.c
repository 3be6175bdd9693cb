/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of the process: their numbers and their processor time. */
#include "core-model/linux/clock.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

struct linux_thread *linux_thread_find(const struct guest *g, uint32_t tid)
{
    for (size_t i = 0; i < g->sched->threads; i++)
        if (g->sched->thread[i]->tid == tid && !g->sched->thread[i]->ended)
            return g->sched->thread[i];
    return NULL;
}

int64_t linux_find_target(const struct guest *g, uint64_t tid, struct linux_thread **t)
{
    *t = (uint32_t)tid == 0 ? g->thread : linux_thread_find(g, (uint32_t)tid);
    bool exists = *t != NULL || ((int32_t)tid > 0 && linux_host_pid(g, (uint32_t)tid) >= 0);
    return exists ? 0 : -ESRCH;
}

bool linux_has_threads(const struct guest *g) { return g->sched->threads > 1; }

uint64_t linux_thread_cycles(const struct guest *g, const struct linux_thread *t)
{
    return t->cycles + (t->on != NULL ? g->hart.cycle - t->on->turn_start : 0);
}

uint64_t linux_process_cycles(const struct guest *g)
{
    const struct linux_sched *sched = g->sched;
    if (sched->harts == 1)
        return g->hart.cycle - g->clock->start_cycle;
    uint64_t cycles = sched->ended_cycles;
    for (size_t i = 0; i < sched->threads; i++)
        cycles += linux_thread_cycles(g, sched->thread[i]);
    return cycles;
}

const struct linux_thread *linux_thread_leader(const struct guest *g)
{
    const struct linux_thread *t = linux_thread_find(g, g->task->pid);
    return t != NULL ? t : g->thread;
}

size_t linux_thread_count(const struct guest *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->sched->threads; i++)
        n += !g->sched->thread[i]->ended;
    return n;
}

bool linux_processor_runs(const struct guest *g)
{
    for (size_t i = 0; i < g->sched->threads; i++)
        if (!g->sched->thread[i]->waits && !g->sched->thread[i]->ended)
            return true;
    return false;
}
