/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof report: the profile of a selection of runs as one HTML file, which a browser opens from the disk. */
#include <stdlib.h>

#include "base/options.h"
#include "base/outfile.h"
#include "base/terminal.h"
#include "host/export/place.h"
#include "host/report/json_value.h"
#include "tools/command/output.h"
#include "tools/pcprof/image_notes.h"
#include "tools/pcprof/input.h"
#include "tools/pcprof/page.h"
#include "tools/pcprof/pcprof.h"
#include "tools/pcprof/prof.h"

static const char doc[] =
    "Writes the profile of the runs selected as one HTML file: runs, events, procedures, "
    "instructions, flame graphs, cycle stacks, errors of the profilers, costs. A browser opens it "
    "from the disk; it needs no network and no other file."
    "\vThe report of each of the first 32 runs is read, of at most 256 MiB of JSON. "
    "docs/store.md describes the page. The same store gives the same bytes.";

static const char examples[] = "pcprof report -o page.html runs.db\n"
                               "pcprof report --before before.db -o page.html after.db\n";

#define TOOL pcprof
#define NAME report
#define OPTIONS "tools/pcprof/report_options.def"
#define ARGUMENTS PCPROF_SELECTION
#include "tools/command/command.inc"

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

/* What a page is made of. */
struct page_inputs {
    struct pcprof_input after, before; /* before: not opened without --before */
    const struct page_request *options;
};

static void page_release(struct page *p)
{
    json_decref(p->component_of);
    names_free(p->names);
    pcprof_gains_free(&p->gains);
    free(p->column);
    free(p->value);
    free(p->file);
    free(p->want);
}

static int64_t first_time(const struct store_contents *c)
{
    int64_t time = INT64_MAX;
    for (size_t n = 0; n < c->runs; n++)
        time = c->run[n].time < time ? c->run[n].time : time;
    return time;
}

/* Fills the parts of a page, which take values from the runs and from their profile. */
static enum status make_data(const struct page_inputs *in, struct profile *profile, struct page_json *json,
                             struct errmsg *err)
{
    json_t *data = json->data, *runs = NULL, *comparison = NULL;
    struct page p = {.profile = profile,
                     .source_dir = in->options->source_dir,
                     .without_source = in->options->no_source,
                     .collected = first_time(&in->after.contents),
                     .component_of = json_object(),
                     .components = json_array(),
                     .names = export_names(profile, false),
                     .files = json_array()};
    enum status st = pcprof_gains_load(&p.gains, &in->after, profile, NULL, err);
    page_columns_choose(&p);
    page_gains_add(&p);
    json_put(data, "flames", page_flames(profile, p.names, json->trees));
    if (st == ST_OK)
        st = page_runs(&p, in->after.store, &in->after.contents, &runs, err);
    if (st == ST_OK && in->before.store != NULL)
        st = page_compare(&p, &in->before, &in->after, json->trees, &comparison, err);
    if (st == ST_OK && in->options->pipeline != NULL)
        st = page_pipeline(&p, in->options->pipeline, json->pipeline, err);
    json_t *columns = page_columns(&p);
    p.no_place = prof_no_image(prof_has_idle(profile, p.column, p.columns, prof_has_several_harts(&in->after)));
    json_put(data, "format", json_string("pcprof page"));
    json_put(data, "version", json_integer(2));
    json_put(data, "store", json_text(in->after.selection.path));
    json_put(data, "epoch", json_text(in->after.selection.epoch));
    json_put(data, "runs", runs);
    json_put(data, "no_place", json_text(p.no_place));
    json_put(data, "images", describe_images(profile));
    json_put(data, "columns", columns);
    json_put(data, "procedures", page_procedures(&p, json->code));
    json_put(data, "hot", page_hot(&p));
    json_put(data, "gains", page_gains(&p));
    json_put(data, "calls", page_calls(&p));
    json_put(data, "components", p.components);
    json_put(data, "categories", p.categories != NULL ? p.categories : json_null());
    json_put(data, "files", p.files);
    json_put(data, "sources", page_sources(&p));
    json_put(data, "comparison", comparison != NULL ? comparison : json_null());
    page_release(&p);
    return st;
}

static enum status write_page(const char *output, const struct page_json *json, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, output, err);
    if (st != ST_OK)
        return st;
    st = page_write(json, f.stream, err);
    if (st == ST_OK || ferror(f.stream))
        return outfile_commit(&f, err);
    outfile_abort(&f);
    return st;
}

static enum status pcprof_report_run(const struct page_inputs *in, struct errmsg *err)
{
    struct profile *profile = NULL;
    struct page_json json = {.data = json_object(),
                             .trees = json_array(),
                             .code = json_array(),
                             .pipeline = json_array(),
                             .version = in->options->version};
    enum status st = store_load(in->after.store, &in->after.selection, STORE_ALL, NULL, NULL, &profile, err);
    if (st == ST_OK)
        st = make_data(in, profile, &json, err);
    if (st == ST_OK)
        st = write_page(in->options->output, &json, err);
    if (st == ST_OK)
        warn_of_images(profile, true, false);
    json_decref(json.data);
    json_decref(json.trees);
    json_decref(json.code);
    json_decref(json.pipeline);
    profile_free(profile);
    return st;
}

enum status page_report(const struct page_request *q, struct errmsg *err)
{
    struct page_inputs in = {.options = q};
    enum status st = pcprof_open(&in.after, q->input, err);
    if (st == ST_OK && q->before != NULL)
        st = pcprof_open(&in.before, q->before, err);
    if (st == ST_OK)
        st = pcprof_report_run(&in, err);
    pcprof_close(&in.after);
    pcprof_close(&in.before);
    return st;
}

static enum status report_command(const struct report_arguments *o, struct errmsg *err)
{
    const struct page_request q = {.input = o->input,
                                   .before = o->before,
                                   .pipeline = o->pipeline,
                                   .source_dir = o->source_dir,
                                   .no_source = o->no_source,
                                   .output = o->output};
    enum status st = terminal_refuse(o->output, "-o", "the page", err);
    return st == ST_OK ? page_report(&q, err) : st;
}
