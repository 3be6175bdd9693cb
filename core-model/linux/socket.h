/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of calls on sockets, messages and descriptors. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_SOCKET_H
#define CORE_MODEL_LINUX_SOCKET_H

#include <sys/socket.h>

#include "core-model/linux/guest.h"

/* In socket_address.c: addresses, in which the name of a Unix socket in the file system is the guest's for the guest
 * and the host's for the host. `follows`: a link at the end of the name is followed. 0 or a negative error number. */
int64_t linux_get_address(struct guest *g, uint64_t addr, uint32_t *size_bytes, bool follows,
                          struct sockaddr_storage *out);
/* Replaces the host's name by the guest's. */
void linux_name_address(const struct guest *g, struct sockaddr_storage *address, uint32_t *size_bytes);
/* Whether the socket accepts connections; then a call that receives does not wait, but fails. */
bool linux_socket_listens(int host_fd);
/* Whether close waits until what was sent has arrived. At the end of a process it does not. */
bool linux_socket_lingers(int host_fd);
void linux_socket_end(int host_fd);
/* Whether calls on the socket wait. The flag is that of its descriptors in other processes too, so it is changed for a
 * moment alone. */
void linux_socket_set_waiting(int host_fd, bool waits);
/* In poll.c: the time-out that the guest has set for calls on a socket; UINT64_MAX: none, or one of decades, or no
 * socket. */
uint64_t linux_socket_timeout_ns(int host_fd, short events);
/* In message.c: sends, and raises SIGPIPE where the host would. */
int64_t linux_send_message(struct guest *g, int host_fd, struct msghdr *host, uint64_t flags);

#endif
