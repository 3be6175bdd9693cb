/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source: tcp(7), getaddrinfo(3), fcntl(2) for F_SETSIG. */
#include "core-model/gdb/link.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/listener.h"

enum { BACKLOG = 1, PORT_MAX = 65535 };

/* ---- the places ---- */

/* The guest's standard streams: it reads nothing, and writes to standard error. */
static enum status open_stdio(struct gdb_link *l, struct errmsg *err)
{
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    l->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    l->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const bool done = null >= 0 && l->in >= 0 && l->out >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
                      dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    const int error = errno;
    if (null >= 0)
        (void)close(null);
    return done ? ST_OK : fail(err, ST_IO, "--gdb -: %s", strerror(error));
}

static enum status gdb_link_listening(enum status st, const char *where, const struct errmsg *why, struct errmsg *err)
{
    return st == ST_OK ? ST_OK : fail(err, st, "--gdb %s: %s", where, why->text);
}

static enum status open_unix(struct gdb_link *l, const char *path, struct errmsg *err)
{
    struct errmsg why;
    enum status st = gdb_link_listening(listener_open_unix(&l->listener, path, BACKLOG, &why), path, &why, err);
    if (st != ST_OK)
        return st;
    l->path = xstrdup(path);
    l->place = xstrdup(path);
    return ST_OK;
}

static enum status listen_tcp(struct gdb_link *l, const char *host, const char *port, const char *where,
                              struct errmsg *err)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *found;
    struct errmsg why;
    const int error = getaddrinfo(host, port, &hints, &found);
    if (error != 0)
        return fail(err, ST_INPUT, "--gdb %s: %s", where, gai_strerror(error));
    enum status st = listener_open(&l->listener, found->ai_addr, found->ai_addrlen, BACKLOG, &why);
    freeaddrinfo(found);
    return gdb_link_listening(st, where, &why, err);
}

static bool is_number(const char *text)
{
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0' && strlen(text) <= 5 && atoi(text) <= PORT_MAX;
}

static enum status open_tcp(struct gdb_link *l, const char *where, struct errmsg *err)
{
    const char *colon = strrchr(where, ':'), *port = colon != NULL ? colon + 1 : where;
    if (!is_number(port))
        return fail(err, ST_INPUT, "--gdb %s: expected PORT, HOST:PORT, the path of a socket with a slash in it, or -",
                    where);
    const size_t length = colon != NULL ? (size_t)(colon - where) : 0;
    const bool brackets = length >= 2 && where[0] == '[' && colon[-1] == ']';
    char *host = length == 0 ? xstrdup("127.0.0.1")
                 : brackets  ? xasprintf("%.*s", (int)length - 2, where + 1)
                             : xasprintf("%.*s", (int)length, where);
    enum status st = listen_tcp(l, host, port, where, err);
    if (st == ST_OK)
        l->place = xasprintf(brackets ? "[%s]:%u" : "%s:%u", host, listener_port(l->listener));
    free(host);
    return st;
}

enum status gdb_link_open(struct gdb_link *l, const char *where, struct errmsg *err)
{
    *l = (struct gdb_link){.listener = -1, .in = -1, .out = -1};
    return strcmp(where, "-") == 0      ? open_stdio(l, err)
           : strchr(where, '/') != NULL ? open_unix(l, where, err)
                                        : open_tcp(l, where, err);
}

/* Waits for input; false: interrupted. SIGINT is blocked except in ppoll, so that none comes between test and wait. */
static bool await_input(const struct gdb_link *l, int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    sigset_t interrupt, before;
    bool is_ready = false;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    (void)sigprocmask(SIG_BLOCK, &interrupt, &before);
    while (!is_ready && (l->interrupted == NULL || *l->interrupted == 0))
        is_ready = ppoll(&p, 1, NULL, &before) > 0 || errno != EINTR;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return is_ready;
}

enum status gdb_link_accept(struct gdb_link *l, struct errmsg *err)
{
    const int on = 1;
    if (l->listener < 0)
        return ST_OK;
    int fd;
    do {
        if (!await_input(l, l->listener))
            return ST_OK;
        fd = accept4(l->listener, NULL, NULL, SOCK_CLOEXEC);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return fail(err, ST_IO, "--gdb %s: %s", l->place, strerror(errno));
    (void)close(l->listener);
    l->listener = -1;
    if (l->path == NULL)
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    l->in = l->out = fd;
    return ST_OK;
}

void gdb_link_close(struct gdb_link *l)
{
    if (l->listener >= 0)
        (void)close(l->listener);
    if (l->out >= 0) {
        (void)shutdown(l->out, SHUT_RDWR); /* forked processes of the guest may have it open */
        (void)close(l->out);
    }
    if (l->in >= 0 && l->in != l->out)
        (void)close(l->in);
    if (l->path != NULL)
        (void)unlink(l->path);
    free(l->path);
    free(l->place);
    *l = (struct gdb_link){.listener = -1, .in = -1, .out = -1};
}

/* ---- bytes ---- */

int gdb_link_read(struct gdb_link *l)
{
    if (l->taken_bytes == l->received_bytes) {
        ssize_t n;
        do
            n = l->in >= 0 && await_input(l, l->in) ? read(l->in, l->received, sizeof l->received) : 0;
        while (n < 0 && errno == EINTR);
        l->taken_bytes = 0;
        l->received_bytes = n > 0 ? (size_t)n : 0;
        if (n <= 0)
            return -1;
    }
    return l->received[l->taken_bytes++];
}

bool gdb_link_has_input(const struct gdb_link *l)
{
    struct pollfd p = {.fd = l->in, .events = POLLIN};
    return l->taken_bytes != l->received_bytes || (l->in >= 0 && poll(&p, 1, 0) > 0);
}

bool gdb_link_write(struct gdb_link *l, const void *data, size_t size_bytes)
{
    for (size_t done = 0; done < size_bytes;) {
        const ssize_t n = l->out >= 0 ? write(l->out, (const char *)data + done, size_bytes - done) : 0;
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            return false;
    }
    return true;
}

void gdb_link_set_alert(struct gdb_link *l, bool on)
{
    const int flags = l->in >= 0 ? fcntl(l->in, F_GETFL) : -1;
    if (flags < 0)
        return;
    (void)fcntl(l->in, F_SETOWN, getpid());
    (void)fcntl(l->in, F_SETSIG, SIGINT);
    (void)fcntl(l->in, F_SETFL, on ? flags | O_ASYNC : flags & ~O_ASYNC);
}
