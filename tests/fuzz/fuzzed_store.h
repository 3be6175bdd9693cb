/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the harnesses of profile stores share: a sound store, and what is read of one that an input changed. */
#ifndef TESTS_FUZZ_FUZZED_STORE_H
#define TESTS_FUZZ_FUZZED_STORE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/export/export.h"
#include "host/store/parts.h"
#include "tests/fuzz/fuzzed_input.h"

static void must(enum status st, const struct errmsg *err)
{
    if (st != ST_OK)
        BUG("%s", err->text);
}

/* An error is one line. */
static void check_error(const struct errmsg *err)
{
    check_refusal(err);
    for (const char *c = err->text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            BUG("a control character is in an error");
}

/* ---- a sound store ---- */

static struct profile *make_profile(void)
{
    static const struct profile_symbol symbol[] = {{0x100, 0x40, "first", "first"}, {0x140, 0x40, "_Z1gv", "g()"}};
    static const uint8_t bytes[] = {0x13, 0, 0, 0};
    static const struct profile_code code[] = {{0x100, sizeof bytes, bytes, 0x80}};
    static const struct profile_scope_range range[] = {{0x100, 0}, {0x108, 1}, {0x140, PROFILE_NO_SCOPE}};
    struct profile *p = profile_new();
    uint32_t file = profile_add_file(p, "a.c");
    const struct profile_line line[] = {{0x100, file, 7, 0}, {0x150, file, 9, 3}, {0x170, PROFILE_NO_FILE, 0, 0}};
    const struct profile_scope scope[] = {{"first", "first", file, 5, PROFILE_NO_SCOPE, PROFILE_NO_FILE, 0, 0},
                                          {"_Z1gv", "g()", file, 2, 0, file, 8, 6}};
    uint32_t image = profile_add_image(p, &(struct profile_image){.build_id = "aa",
                                                                  .path = "/bin/x",
                                                                  .name = "x",
                                                                  .symbol = symbol,
                                                                  .symbols = 2,
                                                                  .line = line,
                                                                  .lines = 3,
                                                                  .code = code,
                                                                  .codes = 1,
                                                                  .scope = scope,
                                                                  .scopes = 2,
                                                                  .scope_range = range,
                                                                  .scope_ranges = 3});
    const struct profile_event event[] = {
        {.name = "retired", .by = "counts", .unit = "instructions", .scale = 1, .total = 90, .runs = 1},
        {.name = "cycles", .by = "tip", .unit = "cycles", .source = PROFILE_TIME, .scale = 9, .period = 9, .runs = 1}};
    const struct profile_frame frame[] = {{image, 0x108}, {image, 0x144}};
    for (unsigned n = 0; n < 2; n++) {
        uint32_t e = profile_add_event(p, &event[n]);
        profile_add_sample(p, e, (struct profile_sample){image, 0x108, 40 + n});
        profile_add_sample(p, e, (struct profile_sample){image, 0x150, 50});
        profile_add_edge(p, e, (struct profile_edge){image, image, 0x144, 0x100, 3});
        profile_add_stack(p, e, &(struct profile_stack){frame, 2, 4});
    }
    return p;
}

static void add_run(struct profile_store *s)
{
    struct errmsg err;
    int64_t number;
    struct profile *p = make_profile();
    must(store_add_run(s,
                       &(struct store_run){.epoch = "one",
                                           .command = "pcemu x",
                                           .guest = "x",
                                           .configuration = "boom",
                                           .configuration_text = "a = 1\n",
                                           .statistics = "{}",
                                           .report = "{}",
                                           .profile = p},
                       &number, &err),
         &err);
    profile_free(p);
}

/* ---- what is done with it ---- */

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

static void export_all(const struct profile *p)
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
static void load(const struct profile_store *s, struct store_selection *selection, bool exports)
{
    struct errmsg err = {{0}};
    struct profile *p = NULL;
    enum status st = store_resolve(s, selection, &err);
    if (st == ST_OK)
        st = store_load(s, selection, STORE_ALL, NULL, NULL, &p, &err);
    if (st != ST_OK) {
        check_error(&err);
        return;
    }
    check_profile(p);
    if (exports)
        export_all(p);
    profile_free(p);
}

static void load_first(const struct profile_store *s, const struct store_contents *c)
{
    if (c->epochs > 0) {
        struct store_selection epoch = {.epoch = c->epoch[0].name};
        load(s, &epoch, true);
    }
    if (c->runs > 0) {
        struct errmsg err = {{0}};
        char *json;
        size_t bytes;
        struct store_range range = {c->run[0].id, c->run[0].id};
        load(s, &(struct store_selection){.range = &range, .ranges = 1}, true);
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
