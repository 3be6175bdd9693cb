/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by socket.c and message.c. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_SOCKET_H
#define CORE_MODEL_LINUX_SOCKET_H

#include <sys/socket.h>

#include "core-model/linux/guest.h"

/* 0, -EINVAL or -EFAULT. */
int64_t linux_get_address(struct guest *g, uint64_t addr, uint64_t size_bytes, struct sockaddr_storage *out);
/* Whether the socket accepts connections; then a call that receives does not wait, but fails. */
bool linux_socket_listens(int host_fd);
/* In message.c: sends, and raises SIGPIPE where the host would. */
int64_t linux_send_message(struct guest *g, int host_fd, struct msghdr *host, uint64_t flags);

#endif
