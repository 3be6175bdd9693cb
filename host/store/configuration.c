/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration that a selection of runs has in common. */
#include <stdlib.h>
#include <string.h>

#include "host/store/parts.h"

/* The configurations found: the first one's name and text, and the names of all. */
struct store_configuration_found {
    int64_t id[16];
    size_t count;
    char *name, *text, *names;
};

static bool store_configuration_is_new(const struct store_configuration_found *f, int64_t id)
{
    for (size_t n = 0; n < f->count; n++)
        if (f->id[n] == id)
            return false;
    return f->count < sizeof f->id / sizeof f->id[0];
}

/* Takes the rows of a statement: number, name, text. */
static void take_rows(struct store_configuration_found *f, struct statement *q)
{
    while (statement_row(q)) {
        if (!store_configuration_is_new(f, statement_int(q, 0)))
            continue;
        char *name = statement_text(q, 1);
        char *names = f->count == 0 ? xstrdup(name) : xasprintf("%s, %s", f->names, name);
        free(f->names);
        f->names = names;
        f->id[f->count++] = statement_int(q, 0);
        if (f->count == 1) {
            f->name = name;
            f->text = statement_text(q, 2);
        } else {
            free(name);
        }
    }
}

static int find_configurations(const struct profile_store *s, const struct store_selection *selection,
                               struct store_configuration_found *f)
{
    struct statement q = statement_new(
        s, "SELECT DISTINCT configuration.id, configuration.name, text FROM run JOIN epoch ON epoch.id = epoch "
           "JOIN configuration ON configuration.id = configuration "
           "WHERE epoch.name = ?1 OR (?1 IS NULL AND run.id BETWEEN ?2 AND ?3) ORDER BY configuration.id");
    if (selection->epoch != NULL) {
        statement_bind_text(&q, 1, selection->epoch);
        take_rows(f, &q);
    }
    for (size_t n = 0; n < selection->ranges && selection->epoch == NULL; n++) {
        statement_bind_text(&q, 1, NULL);
        statement_bind_int(&q, 2, selection->range[n].first);
        statement_bind_int(&q, 3, selection->range[n].last);
        take_rows(f, &q);
    }
    statement_free(&q);
    return q.code;
}

enum status store_configuration(const struct profile_store *s, const struct store_selection *selection, char **name,
                                char **text, struct errmsg *err)
{
    struct store_configuration_found f = {.count = 0};
    int code = find_configurations(s, selection, &f);
    enum status st = ST_OK;
    if (code != SQLITE_OK)
        st = store_error(s, code, "the store cannot be read", err);
    else if (f.count != 1)
        st = fail(err, ST_INPUT,
                  "%s: expected runs of one configuration, found %zu: %s: select some of the runs (STORE:RUN,...)",
                  s->path, f.count, f.count != 0 ? f.names : "none");
    free(f.names);
    *name = st == ST_OK ? f.name : NULL;
    *text = st == ST_OK ? f.text : NULL;
    if (st != ST_OK) {
        free(f.name);
        free(f.text);
    }
    return st;
}
