/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contents of a store: epochs, runs, events, images; the report and the statistics of a run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/text.h"
#include "host/store/parts.h"

static const char doing[] = "the store cannot be read";

/* A text for a terminal; NULL for NULL. The caller frees it. */
static char *store_list_shown_text(const struct statement *q, int column)
{
    char *text = statement_optional_text(q, column);
    return text != NULL ? text_make_printable(text) : NULL;
}

/* The same, "" for NULL. */
static char *known_text(const struct statement *q, int column)
{
    char *text = store_list_shown_text(q, column);
    return text != NULL ? text : xstrdup("");
}

static int list_epochs(const struct profile_store *s, struct store_contents *c)
{
    struct statement q = statement_new(
        s, "SELECT epoch.id, epoch.name, count(run.id), total(partial), coalesce(min(run.id), 0), "
           "coalesce(max(run.id), 0), total(cycles), total(instructions) FROM epoch LEFT JOIN run "
           "ON run.epoch = epoch.id GROUP BY epoch.id ORDER BY epoch.id");
    while (statement_row(&q)) {
        c->epoch = xrealloc(c->epoch, (c->epochs + 1) * sizeof *c->epoch);
        c->epoch[c->epochs++] = (struct store_epoch_info){.id = statement_int(&q, 0),
                                                          .name = known_text(&q, 1),
                                                          .runs = statement_int(&q, 2),
                                                          .partial = statement_int(&q, 3),
                                                          .first_run = statement_int(&q, 4),
                                                          .last_run = statement_int(&q, 5),
                                                          .cycles = (uint64_t)statement_int(&q, 6),
                                                          .instructions = (uint64_t)statement_int(&q, 7)};
    }
    statement_free(&q);
    return q.code;
}

static bool is_selected(const struct store_selection *selection, int64_t run)
{
    for (size_t n = 0; n < selection->ranges; n++)
        if (run >= selection->range[n].first && run <= selection->range[n].last)
            return true;
    return selection->ranges == 0;
}

static int list_runs(const struct profile_store *s, const struct store_selection *selection, struct store_contents *c)
{
    size_t room = 0;
    struct statement q = statement_new(
        s, "SELECT run.id, epoch.name, time, guest, configuration.name, program, command, seed, cycles, instructions, "
           "partial, " STORE_HARTS " FROM run LEFT JOIN epoch ON epoch.id = run.epoch LEFT JOIN configuration "
           "ON configuration.id = configuration "
           "WHERE epoch.name = ?1 OR ?1 IS NULL ORDER BY run.id");
    statement_bind_text(&q, 1, selection->epoch);
    while (statement_row(&q)) {
        if (!is_selected(selection, statement_int(&q, 0)))
            continue;
        if (c->runs == room) {
            room = 2 * room + 64;
            c->run = xrealloc(c->run, room * sizeof *c->run);
        }
        c->run[c->runs++] = (struct store_run_info){.id = statement_int(&q, 0),
                                                    .epoch = known_text(&q, 1),
                                                    .time = statement_int(&q, 2),
                                                    .guest = known_text(&q, 3),
                                                    .configuration = known_text(&q, 4),
                                                    .program = store_list_shown_text(&q, 5),
                                                    .command = known_text(&q, 6),
                                                    .seed = (uint64_t)statement_int(&q, 7),
                                                    .cycles = (uint64_t)statement_int(&q, 8),
                                                    .instructions = (uint64_t)statement_int(&q, 9),
                                                    .partial = statement_int(&q, 10) != 0,
                                                    .harts = (uint64_t)statement_int(&q, 11)};
    }
    statement_free(&q);
    return q.code;
}

static int list_images(const struct profile_store *s, struct store_contents *c)
{
    struct statement q = statement_new(
        s, "SELECT id, build_id, name, path, (SELECT count(*) FROM symbol WHERE image = id), "
           "(SELECT count(*) FROM line WHERE image = id), "
           "(SELECT total(length(bytes)) FROM code WHERE image = id AND executable) FROM image ORDER BY id");
    while (statement_row(&q)) {
        c->image = xrealloc(c->image, (c->images + 1) * sizeof *c->image);
        c->image[c->images++] = (struct store_image_info){.id = statement_int(&q, 0),
                                                          .build_id = known_text(&q, 1),
                                                          .name = known_text(&q, 2),
                                                          .path = known_text(&q, 3),
                                                          .symbols = statement_int(&q, 4),
                                                          .lines = statement_int(&q, 5),
                                                          .code_bytes = statement_int(&q, 6)};
    }
    statement_free(&q);
    return q.code;
}

static int list_events(const struct profile_store *s, struct store_contents *c)
{
    struct statement q = statement_new(
        s, "SELECT event.id, name, by, source, unit, total(runs) FROM event JOIN epoch_event "
           "ON epoch_event.event = event.id GROUP BY event.id ORDER BY source = 'exact', event.id");
    while (statement_row(&q)) {
        c->event = xrealloc(c->event, (c->events + 1) * sizeof *c->event);
        c->event[c->events++] = (struct store_event_info){.id = statement_int(&q, 0),
                                                          .name = known_text(&q, 1),
                                                          .by = known_text(&q, 2),
                                                          .source = known_text(&q, 3),
                                                          .unit = known_text(&q, 4),
                                                          .runs = statement_int(&q, 5)};
    }
    statement_free(&q);
    return q.code;
}

/* Refuses epochs that cannot be selected, and runs without an epoch or a configuration, which are "" here: they would
 * be lost. */
static enum status store_list_check(const struct profile_store *s, const struct store_contents *c, struct errmsg *err)
{
    for (size_t n = 0; n < c->epochs; n++)
        if (!store_is_epoch_name(c->epoch[n].name))
            return fail(err, ST_FORMAT, "%s: " STORE_EPOCH_NAME, s->path, c->epoch[n].name);
    for (size_t n = 0; n < c->runs; n++) {
        const struct store_run_info *r = &c->run[n];
        if (r->epoch[0] == '\0' || r->configuration[0] == '\0')
            return fail(err, ST_FORMAT,
                        "%s: expected runs with rows in the tables epoch and configuration, found run %" PRId64,
                        s->path, r->id);
    }
    return ST_OK;
}

enum status store_list(const struct profile_store *s, const struct store_selection *selection,
                       struct store_contents *contents, struct errmsg *err)
{
    *contents = (struct store_contents){0};
    int code = list_epochs(s, contents);
    if (code == SQLITE_OK)
        code = list_runs(s, selection, contents);
    if (code == SQLITE_OK)
        code = list_events(s, contents);
    if (code == SQLITE_OK)
        code = list_images(s, contents);
    return code == SQLITE_OK ? store_list_check(s, contents, err) : store_error(s, code, doing, err);
}

void store_contents_release(struct store_contents *c)
{
    for (size_t i = 0; i < c->epochs; i++)
        free(c->epoch[i].name);
    for (size_t i = 0; i < c->runs; i++) {
        free(c->run[i].epoch);
        free(c->run[i].guest);
        free(c->run[i].configuration);
        free(c->run[i].program);
        free(c->run[i].command);
    }
    for (size_t i = 0; i < c->images; i++) {
        free(c->image[i].build_id);
        free(c->image[i].name);
        free(c->image[i].path);
    }
    for (size_t i = 0; i < c->events; i++) {
        free(c->event[i].name);
        free(c->event[i].by);
        free(c->event[i].source);
        free(c->event[i].unit);
    }
    free(c->event);
    free(c->epoch);
    free(c->run);
    free(c->image);
}

/* Decompresses what packed_report.c has compressed; NULL: damaged, or, with *excess set, too long to be read. With
 * `is_checked_alone` the text is of any length, and only the end of it is returned. */
static char *store_list_decompress(const void *bytes, size_t size_bytes, bool is_checked_alone, size_t *text_bytes,
                                   bool *excess)
{
    ZSTD_DCtx *zstd = ZSTD_createDCtx();
    ZSTD_inBuffer in = {bytes, size_bytes, 0};
    size_t room = 1 << 16, left = 1;
    char *text = xmalloc(room + 1);
    *excess = false;
    if (zstd == NULL)
        out_of_memory();
    for (*text_bytes = 0; left != 0 && !ZSTD_isError(left) && !*excess;) {
        ZSTD_outBuffer out = {text, room, *text_bytes};
        const size_t before = in.pos;
        left = ZSTD_decompressStream(zstd, &out, &in);
        if (in.pos == before && out.pos == *text_bytes)
            break; /* the frame is cut */
        *text_bytes = out.pos;
        *excess = out.pos > STORE_REPORT_MOST;
        if (out.pos == room && is_checked_alone)
            *text_bytes = 0;
        else if (out.pos == room)
            text = xrealloc(text, (room *= 2) + 1);
    }
    ZSTD_freeDCtx(zstd);
    text[*text_bytes] = '\0';
    if (left == 0 && in.pos == size_bytes && !*excess)
        return text;
    free(text);
    return NULL;
}

static struct packed_report copy_blob(const struct statement *q, int column)
{
    struct packed_report p = {.size_bytes = (size_t)sqlite3_column_bytes(q->stmt, column)};
    p.bytes = memcpy(xmalloc(p.size_bytes + 1), sqlite3_column_blob(q->stmt, column), p.size_bytes);
    return p;
}

/* Reads the report of a run, as text, or if `packed` is not NULL as it is stored. */
static enum status read_report(const struct profile_store *s, int64_t run, char **json, size_t *size_bytes,
                               struct packed_report *packed, struct errmsg *err)
{
    enum status st = ST_OK;
    struct statement q = statement_new(s, "SELECT report FROM run WHERE id = ?1");
    statement_bind_int(&q, 1, run);
    *json = NULL;
    if (statement_row(&q)) {
        const void *bytes = sqlite3_column_blob(q.stmt, 0);
        bool excess;
        *json = store_list_decompress(bytes, (size_t)sqlite3_column_bytes(q.stmt, 0), packed != NULL, size_bytes,
                                      &excess);
        if (packed != NULL && *json != NULL)
            *packed = copy_blob(&q, 0);
        if (excess)
            st = fail(err, ST_FORMAT,
                      "%s: run %" PRId64
                      ": its report has more than %d MiB of JSON, which is not read; pcprof prof and "
                      "the other tables do not need it",
                      s->path, run, STORE_REPORT_MOST >> 20);
        else if (*json == NULL)
            st = fail(err, ST_FORMAT,
                      "%s: run %" PRId64 ": its report is damaged: expected a zstd frame, found %d bytes "
                      "that are none",
                      s->path, run, sqlite3_column_bytes(q.stmt, 0));
    } else if (q.code == SQLITE_OK) {
        st = fail(err, ST_INPUT, "%s: there is no run %" PRId64 ": pcprof list %s has the runs", s->path, run, s->path);
    }
    if (q.code != SQLITE_OK)
        st = store_error(s, q.code, doing, err);
    statement_free(&q);
    return st;
}

enum status store_report(const struct profile_store *s, int64_t run, char **json, size_t *size_bytes,
                         struct errmsg *err)
{
    return read_report(s, run, json, size_bytes, NULL, err);
}

enum status store_packed_report(const struct profile_store *s, int64_t run, struct packed_report *packed,
                                struct errmsg *err)
{
    char *end;
    size_t size_bytes;
    *packed = (struct packed_report){0};
    enum status st = read_report(s, run, &end, &size_bytes, packed, err);
    free(end);
    return st;
}

enum status store_statistics(const struct profile_store *s, int64_t run, char **json, size_t *size_bytes,
                             struct errmsg *err)
{
    enum status st = ST_OK;
    struct statement q = statement_new(s, "SELECT statistics FROM run WHERE id = ?1");
    statement_bind_int(&q, 1, run);
    *json = NULL;
    if (statement_row(&q)) {
        *json = statement_text(&q, 0);
        *size_bytes = *json != NULL ? strlen(*json) : 0;
    } else if (q.code == SQLITE_OK) {
        st = fail(err, ST_INPUT, "%s: there is no run %" PRId64 ": pcprof list %s has the runs", s->path, run, s->path);
    }
    if (q.code != SQLITE_OK)
        st = store_error(s, q.code, doing, err);
    statement_free(&q);
    return st;
}
