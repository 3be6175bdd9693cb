/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sockets that wait for connections. Errors are the reason alone: the caller adds what was to be opened. */
#ifndef BASE_LISTENER_H
#define BASE_LISTENER_H

#include <sys/socket.h>

#include "base/status.h"

/* Opens a socket of streams that listens at an address, with room for `backlog` connections that are not accepted yet.
 * The caller closes *fd. ST_IO: the reason of the system. Source: socket(7), ip(7). */
enum status listener_open(int *fd, const struct sockaddr *address, socklen_t size_bytes, int backlog,
                          struct errmsg *err) MUST_USE;
/* The same of a Unix socket, whose file it creates; the caller removes the file. ST_INPUT: the path is too long.
 * Source: unix(7). */
enum status listener_open_unix(int *fd, const char *path, int backlog, struct errmsg *err) MUST_USE;
/* The port of a TCP socket, which the system has chosen if port 0 was asked for; 0: another socket. */
unsigned listener_port(int fd);

#endif
