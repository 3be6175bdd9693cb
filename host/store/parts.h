/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of the store. */
#ifndef HOST_STORE_PARTS_H
#define HOST_STORE_PARTS_H

#include <sqlite3.h>

#include "host/store/store.h"

/* The addresses first to last of an image, which belong to the procedure at `start`; -1: to none. */
struct procedure_range {
    int64_t image, first, last, start;
};

struct profile_store {
    sqlite3 *db;
    char *path;
    unsigned wait_ms;
    struct statement_cache *statements;
    struct procedure_range procedure; /* the last one found */
    bool unwritable;                  /* reading failed because the folder cannot be written */
};

/* Version of the schema, PRAGMA user_version; PRAGMA application_id: "pcps". */
enum { STORE_VERSION = 4, STORE_APPLICATION = 0x70637073 };

/* Fills procedure_sample from the rows of sample for which the condition holds. Where symbols may have changed since
 * the last one, call store_forget_procedure before. */
#define STORE_SUM_PROCEDURES(condition)                                            \
    "INSERT INTO procedure_sample (series, image, start, value) "                  \
    "SELECT series, image, procedure_at(image, address) AS procedure, sum(value) " \
    "FROM sample WHERE " condition " GROUP BY series, image, procedure"

/* The number of harts of a row of table run, from its statistics: `harts` is an array with those of each hart, if there
 * are several. NULL: unknown, because the statistics are damaged. */
#define STORE_HARTS "CASE WHEN json_valid(statistics) THEN coalesce(json_array_length(statistics, '$.harts'), 1) END"

/* The error of a name that store_is_epoch_name refuses. */
#define STORE_EPOCH_NAME "expected an epoch's name, a letter and then letters, digits, '_', '.' or '-', found '%s'"

/* error.c: describes an error code of SQLite. `doing`: what was not done, e.g. "the run is not stored". */
enum status store_error(const struct profile_store *s, int code, const char *doing, struct errmsg *err) MUST_USE;
/* ST_FORMAT: SQLite's check of all pages, rows and indices finds damage, such as that reads of some rows pass over. */
enum status store_check(const struct profile_store *s, const char *doing, struct errmsg *err) MUST_USE;

/* statement.c: statements with the errors of the first one that fails. After an error all functions do nothing. The
 * store keeps those that are freed without an error, because SQLite takes longer to parse most than to execute them. */
struct statement {
    sqlite3_stmt *stmt; /* NULL after an error */
    int code;           /* SQLITE_OK, or the error */
    struct statement_cache *cache;
};
struct statement statement_new(const struct profile_store *s, const char *sql);
void statement_free(struct statement *q);

/* The statements that a store keeps. Empty it before the database is closed. */
struct statement_cache *statement_cache_new(void);
void statement_cache_empty(struct statement_cache *c);
void statement_cache_free(struct statement_cache *c);

void statement_bind_int(struct statement *q, int column, int64_t n);
void statement_bind_real(struct statement *q, int column, double x);         /* not finite: NULL */
void statement_bind_text(struct statement *q, int column, const char *text); /* borrowed until the next step; or NULL */
void statement_bind_blob(struct statement *q, int column, const void *bytes, size_t size_bytes); /* borrowed */
/* Steps; returns whether there is a row. At the end, or after an error, the statement can be bound again. */
bool statement_row(struct statement *q);
/* Executes a statement without rows. */
void statement_run(struct statement *q);
/* A column of the row; a copy of its text, the caller's to free: "" or NULL for NULL. */
int64_t statement_int(const struct statement *q, int column);
double statement_real(const struct statement *q, int column); /* NAN of NULL */
char *statement_text(const struct statement *q, int column);
char *statement_optional_text(const struct statement *q, int column);
/* The first number of the first row of a statement without parameters; `otherwise` if it has none. */
int statement_number(const struct profile_store *s, const char *sql, int64_t otherwise, int64_t *n);

/* migrate.c: a step from one version to the next. */
struct store_migration {
    int from;
    const char *sql;
};
/* Runs the steps from version `from` to `to` and sets the version, in the transaction that the caller has begun. False
 * with *missing set if a step is missing; false with the error of SQLite in the database otherwise. */
bool store_migrate(sqlite3 *db, const struct store_migration *step, size_t steps, int from, int to, bool *missing);
/* Creates the tables and views. False with the error in the database. */
bool store_create_schema(sqlite3 *db);

/* procedures.c: adds the functions that statements call. */
void store_add_functions(struct profile_store *s);
void store_forget_procedure(struct profile_store *s);

/* schema.c: forbids that statements execute views and triggers of the file, which others may have made. */
void store_distrust(sqlite3 *db);

/* schema.c: refuses a database whose tables are not those of schema.def. What it has beside them does not matter. */
enum status store_check_schema(const struct profile_store *s, struct errmsg *err) MUST_USE;

/* source.c: the texts of enum profile_source in column event.source. */
const char *store_source_name(enum profile_source source);
enum profile_source store_source_of(const char *name);

#endif
