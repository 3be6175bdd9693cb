/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof merge: the runs of profile stores, added to another one. */
#include <stdio.h>

#include "base/options.h"
#include "host/store/store.h"
#include "tools/pcprof/output.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] = "Adds all runs of the stores FROM to STORE, which is created if necessary."
                          "\vEpochs of the same name are joined. Runs get new numbers. Each FROM is added as a whole "
                          "or not at all, and is not modified.";

struct merge_options {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "tools/pcprof/merge_options.def"
};

static const struct option_row rows[] = {
#define OPTION(...) OPTION_ROW(struct merge_options, __VA_ARGS__)
#include "tools/pcprof/merge_options.def"
};

static enum status pcprof_merge_check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    (void)syntax;
    if (((const struct merge_options *)options)->from.count == 0)
        return fail(err, ST_INPUT, "expected a store, and others to add to it");
    return ST_OK;
}

/* Opens each store once, so that an error leaves no new store behind. */
static enum status check_sources(const struct merge_options *o, struct errmsg *err)
{
    enum status st = ST_OK;
    for (unsigned n = 0; n < o->from.count && st == ST_OK; n++) {
        struct profile_store *s = NULL;
        st = store_open(&s, o->from.text[n], STORE_READ, STORE_WAIT_MS, err);
        store_close(s);
    }
    return st;
}

int pcprof_merge(int argc, char **argv)
{
    static const struct option_syntax syntax = {rows, sizeof rows / sizeof rows[0],      "STORE FROM...",
                                                doc,  "0, or 2 for bad usage or input.", pcprof_merge_check};
    struct merge_options o = {0};
    struct profile_store *s = NULL;
    struct errmsg err;
    option_parse(&syntax, &o, argc, argv);
    enum status st = check_sources(&o, &err);
    if (st == ST_OK)
        st = store_open(&s, o.into, STORE_CREATE, STORE_WAIT_MS, &err);
    for (unsigned n = 0; n < o.from.count && st == ST_OK; n++) {
        size_t runs;
        st = store_merge(s, o.from.text[n], &runs, &err);
        if (st == ST_OK)
            printf("%s: %zu run%s added\n", o.from.text[n], runs, runs == 1 ? "" : "s");
    }
    store_close(s);
    return st == ST_OK ? 0 : pcprof_fail(&err);
}
