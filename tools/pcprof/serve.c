/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof serve: the pages of profile stores by HTTP, for browsers of this machine. */
#include <stdio.h>

#include "base/options.h"
#include "tools/command/output.h"
#include "tools/pcprof/pcprof.h"
#include "tools/pcprof/server/http.h"

static const char doc[] =
    "Serves profile stores, and those in folders, by HTTP: a list of their epochs and runs, the page of "
    "pcprof report for each, comparisons, and the output of other commands as JSON. Pages say when there is newer "
    "data. Nothing is changed. Prints the addresses; Ctrl-C ends it."
    "\vdocs/store.md lists what the server answers.";

static const char examples[] = "pcprof serve runs.db                  # then open http://127.0.0.1:8765/\n"
                               "pcprof serve --port 0 .               # all stores in the folder\n";

#define TOOL pcprof
#define NAME serve
#define OPTIONS "tools/pcprof/serve_options.def"
#define ARGUMENTS "STORE|FOLDER..."
#define CHECK check_serve
#define EXIT_STATUS "0 after Ctrl-C or SIGTERM, or 2 for bad usage or input."
#include "tools/command/command.inc"

static enum status check_serve(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct serve_arguments *o = options;
    (void)syntax;
    if (o->input.count == 0)
        return fail(err, ST_INPUT, "expected a profile store or a folder");
    if (o->source_dir != NULL && !o->source)
        return fail(err, ST_INPUT, "--source-dir needs --source");
    if (o->socket != NULL && o->address != NULL)
        return fail(err, ST_INPUT, "expected --unix or --address, found both");
    if (o->allow_remote && o->address == NULL)
        return fail(err, ST_INPUT, "--allow-remote needs --address");
    return ST_OK;
}

static enum status serve_command(const struct serve_arguments *o, struct errmsg *err)
{
    struct serve_data data = {.with_source = o->source, .source_dir = o->source_dir};
    const struct http_place place = {
        .address = o->address, .port = (unsigned)o->port, .socket = o->socket, .allows_remote = o->allow_remote};
    enum status st = serve_stores_init(&data.stores, &o->input, err);
    if (st == ST_OK)
        st = http_serve(&data, &place, err);
    serve_pages_release(&data.pages);
    serve_stores_release(&data.stores);
    return st;
}
