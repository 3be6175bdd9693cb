/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What clients of pcprof serve send: the target of a request, its headers. Nothing of it
 * becomes a path: a store is found by comparison of its name. Source: RFC 9110 (HTTP semantics), RFC 3986 (URI), the
 * URL Standard's application/x-www-form-urlencoded. */
#ifndef TOOLS_PCPROF_SERVER_REQUEST_H
#define TOOLS_PCPROF_SERVER_REQUEST_H

#include <stdbool.h>

#include "base/status.h"

enum serve_parameter {
#define PARAMETER(sym, name) SERVE_PARAMETER_##sym,
#include "tools/pcprof/server/routes.def"
    SERVE_PARAMETERS
};

enum serve_route {
#define ROUTE(sym, ...) SERVE_##sym,
#include "tools/pcprof/server/routes.def"
    SERVE_ROUTES
};

struct serve_request {
    enum serve_route route;
    char *value[SERVE_PARAMETERS]; /* NULL: not given, or empty; owned */
};

/* The status codes of HTTP that the server sends. */
enum {
    SERVE_OK = 200,
    SERVE_NOT_MODIFIED = 304,
    SERVE_BAD_REQUEST = 400,
    SERVE_FORBIDDEN = 403,
    SERVE_NOT_FOUND = 404,
    SERVE_NOT_ALLOWED = 405,
    SERVE_FAILED = 500
};

/* Parses a target as the request has it, "/prof.json?store=runs.db&runs=1-3". Returns SERVE_OK, or SERVE_BAD_REQUEST or
 * SERVE_NOT_FOUND with the reason. The caller releases the request, also after an error. */
unsigned serve_request_parse(struct serve_request *r, const char *target, struct errmsg *err) MUST_USE;
void serve_request_release(struct serve_request *r);
/* The target of a request, the same for all that mean the same. The caller frees it. */
char *serve_request_target(const struct serve_request *r);
/* The path of a route. */
const char *serve_route_path(enum serve_route route);

/* Whether the header Host (NULL: none) names this machine by a loopback address or as localhost, so that no page of
 * another site, whose name has been given such an address, reads the answer; with `any_address` also by any other
 * address, or by `name`, the name of the machine (NULL: unknown). */
bool serve_host_is_allowed(const char *host, bool any_address, const char *name);

/* Whether a request comes from a page of this server, from the user, or from a link, by the headers Sec-Fetch-Site and
 * Sec-Fetch-Dest (NULL: none, as of clients that are no browsers): a page of another site makes the server work in no
 * other way. Source: W3C, Fetch Metadata Request Headers. */
bool serve_site_is_allowed(const char *site, const char *destination);

/* Whether the header If-None-Match (NULL: none) has the entity tag, which is without its quotes, or "*". */
bool serve_tag_matches(const char *header, const char *tag);

#endif
