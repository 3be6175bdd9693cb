/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answers of pcprof serve to requests that are well-formed. */
#ifndef TOOLS_PCPROF_SERVER_ANSWER_H
#define TOOLS_PCPROF_SERVER_ANSWER_H

#include "tools/pcprof/server/pages.h"
#include "tools/pcprof/server/stores.h"

/* What all requests share. */
struct serve_data {
    struct serve_stores stores;
    struct serve_pages pages;
    bool with_source;
    const char *source_dir; /* NULL: none */
};

struct serve_question {
    const struct serve_request *request;
    uint64_t since;       /* moment of its arrival */
    const char *has_tags; /* If-None-Match; NULL: none */
    bool is_head;
};

struct serve_answer {
    unsigned status; /* of HTTP */
    struct MHD_Response *response;
    bool is_kept; /* by the pages; else the caller's */
};

/* Answers; false: a process is making what the answer needs: ask again when one has ended. */
bool serve_answer(struct serve_data *d, const struct serve_question *q, struct serve_answer *a);

#endif
