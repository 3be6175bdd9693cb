/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/vfork.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

enum { REG_SP = 2, WINDOW_BYTES = 65536 };

/* In Linux a vfork child shares all memory with its parent; here it shares only the top of the parent's stack, through
 * which posix_spawn reports errors. */
static void find_window(const struct guest *g, struct linux_vfork *v)
{
    enum { OWN = MEM_R | MEM_W | MEM_MAPPED | MEM_PLAIN, KIND = OWN | MEM_X | MEM_SHARED };
    const struct memory *m = &g->hart.mem;
    uint64_t start = g->hart.reg[REG_SP] & ~(uint64_t)(MEM_PAGE_BYTES - 1), end = start;
    while (end - start < WINDOW_BYTES && memory_allows(m, end, 1, MEM_W) &&
           (m->perm[end >> MEM_PAGE_BITS] & KIND) == OWN)
        end += MEM_PAGE_BYTES;
    v->window = start;
    v->window_bytes = end - start;
}

/* The pages keep their contents. Returns whether the host has room for the mapping. */
static bool remap_window(struct guest *g, const struct linux_vfork *v, bool shared)
{
    struct memory *m = &g->hart.mem;
    if (v->window_bytes == 0)
        return true;
    uint8_t *copy = xmalloc(v->window_bytes);
    memcpy(copy, memory_at(m, v->window), v->window_bytes);
    enum status st = shared ? memory_map_file(m, v->window, v->window_bytes, MEM_R | MEM_W | MEM_SHARED, -1, 0)
                            : memory_map(m, v->window, v->window_bytes, MEM_R | MEM_W);
    if (st == ST_OK)
        memcpy(memory_at(m, v->window), copy, v->window_bytes);
    free(copy);
    return st == ST_OK;
}

int64_t linux_vfork_prepare(struct guest *g, struct linux_vfork *v, int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    v->fd = ends[0];
    find_window(g, v);
    if (remap_window(g, v, true))
        return 0;
    close(ends[0]);
    close(ends[1]);
    return -ENOMEM;
}

void linux_vfork_hold(struct guest *g, const struct linux_vfork *v, const int ends[2])
{
    g->space->shared_stack = v->window;
    g->space->shared_stack_bytes = v->window_bytes;
    close(ends[0]);
    g->task->vfork_fd = ends[1];
}

void linux_vfork_leave(struct guest *g)
{
    if (g->task->vfork_fd >= 0)
        close(g->task->vfork_fd);
    g->task->vfork_fd = -1;
    g->space->shared_stack_bytes = 0;
}

void *linux_vfork_copy(const struct guest *g)
{
    const size_t bytes = g->space->shared_stack_bytes;
    void *copy = bytes > 0 ? xmalloc(bytes) : NULL;
    if (copy != NULL && !memory_read(&g->hart.mem, g->space->shared_stack, copy, bytes))
        BUG("the shared stack is not mapped");
    return copy;
}

void linux_vfork_separate(struct guest *g, const void *copy)
{
    const uint64_t start = g->space->shared_stack, bytes = g->space->shared_stack_bytes;
    if (copy != NULL && memory_map(&g->hart.mem, start, bytes, MEM_R | MEM_W) == ST_OK)
        memcpy(memory_at(&g->hart.mem, start), copy, bytes);
}

void linux_vfork_undo(struct guest *g, const struct linux_vfork *v, const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
    (void)remap_window(g, v, false); /* without room it remains shared */
}

int64_t linux_vfork_wait(struct guest *g)
{
    struct linux_vfork *v = &g->thread->call.vfork;
    struct pollfd end = {.fd = v->fd, .events = POLLIN};
    linux_signals_collect(g);
    if (poll(&end, 1, 0) <= 0)
        return linux_block(
            g, &(struct linux_wait){.until_ns = UINT64_MAX, .fds = &end, .count = 1, .uninterruptible = true});
    const uint32_t pid = v->pid;
    close(v->fd);
    (void)remap_window(g, v, false);
    *v = (struct linux_vfork){0};
    return pid;
}
