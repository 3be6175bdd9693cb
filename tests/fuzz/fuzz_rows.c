/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of profile stores with any rows. The harness is the database: it has the functions of SQLite that
 * the reader calls, and takes from the input whether a query has another row, and the values of its columns. So it has
 * rows that only a damaged file has, such as unsorted ones, and needs no SQLite, which takes 3 ms to open a file. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzzed_store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- the input ---- */

static const uint8_t *at, *end;

static unsigned byte(void) { return at < end ? *at++ : 0; }

static uint64_t eight_bytes(void)
{
    uint64_t n = 0;
    const size_t left = (size_t)(end - at), bytes = left < sizeof n ? left : sizeof n;
    memcpy(&n, at, bytes);
    at += bytes;
    return n;
}

/* ---- the database ---- */

/* A value; that of a column which the reader has not asked for has no type. */
struct value {
    int type;
    int64_t integer;
    double real;
    char *bytes; /* of a text or blob; of a number, where it was asked for as text */
    int size_bytes;
};

enum { COLUMNS = 16 };
struct sqlite3_stmt {
    char *sql;
    bool has_rows;
    struct value column[COLUMNS];
};
static int last_error;

static void forget_row(sqlite3_stmt *q)
{
    for (int n = 0; n < COLUMNS; n++) {
        free(q->column[n].bytes);
        q->column[n] = (struct value){0};
    }
}

static void set_bytes(struct value *v, const void *bytes, size_t size)
{
    v->bytes = xmalloc(size + 1);
    memcpy(v->bytes, bytes, size);
    v->bytes[size] = '\0';
    v->size_bytes = (int)size;
}

static void set_text(struct value *v, int type)
{
    unsigned size = byte();
    if (size > (size_t)(end - at))
        size = (unsigned)(end - at);
    v->type = type;
    set_bytes(v, at, size);
    at += size;
}

/* Three values of eight are small numbers, as most of a sound store are. */
static void set_value(struct value *v)
{
    const unsigned kind = byte();
    uint64_t bits;
    *v = (struct value){.type = SQLITE_INTEGER, .integer = (int64_t)(kind >> 3)};
    switch (kind % 8) {
    case 0:
        v->type = SQLITE_NULL;
        break;
    case 1:
        v->integer = (int8_t)byte();
        break;
    case 2:
        v->integer = (int64_t)eight_bytes();
        break;
    case 3:
        bits = eight_bytes();
        memcpy(&v->real, &bits, sizeof bits);
        v->type = isnan(v->real) ? SQLITE_NULL : SQLITE_FLOAT; /* SQLite stores no NaN */
        break;
    case 4:
        set_text(v, SQLITE_TEXT);
        break;
    case 5:
        set_text(v, SQLITE_BLOB);
        break;
    default:
        break;
    }
}

static struct value *value_of(sqlite3_stmt *q, int column)
{
    if (column < 0 || column >= COLUMNS || !q->has_rows)
        BUG("column %d of '%s'", column, q->sql);
    if (q->column[column].type == 0)
        set_value(&q->column[column]);
    return &q->column[column];
}

int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int bytes, sqlite3_stmt **stmt, const char **tail)
{
    (void)db, (void)bytes, (void)tail;
    *stmt = xcalloc(1, sizeof **stmt);
    (*stmt)->sql = xstrdup(sql);
    return SQLITE_OK;
}

int sqlite3_finalize(sqlite3_stmt *q)
{
    if (q == NULL)
        return SQLITE_OK;
    forget_row(q);
    free(q->sql);
    free(q);
    return SQLITE_OK;
}

const char *sqlite3_sql(sqlite3_stmt *q) { return q->sql; }

/* One value of the input in eight ends the query, and one in 256 is an error. */
int sqlite3_step(sqlite3_stmt *q)
{
    const bool is_query = strncmp(q->sql, "SELECT", 6) == 0 || strncmp(q->sql, "PRAGMA", 6) == 0;
    const unsigned choice = is_query ? byte() : 0;
    forget_row(q);
    q->has_rows = choice % 8 != 0 && choice != UINT8_MAX;
    last_error = choice == UINT8_MAX ? SQLITE_CORRUPT : SQLITE_OK;
    return choice == UINT8_MAX ? SQLITE_CORRUPT : q->has_rows ? SQLITE_ROW : SQLITE_DONE;
}

int sqlite3_reset(sqlite3_stmt *q)
{
    forget_row(q);
    q->has_rows = false;
    return SQLITE_OK;
}

int sqlite3_column_type(sqlite3_stmt *q, int column) { return value_of(q, column)->type; }

sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *q, int column)
{
    const struct value *v = value_of(q, column);
    if (v->type != SQLITE_FLOAT)
        return v->integer;
    return v->real >= 0x1p63 ? INT64_MAX : v->real < -0x1p63 ? INT64_MIN : (int64_t)v->real;
}

double sqlite3_column_double(sqlite3_stmt *q, int column)
{
    const struct value *v = value_of(q, column);
    return v->type == SQLITE_FLOAT ? v->real : (double)v->integer;
}

const void *sqlite3_column_blob(sqlite3_stmt *q, int column)
{
    struct value *v = value_of(q, column);
    char text[32];
    if (v->bytes == NULL && v->type != SQLITE_NULL)
        set_bytes(v, text,
                  (size_t)(v->type == SQLITE_FLOAT ? snprintf(text, sizeof text, "%.15g", v->real)
                                                   : snprintf(text, sizeof text, "%" PRId64, v->integer)));
    return v->bytes;
}

const unsigned char *sqlite3_column_text(sqlite3_stmt *q, int column) { return sqlite3_column_blob(q, column); }

int sqlite3_column_bytes(sqlite3_stmt *q, int column)
{
    sqlite3_column_blob(q, column);
    return value_of(q, column)->size_bytes;
}

/* What a query asks for does not matter. */
int sqlite3_bind_int64(sqlite3_stmt *q, int n, sqlite3_int64 x) { return (void)q, (void)n, (void)x, SQLITE_OK; }
int sqlite3_bind_text(sqlite3_stmt *q, int n, const char *text, int bytes, void (*release)(void *))
{
    return (void)q, (void)n, (void)text, (void)bytes, (void)release, SQLITE_OK;
}
int sqlite3_clear_bindings(sqlite3_stmt *q) { return (void)q, SQLITE_OK; }
int sqlite3_exec(sqlite3 *db, const char *sql, sqlite3_callback fn, void *ctx, char **message)
{
    return (void)db, (void)sql, (void)fn, (void)ctx, (void)message, SQLITE_OK;
}
int sqlite3_extended_errcode(sqlite3 *db) { return (void)db, last_error; }
const char *sqlite3_errmsg(sqlite3 *db) { return (void)db, "damage"; }
const char *sqlite3_errstr(int code) { return (void)code, "damage"; }
int sqlite3_system_errno(sqlite3 *db) { return (void)db, 0; }

/* ---- what is read of it ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[] = "rows", epoch[] = "one";
    struct profile_store s = {.path = path, .statements = statement_cache_new()};
    struct store_range range = {1, 1};
    at = data;
    end = data + size;
    const unsigned what = byte();
    if (what % 4 == 0)
        read_store(&s);
    else
        load_resolved(
            &s,
            &(struct store_selection){.epoch = what % 4 == 1 ? epoch : NULL, .range = &range, .ranges = what % 4 != 1},
            is_one_in_16(data, size));
    statement_cache_free(s.statements);
    return 0;
}
