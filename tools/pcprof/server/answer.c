/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/server/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "host/store/store.h"
#include "tools/pcprof/server/lists.h"

/* ---- selections ---- */

/* The runs that a request selects, of a store that is known. */
struct answer_selection {
    const struct served_store *store;
    struct store_selection runs; /* without epoch and ranges: all */
    char *text;                  /* as commands take it */
};

static bool answer_selects(const struct answer_selection *s, const struct served_run *run)
{
    bool is_in = s->runs.ranges == 0;
    for (size_t n = 0; n < s->runs.ranges; n++)
        is_in |= run->id >= s->runs.range[n].first && run->id <= s->runs.range[n].last;
    return is_in && (s->runs.epoch == NULL || strcmp(s->runs.epoch, run->epoch) == 0);
}

static bool answer_has_run(const struct served_store *store, int64_t id)
{
    for (size_t n = 0; n < store->runs; n++)
        if (store->run[n].id == id)
            return true;
    return false;
}

/* Whether the store has what is named: an epoch with runs, the ends of ranges. */
static bool answer_has(const struct answer_selection *s)
{
    bool has = s->runs.ranges > 0;
    for (size_t n = 0; n < s->runs.ranges; n++)
        has = has && answer_has_run(s->store, s->runs.range[n].first) &&
              answer_has_run(s->store, s->runs.range[n].last);
    for (size_t n = 0; n < s->store->runs && !has && s->runs.ranges == 0; n++)
        has = answer_selects(s, &s->store->run[n]);
    return has;
}

/* The selection as a command takes it: all runs of a store with several epochs are a range, except for pcprof list. */
static char *answer_text(const struct served_store *store, const char *runs, enum serve_route route)
{
    if (runs != NULL)
        return xasprintf("%s:%s", store->name, runs);
    if (route == SERVE_LIST_JSON || json_array_size(json_object_get(store->list, "epochs")) == 1)
        return xstrdup(store->name);
    return xasprintf("%s:%" PRId64 "-%" PRId64, store->name, store->run[0].id, store->run[store->runs - 1].id);
}

/* Selects runs (NULL: all) of the store of a name, for a route. Returns SERVE_OK, or another status with the reason.
 * The caller releases the selection, also after an error. */
static unsigned answer_select(const struct serve_data *d, enum serve_route route, const char *name, const char *runs,
                              struct answer_selection *s, struct errmsg *err)
{
    *s = (struct answer_selection){.store = serve_stores_find(&d->stores, name)};
    if (s->store == NULL) {
        (void)fail(err, ST_INPUT, "there is no store '%s'; the page / lists all", name);
        return SERVE_NOT_FOUND;
    }
    if (s->store->list == NULL) {
        (void)fail(err, ST_INPUT, "%s", s->store->why.text);
        return SERVE_FAILED;
    }
    if (runs != NULL && store_select_runs(&s->runs, runs, err) != ST_OK)
        return SERVE_BAD_REQUEST;
    if (!answer_has(s)) {
        (void)fail(err, ST_INPUT, "%s: there are no runs '%s'; the page %s lists all", name, runs != NULL ? runs : "",
                   serve_route_path(SERVE_STORE));
        return SERVE_NOT_FOUND;
    }
    s->text = answer_text(s->store, runs, route);
    if (strcmp(s->text, name) != 0 && access(s->text, F_OK) == 0) {
        (void)fail(err, ST_INPUT, "%s: expected the selection of a store, found a file of this name", s->text);
        return SERVE_FAILED;
    }
    return SERVE_OK;
}

static void answer_release(struct answer_selection *s)
{
    store_selection_release(&s->runs);
    free(s->text);
}

/* ---- entity tags ---- */

static void answer_hash_text(struct sha1 *hash, const char *text)
{
    sha1_add(hash, text != NULL ? text : "", text != NULL ? strlen(text) + 1 : 1);
}

static void answer_hash_runs(struct sha1 *hash, const struct answer_selection *s)
{
    for (size_t n = 0; n < s->store->runs; n++)
        if (answer_selects(s, &s->store->run[n]))
            sha1_add(hash, s->store->run[n].digest, SHA1_BYTES);
}

static void answer_hash_store(struct sha1 *hash, const struct served_store *store)
{
    const struct answer_selection all = {.store = store};
    size_t n;
    json_t *epoch;
    answer_hash_text(hash, store->name);
    if (store->list == NULL)
        answer_hash_text(hash, store->why.text);
    json_array_foreach(json_object_get(store->list, "epochs"), n, epoch)
    {
        answer_hash_text(hash, json_string_value(json_object_get(epoch, "epoch")));
    }
    answer_hash_runs(hash, &all);
}

/* Begins the hash of an answer, by what is the same for all stores: the target, the tools, the options. */
static void answer_begin_tag(struct sha1 *hash, const struct serve_data *d, const char *target)
{
    sha1_begin(hash);
    answer_hash_text(hash, TOOLS_VERSION);
    answer_hash_text(hash, d->with_source ? "source" : "");
    answer_hash_text(hash, d->source_dir);
    answer_hash_text(hash, target);
}

static void answer_end_tag(struct sha1 *hash, char tag[SHA1_TEXT])
{
    uint8_t digest[SHA1_BYTES];
    sha1_end(hash, digest);
    sha1_print(digest, tag);
}

/* ---- answers ---- */

static bool answer_line(struct serve_answer *a, unsigned status, const char *text)
{
    *a = (struct serve_answer){.status = status, .response = serve_line(text)};
    return true;
}

static ssize_t answer_no_content(void *ctx, uint64_t at, char *to, size_t most)
{
    (void)ctx, (void)at, (void)to, (void)most;
    return MHD_CONTENT_READER_END_OF_STREAM;
}

/* The headers of an answer whose content is not made: that the client has it already, or asks for the headers alone. */
static bool answer_headers(struct serve_answer *a, unsigned status, enum serve_route route, const char *tag)
{
    enum { BLOCK_BYTES = 64 };
    char *policy = serve_policy(route);
    struct MHD_Response *r = status == SERVE_NOT_MODIFIED
                                 ? MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT)
                                 : MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, answer_no_content,
                                                                     NULL, NULL);
    *a = (struct serve_answer){.status = status, .response = serve_response(r, serve_type(route), policy, tag)};
    free(policy);
    return true;
}

/* What the client has; then what is kept; then, for the headers alone, these; else `make` begins to make the content.
 */
static bool answer_content(struct serve_data *d, const struct serve_question *q, const struct page_order *o,
                           void (*make)(struct serve_data *d, const struct page_order *o), struct serve_answer *a)
{
    const uint64_t now = serve_stores_moment(&d->stores);
    const enum serve_route route = o->request->route;
    if (serve_tag_matches(q->has_tags, o->tag))
        return answer_headers(a, SERVE_NOT_MODIFIED, route, o->tag);
    const struct served_page *page = serve_pages_find(&d->pages, o->target, o->tag, q->since, now);
    if (page == NULL && q->is_head)
        return answer_headers(a, SERVE_OK, route, o->tag);
    if (page == NULL) {
        make(d, o);
        page = serve_pages_find(&d->pages, o->target, o->tag, q->since, now);
    }
    if (page != NULL)
        *a = (struct serve_answer){.status = page->status, .response = page->response, .is_kept = true};
    return page != NULL;
}

static void answer_make_list(struct serve_data *d, const struct page_order *o)
{
    size_t size_bytes;
    const struct served_store *one = o->input != NULL ? serve_stores_find(&d->stores, o->input) : NULL;
    char *text = o->request->route == SERVE_STORES ? serve_list_json(&d->stores, &size_bytes)
                                                   : serve_list_page(&d->stores, one, o->tag, &size_bytes);
    serve_pages_keep_text(&d->pages, o, text, size_bytes, d->stores.now);
}

/* The list of all stores, or of one. */
static bool answer_list(struct serve_data *d, const struct serve_question *q, const char *target,
                        struct serve_answer *a)
{
    struct sha1 hash;
    char tag[SHA1_TEXT];
    const char *name = q->request->value[SERVE_PARAMETER_STORE];
    const struct served_store *one = name != NULL ? serve_stores_find(&d->stores, name) : NULL;
    if (name != NULL && one == NULL)
        return answer_line(a, SERVE_NOT_FOUND, "there is no such store; the page / lists all");
    answer_begin_tag(&hash, d, target);
    for (const struct served_store *store = d->stores.by_name; store != NULL; store = store->hh.next)
        if (one == NULL || store == one)
            answer_hash_store(&hash, store);
    answer_hash_text(&hash, d->stores.is_cut ? "cut" : "");
    answer_end_tag(&hash, tag);
    const struct page_order o = {.request = q->request, .target = target, .tag = tag, .input = name};
    return answer_content(d, q, &o, answer_make_list, a);
}

static void answer_make_page(struct serve_data *d, const struct page_order *o)
{
    serve_pages_start(&d->pages, o, d->stores.now);
}

/* The output of a command, for one selection or two. */
static bool answer_output(struct serve_data *d, const struct serve_question *q, const char *target,
                          const struct answer_selection *after, const struct answer_selection *before,
                          struct serve_answer *a)
{
    struct sha1 hash;
    char tag[SHA1_TEXT];
    answer_begin_tag(&hash, d, target);
    answer_hash_text(&hash, after->text);
    answer_hash_runs(&hash, after);
    answer_hash_text(&hash, before->text);
    if (before->store != NULL)
        answer_hash_runs(&hash, before);
    answer_end_tag(&hash, tag);
    const struct page_order o = {.request = q->request,
                                 .target = target,
                                 .tag = tag,
                                 .input = after->text,
                                 .before = before->text,
                                 .source_dir = d->source_dir,
                                 .with_source = d->with_source};
    return answer_content(d, q, &o, answer_make_page, a);
}

static bool answer_selections(struct serve_data *d, const struct serve_question *q, const char *target,
                              struct serve_answer *a)
{
    struct answer_selection after, before = {.store = NULL};
    struct errmsg err;
    char *const *value = q->request->value;
    const char *name = value[SERVE_PARAMETER_STORE], *before_name = value[SERVE_PARAMETER_BEFORE_STORE];
    const enum serve_route route = q->request->route;
    unsigned status = answer_select(d, route, name, value[SERVE_PARAMETER_RUNS], &after, &err);
    if (status == SERVE_OK && value[SERVE_PARAMETER_BEFORE] != NULL)
        status = answer_select(d, route, before_name != NULL ? before_name : name, value[SERVE_PARAMETER_BEFORE],
                               &before, &err);
    const bool is_answered = status != SERVE_OK ? answer_line(a, status, err.text)
                                                : answer_output(d, q, target, &after, &before, a);
    answer_release(&after);
    answer_release(&before);
    return is_answered;
}

bool serve_answer(struct serve_data *d, const struct serve_question *q, struct serve_answer *a)
{
    const char *name = q->request->value[SERVE_PARAMETER_STORE],
               *before_name = q->request->value[SERVE_PARAMETER_BEFORE_STORE];
    if (!serve_stores_are_known(&d->stores, name, q->since) ||
        (before_name != NULL && !serve_stores_are_known(&d->stores, before_name, q->since)))
        return false;
    char *target = serve_request_target(q->request);
    const enum serve_route route = q->request->route;
    const bool is_answered = route == SERVE_LIST || route == SERVE_STORES || route == SERVE_STORE
                                 ? answer_list(d, q, target, a)
                                 : answer_selections(d, q, target, a);
    free(target);
    return is_answered;
}
