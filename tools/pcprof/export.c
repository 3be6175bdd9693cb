/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof export: the profile of a selection of runs in the format of another tool. */
#include "host/export/export.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/options.h"
#include "base/outfile.h"
#include "base/terminal.h"
#include "tools/pcprof/image_notes.h"
#include "tools/pcprof/input.h"
#include "tools/pcprof/output.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] = "Writes the profile of the runs selected in the format of another tool."
                          "\vdocs/exports.md describes the formats, and what opens them.";

struct export_command_options {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "tools/pcprof/export_options.def"
};

static const struct option_row rows[] = {
#define OPTION(...) OPTION_ROW(struct export_command_options, __VA_ARGS__)
#include "tools/pcprof/export_options.def"
};

static void pcprof_export_warn(const char *text) { fprintf(stderr, "pcprof: warning: %s\n", text); }

static enum status pcprof_export_write_profile(const struct export_command_options *o, const struct profile *p,
                                               struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, o->output, err);
    if (st != ST_OK)
        return st;
    st = export_write(o->to, p, &(struct export_options){o->event.text, o->event.count, pcprof_export_warn}, f.stream,
                      err);
    if (st == ST_OK || ferror(f.stream))
        return outfile_commit(&f, err);
    outfile_abort(&f);
    return st;
}

int pcprof_export(int argc, char **argv)
{
    static const struct option_syntax syntax = {rows, sizeof rows / sizeof rows[0],      PCPROF_SELECTION,
                                                doc,  "0, or 2 for bad usage or input.", NULL};
    struct export_command_options o = {0};
    struct pcprof_input in = {0};
    struct profile *profile = NULL;
    struct errmsg err;
    option_parse(&syntax, &o, argc, argv);
    const struct export_format *format = &export_formats[o.to];
    enum status st = format->is_text ? ST_OK : terminal_refuse(o.output, "-o", format->name, &err);
    if (st == ST_OK)
        st = pcprof_open(&in, o.input, &err);
    if (st == ST_OK)
        st = store_load(in.store, &in.selection, STORE_ALL, NULL, NULL, &profile, &err);
    if (st == ST_OK)
        st = pcprof_export_write_profile(&o, profile, &err);
    if (st == ST_OK)
        warn_of_images(profile, format->has_lines, format->needs_file);
    profile_free(profile);
    pcprof_close(&in);
    return st == ST_OK ? 0 : pcprof_fail(&err);
}
