/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds a run: one transaction for the run, its images, its values, and the sums of its epoch. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/store/write.h"

struct statement writer_statement(const struct writer *w, const char *sql)
{
    return w->code == SQLITE_OK ? statement_new(w->store, sql) : (struct statement){.code = w->code};
}

void writer_end(struct writer *w, struct statement *q)
{
    if (w->code == SQLITE_OK)
        w->code = q->code;
    statement_free(q);
}

/* ---- numbers of rows that may be there already ---- */

/* Binds texts to the parameters 1, 2, ... of both statements, inserts a row unless it is there, and returns its number;
 * *added, unless `added` is NULL: whether it was new. */
static int64_t find_or_add(struct writer *w, const char *select, const char *insert, const char *const *text,
                           unsigned texts, bool *added)
{
    int64_t id = -1;
    const char *const sql[] = {select, insert};
    for (int step = 0; step < 2 && id < 0 && w->code == SQLITE_OK; step++) {
        struct statement q = writer_statement(w, sql[step]);
        for (unsigned i = 0; i < texts; i++)
            statement_bind_text(&q, (int)i + 1, text[i]);
        if (step == 1) {
            statement_run(&q);
            id = sqlite3_last_insert_rowid(w->store->db);
        } else if (statement_row(&q)) {
            id = statement_int(&q, 0);
        }
        if (added != NULL)
            *added = step == 1;
        writer_end(w, &q);
    }
    return id;
}

static int64_t add_epoch(struct writer *w, const char *name)
{
    return find_or_add(w, "SELECT id FROM epoch WHERE name = ?1", "INSERT INTO epoch (name) VALUES (?1)", &name, 1,
                       NULL);
}

static int64_t add_configuration(struct writer *w, const struct store_run *r)
{
    return find_or_add(w, "SELECT id FROM configuration WHERE name = ?1 AND text = ?2",
                       "INSERT INTO configuration (name, text) VALUES (?1, ?2)",
                       (const char *const[]){r->configuration, r->configuration_text}, 2, NULL);
}

static int64_t store_write_add_file(struct writer *w, const char *path)
{
    return find_or_add(w, "SELECT id FROM file WHERE path = ?1", "INSERT INTO file (path) VALUES (?1)", &path, 1, NULL);
}

static int64_t store_write_add_event(struct writer *w, const struct profile_event *e)
{
    return find_or_add(w, "SELECT id FROM event WHERE name = ?1 AND by = ?2 AND source = ?3 AND ?4 IS NOT NULL",
                       "INSERT INTO event (name, by, source, unit) VALUES (?1, ?2, ?3, ?4)",
                       (const char *const[]){e->name, e->by, store_source_name(e->source), e->unit}, 4, NULL);
}

/* ---- images ---- */

static void add_symbols(struct writer *w, int64_t image, const struct profile_image *i)
{
    struct statement q = writer_statement(
        w, "INSERT OR IGNORE INTO symbol (image, start, size, name, shown) VALUES (?1, ?2, ?3, ?4, ?5)");
    for (size_t n = 0; n < i->symbols; n++) {
        const struct profile_symbol *s = &i->symbol[n];
        statement_bind_int(&q, 1, image);
        statement_bind_int(&q, 2, (int64_t)s->start);
        statement_bind_int(&q, 3, (int64_t)s->size_bytes);
        statement_bind_text(&q, 4, s->name);
        statement_bind_text(&q, 5, strcmp(s->name, s->shown) != 0 ? s->shown : NULL);
        statement_run(&q);
    }
    writer_end(w, &q);
}

int64_t writer_file(struct writer *w, const struct profile *p, uint32_t file)
{
    if (file == PROFILE_NO_FILE)
        return 0;
    if (w->file[file] == 0)
        w->file[file] = store_write_add_file(w, profile_file(p, file));
    return w->file[file];
}

static void store_write_add_lines(struct writer *w, int64_t image, const struct profile_image *i,
                                  const struct profile *p)
{
    struct statement q = writer_statement(
        w, "INSERT OR IGNORE INTO line (image, start, file, line, discriminator) VALUES (?1, ?2, ?3, ?4, ?5)");
    for (size_t n = 0; n < i->lines; n++) {
        const struct profile_line *l = &i->line[n];
        int64_t file = writer_file(w, p, l->file);
        statement_bind_int(&q, 1, image);
        statement_bind_int(&q, 2, (int64_t)l->start);
        if (l->file != PROFILE_NO_FILE)
            statement_bind_int(&q, 3, file);
        else
            statement_bind_text(&q, 3, NULL);
        statement_bind_int(&q, 4, l->line);
        statement_bind_int(&q, 5, l->discriminator);
        statement_run(&q);
    }
    writer_end(w, &q);
}

static void store_write_add_sections(struct writer *w, int64_t image, const struct profile_code *section, size_t count,
                                     bool executable)
{
    struct statement q = writer_statement(
        w, "INSERT OR IGNORE INTO code (image, start, bytes, file_offset, executable) VALUES (?1, ?2, ?3, ?4, ?5)");
    for (size_t n = 0; n < count; n++) {
        statement_bind_int(&q, 1, image);
        statement_bind_int(&q, 2, (int64_t)section[n].start);
        statement_bind_blob(&q, 3, section[n].bytes, section[n].size_bytes);
        statement_bind_int(&q, 4, (int64_t)section[n].file_offset);
        statement_bind_int(&q, 5, executable);
        statement_run(&q);
    }
    writer_end(w, &q);
}

static void store_write_add_code(struct writer *w, int64_t image, const struct profile_image *i)
{
    store_write_add_sections(w, image, i->code, i->codes, true);
    store_write_add_sections(w, image, i->data, i->datas, false);
}

/* Returns whether a table has a row of the image. */
static bool image_has(struct writer *w, const char *sql, int64_t image)
{
    struct statement q = writer_statement(w, sql);
    statement_bind_int(&q, 1, image);
    bool has = statement_row(&q);
    writer_end(w, &q);
    return has || w->code != SQLITE_OK;
}

/* Sums the samples that earlier runs have in an image once more, by its symbols. */
static void sum_again(struct writer *w, int64_t image)
{
    static const char *const sql[] = {"DELETE FROM procedure_sample WHERE image = ?1",
                                      STORE_SUM_PROCEDURES("image = ?1")};
    store_forget_procedure(w->store);
    for (size_t n = 0; n < sizeof sql / sizeof sql[0]; n++) {
        struct statement q = writer_statement(w, sql[n]);
        statement_bind_int(&q, 1, image);
        statement_run(&q);
        writer_end(w, &q);
    }
}

/* An image that the store has gets symbols, lines and scopes if it has none: debug files may be there now. */
static int64_t store_write_add_image(struct writer *w, const struct profile_image *i, const struct profile *p)
{
    bool added = false;
    int64_t image = find_or_add(w, "SELECT id FROM image WHERE build_id = ?1 AND name = ?2 AND ?3 IS NOT NULL",
                                "INSERT INTO image (build_id, name, path) VALUES (?1, ?2, ?3)",
                                (const char *const[]){i->build_id, i->name, i->path}, 3, &added);
    if (added || !image_has(w, "SELECT 1 FROM symbol WHERE image = ?1 LIMIT 1", image)) {
        add_symbols(w, image, i);
        if (!added && i->symbols > 0)
            sum_again(w, image);
    }
    if (added || !image_has(w, "SELECT 1 FROM line WHERE image = ?1 LIMIT 1", image))
        store_write_add_lines(w, image, i, p);
    if (added || !image_has(w, "SELECT 1 FROM scope WHERE image = ?1 LIMIT 1", image))
        writer_add_scopes(w, image, i, p);
    if (added)
        store_write_add_code(w, image, i);
    return image;
}

static void store_write_add_images(struct writer *w, const struct profile *p)
{
    size_t files = 0;
    w->image = xcalloc(profile_images(p) + 1, sizeof *w->image);
    for (uint32_t n = 0; n < profile_images(p); n++) {
        size_t more = writer_files(profile_image(p, n));
        files = more > files ? more : files;
    }
    w->file = xcalloc(files + 1, sizeof *w->file);
    for (uint32_t n = 0; n < profile_images(p); n++)
        w->image[n] = store_write_add_image(w, profile_image(p, n), p);
}

/* ---- the run ---- */

/* Binds the report, compressed; the caller frees the result after the statement has run. */
static void *bind_report(struct statement *q, int column, const struct store_run *r)
{
    struct packed_report packed = {0};
    if (r->packed != NULL) {
        statement_bind_blob(q, column, r->packed->bytes, r->packed->size_bytes);
        return NULL;
    }
    FILE *out = packed_report_open(&packed);
    fputs(r->report, out);
    fclose(out);
    statement_bind_blob(q, column, packed.bytes, packed.size_bytes);
    return packed.bytes;
}

static int64_t add_run_row(struct writer *w, const struct store_run *r)
{
    int64_t configuration = add_configuration(w, r);
    struct statement q = writer_statement(
        w, "INSERT INTO run (epoch, time, command, guest, configuration, seed, program, program_hash, cycles, "
           "instructions, partial, statistics, report) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
           "?12, ?13)");
    statement_bind_int(&q, 1, w->epoch);
    statement_bind_int(&q, 2, r->time);
    statement_bind_text(&q, 3, r->command);
    statement_bind_text(&q, 4, r->guest);
    statement_bind_int(&q, 5, configuration);
    statement_bind_int(&q, 6, (int64_t)r->seed);
    statement_bind_text(&q, 7, r->program);
    statement_bind_text(&q, 8, r->program_hash);
    statement_bind_int(&q, 9, (int64_t)r->cycles);
    statement_bind_int(&q, 10, (int64_t)r->instructions);
    statement_bind_int(&q, 11, r->partial);
    statement_bind_text(&q, 12, r->statistics);
    void *report = bind_report(&q, 13, r);
    statement_run(&q);
    int64_t run = sqlite3_last_insert_rowid(w->store->db);
    writer_end(w, &q);
    free(report);
    return run;
}

/* ---- events ---- */

static int64_t add_series(struct writer *w, int64_t run, int64_t event, const struct profile_event *e)
{
    struct statement q = writer_statement(w, "INSERT INTO series (run, event, scale, period, total, lost, unplaced) "
                                             "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    statement_bind_int(&q, 1, run);
    statement_bind_int(&q, 2, event);
    statement_bind_real(&q, 3, e->scale);
    statement_bind_real(&q, 4, e->period);
    statement_bind_real(&q, 5, e->total);
    statement_bind_int(&q, 6, (int64_t)e->lost);
    statement_bind_real(&q, 7, e->unplaced);
    statement_run(&q);
    int64_t series = sqlite3_last_insert_rowid(w->store->db);
    writer_end(w, &q);
    return series;
}

/* Adds an event of a run to that of the epoch. */
static int64_t sum_event(struct writer *w, int64_t event, const struct profile_event *e)
{
    struct statement q = writer_statement(
        w, "INSERT INTO epoch_event (epoch, event, runs, scale_least, scale_most, period, total, lost, unplaced) "
           "VALUES (?1, ?2, 1, ?3, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (epoch, event) DO UPDATE SET "
           "runs = runs + 1, scale_least = min(scale_least, excluded.scale_least), "
           "scale_most = max(scale_most, excluded.scale_most), period = period + excluded.period, "
           "total = total + excluded.total, lost = lost + excluded.lost, "
           "unplaced = unplaced + excluded.unplaced RETURNING id");
    statement_bind_int(&q, 1, w->epoch);
    statement_bind_int(&q, 2, event);
    statement_bind_real(&q, 3, e->scale);
    statement_bind_real(&q, 4, e->period);
    statement_bind_real(&q, 5, e->total);
    statement_bind_int(&q, 6, (int64_t)e->lost);
    statement_bind_real(&q, 7, e->unplaced);
    int64_t id = statement_row(&q) ? statement_int(&q, 0) : -1;
    writer_end(w, &q);
    return id;
}

static void store_write_add_events(struct writer *w, const struct profile *p, int64_t run)
{
    for (uint32_t n = 0; n < profile_events(p) && w->code == SQLITE_OK; n++) {
        const struct profile_event *e = profile_event(p, n);
        int64_t event = store_write_add_event(w, e);
        struct writer_series s = {.series = add_series(w, run, event, e), .scale = e->scale};
        s.epoch_event = sum_event(w, event, e);
        writer_add_values(w, p, n, &s);
        profile_pack(p, n);
    }
}

/* ---- transactions ---- */

int64_t writer_add_run(struct writer *w, const struct store_run *r)
{
    w->epoch = add_epoch(w, r->epoch);
    store_write_add_images(w, r->profile);
    w->frame = xcalloc(profile_frames_end(r->profile) + 1, sizeof *w->frame);
    int64_t run = add_run_row(w, r);
    store_write_add_events(w, r->profile, run);
    free(w->image);
    free(w->file);
    free(w->frame);
    w->image = w->file = w->frame = NULL;
    return run;
}

int64_t store_now(void)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    char *end;
    const long long seconds = fixed != NULL ? strtoll(fixed, &end, 10) : 0;
    return fixed != NULL && end != fixed && *end == '\0' ? seconds : (int64_t)time(NULL);
}

enum status store_add_run(struct profile_store *s, const struct store_run *run, int64_t *number, struct errmsg *err)
{
    static const char doing[] = "the run is not stored";
    if (!store_is_epoch_name(run->epoch))
        return fail(err, ST_INPUT, "%s: " STORE_EPOCH_NAME, s->path, run->epoch);
    struct writer w = {.store = s, .code = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL)};
    if (w.code != SQLITE_OK)
        return store_error(s, w.code, doing, err);
    *number = writer_add_run(&w, run);
    if (w.code == SQLITE_OK)
        w.code = sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
    if (w.code == SQLITE_OK)
        return ST_OK;
    enum status st = store_error(s, w.code, doing, err);
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}
