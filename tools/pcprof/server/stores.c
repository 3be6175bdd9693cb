/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source: fts(3), stat(2), the names of SQLite's write-ahead log. */
#include "tools/pcprof/server/stores.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file_form.h"
#include "host/report/json_value.h"
#include "host/report/render.h"
#include "host/store/store.h"
#include "tools/pcprof/list.h"

/* The process waits for writers of a store, and is ended after some seconds. A store that it cannot read is read again
 * later; one that it has not ended with, when its files have changed. */
enum { STORES_WAIT_MS = 1000, STORES_SECONDS = 60, STORES_RETRY_SECONDS = 10 };

uint64_t serve_stores_moment(struct serve_stores *s) { return ++s->now; }

struct served_store *serve_stores_find(const struct serve_stores *s, const char *name)
{
    struct served_store *store;
    HASH_FIND_STR(s->by_name, name, store);
    return store;
}

static int64_t stores_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* ---- the files ---- */

static enum status stores_check_source(const char *path, struct errmsg *err)
{
    static const char expected[] = "a profile store or a folder";
    struct stat sb;
    if (stat(path, &sb) != 0)
        return fail(err, ST_IO, "%s: %s: expected %s", path, strerror(errno), expected);
    if (S_ISDIR(sb.st_mode) || store_is_profile_store(path))
        return ST_OK;
    if (store_is_database(path))
        return fail(err, ST_FORMAT, "%s: expected %s, found a database of another application", path, expected);
    enum status st = file_form_check(path, FILE_FORM_STORE, expected, ST_FORMAT, err);
    return st != ST_OK ? st : fail(err, ST_IO, "%s: expected %s, found no file that can be read", path, expected);
}

enum status serve_stores_init(struct serve_stores *s, const struct option_list *source, struct errmsg *err)
{
    enum status st = ST_OK;
    *s = (struct serve_stores){.source = source};
    for (unsigned n = 0; n < source->count && st == ST_OK; n++)
        st = stores_check_source(source->text[n], err);
    return st;
}

/* Takes the list of a store, or NULL. */
static void stores_set_list(struct served_store *store, json_t *list)
{
    size_t n;
    json_t *row;
    json_decref(store->list);
    free(store->run);
    store->list = list;
    store->run = NULL;
    store->runs = 0;
    json_array_foreach(json_object_get(list, "runs"), n, row)
    {
        char *text = json_dumps(row, JSON_COMPACT);
        struct served_run run = {.id = json_integer_value(json_object_get(row, "run")),
                                 .epoch = json_string_value(json_object_get(row, "epoch"))};
        sha1_digest(text, strlen(text), run.digest);
        free(text);
        store->run = xgrow(store->run, store->runs, sizeof *store->run);
        store->run[store->runs++] = run;
    }
}

static void stores_remove(struct serve_stores *s, struct served_store *store)
{
    HASH_DEL(s->by_name, store);
    stores_set_list(store, NULL);
    free(store->name);
    free(store);
}

void serve_stores_release(struct serve_stores *s)
{
    serve_work_abort(&s->work);
    while (s->by_name != NULL)
        stores_remove(s, s->by_name);
}

/* The state of a store's files: which file it is, size and time of it and of its log, which is as good as none while it
 * is empty. Reading can create an empty log, and remove it. */
static void stores_look(struct serve_stores *s, struct served_store *store)
{
    struct stat sb, log;
    char *name = xasprintf("%s-wal", store->name);
    const bool has_log = stat(name, &log) == 0 && log.st_size > 0;
    const int found = store->is_named ? stat(store->name, &sb) : lstat(store->name, &sb);
    store->exists = found == 0 && S_ISREG(sb.st_mode);
    if (store->exists)
        snprintf(store->state, sizeof store->state,
                 "%" PRIu64 ":%" PRIu64 " %" PRId64 " %" PRId64 ".%09ld %" PRId64 " %" PRId64 ".%09ld",
                 (uint64_t)sb.st_dev, (uint64_t)sb.st_ino, (int64_t)sb.st_size, (int64_t)sb.st_mtim.tv_sec,
                 sb.st_mtim.tv_nsec, has_log ? (int64_t)log.st_size : 0, has_log ? (int64_t)log.st_mtim.tv_sec : 0,
                 has_log ? log.st_mtim.tv_nsec : 0);
    store->checked = s->now;
    free(name);
}

/* A store that has been found. */
static void stores_add_found(struct serve_stores *s, const char *path, bool is_named)
{
    struct served_store *store = serve_stores_find(s, path);
    if (store == NULL && HASH_COUNT(s->by_name) >= SERVE_STORES_MOST) {
        s->is_cut = true;
        return;
    }
    if (store == NULL) {
        store = xcalloc(1, sizeof *store);
        store->name = xstrdup(path);
        HASH_ADD_KEYPTR(hh, s->by_name, store->name, strlen(store->name), store);
    }
    store->is_named |= is_named;
    stores_look(s, store);
}

/* Names of what is still being written: results of pcsweep and outputs are renamed when they are complete. */
static bool stores_is_partial(const char *name) { return name[0] == '.' || strstr(name, ".tmp.") != NULL; }

/* Adds the stores in a folder and below. Symbolic links are not followed, so nothing outside is found. */
static void stores_scan_folder(struct serve_stores *s, char *path)
{
    char *const paths[] = {path, NULL};
    unsigned files = 0;
    FTSENT *e;
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
    if (walk == NULL)
        return;
    while ((e = fts_read(walk)) != NULL && !s->is_cut) {
        if (e->fts_level > FTS_ROOTLEVEL && stores_is_partial(e->fts_name))
            (void)fts_set(walk, e, FTS_SKIP);
        else if (e->fts_info == FTS_F &&
                 (serve_stores_find(s, e->fts_path) != NULL || store_is_profile_store(e->fts_path)))
            stores_add_found(s, e->fts_path, false);
        s->is_cut = s->is_cut || ++files > SERVE_FILES_MOST;
    }
    (void)fts_close(walk);
}

static int stores_compare(const struct served_store *a, const struct served_store *b)
{
    return strcmp(a->name, b->name);
}

/* Looks for stores, and forgets those that are gone. */
static void stores_scan(struct serve_stores *s)
{
    struct served_store *next;
    for (struct served_store *store = s->by_name; store != NULL; store = store->hh.next)
        store->exists = false;
    s->is_cut = false;
    for (unsigned n = 0; n < s->source->count; n++) {
        struct stat sb;
        char *path = xstrdup(s->source->text[n]);
        for (size_t length = strlen(path); length > 1 && path[length - 1] == '/'; length--)
            path[length - 1] = '\0'; /* fts would keep it, and add another one */
        if (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode))
            stores_scan_folder(s, path);
        else if (stat(path, &sb) == 0 && S_ISREG(sb.st_mode))
            stores_add_found(s, path, true); /* whatever it has become since the start */
        free(path);
    }
    for (struct served_store *store = s->by_name; store != NULL; store = next) {
        next = store->hh.next;
        if (!store->exists && store->reading_state[0] == '\0')
            stores_remove(s, store);
    }
    HASH_SORT(s->by_name, stores_compare);
    s->scanned = s->now;
}

/* ---- the lists ---- */

static enum status stores_read_list(const char *path, struct report **r, struct errmsg *err)
{
    const struct store_selection all = {.path = NULL};
    struct profile_store *s = NULL;
    struct store_contents c = {0};
    enum status st = store_open(&s, path, STORE_READ, STORES_WAIT_MS, err);
    if (st == ST_OK)
        st = store_list(s, &all, &c, err);
    if (st == ST_OK && c.runs > SERVE_RUNS_MOST)
        st = fail(err, ST_RANGE, "%s: expected at most %d runs, found %zu", path, SERVE_RUNS_MOST, c.runs);
    if (st == ST_OK)
        *r = pcprof_list_report(path, &c);
    store_contents_release(&c);
    store_close(s);
    return st;
}

/* The process: prints the list of each store that is to be read, or an object with the error. */
static int stores_print_lists(const void *ctx)
{
    const struct serve_stores *s = ctx;
    const struct report_view view = {.top = 0};
    for (const struct served_store *store = s->by_name; store != NULL; store = store->hh.next) {
        struct report *r = NULL;
        struct errmsg err;
        if (store->reading_state[0] == '\0')
            continue;
        if (stores_read_list(store->name, &r, &err) == ST_OK) {
            report_formats[REPORT_AS_json].write(r, &view, stdout);
        } else {
            json_t *object = json_object();
            json_put(object, "error", json_text(err.text));
            json_dumpf(object, stdout, 0);
            json_decref(object);
        }
        report_free(r);
        fflush(stdout); /* also for the server, if the next store ends this process */
    }
    return 0;
}

static void stores_fail(struct served_store *store, const char *why, bool is_retried)
{
    stores_set_list(store, NULL);
    store->retry = is_retried ? stores_seconds() + STORES_RETRY_SECONDS : INT64_MAX;
    (void)fail(&store->why, ST_INPUT, "%s", why);
}

static bool stores_is_stale(const struct served_store *store)
{
    return strcmp(store->state, store->listed_state) != 0 || (store->list == NULL && stores_seconds() >= store->retry);
}

/* Begins to read all stores that have changed. */
static void stores_start(struct serve_stores *s)
{
    struct errmsg err;
    if (s->work.process != 0)
        return;
    for (struct served_store *store = s->by_name; store != NULL; store = store->hh.next)
        if (stores_is_stale(store))
            strcpy(store->reading_state, store->state);
    if (serve_work_start(&s->work, STORES_SECONDS, stores_print_lists, s, &err) == ST_OK)
        return;
    for (struct served_store *store = s->by_name; store != NULL; store = store->hh.next)
        if (store->reading_state[0] != '\0') {
            stores_fail(store, err.text, true);
            strcpy(store->listed_state, store->reading_state);
            store->reading_state[0] = '\0';
        }
}

/* Whether one of the stores has changed. */
static bool stores_is_any_stale(const struct serve_stores *s)
{
    const struct served_store *store = s->by_name;
    while (store != NULL && !stores_is_stale(store))
        store = store->hh.next;
    return store != NULL;
}

bool serve_stores_are_known(struct serve_stores *s, const char *name, uint64_t since)
{
    struct served_store *store = name != NULL ? serve_stores_find(s, name) : NULL;
    if (store != NULL && store->checked < since)
        stores_look(s, store);
    if ((store == NULL || !store->exists) && s->scanned < since)
        stores_scan(s);
    store = name != NULL ? serve_stores_find(s, name) : NULL;
    if (name == NULL ? !stores_is_any_stale(s) : store == NULL || !stores_is_stale(store))
        return true;
    stores_start(s);
    return s->work.process == 0;
}

/* Takes the list of a store, or its error. */
static void stores_take(struct served_store *store, json_t *list)
{
    const json_t *error = json_object_get(list, "error");
    if (error != NULL) {
        stores_fail(store, json_string_value(error), true);
        json_decref(list);
    } else {
        stores_set_list(store, list);
    }
    strcpy(store->listed_state, store->reading_state);
}

/* Takes the lists that the process has written, in the order of the names. If it has not ended well, the first store
 * without a list is the cause, and the others are read again. */
static void stores_take_all(struct serve_stores *s, const char *text, size_t size_bytes, enum status st,
                            const struct errmsg *why)
{
    size_t at = 0;
    bool has_ended = false;
    for (struct served_store *store = s->by_name; store != NULL; store = store->hh.next) {
        json_error_t error;
        if (store->reading_state[0] == '\0')
            continue;
        json_t *list = has_ended ? NULL : json_loadb(text + at, size_bytes - at, JSON_DISABLE_EOF_CHECK, &error);
        if (list != NULL) {
            stores_take(store, list);
            at += (size_t)error.position;
        } else if (!has_ended) {
            has_ended = true;
            stores_fail(store, st != ST_OK ? why->text : "the list of the store is incomplete", false);
            strcpy(store->listed_state, store->reading_state);
        }
        store->reading_state[0] = '\0';
    }
}

bool serve_stores_advance(struct serve_stores *s)
{
    struct errmsg why;
    struct stat sb;
    if (s->work.process == 0 || !serve_work_advance(&s->work))
        return false;
    const enum status st = serve_work_finish(&s->work, &why);
    const size_t size_bytes = fstat(s->work.output, &sb) == 0 ? (size_t)sb.st_size : 0;
    char *text = size_bytes > 0 ? mmap(NULL, size_bytes, PROT_READ, MAP_PRIVATE, s->work.output, 0) : MAP_FAILED;
    stores_take_all(s, text, text != MAP_FAILED ? size_bytes : 0, st, &why);
    if (text != MAP_FAILED)
        (void)munmap(text, size_bytes);
    close(s->work.output);
    return true;
}
