/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schema of a file that others may have made. SQLite executes what a schema contains: views in place of tables,
 * triggers, generated columns. */
#include <stdlib.h>
#include <string.h>

#include "host/store/parts.h"

void store_distrust(sqlite3 *db)
{
    static const struct {
        int option, value;
    } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        sqlite3_db_config(db, settings[i].option, settings[i].value, (int *)NULL);
}

/* A row of schema.def; a table has no column. */
struct expected {
    const char *table, *column, *type;
};

static const struct expected schema[] = {
#define TABLE(name, meaning) {#name, NULL, NULL},
#define COLUMN(name, type, meaning) {NULL, #name, type},
#define CONSTRAINT(sql)
#define TABLE_END(options)
#define INDEX(name, sql)
#define VIEW(name, meaning, columns, sql)
#include "host/store/schema.def"
};

/* Returns whether the database has an ordinary table of this name; *found: what it has. */
static bool is_table(struct statement *q, const char *table, char found[32])
{
    statement_bind_text(q, 1, table);
    if (!statement_row(q))
        return false;
    char *type = statement_text(q, 0);
    sqlite3_snprintf(32, found, "a %s", type);
    sqlite3_reset(q->stmt);
    bool is = strcmp(type, "table") == 0;
    free(type);
    return is;
}

/* Returns whether a column has its type, is not generated, and cannot be NULL where schema.def says so. */
static bool is_column(struct statement *q, const char *table, const struct expected *e)
{
    statement_bind_text(q, 1, table);
    statement_bind_text(q, 2, e->column);
    if (!statement_row(q))
        return false;
    char *type = statement_text(q, 0);
    bool is = type[0] != '\0' && strncmp(e->type, type, strlen(type)) == 0 && statement_int(q, 1) == 0 &&
              (statement_int(q, 2) != 0 || strstr(e->type, "NOT NULL") == NULL);
    sqlite3_reset(q->stmt);
    free(type);
    return is;
}

enum status store_check_schema(const struct profile_store *s, struct errmsg *err)
{
    struct statement tables = statement_new(s, "SELECT type FROM pragma_table_list(?1) WHERE schema = 'main'"),
                     columns = statement_new(
                         s, "SELECT type, hidden, \"notnull\" FROM pragma_table_xinfo(?1) WHERE name = ?2");
    const char *table = NULL;
    enum status st = ST_OK;
    for (size_t n = 0; n < sizeof schema / sizeof schema[0] && st == ST_OK; n++) {
        char found[32] = "nothing";
        if (schema[n].table != NULL) {
            table = schema[n].table;
            if (!is_table(&tables, table, found))
                st = fail(err, ST_FORMAT, "%s: expected a profile store with the table %s, found %s of this name",
                          s->path, table, found);
        } else if (!is_column(&columns, table, &schema[n])) {
            st = fail(err, ST_FORMAT,
                      "%s: expected a profile store whose table %s has the column %s %s, found another table", s->path,
                      table, schema[n].column, schema[n].type);
        }
    }
    int code = tables.code != SQLITE_OK ? tables.code : columns.code;
    if (code != SQLITE_OK)
        st = store_error(s, code, "the store cannot be read", err);
    statement_free(&tables);
    statement_free(&columns);
    return st;
}
