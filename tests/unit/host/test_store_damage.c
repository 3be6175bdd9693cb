/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores that are damaged, hostile, of another version, locked or closed; migration. */
#include "tests/unit/store_fixture.h"

static void write_file(const char *text)
{
    FILE *f = fopen(path, "w");
    ck_assert(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Checks that a store cannot be opened, and what the message says. */
static void refuses(enum store_access access, enum status st, const char *words)
{
    ck_assert_int_eq(try_open(access), st);
    ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0, "%s", err.text);
    ck_assert_msg(strstr(err.text, words) != NULL, "%s", err.text);
}

START_TEST(files_that_are_no_stores_are_refused)
{
    refuses(STORE_READ, ST_IO, "No such file or directory: expected a profile store");
    write_file("");
    refuses(STORE_READ, ST_FORMAT, "found an empty file");
    write_file("A text, which is no database, and long enough to have a header.\n");
    refuses(STORE_READ, ST_FORMAT, "found a text file");
    refuses(STORE_CREATE, ST_FORMAT, "found a text file");
    unlink(path);
    execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    refuses(STORE_READ, ST_FORMAT, "found a database of another application");
    refuses(STORE_CREATE, ST_FORMAT, "found a database of another application");
    ck_assert_str_eq(ask("SELECT count(*) FROM t"), "1");
    unlink(path);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    refuses(STORE_CREATE, ST_IO, "found a folder");
    ck_assert_int_eq(rmdir(path), 0);
}
END_TEST

/* Names that SQLite takes for a database in memory, or for parameters of a database. */
START_TEST(a_store_is_the_file_of_its_path)
{
    static const char *const names[] = {":memory:", "file::memory:", "file:a?mode=memory", "file:a", "-a", "a%41?b#c"};
    ck_assert_int_eq(chdir(folder), 0);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        struct stat sb;
        struct profile_store *s;
        ck_assert_msg(store_open(&s, names[n], STORE_CREATE, 0, &err) == ST_OK, "%s", err.text);
        store_close(s);
        ck_assert_msg(stat(names[n], &sb) == 0 && sb.st_size > 0, "%s", names[n]);
        ck_assert_msg(store_open(&s, names[n], STORE_READ, 0, &err) == ST_OK, "%s", err.text);
        store_close(s);
        ck_assert_int_eq(unlink(names[n]), 0);
    }
    ck_assert_int_eq(chdir("/"), 0);
}
END_TEST

START_TEST(a_path_without_a_place_for_a_file_is_refused)
{
    struct profile_store *s;
    ck_assert_int_eq(store_open(&s, "", STORE_CREATE, 0, &err), ST_INPUT);
    ck_assert_str_eq(err.text, "expected the path of a profile store, found an empty path");
    ck_assert_int_eq(store_open(&s, "", STORE_READ, 0, &err), ST_INPUT);
    strcat(path, "/none/s.db");
    refuses(STORE_CREATE, ST_IO, "cannot create the store: No such file or directory");
    *strstr(path, "/none/s.db") = '\0';
}
END_TEST

/* A pipe without a writer; opening it would wait for one. */
START_TEST(a_pipe_is_not_opened)
{
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert(!store_is_database(path));
    refuses(STORE_READ, ST_IO, "found no regular file");
}
END_TEST

START_TEST(a_newer_store_is_refused)
{
    store_close(open_store(STORE_CREATE));
    execute("PRAGMA user_version = 99");
    refuses(STORE_READ, ST_VERSION, "expected a store of version 4 or older, found version 99");
    refuses(STORE_CREATE, ST_VERSION, "a newer pcprof can read it");
}
END_TEST

START_TEST(an_empty_file_becomes_a_store)
{
    write_file("");
    store_close(open_store(STORE_CREATE));
    store_close(open_store(STORE_READ));
    ck_assert_str_eq(ask("PRAGMA journal_mode"), "wal");
}
END_TEST

/* Overwrites a page of each table in turn: loading says so, or the page was not needed. */
START_TEST(damage_is_reported)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    add(s, p);
    profile_free(p);
    store_close(s);
    static const char *const table[] = {"epoch_sample", "symbol", "epoch_event", "event"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *sql = xasprintf("SELECT rootpage FROM sqlite_master WHERE name = '%s'", table[i]), old[4096], noise[4096];
        off_t at = (off_t)(atoi(ask(sql)) - 1) * (off_t)sizeof old;
        free(sql);
        memset(noise, 0xa5, sizeof noise);
        int fd = open(path, O_RDWR);
        ck_assert_int_eq((int)pread(fd, old, sizeof old, at), sizeof old);
        ck_assert_int_eq((int)pwrite(fd, noise, sizeof noise, at), sizeof noise);
        s = open_store(STORE_READ);
        const struct store_selection one = {.epoch = (char[]){"one"}};
        ck_assert_int_eq(store_load(s, &one, STORE_ALL, NULL, NULL, &p, &err), ST_FORMAT);
        ck_assert_msg(strstr(err.text, "the file is damaged: ") != NULL, "%s", err.text);
        store_close(s);
        ck_assert_int_eq((int)pwrite(fd, old, sizeof old, at), sizeof old);
        close(fd);
    }
    s = open_store(STORE_READ);
    profile_free(load(s, "one"));
    store_close(s);
}
END_TEST

static void make_store(void)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    add(s, p);
    profile_free(p);
    store_close(s);
}

/* An index that has lost its rows: reads by it pass over them. */
START_TEST(a_store_with_damage_is_not_merged)
{
    static const unsigned char none[2] = {0};
    enum { CELLS = 3 }; /* offset of the number of cells in a page */
    size_t runs = 0;
    make_store();
    off_t at = (off_t)(atoi(ask("SELECT rootpage FROM sqlite_master WHERE name = 'run_of_epoch'")) - 1) * 4096;
    int fd = open(path, O_RDWR);
    ck_assert_int_eq((int)pwrite(fd, none, sizeof none, at + CELLS), sizeof none);
    close(fd);
    char *into = xasprintf("%s.into", path);
    struct profile_store *s;
    ck_assert_int_eq(store_open(&s, into, STORE_CREATE, 0, &err), ST_OK);
    ck_assert_int_eq(store_merge(s, path, NULL, &runs, &err), ST_FORMAT);
    ck_assert_msg(strstr(err.text, "its runs are not added: the file is damaged: ") != NULL, "%s", err.text);
    store_close(s);
    unlink(into);
    free(into);
}
END_TEST

/* Views that SQLite would execute in place of a table: endless, or with functions of the file's choice. */
START_TEST(a_store_with_other_tables_is_refused)
{
    static const struct {
        const char *sql, *words;
    } cases[] = {
        {"ALTER TABLE epoch RENAME TO e; CREATE VIEW epoch AS WITH RECURSIVE c (x) AS (VALUES (1) UNION ALL "
         "SELECT x + 1 FROM c) SELECT x AS id, 'one' AS name FROM c",
         "expected a profile store with the table epoch, found a view of this name"},
        {"DROP TABLE stack", "expected a profile store with the table stack, found nothing of this name"},
        {"ALTER TABLE code DROP COLUMN file_offset", "whose table code has the column file_offset INTEGER NOT NULL"},
        {"DROP TABLE epoch_event; DROP TABLE file; CREATE TABLE file (id INTEGER PRIMARY KEY, "
         "path TEXT NOT NULL AS (hex(id)))",
         "whose table file has the column path TEXT NOT NULL UNIQUE, found another table"},
        {"DROP TABLE file; CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT)",
         "whose table file has the column path"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        make_store();
        execute(cases[n].sql);
        refuses(STORE_READ, ST_FORMAT, cases[n].words);
        refuses(STORE_CREATE, ST_FORMAT, cases[n].words);
        unlink(path);
    }
}
END_TEST

START_TEST(a_trigger_of_the_file_is_not_executed)
{
    make_store();
    execute("CREATE TRIGGER t AFTER INSERT ON series BEGIN DELETE FROM stack; END");
    make_store();
    ck_assert_str_eq(ask("SELECT count(*) FROM run"), "2");
    ck_assert_str_ne(ask("SELECT count(*) FROM stack"), "0");
    check_sound();
}
END_TEST

/* Rows that the tools do not write: one error, which says what was expected. */
START_TEST(impossible_rows_are_refused)
{
    static const struct {
        const char *sql, *words;
    } cases[] = {
        {"UPDATE epoch_sample SET value = 9e999", "expected values below 1e+100, found inf"},
        {"UPDATE epoch_event SET scale_least = -1, scale_most = -1", "expected a scale from 0 to 1e+100, found -1"},
        {"UPDATE epoch_event SET period = 9e999", "expected a period from 0 to 1e+100, found inf"},
        {"UPDATE epoch_event SET scale_least = -1, scale_most = -1, period = 9e999",
         "expected a scale from 0 to 1e+100, found -1"}, /* the first of two errors */
        {"UPDATE epoch_event SET scale_least = 0; UPDATE epoch_sample SET estimate = 9e250",
         "expected values below 1e+100, found 9e+250"},
        {"UPDATE epoch_event SET total = 9e999", "expected a total below 1e+100, found inf"},
        {"DELETE FROM image", "expected images of table image, found image 1"},
        {"UPDATE line SET file = 268435455", "expected source files of table file, found file 268435455"},
        {"UPDATE stack SET frame = 4000000000 + frame", "expected call paths of frames in table frame"},
        {"UPDATE OR IGNORE frame SET parent = id WHERE id > 0", "expected the caller of frame"},
        {"INSERT INTO frame WITH RECURSIVE c (x) AS (VALUES (10000) UNION ALL SELECT x + 1 FROM c WHERE x < 80000) "
         "SELECT x, CASE x WHEN 10000 THEN 0 ELSE x - 1 END, 1, x FROM c; UPDATE OR REPLACE stack SET "
         "frame = 80000",
         "expected call paths of at most 65536 frames"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct profile *p;
        make_store();
        execute(cases[n].sql);
        struct profile_store *s = open_store(STORE_READ);
        const struct store_selection one = {.epoch = (char[]){"one"}};
        ck_assert_int_eq(store_load(s, &one, STORE_ALL, NULL, NULL, &p, &err), ST_FORMAT);
        ck_assert_ptr_null(p);
        ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0, "%s", err.text);
        ck_assert_msg(strstr(err.text, cases[n].words) != NULL, "%s", err.text);
        store_close(s);
        unlink(path);
    }
}
END_TEST

/* Rows that the tools do not write, and that have a meaning. */
START_TEST(odd_rows_are_read)
{
    static const char *const sql[] = {
        "UPDATE epoch_event SET runs = 0",                       /* no runs: no period */
        "UPDATE code SET bytes = x''",                           /* an empty section */
        "UPDATE scope SET number = number + 7 WHERE number > 0", /* a gap: the scopes behind it are none */
        "UPDATE scope SET file = NULL",                          /* of no file */
        "UPDATE epoch_event SET scale_least = 0; UPDATE epoch_sample SET value = 0, estimate = 0", /* no mean scale */
        "UPDATE epoch_event SET scale_least = 0; UPDATE epoch_sample SET estimate = 0"};
    for (size_t n = 0; n < sizeof sql / sizeof sql[0]; n++) {
        make_store();
        execute(sql[n]);
        struct profile_store *s = open_store(STORE_READ);
        struct profile *p = load(s, "one");
        const struct profile_image *i = profile_image(p, 0);
        ck_assert_int_eq(profile_event(p, 0)->period == 0, 1);
        ck_assert_uint_eq(i->code[0].size_bytes, n == 1 ? 0 : sizeof bytes);
        ck_assert_uint_eq(i->scopes, n == 2 ? 1 : 2);
        ck_assert_int_eq(i->scope_range[1].scope == PROFILE_NO_SCOPE, n == 2);
        ck_assert_int_eq(i->scope[0].file == PROFILE_NO_FILE, n == 3);
        ck_assert(n < 4 || profile_event(p, 0)->scale == 1);
        profile_free(p);
        store_close(s);
        unlink(path);
    }
}
END_TEST

/* Only the parts asked for are read. */
START_TEST(parts_are_read_one_by_one)
{
    struct profile *p;
    make_store();
    struct profile_store *s = open_store(STORE_READ);
    const struct store_selection one = {.epoch = (char[]){"one"}};
    ck_assert_int_eq(store_load(s, &one, STORE_LINES, NULL, NULL, &p, &err), ST_OK);
    ck_assert(profile_image(p, 0)->symbols == 0 && profile_image(p, 0)->lines == 3);
    profile_free(p);
    store_close(s);
}
END_TEST

/* Epochs that cannot be selected, and runs that no list would have: neither is merged into another store. */
START_TEST(runs_that_cannot_be_selected_are_refused)
{
    static const struct {
        const char *sql, *words;
    } cases[] = {
        {"UPDATE epoch SET name = '1st'", "expected an epoch's name, a letter and then letters"},
        {"UPDATE epoch SET name = ''", "found ''"},
        {"UPDATE epoch SET name = 'a:b'", "found 'a:b'"},
        {"UPDATE epoch SET name = 'one' || char(10)", "found 'one?'"},
        {"UPDATE run SET epoch = 99", "expected runs with rows in the tables epoch and configuration, found run 1"},
        {"DELETE FROM configuration", "expected runs with rows in the tables epoch and configuration, found run 1"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct store_contents c;
        struct profile_store *into;
        size_t runs;
        char *other = xasprintf("%s.other", path);
        make_store();
        execute(cases[n].sql);
        struct profile_store *s = open_store(STORE_READ);
        ck_assert_int_eq(store_list(s, &(struct store_selection){0}, &c, &err), ST_FORMAT);
        ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0, "%s", err.text);
        ck_assert_msg(strstr(err.text, cases[n].words) != NULL, "%s", err.text);
        store_contents_release(&c);
        store_close(s);
        ck_assert_msg(store_open(&into, other, STORE_CREATE, 0, &err) == ST_OK, "%s", err.text);
        ck_assert_int_eq(store_merge(into, path, NULL, &runs, &err), ST_FORMAT);
        store_close(into);
        unlink(path);
        free(other);
    }
}
END_TEST

/* The numbers of SQLite are signed: addresses from 2^63 on are the first that it returns. */
START_TEST(high_addresses_are_found)
{
    make_store();
    execute("UPDATE symbol SET start = start - 9223372036854775807 - 1 WHERE start = 0x140");
    struct profile_store *s = open_store(STORE_READ);
    struct profile *p = load(s, "one");
    const struct profile_symbol *low = profile_find_symbol(profile_image(p, 0), 0x104),
                                *high = profile_find_symbol(profile_image(p, 0), 0x8000000000000144);
    ck_assert(low != NULL && strcmp(low->name, "first") == 0);
    ck_assert(high != NULL && strcmp(high->name, "_Z4nextv") == 0);
    profile_free(p);
    store_close(s);
}
END_TEST

/* An ELF file can have two sections at one address; its run is stored all the same. */
START_TEST(sections_at_one_address_lose_no_run)
{
    const struct profile_code same[] = {code[0], code[0]};
    const struct profile_scope_range ranges[] = {{0x100, PROFILE_NO_SCOPE}, {0x100, PROFILE_NO_SCOPE}};
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = profile_new();
    profile_add_image(p, &(struct profile_image){.build_id = "aa",
                                                 .path = "/bin/x",
                                                 .name = "x",
                                                 .code = same,
                                                 .codes = 2,
                                                 .data = same,
                                                 .datas = 1,
                                                 .scope_range = ranges,
                                                 .scope_ranges = 2});
    add(s, p);
    profile_free(p);
    store_close(s);
    ck_assert_str_eq(ask("SELECT count(*) FROM code"), "1");
}
END_TEST

START_TEST(names_have_no_control_characters)
{
    make_store();
    execute("UPDATE symbol SET name = char(27) || '[2J' || char(10) || start; UPDATE file SET path = char(7) || path; "
            "UPDATE scope SET name = char(27); UPDATE event SET unit = char(155, 127); "
            "UPDATE run SET command = 'x' || char(27, 10)");
    struct profile_store *s = open_store(STORE_READ);
    struct profile *p = load(s, "one");
    const struct profile_image *i = profile_image(p, 0);
    ck_assert_str_eq(i->symbol[0].name, "?[2J?256");
    ck_assert_str_eq(i->scope[0].name, "?");
    ck_assert_str_eq(profile_file(p, i->line[0].file), "?a.c");
    struct store_contents c;
    ck_assert_int_eq(store_list(s, &(struct store_selection){0}, &c, &err), ST_OK);
    ck_assert_str_eq(c.run[0].command, "x??");
    store_contents_release(&c);
    profile_free(p);
    store_close(s);
}
END_TEST

START_TEST(a_locked_store_is_reported)
{
    struct profile_store *s = open_store(STORE_CREATE), *other = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    int64_t number;
    const struct store_run run = run_of(p);
    ck_assert_int_eq(sqlite3_exec(other->db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(store_add_run(s, &run, &number, &err), ST_IO);
    ck_assert_msg(strstr(err.text, "the run is not stored: another process has kept the store locked for 0 s") != NULL,
                  "%s", err.text);
    ck_assert_int_eq(sqlite3_exec(other->db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    add(s, p);
    store_close(other);
    store_close(s);
    profile_free(p);
}
END_TEST

START_TEST(a_store_without_permission_is_reported)
{
    if (geteuid() == 0)
        return; /* root may do all */
    store_close(open_store(STORE_CREATE));
    ck_assert_int_eq(chmod(path, 0400), 0);
    refuses(STORE_CREATE, ST_IO, "Permission denied");
    ck_assert_int_eq(chmod(folder, 0500), 0);
    store_close(open_store(STORE_READ));
    strcat(path, ".other");
    refuses(STORE_CREATE, ST_IO, "cannot create the store: Permission denied");
    *strstr(path, ".other") = '\0';
    ck_assert_int_eq(chmod(folder, 0700), 0);
}
END_TEST

START_TEST(an_epoch_has_a_name)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    struct store_run run = run_of(p);
    int64_t number;
    run.epoch = "1st";
    ck_assert_int_eq(store_add_run(s, &run, &number, &err), ST_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "expected an epoch's name"));
    profile_free(p);
    store_close(s);
}
END_TEST

/* ---- migration ---- */

/* Steps of versions that never were: they run in order, and leave nothing behind if one fails. */
START_TEST(migrations_run_in_order_or_not_at_all)
{
    static const struct store_migration steps[] = {
        {2, "INSERT INTO t SELECT 2 * x FROM t"},
        {1, "CREATE TABLE t (x); INSERT INTO t VALUES (1)"},
        {3, "INSERT INTO t SELECT x FROM t; INSERT INTO missing VALUES (1)"},
    };
    sqlite3 *db;
    bool missing;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
    ck_assert(store_migrate(db, steps, 3, 1, 3, &missing));
    ck_assert_int_eq(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    ck_assert_str_eq(ask("SELECT group_concat(x) FROM t"), "1,2");
    ck_assert_str_eq(ask("PRAGMA user_version"), "3");
    ck_assert_int_eq(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
    ck_assert(!store_migrate(db, steps, 3, 3, 4, &missing) && !missing);
    ck_assert_int_eq(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    ck_assert_str_eq(ask("SELECT group_concat(x) FROM t"), "1,2");
    ck_assert_str_eq(ask("PRAGMA user_version"), "3");
    ck_assert(!store_migrate(db, steps, 3, 4, 5, &missing) && missing);
    sqlite3_close(db);
}
END_TEST

/* The tables of stacks until version 3: the innermost frame is a frame, too, and epochs have sums. */
#define STACKS_OF_VERSION_3                                                                                        \
    "INSERT OR IGNORE INTO frame (parent, image, address) SELECT DISTINCT frame, image, address FROM stack "       \
    "WHERE image != 0;"                                                                                            \
    "CREATE TABLE old (series INTEGER, frame INTEGER, value REAL, PRIMARY KEY (series, frame)) WITHOUT ROWID;"     \
    "INSERT INTO old SELECT series, CASE WHEN image = 0 THEN 0 ELSE (SELECT id FROM frame AS f "                   \
    "WHERE f.parent = stack.frame AND f.image = stack.image AND f.address = stack.address) END, value FROM stack;" \
    "DROP TABLE stack; ALTER TABLE old RENAME TO stack;"                                                           \
    "CREATE TABLE epoch_stack (epoch_event INTEGER, frame INTEGER, value REAL, estimate REAL, "                    \
    "PRIMARY KEY (epoch_event, frame)) WITHOUT ROWID;"

/* Version 2 has sums of each run by procedure. */
START_TEST(a_store_of_version_1_gets_sums_by_procedure)
{
    static const char rows[] = "SELECT group_concat(series || ' ' || image || ' ' || start || ' ' || value) "
                               "FROM procedure_sample",
                      columns[] = "SELECT group_concat(name || type || \"notnull\" || pk) "
                                  "FROM pragma_table_xinfo('procedure_sample')";
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    add(s, p);
    profile_free(p);
    store_close(s);
    char *rows_before = xstrdup(ask(rows)), *columns_before = xstrdup(ask(columns));
    execute(STACKS_OF_VERSION_3 "DROP TABLE procedure_sample; PRAGMA user_version = 1");
    refuses(STORE_READ, ST_VERSION, "the store has version 1, expected 4: pcemu --collect migrates it");
    store_close(open_store(STORE_CREATE));
    ck_assert_str_eq(ask(rows), rows_before);
    ck_assert_str_eq(ask(columns), columns_before);
    ck_assert_str_ne(rows_before, "NULL");
    check_sound();
    free(rows_before);
    free(columns_before);
}
END_TEST

/* Version 3 has the numbers of harts in the view of the runs. */
START_TEST(a_store_of_version_2_gets_harts_in_its_view)
{
    static const char view[] = "SELECT sql FROM sqlite_master WHERE name = 'runs'",
                      columns[] = "SELECT group_concat(name) FROM pragma_table_info('runs')",
                      runs[] = "SELECT group_concat(coalesce(harts, 'unknown')) FROM runs";
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    for (int n = 0; n < 3; n++)
        add(s, p);
    profile_free(p);
    store_close(s);
    execute("UPDATE run SET statistics = '{\"harts\": [{}, {}]}' WHERE id = 2;"
            "UPDATE run SET statistics = '{' WHERE id = 3");
    char *columns_before = xstrdup(ask(columns)), *view_before = xstrdup(ask(view));
    ck_assert_str_eq(ask(runs), "1,2,unknown");
    execute(STACKS_OF_VERSION_3 "DROP VIEW runs; CREATE VIEW runs AS SELECT id FROM run; PRAGMA user_version = 2");
    refuses(STORE_READ, ST_VERSION, "the store has version 2, expected 4: pcemu --collect migrates it");
    store_close(open_store(STORE_CREATE));
    ck_assert_str_eq(ask(view), view_before);
    ck_assert_str_eq(ask(columns), columns_before);
    ck_assert_str_eq(ask(runs), "1,2,unknown");
    free(columns_before);
    free(view_before);
}
END_TEST

/* Version 4 has the places of stacks beside their innermost calls. */
START_TEST(a_store_of_version_3_gets_places_of_stacks)
{
    static const char rows[] = "SELECT group_concat(series || ' ' || frame || ' ' || image || ' ' || address || ' ' || "
                               "value) FROM stack",
                      frames[] = "SELECT group_concat(id || ' ' || parent || ' ' || address) FROM frame",
                      columns[] = "SELECT group_concat(name || type || \"notnull\" || pk) "
                                  "FROM pragma_table_xinfo('stack')";
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    add(s, p);
    profile_free(p);
    store_close(s);
    char *rows_before = xstrdup(ask(rows)), *frames_before = xstrdup(ask(frames)),
         *columns_before = xstrdup(ask(columns));
    execute(STACKS_OF_VERSION_3 "PRAGMA user_version = 3");
    ck_assert_str_ne(ask(frames), frames_before);
    refuses(STORE_READ, ST_VERSION, "the store has version 3, expected 4: pcemu --collect migrates it");
    store_close(open_store(STORE_CREATE));
    ck_assert_str_eq(ask(rows), rows_before);
    ck_assert_str_eq(ask(frames), frames_before);
    ck_assert_str_eq(ask(columns), columns_before);
    ck_assert_str_ne(rows_before, "NULL");
    check_sound();
    free(rows_before);
    free(frames_before);
    free(columns_before);
}
END_TEST

/* A version 0 with the identity of a store never was: no step begins there. */
START_TEST(a_store_of_an_unknown_old_version_is_refused)
{
    store_close(open_store(STORE_CREATE));
    execute("PRAGMA user_version = 0");
    refuses(STORE_READ, ST_VERSION, "the store has version 0, expected 4");
    refuses(STORE_CREATE, ST_VERSION, "version 0 of the store is not supported any more");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("store damage");
    TCase *t = tcase_create("errors");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, files_that_are_no_stores_are_refused);
    tcase_add_test(t, a_store_is_the_file_of_its_path);
    tcase_add_test(t, a_path_without_a_place_for_a_file_is_refused);
    tcase_add_test(t, a_pipe_is_not_opened);
    tcase_add_test(t, a_newer_store_is_refused);
    tcase_add_test(t, an_empty_file_becomes_a_store);
    tcase_add_test(t, damage_is_reported);
    tcase_add_test(t, a_store_with_damage_is_not_merged);
    tcase_add_test(t, a_store_with_other_tables_is_refused);
    tcase_add_test(t, a_trigger_of_the_file_is_not_executed);
    tcase_add_test(t, impossible_rows_are_refused);
    tcase_add_test(t, odd_rows_are_read);
    tcase_add_test(t, parts_are_read_one_by_one);
    tcase_add_test(t, runs_that_cannot_be_selected_are_refused);
    tcase_add_test(t, high_addresses_are_found);
    tcase_add_test(t, sections_at_one_address_lose_no_run);
    tcase_add_test(t, names_have_no_control_characters);
    tcase_add_test(t, a_locked_store_is_reported);
    tcase_add_test(t, a_store_without_permission_is_reported);
    tcase_add_test(t, an_epoch_has_a_name);
    tcase_add_test(t, migrations_run_in_order_or_not_at_all);
    tcase_add_test(t, a_store_of_version_1_gets_sums_by_procedure);
    tcase_add_test(t, a_store_of_version_2_gets_harts_in_its_view);
    tcase_add_test(t, a_store_of_version_3_gets_places_of_stacks);
    tcase_add_test(t, a_store_of_an_unknown_old_version_is_refused);
    suite_add_tcase(s, t);
    return run_suite(s);
}
