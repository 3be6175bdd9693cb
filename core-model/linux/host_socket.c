/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sockets of the host: what is set for them. */
#include <sys/ioctl.h>

#include "core-model/linux/socket.h"

bool linux_socket_lingers(int host_fd)
{
    struct linger l;
    socklen_t size_bytes = sizeof l;
    return getsockopt(host_fd, SOL_SOCKET, SO_LINGER, &l, &size_bytes) == 0 && l.l_onoff != 0 && l.l_linger > 0;
}

void linux_socket_end(int host_fd)
{
    const struct linger none = {0};
    if (linux_socket_lingers(host_fd))
        (void)setsockopt(host_fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

void linux_socket_set_waiting(int host_fd, bool waits)
{
    int flag = !waits;
    (void)ioctl(host_fd, FIONBIO, &flag);
}

bool linux_socket_listens(int host_fd)
{
    int listens = 0;
    socklen_t size_bytes = sizeof listens;
    return getsockopt(host_fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size_bytes) == 0 && listens != 0;
}
