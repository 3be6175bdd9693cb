/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/tracing.h"

#include <stdlib.h>

#include "base/file.h"
#include "core-model/linux/path.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/task.h"

void guest_set_tracer(struct guest *g, const struct guest_tracer *tracer) { g->process->tracer = tracer; }

bool linux_withholds(struct guest *g, enum guest_stop stop, int signal)
{
    const struct guest_tracer *tracer = g->process->tracer;
    return tracer != NULL && tracer->withholds(tracer->ctx, g, stop, signal);
}

/* ---- threads ---- */

size_t guest_list_threads(const struct guest *g, uint32_t *tid, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < g->sched->threads; i++) {
        if (g->sched->thread[i]->ended)
            continue;
        if (n < most)
            tid[n] = g->sched->thread[i]->tid;
        n++;
    }
    return n;
}

uint32_t guest_thread_on(const struct guest *g, unsigned n)
{
    const struct linux_thread *t = n < g->sched->harts ? g->sched->hart[n]->thread : NULL;
    return t != NULL ? t->tid : 0;
}

const char *guest_thread_name(const struct guest *g, uint32_t tid)
{
    const struct linux_thread *t = linux_thread_find(g, tid);
    return t != NULL ? t->name : NULL;
}

bool guest_find_registers(const struct guest *g, uint32_t tid, struct guest_registers *r)
{
    struct linux_thread *t = linux_thread_find(g, tid);
    if (t == NULL)
        return false;
    struct hart *h = t->on != NULL ? &t->on->hart : NULL;
    *r = h != NULL ? (struct guest_registers){h->reg, &h->pc, &h->fcsr}
                   : (struct guest_registers){t->context.reg, &t->context.pc, &t->context.fcsr};
    return true;
}

void guest_drop_signal(struct guest *g, uint32_t tid, int signal)
{
    struct linux_thread *t = linux_thread_find(g, tid);
    struct linux_siginfo info;
    if (t == NULL || pending_take(&t->pending, linux_signal_bit(signal), &info) == 0)
        (void)pending_take(&g->signals->pending, linux_signal_bit(signal), &info);
}

void guest_send_signal(struct guest *g, uint32_t tid, int signal)
{
    struct linux_thread *t = linux_thread_find(g, tid);
    const struct linux_siginfo info = {.signal = signal, .code = CODE_TKILL, .word = {g->task->pid}};
    if (t != NULL && signal > 0 && signal <= LINUX_SIGNAL_MAX)
        (void)linux_send(g, t, &info);
}

void guest_expect_signals(struct guest *g) { g->alarm_cycle = 0; }

/* ---- memory ---- */

/* The part of a range that is in the page of its start. */
static size_t in_first_page(uint64_t address, size_t size_bytes)
{
    const size_t left = MEM_PAGE_BYTES - (address & (MEM_PAGE_BYTES - 1));
    return left < size_bytes ? left : size_bytes;
}

static bool is_mapped(const struct guest *g, uint64_t address)
{
    return address >> MEM_ADDRESS_BITS == 0 && memory_allows(&g->hart.mem, address, 1, MEM_MAPPED);
}

size_t guest_read_bytes(const struct guest *g, uint64_t address, void *to, size_t size_bytes)
{
    size_t done = 0, part;
    for (; done < size_bytes && is_mapped(g, address + done); done += part) {
        part = in_first_page(address + done, size_bytes - done);
        if (!memory_allows(&g->hart.mem, address + done, 1, MEM_R) ||
            !memory_read(&g->hart.mem, address + done, (char *)to + done, part))
            break;
    }
    return done;
}

size_t guest_write_bytes(struct guest *g, uint64_t address, const void *from, size_t size_bytes)
{
    size_t done = 0, part;
    for (; done < size_bytes && is_mapped(g, address + done); done += part) {
        part = in_first_page(address + done, size_bytes - done);
        if (!memory_allows(&g->hart.mem, address + done, 1, MEM_R) ||
            !memory_write(&g->hart.mem, address + done, (const char *)from + done, part))
            break;
    }
    if (done != 0)
        linux_discard_code(g, address, done);
    return done;
}

struct guest_range guest_auxiliary_vector(const struct guest *g)
{
    return (struct guest_range){g->space->aux_start, g->space->aux_end};
}

/* ---- files ---- */

/* The file in the sysroot; NULL: there is none, or a link leads out of it. */
static char *find_in_sysroot(const struct linux_names *names, const char *name)
{
    if (names->sysroot == NULL)
        return NULL;
    char *path = xasprintf("%s/%s", names->sysroot, name), *real = realpath(path, NULL);
    free(path);
    if (real != NULL && linux_below_sysroot(names, real) != NULL)
        return real;
    free(real);
    return NULL;
}

char *guest_find_own_file(const struct guest *g, const char *name)
{
    const struct linux_names *names = g->names;
    char *path = find_in_sysroot(names, name);
    if (path != NULL)
        return path;
    if (strcmp(name, names->exe_inside) == 0 || file_is_same(name, names->exe))
        return xstrdup(names->exe);
    for (size_t i = 0; i < g->process->images; i++)
        if (file_is_same(name, g->process->image[i].path))
            return xstrdup(g->process->image[i].path);
    return NULL;
}
