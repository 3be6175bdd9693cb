/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selections of runs. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/store/parts.h"

bool store_is_epoch_name(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (; *name != '\0'; name++)
        if (!isalnum((unsigned char)*name) && strchr("_.-", *name) == NULL)
            return false;
    return true;
}

/* Reads a number of a run. */
static bool store_select_read_number(const char **text, int64_t *n)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *n = strtoll(*text, &end, 10);
    *text = end;
    return errno == 0;
}

/* Reads "RUN[-RUN][,...]". */
static bool read_ranges(struct store_selection *selection, const char *text)
{
    for (;; text++) {
        struct store_range r;
        if (!store_select_read_number(&text, &r.first))
            return false;
        r.last = r.first;
        if (*text == '-' && (text++, !store_select_read_number(&text, &r.last) || r.last < r.first))
            return false;
        selection->range = xrealloc(selection->range, (selection->ranges + 1) * sizeof *selection->range);
        selection->range[selection->ranges++] = r;
        if (*text != ',')
            return *text == '\0';
    }
}

enum status store_select_runs(struct store_selection *selection, const char *text, struct errmsg *err)
{
    if (store_is_epoch_name(text))
        selection->epoch = xstrdup(text);
    else if (!read_ranges(selection, text))
        return fail(err, ST_INPUT,
                    "expected the name of an epoch or numbers of runs (STORE:3, STORE:1-4,7), found '%s'", text);
    return ST_OK;
}

enum status store_select(struct store_selection *selection, const char *text, struct errmsg *err)
{
    const char *colon = strrchr(text, ':');
    struct errmsg why;
    *selection = (struct store_selection){.path = xstrdup(text)};
    if (colon == NULL || access(text, F_OK) == 0)
        return ST_OK;
    selection->path[colon - text] = '\0';
    if (store_select_runs(selection, colon + 1, &why) != ST_OK)
        return fail(err, ST_INPUT, "%s: %s", selection->path, why.text);
    return ST_OK;
}

void store_selection_release(struct store_selection *selection)
{
    free(selection->path);
    free(selection->epoch);
    free(selection->range);
}

/* The names of the epochs as "a, b and c", the caller's to free; "none" without any. */
static char *name_epochs(const struct store_contents *c)
{
    char *text = xstrdup(c->epochs == 0 ? "none" : "");
    for (size_t i = 0; i < c->epochs && i < 20; i++) {
        char *longer = xasprintf("%s%s%s", text, i == 0 ? "" : i + 1 == c->epochs ? " and " : ", ", c->epoch[i].name);
        free(text);
        text = longer;
    }
    return text;
}

static bool has_epoch(const struct store_contents *c, const char *name)
{
    for (size_t i = 0; i < c->epochs; i++)
        if (strcmp(c->epoch[i].name, name) == 0)
            return true;
    return false;
}

/* Returns whether a range begins or ends with a number that is no run, the first of which is *missing. A range may have
 * gaps. */
static bool has_missing_run(const struct store_contents *c, const struct store_selection *selection, int64_t *missing)
{
    for (size_t n = 0; n < selection->ranges; n++) {
        bool first = false, last = false;
        for (size_t i = 0; i < c->runs; i++) {
            first = first || c->run[i].id == selection->range[n].first;
            last = last || c->run[i].id == selection->range[n].last;
        }
        *missing = !first ? selection->range[n].first : selection->range[n].last;
        if (!first || !last)
            return true;
    }
    return false;
}

enum status store_resolve(const struct profile_store *s, struct store_selection *selection, struct errmsg *err)
{
    struct store_contents c = {0};
    enum status st = store_list(s, selection, &c, err);
    char *names = name_epochs(&c);
    int64_t missing;
    if (st == ST_OK && selection->ranges > 0) {
        if (has_missing_run(&c, selection, &missing))
            st = fail(err, ST_INPUT, "%s: there is no run %" PRId64 ": pcprof list %s has the runs", s->path, missing,
                      s->path);
    } else if (st == ST_OK && selection->epoch != NULL) {
        if (!has_epoch(&c, selection->epoch))
            st = fail(err, ST_INPUT, "%s: there is no epoch '%s'; epochs: %s", s->path, selection->epoch, names);
    } else if (st == ST_OK && c.epochs != 1) {
        st = fail(err, ST_INPUT, "%s: expected one of its epochs (STORE:EPOCH); epochs: %s", s->path, names);
    } else if (st == ST_OK) {
        selection->epoch = xstrdup(c.epoch[0].name);
    }
    free(names);
    store_contents_release(&c);
    return st;
}

const char *store_option_path(const struct option_row *row, const void *options)
{
    static struct store_selection selection;
    const char *text = *(const char *const *)(const void *)((const char *)options + row->offset);
    if (text == NULL)
        return NULL;
    store_selection_release(&selection);
    return store_select(&selection, text, NULL) == ST_OK ? selection.path : text;
}
