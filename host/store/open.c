/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening, creating and migrating stores. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_form.h"
#include "host/store/parts.h"

static const struct store_migration migrations[] = {
#define MIGRATION(from, sql) {from, sql},
#include "host/store/migrations.def"
};
enum { MIGRATIONS = sizeof migrations / sizeof migrations[0] };

/* The header of a file of SQLite, as far as it is tested here: fileformat2 of its documentation, section 1.3. */
enum { STORE_MAGIC_BYTES = 16, STORE_APPLICATION_AT = 68, STORE_HEAD_BYTES = 72 };

/* Reads the first bytes of a file. Bytes read from a pipe are lost to its reader. */
static bool store_open_read_head(const char *path, uint8_t head[STORE_HEAD_BYTES], size_t size_bytes)
{
    static const char magic[STORE_MAGIC_BYTES] = "SQLite format 3";
    struct stat sb;
    FILE *f = stat(path, &sb) == 0 && S_ISREG(sb.st_mode) ? fopen(path, "rb") : NULL;
    const bool is = f != NULL && fread(head, size_bytes, 1, f) == 1 && memcmp(head, magic, sizeof magic) == 0;
    if (f != NULL)
        fclose(f);
    return is;
}

bool store_is_database(const char *path)
{
    uint8_t head[STORE_HEAD_BYTES];
    return store_open_read_head(path, head, STORE_MAGIC_BYTES);
}

bool store_is_profile_store(const char *path)
{
    uint8_t head[STORE_HEAD_BYTES];
    uint32_t application = 0;
    if (!store_open_read_head(path, head, sizeof head))
        return false;
    for (unsigned n = 0; n < sizeof application; n++)
        application = application << 8 | head[STORE_APPLICATION_AT + n];
    return application == STORE_APPLICATION;
}

/* Returns whether a file with this suffix, of a size above 0, is beside the store. */
static bool has_beside(const char *path, const char *suffix)
{
    struct stat sb;
    char *name = xasprintf("%s%s", path, suffix);
    bool has = stat(name, &sb) == 0 && sb.st_size > 0;
    free(name);
    return has;
}

/* Checks whether a store can be made in the folder of its path. */
static enum status store_open_check_folder(const char *path, struct errmsg *err)
{
    char *copy = xstrdup(path);
    int error = access(dirname(copy), W_OK | X_OK) == 0 ? 0 : errno;
    free(copy);
    return error == 0 ? ST_OK : fail(err, ST_IO, "%s: cannot create the store: %s", path, strerror(error));
}

/* Checks the file before SQLite opens it, for better messages: SQLite takes an empty path for a temporary database.
 * What a process has left that was killed as it created the store has a journal, by which SQLite takes it back. */
static enum status store_open_check_file(const char *path, enum store_access mode, struct errmsg *err)
{
    struct stat sb;
    if (path[0] == '\0')
        return fail(err, ST_INPUT, "expected the path of a profile store, found an empty path");
    if (stat(path, &sb) != 0 && errno == ENOENT && mode == STORE_CREATE)
        return store_open_check_folder(path, err);
    if (stat(path, &sb) != 0)
        return fail(err, ST_IO, "%s: %s%s", path, strerror(errno),
                    errno == ENOENT ? ": expected a profile store, which pcemu --collect makes" : "");
    if (!S_ISREG(sb.st_mode))
        return fail(err, ST_IO, "%s: expected a profile store, found %s", path,
                    S_ISDIR(sb.st_mode) ? "a folder" : "no regular file");
    if (access(path, mode == STORE_CREATE ? R_OK | W_OK : R_OK) != 0)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    if (has_beside(path, "-journal") || (sb.st_size == 0 && mode == STORE_CREATE) || store_is_database(path))
        return ST_OK;
    return file_form_check(path, FILE_FORM_STORE, "a profile store", ST_FORMAT, err);
}

static enum status store_open_execute(const struct profile_store *s, const char *sql, const char *doing,
                                      struct errmsg *err)
{
    int code = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? ST_OK : store_error(s, code, doing, err);
}

/* SQLite's allocator takes locks and keeps statistics for every piece of memory, and a connection has few pieces of its
 * own, which the statements that are kept use up. Only the first call of a process has an effect. */
static void store_open_set_up(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    (void)sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 1200, 400); /* bytes, pieces */
}

/* Opens the database; `immutable`: without locks and journal, for a folder that cannot be written. */
static int open_database(struct profile_store *s, enum store_access mode, bool immutable)
{
    /* A reader that may write removes the log when it is the last to close the store. */
    int flags = mode == STORE_CREATE                      ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                : immutable || access(s->path, W_OK) != 0 ? SQLITE_OPEN_READONLY
                                                          : SQLITE_OPEN_READWRITE;
    /* SQLite takes ":memory:" and, as Debian configures it, "file:..." for something else than paths; but no name that
     * begins with '/' or "./". Only this much of a path has a meaning in a URI. */
    bool is_absolute = s->path[0] == '/';
    char *name = xmalloc(3 * strlen(s->path) + sizeof "file://./?immutable=1"), *to = name;
    to += sprintf(to, "%s%s", !immutable ? "" : is_absolute ? "file://" : "file:", is_absolute ? "" : "./");
    for (const char *from = s->path; *from != '\0'; from++)
        if (immutable && strchr("%?#", *from) != NULL)
            to += sprintf(to, "%%%02x", (unsigned char)*from);
        else
            *to++ = *from;
    strcpy(to, immutable ? "?immutable=1" : "");
    statement_cache_empty(s->statements);
    sqlite3_close(s->db);
    store_open_set_up();
    int code = sqlite3_open_v2(name, &s->db, flags | SQLITE_OPEN_NOMUTEX | (immutable ? SQLITE_OPEN_URI : 0), NULL);
    free(name);
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, (int)s->wait_ms);
    store_distrust(s->db);
    store_add_functions(s);
    return code;
}

/* Reads the identity, in one transaction, because another process may create the store in between; sets *version to -1
 * for a database without tables and identity, which is no store yet. */
static enum status identify(struct profile_store *s, enum store_access access, int *version, struct errmsg *err)
{
    static const char *const sql[] = {"PRAGMA application_id", "PRAGMA user_version",
                                      "SELECT count(*) FROM sqlite_master"};
    int64_t found[3] = {0};
    int code = sqlite3_exec(s->db, "SAVEPOINT identity", NULL, NULL, NULL);
    for (int i = 0; i < 3 && code == SQLITE_OK; i++)
        code = statement_number(s, sql[i], 0, &found[i]);
    sqlite3_exec(s->db, "RELEASE identity", NULL, NULL, NULL);
    s->unwritable = (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY;
    if (code != SQLITE_OK)
        return store_error(s, code, "the store cannot be read", err);
    int64_t application = found[0], number = found[1], tables = found[2];
    *version = (int)number;
    if (application == 0 && number == 0 && tables == 0 && access == STORE_CREATE) {
        *version = -1;
        return ST_OK;
    }
    if (application != STORE_APPLICATION)
        return fail(err, ST_FORMAT, "%s: expected a profile store, found a database of another application", s->path);
    if (number > STORE_VERSION)
        return fail(err, ST_VERSION,
                    "%s: expected a store of version %d or older, found version %d: a newer pcprof can read it",
                    s->path, STORE_VERSION, (int)number);
    return ST_OK;
}

/* Creates the tables, or migrates them. Another process may have done so since, so the transaction tests it once more.
 */
static enum status upgrade(struct profile_store *s, struct errmsg *err)
{
    static const char doing[] = "the store cannot be created or migrated";
    int version = 0;
    bool missing = false;
    enum status st = store_open_execute(s, "BEGIN IMMEDIATE", doing, err);
    if (st != ST_OK)
        return st;
    st = identify(s, STORE_CREATE, &version, err);
    if (st == ST_OK && version < STORE_VERSION) {
        bool done = version < 0 ? store_create_schema(s->db)
                                : store_migrate(s->db, migrations, MIGRATIONS, version, STORE_VERSION, &missing);
        if (missing)
            st = fail(err, ST_VERSION, "%s: version %d of the store is not supported any more: expected %d", s->path,
                      version, STORE_VERSION);
        else if (!done)
            st = store_error(s, sqlite3_extended_errcode(s->db), doing, err);
    }
    if (st == ST_OK)
        st = store_open_execute(s, "COMMIT", doing, err);
    if (st != ST_OK)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

/* A write-ahead log lets others read during a write. A process that holds a lock of the file at this moment can prevent
 * it; the store then works by its rollback journal. A reader is in one transaction up to its end: all that it reads is
 * of the same moment, whatever is added meanwhile. */
static enum status configure(struct profile_store *s, enum store_access access, struct errmsg *err)
{
    static const char doing[] = "the store cannot be opened";
    if (access == STORE_READ)
        return store_open_execute(s, "BEGIN", doing, err);
    int code = sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    if (code != SQLITE_OK && (code & 0xff) != SQLITE_BUSY)
        return store_error(s, code, doing, err);
    /* The numbers that rows refer to were read or made in the same transaction, so nothing is left for foreign_keys to
     * check in each row. */
    return store_open_execute(s, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF", doing, err);
}

static enum status open_and_identify(struct profile_store *s, enum store_access access, struct errmsg *err)
{
    int version = 0;
    if (open_database(s, access, false) != SQLITE_OK)
        return store_error(s, sqlite3_extended_errcode(s->db), "the store cannot be opened", err);
    enum status st = identify(s, access, &version, err);
    if (st == ST_IO && access == STORE_READ && s->unwritable && !has_beside(s->path, "-wal")) {
        if (open_database(s, access, true) != SQLITE_OK)
            return store_error(s, sqlite3_extended_errcode(s->db), "the store cannot be opened", err);
        st = identify(s, access, &version, err);
    }
    if (st == ST_OK && version < STORE_VERSION && access == STORE_READ)
        return fail(err, ST_VERSION, "%s: the store has version %d, expected %d: pcemu --collect migrates it", s->path,
                    version, STORE_VERSION);
    if (st == ST_OK && version < STORE_VERSION)
        st = upgrade(s, err);
    if (st == ST_OK)
        st = store_check_schema(s, err);
    return st == ST_OK ? configure(s, access, err) : st;
}

static sqlite3_file *store_open_file_of(const struct profile_store *s)
{
    sqlite3_file *file = NULL;
    return sqlite3_file_control(s->db, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK ? file : NULL;
}

/* Removes the file that SQLite has created for a store that cannot be made. The lock keeps other processes from making
 * the store in it meanwhile. It is SQLite's, up to the end of the connection; a transaction would write. */
static void store_open_remove_empty(const struct profile_store *s)
{
    struct stat sb;
    sqlite3_file *file = store_open_file_of(s);
    if (file != NULL && file->pMethods != NULL && file->pMethods->xLock(file, SQLITE_LOCK_SHARED) == SQLITE_OK &&
        file->pMethods->xLock(file, SQLITE_LOCK_EXCLUSIVE) == SQLITE_OK && stat(s->path, &sb) == 0 &&
        S_ISREG(sb.st_mode) && sb.st_size == 0)
        unlink(s->path);
}

/* Whether another process has removed the empty file in which this one has made the store. */
static bool has_moved(const struct profile_store *s)
{
    int moved = 0;
    return sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
}

enum status store_open(struct profile_store **out, const char *path, enum store_access access, unsigned wait_ms,
                       struct errmsg *err)
{
    struct stat sb;
    const bool is_new = stat(path, &sb) != 0;
    enum status st = store_open_check_file(path, access, err);
    if (st != ST_OK)
        return st;
    struct profile_store *s = xmalloc(sizeof *s);
    *s = (struct profile_store){.path = xstrdup(path), .wait_ms = wait_ms, .statements = statement_cache_new()};
    do
        st = open_and_identify(s, access, err);
    while (st == ST_OK && access == STORE_CREATE && has_moved(s));
    if (st != ST_OK && is_new && access == STORE_CREATE)
        store_open_remove_empty(s);
    if (st != ST_OK)
        store_close(s);
    else
        *out = s;
    return st;
}

void store_close(struct profile_store *s)
{
    if (s == NULL)
        return;
    statement_cache_free(s->statements);
    sqlite3_close(s->db);
    free(s->path);
    free(s);
}

const char *store_path(const struct profile_store *s) { return s->path; }
