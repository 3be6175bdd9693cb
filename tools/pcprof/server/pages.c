/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/server/pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/pcprof/page.h"
#include "tools/pcprof/pcprof.h"

static const struct pages_row {
    int (*run)(int argc, char **argv); /* NULL: no command */
} pages_rows[SERVE_ROUTES] = {
#define ROUTE(sym, path, command, needs, takes) {command},
#include "tools/pcprof/server/routes.def"
};

/* ---- responses ---- */

static void pages_header(struct MHD_Response *r, const char *name, const char *value)
{
    if (MHD_add_response_header(r, name, value) != MHD_YES)
        out_of_memory();
}

struct MHD_Response *serve_response(struct MHD_Response *r, const char *type, const char *policy, const char *tag)
{
    if (r == NULL)
        out_of_memory();
    pages_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    char *whole = xasprintf("%s; frame-ancestors 'none'", policy != NULL ? policy : "default-src 'none'");
    pages_header(r, "Content-Security-Policy", whole);
    free(whole);
    pages_header(r, "X-Content-Type-Options", "nosniff");
    pages_header(r, "Cross-Origin-Resource-Policy", "same-origin");
    pages_header(r, "Referrer-Policy", "no-referrer");
    pages_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, tag != NULL ? "no-cache" : "no-store");
    if (tag != NULL) {
        char *quoted = xasprintf("\"%s\"", tag);
        pages_header(r, MHD_HTTP_HEADER_ETAG, quoted);
        free(quoted);
    }
    return r;
}

static bool pages_is_list(enum serve_route route) { return route == SERVE_LIST || route == SERVE_STORE; }

const char *serve_type(enum serve_route route)
{
    return pages_is_list(route) || route == SERVE_REPORT ? "text/html; charset=utf-8" : "application/json";
}

char *serve_policy(enum serve_route route)
{
    if (pages_is_list(route))
        return xasprintf("default-src 'none'; base-uri 'none'; form-action 'self'; script-src '%s'; style-src '%s'; "
                         "connect-src 'self'",
                         live_js_hash, page_css_hash);
    return route == SERVE_REPORT ? page_policy(true) : NULL;
}

struct MHD_Response *serve_line(const char *text)
{
    char *line = xasprintf("%s\n", text);
    struct MHD_Response *r = MHD_create_response_from_buffer(strlen(line), line, MHD_RESPMEM_MUST_COPY);
    free(line);
    return serve_response(r, "text/plain; charset=utf-8", NULL, NULL);
}

/* ---- pages that are kept ---- */

static void served_page_free(struct served_page *page)
{
    MHD_destroy_response(page->response);
    free(page->target);
}

void serve_pages_release(struct serve_pages *p)
{
    serve_work_abort(&p->work);
    free(p->working.target);
    for (size_t n = 0; n < p->pages; n++)
        served_page_free(&p->page[n]);
    p->pages = 0;
}

static void pages_remove(struct serve_pages *p, size_t n)
{
    served_page_free(&p->page[n]);
    p->page[n] = p->page[--p->pages];
}

/* Makes room for a page: removes the versions of before, and then those that were not used for longest. */
static void pages_make_room(struct serve_pages *p, const struct served_page *page)
{
    size_t size_bytes = page->size_bytes;
    for (size_t n = p->pages; n-- > 0;) {
        if (strcmp(p->page[n].target, page->target) == 0)
            pages_remove(p, n);
        else
            size_bytes += p->page[n].size_bytes;
    }
    while (p->pages > 0 && (p->pages == PAGES_MOST || size_bytes > PAGES_MOST_BYTES)) {
        size_t oldest = 0;
        for (size_t n = 1; n < p->pages; n++)
            oldest = p->page[n].used < p->page[oldest].used ? n : oldest;
        size_bytes -= p->page[oldest].size_bytes;
        pages_remove(p, oldest);
    }
}

/* Takes the page. */
static void pages_keep(struct serve_pages *p, const struct served_page *page)
{
    pages_make_room(p, page);
    p->page[p->pages++] = *page;
}

const struct served_page *serve_pages_find(struct serve_pages *p, const char *target, const char *tag, uint64_t since,
                                           uint64_t now)
{
    for (size_t n = 0; n < p->pages; n++) {
        struct served_page *page = &p->page[n];
        const bool is_same = strcmp(page->tag, tag) == 0 && page->status == SERVE_OK;
        if (strcmp(page->target, target) != 0 || (!is_same && page->made < since))
            continue;
        page->used = now;
        return page;
    }
    return NULL;
}

static struct served_page served_page_new(const struct page_order *o, uint64_t now)
{
    struct served_page page = {.target = xstrdup(o->target), .status = SERVE_OK, .made = now, .used = now};
    snprintf(page.tag, sizeof page.tag, "%s", o->tag);
    return page;
}

static struct MHD_Response *pages_response(struct MHD_Response *r, enum serve_route route, const char *tag)
{
    char *policy = serve_policy(route);
    (void)serve_response(r, serve_type(route), policy, tag);
    free(policy);
    return r;
}

void serve_pages_keep_text(struct serve_pages *p, const struct page_order *o, char *text, size_t size_bytes,
                           uint64_t now)
{
    struct served_page page = served_page_new(o, now);
    page.response = pages_response(MHD_create_response_from_buffer(size_bytes, text, MHD_RESPMEM_MUST_FREE),
                                   o->request->route, o->tag);
    page.size_bytes = size_bytes;
    pages_keep(p, &page);
}

/* An error of a page; one of the words of the request is the client's. */
static void pages_keep_error(struct serve_pages *p, struct served_page *page, bool is_clients, const char *why)
{
    page->status = is_clients ? SERVE_BAD_REQUEST : SERVE_FAILED;
    page->response = serve_line(why);
    page->size_bytes = strlen(why);
    pages_keep(p, page);
}

/* ---- the process that makes a page ---- */

static int pages_write_report(const struct page_order *o)
{
    struct errmsg err;
    const struct page_request q = {.input = o->input,
                                   .before = o->before,
                                   .source_dir = o->source_dir,
                                   .no_source = !o->with_source,
                                   .output = "-",
                                   .version = o->tag};
    if (page_report(&q, &err) == ST_OK)
        return 0;
    fprintf(stderr, "%s\n", err.text);
    return EXIT_BAD_INPUT;
}

/* Runs the command of the route, as the shell would. */
static int pages_run_command(const struct page_order *o)
{
    static const char *const option[] = {[SERVE_PARAMETER_BY] = "--by", [SERVE_PARAMETER_EVENT] = "--event"};
    char *argv[SERVE_PARAMETERS + 5];
    int argc = 0;
    argv[argc++] = xstrdup("pcprof");
    argv[argc++] = xstrdup("--format=json");
    for (unsigned n = SERVE_PARAMETER_BY; n <= SERVE_PARAMETER_EVENT; n++)
        if (o->request->value[n] != NULL)
            argv[argc++] = xasprintf("%s=%s", option[n], o->request->value[n]);
    argv[argc++] = xstrdup("--");
    if (o->before != NULL)
        argv[argc++] = xstrdup(o->before);
    argv[argc++] = xstrdup(o->input);
    argv[argc] = NULL;
    const int status = pages_rows[o->request->route].run(argc, argv);
    for (int n = 0; n < argc; n++)
        free(argv[n]);
    return status;
}

static int pages_run(const void *ctx)
{
    const struct page_order *o = ctx;
    return o->request->route == SERVE_REPORT ? pages_write_report(o) : pages_run_command(o);
}

void serve_pages_start(struct serve_pages *p, const struct page_order *o, uint64_t now)
{
    struct errmsg err;
    if (p->work.process != 0)
        return;
    p->working = served_page_new(o, now);
    p->working_route = o->request->route;
    p->has_words = o->request->value[SERVE_PARAMETER_BY] != NULL || o->request->value[SERVE_PARAMETER_EVENT] != NULL ||
                   o->request->route == SERVE_SHOW_JSON;
    if (serve_work_start(&p->work, PAGES_SECONDS, pages_run, o, &err) == ST_OK)
        return;
    pages_keep_error(p, &p->working, false, err.text);
    p->working.target = NULL;
}

bool serve_pages_advance(struct serve_pages *p)
{
    struct errmsg why;
    struct stat sb;
    if (p->work.process == 0 || !serve_work_advance(&p->work))
        return false;
    struct served_page *page = &p->working;
    if (serve_work_finish(&p->work, &why) == ST_OK && fstat(p->work.output, &sb) == 0) {
        fputs(p->work.message, stderr); /* warnings */
        page->size_bytes = (size_t)sb.st_size;
        page->response = pages_response(MHD_create_response_from_fd(page->size_bytes, p->work.output), p->working_route,
                                        page->tag);
        pages_keep(p, page);
    } else {
        close(p->work.output);
        pages_keep_error(p, page, p->has_words, why.text);
    }
    page->target = NULL;
    return true;
}
