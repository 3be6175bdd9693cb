/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of one store added to another: each is loaded as a profile and added as a new run, all in one
 * transaction. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "host/store/write.h"

/* Columns of the run's row that store_load does not read; it owns the texts. */
struct run_texts {
    char *epoch, *command, *guest, *configuration, *configuration_text, *program, *program_hash, *statistics;
    struct packed_report report;
};

static void store_merge_release(struct run_texts *t)
{
    char *const all[] = {t->epoch,   t->command,      t->guest,      t->configuration, t->configuration_text,
                         t->program, t->program_hash, t->statistics, t->report.bytes};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
}

static enum status read_run(const struct profile_store *from, int64_t number, struct store_run *run,
                            struct run_texts *t, struct errmsg *err)
{
    struct statement q = statement_new(
        from, "SELECT epoch.name, command, guest, configuration.name, configuration.text, statistics, program, "
              "program_hash, time, seed, cycles, instructions, partial FROM run JOIN epoch ON epoch.id = epoch "
              "JOIN configuration ON configuration.id = configuration WHERE run.id = ?1");
    statement_bind_int(&q, 1, number);
    if (statement_row(&q)) {
        char **const text[] = {&t->epoch,     &t->command, &t->guest, &t->configuration, &t->configuration_text,
                               &t->statistics};
        for (int i = 0; i < 6; i++)
            *text[i] = statement_text(&q, i);
        t->program = statement_optional_text(&q, 6);
        t->program_hash = statement_optional_text(&q, 7);
        *run = (struct store_run){.epoch = t->epoch,
                                  .command = t->command,
                                  .guest = t->guest,
                                  .configuration = t->configuration,
                                  .configuration_text = t->configuration_text,
                                  .program = t->program,
                                  .program_hash = t->program_hash,
                                  .statistics = t->statistics,
                                  .time = statement_int(&q, 8),
                                  .seed = (uint64_t)statement_int(&q, 9),
                                  .cycles = (uint64_t)statement_int(&q, 10),
                                  .instructions = (uint64_t)statement_int(&q, 11),
                                  .partial = statement_int(&q, 12) != 0};
    }
    int code = q.code;
    statement_free(&q);
    if (code != SQLITE_OK)
        return store_error(from, code, "the store cannot be read", err);
    run->packed = &t->report;
    return store_packed_report(from, number, &t->report, err);
}

static enum status copy_run(struct writer *w, const struct profile_store *from, int64_t number, const char *epoch,
                            struct errmsg *err)
{
    struct store_run run = {0};
    struct run_texts texts = {0};
    struct store_range range = {number, number};
    const struct store_selection one = {.range = &range, .ranges = 1};
    struct profile *profile = NULL;
    enum status st = read_run(from, number, &run, &texts, err);
    if (st == ST_OK)
        st = store_load(from, &one, STORE_ALL, NULL, NULL, &profile, err);
    if (st == ST_OK) {
        run.profile = profile;
        run.epoch = epoch != NULL ? epoch : run.epoch;
        writer_add_run(w, &run);
    }
    profile_free(profile);
    store_merge_release(&texts);
    return st;
}

static enum status copy_runs(struct profile_store *into, const struct profile_store *from, const char *epoch,
                             size_t *runs, struct errmsg *err)
{
    static const char doing[] = "the runs are not stored";
    struct store_contents c;
    enum status st = store_list(from, &(struct store_selection){0}, &c, err);
    struct writer w = {.store = into};
    if (st == ST_OK)
        w.code = sqlite3_exec(into->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    bool begun = st == ST_OK && w.code == SQLITE_OK;
    for (size_t n = 0; begun && n < c.runs && st == ST_OK && w.code == SQLITE_OK; n++)
        st = copy_run(&w, from, c.run[n].id, epoch, err);
    if (begun && st == ST_OK && w.code == SQLITE_OK)
        w.code = sqlite3_exec(into->db, "COMMIT", NULL, NULL, NULL);
    if (st == ST_OK && w.code != SQLITE_OK)
        st = store_error(into, w.code, doing, err);
    if (begun && st != ST_OK)
        sqlite3_exec(into->db, "ROLLBACK", NULL, NULL, NULL);
    *runs = c.runs;
    store_contents_release(&c);
    return st;
}

enum status store_merge(struct profile_store *into, const char *from, const char *epoch, size_t *runs,
                        struct errmsg *err)
{
    struct profile_store *other;
    if (file_is_same(from, into->path))
        return fail(err, ST_INPUT, "%s: expected another store than the one that its runs are added to", from);
    enum status st = store_open(&other, from, STORE_READ, into->wait_ms, err);
    if (st != ST_OK)
        return st;
    st = store_check(other, "its runs are not added", err);
    if (st == ST_OK)
        st = copy_runs(into, other, epoch, runs, err);
    store_close(other);
    return st;
}
