/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sockets, forwarded to the host: addresses, options and flags are equal on all 64-bit hosts. */
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core-model/linux/apart.h"
#include "core-model/linux/at_once.h"
#include "core-model/linux/files.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/socket.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

enum { GUEST_CLOEXEC = 02000000, OPTION_BYTES = 256 };

int64_t sys_socket(struct guest *g, const uint64_t *a)
{
    int fd = socket((int)a[0], (int)a[1] | SOCK_CLOEXEC, (int)a[2]);
    return fd < 0 ? -errno : linux_new_fd(g, fd, 0, (a[1] & GUEST_CLOEXEC) != 0);
}

int64_t sys_socketpair(struct guest *g, const uint64_t *a)
{
    int host[2];
    if (linux_memory(g, a[3], 2 * sizeof(int32_t), MEM_W) == NULL)
        return -EFAULT;
    if (socketpair((int)a[0], (int)a[1] | SOCK_CLOEXEC, (int)a[2], host) != 0)
        return -errno;
    int64_t first = linux_new_fd(g, host[0], 0, (a[1] & GUEST_CLOEXEC) != 0);
    int64_t second = linux_new_fd(g, host[1], 0, (a[1] & GUEST_CLOEXEC) != 0);
    if (first < 0 || second < 0)
        return -EMFILE;
    return linux_put_pair(g, a[3], (uint64_t)first, (uint64_t)second);
}

static int64_t socket_put_address(struct guest *g, uint64_t addr, uint64_t size_addr, struct sockaddr_storage *from,
                                  uint32_t size_bytes)
{
    uint32_t room;
    linux_name_address(g, from, &size_bytes);
    if (linux_get(g, size_addr, &room, sizeof room) != 0)
        return -EFAULT;
    if ((int32_t)room < 0)
        return -EINVAL;
    if (linux_put(g, addr, from, room < size_bytes ? room : size_bytes) != 0)
        return -EFAULT;
    return linux_put(g, size_addr, &size_bytes, sizeof size_bytes);
}

int64_t sys_bind(struct guest *g, const uint64_t *a)
{
    struct sockaddr_storage address;
    uint32_t size_bytes = (uint32_t)a[2];
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : linux_get_address(g, a[1], &size_bytes, false, &address);
    return r < 0 ? r : linux_result(bind(fd, (struct sockaddr *)&address, size_bytes));
}

/* Begins to connect. */
static int64_t connect_at_once(int fd, const struct sockaddr_storage *address, socklen_t size_bytes)
{
    linux_socket_set_waiting(fd, false);
    int64_t r = linux_result(connect(fd, (const struct sockaddr *)address, size_bytes));
    linux_socket_set_waiting(fd, true);
    return r;
}

int64_t sys_connect(struct guest *g, const uint64_t *a)
{
    struct sockaddr_storage address;
    uint32_t size_bytes = (uint32_t)a[2];
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : linux_get_address(g, a[1], &size_bytes, true, &address);
    if (r < 0)
        return r;
    if (!linux_file_waits(fd, FILE_SOCKET) || linux_file_kind(fd) != FILE_SOCKET)
        return linux_result(connect(fd, (struct sockaddr *)&address, size_bytes));
    uint64_t *begun = &g->thread->call.done;
    if (g->thread->call.apart == NULL) {
        r = connect_at_once(fd, &address, size_bytes);
        if (r != -EINPROGRESS && r != -EALREADY && r != -EAGAIN)
            return r;
        *begun = r == -EINPROGRESS;
    }
    r = linux_call_apart(g, &(struct linux_host_call){.number = SYS_connect,
                                                      .a = {fd, 0, (long)size_bytes},
                                                      .in_data = 1 << 1,
                                                      .data = &address,
                                                      .data_bytes = sizeof address});
    if (r == -EALREADY && *begun)
        return -EINPROGRESS; /* at the end of the socket's time-out */
    return r == -LINUX_RESTART && linux_socket_timeout_ns(fd, POLLOUT) != UINT64_MAX ? -EINTR : r;
}

int64_t sys_listen(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd : linux_result(listen(fd, (int)a[1]));
}

/* Written by the host when it accepts a connection. */
struct peer {
    struct sockaddr_storage address;
    socklen_t size_bytes;
};

/* Another process of the guest may accept the connection that is ready: then the host's call waits. */
static int64_t accept_on_host(struct guest *g, int fd, int flags, struct peer *peer)
{
    peer->size_bytes = sizeof peer->address;
    if ((!g->task->is_child && !g->task->has_children) || !linux_file_waits(fd, FILE_SOCKET))
        return linux_result(accept4(fd, (struct sockaddr *)&peer->address, &peer->size_bytes, flags));
    int64_t r = linux_call_apart(g, &(struct linux_host_call){.number = SYS_accept4,
                                                              .a = {fd, 0, offsetof(struct peer, size_bytes), flags},
                                                              .in_data = 1 << 1 | 1 << 2,
                                                              .data = peer,
                                                              .data_bytes = sizeof *peer,
                                                              .gives_fd = true});
    return r == -LINUX_RESTART && linux_socket_timeout_ns(fd, POLLIN) != UINT64_MAX ? -EINTR : r;
}

int64_t sys_accept4(struct guest *g, const uint64_t *a)
{
    struct peer peer = {0};
    int fd = linux_fd(g, a[0]);
    if (fd >= 0 && ((uint32_t)a[3] & ~(uint32_t)(SOCK_NONBLOCK | SOCK_CLOEXEC)) != 0)
        return -EINVAL;
    bool waits = fd >= 0 && linux_socket_listens(fd) && g->thread->call.apart == NULL;
    int64_t r = fd < 0 ? fd : waits ? linux_wait_ready(g, fd, POLLIN) : 0;
    if (r == 0 && waits && !linux_has_free_fd(g))
        r = -EMFILE; /* the connection stays in the queue */
    if (r == 0)
        r = accept_on_host(g, fd, (int)a[3] | SOCK_CLOEXEC, &peer);
    if (r < 0)
        return r;
    int new_fd = (int)r;
    r = a[1] != 0 ? socket_put_address(g, a[1], a[2], &peer.address, peer.size_bytes) : 0;
    if (r < 0) {
        close(new_fd);
        return r;
    }
    return linux_new_fd(g, new_fd, 0, (a[3] & GUEST_CLOEXEC) != 0);
}

int64_t sys_accept(struct guest *g, const uint64_t *a)
{
    const uint64_t args[4] = {a[0], a[1], a[2], 0};
    return sys_accept4(g, args);
}

static int64_t give_name(struct guest *g, const uint64_t *a, int (*get)(int, struct sockaddr *, socklen_t *))
{
    struct sockaddr_storage address;
    socklen_t size_bytes = sizeof address;
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    return get(fd, (struct sockaddr *)&address, &size_bytes) != 0
               ? -errno
               : socket_put_address(g, a[1], a[2], &address, size_bytes);
}

int64_t sys_getsockname(struct guest *g, const uint64_t *a) { return give_name(g, a, getsockname); }
int64_t sys_getpeername(struct guest *g, const uint64_t *a) { return give_name(g, a, getpeername); }

int64_t sys_sendto(struct guest *g, const uint64_t *a)
{
    struct sockaddr_storage address;
    int fd = linux_fd(g, a[0]);
    struct iovec whole = {linux_memory(g, a[1], a[2], MEM_R), a[2]};
    struct msghdr host = {.msg_iov = &whole, .msg_iovlen = 1};
    if (fd < 0 || whole.iov_base == NULL)
        return fd < 0 ? fd : -EFAULT;
    if (a[4] != 0) {
        uint32_t size_bytes = (uint32_t)a[5];
        int64_t r = linux_get_address(g, a[4], &size_bytes, true, &address);
        if (r < 0)
            return r;
        host.msg_name = &address, host.msg_namelen = size_bytes;
    }
    return linux_send_message(g, fd, &host, a[3]);
}

/* A receipt into one buffer. */
struct receipt {
    int fd, flags;
    char *p;
    size_t size_bytes;
    struct sockaddr_storage address;
    socklen_t address_bytes;
};

/* Receives behind the first `from` bytes of the buffer. */
static int64_t receive_part(struct guest *g, struct receipt *c, uint64_t from)
{
    const bool waits = linux_receive_waits(c->fd, (unsigned)c->flags);
    int64_t r = waits ? linux_wait_ready(g, c->fd, POLLIN) : 0;
    if (r < 0)
        return r;
    int flags = waits ? (c->flags & ~MSG_WAITALL) | MSG_DONTWAIT : c->flags;
    c->address_bytes = sizeof c->address;
    r = linux_result(
        recvfrom(c->fd, c->p + from, c->size_bytes - from, flags, (struct sockaddr *)&c->address, &c->address_bytes));
    return r == -EAGAIN && waits ? linux_wait_again(g) : r; /* another process has received what was there */
}

static int64_t receive_all(struct guest *g, struct receipt *c)
{
    uint64_t *done = &g->thread->call.done;
    while (*done < c->size_bytes) {
        int64_t r = receive_part(g, c, *done);
        if (r == -LINUX_BLOCK || (r <= 0 && *done == 0))
            return r;
        if (r <= 0)
            break;
        *done += (uint64_t)r;
    }
    return (int64_t)*done;
}

int64_t sys_recvfrom(struct guest *g, const uint64_t *a)
{
    struct receipt c = {
        .fd = linux_fd(g, a[0]), .flags = (int)a[3], .p = linux_memory(g, a[1], a[2], MEM_W), .size_bytes = a[2]};
    if (c.fd < 0 || c.p == NULL)
        return c.fd < 0 ? c.fd : -EFAULT;
    int64_t n = linux_socket_fills(c.fd, a[3]) ? receive_all(g, &c) : receive_part(g, &c, 0);
    int64_t r = n >= 0 && a[4] != 0 ? socket_put_address(g, a[4], a[5], &c.address, c.address_bytes) : 0;
    return r < 0 ? r : n;
}

/* Whether the option's value is data alone. Others hold addresses, which the host would take for its own: it would read
 * or write memory of the emulator there. Excluded of the levels that are known are filters and tables of packets, and
 * receipt without a copy. The host counts the value of SO_GET_FILTER in instructions, not in bytes. The host's
 * descriptors of peers are those of a kernel after 6.1. */
static bool is_data(uint64_t level, uint64_t option)
{
    enum { PASS_PIDFD = 76, PEER_PIDFD = 77 };
    enum { PACKET_TABLES = 64 /* IPT_SO_SET_REPLACE, as IP6T_; the highest option of SOL_IP is lower */ };
    switch ((int)level) {
    case SOL_SOCKET:
        return (int)option != SO_ATTACH_FILTER && (int)option != SO_ATTACH_REUSEPORT_CBPF &&
               (int)option != PASS_PIDFD && (int)option != PEER_PIDFD;
    case IPPROTO_TCP:
        return (int)option != TCP_ZEROCOPY_RECEIVE;
    case IPPROTO_IP:
    case IPPROTO_RAW:
        return (uint32_t)option < PACKET_TABLES;
    case IPPROTO_IPV6:
        return (int)option != PACKET_TABLES;
    case IPPROTO_UDP:
    case IPPROTO_ICMPV6:
    case SOL_NETLINK:
        return true;
    default:
        return false;
    }
}

int64_t sys_setsockopt(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if (fd >= 0 && !is_data(a[1], a[2]))
        return -ENOPROTOOPT;
    if (fd >= 0 && (int32_t)a[4] < 0)
        return -EINVAL;
    const void *p = linux_memory(g, a[3], (uint32_t)a[4], MEM_R);
    if (fd < 0 || p == NULL)
        return fd < 0 ? fd : -EFAULT;
    return linux_result(setsockopt(fd, (int)a[1], (int)a[2], p, (socklen_t)a[4]));
}

int64_t sys_getsockopt(struct guest *g, const uint64_t *a)
{
    _Alignas(8) char value[OPTION_BYTES] = {0};
    socklen_t size_bytes;
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    if (!is_data(a[1], a[2]))
        return -ENOPROTOOPT;
    if (linux_get(g, a[4], &size_bytes, sizeof size_bytes) != 0)
        return -EFAULT;
    if ((int32_t)size_bytes < 0)
        return -EINVAL;
    if (size_bytes > sizeof value)
        size_bytes = sizeof value;
    if (getsockopt(fd, (int)a[1], (int)a[2], value, &size_bytes) != 0)
        return -errno;
    if (a[1] == SOL_SOCKET && a[2] == SO_PEERCRED && size_bytes >= sizeof(struct ucred)) {
        struct ucred *peer = (struct ucred *)(void *)value;
        peer->pid = (pid_t)linux_guest_pid(g, peer->pid);
    }
    return linux_put(g, a[3], value, size_bytes) != 0 ? -EFAULT : linux_put(g, a[4], &size_bytes, sizeof size_bytes);
}

int64_t sys_shutdown(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd : linux_result(shutdown(fd, (int)a[1]));
}
