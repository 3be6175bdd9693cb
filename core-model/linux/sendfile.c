/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sendfile: from a file that has a position to any other. Source: sendfile(2); Linux fs/read_write.c, fs/splice.c. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core-model/linux/apart.h"
#include "core-model/linux/at_once.h"
#include "core-model/linux/files.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

enum { COPY_BYTES = 65536 };

struct transfer {
    int in, out; /* of the host */
    enum linux_file_kind kind;
    bool is_random; /* the input is a random-number device */
    off_t at;       /* in the input */
    uint64_t left;
};

/* Sends one part as far as there is room; the number of bytes, 0 at the end of the input, or -EAGAIN. */
static int64_t send_part(struct guest *g, struct transfer *t)
{
    char buffer[COPY_BYTES];
    size_t want = t->left < sizeof buffer ? t->left : sizeof buffer;
    struct iovec part = {buffer, want};
    const struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (!t->is_random && t->kind == FILE_PLAIN)
        return linux_result(sendfile(t->out, t->in, &t->at, t->left));
    if (!t->is_random && t->kind == FILE_PIPE)
        return linux_result(splice(t->in, &t->at, t->out, NULL, t->left, SPLICE_F_NONBLOCK));
    if (t->is_random)
        random_fill(&g->task->random, buffer, want);
    int64_t n = t->is_random ? (int64_t)want : linux_result(pread(t->in, buffer, want, t->at));
    if (n <= 0)
        return n;
    part.iov_len = (size_t)n;
    n = g->thread->call.apart == NULL ? linux_write_at_once(t->out, t->kind, &m) : -EOPNOTSUPP;
    if (n == -EOPNOTSUPP)
        n = linux_call_apart(g, &(struct linux_host_call){.number = SYS_write,
                                                          .a = {t->out, 0, (long)part.iov_len},
                                                          .in_data = 1 << 1,
                                                          .data = buffer,
                                                          .data_bytes = part.iov_len,
                                                          .is_short = true});
    t->at += n > 0 ? n : 0;
    return n;
}

/* Waits until there is room, if the output waits. */
static int64_t wait_for_room(struct guest *g, const struct transfer *t)
{
    if (!linux_file_waits(t->out, t->kind))
        return -EAGAIN;
    int64_t r = linux_wait_ready(g, t->out, POLLOUT);
    return r == 0 ? linux_wait_again(g) : r;
}

/* Sends all; to a pipe, what it has room for. call.done bytes are sent by earlier attempts. */
static int64_t send_all(struct guest *g, struct transfer *t, uint64_t size_bytes)
{
    uint64_t *done = &g->thread->call.done;
    for (;;) {
        t->left = size_bytes - *done;
        int64_t r = t->left > 0 ? send_part(g, t) : 0;
        if (r == -EAGAIN)
            r = *done > 0 && t->kind == FILE_PIPE ? 0 : wait_for_room(g, t);
        if (r == -LINUX_BLOCK || (r < 0 && *done == 0))
            return r;
        *done += r > 0 ? (uint64_t)r : 0;
        if (r <= 0)
            return (int64_t)*done;
    }
}

/* Errors of the descriptors, in the order of Linux. */
static int64_t check_ends(const struct transfer *t, bool has_offset)
{
    int in = fcntl(t->in, F_GETFL), out = fcntl(t->out, F_GETFL);
    if ((in & O_ACCMODE) == O_WRONLY)
        return -EBADF;
    bool has_position = lseek(t->in, 0, SEEK_CUR) >= 0;
    if (!has_position && has_offset)
        return -ESPIPE;
    if ((out & O_ACCMODE) == O_RDONLY)
        return -EBADF;
    return !has_position || (out & O_APPEND) ? -EINVAL : 0;
}

/* With an explicit offset the input's file position is unchanged. */
int64_t sys_sendfile(struct guest *g, const uint64_t *a)
{
    struct transfer t = {.in = linux_fd(g, a[1]), .out = linux_fd(g, a[0])};
    off_t start = 0;
    if (a[2] != 0 && linux_get(g, a[2], &start, sizeof start) != 0)
        return -EFAULT;
    if (t.in < 0 || t.out < 0)
        return -EBADF;
    int64_t r = check_ends(&t, a[2] != 0);
    if (r < 0)
        return r;
    t.is_random = g->files->fd_random[(uint32_t)a[1]];
    t.kind = linux_file_kind(t.out);
    if (a[2] == 0)
        start = lseek(t.in, 0, SEEK_CUR) - (off_t)g->thread->call.done;
    t.at = start + (off_t)g->thread->call.done;
    r = send_all(g, &t, a[3]);
    if (r == -EPIPE)
        linux_raise(g, SIGPIPE);
    off_t end = start + (off_t)g->thread->call.done;
    if (a[2] == 0)
        (void)lseek(t.in, end, SEEK_SET);
    return r > 0 && a[2] != 0 && linux_put(g, a[2], &end, sizeof end) != 0 ? -EFAULT : r;
}
