/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scheduling: threads take turns on the harts, in the order of their start. A turn ends when the thread blocks, or
 * after a quantum of cycles drawn from the seed, so the same threads run in the same order on every machine. A hart
 * that finds no thread to run is idle until another hart's kernel entry or a time-out lets one run. Events of the host,
 * such as data in a pipe, are looked for at the end of a turn and when all threads are blocked. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/ending.h"
#include "core-model/linux/clock.h"
#include "core-model/linux/proc_facts.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"
#include "core-model/linux/tracing.h"

enum {
    SECOND_NS = 1000000000,
    RETRY_NS = 1000000, /* between attempts of calls for whose events the host has no sign */
    MOMENT_NS = 10000000,
    REAPED_NS = 20000000, /* between looks for children whose end raises no signal */
};

/* Whether only a look at the host tells that the thread can go on. */
static bool waits_for_host(const struct linux_thread *t)
{
    return t->waits && (t->wait.count > 0 || t->wait.child || t->wait.retries || t->wait.signals != 0);
}

/* Whether the thread's events may have happened since it last looked at the host. */
static bool has_to_look(const struct guest *g, const struct linux_thread *t)
{
    return waits_for_host(t) && t->looked != g->sched->looks;
}

static bool can_go_on(const struct guest *g, const struct linux_thread *t)
{
    return !t->waits || t->wait.woken || t->wait.until_ns <= linux_clock_ns(g) ||
           (!t->wait.uninterruptible && linux_thread_interrupted(g, t));
}

static uint64_t draw_turn(struct linux_sched *sched)
{
    return sched->quantum / 2 + random_below(&sched->turn_random, (unsigned)sched->quantum) + 1;
}

/* Takes the running thread off the hart, which is idle then. */
static void take_off(struct guest *g)
{
    const struct hart *h = &g->hart;
    struct linux_thread *from = g->thread;
    from->cycles = linux_thread_cycles(g, from);
    g->busy_cycles += h->cycle - g->turn_start;
    memcpy(from->context.reg, h->reg, sizeof from->context.reg);
    from->context.pc = h->pc;
    from->context.fcsr = h->fcsr;
    from->on = NULL;
    g->thread = NULL;
}

static void switch_to(struct guest *g, struct linux_thread *t)
{
    struct hart *h = &g->hart;
    if (t == g->thread)
        return;
    if (g->thread != NULL)
        take_off(g);
    memcpy(h->reg, t->context.reg, sizeof t->context.reg);
    h->pc = t->context.pc;
    h->fcsr = t->context.fcsr;
    h->reservation = UINT64_MAX;
    g->thread = t;
    t->on = g;
    g->turn_start = h->cycle;
}

/* Frees the threads that have ended, except running ones. */
static void bury(struct guest *g)
{
    struct linux_sched *sched = g->sched;
    size_t kept = 0;
    for (size_t i = 0; i < sched->threads; i++) {
        struct linux_thread *t = sched->thread[i];
        if (!t->ended || t->on != NULL) {
            sched->thread[kept++] = t;
            continue;
        }
        sched->ended_cycles += t->cycles;
        linux_thread_free(t);
    }
    sched->threads = kept;
}

/* Lets the thread run if it can: a blocked one performs its call again. */
static bool sched_run(struct guest *g, struct linux_thread *t)
{
    switch_to(g, t);
    t->tried = g->hart.cycle;
    t->looked = g->sched->looks;
    if (t->waits)
        linux_perform(g);
    return !t->waits && !t->ended;
}

/* Index of the thread, or of the last one. */
static size_t index_of(const struct guest *g, const struct linux_thread *t)
{
    size_t i = 0;
    while (i + 1 < g->sched->threads && g->sched->thread[i] != t)
        i++;
    return i;
}

/* Runs the first thread after the present one that can run here and runs on no other hart, or else the present one. */
static bool run_next(struct guest *g, bool asks_host)
{
    size_t n = g->sched->threads, from = index_of(g, g->thread);
    for (size_t k = 1; k <= n; k++) {
        struct linux_thread *t = g->sched->thread[(from + k) % n];
        if ((t->on != NULL && t->on != g) || !linux_may_run_on(g, t))
            continue;
        bool looks = asks_host || g->hart.cycle - t->tried >= g->sched->quantum; /* turns may end early for ever */
        if (!t->ended && (can_go_on(g, t) || (looks && waits_for_host(t))) && (sched_run(g, t) || g->process->exited))
            return true;
    }
    return false;
}

/* Every thread waits, and nothing can wake one. */
static void end_for_ever(struct guest *g)
{
    fprintf(stderr, "error: %s for ever (futex at 0x%llx): ended\n",
            linux_has_threads(g) ? "all threads wait" : "the only thread waits",
            (unsigned long long)g->thread->wait.futex);
    linux_end_by(g, LINUX_SIGKILL);
}

struct sched_idle {
    uint64_t until_ns, host_until_ns; /* of the thread that times out first */
    struct pollfd *fds;
    size_t count;
    bool needs_host, retries, only_futexes;
};

static struct sched_idle look_at_waits(const struct guest *g)
{
    struct sched_idle all = {.until_ns = UINT64_MAX, .host_until_ns = UINT64_MAX, .only_futexes = true};
    all.needs_host = g->task->is_child || g->task->has_children;
    for (size_t i = 0; i < g->sched->threads; i++) {
        const struct linux_thread *t = g->sched->thread[i];
        if (!t->waits || t->ended)
            continue;
        all.needs_host = all.needs_host || waits_for_host(t);
        all.retries = all.retries || t->wait.retries;
        all.only_futexes = all.only_futexes && t->wait.futex != 0 && t->wait.until_ns == UINT64_MAX && !t->wait.retries;
        if (t->wait.until_ns < all.until_ns)
            all.until_ns = t->wait.until_ns, all.host_until_ns = t->wait.host_until_ns;
        all.fds = xrealloc(all.fds, (all.count + t->wait.count + 1) * sizeof *all.fds);
        for (size_t k = 0; k < t->wait.count; k++)
            all.fds[all.count++] = t->wait.fds[k];
    }
    return all;
}

/* ppoll, unless the run is to stop or a signal is kept. Signals are blocked in between, so that none comes unnoticed
 * before the wait. */
static int sched_poll_host(const struct guest *g, struct pollfd *fds, size_t count, const struct timespec *timeout)
{
    const ending_set before = ending_block(UINT64_MAX);
    sigset_t mask; /* with the C library's own signals, which sigprocmask would leave out */
    memcpy(&mask, &before, sizeof before);
    bool waits = g->sched->hart[0]->hart.stop != HART_STOP && !linux_signals_kept();
    int n = waits ? ppoll(fds, count, timeout, &mask) : -1;
    (void)ending_block(before);
    return n;
}

/* Polls with a time-out; UINT64_MAX: none. A process that waits longer than a moment shows others what it is
 * then. */
static int poll_for(struct guest *g, struct pollfd *fds, size_t count, uint64_t ns)
{
    const struct timespec moment = {.tv_nsec = MOMENT_NS}, t = {(time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS)};
    bool is_shown = ns > MOMENT_NS && (g->task->is_child || g->task->has_children);
    int n = is_shown ? sched_poll_host(g, fds, count, &moment) : 0;
    if (n != 0)
        return n;
    if (is_shown)
        linux_publish(g);
    return sched_poll_host(g, fds, count, ns == UINT64_MAX ? NULL : &t);
}

/* Waits on the host for descriptors, signals, or the time of a time-out. */
static void wait_on_host(struct guest *g, struct sched_idle *all, uint64_t timer_ns)
{
    uint64_t now = linux_host_ns(), until = all->host_until_ns > now ? all->host_until_ns - now : 0, wait_ns = timer_ns;
    if (all->until_ns != UINT64_MAX && until < wait_ns)
        wait_ns = until;
    uint64_t look_ns = all->retries ? RETRY_NS : linux_children_vanish(g) ? REAPED_NS : UINT64_MAX;
    int extra = linux_signals_fd(g);
    all->fds = xrealloc(all->fds, (all->count + 1) * sizeof *all->fds);
    all->fds[all->count] = (struct pollfd){.fd = extra, .events = POLLIN};
    uint64_t ns = wait_ns < look_ns ? wait_ns : look_ns;
    int n = poll_for(g, all->fds, all->count + (extra >= 0), ns);
    if (n != 0)
        return;
    if (ns != wait_ns) {
        linux_sleep(g, timer_ns != UINT64_MAX ? ns : 0); /* a timer follows the clock alone */
        return;
    }
    if (ns == timer_ns)
        linux_sleep(g, timer_ns);
    else if (all->until_ns > linux_clock_ns(g))
        linux_sleep(g, all->until_ns - linux_clock_ns(g));
}

/* All threads are blocked. Where only time must pass, the guest's clock is advanced. */
static void idle(struct guest *g)
{
    struct sched_idle all = look_at_waits(g);
    uint64_t now = linux_clock_ns(g), timer_ns = linux_timers_next(g);
    uint64_t until = all.until_ns == UINT64_MAX ? UINT64_MAX : all.until_ns > now ? all.until_ns - now : 0;
    uint64_t next = timer_ns < until ? timer_ns : until;
    if (!all.needs_host && next != UINT64_MAX)
        linux_sleep(g, next);
    else if (all.only_futexes && !g->task->is_child && !g->task->has_children && !linux_signals_caught(g))
        end_for_ever(g);
    else
        wait_on_host(g, &all, timer_ns);
    free(all.fds);
    linux_signals_collect(g);
}

/* The simulation is to stop while all threads wait: the running one, or the first if that has ended, repeats its call
 * when it goes on. */
static void interrupt_wait(struct guest *g)
{
    enum { ECALL_BYTES = 4 };
    for (size_t i = 0; g->thread->ended; i++)
        if (!g->sched->thread[i]->ended)
            switch_to(g, g->sched->thread[i]);
    g->thread->waits = false;
    g->hart.pc -= ECALL_BYTES;
}

/* The next cycle at which something must happen on hart `of` without a system call there; `g` is the caller's. */
static uint64_t next_alarm(const struct guest *g, const struct guest *of, bool all_idle)
{
    const struct linux_sched *sched = g->sched;
    uint64_t now = linux_clock_ns(g), left = linux_timers_next(g), alarm = UINT64_MAX, cycle = g->hart.cycle;
    uint64_t turn = guest_is_idle(of) ? cycle : of->turn_end, look = guest_is_idle(of) ? cycle + sched->quantum : turn;
    const struct linux_thread *runs = of->thread;
    if (runs != NULL && ((of != g && linux_thread_interrupted(g, runs)) || !linux_may_run_on(of, runs)))
        return cycle;
    for (size_t i = 0; (sched->threads > 1 || sched->harts > 1) && i < sched->threads; i++) {
        const struct linux_thread *t = sched->thread[i];
        if (t->on != NULL || !linux_may_run_on(of, t))
            continue;
        if (can_go_on(g, t))
            alarm = turn;
        else if (waits_for_host(t))
            alarm = all_idle && has_to_look(g, t) ? cycle : look < alarm ? look : alarm;
        else if (t->wait.until_ns != UINT64_MAX && t->wait.until_ns - now < left)
            left = t->wait.until_ns - now;
    }
    uint64_t end = left != UINT64_MAX ? cycle + linux_ns_cycles(g, left) + 1 : UINT64_MAX;
    return end < alarm ? end : alarm;
}

static bool runs_elsewhere(const struct guest *g)
{
    for (unsigned n = 0; n < g->sched->harts; n++)
        if (g->sched->hart[n] != g && !guest_is_idle(g->sched->hart[n]))
            return true;
    return false;
}

static void set_alarms(struct guest *g)
{
    bool all_idle = guest_is_idle(g) && !runs_elsewhere(g);
    g->process->entries++;
    for (unsigned n = 0; n < g->sched->harts; n++)
        g->sched->hart[n]->alarm_cycle = g->process->exited ? UINT64_MAX : next_alarm(g, g->sched->hart[n], all_idle);
}

/* Whether a thread that may not run on this hart can go on, or has to look at the host. */
static bool others_have_work(const struct guest *g)
{
    for (size_t i = 0; i < g->sched->threads; i++) {
        const struct linux_thread *t = g->sched->thread[i];
        if (!t->ended && !linux_may_run_on(g, t) && (can_go_on(g, t) || has_to_look(g, t)))
            return true;
    }
    return false;
}

/* The kernel acts for a thread: on an idle hart, where all threads wait, for any of them. */
static void adopt_thread(struct guest *g)
{
    for (size_t i = 0; g->thread == NULL; i++)
        if (!g->sched->thread[i]->ended)
            switch_to(g, g->sched->thread[i]);
}

/* All threads that may run here wait, and no other hart runs one. Waits until one goes on, which then runs, or until
 * one that is bound to other harts may go on: then this hart is to be idle, and the result false. */
static bool wait_for_thread(struct guest *g)
{
    for (;;) {
        const uint64_t heard = g->signals->children_heard;
        if (run_next(g, true) || g->process->exited)
            return true;
        if (others_have_work(g))
            return false;
        if (g->signals->children_heard != heard) /* by one wait, after another one has asked: it would not end idle() */
            continue;
        adopt_thread(g);
        if (g->sched->hart[0]->hart.stop == HART_STOP) {
            interrupt_wait(g);
            return true;
        }
        idle(g);
        g->sched->looks++;
    }
}

static void choose_thread(struct guest *g)
{
    struct linux_thread *t = g->thread;
    bool can_run = t != NULL && !t->waits && !t->ended, over = g->sched->threads > 1 && g->hart.cycle >= g->turn_end;
    bool may_stay = t != NULL && linux_may_run_on(g, t);
    if (g->process->exited || (can_run && may_stay && !over))
        return;
    g->sched->looks += t != NULL;
    if (can_run)
        linux_deliver(g); /* otherwise another thread could take the signal that has interrupted its call */
    bool found = run_next(g, over || t == NULL);
    if (!found && !g->process->exited)
        found = !runs_elsewhere(g) && wait_for_thread(g);
    if (!found && !g->process->exited) {
        if (g->thread != NULL)
            take_off(g);
    } else if (g->sched->threads > 1) {
        g->turn_end = g->hart.cycle + draw_turn(g->sched);
    }
    bury(g);
}

void linux_schedule(struct guest *g)
{
    choose_thread(g);
    if (!g->process->exited && g->thread != NULL)
        linux_deliver(g);
    set_alarms(g);
}

void guest_alarm(struct guest *g)
{
    g->interruptions++;
    linux_signals_collect(g);
    linux_schedule(g);
}

void guest_prefer_thread(struct guest *g, uint32_t tid)
{
    struct linux_thread *t = linux_thread_find(g, tid);
    if (t == NULL || t->on != NULL || t->waits || !linux_may_run_on(g, t))
        return;
    switch_to(g, t);
    g->turn_end = g->hart.cycle + draw_turn(g->sched);
    set_alarms(g);
}

/* Ends the thread's turn. */
int64_t sys_sched_yield(struct guest *g, const uint64_t *a)
{
    (void)a;
    g->turn_end = g->hart.cycle;
    return 0;
}
