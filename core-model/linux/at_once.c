/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/at_once.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include "core-model/linux/socket.h"
#include "core-model/linux/syscall.h"

/* Linux, Documentation/admin-guide/devices.txt. */
enum { MEMORY_MAJOR = 1, TERMINALS_MAJOR = 5, MULTIPLEXER_MINOR = 2 };

enum linux_file_kind linux_file_kind(int host_fd)
{
    struct stat sb;
    if (fstat(host_fd, &sb) != 0)
        return FILE_OTHER;
    switch (sb.st_mode & S_IFMT) {
    case S_IFREG:
    case S_IFDIR:
    case S_IFBLK:
        return FILE_PLAIN;
    case S_IFIFO:
        return FILE_PIPE;
    case S_IFSOCK:
        return FILE_SOCKET;
    case S_IFCHR:
        if (major(sb.st_rdev) == MEMORY_MAJOR)
            return FILE_PLAIN;
        /* Another descriptor of the multiplexer would be that of another terminal. */
        return sb.st_rdev != makedev(TERMINALS_MAJOR, MULTIPLEXER_MINOR) && isatty(host_fd) != 0 ? FILE_TERMINAL
                                                                                                 : FILE_OTHER;
    default:
        return (sb.st_mode & S_IFMT) == 0 ? FILE_OWN : FILE_OTHER;
    }
}

bool linux_file_waits(int host_fd, enum linux_file_kind kind)
{
    return kind != FILE_PLAIN && (fcntl(host_fd, F_GETFL) & O_NONBLOCK) == 0;
}

int linux_open_again(int host_fd, int mode)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", host_fd);
    return open(link, mode | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (fcntl(host_fd, F_GETFL) & O_DIRECT));
}

bool linux_terminal_reads_input(int host_fd)
{
    struct termios mode;
    return tcgetattr(host_fd, &mode) != 0 || (mode.c_lflag & ICANON) != 0 ||
           (mode.c_cc[VMIN] == 1 && mode.c_cc[VTIME] == 0);
}

static int64_t at_once_move(int fd, int mode, const struct iovec *vector, int count)
{
    return linux_result(mode == O_RDONLY ? readv(fd, vector, count) : writev(fd, vector, count));
}

/* Reads or writes the vector by another descriptor. */
static int64_t move_again(int host_fd, int mode, const struct iovec *vector, int count)
{
    int again = linux_open_again(host_fd, mode);
    if (again < 0)
        return -EOPNOTSUPP;
    int64_t r = at_once_move(again, mode, vector, count);
    close(again);
    return r;
}

/* Reads or writes a file that has not the form of the call that does not wait. */
static int64_t move_slowly(int host_fd, enum linux_file_kind kind, int mode, const struct iovec *vector, int count)
{
    if (kind == FILE_OTHER)
        return -EOPNOTSUPP;
    if (kind != FILE_OWN)
        return move_again(host_fd, mode, vector, count);
    linux_socket_set_waiting(host_fd, false);
    int64_t r = at_once_move(host_fd, mode, vector, count);
    linux_socket_set_waiting(host_fd, true);
    return r;
}

int64_t linux_read_at_once(int host_fd, enum linux_file_kind kind, const struct iovec *vector, int64_t count)
{
    struct msghdr m = {.msg_iov = (struct iovec *)vector, .msg_iovlen = (size_t)count};
    if (kind == FILE_SOCKET)
        return linux_result(recvmsg(host_fd, &m, MSG_DONTWAIT));
    int64_t r = linux_result(preadv2(host_fd, vector, (int)count, -1, RWF_NOWAIT));
    return r != -EOPNOTSUPP ? r : move_slowly(host_fd, kind, O_RDONLY, vector, (int)count);
}

int64_t linux_write_at_once(int host_fd, enum linux_file_kind kind, const struct msghdr *m)
{
    int count = (int)m->msg_iovlen;
    if (kind == FILE_SOCKET)
        return linux_result(sendmsg(host_fd, m, MSG_DONTWAIT | MSG_NOSIGNAL));
    int64_t r = linux_result(pwritev2(host_fd, m->msg_iov, count, -1, RWF_NOWAIT));
    return r != -EOPNOTSUPP ? r : move_slowly(host_fd, kind, O_WRONLY, m->msg_iov, count);
}

uint64_t linux_vector_bytes(const struct msghdr *m)
{
    uint64_t size_bytes = 0;
    for (size_t i = 0; i < m->msg_iovlen; i++)
        size_bytes += m->msg_iov[i].iov_len;
    return size_bytes;
}

void linux_vector_skip(struct msghdr *m, uint64_t from)
{
    while (from > 0 && m->msg_iovlen > 0) {
        struct iovec *first = m->msg_iov;
        if (from < first->iov_len) {
            first->iov_base = (char *)first->iov_base + from;
            first->iov_len -= from;
            return;
        }
        from -= first->iov_len;
        m->msg_iov++;
        m->msg_iovlen--;
    }
}

bool linux_receive_waits(int host_fd, uint64_t flags)
{
    return !(flags & (MSG_DONTWAIT | MSG_ERRQUEUE)) && !linux_socket_listens(host_fd) &&
           linux_file_waits(host_fd, FILE_SOCKET);
}

bool linux_socket_fills(int host_fd, uint64_t flags)
{
    int type = 0;
    socklen_t size_bytes = sizeof type;
    return (flags & MSG_WAITALL) && !(flags & MSG_PEEK) && linux_receive_waits(host_fd, flags) &&
           getsockopt(host_fd, SOL_SOCKET, SO_TYPE, &type, &size_bytes) == 0 && type == SOCK_STREAM;
}
