/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile store in a folder of its own for each test, random profiles, and the comparison of profiles. */
#ifndef TESTS_UNIT_STORE_FIXTURE_H
#define TESTS_UNIT_STORE_FIXTURE_H

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

static inline void setup(void)
{
    strcpy(folder, "/tmp/store.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/s.db", folder);
    err.text[0] = '\0';
}

static inline void teardown(void)
{
    static const char *const suffix[] = {"", "-wal", "-shm", "-journal", ".other", ".other-wal", ".other-shm"};
    for (size_t i = 0; i < sizeof suffix / sizeof suffix[0]; i++) {
        char *name = xasprintf("%s%s", path, suffix[i]);
        unlink(name);
        free(name);
    }
    ck_assert_int_eq(rmdir(folder), 0);
}

static inline struct profile_store *open_store(enum store_access access)
{
    struct profile_store *s = NULL;
    ck_assert_msg(store_open(&s, path, access, 0, &err) == ST_OK, "%s", err.text);
    return s;
}

static inline enum status try_open(enum store_access access)
{
    struct profile_store *s = NULL;
    enum status st = store_open(&s, path, access, 0, &err);
    if (st == ST_OK)
        store_close(s);
    return st;
}

static inline void execute(const char *sql)
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

static const struct profile_symbol symbols[] = {
    {.start = 0x100, .size_bytes = 0x40, .name = "first", .shown = "first"},
    {.start = 0x140, .size_bytes = 0x40, .name = "_Z4nextv", .shown = "next()"}};
static const uint8_t bytes[] = {0x13, 0, 0, 0};
static const struct profile_code code[] = {{0x100, sizeof bytes, bytes, 0x80}};

/* Deterministic numbers. */
static uint64_t state;
static inline unsigned below(unsigned limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % limit;
}

static inline uint32_t add_image(struct profile *p, const char *name, bool with_lines)
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
static inline void fill(struct profile *p, uint32_t event)
{
    for (unsigned n = 0; n < 20; n++) {
        uint32_t image = below(2);
        uint64_t a = 0x100 + 2 * below(64), b = 0x100 + 2 * below(64);
        double value = 1 + below(1000);
        profile_add_sample(p, event, (struct profile_sample){image, a, value});
        profile_add_edge(p, event, (struct profile_edge){image, 1 - image, a, b, value});
        const struct profile_place place[] = {{image, a}, {0, 0x100 + 2 * below(3)}, {0, 0x100}};
        profile_add_stack(p, event, (struct profile_stack){profile_add_path(p, place, 1 + below(3)), value});
    }
}

/* A random profile with two images; `scale` of its sampled event. */
static inline struct profile *random_profile(double scale)
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

static inline struct store_run run_of(const struct profile *p)
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

static inline int64_t add(struct profile_store *s, const struct profile *p)
{
    int64_t number;
    struct store_run run = run_of(p);
    ck_assert_msg(store_add_run(s, &run, &number, &err) == ST_OK, "%s", err.text);
    return number;
}

static inline struct profile *load(const struct profile_store *s, const char *what)
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

static inline uint32_t copy_frame(struct profile *to, const struct profile *from, uint32_t frame)
{
    const struct profile_frame *f = profile_frame(from, frame);
    return frame != 0 ? profile_add_frame(to, copy_frame(to, from, f->caller), f->at) : 0;
}

/* Adds all of `from` to `to`. Both have the same events and images, in this order. */
static inline void add_up(struct profile *to, const struct profile *from)
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
            profile_add_stack(to, e, (struct profile_stack){copy_frame(to, from, k[n].frame), k[n].value});
    }
}

/* The number in `b` of an image of `a`: images of a store are in the order of their first use. */
static inline uint32_t image_in(const struct profile *b, const struct profile *a, uint32_t image)
{
    for (uint32_t n = 0; n < profile_images(b); n++)
        if (strcmp(profile_image(b, n)->name, profile_image(a, image)->name) == 0)
            return n;
    ck_abort_msg("an image is missing");
    return 0;
}

static inline double sum_edges(const struct profile *p, uint32_t event, const struct profile *names,
                               struct profile_edge key)
{
    size_t count;
    const struct profile_edge *g = profile_edges(p, event, &count);
    for (size_t n = 0; n < count; n++)
        if (g[n].from == key.from && g[n].to == key.to && g[n].from_image == image_in(p, names, key.from_image) &&
            g[n].to_image == image_in(p, names, key.to_image))
            return g[n].value;
    return 0;
}

static inline bool same_stack(const struct profile *p, uint32_t x, const struct profile *names, uint32_t y)
{
    const struct profile_frame *f = profile_frame(p, x), *g = profile_frame(names, y);
    if (x == 0 || y == 0)
        return x == y;
    return f->at.address == g->at.address && f->at.image == image_in(p, names, g->at.image) &&
           same_stack(p, f->caller, names, g->caller);
}

static inline void check_stacks(const struct profile *p, const struct profile *q, uint32_t e)
{
    size_t count, other, found = 0;
    const struct profile_stack *a = profile_stacks(p, e, &count), *b = profile_stacks(q, e, &other);
    ck_assert_uint_eq(count, other);
    for (size_t n = 0; n < count; n++)
        for (size_t m = 0; m < other; m++)
            if (same_stack(q, b[m].frame, p, a[n].frame) && fabs(a[n].value - b[m].value) < 1e-6)
                found++;
    ck_assert_uint_eq(found, count);
}

/* Compares the values of two profiles. */
static inline void check_same(const struct profile *p, const struct profile *q)
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

/* Sums of an epoch are those of its runs, and nothing is damaged. */
static inline void check_sound(void)
{
    ck_assert_str_eq(ask("PRAGMA integrity_check"), "ok");
    ck_assert_str_eq(ask("SELECT (SELECT total(value) FROM sample) = (SELECT total(value) FROM epoch_sample)"), "1");
    ck_assert_str_eq(ask("SELECT (SELECT total(value) FROM sample) = (SELECT total(value) FROM procedure_sample)"),
                     "1");
    ck_assert_str_eq(ask("SELECT (SELECT total(value) FROM edge) = (SELECT total(value) FROM epoch_edge)"), "1");
    ck_assert_str_eq(ask("SELECT 2 * (SELECT count(*) FROM run) = (SELECT count(*) FROM series)"), "1");
    ck_assert_str_eq(ask("SELECT count(*) FROM series WHERE NOT EXISTS "
                         "(SELECT * FROM sample WHERE sample.series = series.id)"),
                     "0");
}

#endif
