/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

/* A port can be bound again at once after its last connection. */
static bool listener_bind(int fd, const struct sockaddr *address, socklen_t size_bytes)
{
    const int on = 1;
    if (address->sa_family != AF_UNIX)
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    return bind(fd, address, size_bytes) == 0;
}

enum status listener_open(int *fd, const struct sockaddr *address, socklen_t size_bytes, int backlog,
                          struct errmsg *err)
{
    *fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*fd >= 0 && listener_bind(*fd, address, size_bytes) && listen(*fd, backlog) == 0)
        return ST_OK;
    const int error = errno;
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
    return fail(err, ST_IO, "%s", strerror(error));
}

enum status listener_open_unix(int *fd, const char *path, int backlog, struct errmsg *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *fd = -1;
    if (strlen(path) >= sizeof address.sun_path)
        return fail(err, ST_INPUT, "expected a path of at most %zu bytes", sizeof address.sun_path - 1);
    strcpy(address.sun_path, path);
    return listener_open(fd, (const struct sockaddr *)&address, sizeof address, backlog, err);
}

unsigned listener_port(int fd)
{
    struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
    socklen_t size_bytes = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &size_bytes) != 0)
        return 0;
    return address.ss_family == AF_INET6  ? ntohs(((const struct sockaddr_in6 *)&address)->sin6_port)
           : address.ss_family == AF_INET ? ntohs(((const struct sockaddr_in *)&address)->sin_port)
                                          : 0;
}
