/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls that read and write open files. A range of the guest's memory that is not accessible as a whole is
 * passed to the host with an inaccessible end, so the host's kernel transfers the part that Linux transfers. */
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core-model/linux/apart.h"
#include "core-model/linux/at_once.h"
#include "core-model/linux/event_fd.h"
#include "core-model/linux/files.h"
#include "core-model/linux/job_control.h"
#include "core-model/linux/procfs.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

enum { NO_FLAGS = 0 };

static int64_t finish_write(struct guest *g, int64_t r)
{
    if (r == -EPIPE)
        linux_raise(g, SIGPIPE);
    return r;
}

/* Fills the vector from the seeded generator, so runs are repeatable. */
static int64_t read_random(struct guest *g, const struct iovec *vector, int64_t count)
{
    uint8_t part[MEM_PAGE_BYTES];
    uint64_t size_bytes = 0, done = 0;
    for (int64_t i = 0; i < count; i++)
        size_bytes += vector[i].iov_len;
    for (uint64_t n; done < size_bytes; done += n) {
        n = size_bytes - done < sizeof part ? size_bytes - done : sizeof part;
        random_fill(&g->task->random, part, n);
        if (!linux_scatter(vector, count, done, part, n))
            return done > 0 ? (int64_t)done : -EFAULT;
    }
    return (int64_t)done;
}

/* The flags of a file of which other processes may have a descriptor are not changed, even for a moment. */
static enum linux_file_kind transfer_find_kind(const struct guest *g, int host_fd)
{
    const enum linux_file_kind kind = linux_file_kind(host_fd);
    return kind == FILE_OWN && (g->task->is_child || g->task->has_children) ? FILE_OTHER : kind;
}

/* `number` is that of readv or writev. `is_short`: the file was ready. */
static int64_t move_apart(struct guest *g, long number, int host_fd, const struct iovec *vector, int64_t count,
                          bool is_short)
{
    return linux_call_apart(g, &(struct linux_host_call){.number = number,
                                                         .a = {host_fd, 0, (long)count},
                                                         .in_data = 1 << 1,
                                                         .data = (void *)vector,
                                                         .data_bytes = (size_t)count * sizeof *vector,
                                                         .is_short = is_short});
}

/* Reads when there is input. -EOPNOTSUPP: the host's call may wait all the same. */
static int64_t read_ready(struct guest *g, int host_fd, enum linux_file_kind kind, const struct iovec *vector,
                          int64_t count)
{
    int64_t r = linux_wait_ready(g, host_fd, POLLIN);
    if (r < 0)
        return r; /* -EAGAIN: the end of the socket's time-out */
    r = linux_read_at_once(host_fd, kind, vector, count);
    return r == -EAGAIN ? linux_wait_again(g) : r; /* another process has read what was there */
}

int64_t linux_read_host(struct guest *g, int host_fd, const struct iovec *vector, int64_t count)
{
    const enum linux_file_kind kind = transfer_find_kind(g, host_fd);
    const struct msghdr whole = {.msg_iov = (struct iovec *)vector, .msg_iovlen = (size_t)count};
    int64_t allowed = g->thread->call.apart == NULL && kind == FILE_TERMINAL && linux_vector_bytes(&whole) > 0
                          ? linux_check_foreground(g, host_fd, SIGTTIN)
                          : 0;
    if (allowed < 0)
        return allowed;
    if (!linux_file_waits(host_fd, kind) || linux_vector_bytes(&whole) == 0)
        return linux_result(readv(host_fd, vector, (int)count));
    const bool is_input = kind != FILE_TERMINAL || linux_terminal_reads_input(host_fd);
    int64_t r = -EOPNOTSUPP;
    if (g->thread->call.apart == NULL && is_input)
        r = read_ready(g, host_fd, kind, vector, count);
    return r == -EOPNOTSUPP ? move_apart(g, SYS_readv, host_fd, vector, count, is_input) : r;
}

static int64_t read_vector(struct guest *g, uint64_t fd, const struct iovec *vector, int64_t count)
{
    if (g->files->fd_random[(uint32_t)fd])
        return read_random(g, vector, count);
    if (g->files->event[(uint32_t)fd] != NULL)
        return linux_event_read(g, (uint32_t)fd, vector, count);
    return linux_read_host(g, linux_fd(g, fd), vector, count);
}

int64_t sys_read(struct guest *g, const uint64_t *a)
{
    struct iovec span[LINUX_SPAN_PARTS] = {0};
    bool whole;
    int fd = linux_fd(g, a[0]);
    int64_t n = fd < 0 ? fd : linux_get_span(g, a[1], a[2], MEM_W, span, &whole);
    return n < 0 ? n : read_vector(g, a[0], span, n);
}

int64_t sys_readv(struct guest *g, const uint64_t *a)
{
    struct iovec vector[LINUX_VECTOR_MAX] = {0};
    int fd = linux_fd(g, a[0]);
    int64_t n = fd < 0 ? fd : linux_get_vector(g, a[1], a[2], MEM_W, vector);
    return n < 0 ? n : read_vector(g, a[0], vector, n);
}

/* Writes what there is room for; to a file that has no such form of the call, as much as it takes until a signal. */
static int64_t write_part(struct guest *g, int fd, enum linux_file_kind kind, const struct msghdr *m)
{
    int64_t r = -EOPNOTSUPP;
    if (g->thread->call.apart == NULL) {
        r = linux_wait_ready(g, fd, POLLOUT);
        if (r < 0)
            return r; /* -EAGAIN: the end of the socket's time-out */
        r = linux_write_at_once(fd, kind, m);
        if (r == -EAGAIN) /* a counter is ready when it has room for 1, which may be too little */
            r = kind == FILE_OWN ? -EOPNOTSUPP : linux_wait_again(g);
    }
    return r == -EOPNOTSUPP ? move_apart(g, SYS_writev, fd, m->msg_iov, (int64_t)m->msg_iovlen, true) : r;
}

/* Writes the vector's rest, of which call.done bytes are written, in parts as there is room: other threads run between
 * them, and signals arrive. */
static int64_t write_parts(struct guest *g, int fd, enum linux_file_kind kind, struct iovec *vector, int64_t count)
{
    uint64_t *done = &g->thread->call.done;
    struct msghdr m = {.msg_iov = vector, .msg_iovlen = (size_t)count};
    linux_vector_skip(&m, *done);
    for (uint64_t left = linux_vector_bytes(&m);;) {
        int64_t r = write_part(g, fd, kind, &m);
        r = kind == FILE_PIPE || *done == 0 ? finish_write(g, r) : r;
        if (r == -LINUX_BLOCK || (r < 0 && *done == 0))
            return r;
        *done += r > 0 ? (uint64_t)r : 0;
        if (r <= 0 || (uint64_t)r >= left)
            return (int64_t)*done;
        left -= (uint64_t)r;
        linux_vector_skip(&m, (uint64_t)r);
    }
}

/* Each element is a name of the thread, as Linux writes each to the file on its own. */
static int64_t transfer_write_names(struct guest *g, uint32_t guest_fd, const struct iovec *vector, int64_t count)
{
    int64_t done = 0;
    for (int64_t i = 0; i < count; i++) {
        const struct iovec *v = &vector[i];
        if (v->iov_len == 0)
            continue;
        int64_t r = v->iov_base != LINUX_NOWHERE ? linux_proc_write_name(g, guest_fd, v->iov_base, v->iov_len)
                                                 : -EFAULT;
        if (r < 0)
            return done > 0 ? done : r;
        done += r;
    }
    return done;
}

void guest_before_output(struct guest *g, void (*call)(void *ctx), void *ctx)
{
    g->files->before_output = call;
    g->files->before_output_ctx = ctx;
    g->files->follows_lines = true;
}

bool guest_in_line(const struct guest *g) { return g->files->in_line; }

/* The guest has written the first `bytes` bytes of the vector; negative: none. */
static void follow_line(struct guest *g, int fd, const struct iovec *vector, int64_t bytes)
{
    if (!g->files->follows_lines || bytes <= 0 || isatty(fd) == 0)
        return;
    for (; (uint64_t)bytes > vector->iov_len; vector++)
        bytes -= (int64_t)vector->iov_len;
    g->files->in_line = ((const char *)vector->iov_base)[bytes - 1] != '\n';
}

static void prepare_terminal(struct guest *g, int fd)
{
    void (*call)(void *ctx) = g->files->before_output;
    if (call == NULL || isatty(fd) == 0)
        return;
    g->files->before_output = NULL;
    call(g->files->before_output_ctx);
}

static int64_t write_vector(struct guest *g, uint32_t guest_fd, struct iovec *vector, int64_t count)
{
    int fd = linux_fd(g, guest_fd);
    const struct msghdr whole = {.msg_iov = vector, .msg_iovlen = (size_t)count};
    const bool empty = linux_vector_bytes(&whole) == 0;
    const enum linux_file_kind kind = transfer_find_kind(g, fd);
    if (linux_event_unwritable(g, guest_fd))
        return -EINVAL;
    if (!empty && g->files->fd_name[guest_fd] != 0)
        return transfer_write_names(g, guest_fd, vector, count);
    int64_t allowed = kind == FILE_TERMINAL && !empty && linux_waited(g) == NULL ? linux_check_output(g, fd) : 0;
    if (allowed < 0)
        return allowed;
    prepare_terminal(g, fd);
    int64_t r = !empty && linux_file_waits(fd, kind) ? write_parts(g, fd, kind, vector, count)
                                                     : finish_write(g, linux_result(writev(fd, vector, (int)count)));
    follow_line(g, fd, vector, r);
    return r;
}

int64_t sys_write(struct guest *g, const uint64_t *a)
{
    struct iovec span[LINUX_SPAN_PARTS] = {0};
    bool whole;
    int fd = linux_fd(g, a[0]);
    int64_t n = fd < 0 ? fd : linux_get_span(g, a[1], a[2], MEM_R, span, &whole);
    return n < 0 ? n : write_vector(g, (uint32_t)a[0], span, n);
}

int64_t sys_writev(struct guest *g, const uint64_t *a)
{
    struct iovec vector[LINUX_VECTOR_MAX] = {0};
    int fd = linux_fd(g, a[0]);
    int64_t n = fd < 0 ? fd : linux_get_vector(g, a[1], a[2], MEM_R, vector);
    return n < 0 ? n : write_vector(g, (uint32_t)a[0], vector, n);
}

static int64_t read_at(struct guest *g, uint64_t fd, const struct iovec *vector, int64_t count, uint64_t offset,
                       uint64_t flags)
{
    if (g->files->fd_random[(uint32_t)fd])
        return read_random(g, vector, count);
    return linux_result(preadv2(linux_fd(g, fd), vector, (int)count, (off_t)offset, (int)flags));
}

int64_t sys_pread64(struct guest *g, const uint64_t *a)
{
    struct iovec span[LINUX_SPAN_PARTS] = {0};
    bool whole;
    int fd = linux_fd(g, a[0]);
    if ((int64_t)a[3] < 0)
        return -EINVAL;
    int64_t n = fd < 0 ? fd : linux_get_span(g, a[1], a[2], MEM_W, span, &whole);
    return n < 0 ? n : read_at(g, a[0], span, n, a[3], NO_FLAGS);
}

int64_t sys_pwrite64(struct guest *g, const uint64_t *a)
{
    struct iovec span[LINUX_SPAN_PARTS] = {0};
    bool whole;
    int fd = linux_fd(g, a[0]);
    if ((int64_t)a[3] < 0)
        return -EINVAL;
    int64_t n = fd < 0 ? fd : linux_get_span(g, a[1], a[2], MEM_R, span, &whole);
    return n < 0 ? n : finish_write(g, linux_result(pwritev(fd, span, (int)n, (off_t)a[3])));
}

int64_t sys_preadv(struct guest *g, const uint64_t *a)
{
    const uint64_t args[6] = {a[0], a[1], a[2], a[3], 0, NO_FLAGS};
    return (int64_t)a[3] < 0 ? -EINVAL : sys_preadv2(g, args);
}

int64_t sys_pwritev(struct guest *g, const uint64_t *a)
{
    const uint64_t args[6] = {a[0], a[1], a[2], a[3], 0, NO_FLAGS};
    return (int64_t)a[3] < 0 ? -EINVAL : sys_pwritev2(g, args);
}

/* Whether a transfer at the file's position may wait: the flags, but for RWF_NOWAIT, are about files that do not. */
static bool is_wait(int fd, uint64_t flags)
{
    const uint64_t others = RWF_HIPRI | RWF_DSYNC | RWF_SYNC | RWF_APPEND;
    return fd >= 0 && (flags & ~others) == 0 && linux_file_waits(fd, linux_file_kind(fd));
}

/* RWF_ flags are equal on all hosts. Offset -1 is the file's position. */
int64_t sys_preadv2(struct guest *g, const uint64_t *a)
{
    struct iovec vector[LINUX_VECTOR_MAX] = {0};
    int fd = linux_fd(g, a[0]);
    if ((int64_t)a[3] == -1 && (a[5] == NO_FLAGS || is_wait(fd, a[5])))
        return sys_readv(g, a);
    if ((int64_t)a[3] < -1)
        return -EINVAL;
    int64_t n = fd < 0 ? fd : linux_get_vector(g, a[1], a[2], MEM_W, vector);
    return n < 0 ? n : read_at(g, a[0], vector, n, a[3], a[5]);
}

int64_t sys_pwritev2(struct guest *g, const uint64_t *a)
{
    struct iovec vector[LINUX_VECTOR_MAX] = {0};
    int fd = linux_fd(g, a[0]);
    if ((int64_t)a[3] == -1 && (a[5] == NO_FLAGS || is_wait(fd, a[5])))
        return sys_writev(g, a);
    if ((int64_t)a[3] < -1)
        return -EINVAL;
    int64_t n = fd < 0 ? fd : linux_get_vector(g, a[1], a[2], MEM_R, vector);
    return n < 0 ? n : finish_write(g, linux_result(pwritev2(fd, vector, (int)n, (off_t)a[3], (int)a[5])));
}
