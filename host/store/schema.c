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

/* Tables of the file, or columns of a table. */
struct store_schema_found {
    char *name, *type;
    bool is_hidden, is_not_null;
};
struct found_list {
    struct store_schema_found *row;
    size_t count;
};

/* Reads all rows of a statement: name, type, whether it is hidden, and whether it cannot be NULL. */
static struct found_list store_schema_read_rows(struct statement *q)
{
    struct found_list l = {0};
    while (statement_row(q)) {
        l.row = xgrow(l.row, l.count, sizeof *l.row);
        l.row[l.count++] = (struct store_schema_found){.name = statement_text(q, 0),
                                                       .type = statement_text(q, 1),
                                                       .is_hidden = statement_int(q, 2) != 0,
                                                       .is_not_null = statement_int(q, 3) != 0};
    }
    return l;
}

static void store_schema_release(struct found_list *l)
{
    for (size_t n = 0; n < l->count; n++) {
        free(l->row[n].name);
        free(l->row[n].type);
    }
    free(l->row);
    *l = (struct found_list){0};
}

static const struct store_schema_found *store_schema_find(const struct found_list *l, const char *name)
{
    for (size_t n = 0; n < l->count; n++)
        if (strcmp(l->row[n].name, name) == 0)
            return &l->row[n];
    return NULL;
}

/* Returns whether a column has its type, is not generated, and cannot be NULL where schema.def says so. */
static bool is_column(const struct store_schema_found *found, const struct expected *e)
{
    return found != NULL && found->type[0] != '\0' && strncmp(e->type, found->type, strlen(found->type)) == 0 &&
           !found->is_hidden && (found->is_not_null || strstr(e->type, "NOT NULL") == NULL);
}

/* Compares schema.def with the tables; `columns` reads those of table ?1. */
static enum status store_schema_compare(const struct profile_store *s, const struct found_list *tables,
                                        struct statement *columns, struct errmsg *err)
{
    const char *table = NULL;
    struct found_list of_table = {0};
    enum status st = ST_OK;
    for (size_t n = 0; n < sizeof schema / sizeof schema[0] && st == ST_OK; n++) {
        if (schema[n].table != NULL) {
            table = schema[n].table;
            const struct store_schema_found *found = store_schema_find(tables, table);
            if (found == NULL || strcmp(found->type, "table") != 0)
                st = fail(err, ST_FORMAT, "%s: expected a profile store with the table %s, found %s%s of this name",
                          s->path, table, found == NULL ? "nothing" : "a ", found == NULL ? "" : found->type);
            store_schema_release(&of_table);
            statement_bind_text(columns, 1, table);
            of_table = store_schema_read_rows(columns);
        } else if (!is_column(store_schema_find(&of_table, schema[n].column), &schema[n])) {
            st = fail(err, ST_FORMAT,
                      "%s: expected a profile store whose table %s has the column %s %s, found another table", s->path,
                      table, schema[n].column, schema[n].type);
        }
    }
    store_schema_release(&of_table);
    return st;
}

/* The list of the tables is read once, because SQLite parses all views of the file for it. */
enum status store_check_schema(const struct profile_store *s, struct errmsg *err)
{
    struct statement tables = statement_new(s, "SELECT name, type, 0, 0 FROM pragma_table_list WHERE schema = 'main'"),
                     columns = statement_new(s, "SELECT name, type, hidden, \"notnull\" FROM pragma_table_xinfo(?1)");
    struct found_list list = store_schema_read_rows(&tables);
    enum status st = tables.code == SQLITE_OK && columns.code == SQLITE_OK
                         ? store_schema_compare(s, &list, &columns, err)
                         : ST_OK;
    int code = tables.code != SQLITE_OK ? tables.code : columns.code;
    if (code != SQLITE_OK)
        st = store_error(s, code, "the store cannot be read", err);
    store_schema_release(&list);
    statement_free(&tables);
    statement_free(&columns);
    return st;
}
