/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof export: the profile of a selection of runs in the format of another tool. */
#include "host/export/export.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/options.h"
#include "base/outfile.h"
#include "base/terminal.h"
#include "host/export/program.h"
#include "tools/command/output.h"
#include "tools/pcprof/categories.h"
#include "tools/pcprof/image_notes.h"
#include "tools/pcprof/input.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] = "Writes the profile of the runs selected in the format of another tool."
                          "\vdocs/exports.md describes the formats, and what opens them.";

static const char examples[] = "pcprof export --to pprof -o profile.pb.gz runs.db\n"
                               "pcprof export --to callgrind -o callgrind.out runs.db\n";

#define TOOL pcprof
#define NAME export
#define OPTIONS "tools/pcprof/export_options.def"
#define ARGUMENTS PCPROF_SELECTION
#include "tools/command/command.inc"

static void pcprof_export_warn(const char *text) { fprintf(stderr, "pcprof: warning: %s\n", text); }

static enum status pcprof_export_write_profile(const struct export_arguments *o, const struct store_contents *contents,
                                               const struct export_causes *causes, struct profile *p,
                                               struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, o->output, err);
    if (st != ST_OK)
        return st;
    const struct store_run_info *run = contents->runs > 0 ? &contents->run[0] : NULL;
    char *command = run == NULL ? NULL : export_guest_command(run->command, run->guest);
    const struct export_options options = {.event = o->event.text,
                                           .events = o->event.count,
                                           .command = command,
                                           .run = contents->runs == 1 ? run->id : 0,
                                           .full_names = o->full_names,
                                           .causes = causes,
                                           .warn = pcprof_export_warn};
    st = export_write(o->to, p, &options, f.stream, err);
    free(command);
    if (st == ST_OK || ferror(f.stream))
        return outfile_commit(&f, err);
    outfile_abort(&f);
    return st;
}

static enum status export_command(const struct export_arguments *o, struct errmsg *err)
{
    struct pcprof_input in = {0};
    struct profile *profile = NULL;
    struct export_causes causes = {.by = NULL};
    const struct export_format *format = &export_formats[o->to];
    enum status st = format->is_text ? ST_OK : terminal_refuse(o->output, "-o", format->name, err);
    if (st == ST_OK)
        st = pcprof_open(&in, o->input, err);
    if (st == ST_OK)
        st = store_load(in.store, &in.selection, STORE_ALL, NULL, NULL, &profile, err);
    if (st == ST_OK && o->to == EXPORT_firefox) /* the only format that has them */
        st = categories_load(&in, profile, &causes, err);
    if (st == ST_OK)
        st = pcprof_export_write_profile(o, &in.contents, &causes, profile, err);
    if (st == ST_OK)
        warn_of_images(profile, format->has_lines, format->needs_file);
    categories_free(&causes);
    profile_free(profile);
    pcprof_close(&in);
    return st;
}
