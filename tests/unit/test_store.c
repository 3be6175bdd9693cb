/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile store: what is added is loaded again, errors, migration, several writers, writers that are killed. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/store/parts.h"
#include "tests/unit/suite.h"

/* ---- a folder for each test ---- */

static char folder[] = "/tmp/store.XXXXXX", path[64];
static struct errmsg err;

static void setup(void)
{
    strcpy(folder, "/tmp/store.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/s.db", folder);
    err.text[0] = '\0';
}

static void teardown(void)
{
    static const char *const suffix[] = {"", "-wal", "-shm", "-journal", ".other", ".other-wal", ".other-shm"};
    for (size_t i = 0; i < sizeof suffix / sizeof suffix[0]; i++) {
        char *name = xasprintf("%s%s", path, suffix[i]);
        unlink(name);
        free(name);
    }
    ck_assert_int_eq(rmdir(folder), 0);
}

static struct profile_store *open_store(enum store_access access)
{
    struct profile_store *s = NULL;
    ck_assert_msg(store_open(&s, path, access, 0, &err) == ST_OK, "%s", err.text);
    return s;
}

static enum status try_open(enum store_access access)
{
    struct profile_store *s = NULL;
    enum status st = store_open(&s, path, access, 0, &err);
    if (st == ST_OK)
        store_close(s);
    return st;
}

static void execute(const char *sql)
{
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* The first cell of a statement's result, in a static buffer. */
static const char *ask(const char *sql)
{
    static char text[256];
    sqlite3 *db;
    sqlite3_stmt *q;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 60000);
    ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
    int code = sqlite3_step(q);
    ck_assert_msg(code == SQLITE_ROW, "%s: %s", sql, sqlite3_errmsg(db));
    const char *cell = (const char *)sqlite3_column_text(q, 0);
    snprintf(text, sizeof text, "%s", cell != NULL ? cell : "NULL");
    sqlite3_finalize(q);
    sqlite3_close(db);
    return text;
}

/* ---- profiles ---- */

static const struct profile_symbol symbols[] = {{0x100, 0x40, "first", "first"}, {0x140, 0x40, "_Z4nextv", "next()"}};
static const uint8_t bytes[] = {0x13, 0, 0, 0};
static const struct profile_code code[] = {{0x100, sizeof bytes, bytes, 0x80}};

/* Deterministic numbers. */
static uint64_t state;
static unsigned below(unsigned limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % limit;
}

static uint32_t add_image(struct profile *p, const char *name, bool with_lines)
{
    const struct profile_line lines[] = {{0x100, profile_add_file(p, "a.c"), 7, 0},
                                         {0x150, profile_add_file(p, "b.c"), 9, 3},
                                         {0x170, PROFILE_NO_FILE, 0, 0}};
    const struct profile_scope scopes[] = {
        {"first", "first", profile_add_file(p, "a.c"), 5, PROFILE_NO_SCOPE, PROFILE_NO_FILE, 0, 0},
        {"_Z1gv", "g()", profile_add_file(p, "g.h"), 2, 0, profile_add_file(p, "a.c"), 8, 6}};
    static const struct profile_scope_range ranges[] = {{0x100, 0}, {0x108, 1}, {0x140, PROFILE_NO_SCOPE}};
    static const struct profile_code table[] = {{0x300, 5, (const uint8_t *)"table", 0x200}};
    const struct profile_image i = {.build_id = "aa",
                                    .path = "/bin/x",
                                    .name = name,
                                    .scope = scopes,
                                    .scopes = with_lines ? 2 : 0,
                                    .scope_range = ranges,
                                    .scope_ranges = with_lines ? 3 : 0,
                                    .symbol = symbols,
                                    .symbols = 2,
                                    .line = lines,
                                    .lines = with_lines ? 3 : 0,
                                    .code = code,
                                    .codes = 1,
                                    .data = table,
                                    .datas = 1};
    return profile_add_image(p, &i);
}

/* Adds random values of an event; whole numbers, so sums are exact. */
static void fill(struct profile *p, uint32_t event)
{
    for (unsigned n = 0; n < 20; n++) {
        uint32_t image = below(2);
        uint64_t a = 0x100 + 2 * below(64), b = 0x100 + 2 * below(64);
        double value = 1 + below(1000);
        profile_add_sample(p, event, (struct profile_sample){image, a, value});
        profile_add_edge(p, event, (struct profile_edge){image, 1 - image, a, b, value});
        const struct profile_frame frame[] = {{image, a}, {0, 0x100 + 2 * below(3)}, {0, 0x100}};
        profile_add_stack(p, event, &(struct profile_stack){frame, 1 + below(3), value});
    }
}

/* A random profile with two images; `scale` of its sampled event. */
static struct profile *random_profile(double scale)
{
    struct profile *p = profile_new();
    add_image(p, "x", true);
    add_image(p, "y", true);
    fill(p, profile_add_event(p, &(struct profile_event){.name = "cycles",
                                                         .by = "oracle",
                                                         .unit = "cycles",
                                                         .source = PROFILE_EXACT,
                                                         .scale = 1,
                                                         .total = 5000,
                                                         .runs = 1}));
    fill(p, profile_add_event(p, &(struct profile_event){.name = "retired",
                                                         .by = "profileme",
                                                         .unit = "instructions",
                                                         .source = PROFILE_COUNTS,
                                                         .scale = scale,
                                                         .period = 100,
                                                         .total = (double)NAN,
                                                         .lost = 3,
                                                         .unplaced = 2,
                                                         .runs = 1}));
    return p;
}

static struct store_run run_of(const struct profile *p)
{
    return (struct store_run){.epoch = "one",
                              .command = "pcemu x",
                              .guest = "x",
                              .configuration = "boom",
                              .configuration_text = "a = 1\n",
                              .time = 7,
                              .seed = UINT64_MAX,
                              .cycles = 5000,
                              .instructions = 4000,
                              .statistics = "{}",
                              .report = "{\"format\": \"a report, a report, a report\"}",
                              .profile = p};
}

static int64_t add(struct profile_store *s, const struct profile *p)
{
    int64_t number;
    struct store_run run = run_of(p);
    ck_assert_msg(store_add_run(s, &run, &number, &err) == ST_OK, "%s", err.text);
    return number;
}

static struct profile *load(const struct profile_store *s, const char *what)
{
    struct store_selection selection;
    struct profile *p;
    char *text = xasprintf("%s:%s", folder, what); /* the folder is no store: its path is not used */
    ck_assert_int_eq(store_select(&selection, text, &err), ST_OK);
    ck_assert_msg(store_resolve(s, &selection, &err) == ST_OK, "%s", err.text);
    ck_assert_msg(store_load(s, &selection, STORE_ALL, NULL, NULL, &p, &err) == ST_OK, "%s", err.text);
    store_selection_release(&selection);
    free(text);
    return p;
}

/* Adds all of `from` to `to`. Both have the same events and images, in this order. */
static void add_up(struct profile *to, const struct profile *from)
{
    size_t count;
    for (uint32_t e = 0; e < 2; e++) {
        profile_add_event(to, profile_event(from, e));
        const struct profile_sample *s = profile_samples(from, e, &count);
        for (size_t n = 0; n < count; n++)
            profile_add_sample(to, e, s[n]);
        const struct profile_edge *g = profile_edges(from, e, &count);
        for (size_t n = 0; n < count; n++)
            profile_add_edge(to, e, g[n]);
        const struct profile_stack *k = profile_stacks(from, e, &count);
        for (size_t n = 0; n < count; n++)
            profile_add_stack(to, e, &k[n]);
    }
}

/* The number in `b` of an image of `a`: images of a store are in the order of their first use. */
static uint32_t image_in(const struct profile *b, const struct profile *a, uint32_t image)
{
    for (uint32_t n = 0; n < profile_images(b); n++)
        if (strcmp(profile_image(b, n)->name, profile_image(a, image)->name) == 0)
            return n;
    ck_abort_msg("an image is missing");
    return 0;
}

static double sum_edges(const struct profile *p, uint32_t event, const struct profile *names, struct profile_edge key)
{
    size_t count;
    const struct profile_edge *g = profile_edges(p, event, &count);
    for (size_t n = 0; n < count; n++)
        if (g[n].from == key.from && g[n].to == key.to && g[n].from_image == image_in(p, names, key.from_image) &&
            g[n].to_image == image_in(p, names, key.to_image))
            return g[n].value;
    return 0;
}

static bool same_stack(const struct profile *p, const struct profile_stack *x, const struct profile *names,
                       const struct profile_stack *y)
{
    if (x->depth != y->depth)
        return false;
    for (size_t n = 0; n < x->depth; n++)
        if (x->frame[n].address != y->frame[n].address || x->frame[n].image != image_in(p, names, y->frame[n].image))
            return false;
    return true;
}

static void check_stacks(const struct profile *p, const struct profile *q, uint32_t e)
{
    size_t count, other, found = 0;
    const struct profile_stack *a = profile_stacks(p, e, &count), *b = profile_stacks(q, e, &other);
    ck_assert_uint_eq(count, other);
    for (size_t n = 0; n < count; n++)
        for (size_t m = 0; m < other; m++)
            if (same_stack(q, &b[m], p, &a[n]) && fabs(a[n].value - b[m].value) < 1e-6)
                found++;
    ck_assert_uint_eq(found, count);
}

/* Compares the values of two profiles. */
static void check_same(const struct profile *p, const struct profile *q)
{
    size_t count, other;
    ck_assert_uint_eq(profile_events(p), profile_events(q));
    for (uint32_t e = 0; e < profile_events(p); e++) {
        const struct profile_event *x = profile_event(p, e), *y = profile_event(q, e);
        ck_assert_str_eq(x->name, y->name);
        ck_assert_str_eq(x->by, y->by);
        ck_assert_str_eq(x->unit, y->unit);
        ck_assert_int_eq(x->source, y->source);
        ck_assert(fabs(x->scale - y->scale) < 1e-9 && x->period == y->period && x->unplaced == y->unplaced);
        ck_assert(x->total == y->total || (isnan(x->total) && isnan(y->total)));
        ck_assert_uint_eq(x->lost, y->lost);
        ck_assert_uint_eq(x->runs, y->runs);
        const struct profile_sample *s = profile_samples(p, e, &count);
        profile_samples(q, e, &other);
        ck_assert_uint_eq(count, other);
        for (size_t n = 0; n < count; n++)
            ck_assert(fabs(s[n].value - profile_value(q, e, image_in(q, p, s[n].image), s[n].address)) < 1e-6);
        const struct profile_edge *g = profile_edges(p, e, &count);
        profile_edges(q, e, &other);
        ck_assert_uint_eq(count, other);
        for (size_t n = 0; n < count; n++)
            ck_assert(fabs(g[n].value - sum_edges(q, e, p, g[n])) < 1e-6);
        check_stacks(p, q, e);
    }
}

/* ---- contents ---- */

START_TEST(what_is_added_is_loaded)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10), *q;
    ck_assert_int_eq(add(s, p), 1);
    store_close(s);
    s = open_store(STORE_READ);
    q = load(s, "one");
    check_same(p, q);
    const struct profile_image *x = profile_image(p, 0), *y = profile_image(q, image_in(q, p, 0));
    ck_assert_str_eq(y->build_id, "aa");
    ck_assert_str_eq(y->path, "/bin/x");
    ck_assert_uint_eq(y->symbols, 2);
    ck_assert_str_eq(y->symbol[1].name, "_Z4nextv");
    ck_assert_str_eq(y->symbol[1].shown, "next()");
    ck_assert_str_eq(y->symbol[0].shown, "first");
    ck_assert_uint_eq(y->symbol[1].size_bytes, 0x40);
    ck_assert_uint_eq(y->lines, 3);
    ck_assert_str_eq(profile_file(q, y->line[1].file), profile_file(p, x->line[1].file));
    ck_assert_uint_eq(y->line[1].line, 9);
    ck_assert_uint_eq(y->line[1].discriminator, 3);
    ck_assert_uint_eq(y->line[2].file, PROFILE_NO_FILE);
    ck_assert_uint_eq(y->codes, 1);
    ck_assert_mem_eq(y->code[0].bytes, bytes, sizeof bytes);
    ck_assert_uint_eq(y->code[0].file_offset, 0x80);
    ck_assert_uint_eq(y->datas, 1);
    ck_assert_uint_eq(y->data[0].start, 0x300);
    ck_assert_mem_eq(y->data[0].bytes, "table", 5);
    ck_assert_uint_eq(y->scopes, 2);
    ck_assert_uint_eq(y->scope[0].caller, PROFILE_NO_SCOPE);
    ck_assert_uint_eq(y->scope[0].call_file, PROFILE_NO_FILE);
    const struct profile_scope *g = profile_find_scope(y, 0x13f);
    ck_assert_ptr_eq(g, &y->scope[1]);
    ck_assert_str_eq(g->name, "_Z1gv");
    ck_assert_str_eq(g->shown, "g()");
    ck_assert_str_eq(profile_file(q, g->file), "g.h");
    ck_assert_str_eq(profile_file(q, g->call_file), "a.c");
    ck_assert(g->line == 2 && g->caller == 0 && g->call_line == 8 && g->call_discriminator == 6);
    ck_assert_ptr_null(profile_find_scope(y, 0x140));
    profile_free(p);
    profile_free(q);
    store_close(s);
}
END_TEST

/* Both ways to load several runs, from the sums of the epoch and from the runs, against a sum in memory. */
START_TEST(an_epoch_is_the_sum_of_its_runs)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *sum = NULL;
    for (int n = 0; n < 5; n++) {
        struct profile *p = random_profile(10);
        add(s, p);
        if (sum == NULL)
            sum = p;
        else {
            add_up(sum, p);
            profile_free(p);
        }
    }
    struct profile *epoch = load(s, "one"), *runs = load(s, "1-2,3-5");
    check_same(sum, epoch);
    check_same(sum, runs);
    profile_free(sum);
    profile_free(epoch);
    profile_free(runs);
    store_close(s);
}
END_TEST

/* Values times the scale are the sum of the runs' estimates, and values add up to the number of samples. */
START_TEST(runs_of_different_scales_keep_their_estimates)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10), *q = random_profile(30);
    add(s, p);
    add(s, q);
    static const char *const what[] = {"one", "1,2"};
    for (int i = 0; i < 2; i++) {
        struct profile *both = load(s, what[i]);
        size_t count;
        double samples = profile_sum(p, 1, 0, 0, UINT64_MAX) + profile_sum(p, 1, 1, 0, UINT64_MAX) +
                         profile_sum(q, 1, 0, 0, UINT64_MAX) + profile_sum(q, 1, 1, 0, UINT64_MAX),
               loaded = 0, scale = profile_event(both, 1)->scale;
        const struct profile_sample *v = profile_samples(both, 1, &count);
        for (size_t n = 0; n < count; n++) {
            uint32_t image = image_in(p, both, v[n].image);
            double estimate = 10 * profile_value(p, 1, image, v[n].address) +
                              30 * profile_value(q, 1, image, v[n].address);
            ck_assert(fabs(v[n].value * scale - estimate) < 1e-6 * estimate);
            loaded += v[n].value;
        }
        ck_assert(fabs(loaded - samples) < 1e-6 * samples);
        profile_free(both);
    }
    profile_free(p);
    profile_free(q);
    store_close(s);
}
END_TEST

START_TEST(an_image_is_stored_once_and_completed)
{
    struct profile_store *s = open_store(STORE_CREATE);
    for (int n = 0; n < 3; n++) {
        struct profile *p = profile_new();
        add_image(p, "x", n > 0);
        add(s, p);
        profile_free(p);
        store_close(s);
        ck_assert_str_eq(ask("SELECT count(*) FROM image"), "1");
        ck_assert_str_eq(ask("SELECT count(*) FROM symbol"), "2");
        ck_assert_str_eq(ask("SELECT count(*) FROM line"), n == 0 ? "0" : "3");
        ck_assert_str_eq(ask("SELECT count(*) FROM code"), "2");
        s = open_store(STORE_CREATE);
    }
    store_close(s);
}
END_TEST

START_TEST(a_report_is_read_back)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(1);
    char *json;
    size_t size_bytes;
    add(s, p);
    ck_assert_int_eq(store_report(s, 1, &json, &size_bytes, &err), ST_OK);
    ck_assert_str_eq(json, run_of(p).report);
    ck_assert_uint_eq(size_bytes, strlen(json));
    free(json);
    ck_assert_int_eq(store_report(s, 2, &json, &size_bytes, &err), ST_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "there is no run 2"));
    profile_free(p);
    store_close(s);
}
END_TEST

/* The views against sums of the tables; the seed is that of the run. */
START_TEST(views_can_be_queried)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    add(s, p);
    struct store_run run = run_of(p);
    int64_t number;
    run.epoch = "two";
    ck_assert_int_eq(store_add_run(s, &run, &number, &err), ST_OK);
    store_close(s);
    ck_assert_str_eq(ask("SELECT seed = -1 AND time = '1970-01-01 00:00:07' FROM runs"), "1");
    ck_assert_str_eq(ask("SELECT sum(value) = (SELECT sum(value) FROM sample) FROM samples"), "1");
    ck_assert_str_eq(ask("SELECT sum(estimate) = (SELECT sum(value * scale) FROM sample JOIN series ON id = series) "
                         "FROM procedures"),
                     "1");
    ck_assert_str_eq(ask("SELECT count(*) FROM samples WHERE procedure IS NOT CASE WHEN address < 0x140 THEN 'first' "
                         "ELSE 'next()' END"),
                     "0");
    ck_assert_str_eq(ask("SELECT count(*) FROM samples WHERE line IS NOT CASE WHEN address < 0x150 THEN 7 "
                         "WHEN address < 0x170 THEN 9 ELSE 0 END"),
                     "0");
    ck_assert_str_eq(ask("SELECT max(abs(difference)) FROM differences WHERE before = 'one' AND after = 'two'"), "0.0");
    profile_free(p);
}
END_TEST

START_TEST(stores_are_merged)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10), *q = random_profile(10);
    char *other = xasprintf("%s.other", path);
    size_t runs;
    add(s, p);
    struct profile_store *t;
    ck_assert_int_eq(store_open(&t, other, STORE_CREATE, 0, &err), ST_OK);
    add(t, q);
    store_close(t);
    ck_assert_msg(store_merge(s, other, &runs, &err) == ST_OK, "%s", err.text);
    ck_assert_uint_eq(runs, 1);
    add_up(p, q);
    struct profile *both = load(s, "one");
    check_same(p, both);
    ck_assert_int_eq(store_merge(s, path, &runs, &err), ST_INPUT);
    profile_free(p);
    profile_free(q);
    profile_free(both);
    store_close(s);
    free(other);
}
END_TEST

START_TEST(selections_are_parsed)
{
    struct store_selection x;
    ck_assert_int_eq(store_select(&x, "a:b:c_1.2-3", &err), ST_OK);
    ck_assert_str_eq(x.path, "a:b");
    ck_assert_str_eq(x.epoch, "c_1.2-3");
    store_selection_release(&x);
    ck_assert_int_eq(store_select(&x, "a:3-5,7", &err), ST_OK);
    ck_assert_uint_eq(x.ranges, 2);
    ck_assert(x.range[0].first == 3 && x.range[0].last == 5 && x.range[1].first == 7 && x.range[1].last == 7);
    store_selection_release(&x);
    static const char *const bad[] = {"a:", "a:3x", "a:5-3", "a:3,", "a:-3", "a:99999999999999999999", "a:b/c"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(store_select(&x, bad[i], &err), ST_INPUT);
        store_selection_release(&x);
    }
}
END_TEST

/* ---- errors ---- */

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
    refuses(STORE_READ, ST_FORMAT, "found a file of another kind");
    refuses(STORE_CREATE, ST_FORMAT, "found a file of another kind");
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
    refuses(STORE_READ, ST_VERSION, "expected a store of version 1 or older, found version 99");
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

/* Sums of an epoch are those of its runs, and nothing is damaged. */
static void check_sound(void)
{
    ck_assert_str_eq(ask("PRAGMA integrity_check"), "ok");
    ck_assert_str_eq(ask("SELECT (SELECT total(value) FROM sample) = (SELECT total(value) FROM epoch_sample)"), "1");
    ck_assert_str_eq(ask("SELECT (SELECT total(value) FROM edge) = (SELECT total(value) FROM epoch_edge)"), "1");
    ck_assert_str_eq(ask("SELECT (SELECT total(value) FROM stack) = (SELECT total(value) FROM epoch_stack)"), "1");
    ck_assert_str_eq(ask("SELECT 2 * (SELECT count(*) FROM run) = (SELECT count(*) FROM series)"), "1");
    ck_assert_str_eq(ask("SELECT count(*) FROM series WHERE NOT EXISTS "
                         "(SELECT * FROM sample WHERE sample.series = series.id)"),
                     "0");
}

static void make_store(void)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    add(s, p);
    profile_free(p);
    store_close(s);
}

/* What SQLite would execute in place of a table: endless, or with functions of the file's choice. */
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
        {"UPDATE epoch_event SET total = 9e999", "expected a total below 1e+100, found inf"},
        {"DELETE FROM image", "expected images of table image, found image 1"},
        {"UPDATE line SET file = 268435455", "expected source files of table file, found file 268435455"},
        {"UPDATE epoch_stack SET frame = 4000000000 + frame", "expected call paths of frames in table frame"},
        {"UPDATE OR IGNORE frame SET parent = id WHERE id > 0", "expected the caller of frame"},
        {"INSERT INTO frame WITH RECURSIVE c (x) AS (VALUES (10000) UNION ALL SELECT x + 1 FROM c WHERE x < 80000) "
         "SELECT x, CASE x WHEN 10000 THEN 0 ELSE x - 1 END, 1, x FROM c; UPDATE OR REPLACE epoch_stack SET "
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
            "UPDATE scope SET name = char(27); UPDATE event SET unit = char(155, 127)");
    struct profile_store *s = open_store(STORE_READ);
    struct profile *p = load(s, "one");
    const struct profile_image *i = profile_image(p, 0);
    ck_assert_str_eq(i->symbol[0].name, "?[2J?256");
    ck_assert_str_eq(i->scope[0].name, "?");
    ck_assert_str_eq(profile_file(p, i->line[0].file), "?a.c");
    execute("UPDATE run SET command = 'x' || char(27, 10)");
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

/* A version 0 with the identity of a store never was: no step begins there. */
START_TEST(a_store_of_an_unknown_old_version_is_refused)
{
    store_close(open_store(STORE_CREATE));
    execute("PRAGMA user_version = 0");
    refuses(STORE_READ, ST_VERSION, "the store has version 0, expected 1");
    refuses(STORE_CREATE, ST_VERSION, "version 0 of the store is not supported any more");
}
END_TEST

/* ---- faults ---- */

/* The system calls by which SQLite writes: the next-but-`left` one fails, or ends the process after half of its
 * bytes. */
static enum { NO_FAULT, NO_SPACE, KILL } fault;
static long left = -1;

static ssize_t faulty_pwrite(int fd, const void *from, size_t size, off_t at)
{
    if (fault != NO_FAULT && left-- == 0) {
        if (fault == NO_SPACE) {
            left = 0; /* the disk stays full */
            errno = ENOSPC;
            return -1;
        }
        ssize_t half = pwrite(fd, from, size / 2, at);
        (void)half;
        raise(SIGKILL);
    }
    return pwrite(fd, from, size, at);
}

static void inject_faults(void)
{
    static const char *const names[] = {"pwrite", "pwrite64"};
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    sqlite3_initialize();
    vfs = sqlite3_vfs_find(NULL);
    for (int i = 0; i < 2; i++)
        vfs->xSetSystemCall(vfs, names[i], (sqlite3_syscall_ptr)faulty_pwrite);
}

/* A disk that is full from the k-th write on, for each k until a run fits. */
START_TEST(a_full_disk_loses_nothing)
{
    inject_faults();
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    add(s, p);
    store_close(s);
    unsigned failures = 0;
    for (long k = 0;; k++) {
        int64_t number;
        const struct store_run run = run_of(p);
        s = open_store(STORE_CREATE);
        left = k;
        fault = NO_SPACE;
        enum status st = store_add_run(s, &run, &number, &err);
        fault = NO_FAULT;
        store_close(s);
        check_sound();
        if (st == ST_OK)
            break;
        failures++;
        ck_assert_msg(strstr(err.text, "the run is not stored: no space is left") != NULL, "%s", err.text);
        ck_assert_str_eq(ask("SELECT count(*) FROM run"), "1");
    }
    ck_assert_uint_gt(failures, 5);
    ck_assert_str_eq(ask("SELECT count(*) FROM run"), "2");
    profile_free(p);
}
END_TEST

/* The child adds runs and acknowledges each by a byte in the pipe, until it is killed in its k-th write. */
static void write_until_killed(int acknowledge, long k)
{
    left = k;
    fault = KILL;
    for (int n = 0; n < 3; n++) {
        struct profile_store *s;
        int64_t number;
        struct profile *p = random_profile(10);
        const struct store_run run = run_of(p);
        if (store_open(&s, path, STORE_CREATE, 60000, NULL) != ST_OK ||
            store_add_run(s, &run, &number, NULL) != ST_OK || write(acknowledge, "", 1) != 1)
            _exit(1);
        store_close(s);
        profile_free(p);
    }
    _exit(0);
}

/* Every run that was acknowledged is there, at most one more is, and no part of a run. The creation of the store is
 * among what is killed. */
START_TEST(a_killed_writer_loses_no_acknowledged_run)
{
    enum { WRITERS = 300 };
    inject_faults();
    unsigned killed = 0;
    int runs = 0;
    for (unsigned n = 0; n < WRITERS; n++) {
        int ends[2], status;
        char byte;
        ck_assert_int_eq(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0)
            write_until_killed(ends[1], n < 100 ? n : 1 + n * 7 % 89);
        close(ends[1]);
        while (read(ends[0], &byte, 1) == 1)
            runs++;
        close(ends[0]);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
        killed += WIFSIGNALED(status);
        if (access(path, F_OK) != 0)
            continue;
        store_close(open_store(STORE_CREATE));
        int found = atoi(ask("SELECT count(*) FROM run"));
        ck_assert_msg(found == runs || (found == runs + 1 && WIFSIGNALED(status)), "%d runs, %d acknowledged", found,
                      runs);
        runs = found;
        if (n % 10 == 0)
            check_sound();
    }
    check_sound();
    ck_assert_uint_gt(killed, WRITERS / 2);
    ck_assert_int_gt(runs, 10);
}
END_TEST

/* Two processes that add runs at the same time, from the creation of the store on. */
START_TEST(two_writers_wait_for_each_other)
{
    enum { RUNS = 25 };
    pid_t child[2];
    for (int c = 0; c < 2; c++) {
        child[c] = fork();
        for (int n = 0; n < RUNS && child[c] == 0; n++) {
            struct profile_store *s;
            int64_t number;
            struct profile *p = random_profile(10);
            const struct store_run run = run_of(p);
            if (store_open(&s, path, STORE_CREATE, 60000, &err) != ST_OK ||
                store_add_run(s, &run, &number, &err) != ST_OK) {
                fprintf(stderr, "%s\n", err.text);
                _exit(1);
            }
            store_close(s);
            profile_free(p);
        }
        if (child[c] == 0)
            _exit(0);
    }
    for (int c = 0; c < 2; c++) {
        int status;
        ck_assert_int_eq(waitpid(child[c], &status, 0), child[c]);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    ck_assert_str_eq(ask("SELECT count(*) FROM run"), "50");
    ck_assert_str_eq(ask("SELECT count(*) FROM image"), "2");
    ck_assert_str_eq(ask("SELECT runs FROM epoch_event"), "50");
    check_sound();
}
END_TEST

/* The configuration of a selection's runs: the name and the text, or the error. */
static void check_configuration(const struct profile_store *s, const char *what, const char *expected)
{
    struct store_selection selection;
    char *name = NULL, *text = NULL, *selected = xasprintf("%s:%s", folder, what);
    ck_assert_int_eq(store_select(&selection, selected, &err), ST_OK);
    if (store_configuration(s, &selection, &name, &text, &err) == ST_OK) {
        char *both = xasprintf("%s %s", name, text);
        ck_assert_str_eq(both, expected);
        free(both);
    } else {
        ck_assert_msg(strstr(err.text, expected) != NULL, "%s", err.text);
        ck_assert_ptr_null(name);
        ck_assert_ptr_null(text);
    }
    free(name);
    free(text);
    free(selected);
    store_selection_release(&selection);
}

START_TEST(runs_of_one_configuration_have_it)
{
    struct profile *p = profile_new();
    struct profile_store *s = open_store(STORE_CREATE);
    static const char *const texts[] = {"a = 1\n", "a = 1\n", "a = 2\n"};
    for (size_t n = 0; n < 3; n++) {
        struct store_run run = run_of(p);
        int64_t number;
        run.configuration_text = texts[n];
        run.epoch = n < 2 ? "one" : "two";
        ck_assert_int_eq(store_add_run(s, &run, &number, &err), ST_OK);
    }
    check_configuration(s, "one", "boom a = 1\n");
    check_configuration(s, "two", "boom a = 2\n");
    check_configuration(s, "1-2", "boom a = 1\n");
    check_configuration(s, "1,3", "expected runs of one configuration, found 2: boom, boom");
    check_configuration(s, "7", "expected runs of one configuration, found 0: none");
    store_close(s);
    profile_free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("store");
    TCase *contents = tcase_create("contents"), *errors = tcase_create("errors"), *faults = tcase_create("faults");
    tcase_add_checked_fixture(contents, setup, teardown);
    tcase_add_checked_fixture(errors, setup, teardown);
    tcase_add_checked_fixture(faults, setup, teardown);
    tcase_add_test(contents, what_is_added_is_loaded);
    tcase_add_test(contents, an_epoch_is_the_sum_of_its_runs);
    tcase_add_test(contents, runs_of_different_scales_keep_their_estimates);
    tcase_add_test(contents, an_image_is_stored_once_and_completed);
    tcase_add_test(contents, a_report_is_read_back);
    tcase_add_test(contents, views_can_be_queried);
    tcase_add_test(contents, stores_are_merged);
    tcase_add_test(contents, selections_are_parsed);
    tcase_add_test(contents, runs_of_one_configuration_have_it);
    tcase_add_test(errors, files_that_are_no_stores_are_refused);
    tcase_add_test(errors, a_pipe_is_not_opened);
    tcase_add_test(errors, a_store_with_other_tables_is_refused);
    tcase_add_test(errors, a_trigger_of_the_file_is_not_executed);
    tcase_add_test(errors, impossible_rows_are_refused);
    tcase_add_test(errors, high_addresses_are_found);
    tcase_add_test(errors, sections_at_one_address_lose_no_run);
    tcase_add_test(errors, names_have_no_control_characters);
    tcase_add_test(errors, a_newer_store_is_refused);
    tcase_add_test(errors, an_empty_file_becomes_a_store);
    tcase_add_test(errors, damage_is_reported);
    tcase_add_test(errors, a_locked_store_is_reported);
    tcase_add_test(errors, a_store_without_permission_is_reported);
    tcase_add_test(errors, an_epoch_has_a_name);
    tcase_add_test(errors, migrations_run_in_order_or_not_at_all);
    tcase_add_test(errors, a_store_of_an_unknown_old_version_is_refused);
    tcase_add_test(faults, a_full_disk_loses_nothing);
    tcase_add_test(faults, a_killed_writer_loses_no_acknowledged_run);
    tcase_add_test(faults, two_writers_wait_for_each_other);
    suite_add_tcase(s, contents);
    suite_add_tcase(s, errors);
    suite_add_tcase(s, faults);
    return run_suite(s);
}
