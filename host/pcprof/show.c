/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof show: a report that was written as JSON, in any format. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "host/pcprof/pcprof.h"
#include "host/report/render.h"
#include "isa/support/file.h"
#include "isa/support/options.h"

static const char doc[] =
    "Prints a report that pcemu --format json has written, as pcemu would have.\vREPORT is - for standard input.";

struct show_options {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "host/pcprof/show_options.def"
};

static const struct option_row rows[] = {
#define OPTION(...) OPTION_ROW(struct show_options, __VA_ARGS__)
#include "host/pcprof/show_options.def"
};

static enum status check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    if (((const struct show_options *)options)->input == NULL)
        return fail(err, ST_INPUT, "expected a report");
    return option_check_files(syntax, options, err);
}

/* A limit for what never ends, such as /dev/zero. */
enum { MAX_REPORT_BYTES = 1 << 30 };

static enum status load(const char *path, struct report **r, struct errmsg *err)
{
    char *text;
    size_t size_bytes;
    enum status st = file_read(path, MAX_REPORT_BYTES, &text, &size_bytes, err);
    if (st != ST_OK)
        return st;
    st = report_read(r, strcmp(path, "-") == 0 ? "standard input" : path, text, size_bytes, err);
    free(text);
    return st;
}

static enum status write_report(const struct show_options *o, const struct report *r, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, o->output, err);
    if (st != ST_OK)
        return st;
    const struct report_view view = {.top = (unsigned)o->top,
                                     .width = report_width((unsigned)o->width, f.stream),
                                     .verbose = o->verbose,
                                     .legend = o->legend};
    report_formats[o->format].write(r, &view, f.stream);
    return outfile_commit(&f, err);
}

int pcprof_show(int argc, char **argv)
{
    static const struct option_syntax syntax = {rows, sizeof rows / sizeof rows[0],      "REPORT",
                                                doc,  "0, or 2 for bad usage or input.", check};
    struct show_options o = {0};
    struct report *r = NULL;
    struct errmsg err;
    option_parse(&syntax, &o, argc, argv);
    enum status st = load(o.input, &r, &err);
    const char *option = "";
    if (st == ST_OK && o.sort != NULL) {
        st = report_sort(r, o.sort, &err);
        option = st == ST_OK ? "" : "--sort: ";
    }
    if (st == ST_OK)
        st = write_report(&o, r, &err);
    report_free(r);
    if (st == ST_OK)
        return 0;
    fprintf(stderr, "pcprof: %s%s\n", option, err.text);
    return EXIT_BAD_INPUT;
}
