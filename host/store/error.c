/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of SQLite as messages for users. */
#include <stdio.h>
#include <string.h>

#include "host/store/parts.h"

/* The first finding of SQLite's check of a damaged file; "" if the check cannot even run. */
static void find_damage(sqlite3 *db, char *text, size_t size_bytes)
{
    static const char head[] = "*** in database main ***\n";
    sqlite3_stmt *check;
    text[0] = '\0';
    if (sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &check, NULL) != SQLITE_OK)
        return;
    if (sqlite3_step(check) == SQLITE_ROW) {
        const char *found = (const char *)sqlite3_column_text(check, 0);
        if (found != NULL && strncmp(found, head, sizeof head - 1) == 0)
            found += sizeof head - 1;
        if (found != NULL && strcmp(found, "ok") != 0)
            snprintf(text, size_bytes, ": %.200s", found);
    }
    sqlite3_finalize(check);
}

static enum status store_error_damaged(const struct profile_store *s, const char *doing, const char *damage,
                                       struct errmsg *err)
{
    return fail(err, ST_FORMAT, "%s: %s: the file is damaged%s; sqlite3 FILE .recover prints what can still be read",
                s->path, doing, damage);
}

enum status store_check(const struct profile_store *s, const char *doing, struct errmsg *err)
{
    char damage[256];
    find_damage(s->db, damage, sizeof damage);
    return damage[0] == '\0' ? ST_OK : store_error_damaged(s, doing, damage, err);
}

enum status store_error(const struct profile_store *s, int code, const char *doing, struct errmsg *err)
{
    char damage[256], words[256];
    snprintf(words, sizeof words, "%s",
             sqlite3_extended_errcode(s->db) == code ? sqlite3_errmsg(s->db) : sqlite3_errstr(code));
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fail(err, ST_IO,
                    "%s: %s: another process has kept the store locked for %g s: run it again when that process has "
                    "ended",
                    s->path, doing, s->wait_ms / 1000.0);
    case SQLITE_FULL:
        return fail(err, ST_IO,
                    "%s: %s: no space is left; what the store had before is unharmed: free space, and run "
                    "it again",
                    s->path, doing);
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return fail(err, ST_IO, "%s: %s: expected permission to write the file and its folder", s->path, doing);
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
        if (sqlite3_system_errno(s->db) != 0)
            snprintf(words, sizeof words, "%s", strerror(sqlite3_system_errno(s->db)));
        return fail(err, ST_IO, "%s: %s: %s", s->path, doing, words);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        find_damage(s->db, damage, sizeof damage);
        return store_error_damaged(s, doing, damage, err);
    default:
        return fail(err, ST_IO, "%s: %s: %s", s->path, doing, words);
    }
}
