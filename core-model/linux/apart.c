/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/apart.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/ending.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/syscall.h"

/* The signal that interrupts a call: ignored by default, and not one that ends a run. */
enum { INTERRUPT = SIGURG, AGAIN_MS = 1, SHORT_MS = 20 };

struct linux_apart {
    struct linux_host_call call;
    pid_t process;    /* that has the thread: the child of a fork has a copy without one */
    pthread_t thread; /* if it is not joined */
    bool is_joined;
    int event; /* readable when the call has ended */
    _Atomic bool done;
    int64_t result;
};

/* An interrupt has no effect but that the host's call ends with EINTR. A signal from elsewhere, which the kernel gives
 * to this thread because the process's first one blocks it, is passed on to the first one. */
static void apart_on_interrupt(int signal, siginfo_t *info, void *context)
{
    const pid_t process = getpid();
    const int why = errno;
    (void)context;
    if ((info->si_code != SI_TKILL || info->si_pid != process) && gettid() != process)
        (void)syscall(SYS_rt_tgsigqueueinfo, process, process, signal, info);
    errno = why;
}

static void *apart_perform(void *argument)
{
    struct linux_apart *p = argument;
    const long *a = p->call.a;
    const uint64_t one = 1;
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, INTERRUPT);
    (void)pthread_sigmask(SIG_UNBLOCK, &interrupt, NULL);
    p->result = linux_result(syscall(p->call.number, a[0], a[1], a[2], a[3], a[4], a[5]));
    p->done = true;
    ssize_t n = write(p->event, &one, sizeof one);
    (void)n; /* an eventfd that is not full */
    return NULL;
}

/* Starts the thread that performs the call. */
static int apart_start(struct linux_apart *p)
{
    static const struct sigaction action = {.sa_sigaction = apart_on_interrupt, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    uint64_t count;
    p->done = false;
    while (read(p->event, &count, sizeof count) > 0)
        continue;
    (void)sigaction(INTERRUPT, &action, NULL); /* without SA_RESTART */
    int why = ending_start_thread(&p->thread, apart_perform, p);
    p->is_joined = why != 0;
    return -why;
}

/* Waits for the end of the call, which is interrupted until it ends: an interrupt before its begin has no effect. */
static void apart_finish(struct linux_apart *p, bool interrupts)
{
    struct pollfd event = {.fd = p->event, .events = POLLIN};
    while (!p->done) {
        if (interrupts)
            (void)pthread_kill(p->thread, INTERRUPT);
        (void)poll(&event, 1, AGAIN_MS);
    }
    if (!p->is_joined)
        (void)pthread_join(p->thread, NULL);
    p->is_joined = true;
}

static struct linux_apart *apart_begin(const struct linux_host_call *c)
{
    struct linux_apart *p = xcalloc(1, sizeof *p);
    *p = (struct linux_apart){.call = *c, .process = getpid(), .is_joined = true, .done = true, .result = -EINTR};
    p->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    p->call.data = xmalloc(c->data_bytes + 1);
    if (c->data_bytes > 0)
        memcpy(p->call.data, c->data, c->data_bytes);
    for (unsigned i = 0; i < APART_ARGS; i++)
        if (c->in_data >> i & 1)
            p->call.a[i] += (long)(intptr_t)p->call.data;
    return p;
}

static void apart_release(struct linux_apart *p)
{
    if (p->event >= 0)
        close(p->event);
    free(p->call.data);
    free(p);
}

void linux_apart_drop(struct linux_apart *p)
{
    if (p == NULL)
        return;
    if (p->process == getpid())
        apart_finish(p, true);
    if (p->call.gives_fd && p->done && p->result >= 0)
        close((int)p->result);
    apart_release(p);
}

void linux_apart_settle(struct guest *g)
{
    for (size_t i = 0; i < g->sched->threads; i++)
        if (g->sched->thread[i]->call.apart != NULL)
            apart_finish(g->sched->thread[i]->call.apart, true);
}

/* Starts a call, and waits for a moment for one that is short: with it, threads take turns as if it never waited. */
static int64_t start_call(struct linux_apart *p)
{
    struct pollfd event = {.fd = p->event, .events = POLLIN};
    if (apart_start(p) != 0)
        return -EAGAIN;
    if (!p->call.is_short || poll(&event, 1, SHORT_MS) <= 0)
        return -LINUX_BLOCK;
    apart_finish(p, false);
    return p->result;
}

int64_t linux_call_apart(struct guest *g, const struct linux_host_call *c)
{
    struct linux_call *call = &g->thread->call;
    const bool interrupted = linux_signals_ready(g);
    if (call->apart == NULL)
        call->apart = apart_begin(c);
    struct linux_apart *p = call->apart;
    if (interrupted || p->done)
        apart_finish(p, true);
    int64_t r = p->event < 0 ? -EMFILE : p->done ? p->result : -LINUX_BLOCK;
    if (r == -EINTR && !interrupted)
        r = start_call(p);
    if (r == -LINUX_BLOCK) {
        struct pollfd event = {.fd = p->event, .events = POLLIN};
        return linux_block(g, &(struct linux_wait){.until_ns = UINT64_MAX, .fds = &event, .count = 1});
    }
    if (c->data_bytes > 0 && c->data_bytes == p->call.data_bytes)
        memcpy(c->data, p->call.data, c->data_bytes);
    call->apart = NULL;
    apart_release(p);
    return r == -EINTR ? -LINUX_RESTART : r;
}
