/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts that this process shows of itself in /proc. Source: proc_pid_stat(5), proc_pid_status(5). */
#include "core-model/linux/proc_facts.h"

#include <stdatomic.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/path.h"
#include "core-model/linux/proc_maps.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

/* Signals that are ignored, or that have a handler. */
static uint64_t actions(const struct guest *g, bool caught)
{
    uint64_t set = 0;
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++) {
        const uint64_t handler = g->signals->action[signal].handler;
        set |= (caught ? handler > SIG_IGNORED : handler == SIG_IGNORED) ? linux_signal_bit(signal) : 0;
    }
    return set;
}

void linux_fill_facts(struct guest *g, const struct linux_thread *t, bool is_thread, struct linux_facts *facts)
{
    const struct linux_space *space = g->space;
    const struct linux_task *task = g->task;
    const struct linux_process *p = linux_process_entry(g, task->pid);
    *facts = (struct linux_facts){
        .pid = task->pid,
        .number = is_thread ? t->tid : task->pid,
        .parent = (uint32_t)sys_getppid(g, NULL),
        .group = p->group,
        .session = p->session,
        .threads = (uint32_t)linux_thread_count(g),
        .state = t->waits ? 'S' : 'R',
        .no_new_privileges = task->options.no_new_privileges,
        .umask = task->umask,
        .personality = task->personality,
        .policy = t->policy,
        .processor = linux_processor(g, t),
        .priority = t->priority,
        .nice = task->nice,
        .start_ns = g->clock->start_ns,
        .cpu_ns = is_thread ? linux_thread_cpu_ns(g, t) : linux_cpu_ns(g),
        .children_ns = g->clock->children_ns,
        .affinity = linux_affinity(g, t),
        .sizes = linux_memory_sizes(g),
        .image_start = space->image_start,
        .brk_start = space->brk_start,
        .stack_start = space->stack_start,
        .arg_start = space->arg_start,
        .arg_end = space->arg_end,
        .env_end = space->env_end,
        .pending = t->pending.set,
        .shared_pending = g->signals->pending.set,
        .blocked = t->signal_mask,
        .ignored = actions(g, false),
        .caught = actions(g, true),
        .queued = g->signals->pending.count + t->pending.count,
    };
    memcpy(facts->name, t->name, sizeof facts->name);
    memcpy(facts->limit, task->limit, sizeof facts->limit);
}

/* The end of the arguments. The program may have overwritten them: without an end in their place, they go on in the
 * environment's. */
static uint64_t arguments_end(struct guest *g)
{
    uint64_t end = g->space->arg_end;
    char byte = '\0';
    (void)linux_get(g, end - 1, &byte, 1);
    while (byte != '\0' && end < g->space->env_end && linux_get(g, end, &byte, 1) == 0)
        end++;
    return end;
}

static size_t copy_memory(const struct guest *g, uint64_t start, uint64_t end, char *to, size_t room)
{
    size_t size_bytes = end > start ? end - start : 0;
    size_bytes = size_bytes < room ? size_bytes : room;
    bool is_readable = size_bytes > 0 && memory_allows_slow(&g->hart.mem, start, size_bytes, MEM_R) &&
                       memory_read(&g->hart.mem, start, to, size_bytes);
    return is_readable ? size_bytes : 0;
}

static size_t copy_name(const char *name, char *to, size_t room)
{
    size_t size_bytes = strlen(name) < room ? strlen(name) : room;
    memcpy(to, name, size_bytes);
    return size_bytes;
}

size_t linux_fill_text(struct guest *g, enum linux_text text, char *to, size_t room)
{
    const struct linux_space *space = g->space;
    switch (text) {
    case TEXT_EXE:
        return copy_name(g->names->exe, to, room);
    case TEXT_EXE_INSIDE:
        return copy_name(g->names->exe_inside, to, room);
    case TEXT_COMMAND_LINE:
        return copy_memory(g, space->arg_start, arguments_end(g), to, room);
    case TEXT_AUXILIARY:
        return copy_memory(g, space->aux_start, space->aux_end, to, room);
    case TEXT_ENVIRONMENT:
        return copy_memory(g, space->env_start, space->env_end, to, room);
    case LINUX_TEXTS:
        break;
    }
    BUG("text %d", (int)text);
}

void linux_publish(struct guest *g)
{
    struct linux_process *p = linux_process_entry(g, g->task->pid);
    if (p == NULL || (!g->task->is_child && !g->task->has_children))
        return;
    struct linux_texts *texts = g->task->texts != NULL ? &g->task->texts[g->task->pid - LINUX_PID] : NULL;
    atomic_fetch_add(&p->version, 1);
    linux_fill_facts(g, linux_thread_leader(g), false, &p->facts);
    size_t used = 0;
    for (int i = 0; texts != NULL && i < LINUX_TEXTS; i++) {
        texts->size_bytes[i] = (uint32_t)linux_fill_text(g, (enum linux_text)i, texts->data + used,
                                                         sizeof texts->data - used);
        used += texts->size_bytes[i];
    }
    atomic_fetch_add(&p->version, 1);
}
