/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scheduling: threads take turns on the hart, in the order of their start. A turn ends when the thread blocks, or after
 * a quantum of cycles drawn from the seed, so the same threads run in the same order on every machine. Events of the
 * host, such as data in a pipe, are looked for at the end of a turn and when all threads are blocked. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core-model/linux/linux.h"

enum {
    SECOND_NS = 1000000000,
    RETRY_NS = 1000000,   /* between attempts of calls for whose events the host has no sign */
    REAPED_NS = 20000000, /* between looks for children whose end raises no signal */
};

static uint64_t host_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

const struct linux_wait *linux_waited(const struct guest *g) { return g->thread->waits ? &g->thread->wait : NULL; }

uint64_t linux_deadline(const struct guest *g, uint64_t timeout_ns)
{
    const struct linux_wait *w = linux_waited(g);
    uint64_t now = linux_clock_ns(g);
    if (w != NULL)
        return w->until_ns;
    return timeout_ns > UINT64_MAX - 1 - now ? UINT64_MAX : now + timeout_ns;
}

int64_t linux_block(struct guest *g, const struct linux_wait *w)
{
    struct linux_thread *t = g->thread;
    uint64_t host_until_ns = t->waits ? t->wait.host_until_ns : UINT64_MAX, now = linux_clock_ns(g);
    struct pollfd *fds = w->count > 0 ? xmalloc(w->count * sizeof *fds) : NULL;
    if (!t->waits && w->until_ns != UINT64_MAX)
        host_until_ns = host_ns() + (w->until_ns > now ? w->until_ns - now : 0);
    if (!t->waits)
        t->wait_order = g->os->waits_begun++;
    if (fds != NULL)
        memcpy(fds, w->fds, w->count * sizeof *fds);
    free(t->wait.fds);
    t->wait = *w;
    t->wait.fds = fds;
    t->wait.host_until_ns = host_until_ns;
    return -LINUX_BLOCK;
}

/* Whether only a look at the host tells that the thread can go on. */
static bool waits_for_host(const struct linux_thread *t)
{
    return t->waits && (t->wait.count > 0 || t->wait.child || t->wait.retries || t->wait.signals != 0);
}

static bool can_go_on(const struct guest *g, const struct linux_thread *t)
{
    return !t->waits || t->wait.woken || t->wait.until_ns <= linux_clock_ns(g) || linux_thread_interrupted(g, t);
}

static uint64_t draw_turn(struct linux_state *os)
{
    return os->quantum / 2 + random_below(&os->turn_random, (unsigned)os->quantum) + 1;
}

static void switch_to(struct guest *g, struct linux_thread *t)
{
    struct hart *h = &g->hart;
    struct linux_thread *from = g->thread;
    if (t == from)
        return;
    from->cycles = linux_thread_cycles(g);
    memcpy(from->context.reg, h->reg, sizeof from->context.reg);
    from->context.pc = h->pc;
    from->context.fcsr = h->fcsr;
    memcpy(h->reg, t->context.reg, sizeof t->context.reg);
    h->pc = t->context.pc;
    h->fcsr = t->context.fcsr;
    h->reservation = UINT64_MAX;
    g->thread = t;
    g->os->turn_start = h->cycle;
}

/* Frees the threads that have ended, except the running one. */
static void bury(struct guest *g)
{
    struct linux_state *os = g->os;
    size_t kept = 0;
    for (size_t i = 0; i < os->threads; i++) {
        if (os->thread[i]->ended && os->thread[i] != g->thread)
            linux_thread_free(os->thread[i]);
        else
            os->thread[kept++] = os->thread[i];
    }
    os->threads = kept;
}

/* Lets the thread run if it can: a blocked one performs its call again. */
static bool run(struct guest *g, struct linux_thread *t)
{
    switch_to(g, t);
    t->tried = g->hart.cycle;
    if (t->waits)
        linux_perform(g);
    return !t->waits && !t->ended;
}

static size_t index_of(const struct guest *g, const struct linux_thread *t)
{
    size_t i = 0;
    while (g->os->thread[i] != t)
        i++;
    return i;
}

/* Runs the first thread after the present one that can run, or else the present one. */
static bool run_next(struct guest *g, bool asks_host)
{
    size_t n = g->os->threads, from = index_of(g, g->thread);
    for (size_t k = 1; k <= n; k++) {
        struct linux_thread *t = g->os->thread[(from + k) % n];
        bool looks = asks_host || g->hart.cycle - t->tried >= g->os->quantum; /* turns may end early for ever */
        if (!t->ended && (can_go_on(g, t) || (looks && waits_for_host(t))) && (run(g, t) || g->exited))
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

struct idle {
    uint64_t until_ns, host_until_ns; /* of the thread that times out first */
    struct pollfd *fds;
    size_t count;
    bool needs_host, retries, only_futexes;
};

static struct idle look_at_waits(const struct guest *g)
{
    const struct linux_state *os = g->os;
    struct idle all = {.until_ns = UINT64_MAX, .host_until_ns = UINT64_MAX, .only_futexes = true};
    all.needs_host = os->is_child || os->has_children;
    for (size_t i = 0; i < os->threads; i++) {
        const struct linux_thread *t = os->thread[i];
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

/* Waits on the host for descriptors, signals, or the time of a time-out. */
static void wait_on_host(struct guest *g, struct idle *all, uint64_t timer_ns)
{
    uint64_t now = host_ns(), until = all->host_until_ns > now ? all->host_until_ns - now : 0, wait_ns = timer_ns;
    if (all->until_ns != UINT64_MAX && until < wait_ns)
        wait_ns = until;
    uint64_t look_ns = all->retries ? RETRY_NS : linux_children_vanish(g) ? REAPED_NS : UINT64_MAX;
    int extra = linux_signals_fd(g);
    all->fds = xrealloc(all->fds, (all->count + 1) * sizeof *all->fds);
    all->fds[all->count] = (struct pollfd){.fd = extra, .events = POLLIN};
    uint64_t ns = wait_ns < look_ns ? wait_ns : look_ns;
    const struct timespec t = {.tv_sec = (time_t)(ns / SECOND_NS), .tv_nsec = (long)(ns % SECOND_NS)};
    int n = ppoll(all->fds, all->count + (extra >= 0), ns == UINT64_MAX ? NULL : &t, NULL);
    if (n != 0)
        return;
    if (ns != wait_ns) {
        g->os->slept_ns += timer_ns != UINT64_MAX ? ns : 0; /* a timer follows the clock alone */
        return;
    }
    if (ns == timer_ns)
        g->os->slept_ns += timer_ns;
    else if (all->until_ns > linux_clock_ns(g))
        g->os->slept_ns += all->until_ns - linux_clock_ns(g);
}

/* All threads are blocked. Where only time must pass, the guest's clock is advanced. */
static void idle(struct guest *g)
{
    struct idle all = look_at_waits(g);
    uint64_t now = linux_clock_ns(g), timer_ns = linux_timers_next(g);
    uint64_t until = all.until_ns == UINT64_MAX ? UINT64_MAX : all.until_ns > now ? all.until_ns - now : 0;
    uint64_t next = timer_ns < until ? timer_ns : until;
    if (!all.needs_host && next != UINT64_MAX)
        g->os->slept_ns += next;
    else if (all.only_futexes && !g->os->is_child && !g->os->has_children && !linux_signals_caught(g))
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
        if (!g->os->thread[i]->ended)
            switch_to(g, g->os->thread[i]);
    g->thread->waits = false;
    g->hart.pc -= ECALL_BYTES;
}

/* The next cycle at which something must happen without a system call. */
static uint64_t next_alarm(const struct guest *g)
{
    const struct linux_state *os = g->os;
    uint64_t now = linux_clock_ns(g), left = linux_timers_next(g), alarm = UINT64_MAX;
    for (size_t i = 0; os->threads > 1 && i < os->threads; i++) {
        const struct linux_thread *t = os->thread[i];
        if (t != g->thread && (can_go_on(g, t) || waits_for_host(t)))
            alarm = os->turn_end;
        else if (t != g->thread && t->wait.until_ns != UINT64_MAX && t->wait.until_ns - now < left)
            left = t->wait.until_ns - now;
    }
    uint64_t cycle = left != UINT64_MAX ? g->hart.cycle + linux_ns_cycles(g, left) + 1 : UINT64_MAX;
    return cycle < alarm ? cycle : alarm;
}

static void choose_thread(struct guest *g)
{
    bool over = g->os->threads > 1 && g->hart.cycle >= g->os->turn_end;
    if (g->exited || (!g->thread->waits && !g->thread->ended && !over))
        return;
    if (!g->thread->waits && !g->thread->ended)
        linux_deliver(g); /* otherwise another thread could take the signal that has interrupted its call */
    bool found = run_next(g, over);
    while (!found && !g->exited) {
        found = run_next(g, true);
        if (!found && !g->exited && g->hart.stop) {
            interrupt_wait(g);
            found = true;
        } else if (!found && !g->exited) {
            idle(g);
        }
    }
    if (g->os->threads > 1)
        g->os->turn_end = g->hart.cycle + draw_turn(g->os);
    bury(g);
}

void linux_schedule(struct guest *g)
{
    choose_thread(g);
    if (!g->exited)
        linux_deliver(g);
    g->alarm_cycle = g->exited ? UINT64_MAX : next_alarm(g);
}

void guest_alarm(struct guest *g)
{
    g->interruptions++;
    linux_signals_collect(g);
    linux_schedule(g);
}

/* Ends the thread's turn. */
int64_t sys_sched_yield(struct guest *g, const uint64_t *a)
{
    (void)a;
    g->os->turn_end = g->hart.cycle;
    return 0;
}
