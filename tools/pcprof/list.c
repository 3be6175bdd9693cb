/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof list: what is in a profile store. */
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "base/options.h"
#include "host/store/store.h"
#include "tools/command/output.h"
#include "tools/pcprof/list.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] = "Lists the epochs, runs, events and images of a profile store.\v"
                          "STORE:EPOCH and STORE:RUN[-RUN][,...] list fewer runs.";

static const char examples[] = "pcprof list runs.db                   # epochs, runs, events, images\n"
                               "pcprof list runs.db:1-2               # two of its runs\n";

#define TOOL pcprof
#define NAME list
#define OPTIONS "tools/pcprof/list_options.def"
#define ARGUMENTS "STORE"
#include "tools/command/command.inc"

static void epoch_columns(struct report_table *t, const struct store_epoch_info *e)
{
    REPORT_COLUMN(t, TEXT, e->name, .member = "epoch", .title = "epoch", .at = 7);
    REPORT_COLUMN(t, COUNT, (uint64_t)e->runs, .member = "runs", .title = "runs", .unit = "runs", .at = 1);
    REPORT_COLUMN(t, COUNT, (uint64_t)e->partial, .member = "partial", .title = "partial", .unit = "runs", .at = 2);
    REPORT_COLUMN(t, COUNT, (uint64_t)e->first_run, .member = "first_run", .title = "first", .plain = true, .at = 3);
    REPORT_COLUMN(t, COUNT, (uint64_t)e->last_run, .member = "last_run", .title = "last", .plain = true, .at = 4);
    REPORT_COLUMN(t, COUNT, e->cycles, .member = "cycles", .title = "cycles", .unit = "cycles", .at = 5);
    REPORT_COLUMN(t, COUNT, e->instructions, .member = "instructions", .title = "instructions", .unit = "instructions",
                  .at = 6);
}

static void run_columns(struct report_table *t, const struct store_run_info *run)
{
    char when[32] = "";
    time_t seconds = (time_t)run->time;
    struct tm tm;
    if (gmtime_r(&seconds, &tm) != NULL)
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
    REPORT_COLUMN(t, COUNT, (uint64_t)run->id, .member = "run", .title = "run", .plain = true, .at = 1);
    REPORT_COLUMN(t, TEXT, run->epoch, .member = "epoch", .title = "epoch", .at = 2);
    REPORT_COLUMN(t, TEXT, when, .member = "time", .title = "time (UTC)", .at = 3);
    REPORT_COLUMN(t, TEXT, run->guest, .member = "guest", .title = "guest", .at = 11);
    REPORT_COLUMN(t, TEXT, run->configuration, .member = "configuration", .title = "configuration", .at = 4);
    REPORT_COLUMN_IF(t, run->harts != 0, COUNT, run->harts, .member = "harts", .title = "harts", .unit = "harts",
                     .absent = "-", .at = 5);
    REPORT_COLUMN(t, TEXT, run->program, .member = "program", .title = "program", .absent = "-", .at = 6);
    REPORT_COLUMN(t, COUNT, run->seed, .member = "seed", .title = "seed", .plain = true, .at = 7);
    REPORT_COLUMN(t, COUNT, run->cycles, .member = "cycles", .title = "cycles", .unit = "cycles", .at = 8);
    REPORT_COLUMN(t, COUNT, run->instructions, .member = "instructions", .title = "instructions",
                  .unit = "instructions", .at = 9);
    REPORT_COLUMN(t, FLAG, run->partial, .member = "partial", .title = "partial", .at = 10);
    REPORT_COLUMN(t, TEXT, run->command, .member = "command");
}

static void store_event_columns(struct report_table *t, const struct store_event_info *e)
{
    REPORT_COLUMN(t, TEXT, e->name, .member = "event", .title = "event", .at = 3);
    REPORT_COLUMN(t, TEXT, e->by, .member = "by", .title = "by", .at = 4);
    REPORT_COLUMN(t, TEXT, e->source, .member = "source", .title = "source", .at = 2);
    REPORT_COLUMN(t, TEXT, e->unit, .member = "unit");
    REPORT_COLUMN(t, COUNT, (uint64_t)e->runs, .member = "runs", .title = "runs", .unit = "runs", .at = 1);
}

static void image_columns(struct report_table *t, const struct store_image_info *i)
{
    REPORT_COLUMN(t, TEXT, i->name, .member = "image", .title = "image", .at = 5);
    REPORT_COLUMN(t, TEXT, i->build_id, .member = "build_id", .title = "build ID", .at = 4);
    REPORT_COLUMN(t, COUNT, (uint64_t)i->symbols, .member = "symbols", .title = "symbols", .unit = "symbols", .at = 1);
    REPORT_COLUMN(t, COUNT, (uint64_t)i->lines, .member = "lines", .title = "lines", .unit = "rows", .at = 2);
    REPORT_COLUMN(t, COUNT, (uint64_t)i->code_bytes, .member = "code_bytes", .title = "code bytes", .unit = "bytes",
                  .at = 3);
    REPORT_COLUMN(t, TEXT, i->path, .member = "path", .at = 6);
}

/* A table with a row for each of an array. */
#define ADD_TABLE(r, key, title, columns, row, count)         \
    do {                                                      \
        struct report_table *t = report_table(r, key, title); \
        columns(t, &(__typeof__(*(row))){0});                 \
        for (size_t n = 0; n < (count); n++) {                \
            report_row(t);                                    \
            columns(t, &(row)[n]);                            \
        }                                                     \
    } while (0)

struct report *pcprof_list_report(const char *path, const struct store_contents *c)
{
    struct report *r = report_new();
    report_text(r, "store", "store", path);
    ADD_TABLE(r, "epochs", "Epochs, {shown} of {rows}", epoch_columns, c->epoch, c->epochs);
    ADD_TABLE(r, "runs", "Runs, {shown} of {rows}", run_columns, c->run, c->runs);
    ADD_TABLE(r, "images", "Images, {shown} of {rows}", image_columns, c->image, c->images);
    ADD_TABLE(r, "events", "Events, {shown} of {rows}", store_event_columns, c->event, c->events);
    return r;
}

static enum status list(const struct profile_store *s, struct store_selection *selection,
                        const struct list_arguments *o, struct errmsg *err)
{
    struct store_contents c = {0};
    enum status st = ST_OK;
    if (selection->epoch != NULL || selection->ranges > 0)
        st = store_resolve(s, selection, err);
    if (st == ST_OK)
        st = store_list(s, selection, &c, err);
    if (st == ST_OK) {
        struct report *r = pcprof_list_report(selection->path, &c);
        st = command_write(&COMMAND_OUTPUT(o), r, err);
        report_free(r);
    }
    store_contents_release(&c);
    return st;
}

static enum status list_command(const struct list_arguments *o, struct errmsg *err)
{
    struct store_selection selection;
    struct profile_store *s = NULL;
    enum status st = store_select(&selection, o->input, err);
    if (st == ST_OK)
        st = store_open(&s, selection.path, STORE_READ, STORE_WAIT_MS, err);
    if (st == ST_OK)
        st = list(s, &selection, o, err);
    store_close(s);
    store_selection_release(&selection);
    return st;
}
