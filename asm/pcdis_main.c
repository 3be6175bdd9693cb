/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcdis: prints a program image as a source that assembles to the same image. */
#include <argp.h>
#include <string.h>

#include "asm/asm.h"
#include "isa/support/file.h"

const char *argp_program_version = "pcdis 1.0";

static const char doc[] = "Disassembles a program image into a source that assembles to the same words and tables.\v"
                          "IMAGE is pc.out where it is not given, - is standard input. Exit status: 0, or 2 where there were errors.";

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write to FILE instead of standard output", 0},
    {0},
};

struct arguments {
    const char *input, *output;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'o':
        a->output = arg;
        break;
    case ARGP_KEY_ARG:
        if (a->input != NULL)
            argp_error(state, "one IMAGE at a time: '%s' is the second", arg);
        a->input = arg;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static enum status run(const char *input, const char *output, struct errmsg *err)
{
    struct image im;
    struct outfile f;
    enum status st = image_load(&im, input, err);
    if (st == ST_OK)
        st = outfile_open(&f, output, err);
    if (st != ST_OK)
        return st;
    pasm_disassemble(f.stream, &im);
    return outfile_commit(&f, err);
}

int main(int argc, char **argv)
{
    const struct argp argp = {options, parse_option, "[IMAGE]", doc, NULL, NULL, NULL};
    struct arguments a = {NULL, "-"};
    struct errmsg err;
    file_check_standard_output("pcdis");
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    if (run(a.input != NULL ? a.input : "pc.out", a.output, &err) == ST_OK)
        return 0;
    fprintf(stderr, "pcdis: %s\n", err.text);
    return EXIT_BAD_INPUT;
}
