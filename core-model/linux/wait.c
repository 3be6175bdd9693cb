/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls in which a thread waits. */
#include <stdlib.h>
#include <time.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/syscall.h"

enum { SECOND_NS = 1000000000 };

uint64_t linux_host_ns(void)
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

int64_t linux_wait_again(struct guest *g)
{
    const struct linux_wait *w = linux_waited(g);
    uint64_t until_ns = w != NULL ? w->until_ns : UINT64_MAX;
    return linux_signals_ready(g) ? -LINUX_RESTART
                                  : linux_block(g, &(struct linux_wait){.until_ns = until_ns, .retries = true});
}

int64_t linux_block(struct guest *g, const struct linux_wait *w)
{
    struct linux_thread *t = g->thread;
    uint64_t host_until_ns = t->waits ? t->wait.host_until_ns : UINT64_MAX, now = linux_clock_ns(g);
    struct pollfd *fds = w->count > 0 ? xmalloc(w->count * sizeof *fds) : NULL;
    if (!t->waits && w->until_ns != UINT64_MAX)
        host_until_ns = linux_host_ns() + (w->until_ns > now ? w->until_ns - now : 0);
    if (!t->waits)
        t->wait_order = g->sched->waits_begun++;
    if (fds != NULL)
        memcpy(fds, w->fds, w->count * sizeof *fds);
    free(t->wait.fds);
    t->wait = *w;
    t->wait.fds = fds;
    t->wait.host_until_ns = host_until_ns;
    return -LINUX_BLOCK;
}
