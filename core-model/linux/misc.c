/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls that are forwarded to the host or trivial: space of files, memory files. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

int64_t sys_fallocate(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : linux_result(fallocate(fd, (int)a[1], (off_t)a[2], (off_t)a[3]));
    if (r == 0 && a[1] != 0)
        linux_flush_code(g); /* a part of the file has been removed, moved or cleared */
    return r;
}

int64_t sys_mknodat(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    int64_t r = linux_get_place(g, a[0], a[1], false, &place);
    if (r == 0)
        r = linux_result(mknodat(place.dir, place.path, (mode_t)(a[2] & ~(uint64_t)g->task->umask), (dev_t)a[3]));
    if (r == 0 && (S_ISCHR(a[2]) || S_ISBLK(a[2])))
        linux_count_change(g, HOST_DEVICES);
    return r;
}

int64_t sys_renameat(struct guest *g, const uint64_t *a)
{
    const uint64_t args[5] = {a[0], a[1], a[2], a[3], 0};
    return sys_renameat2(g, args);
}

int64_t sys_memfd_create(struct guest *g, const uint64_t *a)
{
    char name[PATH_MAX];
    int64_t r = linux_get_string(g, a[0], name, sizeof name);
    if (r < 0)
        return r == -ENAMETOOLONG ? -EINVAL : r;
    int fd = memfd_create(name, MFD_CLOEXEC | (unsigned)a[1]);
    return fd < 0 ? -errno : linux_new_fd(g, fd, 0, (a[1] & MFD_CLOEXEC) != 0);
}

int64_t sys_close_range(struct guest *g, const uint64_t *a)
{
    enum { UNSHARE = 2, SET_CLOEXEC = 4 };
    uint32_t first = (uint32_t)a[0], last = (uint32_t)a[1];
    if (first > last || ((uint32_t)a[2] & ~(uint32_t)(UNSHARE | SET_CLOEXEC)))
        return -EINVAL;
    for (uint64_t fd = first; fd <= last && fd < LINUX_FD_MAX; fd++) {
        if (g->files->fd[fd] < 0)
            continue;
        if (a[2] & SET_CLOEXEC)
            g->files->fd_cloexec[fd] = 1;
        else
            (void)sys_close(g, &fd);
    }
    return 0;
}

/* Makes the retired stores of the other harts visible, and has them read again what they have read ahead. */
int64_t sys_membarrier(struct guest *g, const uint64_t *a)
{
    enum { QUERY = 0, GLOBAL = 1, PRIVATE = 8, REGISTER_PRIVATE = 16 };
    const uint32_t command = (uint32_t)a[0];
    if ((uint32_t)a[1] != 0 ||
        (command != QUERY && command != GLOBAL && command != PRIVATE && command != REGISTER_PRIVATE))
        return -EINVAL;
    if (command == PRIVATE && !g->task->has_membarrier)
        return -EPERM;
    if (command == REGISTER_PRIVATE)
        g->task->has_membarrier = true;
    if (command == GLOBAL || command == PRIVATE)
        linux_quiesce_others(g);
    return command == QUERY ? GLOBAL | PRIVATE | REGISTER_PRIVATE : 0;
}

int64_t sys_setrlimit(struct guest *g, const uint64_t *a)
{
    const uint64_t args[4] = {0, a[0], a[1], 0};
    return a[1] == 0 ? -EFAULT : sys_prlimit64(g, args);
}

int64_t sys_readahead(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd : linux_result(readahead(fd, (off_t)a[1], a[2]));
}

int64_t sys_sync_file_range(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd : linux_result(sync_file_range(fd, (off_t)a[1], (off_t)a[2], (unsigned)a[3]));
}

int64_t sys_syncfs(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd : linux_result(syncfs(fd));
}

/* The persona is stored and has no effect. */
int64_t sys_personality(struct guest *g, const uint64_t *a)
{
    uint32_t old = g->task->personality;
    if ((uint32_t)a[0] != UINT32_MAX)
        g->task->personality = (uint32_t)a[0];
    return old;
}
