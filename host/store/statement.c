/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "host/store/parts.h"

/* A statement that nothing uses, under its text, which the statement owns. */
struct kept {
    sqlite3_stmt *stmt;
    UT_hash_handle hh;
};
struct statement_cache {
    struct kept *kept;
};

struct statement_cache *statement_cache_new(void) { return xcalloc(1, sizeof(struct statement_cache)); }

void statement_cache_empty(struct statement_cache *c)
{
    struct kept *k, *next;
    HASH_ITER (hh, c->kept, k, next) {
        HASH_DEL(c->kept, k);
        sqlite3_finalize(k->stmt);
        free(k);
    }
}

void statement_cache_free(struct statement_cache *c)
{
    statement_cache_empty(c);
    free(c);
}

struct statement statement_new(const struct profile_store *s, const char *sql)
{
    struct statement q = {.cache = s->statements};
    struct kept *k;
    HASH_FIND_STR(q.cache->kept, sql, k);
    if (k == NULL) {
        q.code = sqlite3_prepare_v2(s->db, sql, -1, &q.stmt, NULL);
        return q;
    }
    q.stmt = k->stmt;
    HASH_DEL(q.cache->kept, k);
    free(k);
    return q;
}

/* Keeps the statement, unless one of the same text is kept already. */
static bool store_statement_keep(const struct statement *q)
{
    const char *sql = sqlite3_sql(q->stmt);
    struct kept *k;
    HASH_FIND_STR(q->cache->kept, sql, k);
    if (k != NULL)
        return false;
    sqlite3_reset(q->stmt);
    sqlite3_clear_bindings(q->stmt);
    k = xcalloc(1, sizeof *k);
    k->stmt = q->stmt;
    HASH_ADD_KEYPTR(hh, q->cache->kept, sql, strlen(sql), k);
    return true;
}

void statement_free(struct statement *q)
{
    if (q->stmt == NULL || q->code != SQLITE_OK || !store_statement_keep(q))
        sqlite3_finalize(q->stmt);
    q->stmt = NULL;
}

static void store_statement_note(struct statement *q, int code)
{
    if (q->code == SQLITE_OK)
        q->code = code;
}

void statement_bind_int(struct statement *q, int column, int64_t n)
{
    if (q->code == SQLITE_OK)
        store_statement_note(q, sqlite3_bind_int64(q->stmt, column, n));
}

void statement_bind_real(struct statement *q, int column, double x)
{
    if (q->code == SQLITE_OK)
        store_statement_note(q, isfinite(x) ? sqlite3_bind_double(q->stmt, column, x)
                                            : sqlite3_bind_null(q->stmt, column));
}

void statement_bind_text(struct statement *q, int column, const char *text)
{
    if (q->code == SQLITE_OK)
        store_statement_note(q, sqlite3_bind_text(q->stmt, column, text, -1, SQLITE_STATIC));
}

void statement_bind_blob(struct statement *q, int column, const void *bytes, size_t size_bytes)
{
    if (q->code == SQLITE_OK)
        store_statement_note(
            q, sqlite3_bind_blob64(q->stmt, column, size_bytes != 0 ? bytes : "", size_bytes, SQLITE_STATIC));
}

bool statement_row(struct statement *q)
{
    if (q->code != SQLITE_OK)
        return false;
    int code = sqlite3_step(q->stmt);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        q->code = code;
    sqlite3_reset(q->stmt);
    return false;
}

void statement_run(struct statement *q)
{
    if (statement_row(q))
        sqlite3_reset(q->stmt);
}

int64_t statement_int(const struct statement *q, int column) { return sqlite3_column_int64(q->stmt, column); }

double statement_real(const struct statement *q, int column)
{
    return sqlite3_column_type(q->stmt, column) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(q->stmt, column);
}

char *statement_optional_text(const struct statement *q, int column)
{
    const char *text = (const char *)sqlite3_column_text(q->stmt, column);
    return text != NULL ? xstrdup(text) : NULL;
}

/* A damaged file can have NULL where the schema allows none. */
char *statement_text(const struct statement *q, int column)
{
    char *text = statement_optional_text(q, column);
    return text != NULL ? text : xstrdup("");
}

int statement_number(const struct profile_store *s, const char *sql, int64_t otherwise, int64_t *n)
{
    struct statement q = statement_new(s, sql);
    *n = statement_row(&q) ? statement_int(&q, 0) : otherwise;
    int code = q.code;
    statement_free(&q);
    return code;
}
