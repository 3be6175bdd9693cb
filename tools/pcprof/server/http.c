/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One thread: a request whose answer is being made is suspended, and handled again when a process has ended. Source:
 * libmicrohttpd(3), its manual on external event loops; RFC 9110. */
#include "tools/pcprof/server/http.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ending.h"
#include "base/listener.h"

/* Limits of connections: number for each address, bytes of a request's head, seconds without progress. */
enum { HTTP_BACKLOG = 64, HTTP_CONNECTIONS = 64, HTTP_MEMORY_BYTES = 1 << 15, HTTP_SECONDS = 30, HTTP_DAEMONS = 2 };

struct http {
    struct serve_data *data;
    bool allows_remote;
    char host[256]; /* name of this machine */
    struct MHD_Daemon *daemon[HTTP_DAEMONS];
    unsigned daemons;
    struct http_client *waiting; /* suspended */
};

/* A request. */
struct http_client {
    struct http *http;
    struct MHD_Connection *connection;
    struct serve_request request;
    unsigned status; /* of the request's parsing */
    struct errmsg why;
    uint64_t since; /* moment of its arrival */
    bool has_head;  /* its head has been seen */
    struct http_client *next;
};

static volatile sig_atomic_t http_is_ended;

static bool http_on_signal(int signal, const siginfo_t *info)
{
    (void)info;
    if (signal == SIGINT || signal == SIGTERM)
        http_is_ended = 1;
    return signal == SIGINT || signal == SIGTERM || signal == SIGPIPE;
}

/* ---- requests ---- */

/* The request's target has arrived; the first line alone. */
static void *http_on_target(void *ctx, const char *target, struct MHD_Connection *connection)
{
    struct http_client *c = xcalloc(1, sizeof *c);
    c->http = ctx;
    c->connection = connection;
    c->since = serve_stores_moment(&c->http->data->stores);
    c->status = serve_request_parse(&c->request, target, &c->why);
    return c;
}

static void http_on_completion(void *ctx, struct MHD_Connection *connection, void **client,
                               enum MHD_RequestTerminationCode code)
{
    struct http_client *c = *client;
    (void)ctx, (void)connection, (void)code;
    if (c != NULL)
        serve_request_release(&c->request);
    free(c);
    *client = NULL;
}

static const char *http_header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result http_refuse(struct MHD_Connection *connection, unsigned status, const char *why)
{
    struct MHD_Response *r = serve_line(why);
    if (status == SERVE_NOT_ALLOWED)
        (void)MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    const enum MHD_Result result = MHD_queue_response(connection, status, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result http_answer(struct http_client *c, bool is_head)
{
    struct serve_answer a;
    const struct serve_question q = {.request = &c->request,
                                     .since = c->since,
                                     .has_tags = http_header(c->connection, MHD_HTTP_HEADER_IF_NONE_MATCH),
                                     .is_head = is_head};
    if (!serve_answer(c->http->data, &q, &a)) {
        MHD_suspend_connection(c->connection);
        c->next = c->http->waiting;
        c->http->waiting = c;
        return MHD_YES;
    }
    const enum MHD_Result result = MHD_queue_response(c->connection, a.status, a.response);
    if (!a.is_kept)
        MHD_destroy_response(a.response);
    return result;
}

/* Whether a request announces a content, which no request has that is answered. */
static bool http_has_content(struct MHD_Connection *connection)
{
    const char *bytes = http_header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return (bytes != NULL && strcmp(bytes, "0") != 0) ||
           http_header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL;
}

/* Refuses a request for its headers, or answers it. */
static enum MHD_Result http_check(struct http_client *c, bool is_head, bool is_read, bool has_content)
{
    const struct http *h = c->http;
    struct MHD_Connection *connection = c->connection;
    const char *host = http_header(connection, MHD_HTTP_HEADER_HOST);
    if (host == NULL)
        return http_refuse(connection, SERVE_BAD_REQUEST, "expected the header Host");
    if (!serve_host_is_allowed(host, h->allows_remote, h->host))
        return http_refuse(connection, SERVE_FORBIDDEN,
                           "expected an address of this machine, or localhost, in the header Host");
    if (!serve_site_is_allowed(http_header(connection, "Sec-Fetch-Site"), http_header(connection, "Sec-Fetch-Dest")))
        return http_refuse(connection, SERVE_FORBIDDEN, "expected a request of a page of this server");
    if (!is_read)
        return http_refuse(connection, SERVE_NOT_ALLOWED, "expected the method GET or HEAD");
    if (has_content)
        return http_refuse(connection, SERVE_BAD_REQUEST, "expected a request without content");
    if (c->status != SERVE_OK)
        return http_refuse(connection, c->status, c->why.text);
    return http_answer(c, is_head);
}

/* The head of a request has arrived; later all of it; its connection is no longer suspended. An answer to the head ends
 * the connection, so a content is never read. */
static enum MHD_Result http_on_request(void *ctx, struct MHD_Connection *connection, const char *path,
                                       const char *method, const char *version, const char *upload,
                                       size_t *upload_bytes, void **client)
{
    struct http_client *c = *client;
    const bool is_head = strcmp(method, MHD_HTTP_METHOD_HEAD) == 0, has_content = http_has_content(connection),
               is_read = is_head || strcmp(method, MHD_HTTP_METHOD_GET) == 0, is_first = !c->has_head;
    (void)ctx, (void)path, (void)version, (void)upload, (void)upload_bytes;
    c->has_head = true;
    return is_first && is_read && !has_content ? MHD_YES : http_check(c, is_head, is_read, has_content);
}

/* Has all suspended requests handled again. */
static void http_resume(struct http *h)
{
    struct http_client *next;
    for (struct http_client *c = h->waiting; c != NULL; c = next) {
        next = c->next;
        MHD_resume_connection(c->connection);
    }
    h->waiting = NULL;
}

/* ---- sockets ---- */

/* Takes the socket. */
static enum status http_start_daemon(struct http *h, int fd, struct errmsg *err)
{
    struct MHD_Daemon *d = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, http_on_request, h, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)HTTP_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)HTTP_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HTTP_MEMORY_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_URI_LOG_CALLBACK, http_on_target, h,
        MHD_OPTION_NOTIFY_COMPLETED, http_on_completion, h, MHD_OPTION_END);
    if (d == NULL) {
        close(fd);
        return fail(err, ST_IO, "libmicrohttpd does not start: %s", strerror(errno));
    }
    h->daemon[h->daemons++] = d;
    return ST_OK;
}

static bool http_is_loopback(const struct sockaddr *address)
{
    const void *four = address, *six = address;
    if (address->sa_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)six)->sin6_addr);
    return ntohl(((const struct sockaddr_in *)four)->sin_addr.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET;
}

/* Refuses an address that other machines reach, or warns of it. */
static enum status http_check_address(const struct http *h, const char *address, const struct sockaddr *found,
                                      struct errmsg *err)
{
    if (http_is_loopback(found))
        return ST_OK;
    if (!h->allows_remote)
        return fail(err, ST_INPUT,
                    "expected an address of this machine alone, such as 127.0.0.1; --allow-remote permits "
                    "one that other machines reach");
    fprintf(stderr,
            "pcprof: warning: whoever reaches %s reads the stores: names of functions, files and commands, the "
            "code of programs%s\n",
            address, h->data->with_source ? ", and lines of source files" : "");
    return ST_OK;
}

static enum status http_listen_at(struct http *h, const char *address, unsigned *port, struct errmsg *err)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
    char number[16];
    struct addrinfo *found;
    struct errmsg why;
    int fd = -1;
    snprintf(number, sizeof number, "%u", *port);
    if (getaddrinfo(address, number, &hints, &found) != 0)
        return fail(err, ST_INPUT, "--address: expected an IP address, found '%s'", address);
    enum status st = http_check_address(h, address, found->ai_addr, &why);
    if (st == ST_OK)
        st = listener_open(&fd, found->ai_addr, found->ai_addrlen, HTTP_BACKLOG, &why);
    freeaddrinfo(found);
    if (st != ST_OK)
        return fail(err, st, "%s, port %u: %s", address, *port, why.text);
    *port = listener_port(fd);
    st = http_start_daemon(h, fd, err);
    if (st == ST_OK)
        printf(strchr(address, ':') != NULL ? "http://[%s]:%u/\n" : "http://%s:%u/\n", address, *port);
    return st;
}

/* A socket that this user alone can open. */
static enum status http_listen_unix(struct http *h, const char *path, struct errmsg *err)
{
    struct errmsg why;
    int fd;
    const mode_t mask = umask(S_IRWXG | S_IRWXO);
    enum status st = listener_open_unix(&fd, path, HTTP_BACKLOG, &why);
    (void)umask(mask);
    if (st != ST_OK)
        return fail(err, st, "%s: %s", path, why.text);
    st = http_start_daemon(h, fd, err);
    if (st == ST_OK)
        printf("unix:%s\n", path);
    return st;
}

static enum status http_listen(struct http *h, const struct http_place *place, struct errmsg *err)
{
    unsigned port = place->port;
    struct errmsg no_ipv6;
    if (place->socket != NULL)
        return http_listen_unix(h, place->socket, err);
    if (place->address != NULL)
        return http_listen_at(h, place->address, &port, err);
    enum status st = http_listen_at(h, "127.0.0.1", &port, err);
    if (st == ST_OK)
        (void)!http_listen_at(h, "::1", &port, &no_ipv6);
    return st;
}

/* ---- the loop ---- */

/* The time until the daemons have something to do, in milliseconds; -1: no limit. */
static int http_timeout(const struct http *h)
{
    unsigned long long least = INT32_MAX, one;
    for (unsigned n = 0; n < h->daemons; n++)
        if (MHD_get_timeout(h->daemon[n], &one) == MHD_YES && one < least)
            least = one;
    return least < INT32_MAX ? (int)least : -1;
}

static int http_descriptor(const struct MHD_Daemon *d)
{
    return MHD_get_daemon_info((struct MHD_Daemon *)(uintptr_t)d, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

/* Waits for connections, for processes, or for a signal. Signals are blocked except in ppoll, so that none comes
 * between test and wait. */
static void http_wait(const struct http *h, const sigset_t *unblocked)
{
    const struct serve_work *work[] = {&h->data->stores.work, &h->data->pages.work};
    struct pollfd p[HTTP_DAEMONS + sizeof work / sizeof work[0]];
    nfds_t count = 0;
    for (unsigned n = 0; n < h->daemons; n++)
        p[count++] = (struct pollfd){.fd = http_descriptor(h->daemon[n]), .events = POLLIN};
    for (size_t n = 0; n < sizeof work / sizeof work[0]; n++)
        if (work[n]->process != 0)
            p[count++] = (struct pollfd){.fd = work[n]->said, .events = POLLIN};
    const int timeout = http_timeout(h);
    const struct timespec limit = {.tv_sec = timeout / 1000, .tv_nsec = timeout % 1000 * 1000000L};
    (void)ppoll(p, count, timeout >= 0 ? &limit : NULL, unblocked);
}

static void http_loop(struct http *h, const sigset_t *unblocked)
{
    while (!http_is_ended) {
        http_wait(h, unblocked);
        const bool has_lists = serve_stores_advance(&h->data->stores), has_page = serve_pages_advance(&h->data->pages);
        if (has_lists || has_page)
            http_resume(h);
        for (unsigned n = 0; n < h->daemons; n++)
            (void)MHD_run(h->daemon[n]);
    }
}

enum status http_serve(struct serve_data *data, const struct http_place *place, struct errmsg *err)
{
    struct http h = {.data = data, .allows_remote = place->allows_remote};
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    if (gethostname(h.host, sizeof h.host - 1) != 0)
        h.host[0] = '\0';
    ending_divert(http_on_signal);
    (void)sigprocmask(SIG_BLOCK, &ends, &before);
    enum status st = http_listen(&h, place, err);
    fflush(stdout);
    if (st == ST_OK)
        http_loop(&h, &before);
    http_resume(&h);
    for (unsigned n = 0; n < h.daemons; n++)
        MHD_stop_daemon(h.daemon[n]);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    ending_divert(NULL);
    if (place->socket != NULL && h.daemons > 0)
        (void)unlink(place->socket);
    return st;
}
