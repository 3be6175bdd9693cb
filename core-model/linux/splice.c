/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transfers inside the kernel: splice, vmsplice, tee, copies between files. Flags are equal on all hosts. */
#include <fcntl.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core-model/linux/at_once.h"
#include "core-model/linux/files.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/socket.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

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

enum { KNOWN_FLAGS = SPLICE_F_MOVE | SPLICE_F_NONBLOCK | SPLICE_F_MORE | SPLICE_F_GIFT };

/* The arguments of a call; `in` is -1 for vmsplice to a pipe, `out` for vmsplice from it. */
struct splice_call {
    int in, out;
    off_t *from, *to; /* NULL: at the file's position */
    const struct iovec *vector;
    uint64_t size; /* in bytes; of vmsplice, elements */
    unsigned flags;
    bool copies; /* tee */
};

/* Ends that the call may wait for. */
struct splice_waits {
    int fd[2];                 /* that of the input, of the output; -1: is not waited for */
    int slow;                  /* index of the one that is no pipe, which SPLICE_F_NONBLOCK is not about; -1: none */
    enum linux_file_kind kind; /* of that one */
    bool fails;                /* an end that is not ready, and is not waited for, makes the call fail */
};

static struct splice_waits find_waits(const struct splice_call *c)
{
    struct splice_waits w = {.fd = {-1, -1}, .slow = -1, .fails = (c->flags & SPLICE_F_NONBLOCK) != 0};
    const int ends[] = {c->in, c->out};
    for (int i = 0; i < 2; i++) {
        const enum linux_file_kind kind = ends[i] >= 0 ? linux_file_kind(ends[i]) : FILE_PLAIN;
        /* vmsplice waits for a pipe of any mode. */
        const bool waits = linux_file_waits(ends[i], kind) || (kind == FILE_PIPE && c->vector != NULL);
        if (kind != FILE_PIPE && waits)
            w.slow = i, w.kind = kind;
        w.fails = w.fails || (kind != FILE_PLAIN && !waits);
        w.fd[i] = waits ? ends[i] : -1;
    }
    for (int i = 0; i < 2; i++)
        if (w.fails && i != w.slow)
            w.fd[i] = -1;
    return w;
}

static int64_t splice_perform(const struct splice_call *c)
{
    unsigned flags = c->flags | SPLICE_F_NONBLOCK;
    if (c->vector != NULL)
        return linux_result(vmsplice(c->in >= 0 ? c->in : c->out, c->vector, c->size, flags));
    if (c->copies)
        return linux_result(tee(c->in, c->out, c->size, flags));
    return linux_result(splice(c->in, c->from, c->out, c->to, c->size, flags));
}

/* Variant with an end that is not a pipe. The host would keep the pipe locked while it waits for that end. */
static int64_t perform_slow(const struct splice_call *c, const struct splice_waits *w)
{
    struct splice_call changed = *c;
    int *end = w->slow == 0 ? &changed.in : &changed.out, fd = *end;
    int again = w->kind == FILE_TERMINAL ? linux_open_again(fd, w->slow == 0 ? O_RDONLY : O_WRONLY) : -1;
    if (again >= 0)
        *end = again;
    if (again < 0)
        linux_socket_set_waiting(fd, false);
    int64_t r = splice_perform(&changed);
    if (again < 0)
        linux_socket_set_waiting(fd, true);
    if (again >= 0)
        close(again);
    return r;
}

/* Waits for both ends; a wait for the one does not end because of the other. */
static int64_t wait_for_ends(struct guest *g, const struct splice_waits *w)
{
    int64_t r = w->fd[0] >= 0 ? linux_wait_ready(g, w->fd[0], POLLIN) : 0;
    return r == 0 && w->fd[1] >= 0 ? linux_wait_ready(g, w->fd[1], POLLOUT) : r;
}

static int64_t perform_or_wait(struct guest *g, const struct splice_call *c)
{
    const struct splice_waits w = find_waits(c);
    int64_t r = -EAGAIN;
    for (int tries = w.kind == FILE_OTHER ? 1 : 0; tries < 2; tries++) {
        int64_t ready = tries > 0 ? wait_for_ends(g, &w) : 0;
        if (ready < 0)
            return ready;
        r = w.slow >= 0 ? perform_slow(c, &w) : splice_perform(c);
        if (r != -EAGAIN)
            return r;
    }
    return w.fails ? r : linux_wait_again(g);
}

static bool has_input(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

/* To an end that is no pipe Linux moves as much as the pipe has, and waits for room: here in parts, of which earlier
 * attempts have moved call.done bytes. */
static int64_t move_all(struct guest *g, struct splice_call *c)
{
    uint64_t *done = &g->thread->call.done;
    const uint64_t size_bytes = c->size;
    if (find_waits(c).slow != 1)
        return perform_or_wait(g, c);
    for (;;) {
        c->size = size_bytes - *done;
        int64_t r = *done == 0 || (c->size > 0 && has_input(c->in)) ? perform_or_wait(g, c) : 0;
        if (r == -LINUX_BLOCK || (r < 0 && *done == 0))
            return r;
        *done += r > 0 ? (uint64_t)r : 0;
        if (r <= 0)
            return (int64_t)*done;
    }
}

int64_t sys_splice(struct guest *g, const uint64_t *a)
{
    off_t from = 0, to = 0;
    struct splice_call c = {.in = linux_fd(g, a[0]), .out = linux_fd(g, a[2]), .size = a[4], .flags = (uint32_t)a[5]};
    c.from = a[1] != 0 ? &from : NULL, c.to = a[3] != 0 ? &to : NULL;
    if (a[4] == 0)
        return 0;
    if (c.flags & ~(unsigned)KNOWN_FLAGS)
        return -EINVAL;
    if (c.in < 0 || c.out < 0)
        return -EBADF;
    int64_t r = get_offset(g, c.in, a[1], &from);
    if (r == 0)
        r = get_offset(g, c.out, a[3], &to);
    if (r == 0)
        r = move_all(g, &c);
    if (r >= 0 && (put_offset(g, a[1], from) != 0 || put_offset(g, a[3], to) != 0))
        return -EFAULT;
    return r;
}

int64_t sys_tee(struct guest *g, const uint64_t *a)
{
    const struct splice_call c = {
        .in = linux_fd(g, a[0]), .out = linux_fd(g, a[1]), .size = a[2], .flags = (uint32_t)a[3], .copies = true};
    if (c.flags & ~(unsigned)KNOWN_FLAGS)
        return -EINVAL;
    return c.in < 0 || c.out < 0 ? -EBADF : perform_or_wait(g, &c);
}

int64_t sys_vmsplice(struct guest *g, const uint64_t *a)
{
    struct iovec vector[LINUX_VECTOR_MAX];
    int fd = linux_fd(g, a[0]);
    if ((uint32_t)a[3] & ~(uint32_t)KNOWN_FLAGS)
        return -EINVAL;
    if (fd < 0)
        return fd;
    bool reads = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
    int64_t n = linux_get_vector(g, a[1], a[2], reads ? MEM_W : MEM_R, vector);
    const struct splice_call c = {
        .in = reads ? fd : -1, .out = reads ? -1 : fd, .vector = vector, .size = (uint64_t)n, .flags = (uint32_t)a[3]};
    return n < 0 ? n : perform_or_wait(g, &c);
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
