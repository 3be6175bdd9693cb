/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on open files: the descriptor table, control, positions and sizes. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core-model/linux/apart.h"
#include "core-model/linux/event_fd.h"
#include "core-model/linux/files.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/socket.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

enum { GUEST_O_NONBLOCK = 04000, GUEST_O_DIRECT = 040000, GUEST_O_CLOEXEC = 02000000 };

/* Closes a host descriptor, except the emulator's standard streams. In a child process these are redirected to
 * /dev/null instead, because a reader at the other end of a pipe waits for their close. */
static int close_host(const struct guest *g, int host_fd)
{
    if (host_fd > STDERR_FILENO)
        return close(host_fd);
    int nothing = g->task->is_child ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
    if (nothing >= 0) {
        (void)dup2(nothing, host_fd);
        close(nothing);
    }
    return 0;
}

/* A signal ends the wait for what was sent, and the descriptor is closed. */
static int64_t close_apart(struct guest *g, int host_fd)
{
    return linux_call_apart(g, &(struct linux_host_call){.number = SYS_close, .a = {host_fd}});
}

int64_t sys_close(struct guest *g, const uint64_t *a)
{
    if (g->thread->call.apart != NULL)
        return close_apart(g, -1);
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    linux_dir_drop(g, (uint32_t)a[0]);
    linux_event_drop(g, (uint32_t)a[0]);
    g->files->fd[(uint32_t)a[0]] = -1;
    return fd > STDERR_FILENO && linux_socket_lingers(fd) ? close_apart(g, fd) : linux_result(close_host(g, fd));
}

/* Gives a copy of a descriptor what belongs to it in the emulator. */
static void linux_io_share(struct guest *g, uint32_t from, uint32_t to)
{
    linux_event_share(g, from, to);
    g->files->fd_name[to] = g->files->fd_name[from];
}

int64_t linux_duplicate(struct guest *g, int host_fd, uint64_t from, unsigned lowest, bool cloexec)
{
    int copy = fcntl(host_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int64_t to = copy < 0 ? -errno : linux_new_fd(g, copy, lowest, cloexec);
    if (to >= 0)
        linux_io_share(g, (uint32_t)from, (uint32_t)to);
    return to;
}

int64_t sys_dup(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    return linux_duplicate(g, fd, a[0], 0, false);
}

int64_t sys_dup3(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    uint32_t to = (uint32_t)a[1];
    if (fd < 0)
        return fd;
    if ((uint32_t)a[0] == to || (a[2] & ~(uint64_t)GUEST_O_CLOEXEC) != 0)
        return -EINVAL;
    if (to >= linux_fd_limit(g))
        return -EBADF;
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (copy < 0)
        return -errno;
    if (g->files->fd[to] >= 0)
        close_host(g, g->files->fd[to]);
    linux_dir_drop(g, to);
    linux_event_drop(g, to);
    linux_set_fd(g, to, copy, (a[2] & GUEST_O_CLOEXEC) != 0);
    linux_io_share(g, (uint32_t)a[0], to);
    return to;
}

int64_t linux_put_pair(struct guest *g, uint64_t addr, uint64_t first, uint64_t second)
{
    const int32_t numbers[2] = {(int32_t)first, (int32_t)second};
    int64_t r = linux_put(g, addr, numbers, sizeof numbers);
    if (r < 0) {
        (void)sys_close(g, &first);
        (void)sys_close(g, &second);
    }
    return r;
}

int64_t sys_pipe2(struct guest *g, const uint64_t *a)
{
    int host[2];
    if (linux_memory(g, a[0], 2 * sizeof(int32_t), MEM_W) == NULL)
        return -EFAULT;
    if ((uint32_t)a[1] & ~(uint32_t)(GUEST_O_NONBLOCK | GUEST_O_CLOEXEC | GUEST_O_DIRECT))
        return -EINVAL;
    if (pipe2(host, O_CLOEXEC | (a[1] & GUEST_O_NONBLOCK ? O_NONBLOCK : 0) | (a[1] & GUEST_O_DIRECT ? O_DIRECT : 0)) !=
        0)
        return -errno;
    bool cloexec = (a[1] & GUEST_O_CLOEXEC) != 0;
    int64_t first = linux_new_fd(g, host[0], 0, cloexec);
    if (first < 0) {
        close(host[1]);
        return first;
    }
    int64_t second = linux_new_fd(g, host[1], 0, cloexec);
    if (second < 0) {
        g->files->fd[first] = -1;
        close(host[0]);
        return second;
    }
    return linux_put_pair(g, a[0], (uint64_t)first, (uint64_t)second);
}

int64_t sys_lseek(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    return linux_result(lseek(fd, (off_t)a[1], (int)a[2]));
}

int64_t sys_ftruncate(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : linux_result(ftruncate(fd, (off_t)a[1]));
    if (r == 0)
        linux_drop_cut_code(g);
    return r;
}

int64_t sys_fsync(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd : linux_result(fsync(fd));
}

int64_t sys_fdatasync(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd : linux_result(fdatasync(fd));
}

int64_t sys_sync(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    sync();
    return 0;
}

int64_t sys_fadvise64(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd : -posix_fadvise(fd, (off_t)a[1], (off_t)a[2], (int)a[3]);
}
