/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof show: a report that was written as JSON, or that of a run in a profile store, in any format. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/options.h"
#include "host/store/store.h"
#include "tools/command/output.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] =
    "Prints a report written by pcemu --format json, or that of a run in a profile store, as pcemu prints it."
    "\vREPORT is a file, - for standard input, or STORE:RUN with the number of a run, as listed by pcprof list.";

static const char examples[] = "pcprof show report.json               # of pcemu --format json -o report.json\n"
                               "pcprof show --sort ranked runs.db:1    # the report of run 1\n";

#define TOOL pcprof
#define NAME show
#define OPTIONS "tools/pcprof/show_options.def"
#define ARGUMENTS "REPORT"
#include "tools/command/command.inc"

/* The tree of a report that is read takes several times its size. */
enum { MAX_REPORT_BYTES = STORE_REPORT_MOST };

/* Finds the only run of a selection. */
static enum status find_run(const struct profile_store *s, struct store_selection *selection, int64_t *run,
                            struct errmsg *err)
{
    struct store_contents c = {0};
    enum status st = ST_OK;
    if (selection->epoch != NULL || selection->ranges > 0)
        st = store_resolve(s, selection, err);
    if (st == ST_OK)
        st = store_list(s, selection, &c, err);
    if (st == ST_OK && c.runs == 1)
        *run = c.run[0].id;
    else if (st == ST_OK)
        st = fail(err, ST_INPUT, "%s: expected one run (STORE:RUN), found %zu: pcprof list %s has the runs",
                  selection->path, c.runs, selection->path);
    store_contents_release(&c);
    return st;
}

static enum status pcprof_show_load_run(struct store_selection *selection, struct report **r, struct errmsg *err)
{
    struct profile_store *s;
    int64_t run = 0;
    char *text = NULL;
    size_t size_bytes;
    enum status st = store_open(&s, selection->path, STORE_READ, STORE_WAIT_MS, err);
    if (st != ST_OK)
        return st;
    st = find_run(s, selection, &run, err);
    if (st == ST_OK)
        st = store_report(s, run, &text, &size_bytes, err);
    if (st == ST_OK)
        st = report_read(r, selection->path, text, size_bytes, err);
    free(text);
    store_close(s);
    return st;
}

/* Whether a text can be a report: an object of JSON, which has no byte 0. */
static bool is_of_report(void *ctx, const char *text, size_t size_bytes)
{
    (void)ctx;
    return text[strspn(text, " \t\r\n")] == '{' && memchr(text, '\0', size_bytes) == NULL;
}

static enum status read_file(const char *name, FILE *in, struct report **r, struct errmsg *err)
{
    char *text;
    size_t size_bytes;
    enum status st = file_read_while(in, name, MAX_REPORT_BYTES, is_of_report, NULL, &text, &size_bytes, err);
    if (st != ST_OK)
        return st;
    st = report_read(r, name, text, size_bytes, err);
    free(text);
    return st;
}

static enum status load_file(const char *path, struct report **r, struct errmsg *err)
{
    if (strcmp(path, "-") == 0)
        return read_file("standard input", stdin, r, err);
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    enum status st = read_file(path, in, r, err);
    fclose(in);
    return st;
}

/* A file is read as what it is. A name that is no file's is a run's if a store is before its last ':'. */
static enum status pcprof_show_load(const char *input, struct report **r, struct errmsg *err)
{
    struct store_selection selection;
    enum status st = store_select(&selection, input, err);
    bool names_run = strcmp(input, selection.path) != 0 && access(selection.path, F_OK) == 0;
    if (strcmp(input, "-") == 0 || (!names_run && !store_is_database(input)))
        st = load_file(input, r, err);
    else if (st == ST_OK)
        st = pcprof_show_load_run(&selection, r, err);
    store_selection_release(&selection);
    return st;
}

static enum status show_command(const struct show_arguments *o, struct errmsg *err)
{
    struct report *r = NULL;
    enum status st = pcprof_show_load(o->input, &r, err);
    if (st == ST_OK) {
        struct command_output output = COMMAND_OUTPUT(o);
        output.view.verbose = o->verbose;
        st = command_write(&output, r, err);
    }
    report_free(r);
    return st;
}
