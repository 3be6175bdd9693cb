/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof merge: the runs of profile stores, added to another one. */
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "host/store/store.h"
#include "tools/command/output.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] = "Adds all runs of the stores FROM to STORE, which is created if necessary."
                          "\vEpochs of the same name are joined. Runs get new numbers. Each FROM is added as a whole "
                          "or not at all, and is not modified.";

static const char examples[] = "pcprof merge all.db runs.db other.db  # all.db is created if necessary\n";

#define TOOL pcprof
#define NAME merge
#define OPTIONS "tools/pcprof/merge_options.def"
#define ARGUMENTS "STORE FROM..."
#define CHECK pcprof_merge_check
#include "tools/command/command.inc"

static enum status pcprof_merge_check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct merge_arguments *o = options;
    (void)syntax;
    if (o->from.count == 0)
        return fail(err, ST_INPUT, "expected a store, and others to add to it");
    if (strcmp(o->into, "-") == 0)
        return fail(err, ST_INPUT, "STORE -: expected a file, because a store cannot be written to standard output");
    return ST_OK;
}

/* Opens each store once, so that an error leaves no new store behind. */
static enum status check_sources(const struct merge_arguments *o, struct errmsg *err)
{
    enum status st = ST_OK;
    for (unsigned n = 0; n < o->from.count && st == ST_OK; n++) {
        struct profile_store *s = NULL;
        st = store_open(&s, o->from.text[n], STORE_READ, STORE_WAIT_MS, err);
        store_close(s);
    }
    return st;
}

static enum status merge_command(const struct merge_arguments *o, struct errmsg *err)
{
    struct profile_store *s = NULL;
    enum status st = check_sources(o, err);
    if (st == ST_OK)
        st = store_open(&s, o->into, STORE_CREATE, STORE_WAIT_MS, err);
    for (unsigned n = 0; n < o->from.count && st == ST_OK; n++) {
        size_t runs;
        st = store_merge(s, o->from.text[n], &runs, err);
        if (st == ST_OK)
            printf("%s: %zu run%s added\n", o->from.text[n], runs, runs == 1 ? "" : "s");
    }
    store_close(s);
    return st;
}
