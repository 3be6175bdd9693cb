/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof list: what is in a profile store. */
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "base/options.h"
#include "host/store/store.h"
#include "tools/pcprof/output.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] = "Lists the epochs, runs, events and images of a profile store.\v"
                          "STORE:EPOCH and STORE:RUN[-RUN][,...] list fewer runs.";

struct list_options {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "tools/pcprof/list_options.def"
};

static const struct option_row rows[] = {
#define OPTION(...) OPTION_ROW(struct list_options, __VA_ARGS__)
#include "tools/pcprof/list_options.def"
};

static void add_epochs(struct report *r, const struct store_contents *c)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT, .member = "epoch", .title = "epoch", .at = 7},
        {.type = REPORT_COUNT, .member = "runs", .title = "runs", .unit = "runs", .at = 1},
        {.type = REPORT_COUNT, .member = "partial", .title = "partial", .unit = "runs", .at = 2},
        {.type = REPORT_COUNT, .member = "first_run", .title = "first", .plain = true, .at = 3},
        {.type = REPORT_COUNT, .member = "last_run", .title = "last", .plain = true, .at = 4},
        {.type = REPORT_COUNT, .member = "cycles", .title = "cycles", .unit = "cycles", .at = 5},
        {.type = REPORT_COUNT, .member = "instructions", .title = "instructions", .unit = "instructions", .at = 6},
    };
    struct report_table *t = report_table(r, "epochs", "Epochs, {shown} of {rows}");
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->epochs; i++) {
        const struct store_epoch_info *e = &c->epoch[i];
        report_row(t);
        report_cell_text(t, e->name);
        report_cell_count(t, (uint64_t)e->runs);
        report_cell_count(t, (uint64_t)e->partial);
        report_cell_count(t, (uint64_t)e->first_run);
        report_cell_count(t, (uint64_t)e->last_run);
        report_cell_count(t, e->cycles);
        report_cell_count(t, e->instructions);
    }
}

static void pcprof_list_add_runs(struct report *r, const struct store_contents *c)
{
    static const struct report_column columns[] = {
        {.type = REPORT_COUNT, .member = "run", .title = "run", .plain = true, .at = 1},
        {.type = REPORT_TEXT, .member = "epoch", .title = "epoch", .at = 2},
        {.type = REPORT_TEXT, .member = "time", .title = "time (UTC)", .at = 3},
        {.type = REPORT_TEXT, .member = "guest", .title = "guest", .at = 11},
        {.type = REPORT_TEXT, .member = "configuration", .title = "configuration", .at = 4},
        {.type = REPORT_COUNT, .member = "harts", .title = "harts", .unit = "harts", .absent = "-", .at = 5},
        {.type = REPORT_TEXT, .member = "program", .title = "program", .absent = "-", .at = 6},
        {.type = REPORT_COUNT, .member = "seed", .title = "seed", .plain = true, .at = 7},
        {.type = REPORT_COUNT, .member = "cycles", .title = "cycles", .unit = "cycles", .at = 8},
        {.type = REPORT_COUNT, .member = "instructions", .title = "instructions", .unit = "instructions", .at = 9},
        {.type = REPORT_FLAG, .member = "partial", .title = "partial", .at = 10},
        {.type = REPORT_TEXT, .member = "command"},
    };
    struct report_table *t = report_table(r, "runs", "Runs, {shown} of {rows}");
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->runs; i++) {
        const struct store_run_info *run = &c->run[i];
        char when[32] = "";
        time_t seconds = (time_t)run->time;
        struct tm tm;
        if (gmtime_r(&seconds, &tm) != NULL)
            strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
        report_row(t);
        report_cell_count(t, (uint64_t)run->id);
        report_cell_text(t, run->epoch);
        report_cell_text(t, when);
        report_cell_text(t, run->guest);
        report_cell_text(t, run->configuration);
        if (run->harts != 0)
            report_cell_count(t, run->harts);
        else
            report_cell_absent(t);
        report_cell_text(t, run->program);
        report_cell_count(t, run->seed);
        report_cell_count(t, run->cycles);
        report_cell_count(t, run->instructions);
        report_cell_flag(t, run->partial);
        report_cell_text(t, run->command);
    }
}

static void pcprof_list_add_events(struct report *r, const struct store_contents *c)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT, .member = "event", .title = "event", .at = 3},
        {.type = REPORT_TEXT, .member = "by", .title = "by", .at = 4},
        {.type = REPORT_TEXT, .member = "source", .title = "source", .at = 2},
        {.type = REPORT_TEXT, .member = "unit"},
        {.type = REPORT_COUNT, .member = "runs", .title = "runs", .unit = "runs", .at = 1},
    };
    struct report_table *t = report_table(r, "events", "Events, {shown} of {rows}");
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->events; i++) {
        report_row(t);
        report_cell_text(t, c->event[i].name);
        report_cell_text(t, c->event[i].by);
        report_cell_text(t, c->event[i].source);
        report_cell_text(t, c->event[i].unit);
        report_cell_count(t, (uint64_t)c->event[i].runs);
    }
}

static void pcprof_list_add_images(struct report *r, const struct store_contents *c)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT, .member = "image", .title = "image", .at = 5},
        {.type = REPORT_TEXT, .member = "build_id", .title = "build ID", .at = 4},
        {.type = REPORT_COUNT, .member = "symbols", .title = "symbols", .unit = "symbols", .at = 1},
        {.type = REPORT_COUNT, .member = "lines", .title = "lines", .unit = "rows", .at = 2},
        {.type = REPORT_COUNT, .member = "code_bytes", .title = "code bytes", .unit = "bytes", .at = 3},
        {.type = REPORT_TEXT, .member = "path", .at = 6},
    };
    struct report_table *t = report_table(r, "images", "Images, {shown} of {rows}");
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->images; i++) {
        const struct store_image_info *image = &c->image[i];
        report_row(t);
        report_cell_text(t, image->name);
        report_cell_text(t, image->build_id);
        report_cell_count(t, (uint64_t)image->symbols);
        report_cell_count(t, (uint64_t)image->lines);
        report_cell_count(t, (uint64_t)image->code_bytes);
        report_cell_text(t, image->path);
    }
}

static enum status list(const struct profile_store *s, struct store_selection *selection, const struct list_options *o,
                        struct errmsg *err)
{
    struct store_contents c = {0};
    enum status st = ST_OK;
    if (selection->epoch != NULL || selection->ranges > 0)
        st = store_resolve(s, selection, err);
    if (st == ST_OK)
        st = store_list(s, selection, &c, err);
    if (st == ST_OK) {
        struct report *r = report_new();
        report_text(r, "store", "store", selection->path);
        add_epochs(r, &c);
        pcprof_list_add_runs(r, &c);
        pcprof_list_add_images(r, &c);
        pcprof_list_add_events(r, &c);
        st = pcprof_write(&PCPROF_OUTPUT(o), r, err);
        report_free(r);
    }
    store_contents_release(&c);
    return st;
}

int pcprof_list(int argc, char **argv)
{
    static const struct option_syntax syntax = {rows, sizeof rows / sizeof rows[0],      "STORE",
                                                doc,  "0, or 2 for bad usage or input.", NULL};
    struct list_options o = {0};
    struct store_selection selection;
    struct profile_store *s = NULL;
    struct errmsg err;
    option_parse(&syntax, &o, argc, argv);
    enum status st = store_select(&selection, o.input, &err);
    if (st == ST_OK)
        st = store_open(&s, selection.path, STORE_READ, STORE_WAIT_MS, &err);
    if (st == ST_OK)
        st = list(s, &selection, &o, &err);
    store_close(s);
    store_selection_release(&selection);
    return st == ST_OK ? 0 : pcprof_fail(&err);
}
