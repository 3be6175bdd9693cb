/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the harnesses of profile stores share: what is read of a store. */
#ifndef TESTS_FUZZ_FUZZED_STORE_H
#define TESTS_FUZZ_FUZZED_STORE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/export/export.h"
#include "host/store/parts.h"
#include "tests/fuzz/fuzzed_input.h"

/* An error is one line. */
static void check_error(const struct errmsg *err)
{
    check_refusal(err);
    for (const char *c = err->text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            BUG("a control character is in an error");
}

static void check_profile(const struct profile *p)
{
    size_t count;
    for (uint32_t e = 0; e < profile_events(p); e++) {
        const struct profile_sample *s = profile_samples(p, e, &count);
        for (size_t n = 0; n < count; n++)
            if (!isfinite(s[n].value * profile_event(p, e)->scale))
                BUG("an estimate of %s is no number", profile_event(p, e)->name);
    }
}

static void export_all(struct profile *p)
{
    static FILE *out;
    if (out == NULL && (out = fopen("/dev/null", "w")) == NULL)
        BUG("/dev/null cannot be opened");
    for (enum export_form form = 0; form < EXPORT_FORMS; form++) {
        struct errmsg err = {{0}};
        if (export_write(form, p, &(struct export_options){0}, out, &err) != ST_OK)
            check_error(&err);
    }
}

/* Loads a selection, and exports it in every format if `exports`. */
static void load_resolved(const struct profile_store *s, const struct store_selection *selection, bool exports)
{
    struct errmsg err = {{0}};
    struct profile *p;
    if (store_load(s, selection, STORE_ALL, NULL, NULL, &p, &err) != ST_OK) {
        check_error(&err);
        return;
    }
    check_profile(p);
    if (exports)
        export_all(p);
    profile_free(p);
}

static void load(const struct profile_store *s, struct store_selection *selection)
{
    struct errmsg err = {{0}};
    if (store_resolve(s, selection, &err) == ST_OK)
        load_resolved(s, selection, true);
    else
        check_error(&err);
}

static void load_first(const struct profile_store *s, const struct store_contents *c)
{
    if (c->epochs > 0) {
        struct store_selection epoch = {.epoch = c->epoch[0].name};
        load(s, &epoch);
    }
    if (c->runs > 0) {
        struct errmsg err = {{0}};
        char *json;
        size_t bytes;
        struct store_range range = {c->run[0].id, c->run[0].id};
        load(s, &(struct store_selection){.range = &range, .ranges = 1});
        if (store_report(s, c->run[0].id, &json, &bytes, &err) != ST_OK)
            check_error(&err);
        free(json);
    }
}

static void read_store(struct profile_store *s)
{
    struct errmsg err = {{0}};
    struct store_contents c;
    if (store_list(s, &(struct store_selection){0}, &c, &err) != ST_OK)
        check_error(&err);
    else
        load_first(s, &c);
    store_contents_release(&c);
}

#endif
