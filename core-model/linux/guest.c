/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Life cycle of a guest process: guest_init, guest_fini. */
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core-model/linux/alias.h"
#include "core-model/linux/checkpoint_parts.h"
#include "core-model/linux/clock.h"
#include "core-model/linux/event_fd.h"
#include "core-model/linux/files.h"
#include "core-model/linux/load.h"
#include "core-model/linux/path.h"
#include "core-model/linux/posix_timer.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/program.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/socket.h"
#include "core-model/linux/space.h"
#include "core-model/linux/task.h"
#include "core-model/riscv/unmodelled.h"

enum { DEFAULT_UMASK = 022 };

static void init_linux(struct guest *g, const struct guest_config *config)
{
    g->sched = xcalloc(1, sizeof *g->sched);
    g->space = xcalloc(1, sizeof *g->space);
    g->files = xcalloc(1, sizeof *g->files);
    g->names = xcalloc(1, sizeof *g->names);
    g->signals = xcalloc(1, sizeof *g->signals);
    g->clock = xcalloc(1, sizeof *g->clock);
    g->task = xcalloc(1, sizeof *g->task);
    for (int fd = 0; fd < LINUX_FD_MAX; fd++)
        g->files->fd[fd] = -1;
    g->names->change_ruleset = -1;
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        linux_set_fd(g, (uint32_t)fd, fd, false);
    g->task->random.state = g->process->seed = config->seed;
    g->clock->clock_hz = config->clock_hz != 0 ? config->clock_hz : 1000000000;
    g->task->strace = config->strace;
    g->task->follower = config->follower != NULL ? *config->follower : (struct guest_follower){0};
    g->sched->processors = config->processors != 0 ? config->processors : 1;
    g->sched->quantum = config->quantum != 0 ? config->quantum : LINUX_QUANTUM;
    g->sched->turn_random.state = config->seed;
    g->signals->host_kept = linux_signals_used() | (config->keeps_interrupt ? linux_signal_bit(SIGINT) : 0);
    linux_sysroot_init(g->names, config->sysroot, config->names);
    if (config->names != GUEST_NAMES_HOST)
        linux_alias_init(g->names, config->path);
    g->clock->start_ns = linux_monotonic_ns(g);
    g->task->umask = DEFAULT_UMASK;
    linux_limits_init(g->task);
    linux_processes_init(g);
    linux_shm_init(g);
    linux_threads_init(g);
    linux_signals_inherit(g);
}

/* The `time` CSR ticks at 10 MHz, independent of the core's frequency. */
static uint64_t ticks_per_1000_cycles(uint64_t clock_hz)
{
    const uint64_t timebase_hz = 10000000;
    uint64_t ticks = timebase_hz * 1000 / clock_hz;
    return ticks != 0 ? ticks : 1;
}

const char *guest_program(const struct guest *g) { return g->names->exe; }

void guest_confine(struct guest *g, int change_ruleset) { g->names->change_ruleset = change_ruleset; }

enum status guest_init_empty(struct guest *g, struct errmsg *err)
{
    *g = (struct guest){.alarm_cycle = UINT64_MAX};
    enum status st = hart_init(&g->hart, err);
    if (st == ST_OK)
        g->process = xcalloc(1, sizeof *g->process);
    return st;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static enum status fail_script(const struct guest *g, const char *script, const struct linux_program *p, int64_t r,
                               struct errmsg *err)
{
    return fail(err, ST_INPUT, "%s: the script's interpreter %s: %s%s", script, p->place.path, strerror((int)-r),
                g->names->sysroot == NULL ? " (is -L SYSROOT missing?)" : "");
}

/* Loads the program that the user has given, or the interpreter of that script. A file is named as the user named it,
 * for messages, unless a link of the sysroot leads to another. */
static enum status load_first(struct guest *g, const struct guest_config *config, struct errmsg *err)
{
    struct linux_program *p = xcalloc(1, sizeof *p);
    const int64_t r = linux_program_begin(g, config, p);
    struct guest_config found = *config;
    found.name = p->called;
    found.argv = p->argv;
    if (r <= 0 || (p->head_bytes > 0 && !is_same_file(p->place.path, config->path)))
        found.path = p->place.path;
    linux_name_program(g, &found);
    enum status st = r < 0 ? fail_script(g, config->path, p, r, err) : linux_load(g, &found, err);
    linux_program_free_strings(p->argv);
    free(p);
    linux_enter_root(g->names); /* after the file, whose name may be relative to the host's root */
    return st;
}

enum status guest_find_program(const struct guest_config *config, char **program, struct errmsg *err)
{
    struct guest g;
    *program = NULL;
    enum status st = guest_init_empty(&g, err);
    if (st != ST_OK)
        return st;
    init_linux(&g, config);
    struct linux_program *p = xcalloc(1, sizeof *p);
    const int64_t r = linux_program_begin(&g, config, p);
    if (r < 0)
        st = fail_script(&g, config->path, p, r, err);
    if (r == 0 || (r > 0 && p->head_bytes > 0 && !is_same_file(p->place.path, config->path)))
        *program = xstrdup(p->place.path);
    linux_program_free_strings(p->argv);
    free(p);
    guest_fini(&g);
    return st;
}

enum status guest_init(struct guest *g, const struct guest_config *config, struct errmsg *err)
{
    enum status st = guest_init_empty(g, err);
    if (st != ST_OK)
        return st;
    init_linux(g, config);
    rv_translate(&g->hart, config->translation_bytes, config->translates_apart);
    g->hart.time_per_1000_cycles = ticks_per_1000_cycles(g->clock->clock_hz);
    st = config->checkpoint != NULL ? linux_restore(g, config, err) : load_first(g, config, err);
    if (st != ST_OK)
        guest_fini(g);
    return st;
}

void guest_fini(struct guest *g)
{
    if (guest_has_linux(g)) {
        for (int fd = 0; fd < LINUX_FD_MAX; fd++) {
            linux_dir_drop(g, (uint32_t)fd);
            linux_event_drop(g, (uint32_t)fd);
            if (g->files->fd[fd] <= STDERR_FILENO)
                continue;
            linux_socket_end(g->files->fd[fd]);
            close(g->files->fd[fd]);
        }
        if (g->names->change_ruleset >= 0)
            close(g->names->change_ruleset);
        linux_signals_fini(g);
        linux_shm_fini(g);
        linux_processes_fini(g);
        linux_posix_timers_drop(g);
        linux_threads_fini(g);
        pending_fini(&g->signals->pending);
        free(g->names->exe_inside);
        linux_alias_free(&g->names->alias);
        free(g->names->start_folder);
        free(g->names->sysroot);
        free(g->names->exe);
        linux_digests_free(g->names->digests);
        free(g->sched);
        free(g->space);
        free(g->files);
        free(g->names);
        free(g->signals);
        free(g->clock);
        free(g->task);
        g->task = NULL;
    }
    linux_free_images(g->process);
    free(g->process);
    g->process = NULL;
    hart_fini(&g->hart);
}
