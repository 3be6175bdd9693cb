/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inotify, on the host: masks and events are equal on all hosts. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/syscall.h"

int64_t sys_inotify_init1(struct guest *g, const uint64_t *a)
{
    enum { GUEST_NONBLOCK = 04000, GUEST_CLOEXEC = 02000000 };
    if ((uint32_t)a[0] & ~(uint32_t)(GUEST_NONBLOCK | GUEST_CLOEXEC))
        return -EINVAL;
    int fd = inotify_init1(IN_CLOEXEC | (a[0] & GUEST_NONBLOCK ? IN_NONBLOCK : 0));
    return fd < 0 ? -errno : linux_new_fd(g, fd, 0, (a[0] & GUEST_CLOEXEC) != 0);
}

/* Landlock checks what is opened, not what is watched. */
static int64_t watch_confined(int fd, const char *path, uint32_t mask)
{
    char link[64];
    const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    int file = open(path, flags | (mask & IN_DONT_FOLLOW ? O_NOFOLLOW : 0));
    if (file < 0)
        return -errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    int64_t r = linux_result(inotify_add_watch(fd, link, mask & ~(uint32_t)IN_DONT_FOLLOW));
    close(file);
    return r;
}

int64_t sys_inotify_add_watch(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : linux_get_path(g, a[1], !(a[2] & IN_DONT_FOLLOW), &place);
    if (r == 0 && g->names->change_ruleset >= 0)
        return watch_confined(fd, place.path, (uint32_t)a[2]);
    return r < 0 ? r : linux_result(inotify_add_watch(fd, place.path, (uint32_t)a[2]));
}

int64_t sys_inotify_rm_watch(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd : linux_result(inotify_rm_watch(fd, (int)a[1]));
}
