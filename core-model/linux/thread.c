/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads: start, end, and the system calls on the thread itself. Source: clone(2), set_tid_address(2),
 * get_robust_list(2); Linux kernel/fork.c. */
#include <stdlib.h>
#include <unistd.h>

#include "core-model/linux/apart.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

enum { REG_SP = 2, REG_TP = 4, REG_A0 = 10 };

static struct linux_thread *add_thread(struct guest *g, uint32_t tid)
{
    struct linux_sched *sched = g->sched;
    struct linux_thread *t = xcalloc(1, sizeof *t);
    sched->thread = xgrow(sched->thread, sched->threads, sizeof(struct linux_thread *));
    sched->thread[sched->threads++] = t;
    t->tid = tid;
    t->seen.number = ++sched->started;
    t->affinity = UINT64_MAX;
    return t;
}

void linux_threads_init(struct guest *g)
{
    g->thread = add_thread(g, g->task->pid);
    g->thread->on = g;
    g->sched->hart[0] = g;
    g->sched->harts = 1;
}

void linux_thread_free(struct linux_thread *t)
{
    pending_fini(&t->pending);
    linux_apart_drop(t->call.apart);
    if (t->call.vfork.pid != 0)
        close(t->call.vfork.fd);
    free(t->wait.fds);
    free(t);
}

void linux_threads_fini(struct guest *g)
{
    for (size_t i = 0; i < g->sched->threads; i++)
        linux_thread_free(g->sched->thread[i]);
    free(g->sched->thread);
    g->sched->thread = NULL;
    g->sched->threads = 0;
    g->thread = NULL;
}

int64_t linux_thread_start(struct guest *g, const struct clone_request *c)
{
    enum { PARENT_SETTID = 0x100000, CHILD_CLEARTID = 0x200000, CHILD_SETTID = 0x1000000, SETTLS = 0x80000 };
    uint32_t tid = linux_claim_tid(g);
    if (tid == 0)
        return -EAGAIN;
    const struct linux_thread *parent = g->thread;
    struct linux_thread *t = add_thread(g, tid);
    struct linux_context *context = &t->context;
    memcpy(context->reg, g->hart.reg, sizeof context->reg);
    context->pc = g->hart.pc;
    context->fcsr = g->hart.fcsr;
    context->reg[REG_A0] = 0;
    if (c->stack != 0)
        context->reg[REG_SP] = c->stack;
    if (c->flags & SETTLS)
        context->reg[REG_TP] = c->tls;
    t->signal_mask = parent->signal_mask;
    t->policy = parent->policy;
    t->priority = parent->priority;
    t->affinity = parent->affinity;
    memcpy(t->name, parent->name, sizeof t->name);
    t->clear_tid = c->flags & CHILD_CLEARTID ? c->child_tid : 0;
    /* Errors are ignored, as in Linux. */
    if (c->flags & PARENT_SETTID)
        (void)linux_put(g, c->parent_tid, &tid, sizeof tid);
    if (c->flags & CHILD_SETTID)
        (void)linux_put(g, c->child_tid, &tid, sizeof tid);
    return tid;
}

/* Effects of a thread's end that others see: its robust futexes, and the word on which pthread_join waits. */
static void announce_end(struct guest *g, struct linux_thread *t)
{
    const uint32_t none = 0;
    linux_futex_release(g, t);
    if (t->clear_tid != 0 && linux_put(g, t->clear_tid, &none, sizeof none) == 0)
        (void)linux_futex_wake(g, t->clear_tid, 1, UINT32_MAX);
    t->clear_tid = 0;
}

void linux_threads_release(struct guest *g)
{
    for (size_t i = 0; i < g->sched->threads; i++)
        if (!g->sched->thread[i]->ended)
            linux_futex_release(g, g->sched->thread[i]);
}

void linux_thread_end(struct guest *g, int status)
{
    struct linux_thread *t = g->thread;
    size_t others = 0;
    announce_end(g, t);
    if (t->tid == g->task->pid)
        g->sched->leader_status = status;
    for (size_t i = 0; i < g->sched->threads; i++)
        others += g->sched->thread[i] != t && !g->sched->thread[i]->ended;
    if (others > 0) {
        t->ended = true;
        if (t->tid != g->task->pid)
            linux_release_number(g, t->tid);
        linux_signals_update(g);
        return;
    }
    g->process->exited = true;
    g->process->exit_status = g->sched->leader_status;
}

void linux_threads_reduce(struct guest *g)
{
    struct linux_sched *sched = g->sched;
    for (size_t i = 0; i < sched->threads; i++) {
        struct linux_thread *t = sched->thread[i];
        const struct linux_process *p = linux_process_entry(g, t->tid);
        if (t->tid != g->task->pid && p != NULL && p->host == getpid()) /* in the child of a fork it is the parent's */
            linux_release_number(g, t->tid);
        if (t == g->thread)
            continue;
        sched->ended_cycles += linux_thread_cycles(g, t);
        if (t->on != NULL)
            t->on->thread = NULL;
        linux_thread_free(t);
    }
    sched->thread[0] = g->thread;
    sched->threads = 1;
    g->thread->tid = g->task->pid;
    g->thread->clear_tid = g->thread->robust_list = 0;
}

void linux_thread_begin_program(struct guest *g)
{
    g->thread->seen = (struct guest_thread){.number = ++g->sched->started};
}

struct guest_thread guest_running_thread(const struct guest *g)
{
    return g->thread != NULL ? g->thread->seen : (struct guest_thread){0};
}

int64_t sys_gettid(struct guest *g, const uint64_t *a)
{
    (void)a;
    return g->thread->tid;
}

int64_t sys_set_tid_address(struct guest *g, const uint64_t *a)
{
    g->thread->clear_tid = a[0];
    return g->thread->tid;
}

enum { ROBUST_HEAD_BYTES = 24 };

int64_t sys_set_robust_list(struct guest *g, const uint64_t *a)
{
    if (a[1] != ROBUST_HEAD_BYTES)
        return -EINVAL;
    g->thread->robust_list = a[0];
    return 0;
}

int64_t sys_get_robust_list(struct guest *g, const uint64_t *a)
{
    const uint64_t size_bytes = ROBUST_HEAD_BYTES;
    const struct linux_thread *t = (uint32_t)a[0] == 0 ? g->thread : linux_thread_find(g, (uint32_t)a[0]);
    if (t == NULL)
        return -ESRCH;
    if (linux_put(g, a[2], &size_bytes, sizeof size_bytes) != 0)
        return -EFAULT;
    return linux_put(g, a[1], &t->robust_list, sizeof t->robust_list);
}

int64_t sys_exit(struct guest *g, const uint64_t *a)
{
    linux_thread_end(g, (int)(a[0] & 0xff));
    return 0;
}
