/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/output.h"

#include <stdio.h>
#include <string.h>

#include "base/outfile.h"

enum status pcprof_write(const struct pcprof_output *o, struct report *r, struct errmsg *err)
{
    struct outfile f;
    struct errmsg sorting;
    if (o->sort != NULL && report_sort(r, o->sort, &sorting) != ST_OK)
        return fail(err, ST_INPUT, "--sort: %s", sorting.text);
    enum status st = outfile_open(&f, o->output, err);
    if (st != ST_OK)
        return st;
    struct report_view view = o->view;
    view.width = report_width(view.width, f.fd);
    view.colours = colour_is_shown(o->color, f.fd);
    report_formats[o->form].write(r, &view, f.stream);
    return outfile_commit(&f, err);
}

int pcprof_fail(enum status st, const struct errmsg *err)
{
    fprintf(stderr, "pcprof: %s\n", err->text);
    return st == ST_UNMET ? EXIT_UNMET : EXIT_BAD_INPUT;
}
