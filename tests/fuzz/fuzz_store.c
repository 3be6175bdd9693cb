/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of profile stores: what it takes is listed, loaded and exported in every format; what it refuses,
 * it refuses in one line. An input is a database, or SQL that changes a sound one: an input of a fuzzer is seldom a
 * database still. It is read in memory. One input in 16, by the sum of its bytes, is a file instead, and merged into
 * another store, which takes longer. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/fuzz/fuzzed_store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In memory where the machine has a file system for it. */
static char folder[32], path[sizeof folder + 8], other[sizeof folder + 8];

/* In place of the C library's: the stores are removed, so none has to reach the disk. */
int fdatasync(int fd);
int fdatasync(int fd)
{
    (void)fd;
    return 0;
}

static void remove_store(const char *store)
{
    static const char *const suffix[] = {"", "-wal", "-shm", "-journal"};
    for (size_t n = 0; n < sizeof suffix / sizeof suffix[0]; n++) {
        char *name = xasprintf("%s%s", store, suffix[n]);
        unlink(name);
        free(name);
    }
}

/* ---- a sound store, and changes to it ---- */

static void must(enum status st, const struct errmsg *err)
{
    if (st != ST_OK)
        BUG("%s", err->text);
}

static struct profile *make_profile(void)
{
    static const struct profile_symbol symbol[] = {
        {.start = 0x100, .size_bytes = 0x40, .name = "first", .shown = "first"},
        {.start = 0x140, .size_bytes = 0x40, .name = "_Z1gv", .shown = "g()"}};
    static const uint8_t bytes[] = {0x13, 0, 0, 0};
    static const struct profile_code code[] = {{0x100, sizeof bytes, bytes, 0x80}};
    static const struct profile_scope_range range[] = {{0x100, 0}, {0x108, 1}, {0x140, PROFILE_NO_SCOPE}};
    struct profile *p = profile_new();
    uint32_t file = profile_add_file(p, "a.c");
    const struct profile_line line[] = {{0x100, file, 7, 0}, {0x150, file, 9, 3}, {0x170, PROFILE_NO_FILE, 0, 0}};
    const struct profile_scope scope[] = {{"first", "first", file, 5, PROFILE_NO_SCOPE, PROFILE_NO_FILE, 0, 0},
                                          {"_Z1gv", "g()", file, 2, 0, file, 8, 6}};
    uint32_t image = profile_add_image(p, &(struct profile_image){.build_id = "aa",
                                                                  .path = "/bin/x",
                                                                  .name = "x",
                                                                  .symbol = symbol,
                                                                  .symbols = 2,
                                                                  .line = line,
                                                                  .lines = 3,
                                                                  .code = code,
                                                                  .codes = 1,
                                                                  .scope = scope,
                                                                  .scopes = 2,
                                                                  .scope_range = range,
                                                                  .scope_ranges = 3});
    const struct profile_event event[] = {
        {.name = "retired", .by = "counts", .unit = "instructions", .scale = 1, .total = 90, .runs = 1},
        {.name = "cycles", .by = "tip", .unit = "cycles", .source = PROFILE_TIME, .scale = 9, .period = 9, .runs = 1}};
    const struct profile_place frame[] = {{image, 0x108}, {image, 0x144}};
    for (unsigned n = 0; n < 2; n++) {
        uint32_t e = profile_add_event(p, &event[n]);
        profile_add_sample(p, e, (struct profile_sample){image, 0x108, 40 + n});
        profile_add_sample(p, e, (struct profile_sample){image, 0x150, 50});
        profile_add_edge(p, e, (struct profile_edge){image, image, 0x144, 0x100, 3});
        profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, frame, 2), 4});
    }
    return p;
}

static void add_run(struct profile_store *s)
{
    struct errmsg err;
    int64_t number;
    struct profile *p = make_profile();
    must(store_add_run(s,
                       &(struct store_run){.epoch = "one",
                                           .command = "pcemu x",
                                           .guest = "x",
                                           .configuration = "boom",
                                           .configuration_text = "a = 1\n",
                                           .statistics = "{}",
                                           .report = "{}",
                                           .profile = p},
                       &number, &err),
         &err);
    profile_free(p);
}

static void write_file(const char *to, const void *bytes, size_t size)
{
    int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        BUG("%s: cannot be written", to);
    close(fd);
}

/* The bytes of a store without runs and of one with a run, which are the same for all inputs. */
static struct {
    char *bytes;
    size_t size;
} empty, sound;

static void make_stores(void)
{
    enum { MOST_BYTES = 1 << 24 };
    struct profile_store *s;
    struct errmsg err;
    must(store_open(&s, path, STORE_CREATE, 0, &err), &err);
    store_close(s);
    must(file_read(path, MOST_BYTES, &empty.bytes, &empty.size, &err), &err);
    must(store_open(&s, path, STORE_CREATE, 0, &err), &err);
    add_run(s);
    store_close(s);
    must(file_read(path, MOST_BYTES, &sound.bytes, &sound.size, &err), &err);
}

static void remove_folder(void)
{
    remove_store(path);
    remove_store(other);
    rmdir(folder);
    free(empty.bytes);
    free(sound.bytes);
}

static void make_folder(void)
{
    if (path[0] != '\0')
        return;
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    snprintf(folder, sizeof folder, "%s/fuzzedXXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(folder) == NULL)
        BUG("no folder %s", folder);
    snprintf(path, sizeof path, "%s/s.db", folder);
    snprintf(other, sizeof other, "%s/o.db", folder);
    atexit(remove_folder);
    make_stores();
}

/* Statements of an input are short: none that computes for long. */
static int stop(void *ctx)
{
    int *steps = ctx;
    return ++*steps > 50;
}

static int no_files(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)ctx, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_ATTACH || action == SQLITE_PRAGMA ? SQLITE_DENY : SQLITE_OK;
}

static void change(sqlite3 *db, const uint8_t *data, size_t size)
{
    int steps = 0;
    char *sql = xasprintf("%.*s", (int)size, (const char *)data);
    sqlite3_exec(db, "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF", NULL,
                 NULL, NULL);
    const int most_bytes = sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 100000);
    sqlite3_progress_handler(db, 1000, stop, &steps);
    sqlite3_set_authorizer(db, no_files, NULL);
    sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_set_authorizer(db, NULL, NULL);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, most_bytes);
    if (!sqlite3_get_autocommit(db))
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    free(sql);
}

static bool is_database(const uint8_t *data, size_t size) { return size >= 6 && memcmp(data, "SQLite", 6) == 0; }

/* Writes the input's database to `path`. */
static void write_input(const uint8_t *data, size_t size)
{
    sqlite3 *db;
    remove_store(path);
    if (is_database(data, size)) {
        write_file(path, data, size);
        return;
    }
    write_file(path, sound.bytes, sound.size);
    if (sqlite3_open(path, &db) != SQLITE_OK)
        BUG("%s", sqlite3_errmsg(db));
    change(db, data, size);
    sqlite3_close(db);
}

/* Opens the input's database in memory. */
static struct profile_store open_input(const uint8_t *data, size_t size)
{
    enum { ROLLBACK_JOURNAL = 1, WRITES_BY = 18, READS_BY = 19 }; /* in the header; memory has no write-ahead log */
    const bool is_sound = !is_database(data, size);
    const size_t bytes = is_sound ? sound.size : size;
    struct profile_store s = {.path = path, .statements = statement_cache_new()};
    unsigned char *copy = sqlite3_malloc64(bytes);
    if (copy == NULL || sqlite3_open(":memory:", &s.db) != SQLITE_OK)
        BUG("no memory for %zu bytes", bytes);
    memcpy(copy, is_sound ? sound.bytes : (const char *)data, bytes);
    if (bytes > READS_BY)
        copy[WRITES_BY] = copy[READS_BY] = ROLLBACK_JOURNAL;
    if (sqlite3_deserialize(s.db, "main", copy, (int64_t)bytes, (int64_t)bytes,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) != SQLITE_OK)
        BUG("%s", sqlite3_errmsg(s.db));
    if (is_sound)
        change(s.db, data, size);
    sqlite3_extended_result_codes(s.db, 1);
    store_distrust(s.db);
    return s;
}

static void merge(void)
{
    struct profile_store *s;
    struct errmsg err = {{0}};
    size_t runs;
    write_file(other, empty.bytes, empty.size);
    must(store_open(&s, other, STORE_CREATE, 0, &err), &err);
    if (store_merge(s, path, NULL, &runs, &err) != ST_OK)
        check_error(&err);
    store_close(s);
    remove_store(other);
}

static void read_file(const uint8_t *data, size_t size)
{
    struct profile_store *s;
    struct errmsg err = {{0}};
    write_input(data, size);
    if (store_open(&s, path, STORE_READ, 0, &err) != ST_OK) {
        check_error(&err);
        return;
    }
    read_store(s);
    store_close(s);
    merge();
}

static void read_in_memory(const uint8_t *data, size_t size)
{
    struct errmsg err = {{0}};
    struct profile_store s = open_input(data, size);
    if (store_check_schema(&s, &err) == ST_OK)
        read_store(&s);
    else
        check_error(&err);
    statement_cache_free(s.statements);
    sqlite3_close(s.db);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    make_folder();
    if (is_one_in_16(data, size))
        read_file(data, size);
    else
        read_in_memory(data, size);
    return 0;
}
