/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transfers inside the kernel: splice, vmsplice, tee, copies between files. Flags are equal on all hosts. */
#include <fcntl.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core-model/linux/linux.h"

static int64_t get_offset(struct guest *g, int fd, uint64_t addr, off_t *offset)
{
    if (addr != 0 && lseek(fd, 0, SEEK_CUR) < 0)
        return -errno;
    return addr != 0 ? linux_get(g, addr, offset, sizeof *offset) : 0;
}

static int64_t put_offset(struct guest *g, uint64_t addr, off_t offset)
{
    return addr != 0 ? linux_put(g, addr, &offset, sizeof offset) : 0;
}

/* Waits for both ends, as far as the call may wait; a wait for the one does not end because of the other. */
static int64_t wait_for_both(struct guest *g, int in, int out, uint64_t flags)
{
    if (flags & SPLICE_F_NONBLOCK)
        return 0;
    int64_t r = linux_wait_ready(g, in, POLLIN);
    return r < 0 ? r : linux_wait_ready(g, out, POLLOUT);
}

int64_t sys_splice(struct guest *g, const uint64_t *a)
{
    off_t from = 0, to = 0;
    int in = linux_fd(g, a[0]), out = linux_fd(g, a[2]);
    if (a[4] == 0)
        return 0;
    if ((uint32_t)a[5] & ~(uint32_t)(SPLICE_F_MOVE | SPLICE_F_NONBLOCK | SPLICE_F_MORE | SPLICE_F_GIFT))
        return -EINVAL;
    if (in < 0 || out < 0)
        return -EBADF;
    int64_t r = get_offset(g, in, a[1], &from);
    if (r == 0)
        r = get_offset(g, out, a[3], &to);
    if (r == 0)
        r = wait_for_both(g, in, out, a[5]);
    if (r == 0)
        r = linux_result(splice(in, a[1] != 0 ? &from : NULL, out, a[3] != 0 ? &to : NULL, a[4], (unsigned)a[5]));
    if (r >= 0 && (put_offset(g, a[1], from) != 0 || put_offset(g, a[3], to) != 0))
        return -EFAULT;
    return r;
}

int64_t sys_tee(struct guest *g, const uint64_t *a)
{
    int in = linux_fd(g, a[0]), out = linux_fd(g, a[1]);
    if ((uint32_t)a[3] & ~(uint32_t)(SPLICE_F_MOVE | SPLICE_F_NONBLOCK | SPLICE_F_MORE | SPLICE_F_GIFT))
        return -EINVAL;
    if (in < 0 || out < 0)
        return -EBADF;
    int64_t r = wait_for_both(g, in, out, a[3]);
    return r < 0 ? r : linux_result(tee(in, out, a[2], (unsigned)a[3]));
}

int64_t sys_vmsplice(struct guest *g, const uint64_t *a)
{
    struct iovec vector[LINUX_VECTOR_MAX];
    int fd = linux_fd(g, a[0]);
    if ((uint32_t)a[3] & ~(uint32_t)(SPLICE_F_MOVE | SPLICE_F_NONBLOCK | SPLICE_F_MORE | SPLICE_F_GIFT))
        return -EINVAL;
    if (fd < 0)
        return fd;
    bool reads = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
    int64_t n = linux_get_vector(g, a[1], a[2], reads ? MEM_W : MEM_R, vector);
    int64_t r = n < 0 ? n : a[3] & SPLICE_F_NONBLOCK ? 0 : linux_wait_ready(g, fd, reads ? POLLIN : POLLOUT);
    return r < 0 ? r : linux_result(vmsplice(fd, vector, (size_t)n, (unsigned)a[3]));
}

int64_t sys_copy_file_range(struct guest *g, const uint64_t *a)
{
    off_t from = 0, to = 0;
    int in = linux_fd(g, a[0]), out = linux_fd(g, a[2]);
    if (in < 0 || out < 0)
        return -EBADF;
    int64_t r = get_offset(g, in, a[1], &from);
    if (r == 0)
        r = get_offset(g, out, a[3], &to);
    if (r < 0)
        return r;
    ssize_t n = copy_file_range(in, a[1] != 0 ? &from : NULL, out, a[3] != 0 ? &to : NULL, a[4], (unsigned)a[5]);
    if (n < 0)
        return -errno;
    return put_offset(g, a[1], from) != 0 || put_offset(g, a[3], to) != 0 ? -EFAULT : n;
}
