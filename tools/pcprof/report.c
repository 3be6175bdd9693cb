/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof report: the profile of a selection of runs as one HTML file, which a browser opens from the disk. */
#include <stdlib.h>

#include "base/options.h"
#include "base/outfile.h"
#include "base/terminal.h"
#include "host/export/place.h"
#include "host/family/time_columns.h"
#include "host/report/json_value.h"
#include "tools/pcprof/image_notes.h"
#include "tools/pcprof/input.h"
#include "tools/pcprof/output.h"
#include "tools/pcprof/page.h"
#include "tools/pcprof/pcprof.h"
#include "tools/pcprof/prof.h"

static const char doc[] =
    "Writes the profile of the runs selected as one HTML file: runs, events, procedures, "
    "instructions, flame graphs, cycle stacks, errors of the profilers, costs. A browser opens it "
    "from the disk; it needs no network and no other file."
    "\vThe report of each of the first 32 runs is read, of at most 256 MiB of JSON. "
    "docs/store.md describes the page. The same store gives the same bytes.";

#define NAME report
#define OPTIONS "tools/pcprof/report_options.def"
#define ARGUMENTS PCPROF_SELECTION
#include "tools/pcprof/command.inc"

static json_t *describe_images(const struct profile *p)
{
    json_t *images = json_array();
    for (uint32_t n = 0; n < profile_images(p); n++) {
        json_t *row = json_push(images, json_object());
        json_put(row, "name", json_text(profile_image(p, n)->name));
        json_put(row, "build_id", json_text(profile_image(p, n)->build_id));
        json_put(row, "path", json_text(profile_image(p, n)->path));
    }
    return images;
}

static enum status make_data(const struct pcprof_input *in, struct profile *profile, json_t *data, struct errmsg *err)
{
    json_t *runs = NULL;
    struct page p = {.profile = profile, .component_of = json_object()};
    p.components = json_array();
    p.files = json_array();
    p.names = export_names(profile, false);
    json_put(data, "format", json_string("pcprof page"));
    json_put(data, "version", json_integer(1));
    json_put(data, "store", json_text(in->selection.path));
    json_put(data, "epoch", json_text(in->selection.epoch));
    enum status st = page_runs(&p, in->store, &in->contents, &runs, err);
    json_t *columns = page_columns(&p);
    p.no_place = time_columns_no_place(prof_has_idle(profile, p.column, p.columns, prof_has_several_harts(in)));
    json_put(data, "runs", runs);
    json_put(data, "no_place", json_text(p.no_place));
    json_put(data, "images", describe_images(profile));
    json_put(data, "columns", columns);
    json_put(data, "procedures", page_procedures(&p));
    json_put(data, "flames", page_flames(&p));
    json_put(data, "components", p.components);
    json_put(data, "files", p.files);
    json_decref(p.component_of);
    names_free(p.names);
    free(p.column);
    free(p.value);
    free(p.file);
    return st;
}

static enum status write_page(const char *output, const json_t *data, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, output, err);
    if (st != ST_OK)
        return st;
    if (page_write(data, f.stream) || ferror(f.stream))
        return outfile_commit(&f, err);
    outfile_abort(&f);
    return fail(err, ST_IO, "%s: cannot write the page", output);
}

static enum status pcprof_report_run(const struct pcprof_input *in, const char *output, struct errmsg *err)
{
    struct profile *profile = NULL;
    json_t *data = json_object();
    enum status st = store_load(in->store, &in->selection, STORE_ALL & ~STORE_EDGES, NULL, NULL, &profile, err);
    if (st == ST_OK)
        st = make_data(in, profile, data, err);
    if (st == ST_OK)
        st = write_page(output, data, err);
    if (st == ST_OK)
        warn_of_images(profile, true, false);
    json_decref(data);
    profile_free(profile);
    return st;
}

static enum status report_command(const struct report_arguments *o, struct errmsg *err)
{
    struct pcprof_input in = {0};
    enum status st = terminal_refuse(o->output, "-o", "the page", err);
    if (st == ST_OK)
        st = pcprof_open(&in, o->input, err);
    if (st == ST_OK)
        st = pcprof_report_run(&in, o->output, err);
    pcprof_close(&in);
    return st;
}
