/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof show: a report that was written as JSON, in any format. */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/pcprof/pcprof.h"
#include "host/report/render.h"
#include "isa/support/file.h"

static const char doc[] =
    "Prints a report that pcemu --format json has written, as pcemu would have.\vREPORT is - for standard input.";

enum option_key { KEY_FORMAT = 256, KEY_TOP, KEY_SORT, KEY_WIDTH };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write to FILE (default standard output)", 0},
    {"format", KEY_FORMAT, "text|json|csv", 0, "Form of the report (default text)", 0},
    {"top", KEY_TOP, "N", 0, "Rows of each table, in the text form (default 30, 0 for all)", 0},
    {"sort", KEY_SORT, "MEMBER[:up]", 0,
     "Sort the tables by a column, falling or rising; it is named by its member in JSON", 0},
    {"width", KEY_WIDTH, "N", 0,
     "Shorten texts in tables so that lines have at most N bytes, in the text form (default 0: no limit)", 0},
    {0},
};

struct arguments {
    const char *input, *output, *sort;
    const struct report_format *format;
    struct report_view view;
};

static unsigned parse_number(struct argp_state *state, const char *name, const char *arg)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(arg, &end, 0);
    if (errno != 0 || !isdigit((unsigned char)arg[0]) || *end != '\0')
        argp_error(state, "--%s: expected a number, found '%s'", name, arg);
    return n > UINT_MAX ? UINT_MAX : (unsigned)n;
}

static void check_end(const struct arguments *a, struct argp_state *state)
{
    if (a->input == NULL)
        argp_error(state, "expected a report");
    else if (strcmp(a->input, "-") != 0 && strcmp(a->output, "-") != 0 && file_is_same(a->input, a->output))
        argp_error(state, "-o %s would replace the report", a->output);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    struct errmsg err;
    switch (key) {
    case 'o':
        a->output = arg;
        break;
    case KEY_FORMAT:
        a->format = report_format_find(arg, &err);
        if (a->format == NULL)
            argp_error(state, "--format: %s", err.text);
        break;
    case KEY_TOP:
        a->view.top = parse_number(state, "top", arg);
        break;
    case KEY_SORT:
        a->sort = arg;
        break;
    case KEY_WIDTH:
        a->view.width = parse_number(state, "width", arg);
        break;
    case ARGP_KEY_ARG:
        if (a->input != NULL)
            argp_error(state, "one REPORT at a time: '%s' is the second", arg);
        a->input = arg;
        break;
    case ARGP_KEY_END:
        check_end(a, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static enum status load(const char *path, struct report **r, struct errmsg *err)
{
    char *text;
    size_t size_bytes;
    enum status st = file_read(path, SIZE_MAX / 4, &text, &size_bytes, err);
    if (st != ST_OK)
        return st;
    st = report_read(r, strcmp(path, "-") == 0 ? "standard input" : path, text, size_bytes, err);
    free(text);
    return st;
}

static enum status write_report(const struct arguments *a, const struct report *r, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, a->output, err);
    if (st != ST_OK)
        return st;
    a->format->write(r, &a->view, f.stream);
    return outfile_commit(&f, err);
}

int pcprof_show(int argc, char **argv)
{
    static const struct argp argp = {options, parse_option, "REPORT", doc, NULL, NULL, NULL};
    struct arguments a = {.output = "-", .view = {.top = REPORT_TOP}, .format = report_format_find("text", NULL)};
    struct report *r = NULL;
    struct errmsg err;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    enum status st = load(a.input, &r, &err);
    const char *option = "";
    if (st == ST_OK && a.sort != NULL) {
        st = report_sort(r, a.sort, &err);
        option = st == ST_OK ? "" : "--sort: ";
    }
    if (st == ST_OK)
        st = write_report(&a, r, &err);
    report_free(r);
    if (st == ST_OK)
        return 0;
    fprintf(stderr, "pcprof: %s%s\n", option, err.text);
    return EXIT_BAD_INPUT;
}
