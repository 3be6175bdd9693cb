/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execve. The new address space is built next to the old one, which is kept if the file cannot be loaded. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "core-model/linux/files.h"
#include "core-model/linux/load.h"
#include "core-model/linux/path.h"
#include "core-model/linux/posix_timer.h"
#include "core-model/linux/proc_facts.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/program.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"
#include "core-model/linux/tracing.h"
#include "core-model/linux/vfork.h"

/* STRING_BYTES_MAX: MAX_ARG_STRLEN, which execve(2) documents. */
enum { STRINGS_BYTES_MAX = LINUX_STACK_BYTES / 4, STRING_BYTES_MAX = 1 << 17 };

/* Arguments of execve. The lists are owned. */
struct exec {
    struct linux_program program;
    char **envp;
    size_t size_bytes; /* total size of the strings */
};

static int64_t get_strings(struct guest *g, struct exec *e, uint64_t addr, char ***out, size_t *count)
{
    char *buffer = xmalloc(STRINGS_BYTES_MAX);
    size_t n = 0;
    int64_t r = 0;
    *out = xcalloc(1, sizeof **out);
    for (; addr != 0; addr += sizeof(uint64_t)) {
        uint64_t at;
        r = linux_get(g, addr, &at, sizeof at);
        if (r < 0 || at == 0)
            break;
        r = linux_get_string(g, at, buffer, STRINGS_BYTES_MAX);
        if (r < 0)
            break;
        const size_t bytes = strlen(buffer) + 1;
        e->size_bytes += bytes + sizeof at;
        if (bytes > STRING_BYTES_MAX || e->size_bytes > STRINGS_BYTES_MAX) {
            r = -E2BIG;
            break;
        }
        *out = xrealloc(*out, (n + 2) * sizeof **out);
        (*out)[n++] = xstrdup(buffer);
        (*out)[n] = NULL;
    }
    free(buffer);
    *count = n;
    return r == -ENAMETOOLONG ? -E2BIG : r;
}

static void reset_signals(struct guest *g)
{
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++) {
        bool ignored = g->signals->action[signal].handler == SIG_IGNORED;
        g->signals->action[signal] = (struct linux_sigaction){.handler = ignored ? SIG_IGNORED : 0};
    }
    memset(g->thread->altstack, 0, sizeof g->thread->altstack);
    g->task->has_membarrier = false;
    linux_signals_update(g);
}

static void close_on_exec(struct guest *g)
{
    for (uint64_t fd = 0; fd < LINUX_FD_MAX; fd++)
        if (g->files->fd[fd] >= 0 && g->files->fd_cloexec[fd])
            (void)sys_close(g, &fd);
    linux_vfork_leave(g);
}

/* Loads the program into a new address space with its own list of images and, on success, replaces the old one. Decoded
 * instructions are only discarded, not freed, because a core may still reference the ecall. */
static int64_t replace_image(struct guest *g, const struct exec *e)
{
    const struct guest_config config = {
        .path = e->program.place.path, .name = e->program.called, .argv = e->program.argv, .envp = e->envp};
    struct hart *h = &g->hart;
    struct memory old = h->mem;
    const struct linux_space space_before = *g->space;
    const struct linux_names names_before = *g->names;
    const struct random random_before = g->task->random;
    struct guest_process process_before = *g->process;
    struct errmsg err;
    uint64_t regs[32], pc = h->pc;
    char thread_name[LINUX_NAME_BYTES];
    memcpy(thread_name, g->thread->name, sizeof thread_name);
    memcpy(regs, h->reg, sizeof regs);
    linux_quiesce_others(g);
    if (memory_init(&h->mem, &err) != ST_OK) {
        h->mem = old;
        return -ENOMEM;
    }
    memset(h->reg, 0, sizeof regs);
    g->process->image = NULL;
    g->process->images = 0;
    linux_name_program(g, &config);
    enum status st = linux_load(g, &config, &err);
    if (st != ST_OK) {
        memory_fini(&h->mem);
        linux_free_images(g->process);
        *g->process = process_before;
        free(g->names->exe);
        free(g->names->exe_inside);
        *g->space = space_before;
        *g->names = names_before;
        g->task->random = random_before;
        memcpy(g->thread->name, thread_name, sizeof thread_name);
        memcpy(h->reg, regs, sizeof regs);
        h->mem = old, h->pc = pc;
        fprintf(stderr, "warning: execve: %s\n", err.text);
        return st == ST_IO ? -ENOENT : -ENOEXEC;
    }
    free(names_before.exe);
    free(names_before.exe_inside);
    memory_fini(&old);
    linux_harts_share_memory(g);
    linux_discard_code(g, 0, UINT64_C(1) << MEM_ADDRESS_BITS);
    memset(&h->reg[32], 0, 32 * sizeof h->reg[0]);
    h->fcsr = 0;
    linux_free_images(&process_before);
    g->process->programs++;
    linux_thread_begin_program(g);
    (void)linux_withholds(g, GUEST_STOP_EXEC, 0);
    if (g->task->is_followed)
        h->stop = HART_STOP;
    return 0;
}

/* Finds the program. An interpreter that does not exist is the first argument by then. */
static int64_t exec_find(struct guest *g, struct linux_program *p)
{
    int64_t r = linux_program_find(g, p);
    if (r == -ENOENT)
        linux_missing_count(g, p->argv[0]);
    return r;
}

/* Executes the program with the guest's lists at the addresses lists[0] and lists[1]. */
static int64_t exec_execute(struct guest *g, struct exec *e, bool follows, const uint64_t *lists)
{
    size_t envc;
    struct linux_program *p = &e->program;
    int64_t r = linux_program_open(g, p, follows); /* errors of the file precede those of the lists */
    if (r == -ENOENT)
        linux_missing_count(g, p->called);
    if (r == 0)
        r = get_strings(g, e, lists[0], &p->argv, &p->argc);
    if (r == 0)
        r = get_strings(g, e, lists[1], &e->envp, &envc);
    if (r == 0 && p->argc == 0)
        linux_program_prepend(p, "");
    if (r == 0)
        r = exec_find(g, p);
    if (r == 0)
        r = replace_image(g, e);
    linux_program_free_strings(p->argv);
    linux_program_free_strings(e->envp);
    if (r < 0)
        return r;
    linux_missing_forget(g);
    linux_threads_reduce(g);
    linux_process_entry(g, g->task->pid)->has_executed = 1;
    linux_publish(g);
    reset_signals(g);
    linux_posix_timers_drop(g);
    linux_shm_drop(g);
    close_on_exec(g);
    return 0;
}

int64_t sys_execve(struct guest *g, const uint64_t *a)
{
    struct exec e = {0};
    char *name = e.program.called;
    int64_t r = linux_get_string(g, a[0], name, sizeof e.program.called);
    return r < 0 ? r : name[0] == '\0' ? -ENOENT : exec_execute(g, &e, true, a + 1);
}

/* A program that is given by its descriptor has the name /dev/fd/N, with the path behind it, as in Linux. */
int64_t sys_execveat(struct guest *g, const uint64_t *a)
{
    enum { KNOWN = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW };
    struct exec e = {0};
    char path[PATH_MAX];
    const uint32_t flags = (uint32_t)a[4];
    int64_t r = linux_get_string(g, a[1], path, sizeof path);
    int dir = linux_dirfd(g, a[0]);
    if (r < 0 || (path[0] == '\0' && !(flags & AT_EMPTY_PATH)))
        return r < 0 ? r : -ENOENT;
    if (flags & ~(uint32_t)KNOWN)
        return -EINVAL;
    if (path[0] != '/' && dir == -EBADF)
        return -EBADF;
    bool by_name = path[0] == '/' || dir == AT_FDCWD;
    char *name = e.program.called;
    int n = by_name ? snprintf(name, PATH_MAX, "%s", path)
                    : snprintf(name, PATH_MAX, "/dev/fd/%d%s%s", (int)a[0], path[0] != '\0' ? "/" : "", path);
    if (n >= PATH_MAX)
        return -ENAMETOOLONG;
    e.program.vanishes = !by_name && g->files->fd_cloexec[(uint32_t)a[0]] != 0;
    return exec_execute(g, &e, !(flags & AT_SYMLINK_NOFOLLOW), a + 2);
}
