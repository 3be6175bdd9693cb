/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages with addresses and control data: sendmsg, recvmsg, sendmmsg, recvmmsg. Descriptors and process numbers in
 * control data are translated between guest and host; other control data is equal on all 64-bit hosts. Source:
 * unix(7), cmsg(3), recvmmsg(2). */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>

#include "core-model/linux/at_once.h"
#include "core-model/linux/clock.h"
#include "core-model/linux/files.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/socket.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

enum { CONTROL_BYTES_MAX = 1 << 20, MESSAGE_BYTES = 64, LENGTH_OFFSET = 56 };

/* struct msghdr of the generic 64-bit ABI. */
struct guest_message {
    uint64_t name;
    uint32_t name_bytes, pad1;
    uint64_t vector, vectors, control, control_bytes;
    uint32_t flags, pad2;
};

/* A message in the form of the host. header.msg_control is owned. */
struct host_message {
    struct sockaddr_storage address;
    struct iovec vector[LINUX_VECTOR_MAX];
    struct msghdr header;
};

/* Sends as much as there is room for, and waits for more. */
static int64_t send_parts(struct guest *g, int host_fd, struct msghdr *host, int flags)
{
    uint64_t *done = &g->thread->call.done, size_bytes = linux_vector_bytes(host);
    linux_vector_skip(host, *done);
    for (;;) {
        if (*done > 0)
            host->msg_controllen = 0; /* sent with the first part */
        int64_t r = linux_result(sendmsg(host_fd, host, flags | MSG_DONTWAIT));
        if (r == -EAGAIN)
            r = linux_wait_ready(g, host_fd, POLLOUT);
        else if (r >= 0 && (*done += (uint64_t)r) >= size_bytes)
            return (int64_t)*done;
        else if (r >= 0)
            linux_vector_skip(host, (uint64_t)r);
        if (r == 0) /* ready, but for this message */
            r = linux_wait_again(g);
        if (r < 0)
            return r == -LINUX_BLOCK || *done == 0 ? r : (int64_t)*done;
    }
}

int64_t linux_send_message(struct guest *g, int host_fd, struct msghdr *host, uint64_t flags)
{
    int host_flags = (int)flags | MSG_NOSIGNAL;
    bool waits = !(flags & MSG_DONTWAIT) && linux_file_waits(host_fd, FILE_SOCKET);
    int64_t r = waits ? send_parts(g, host_fd, host, host_flags) : linux_result(sendmsg(host_fd, host, host_flags));
    if (r == -EPIPE && !(flags & MSG_NOSIGNAL))
        linux_raise(g, SIGPIPE);
    return r;
}

static int64_t get_message(struct guest *g, uint64_t addr, unsigned need, struct guest_message *m,
                           struct host_message *host)
{
    int64_t r = linux_get(g, addr, m, sizeof *m);
    if (r < 0)
        return r;
    if (m->vectors > LINUX_VECTOR_MAX)
        return -EMSGSIZE;
    if ((int32_t)m->name_bytes < 0)
        return -EINVAL;
    r = linux_get_vector(g, m->vector, m->vectors, need, host->vector);
    host->header = (struct msghdr){.msg_iov = host->vector, .msg_iovlen = r < 0 ? 0 : (size_t)r};
    if (r >= 0 && m->control != 0 && m->control_bytes != 0) {
        if (m->control_bytes > CONTROL_BYTES_MAX)
            return -ENOBUFS;
        host->header.msg_control = xcalloc(1, m->control_bytes);
        host->header.msg_controllen = m->control_bytes;
    }
    return r < 0 ? r : 0;
}

/* Translates the descriptors and process numbers that the guest sends. */
static int64_t translate_sent(const struct guest *g, struct msghdr *host)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(host); c != NULL; c = CMSG_NXTHDR(host, c)) {
        const uint8_t *end = (const uint8_t *)host->msg_control + host->msg_controllen;
        if (c->cmsg_len < CMSG_LEN(0) || c->cmsg_len > (size_t)(end - (const uint8_t *)c))
            return -EINVAL;
        size_t size_bytes = c->cmsg_len - CMSG_LEN(0);
        if (c->cmsg_level != SOL_SOCKET)
            continue;
        int32_t *number = (int32_t *)(void *)CMSG_DATA(c);
        for (size_t i = 0; c->cmsg_type == SCM_RIGHTS && i < size_bytes / sizeof *number; i++) {
            number[i] = linux_fd(g, (uint64_t)number[i]);
            if (number[i] < 0)
                return -EBADF;
        }
        if (c->cmsg_type == SCM_CREDENTIALS && size_bytes >= sizeof(struct ucred)) {
            int pid = linux_host_pid(g, (uint32_t)number[0]);
            if (pid < 0)
                return -ESRCH;
            number[0] = pid;
        }
    }
    return 0;
}

static int64_t send_one(struct guest *g, int fd, uint64_t addr, uint64_t flags)
{
    struct guest_message m;
    struct host_message host;
    int64_t r = get_message(g, addr, MEM_R, &m, &host);
    void *control = r == 0 ? host.header.msg_control : NULL;
    if (r == 0 && control != NULL) {
        r = linux_get(g, m.control, control, m.control_bytes);
        if (r == 0)
            r = translate_sent(g, &host.header);
    }
    if (r == 0 && m.name != 0) {
        r = linux_get_address(g, m.name, &m.name_bytes, true, &host.address);
        host.header.msg_name = &host.address, host.header.msg_namelen = m.name_bytes;
    }
    if (r == 0)
        r = linux_send_message(g, fd, &host.header, flags);
    free(control);
    return r;
}

/* Gives the guest the descriptors that a message carries. Those for which it has no number are lost, as in Linux. */
static void receive_descriptors(struct guest *g, struct cmsghdr *c, bool cloexec, struct msghdr *host)
{
    int32_t *number = (int32_t *)(void *)CMSG_DATA(c);
    size_t kept = 0, count = (c->cmsg_len - CMSG_LEN(0)) / sizeof *number;
    for (size_t i = 0; i < count; i++) {
        int64_t fd = linux_new_fd(g, number[i], 0, cloexec);
        if (fd >= 0)
            number[kept++] = (int32_t)fd;
    }
    if (kept < count) {
        c->cmsg_len = CMSG_LEN(kept * sizeof *number);
        host->msg_flags |= MSG_CTRUNC;
    }
}

static int64_t put_control(struct guest *g, const struct guest_message *m, struct msghdr *host, bool cloexec)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(host); c != NULL; c = CMSG_NXTHDR(host, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
            receive_descriptors(g, c, cloexec, host);
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS) {
            struct ucred *sender = (struct ucred *)(void *)CMSG_DATA(c);
            sender->pid = (pid_t)linux_guest_pid(g, sender->pid);
        }
    }
    return linux_put(g, m->control, host->msg_control, host->msg_controllen);
}

/* Gives a received message's address, control data and flags to the guest. */
static int64_t put_message(struct guest *g, uint64_t addr, struct guest_message *m, struct host_message *host,
                           uint64_t flags)
{
    struct msghdr *h = &host->header;
    uint32_t room = m->name_bytes;
    if (m->name != 0) {
        linux_name_address(g, &host->address, &h->msg_namelen);
        if (linux_put(g, m->name, &host->address, room < h->msg_namelen ? room : h->msg_namelen) != 0)
            return -EFAULT;
        m->name_bytes = h->msg_namelen;
    }
    if (h->msg_control != NULL && put_control(g, m, h, (flags & MSG_CMSG_CLOEXEC) != 0) != 0)
        return -EFAULT;
    m->control_bytes = h->msg_controllen;
    m->flags = (uint32_t)h->msg_flags & ~(uint32_t)(flags & MSG_CMSG_CLOEXEC ? 0 : MSG_CMSG_CLOEXEC);
    return linux_put(g, addr, m, sizeof *m);
}

static int64_t receive_one(struct guest *g, int fd, uint64_t addr, uint64_t flags)
{
    struct guest_message m;
    struct host_message host;
    int64_t r = get_message(g, addr, MEM_W, &m, &host);
    void *control = r == 0 ? host.header.msg_control : NULL;
    const bool waits = linux_receive_waits(fd, flags);
    if (r == 0 && waits)
        r = linux_wait_ready(g, fd, POLLIN);
    if (r == 0) {
        int host_flags = waits ? ((int)flags & ~MSG_WAITALL) | MSG_DONTWAIT : (int)flags;
        host.header.msg_name = &host.address, host.header.msg_namelen = sizeof host.address;
        r = linux_result(recvmsg(fd, &host.header, host_flags | MSG_CMSG_CLOEXEC));
        r = r == -EAGAIN && waits ? linux_wait_again(g) : r; /* another process has received what was there */
    }
    if (r >= 0 && put_message(g, addr, &m, &host, flags) != 0)
        r = -EFAULT;
    free(control);
    return r;
}

/* Receives the rest of a buffer of which call.done bytes are filled: without control data, which come first. */
static int64_t receive_rest(struct guest *g, int fd, uint64_t addr)
{
    struct guest_message m;
    struct host_message host;
    uint64_t *done = &g->thread->call.done;
    int64_t r = get_message(g, addr, MEM_W, &m, &host);
    void *control = r == 0 ? host.header.msg_control : NULL;
    host.header.msg_control = NULL, host.header.msg_controllen = 0;
    linux_vector_skip(&host.header, *done);
    while (r >= 0 && linux_vector_bytes(&host.header) > 0) {
        r = linux_wait_ready(g, fd, POLLIN);
        if (r == 0) {
            r = linux_result(recvmsg(fd, &host.header, MSG_DONTWAIT));
            r = r == -EAGAIN ? linux_wait_again(g) : r;
        }
        if (r <= 0)
            break;
        *done += (uint64_t)r;
        linux_vector_skip(&host.header, (uint64_t)r);
    }
    free(control);
    return r == -LINUX_BLOCK ? r : (int64_t)*done;
}

/* The host's descriptor of a socket, -EBADF or -ENOTSOCK. */
static int socket_fd(const struct guest *g, uint64_t guest_fd)
{
    int type, fd = linux_fd(g, guest_fd);
    socklen_t size_bytes = sizeof type;
    return fd < 0 || getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size_bytes) == 0 ? fd : -errno;
}

int64_t sys_sendmsg(struct guest *g, const uint64_t *a)
{
    int fd = socket_fd(g, a[0]);
    return fd < 0 ? fd : send_one(g, fd, a[1], a[2]);
}

int64_t sys_recvmsg(struct guest *g, const uint64_t *a)
{
    int fd = socket_fd(g, a[0]);
    uint64_t *done = &g->thread->call.done;
    int64_t r = fd < 0 || *done > 0 ? fd : receive_one(g, fd, a[1], a[2]);
    if (fd < 0 || r < 0 || !linux_socket_fills(fd, a[2]))
        return r;
    if (*done == 0 && r == 0)
        return 0;
    *done += *done == 0 ? (uint64_t)r : 0;
    return receive_rest(g, fd, a[1]);
}

/* The result of a call on several messages: their number, unless the first one failed. `done` of the thread's call is
 * kept over attempts by a blocked receiver. */
static int64_t count_done(uint64_t done, int64_t r) { return r == -LINUX_BLOCK || done == 0 ? r : (int64_t)done; }

int64_t sys_sendmmsg(struct guest *g, const uint64_t *a)
{
    int fd = socket_fd(g, a[0]);
    uint64_t count = (uint32_t)a[2] < LINUX_VECTOR_MAX ? (uint32_t)a[2] : LINUX_VECTOR_MAX, done = 0;
    if (fd < 0)
        return fd;
    for (; done < count; done++) {
        uint64_t at = a[1] + done * MESSAGE_BYTES;
        int64_t r = send_one(g, fd, at, a[3] | (done > 0 ? MSG_DONTWAIT : 0)); /* what is sent cannot be sent again */
        const uint32_t length = (uint32_t)r;
        if (r >= 0)
            r = linux_put(g, at + LENGTH_OFFSET, &length, sizeof length);
        if (r < 0)
            return count_done(done, r);
    }
    return (int64_t)done;
}

/* The time-out is examined after each message and does not end a wait, as in Linux. */
int64_t sys_recvmmsg(struct guest *g, const uint64_t *a)
{
    int fd = socket_fd(g, a[0]);
    uint64_t count = (uint32_t)a[2] < LINUX_VECTOR_MAX ? (uint32_t)a[2] : LINUX_VECTOR_MAX;
    uint64_t *done = &g->thread->call.done, timeout_ns = UINT64_MAX, flags = a[3] & ~(uint64_t)MSG_WAITFORONE;
    int64_t r = a[4] != 0 ? linux_get_time(g, a[4], &timeout_ns) : 0;
    if (r < 0 || fd < 0)
        return r < 0 ? r : fd;
    while (*done < count) {
        uint64_t at = a[1] + *done * MESSAGE_BYTES;
        bool at_once = (a[3] & MSG_WAITFORONE) && *done > 0;
        r = receive_one(g, fd, at, flags | (at_once ? MSG_DONTWAIT : 0));
        const uint32_t length = (uint32_t)r;
        if (r >= 0)
            r = linux_put(g, at + LENGTH_OFFSET, &length, sizeof length);
        if (r < 0)
            return count_done(*done, r);
        (*done)++;
        if (timeout_ns == 0)
            break;
    }
    return (int64_t)*done;
}
