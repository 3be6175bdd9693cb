/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page works without its script, which only loads it again. */
#include "tools/pcprof/server/lists.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/json_value.h"
#include "tools/pcprof/page.h"
#include "tools/pcprof/server/pages.h"

/* Runs on the page of all stores, the newest ones. */
enum { LISTS_NEWEST = 50 };

/* ---- addresses ---- */

/* Writes a link to a route of a store, with a selection (NULL: all runs). */
static void lists_link(FILE *out, enum serve_route route, const char *store, const char *runs, const char *text)
{
    struct serve_request r = {.route = route};
    r.value[SERVE_PARAMETER_STORE] = xstrdup(store);
    r.value[SERVE_PARAMETER_RUNS] = runs != NULL ? xstrdup(runs) : NULL;
    char *target = serve_request_target(&r);
    fputs("<a href=\"", out);
    page_write_text(out, target);
    fputs("\">", out);
    page_write_text(out, text);
    fputs("</a>", out);
    free(target);
    serve_request_release(&r);
}

/* ---- cells ---- */

struct lists_title {
    const char *text;
    bool is_number;
};

static void lists_begin(FILE *out, const char *caption, const struct lists_title *title, size_t titles)
{
    fprintf(out,
            "<div class=\"scroll table\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n"
            "<table><caption>%s</caption>\n<thead><tr>",
            caption, caption);
    for (size_t n = 0; n < titles; n++)
        fprintf(out, "<th scope=\"col\"%s>%s</th>", title[n].is_number ? " class=\"number\"" : "", title[n].text);
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void lists_end(FILE *out) { fputs("</tbody></table></div>\n", out); }

static void lists_text(FILE *out, const char *text)
{
    fputs("<td>", out);
    page_write_text(out, text != NULL ? text : "-");
    fputs("</td>", out);
}

/* A number with a comma before each group of three digits. */
static void lists_number(FILE *out, const json_t *number)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRId64, (int64_t)json_integer_value(number));
    fputs("<td class=\"number\">", out);
    for (int n = 0; n < length; n++)
        fprintf(out, "%s%c", n > 0 && (length - n) % 3 == 0 ? "," : "", digits[n]);
    fputs("</td>", out);
}

static const char *lists_member(const json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

/* ---- epochs ---- */

/* The last run of an epoch; NULL: it has none. */
static const json_t *lists_last_run(const struct served_store *store, const json_t *epoch)
{
    const json_t *runs = json_object_get(store->list, "runs"), *last = json_object_get(epoch, "last_run");
    for (size_t n = store->runs; n-- > 0;)
        if (store->run[n].id == json_integer_value(last))
            return json_array_get(runs, n);
    return NULL;
}

static void lists_epoch(FILE *out, const struct served_store *store, const json_t *epoch)
{
    const json_t *run = lists_last_run(store, epoch);
    const char *name = lists_member(epoch, "epoch");
    fputs("<tr><th scope=\"row\">", out);
    lists_link(out, SERVE_STORE, store->name, NULL, store->name);
    fputs("</th><td>", out);
    lists_link(out, SERVE_REPORT, store->name, name, name);
    fputs("</td>", out);
    lists_number(out, json_object_get(epoch, "runs"));
    lists_text(out, lists_member(run, "time"));
    lists_text(out, lists_member(run, "guest"));
    lists_text(out, lists_member(run, "configuration"));
    lists_number(out, json_object_get(epoch, "cycles"));
    lists_number(out, json_object_get(epoch, "instructions"));
    fputs("</tr>\n", out);
}

/* The epochs of a store; instead of them its error. */
static void lists_store(FILE *out, const struct served_store *store)
{
    size_t n;
    json_t *epoch;
    if (store->list == NULL) {
        fputs("<tr><th scope=\"row\">", out);
        page_write_text(out, store->name);
        fputs("</th><td colspan=\"7\">", out);
        page_write_text(out, store->why.text);
        fputs("</td></tr>\n", out);
    }
    json_array_foreach(json_object_get(store->list, "epochs"), n, epoch) { lists_epoch(out, store, epoch); }
}

static void lists_epochs(FILE *out, const struct serve_stores *s, const struct served_store *one)
{
    static const struct lists_title title[] = {{"store", false},          {"epoch", false},      {"runs", true},
                                               {"last run (UTC)", false}, {"program", false},    {"core", false},
                                               {"cycles", true},          {"instructions", true}};
    lists_begin(out, "Epochs", title, sizeof title / sizeof title[0]);
    for (const struct served_store *store = s->by_name; store != NULL; store = store->hh.next)
        if (one == NULL || store == one)
            lists_store(out, store);
    lists_end(out);
}

/* ---- runs ---- */

/* A run of a store, with its time, by which runs are sorted. */
struct lists_run {
    const struct served_store *store;
    const json_t *row;
    const char *time;
    int64_t id;
};

/* The newest first; of those of the same second the one with the larger number, or of the first store. */
static int lists_compare(const void *a, const void *b)
{
    const struct lists_run *x = a, *y = b;
    const int by_time = strcmp(y->time, x->time), by_name = strcmp(x->store->name, y->store->name);
    if (by_time != 0 || by_name != 0)
        return by_time != 0 ? by_time : by_name;
    return x->id < y->id ? 1 : -1;
}

/* The runs of a store, or of all; the caller frees them. */
static struct lists_run *lists_collect(const struct serve_stores *s, const struct served_store *one, size_t *count)
{
    struct lists_run *run = NULL;
    *count = 0;
    for (const struct served_store *store = s->by_name; store != NULL; store = store->hh.next)
        for (size_t n = 0; n < store->runs && (one == NULL || store == one); n++) {
            const json_t *row = json_array_get(json_object_get(store->list, "runs"), n);
            const char *time = lists_member(row, "time");
            run = xgrow(run, *count, sizeof *run);
            run[(*count)++] = (struct lists_run){store, row, time != NULL ? time : "", store->run[n].id};
        }
    if (*count > 0)
        qsort(run, *count, sizeof *run, lists_compare);
    return run;
}

static void lists_run(FILE *out, const struct lists_run *run)
{
    char id[24];
    snprintf(id, sizeof id, "%" PRId64, run->id);
    fputs("<tr><th scope=\"row\">", out);
    lists_link(out, SERVE_REPORT, run->store->name, id, id);
    fputs("</th>", out);
    lists_text(out, run->store->name);
    lists_text(out, lists_member(run->row, "epoch"));
    lists_text(out, run->time);
    lists_text(out, lists_member(run->row, "guest"));
    lists_text(out, lists_member(run->row, "configuration"));
    lists_text(out, lists_member(run->row, "program"));
    lists_number(out, json_object_get(run->row, "cycles"));
    lists_number(out, json_object_get(run->row, "instructions"));
    lists_text(out, json_is_true(json_object_get(run->row, "partial")) ? "yes" : "");
    fputs("</tr>\n", out);
}

static void lists_runs(FILE *out, const struct serve_stores *s, const struct served_store *one)
{
    static const struct lists_title title[] = {{"run", false},
                                               {"store", false},
                                               {"epoch", false},
                                               {"time (UTC)", false},
                                               {"program", false},
                                               {"core", false},
                                               {"profiling program", false},
                                               {"cycles", true},
                                               {"instructions", true},
                                               {"partial", false}};
    size_t runs, shown;
    struct lists_run *run = lists_collect(s, one, &runs);
    shown = one == NULL && runs > LISTS_NEWEST ? LISTS_NEWEST : runs;
    fputs("<h2>Runs</h2>\n", out);
    if (shown < runs)
        fprintf(out, "<p class=\"note\">The newest %zu of %zu runs. The page of a store has all of its runs.</p>\n",
                shown, runs);
    lists_begin(out, "Runs", title, sizeof title / sizeof title[0]);
    for (size_t n = 0; n < shown; n++)
        lists_run(out, &run[n]);
    lists_end(out);
    free(run);
}

/* ---- the page ---- */

/* A field for one of the epochs, at first the one with this number. */
static void lists_choice(FILE *out, const json_t *epochs, const char *parameter, const char *label, size_t first)
{
    size_t n;
    json_t *epoch;
    fprintf(out, "<label>%s <select name=\"%s\">", label, parameter);
    json_array_foreach(epochs, n, epoch)
    {
        fputs(n == first ? "<option selected>" : "<option>", out);
        page_write_text(out, lists_member(epoch, "epoch"));
        fputs("</option>", out);
    }
    fputs("</select></label>\n", out);
}

/* A form for the comparison of two epochs. */
static void lists_comparison(FILE *out, const struct served_store *store)
{
    const json_t *epochs = json_object_get(store->list, "epochs");
    const size_t last = json_array_size(epochs) - 1;
    fprintf(out,
            "<h2>Comparison</h2>\n<form class=\"tools\" action=\"%s\">\n<input type=\"hidden\" name=\"store\" value=\"",
            serve_route_path(SERVE_REPORT));
    page_write_text(out, store->name);
    fputs("\">\n", out);
    lists_choice(out, epochs, "before", "Before", last - 1);
    lists_choice(out, epochs, "runs", "After", last);
    fputs("<button>Compare</button>\n</form>\n", out);
}

/* The outputs of a store as JSON. */
static void lists_outputs(FILE *out, const struct served_store *store)
{
    static const enum serve_route route[] = {SERVE_LIST_JSON,  SERVE_PROF_JSON,    SERVE_TOP_JSON,
                                             SERVE_STATS_JSON, SERVE_SUMMARY_JSON, SERVE_WHY_JSON};
    fputs("<p>All runs as one: ", out);
    lists_link(out, SERVE_REPORT, store->name, NULL, "profile");
    fputs("; as JSON:", out);
    for (size_t n = 0; n < sizeof route / sizeof route[0]; n++) {
        fputc(' ', out);
        lists_link(out, route[n], store->name, NULL, serve_route_path(route[n]) + 1);
    }
    fputs("</p>\n", out);
}

char *serve_list_page(const struct serve_stores *s, const struct served_store *one, const char *tag, size_t *size_bytes)
{
    char *text, *policy = serve_policy(SERVE_LIST);
    FILE *out = xopen_text(&text, size_bytes);
    page_write_head(out, policy, tag, 0, one != NULL ? one->name : "Profile stores", "pcprof serve");
    free(policy);
    fputs("<main>\n<h1>", out);
    page_write_text(out, one != NULL ? one->name : "Profile stores");
    fputs("</h1>\n", out);
    if (one != NULL)
        fprintf(out, "<p><a href=\"%s\">All stores</a></p>\n", serve_route_path(SERVE_LIST));
    if (s->is_cut)
        fprintf(out, "<p>Some stores are missing: at most %d stores, in at most %d files.</p>\n", SERVE_STORES_MOST,
                SERVE_FILES_MOST);
    if (s->by_name == NULL)
        fputs("<p>There is no store yet. This page shows those that pcemu --collect makes.</p>\n", out);
    lists_epochs(out, s, one);
    if (one != NULL && one->runs > 0)
        lists_outputs(out, one);
    if (one != NULL && json_array_size(json_object_get(one->list, "epochs")) > 1)
        lists_comparison(out, one);
    lists_runs(out, s, one);
    fputs("</main>\n", out);
    page_write_live(out);
    fputs("</body>\n</html>\n", out);
    xclose_text(out);
    return text;
}

char *serve_list_json(const struct serve_stores *s, size_t *size_bytes)
{
    char *text;
    json_t *object = json_object(), *stores = json_put(object, "stores", json_array());
    for (const struct served_store *store = s->by_name; store != NULL; store = store->hh.next) {
        json_t *row = json_push(stores, json_object());
        json_put(row, "store", json_text(store->name));
        json_put(row, "error", store->list == NULL ? json_text(store->why.text) : json_null());
        json_put(row, "epochs", json_integer((json_int_t)json_array_size(json_object_get(store->list, "epochs"))));
        json_put(row, "runs", json_integer((json_int_t)store->runs));
    }
    json_put(object, "complete", json_boolean(!s->is_cut));
    FILE *out = xopen_text(&text, size_bytes);
    json_dumpf(object, out, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    fputc('\n', out);
    xclose_text(out);
    json_decref(object);
    return text;
}
