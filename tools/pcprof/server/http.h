/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The HTTP server of pcprof serve: sockets, connections, and the loop that answers, by libmicrohttpd. */
#ifndef TOOLS_PCPROF_SERVER_HTTP_H
#define TOOLS_PCPROF_SERVER_HTTP_H

#include "tools/pcprof/server/answer.h"

/* Where the server listens. */
struct http_place {
    const char *address; /* an IP address; NULL: 127.0.0.1 and, where there is IPv6, ::1 */
    unsigned port;       /* 0: any */
    const char *socket;  /* path of a Unix socket, instead of both; NULL: none */
    bool allows_remote;  /* addresses that other machines reach */
};

/* Listens, prints the URL of each address to standard output, and answers until SIGINT or SIGTERM arrives. Both, and
 * SIGPIPE, are diverted (base/ending.h). ST_INPUT, ST_IO: it cannot listen there. */
enum status http_serve(struct serve_data *data, const struct http_place *place, struct errmsg *err) MUST_USE;

#endif
