/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of pcprof serve, and other answers with a content: each is made once for a version of its data, the long
 * ones by a process of its own, and kept. */
#ifndef TOOLS_PCPROF_SERVER_PAGES_H
#define TOOLS_PCPROF_SERVER_PAGES_H

#include <microhttpd.h>
#include <stdint.h>

#include "base/sha1.h"
#include "tools/pcprof/server/request.h"
#include "tools/pcprof/server/work.h"

/* Limits: pages that are kept, their bytes, and seconds for which one is made. */
enum { PAGES_MOST = 64, PAGES_MOST_BYTES = 1 << 29, PAGES_SECONDS = 600 };

/* What a page is made of; texts are borrowed. */
struct page_order {
    const struct serve_request *request;
    const char *target;         /* serve_request_target */
    const char *tag;            /* entity tag: what the page depends on */
    const char *input, *before; /* selections; before NULL: none */
    const char *source_dir;     /* NULL: none */
    bool with_source;
};

struct served_page {
    char *target;
    char tag[SHA1_TEXT];
    unsigned status;
    struct MHD_Response *response;
    size_t size_bytes;
    uint64_t made, used; /* moments: when it was begun; when it was answered last */
};

struct serve_pages {
    struct served_page page[PAGES_MOST];
    size_t pages;
    struct serve_work work;
    struct served_page working; /* what the process makes, for this route */
    enum serve_route working_route;
    bool has_words; /* the request has words for the command, which it may refuse */
};

void serve_pages_release(struct serve_pages *p);

/* The page of a target, if it is kept; NULL: not. It has the tag, and is no error, or was begun at the moment `since`
 * of the request or later. */
const struct served_page *serve_pages_find(struct serve_pages *p, const char *target, const char *tag, uint64_t since,
                                           uint64_t now);
/* Keeps a page that has been made; the text is taken. */
void serve_pages_keep_text(struct serve_pages *p, const struct page_order *o, char *text, size_t size_bytes,
                           uint64_t now);
/* Begins to make a page by a process; nothing if one works. An error becomes the page. */
void serve_pages_start(struct serve_pages *p, const struct page_order *o, uint64_t now);
/* Takes what the process has written that makes a page; true: it has ended, and the page is kept. */
bool serve_pages_advance(struct serve_pages *p);

/* Adds the headers of every answer: type, policy (NULL: that of data), to which it adds that no page has it in a frame,
 * entity tag (NULL: none). Returns the response. */
struct MHD_Response *serve_response(struct MHD_Response *r, const char *type, const char *policy, const char *tag);
/* The type of the content of a route, and its policy, which the caller frees; NULL: that of data. */
const char *serve_type(enum serve_route route);
char *serve_policy(enum serve_route route);
/* A response of a line of text; `text` is copied. */
struct MHD_Response *serve_line(const char *text);

#endif
