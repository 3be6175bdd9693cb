/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schema, and the steps from one of its versions to the next. */
#include <stdio.h>
#include <stdlib.h>

#include "host/store/parts.h"

/* The statements of schema.def in parts. CHECK (1) is after the last comma of a table. */
static const char *const schema[] = {
#define TABLE(name, meaning) "CREATE TABLE " #name " (",
#define COLUMN(name, type, meaning) #name " " type ",",
#define CONSTRAINT(sql) sql ",",
#define TABLE_END(options) "CHECK (1)) " options ";",
#define INDEX(name, sql) "CREATE INDEX " #name " ON " sql ";",
#define VIEW(name, meaning, columns, sql) "CREATE VIEW " #name " AS " sql ";",
#include "host/store/schema.def"
    "INSERT INTO frame (id, parent, image, address) VALUES (0, NULL, NULL, 0);",
};

bool store_create_schema(sqlite3 *db)
{
    char *sql, *longer;
    sql = xasprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", STORE_APPLICATION, STORE_VERSION);
    for (size_t i = 0; i < sizeof schema / sizeof schema[0]; i++) {
        longer = xasprintf("%s%s", sql, schema[i]);
        free(sql);
        sql = longer;
    }
    bool done = sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
    free(sql);
    return done;
}

bool store_migrate(sqlite3 *db, const struct store_migration *step, size_t steps, int from, int to, bool *missing)
{
    char version[64];
    *missing = false;
    for (int at = from; at < to; at++) {
        size_t n = 0;
        while (n < steps && step[n].from != at)
            n++;
        *missing = n == steps;
        if (*missing || sqlite3_exec(db, step[n].sql, NULL, NULL, NULL) != SQLITE_OK)
            return false;
    }
    snprintf(version, sizeof version, "PRAGMA user_version = %d", to);
    return sqlite3_exec(db, version, NULL, NULL, NULL) == SQLITE_OK;
}
