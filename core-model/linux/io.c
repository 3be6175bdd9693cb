/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on open files: the descriptor table, reading, writing, control. */
#include "core-model/linux/linux.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

enum { GUEST_AT_FDCWD = -100, GUEST_O_NONBLOCK = 04000, GUEST_O_CLOEXEC = 02000000, COPY_BYTES = 65536 };

int linux_fd(const struct guest *g, uint64_t fd)
{
    if ((uint32_t)fd >= LINUX_FD_MAX || g->os->fd[(uint32_t)fd] < 0)
        return -EBADF;
    return g->os->fd[(uint32_t)fd];
}

int linux_dirfd(const struct guest *g, uint64_t fd)
{
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
    g->os->fd[fd] = host_fd;
    g->os->fd_cloexec[fd] = cloexec;
    g->os->fd_random[fd] = is_random_device(host_fd);
}

int64_t linux_new_fd(struct guest *g, int host_fd, unsigned from, bool cloexec)
{
    for (unsigned fd = from; fd < LINUX_FD_MAX; fd++) {
        if (g->os->fd[fd] < 0) {
            linux_set_fd(g, fd, host_fd, cloexec);
            return fd;
        }
    }
    close(host_fd);
    return -EMFILE;
}

/* Closes a host descriptor, except the emulator's standard streams. In a child process these are redirected to
 * /dev/null instead, because a reader at the other end of a pipe waits for their close. */
static int close_host(const struct guest *g, int host_fd)
{
    if (host_fd > STDERR_FILENO)
        return close(host_fd);
    int nothing = g->os->is_child ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
    if (nothing >= 0) {
        (void)dup2(nothing, host_fd);
        close(nothing);
    }
    return 0;
}

int64_t sys_close(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    linux_dir_drop(g, (uint32_t)a[0]);
    g->os->fd[(uint32_t)a[0]] = -1;
    return linux_result(close_host(g, fd));
}

int64_t sys_dup(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return copy < 0 ? -errno : linux_new_fd(g, copy, 0, false);
}

int64_t sys_dup3(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    uint32_t to = (uint32_t)a[1];
    if (fd < 0)
        return fd;
    if ((uint32_t)a[0] == to || (a[2] & ~(uint64_t)GUEST_O_CLOEXEC) != 0)
        return -EINVAL;
    if (to >= LINUX_FD_MAX)
        return -EBADF;
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (copy < 0)
        return -errno;
    if (g->os->fd[to] >= 0)
        close_host(g, g->os->fd[to]);
    linux_dir_drop(g, to);
    linux_set_fd(g, to, copy, (a[2] & GUEST_O_CLOEXEC) != 0);
    return to;
}

int64_t sys_pipe2(struct guest *g, const uint64_t *a)
{
    int host[2];
    int32_t numbers[2];
    if (linux_memory(g, a[0], sizeof numbers, MEM_W) == NULL)
        return -EFAULT;
    if (pipe2(host, O_CLOEXEC | (a[1] & GUEST_O_NONBLOCK ? O_NONBLOCK : 0)) != 0)
        return -errno;
    bool cloexec = (a[1] & GUEST_O_CLOEXEC) != 0;
    int64_t first = linux_new_fd(g, host[0], 0, cloexec);
    if (first < 0) {
        close(host[1]);
        return first;
    }
    int64_t second = linux_new_fd(g, host[1], 0, cloexec);
    if (second < 0) {
        g->os->fd[first] = -1;
        close(host[0]);
        return second;
    }
    numbers[0] = (int32_t)first, numbers[1] = (int32_t)second;
    return linux_put(g, a[0], numbers, sizeof numbers);
}

static int64_t lock_file(struct guest *g, int fd, int command, uint64_t addr)
{
    struct flock lock; /* same layout on all 64-bit hosts */
    int64_t r = linux_get(g, addr, &lock, sizeof lock);
    if (r == 0)
        r = linux_result(fcntl(fd, command, &lock));
    if (r >= 0 && command == F_GETLK)
        r = linux_put(g, addr, &lock, sizeof lock);
    return r;
}

int64_t sys_fcntl(struct guest *g, const uint64_t *a)
{
    enum { DUPFD, GETFD, SETFD, GETFL, SETFL, GETLK, SETLK, SETLKW, DUPFD_CLOEXEC = 1030 };
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    switch (a[1]) {
    case DUPFD:
    case DUPFD_CLOEXEC: {
        if (a[2] >= LINUX_FD_MAX)
            return -EINVAL;
        int copy = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        return copy < 0 ? -errno : linux_new_fd(g, copy, (unsigned)a[2], a[1] == DUPFD_CLOEXEC);
    }
    case GETFD:
        return g->os->fd_cloexec[(uint32_t)a[0]];
    case SETFD:
        g->os->fd_cloexec[(uint32_t)a[0]] = a[2] & 1;
        return 0;
    case GETFL:
        return linux_result(fcntl(fd, F_GETFL));
    case SETFL:
        return linux_result(fcntl(fd, F_SETFL, (int)a[2]));
    case GETLK:
        return lock_file(g, fd, F_GETLK, a[2]);
    case SETLK:
        return lock_file(g, fd, F_SETLK, a[2]);
    case SETLKW:
        return lock_file(g, fd, F_SETLKW, a[2]);
    default:
        return -EINVAL;
    }
}

/* Gets or sets the terminal's foreground process group, in guest process numbers. */
static int64_t terminal_group(struct guest *g, int fd, bool sets, uint64_t addr)
{
    uint32_t pid;
    if (sets) {
        int64_t r = linux_get(g, addr, &pid, sizeof pid);
        int host = r == 0 ? linux_host_pid(g, pid) : -1;
        return r < 0 ? r : host < 0 ? -EPERM : linux_result(tcsetpgrp(fd, host));
    }
    pid_t host = tcgetpgrp(fd);
    if (host < 0)
        return -errno;
    pid = linux_guest_pid(g, host);
    if (pid == 0)
        pid = LINUX_PID;
    return linux_put(g, addr, &pid, sizeof pid);
}

/* ioctl requests that apply to any descriptor; -ENOTTY for other requests. */
static int64_t control_descriptor(struct guest *g, int fd, const uint64_t *a)
{
    enum { GUEST_FIONBIO = 0x5421, GUEST_FIONCLEX = 0x5450, GUEST_FIOCLEX = 0x5451 };
    int32_t on;
    switch (a[1]) {
    case GUEST_FIONBIO: {
        if (linux_get(g, a[2], &on, sizeof on) != 0)
            return -EFAULT;
        int flags = fcntl(fd, F_GETFL);
        return linux_result(fcntl(fd, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK));
    }
    case GUEST_FIOCLEX:
    case GUEST_FIONCLEX:
        g->os->fd_cloexec[(uint32_t)a[0]] = a[1] == GUEST_FIOCLEX;
        return 0;
    default:
        return -ENOTTY;
    }
}

int64_t sys_ioctl(struct guest *g, const uint64_t *a)
{
    enum {
        GUEST_TCGETS = 0x5401,
        GUEST_TCSETS,
        GUEST_TCSETSW,
        GUEST_TCSETSF,
        GUEST_TIOCGPGRP = 0x540f,
        GUEST_TIOCSPGRP = 0x5410,
        GUEST_TIOCGWINSZ = 0x5413,
        GUEST_FIONREAD = 0x541b,
        TERMIOS_BYTES = 36
    };
    size_t size_bytes;
    bool reads = false;
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    switch (a[1]) {
    case GUEST_TCSETS:
    case GUEST_TCSETSW:
    case GUEST_TCSETSF:
        reads = true;
        size_bytes = TERMIOS_BYTES;
        break;
    case GUEST_TCGETS:
        size_bytes = TERMIOS_BYTES;
        break;
    case GUEST_TIOCGWINSZ:
        size_bytes = sizeof(struct winsize);
        break;
    case GUEST_TIOCGPGRP:
    case GUEST_TIOCSPGRP:
        return terminal_group(g, fd, a[1] == GUEST_TIOCSPGRP, a[2]);
    case GUEST_FIONREAD:
        size_bytes = sizeof(int32_t);
        break;
    default:
        return control_descriptor(g, fd, a);
    }
    uint64_t buffer[8] = {0};
    if (reads && linux_get(g, a[2], buffer, size_bytes) != 0)
        return -EFAULT;
    int64_t r = linux_result(syscall(SYS_ioctl, fd, a[1], buffer)); /* the kernel's termios, not libc's */
    return r < 0 || reads ? r : linux_put(g, a[2], buffer, size_bytes);
}

static int64_t finish_write(struct guest *g, ssize_t n)
{
    int64_t r = linux_result(n);
    if (r == -EPIPE)
        linux_raise(g, SIGPIPE);
    return r;
}

/* Reads from the file position or, if `offset` is not NULL, from an offset. Reads of random-number devices return the
 * seeded generator's output, so runs are repeatable. */
static ssize_t read_file(struct guest *g, uint64_t fd, void *p, size_t size_bytes, const int64_t *offset)
{
    if (g->os->fd_random[(uint32_t)fd]) {
        linux_random_bytes(g->os, p, size_bytes);
        return (ssize_t)size_bytes;
    }
    int host_fd = linux_fd(g, fd);
    return offset != NULL ? pread(host_fd, p, size_bytes, *offset) : read(host_fd, p, size_bytes);
}

int64_t sys_read(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    void *p = linux_memory(g, a[1], a[2], MEM_W);
    if (p == NULL)
        return -EFAULT;
    int64_t r = linux_wait_ready(g, fd, POLLIN);
    return r < 0 ? r : linux_result(read_file(g, a[0], p, a[2], NULL));
}

/* Whether a write may have to wait for a reader in the same process. */
static bool may_wait_for_reader(const struct guest *g, int fd)
{
    struct stat sb;
    return linux_has_threads(g) && (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0 && fstat(fd, &sb) == 0 &&
           (S_ISFIFO(sb.st_mode) || S_ISSOCK(sb.st_mode));
}

/* The part of the vector that starts at byte `from`, up to PIPE_BUF bytes in one element. */
static struct iovec next_part(const struct iovec *vector, int64_t count, uint64_t from)
{
    for (int64_t i = 0; i < count; i++) {
        if (from < vector[i].iov_len) {
            size_t left = vector[i].iov_len - from;
            return (struct iovec){(char *)vector[i].iov_base + from, left < PIPE_BUF ? left : PIPE_BUF};
        }
        from -= vector[i].iov_len;
    }
    return (struct iovec){0};
}

/* Writes to a pipe or socket as long as it is ready, because the reader may be a thread that cannot run meanwhile. A
 * ready pipe takes PIPE_BUF bytes without blocking. */
static int64_t write_parts(struct guest *g, int fd, const struct iovec *vector, int64_t count, size_t size_bytes)
{
    uint64_t *done = &g->thread->call.done;
    for (;;) {
        int64_t r = linux_wait_ready(g, fd, POLLOUT);
        if (r == -LINUX_BLOCK || (r < 0 && *done == 0))
            return r;
        if (r < 0)
            return (int64_t)*done;
        struct iovec part = next_part(vector, count, *done);
        ssize_t n = size_bytes <= PIPE_BUF ? writev(fd, vector, (int)count) : write(fd, part.iov_base, part.iov_len);
        if (n < 0)
            return *done > 0 ? (int64_t)*done : finish_write(g, n);
        *done += (uint64_t)n;
        if (*done >= size_bytes || n == 0)
            return (int64_t)*done;
    }
}

/* Writes all of the vector to a descriptor that may block. */
static int64_t write_vector(struct guest *g, int fd, const struct iovec *vector, int64_t count)
{
    size_t size_bytes = 0;
    for (int64_t i = 0; i < count; i++)
        size_bytes += vector[i].iov_len;
    if (size_bytes > 0 && may_wait_for_reader(g, fd))
        return write_parts(g, fd, vector, count, size_bytes);
    int64_t r = linux_wait_ready(g, fd, POLLOUT);
    return r < 0 ? r : finish_write(g, writev(fd, vector, (int)count));
}

int64_t sys_write(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    const struct iovec whole = {linux_memory(g, a[1], a[2], MEM_R), a[2]};
    return whole.iov_base == NULL ? -EFAULT : write_vector(g, fd, &whole, 1);
}

int64_t sys_pread64(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    void *p = linux_memory(g, a[1], a[2], MEM_W);
    const int64_t offset = (int64_t)a[3];
    return p == NULL ? -EFAULT : linux_result(read_file(g, a[0], p, a[2], &offset));
}

int64_t sys_pwrite64(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    const void *p = linux_memory(g, a[1], a[2], MEM_R);
    return p == NULL ? -EFAULT : finish_write(g, pwrite(fd, p, a[2], (off_t)a[3]));
}

int64_t linux_get_vector(struct guest *g, uint64_t addr, uint64_t count, unsigned need, struct iovec *out)
{
    struct {
        uint64_t base, size_bytes;
    } one;
    if (count > LINUX_VECTOR_MAX)
        return -EINVAL;
    for (uint64_t i = 0; i < count; i++) {
        if (linux_get(g, addr + i * sizeof one, &one, sizeof one) != 0)
            return -EFAULT;
        out[i].iov_base = linux_memory(g, one.base, one.size_bytes, need);
        out[i].iov_len = one.size_bytes;
        if (out[i].iov_base == NULL)
            return -EFAULT;
    }
    return (int64_t)count;
}

int64_t sys_readv(struct guest *g, const uint64_t *a)
{
    struct iovec vector[LINUX_VECTOR_MAX];
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    int64_t n = linux_get_vector(g, a[1], a[2], MEM_W, vector);
    int64_t r = n < 0 ? n : linux_wait_ready(g, fd, POLLIN);
    if (r < 0 || !g->os->fd_random[(uint32_t)a[0]])
        return r < 0 ? r : linux_result(readv(fd, vector, (int)n));
    for (int64_t i = 0; i < n; i++)
        r += read_file(g, a[0], vector[i].iov_base, vector[i].iov_len, NULL);
    return r;
}

int64_t sys_writev(struct guest *g, const uint64_t *a)
{
    struct iovec vector[LINUX_VECTOR_MAX];
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    int64_t n = linux_get_vector(g, a[1], a[2], MEM_R, vector);
    return n < 0 ? n : write_vector(g, fd, vector, n);
}

int64_t sys_lseek(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    if (linux_dir_seek(g, (uint32_t)a[0], (int64_t)a[1], (int)a[2]))
        return (int64_t)a[1];
    return linux_result(lseek(fd, (off_t)a[1], (int)a[2]));
}

/* With an explicit offset the input's file position is unchanged. */
int64_t sys_sendfile(struct guest *g, const uint64_t *a)
{
    char buffer[COPY_BYTES];
    int64_t offset = 0, sent = 0;
    int out = linux_fd(g, a[0]), in = linux_fd(g, a[1]);
    if (out < 0 || in < 0)
        return -EBADF;
    if (a[2] != 0 && linux_get(g, a[2], &offset, sizeof offset) != 0)
        return -EFAULT;
    while ((uint64_t)sent < a[3]) {
        size_t want = a[3] - (uint64_t)sent < sizeof buffer ? a[3] - (uint64_t)sent : sizeof buffer;
        ssize_t n = read_file(g, a[1], buffer, want, a[2] != 0 ? &offset : NULL);
        if (n < 0 && sent == 0)
            return -errno;
        if (n <= 0)
            break;
        ssize_t written = write(out, buffer, (size_t)n);
        if (written < n)
            return sent > 0 ? sent : finish_write(g, written);
        sent += n, offset += n;
    }
    return a[2] != 0 && linux_put(g, a[2], &offset, sizeof offset) != 0 ? -EFAULT : sent;
}

int64_t sys_ftruncate(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd : linux_result(ftruncate(fd, (off_t)a[1]));
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
