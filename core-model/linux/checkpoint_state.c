/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a guest in a checkpoint, besides its files and its memory. */
#include <stdlib.h>

#include "core-model/linux/checkpoint_parts.h"
#include "core-model/linux/clock.h"
#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/posix_timer.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

static void move_hart(struct hart *h, struct checkpoint_stream *s)
{
    checkpoint_section(s, "the registers");
    for (unsigned i = 1; i < 64; i++)
        CHECKPOINT_MOVE(s, h->reg[i]);
    CHECKPOINT_MOVE(s, h->pc);
    h->fcsr = (uint32_t)checkpoint_move(s, h->fcsr, 0, 0xff);
    CHECKPOINT_MOVE(s, h->reservation);
    CHECKPOINT_MOVE(s, h->reserved_value);
    CHECKPOINT_MOVE(s, h->fault_addr);
    CHECKPOINT_MOVE(s, h->instret);
    CHECKPOINT_MOVE(s, h->cycle);
    CHECKPOINT_MOVE(s, h->slept_cycles);
}

static void move_guest_image(struct guest_image *image, struct checkpoint_stream *s)
{
    checkpoint_move_text(s, &image->path);
    CHECKPOINT_MOVE(s, image->start);
    CHECKPOINT_MOVE(s, image->end);
    CHECKPOINT_MOVE(s, image->offset);
    if (s->reads && !s->failed && image->path == NULL)
        checkpoint_refuse(s, "expected the path of a library, found none");
}

static void move_images(struct guest_process *p, struct checkpoint_stream *s)
{
    enum { IMAGES_MOST = 1 << 20 };
    const uint64_t count = checkpoint_move(s, p->images, 0, IMAGES_MOST);
    for (uint64_t i = 0; i < count && !s->failed; i++) {
        if (s->reads) {
            p->image = xgrow(p->image, p->images, sizeof *p->image);
            p->image[p->images++] = (struct guest_image){0};
        }
        move_guest_image(&p->image[i], s);
    }
}

static void move_process(struct guest *g, struct checkpoint_stream *s)
{
    struct guest_process *p = g->process;
    checkpoint_section(s, "the process");
    CHECKPOINT_MOVE(s, p->entries);
    CHECKPOINT_MOVE(s, p->programs);
    CHECKPOINT_MOVE(s, p->bias);
    CHECKPOINT_MOVE(s, p->seed);
    move_images(p, s);
    CHECKPOINT_MOVE(s, g->alarm_cycle);
    CHECKPOINT_MOVE(s, g->interruptions);
    CHECKPOINT_MOVE(s, g->turn_start);
    CHECKPOINT_MOVE(s, g->turn_end);
    CHECKPOINT_MOVE(s, g->busy_cycles);
}

static void move_context(struct linux_context *c, struct checkpoint_stream *s)
{
    for (unsigned i = 1; i < 64; i++)
        CHECKPOINT_MOVE(s, c->reg[i]);
    CHECKPOINT_MOVE(s, c->pc);
    c->fcsr = (uint32_t)checkpoint_move(s, c->fcsr, 0, 0xff);
}

/* Of a wait without descriptors of the host. The host's clock is another where the guest goes on. */
static void move_wait(const struct guest *g, struct linux_wait *w, struct checkpoint_stream *s)
{
    CHECKPOINT_MOVE(s, w->until_ns);
    CHECKPOINT_MOVE(s, w->futex);
    CHECKPOINT_MOVE(s, w->bitset);
    CHECKPOINT_MOVE(s, w->woken);
    CHECKPOINT_MOVE(s, w->timer);
    CHECKPOINT_MOVE(s, w->retries);
    CHECKPOINT_MOVE(s, w->uninterruptible);
    CHECKPOINT_MOVE(s, w->signals);
    if (!s->reads)
        return;
    const uint64_t now = linux_clock_ns(g), left = w->until_ns > now ? w->until_ns - now : 0, host = linux_host_ns();
    w->host_until_ns = w->until_ns == UINT64_MAX || left > UINT64_MAX - host ? UINT64_MAX : host + left;
}

static void move_thread(const struct guest *g, struct linux_thread *t, struct checkpoint_stream *s)
{
    t->tid = (uint32_t)checkpoint_move(s, t->tid, LINUX_PID, LINUX_PID + LINUX_PROCESSES_MAX - 1);
    CHECKPOINT_MOVE(s, t->seen.number);
    CHECKPOINT_MOVE(s, t->seen.handlers);
    CHECKPOINT_MOVE(s, t->seen.interrupted_pc);
    move_context(&t->context, s);
    CHECKPOINT_MOVE(s, t->signal_mask);
    CHECKPOINT_MOVE(s, t->saved_mask);
    CHECKPOINT_MOVE(s, t->has_saved_mask);
    pending_move(&t->pending, s);
    for (unsigned i = 0; i < 3; i++)
        CHECKPOINT_MOVE(s, t->altstack[i]);
    checkpoint_move_bytes(s, t->name, sizeof t->name);
    t->name[sizeof t->name - 1] = '\0';
    CHECKPOINT_MOVE(s, t->policy);
    t->priority = (int32_t)checkpoint_move_signed(s, t->priority, INT32_MIN, INT32_MAX);
    CHECKPOINT_MOVE(s, t->affinity);
    CHECKPOINT_MOVE(s, t->clear_tid);
    CHECKPOINT_MOVE(s, t->robust_list);
    CHECKPOINT_MOVE(s, t->cycles);
    CHECKPOINT_MOVE(s, t->call.number);
    for (unsigned i = 0; i < LINUX_CALL_ARGS; i++)
        CHECKPOINT_MOVE(s, t->call.a[i]);
    CHECKPOINT_MOVE(s, t->call.done);
    t->call.row = linux_call_row(t->call.number);
    CHECKPOINT_MOVE(s, t->waits);
    move_wait(g, &t->wait, s);
    CHECKPOINT_MOVE(s, t->tried);
    CHECKPOINT_MOVE(s, t->looked);
    CHECKPOINT_MOVE(s, t->wait_order);
    CHECKPOINT_MOVE(s, t->ended);
}

/* Makes the threads that the checkpoint has, without their state. */
static void make_threads(struct guest *g, uint64_t count)
{
    linux_threads_fini(g);
    for (uint64_t i = 0; i < count; i++) {
        g->sched->thread = xgrow(g->sched->thread, g->sched->threads, sizeof(struct linux_thread *));
        g->sched->thread[g->sched->threads++] = xcalloc(1, sizeof(struct linux_thread));
    }
}

static void check_thread(const struct guest *g, uint64_t n, struct checkpoint_stream *s)
{
    const struct linux_thread *t = g->sched->thread[n];
    for (uint64_t i = 0; i < n; i++)
        if (g->sched->thread[i]->tid == t->tid)
            checkpoint_refuse(s, "found two threads with the number %u", t->tid);
    if (g->thread == t && (t->ended || t->waits))
        checkpoint_refuse(s, "expected a running thread that neither waits nor has ended");
}

static void move_threads(struct guest *g, struct checkpoint_stream *s)
{
    struct linux_sched *sched = g->sched;
    checkpoint_section(s, "the threads");
    CHECKPOINT_MOVE(s, sched->started);
    CHECKPOINT_MOVE(s, sched->turn_random.state);
    CHECKPOINT_MOVE(s, sched->ended_cycles);
    CHECKPOINT_MOVE(s, sched->waits_begun);
    CHECKPOINT_MOVE(s, sched->looks);
    sched->leader_status = (int)checkpoint_move_signed(s, sched->leader_status, INT32_MIN, INT32_MAX);
    const uint64_t count = checkpoint_move(s, sched->threads, 1, LINUX_PROCESSES_MAX);
    uint64_t running = 0;
    while (!s->reads && sched->thread[running] != g->thread)
        running++;
    running = checkpoint_move(s, running, 0, count - 1);
    if (s->reads) {
        make_threads(g, s->failed ? 1 : count);
        g->thread = sched->thread[running];
        g->thread->on = g;
    }
    for (uint64_t i = 0; i < sched->threads && !s->failed; i++) {
        move_thread(g, sched->thread[i], s);
        if (s->reads)
            check_thread(g, i, s);
        if (s->reads && !s->failed)
            linux_restore_tid(g, sched->thread[i]->tid);
    }
}

static void move_signals(struct guest *g, struct checkpoint_stream *s)
{
    struct linux_signals *signals = g->signals;
    checkpoint_section(s, "the signals");
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++) {
        CHECKPOINT_MOVE(s, signals->action[signal].handler);
        CHECKPOINT_MOVE(s, signals->action[signal].flags);
        CHECKPOINT_MOVE(s, signals->action[signal].mask);
    }
    pending_move(&signals->pending, s);
    CHECKPOINT_MOVE(s, signals->children_heard);
}

static void move_clock(struct guest *g, struct checkpoint_stream *s)
{
    struct linux_clock *clock = g->clock;
    checkpoint_section(s, "the clocks");
    CHECKPOINT_MOVE(s, clock->slept_ns);
    for (unsigned i = 0; i < LINUX_TIMERS; i++) {
        CHECKPOINT_MOVE(s, clock->timer[i].deadline_ns);
        CHECKPOINT_MOVE(s, clock->timer[i].interval_ns);
    }
    CHECKPOINT_MOVE(s, clock->start_cycle);
    CHECKPOINT_MOVE(s, clock->start_ns);
    CHECKPOINT_MOVE(s, clock->children_ns);
    linux_posix_timers_move(g, s);
}

static void move_space(struct linux_space *space, struct checkpoint_stream *s)
{
    checkpoint_section(s, "the layout");
    const uint64_t end = UINT64_C(1) << MEM_ADDRESS_BITS;
    space->brk_start = checkpoint_move(s, space->brk_start, 0, end);
    space->brk = checkpoint_move(s, space->brk, space->brk_start, end);
    uint64_t *const address[] = {&space->image_start, &space->stack_start, &space->arg_start, &space->arg_end,
                                 &space->env_start,   &space->env_end,     &space->aux_start, &space->aux_end};
    for (size_t i = 0; i < sizeof address / sizeof address[0]; i++)
        *address[i] = checkpoint_move(s, *address[i], 0, end);
}

static void move_task(struct linux_task *task, struct checkpoint_stream *s)
{
    checkpoint_section(s, "the task");
    CHECKPOINT_MOVE(s, task->random.state);
    task->umask = (uint32_t)checkpoint_move(s, task->umask, 0, 0777);
    CHECKPOINT_MOVE(s, task->personality);
    CHECKPOINT_MOVE(s, task->has_membarrier);
    for (unsigned i = 0; i < LINUX_LIMITS; i++) {
        const uint64_t most = i == LINUX_LIMIT_NOFILE ? LINUX_FD_MAX : UINT64_MAX;
        task->limit[i].now = checkpoint_move(s, task->limit[i].now, 0, most);
        task->limit[i].most = checkpoint_move(s, task->limit[i].most, 0, most);
    }
    CHECKPOINT_MOVE(s, task->options.not_dumpable);
    CHECKPOINT_MOVE(s, task->options.no_new_privileges);
    CHECKPOINT_MOVE(s, task->options.no_huge_pages);
    CHECKPOINT_MOVE(s, task->options.timer_slack_ns);
    task->nice = (int32_t)checkpoint_move_signed(s, task->nice, -20, 19);
    CHECKPOINT_MOVE(s, task->input_priority);
    checkpoint_move_bytes(s, task->warned, sizeof task->warned);
    for (unsigned i = 0; i < LINUX_MISSING_MAX; i++)
        CHECKPOINT_MOVE(s, task->missing[i]);
}

static void move_names(struct linux_names *names, struct checkpoint_stream *s)
{
    checkpoint_section(s, "the program's names");
    if (s->reads) {
        free(names->exe);
        free(names->exe_inside);
        names->exe = names->exe_inside = NULL;
    }
    checkpoint_move_text(s, &names->exe);
    checkpoint_move_text(s, &names->exe_inside);
    if (s->reads && !s->failed && (names->exe == NULL || names->exe_inside == NULL || names->exe[0] != '/'))
        checkpoint_refuse(s, "expected the absolute path of a program");
}

void linux_move_state(struct guest *g, struct checkpoint_stream *s)
{
    move_hart(&g->hart, s);
    move_process(g, s);
    linux_processes_move(g, s);
    move_clock(g, s);
    move_threads(g, s);
    move_signals(g, s);
    move_space(g->space, s);
    move_task(g->task, s);
    move_names(g->names, s);
}
