/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof report: the profile of a selection of runs as one HTML file, which a browser opens from the disk. */
#include <stdlib.h>

#include "host/pcprof/json.h"
#include "host/pcprof/output.h"
#include "host/pcprof/page.h"
#include "host/pcprof/pcprof.h"
#include "isa/support/file.h"
#include "isa/support/options.h"

static const char doc[] =
    "Writes the profile of the runs selected as one HTML file: runs, events, procedures, "
    "instructions, flame graphs, cycle stacks, errors of the profilers, costs. A browser opens it "
    "from the disk; it needs no network and no other file."
    "\vdocs/report.md describes the page. The same store gives the same bytes.";

struct report_command_options {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "host/pcprof/report_options.def"
};

static const struct option_row rows[] = {
#define OPTION(...) OPTION_ROW(struct report_command_options, __VA_ARGS__)
#include "host/pcprof/report_options.def"
};

static enum status check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    (void)syntax;
    if (((const struct report_command_options *)options)->input == NULL)
        return fail(err, ST_INPUT, "expected a store");
    return ST_OK;
}

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

static enum status make_data(const struct profile_store *s, const struct store_selection *selection,
                             const struct store_contents *c, struct profile *profile, json_t *data, struct errmsg *err)
{
    json_t *runs = NULL;
    struct page p = {.profile = profile, .component_of = json_object()};
    p.components = json_array();
    p.files = json_array();
    json_put(data, "format", json_string("pcprof page"));
    json_put(data, "version", json_integer(1));
    json_put(data, "store", json_text(selection->path));
    json_put(data, "epoch", json_text(selection->epoch));
    enum status st = page_runs(&p, s, c, &runs, err);
    json_put(data, "runs", runs);
    json_put(data, "images", describe_images(profile));
    json_put(data, "columns", page_columns(&p));
    json_put(data, "procedures", page_procedures(&p));
    json_put(data, "flames", page_flames(&p));
    json_put(data, "components", p.components);
    json_put(data, "files", p.files);
    json_decref(p.component_of);
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
    if (page_write(data, f.stream))
        return outfile_commit(&f, err);
    outfile_abort(&f);
    return fail(err, ST_IO, "%s: cannot write the page", output);
}

static enum status run(const struct profile_store *s, struct store_selection *selection,
                       const struct report_command_options *o, struct errmsg *err)
{
    struct profile *profile = NULL;
    struct store_contents c = {0};
    json_t *data = json_object();
    enum status st = store_resolve(s, selection, err);
    if (st == ST_OK)
        st = store_list(s, selection, &c, err);
    if (st == ST_OK)
        st = store_load(s, selection, STORE_ALL & ~STORE_EDGES, NULL, NULL, &profile, err);
    if (st == ST_OK)
        st = make_data(s, selection, &c, profile, data, err);
    if (st == ST_OK)
        st = write_page(o->output, data, err);
    json_decref(data);
    profile_free(profile);
    store_contents_release(&c);
    return st;
}

int pcprof_report(int argc, char **argv)
{
    static const struct option_syntax syntax = {rows, sizeof rows / sizeof rows[0],      "STORE[:EPOCH|:RUN,...]",
                                                doc,  "0, or 2 for bad usage or input.", check};
    struct report_command_options o = {0};
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
