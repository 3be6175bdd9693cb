/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof prof: the profile of an epoch or of runs of a profile store. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/pcprof/output.h"
#include "host/pcprof/pcprof.h"
#include "host/pcprof/prof.h"
#include "host/store/store.h"
#include "isa/support/diag.h"
#include "isa/support/options.h"

static const char *const prof_by_names[] = {
#define BY(symbol, name) [PROF_BY_##symbol] = name,
#include "host/pcprof/prof_options.def"
};

static const char doc[] = "Prints the profile of an epoch or of runs of a profile store, by procedure, image, source "
                          "line or instruction, with "
                          "the exact answer and the error of each estimate where the store has it."
                          "\vSTORE alone is its only epoch; STORE:EPOCH an epoch, STORE:RUN[-RUN][,...] runs.\n\n"
                          "Of several profilers of an event --event shows the first one of time, of counters, of "
                          "ProfileMe or of programs, in "
                          "this order.";

struct prof_options {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "host/pcprof/prof_options.def"
};

static const struct option_row rows[] = {
#define OPTION(...) OPTION_ROW(struct prof_options, __VA_ARGS__)
#include "host/pcprof/prof_options.def"
};

static enum status check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    (void)syntax;
    if (((const struct prof_options *)options)->input == NULL)
        return fail(err, ST_INPUT, "expected a store");
    return ST_OK;
}

/* ---- events ---- */

/* The events asked for, and the names of all that there are. */
struct request {
    const struct option_list *event;
    char **name;
    size_t names;
};

/* Returns whether the event is one that NAME[@PROFILER] names. */
static bool is_named(const char *text, const struct profile_event *e)
{
    size_t length = strlen(e->name);
    if (strncmp(text, e->name, length) != 0)
        return false;
    return text[length] == '\0' || (text[length] == '@' && strcmp(text + length + 1, e->by) == 0);
}

/* Returns whether both have one name, of whatever profiler. */
static bool is_same_event(const char *text, const struct profile_event *e)
{
    size_t length = strlen(e->name);
    return strncmp(text, e->name, length) == 0 && (text[length] == '\0' || text[length] == '@');
}

/* Keeps each name once, for errors. */
static void keep_name(struct request *r, const char *name)
{
    for (size_t n = 0; n < r->names; n++)
        if (strcmp(r->name[n], name) == 0)
            return;
    r->name = xrealloc(r->name, (r->names + 1) * sizeof *r->name);
    r->name[r->names++] = xstrdup(name);
}

static bool wanted(const void *ctx, const struct profile_event *e)
{
    struct request *r = *(struct request *const *)ctx;
    keep_name(r, e->name);
    for (unsigned n = 0; n < r->event->count; n++)
        if (is_same_event(r->event->text[n], e))
            return true;
    return false;
}

/* The event to show: the preferred source, and of one source the first. */
static uint32_t choose_event(const struct profile *p, const char *text)
{
    static const unsigned preference[] = {
        [PROFILE_TIME] = 5, [PROFILE_COUNTER] = 4, [PROFILE_COUNTS] = 3, [PROFILE_PROGRAM] = 2, [PROFILE_EXACT] = 1};
    uint32_t best = PROFILE_NO_EVENT;
    for (uint32_t n = 0; n < profile_events(p); n++) {
        const struct profile_event *e = profile_event(p, n);
        if (is_named(text, e) &&
            (best == PROFILE_NO_EVENT || preference[e->source] > preference[profile_event(p, best)->source]))
            best = n;
    }
    return best;
}

uint32_t prof_find_exact(const struct profile *p, uint32_t event)
{
    const struct profile_event *e = profile_event(p, event);
    uint32_t found = PROFILE_NO_EVENT;
    for (uint32_t n = 0; n < profile_events(p) && e->source != PROFILE_EXACT; n++) {
        const struct profile_event *x = profile_event(p, n);
        size_t count;
        if (x->source != PROFILE_EXACT || strcmp(x->name, e->name) != 0 || x->runs != e->runs)
            continue; /* an exact answer of other runs is none */
        profile_samples(p, n, &count);
        if (count > 0 && (found == PROFILE_NO_EVENT || strcmp(x->by, e->by) == 0))
            found = n;
    }
    return found;
}

/* The event that was probably meant: a column of a program, whose table was left out, or the nearest name; or NULL. */
static const char *find_meant(const struct request *r, const char *text)
{
    size_t length = strlen(text);
    for (size_t n = 0; n < r->names; n++) {
        const char *member = strrchr(r->name[n], '.');
        if (member != NULL && strlen(member + 1) == length && strcmp(member + 1, text) == 0)
            return r->name[n];
    }
    return diag_nearest(text, (const char *const *)r->name, r->names);
}

static enum status choose_columns(struct prof *p, const struct request *r, struct errmsg *err)
{
    for (unsigned n = 0; n < r->event->count; n++) {
        uint32_t event = choose_event(p->profile, r->event->text[n]);
        if (event == PROFILE_NO_EVENT) {
            const char *meant = find_meant(r, r->event->text[n]);
            return fail(err, ST_INPUT, "--event: there is no event '%s'%s%s%s; pcprof list names the store's events",
                        r->event->text[n], meant != NULL ? " (did you mean '" : "", meant != NULL ? meant : "",
                        meant != NULL ? "'?)" : "");
        }
        p->column[p->columns++] = (struct prof_column){.event = event, .exact = prof_find_exact(p->profile, event)};
    }
    return ST_OK;
}

/* ---- the command ---- */

static void report_head(const struct store_selection *selection, const struct store_contents *c, struct report *r)
{
    uint64_t partial = 0;
    report_text(r, "store", "store", selection->path);
    report_text(r, "epoch", selection->epoch != NULL ? "epoch" : NULL, selection->epoch);
    report_count(r, "runs", "runs", c->runs, NULL);
    for (size_t n = 0; n < c->runs; n++)
        partial += c->run[n].partial;
    report_count(r, "partial", partial != 0 ? "  partial" : NULL, partial, NULL);
}

static enum status print(const struct store_selection *selection, const struct store_contents *c,
                         const struct prof_options *o, struct prof *p, struct errmsg *err)
{
    size_t count;
    struct prof_row *row = prof_rows(p, &count);
    struct report *r = report_new();
    report_head(selection, c, r);
    prof_report(p, row, count, r);
    enum status st = pcprof_write(&PCPROF_OUTPUT(o), r, err);
    report_free(r);
    free(row);
    return st;
}

static enum status run(const struct profile_store *s, struct store_selection *selection, const struct prof_options *o,
                       struct errmsg *err)
{
    static const struct option_list cycles = {.count = 1, .text = {"cycles"}};
    struct request request = {.event = o->event.count > 0 ? &o->event : &cycles}, *ctx = &request;
    struct prof p = {.by = o->by};
    struct profile *profile = NULL;
    struct store_contents c = {0};
    unsigned parts = STORE_SYMBOLS | (o->by == PROF_BY_LINE || o->by == PROF_BY_INSTRUCTION ? STORE_LINES : 0);
    enum status st = store_resolve(s, selection, err);
    if (st == ST_OK)
        st = store_list(s, selection, &c, err);
    if (st == ST_OK)
        st = store_load(s, selection, parts, wanted, &ctx, &profile, err);
    p.profile = profile;
    if (st == ST_OK)
        st = choose_columns(&p, &request, err);
    if (st == ST_OK)
        st = print(selection, &c, o, &p, err);
    for (size_t n = 0; n < request.names; n++)
        free(request.name[n]);
    free(request.name);
    profile_free(profile);
    store_contents_release(&c);
    return st;
}

int pcprof_prof(int argc, char **argv)
{
    static const struct option_syntax syntax = {rows, sizeof rows / sizeof rows[0],      "STORE[:EPOCH|:RUN,...]",
                                                doc,  "0, or 2 for bad usage or input.", check};
    struct prof_options o = {0};
    struct store_selection selection;
    struct profile_store *s = NULL;
    struct errmsg err;
    option_parse(&syntax, &o, argc, argv);
    enum status st = store_select(&selection, o.input, &err);
    if (st == ST_OK)
        st = store_open(&s, selection.path, STORE_READ, STORE_WAIT_MS, &err);
    if (st == ST_OK)
        st = run(s, &selection, &o, &err);
    store_close(s);
    store_selection_release(&selection);
    return st == ST_OK ? 0 : pcprof_fail(&err);
}
