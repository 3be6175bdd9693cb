/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of profile stores with any values in the rows of its tables. SQLite takes 3 ms to read another
 * database; here it has the same one for all inputs, and each input changes values in it, deletes rows and repeats
 * them. The tables have no keys and constraints, so their rows can be what only a damaged file has. Of one input in 16,
 * by the sum of its bytes, all is listed, loaded and exported; of another one selection is loaded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzzed_store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The columns of schema.def, each with the number of its table. */
enum {
#define TABLE(name, meaning) TABLE_##name,
#define COLUMN(name, type, meaning)
#define CONSTRAINT(sql)
#define TABLE_END(options)
#define INDEX(name, sql)
#define VIEW(name, meaning, columns, sql)
#include "host/store/schema.def"
    TABLES
};
static const char *const tables[] = {
#define TABLE(name, meaning) #name,
#define COLUMN(name, type, meaning)
#define CONSTRAINT(sql)
#define TABLE_END(options)
#define INDEX(name, sql)
#define VIEW(name, meaning, columns, sql)
#include "host/store/schema.def"
};
struct column {
    const char *name; /* NULL: the head of a table */
};
static const struct column columns[] = {
#define TABLE(name, meaning) {NULL},
#define COLUMN(name, type, meaning) {#name},
#define CONSTRAINT(sql)
#define TABLE_END(options)
#define INDEX(name, sql)
#define VIEW(name, meaning, columns, sql)
#include "host/store/schema.def"
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* What an input does: to a column of a row, or, with the head of a table, to the row. */
static struct {
    unsigned table;
    sqlite3_stmt *set;             /* of a column: its value is ?1 in row ?2 */
    sqlite3_stmt *remove, *repeat; /* of a head: row ?1 */
} actions[COLUMNS];

/* Of each table: takes its rows away, and gives it the sound ones. */
static struct {
    sqlite3_stmt *clear, *fill;
    bool is_changed;
} restore[TABLES];

static struct profile_store store = {.path = "rows"};

static sqlite3_stmt *prepare(const char *format, const char *table, const char *column)
{
    sqlite3_stmt *stmt;
    char *sql = sqlite3_mprintf(format, table, column);
    if (sqlite3_prepare_v2(store.db, sql, -1, &stmt, NULL) != SQLITE_OK)
        BUG("%s: %s", sql, sqlite3_errmsg(store.db));
    sqlite3_free(sql);
    return stmt;
}

static void run(sqlite3_stmt *stmt)
{
    sqlite3_step(stmt);
    sqlite3_reset(stmt);
}

static void run_once(sqlite3_stmt *stmt)
{
    if (sqlite3_step(stmt) != SQLITE_DONE)
        BUG("%s: %s", sqlite3_sql(stmt), sqlite3_errmsg(store.db));
    sqlite3_finalize(stmt);
}

/* Makes a temporary table of the same name beside each table of the store; the reader finds it first. */
static void make_tables(void)
{
    for (unsigned t = 0; t < TABLES; t++) {
        run_once(prepare("CREATE TEMP TABLE %s AS SELECT * FROM main.%s", tables[t], tables[t]));
        restore[t].clear = prepare("DELETE FROM temp.%s", tables[t], NULL);
        restore[t].fill = prepare("INSERT INTO temp.%s SELECT * FROM main.%s", tables[t], tables[t]);
    }
    for (unsigned c = 0, t = 0; c < COLUMNS; c++) {
        t += c > 0 && columns[c].name == NULL;
        actions[c].table = t;
        if (columns[c].name != NULL) {
            actions[c].set = prepare("UPDATE temp.%s SET %s = ?1 WHERE rowid = ?2", tables[t], columns[c].name);
            continue;
        }
        actions[c].remove = prepare("DELETE FROM temp.%s WHERE rowid = ?1", tables[t], NULL);
        actions[c].repeat = prepare("INSERT INTO temp.%s SELECT * FROM temp.%s WHERE rowid = ?1", tables[t], tables[t]);
    }
}

static void free_store(void)
{
    sqlite3_stmt *stmt;
    statement_cache_free(store.statements);
    while ((stmt = sqlite3_next_stmt(store.db, NULL)) != NULL)
        sqlite3_finalize(stmt);
    sqlite3_close(store.db);
}

static void make_store(void)
{
    if (store.db != NULL)
        return;
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (sqlite3_open(":memory:", &store.db) != SQLITE_OK || !store_create_schema(store.db) ||
        sqlite3_exec(store.db, "PRAGMA temp_store = MEMORY; PRAGMA automatic_index = OFF", NULL, NULL, NULL) !=
            SQLITE_OK)
        BUG("%s", sqlite3_errmsg(store.db));
    store.statements = statement_cache_new();
    add_run(&store);
    make_tables();
    atexit(free_store);
}

/* ---- an input ---- */

struct input {
    const uint8_t *at, *end;
};

static unsigned byte(struct input *i) { return i->at < i->end ? *i->at++ : 0; }

static uint64_t eight_bytes(struct input *i)
{
    uint64_t n = 0;
    size_t bytes = (size_t)(i->end - i->at) < sizeof n ? (size_t)(i->end - i->at) : sizeof n;
    memcpy(&n, i->at, bytes);
    i->at += bytes;
    return n;
}

/* Binds the value that the input has next: what it is, and then its bytes. */
static void bind_value(sqlite3_stmt *set, struct input *i)
{
    enum { NOTHING, SMALL, INTEGER, REAL, TEXT, BLOB, KINDS };
    unsigned kind = byte(i) % KINDS;
    if (kind == NOTHING)
        sqlite3_bind_null(set, 1);
    else if (kind == SMALL)
        sqlite3_bind_int(set, 1, (int8_t)byte(i));
    else if (kind == INTEGER)
        sqlite3_bind_int64(set, 1, (int64_t)eight_bytes(i));
    else if (kind == REAL) {
        uint64_t bits = eight_bytes(i);
        double x;
        memcpy(&x, &bits, sizeof x);
        sqlite3_bind_double(set, 1, x);
    } else {
        unsigned bytes = byte(i);
        if (bytes > (size_t)(i->end - i->at))
            bytes = (unsigned)(i->end - i->at);
        if (kind == TEXT)
            sqlite3_bind_text(set, 1, (const char *)i->at, (int)bytes, SQLITE_STATIC);
        else
            sqlite3_bind_blob(set, 1, i->at, (int)bytes, SQLITE_STATIC);
        i->at += bytes;
    }
}

/* Does what the input has next to a row: its column, its number and the rest. */
static void change_row(struct input *i)
{
    unsigned column = byte(i) % COLUMNS, row = byte(i) % 8 + 1;
    sqlite3_stmt *action = actions[column].set;
    if (action != NULL) {
        bind_value(action, i);
        sqlite3_bind_int(action, 2, (int)row);
    } else {
        action = byte(i) % 2 == 0 ? actions[column].remove : actions[column].repeat;
        sqlite3_bind_int(action, 1, (int)row);
    }
    run(action);
    restore[actions[column].table].is_changed = true;
}

static void restore_rows(void)
{
    for (unsigned t = 0; t < TABLES; t++)
        if (restore[t].is_changed) {
            run(restore[t].clear);
            run(restore[t].fill);
            restore[t].is_changed = false;
        }
}

/* Loads the epoch of an odd input, and the run of an even one. */
static void load_one(bool is_odd)
{
    struct store_range range = {1, 1};
    struct store_selection epoch = {.epoch = "one"}, run = {.range = &range, .ranges = 1};
    load(&store, is_odd ? &epoch : &run, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input i = {data, data + size};
    make_store();
    while (i.at < i.end)
        change_row(&i);
    if (is_one_in_16(data, size))
        read_store(&store);
    else
        load_one(size > 0 && data[size - 1] % 2 != 0);
    restore_rows();
    return 0;
}
