/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/server/request.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/store/store.h"

#define HAS(sym) (1U << SERVE_PARAMETER_##sym)

static const char *const parameter_names[SERVE_PARAMETERS] = {
#define PARAMETER(sym, name) name,
#include "tools/pcprof/server/routes.def"
};

static const struct serve_route_row {
    const char *path;
    unsigned needs, takes; /* sets of parameters */
} route_rows[SERVE_ROUTES] = {
#define ROUTE(sym, path, command, needs, takes) {path, needs, takes},
#include "tools/pcprof/server/routes.def"
};

const char *serve_route_path(enum serve_route route) { return route_rows[route].path; }

/* ---- the target ---- */

/* The value of a hexadecimal digit, or -1. */
static int request_digit(char c)
{
    if (!isxdigit((unsigned char)c))
        return -1;
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Decodes a value of a query; the caller frees it. NULL: malformed, or a control character. */
static char *request_decode(const char *text, size_t size_bytes)
{
    char *value = xmalloc(size_bytes + 1), *to = value;
    for (const char *at = text, *end = text + size_bytes; at < end; at++) {
        int c = *at == '+' ? ' ' : (unsigned char)*at;
        if (*at == '%') {
            const int high = end - at > 2 ? request_digit(at[1]) : -1, low = high >= 0 ? request_digit(at[2]) : -1;
            c = low >= 0 ? high << 4 | low : '\0';
            at += 2;
        }
        if (c < ' ' || c == 0x7f) {
            free(value);
            return NULL;
        }
        *to++ = (char)c;
    }
    *to = '\0';
    return value;
}

/* The parameter of a name; SERVE_PARAMETERS: none. */
static unsigned request_parameter(const char *name, size_t size_bytes)
{
    unsigned n = 0;
    while (n < SERVE_PARAMETERS &&
           (strlen(parameter_names[n]) != size_bytes || strncmp(parameter_names[n], name, size_bytes) != 0))
        n++;
    return n;
}

/* The parameters of a set, as "store, runs"; the caller frees them. */
static char *request_name_set(unsigned set)
{
    char *names = xstrdup(set == 0 ? "none" : "");
    for (unsigned n = 0; n < SERVE_PARAMETERS; n++) {
        if ((set >> n & 1) == 0)
            continue;
        char *longer = xasprintf("%s%s%s", names, names[0] != '\0' ? ", " : "", parameter_names[n]);
        free(names);
        names = longer;
    }
    return names;
}

static enum status request_unexpected(unsigned set, const char *name, size_t size_bytes, struct errmsg *err)
{
    char *names = request_name_set(set);
    (void)fail(err, ST_INPUT, "expected each of the parameters %s at most once, found '%.*s'", names,
               (int)(size_bytes < 64 ? size_bytes : 64), name);
    free(names);
    return ST_INPUT;
}

/* Parses "name=value". An empty value is that of a form's field without a choice. */
static enum status request_parse_pair(struct serve_request *r, unsigned *seen, const char *pair, size_t size_bytes,
                                      struct errmsg *err)
{
    const struct serve_route_row *row = &route_rows[r->route];
    const char *equals = memchr(pair, '=', size_bytes);
    const size_t length = equals != NULL ? (size_t)(equals - pair) : size_bytes;
    const unsigned n = request_parameter(pair, length);
    if (equals == NULL || n == SERVE_PARAMETERS || ((row->needs | row->takes) >> n & 1) == 0 || (*seen >> n & 1) != 0)
        return request_unexpected(row->needs | row->takes, pair, length, err);
    *seen |= 1U << n;
    char *value = request_decode(equals + 1, size_bytes - length - 1);
    if (value == NULL)
        return fail(err, ST_INPUT,
                    "%s: expected text in which %% begins two hexadecimal digits, without control "
                    "characters, found '%.*s'",
                    parameter_names[n], (int)(size_bytes < 64 ? size_bytes : 64), pair);
    if (value[0] != '\0')
        r->value[n] = value;
    else
        free(value);
    return ST_OK;
}

/* Checks a selection, if there is one. */
static enum status request_check_runs(const char *runs, struct errmsg *err)
{
    struct store_selection selection = {.path = NULL};
    enum status st = runs != NULL ? store_select_runs(&selection, runs, err) : ST_OK;
    store_selection_release(&selection);
    return st;
}

static enum status request_check(const struct serve_request *r, struct errmsg *err)
{
    const unsigned needs = route_rows[r->route].needs;
    for (unsigned n = 0; n < SERVE_PARAMETERS; n++)
        if ((needs >> n & 1) != 0 && r->value[n] == NULL)
            return fail(err, ST_INPUT, "expected the parameter %s", parameter_names[n]);
    if (r->value[SERVE_PARAMETER_BEFORE_STORE] != NULL && r->value[SERVE_PARAMETER_BEFORE] == NULL)
        return fail(err, ST_INPUT, "expected the parameter before, found before-store alone");
    enum status st = request_check_runs(r->value[SERVE_PARAMETER_RUNS], err);
    return st == ST_OK ? request_check_runs(r->value[SERVE_PARAMETER_BEFORE], err) : st;
}

unsigned serve_request_parse(struct serve_request *r, const char *target, struct errmsg *err)
{
    const size_t length = strcspn(target, "?");
    const char *pair = target[length] == '?' ? target + length + 1 : target + length;
    unsigned seen = 0;
    *r = (struct serve_request){.route = SERVE_LIST};
    if (target[0] != '/') {
        (void)fail(err, ST_INPUT, "expected a path, found '%.64s'", target);
        return SERVE_BAD_REQUEST;
    }
    unsigned route = 0;
    while (route < SERVE_ROUTES &&
           (strlen(route_rows[route].path) != length || strncmp(route_rows[route].path, target, length) != 0))
        route++;
    if (route == SERVE_ROUTES) {
        (void)fail(err, ST_INPUT, "there is no page '%.*s'; the page / has links to all",
                   (int)(length < 64 ? length : 64), target);
        return SERVE_NOT_FOUND;
    }
    r->route = (enum serve_route)route;
    enum status st = ST_OK;
    while (st == ST_OK && *pair != '\0') {
        const size_t size_bytes = strcspn(pair, "&");
        st = request_parse_pair(r, &seen, pair, size_bytes, err);
        pair += size_bytes;
        if (*pair == '&')
            pair++;
    }
    if (st == ST_OK)
        st = request_check(r, err);
    return st == ST_OK ? SERVE_OK : SERVE_BAD_REQUEST;
}

void serve_request_release(struct serve_request *r)
{
    for (unsigned n = 0; n < SERVE_PARAMETERS; n++)
        free(r->value[n]);
    *r = (struct serve_request){.route = SERVE_LIST};
}

char *serve_request_target(const struct serve_request *r)
{
    char *text;
    size_t size_bytes;
    FILE *out = xopen_text(&text, &size_bytes);
    char before = '?';
    fputs(route_rows[r->route].path, out);
    for (unsigned n = 0; n < SERVE_PARAMETERS; n++) {
        if (r->value[n] == NULL)
            continue;
        fprintf(out, "%c%s=", before, parameter_names[n]);
        for (const char *at = r->value[n]; *at != '\0'; at++)
            if (isalnum((unsigned char)*at) || strchr("-._~/", *at) != NULL)
                fputc(*at, out);
            else
                fprintf(out, "%%%02X", (unsigned char)*at);
        before = '&';
    }
    xclose_text(out);
    return text;
}

/* ---- headers ---- */

/* Copies the host's name without port and brackets; false: it is malformed, or too long for a name. */
static bool request_host_name(const char *host, char *name, size_t room)
{
    const bool is_bracketed = host[0] == '[';
    const char *start = host + is_bracketed, *end = start + strcspn(start, is_bracketed ? "]" : ":");
    const char *port = is_bracketed && *end == ']' ? end + 1 : end;
    const size_t length = (size_t)(end - start);
    if (length == 0 || length >= room || (is_bracketed && *end != ']'))
        return false;
    if (*port != '\0' && (*port != ':' || port[1 + strspn(port + 1, "0123456789")] != '\0'))
        return false;
    memcpy(name, start, length);
    name[length] = '\0';
    return true;
}

bool serve_host_is_allowed(const char *host, bool any_address, const char *name)
{
    char text[256];
    struct in_addr four;
    struct in6_addr six;
    if (host == NULL || !request_host_name(host, text, sizeof text))
        return false;
    if (host[0] == '[')
        return inet_pton(AF_INET6, text, &six) == 1 && (any_address || IN6_IS_ADDR_LOOPBACK(&six));
    if (strcasecmp(text, "localhost") == 0)
        return true;
    if (inet_pton(AF_INET, text, &four) == 1)
        return any_address || ntohl(four.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET;
    return any_address && name != NULL && strcasecmp(text, name) == 0;
}

bool serve_site_is_allowed(const char *site, const char *destination)
{
    return site == NULL || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0 ||
           (destination != NULL && strcmp(destination, "document") == 0);
}

bool serve_tag_matches(const char *header, const char *tag)
{
    const size_t length = strlen(tag);
    for (const char *at = header; at != NULL && *at != '\0';) {
        at += strspn(at, " \t,");
        if (*at == '*')
            return true;
        if (strncmp(at, "W/", 2) == 0)
            at += 2;
        if (*at != '"')
            return false;
        const char *end = strchr(at + 1, '"');
        if (end == NULL)
            return false;
        if ((size_t)(end - at) == length + 1 && strncmp(at + 1, tag, length) == 0)
            return true;
        at = end + 1;
    }
    return false;
}
