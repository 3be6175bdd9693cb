/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of descriptors. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core-model/linux/files.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

unsigned linux_fd_limit(const struct guest *g)
{
    return (unsigned)g->task->limit[LINUX_LIMIT_NOFILE].now; /* at most LINUX_FD_MAX, its first upper limit */
}

int linux_fd(const struct guest *g, uint64_t fd)
{
    if ((uint32_t)fd >= LINUX_FD_MAX || g->files->fd[(uint32_t)fd] < 0)
        return -EBADF;
    return g->files->fd[(uint32_t)fd];
}

uint32_t linux_guest_fd(const struct guest *g, int host_fd)
{
    for (uint32_t fd = 0; fd < LINUX_FD_MAX; fd++)
        if (g->files->fd[fd] == host_fd && host_fd >= 0)
            return fd;
    return UINT32_MAX;
}

int linux_dirfd(const struct guest *g, uint64_t fd)
{
    enum { GUEST_AT_FDCWD = -100 };
    return (int32_t)fd == GUEST_AT_FDCWD ? AT_FDCWD : linux_fd(g, fd);
}

/* Linux, Documentation/admin-guide/devices.txt: /dev/random and /dev/urandom. */
static bool is_random_device(int host_fd)
{
    struct stat sb;
    return fstat(host_fd, &sb) == 0 && S_ISCHR(sb.st_mode) &&
           (sb.st_rdev == makedev(1, 8) || sb.st_rdev == makedev(1, 9));
}

void linux_set_fd(struct guest *g, uint32_t fd, int host_fd, bool cloexec)
{
    g->files->fd[fd] = host_fd;
    g->files->fd_cloexec[fd] = cloexec;
    g->files->fd_random[fd] = is_random_device(host_fd);
    g->files->fd_name[fd] = 0;
}

bool linux_has_free_fd(const struct guest *g)
{
    unsigned fd = 0;
    while (fd < linux_fd_limit(g) && g->files->fd[fd] >= 0)
        fd++;
    return fd < linux_fd_limit(g);
}

int64_t linux_new_fd(struct guest *g, int host_fd, unsigned from, bool cloexec)
{
    for (unsigned fd = from; fd < linux_fd_limit(g); fd++) {
        if (g->files->fd[fd] < 0) {
            linux_set_fd(g, fd, host_fd, cloexec);
            return fd;
        }
    }
    close(host_fd);
    return -EMFILE;
}
