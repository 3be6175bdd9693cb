/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/command/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/outfile.h"
#include "tools/command/pager.h"

static void output_render(const struct command_output *o, const struct report *r, int fd, FILE *out)
{
    struct report_view view = o->view;
    view.width = report_width(view.width, fd);
    view.colours = colour_is_shown(o->color, fd);
    report_formats[o->form].write(r, &view, out);
}

/* Shows a report at a terminal in the pager; false: it is shorter than the terminal, or there is no pager. */
static bool output_page(const struct command_output *o, const struct report *r)
{
    char *text = NULL;
    size_t size_bytes;
    if (o->no_pager || !file_is_standard_output(o->output) || !isatty(STDOUT_FILENO))
        return false;
    FILE *out = xopen_text(&text, &size_bytes);
    output_render(o, r, STDOUT_FILENO, out);
    xclose_text(out);
    const char *pager = pager_choose(text);
    const bool shown = pager != NULL && pager_show(pager, text, size_bytes);
    free(text);
    return shown;
}

enum status command_write(const struct command_output *o, struct report *r, struct errmsg *err)
{
    struct outfile f;
    struct errmsg sorting;
    if (o->sort != NULL && report_sort(r, o->sort, &sorting) != ST_OK)
        return fail(err, ST_INPUT, "--sort: %s", sorting.text);
    if (output_page(o, r))
        return ST_OK;
    enum status st = outfile_open(&f, o->output, err);
    if (st != ST_OK)
        return st;
    output_render(o, r, f.fd, f.stream);
    return outfile_commit(&f, err);
}

int command_fail(const char *tool, enum status st, const struct errmsg *err)
{
    fprintf(stderr, "%s: %s\n", tool, err->text);
    return st == ST_UNMET ? EXIT_UNMET : EXIT_BAD_INPUT;
}
