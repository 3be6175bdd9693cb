/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcasm: assembles a microprogram. It prints the diagnostics and writes the image, or nothing. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/asm.h"
#include "asm/cost.h"
#include "isa/support/file.h"

enum { MAX_SOURCE_BYTES = 4 << 20 };

const char *argp_program_version = "pcasm 1.0";

static const char doc[] = "Assembles a microprogram for the profiling co-processor into a program image.\v"
                          "FILE.pasm - is standard input, and so is no FILE where standard input is not a terminal. "
                          "Exit status: 0, or 2 where there were errors; then nothing is written.";

enum { OPTION_COST = 256 };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write the image to FILE, - for standard output; pc.out without this option", 0},
    {"listing", 'l', "FILE", 0, "Write a listing to FILE: words, sources, and what of the machine is used", 0},
    {"define", 'D', "NAME[=V]", 0, "Define the symbol NAME, as .equ does; 1 without a value", 0},
    {"include", 'I', "DIR", 0, "Look for included files in DIR too", 0},
    {"cost", OPTION_COST, "text|json", OPTION_ARG_OPTIONAL,
     "Print to standard output how many cycles a sample takes at least and at most, and the sample rates that allows", 0},
    {"warn", 'W', "error", 0, "Treat warnings as errors", 0},
    {0},
};

struct arguments {
    const char *input, *output, *listing;
    const char **defines, **dirs;
    size_t define_count, dir_count;
    bool warnings_are_errors;
    void (*print_cost)(FILE *out, const struct image *im); /* NULL: not asked for */
};

static bool is_symbol(const char *define)
{
    size_t n = strcspn(define, "=");
    return n > 0 && strspn(define, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == n &&
           (define[0] < '0' || define[0] > '9') && strchr(define, '\n') == NULL;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'o':
        a->output = arg;
        break;
    case 'l':
        a->listing = arg;
        break;
    case 'D':
        if (!is_symbol(arg))
            argp_error(state, "-D takes NAME or NAME=VALUE, found '%s'", arg);
        a->defines[a->define_count++] = arg;
        break;
    case 'I':
        a->dirs[a->dir_count++] = arg;
        break;
    case 'W':
        if (strcmp(arg, "error") != 0)
            argp_error(state, "-W takes 'error', found '%s'", arg);
        a->warnings_are_errors = true;
        break;
    case OPTION_COST:
        if (arg != NULL && strcmp(arg, "text") != 0 && strcmp(arg, "json") != 0)
            argp_error(state, "--cost takes 'text' or 'json', found '%s'", arg);
        a->print_cost = arg != NULL && strcmp(arg, "json") == 0 ? cost_print_json : cost_print_text;
        break;
    case ARGP_KEY_ARG:
        if (a->input != NULL)
            argp_error(state, "one FILE.pasm at a time: '%s' is the second", arg);
        a->input = arg;
        break;
    case ARGP_KEY_END:
        if (a->input == NULL && isatty(STDIN_FILENO))
            argp_error(state, "which FILE.pasm? (- is standard input)");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static enum status read_source(void *ctx, const char *path, char **data, size_t *size_bytes, struct errmsg *err)
{
    (void)ctx;
    return file_read(path, MAX_SOURCE_BYTES, data, size_bytes, err);
}

static enum status check_outputs(const struct arguments *a, struct errmsg *err)
{
    bool to_file = strcmp(a->output, "-") != 0;
    if (strcmp(a->input, "-") != 0 && file_is_same(a->input, a->output)) /* which would destroy it */
        return fail(err, ST_INPUT, "%s: the image would replace its source", a->output);
    if (a->listing != NULL && strcmp(a->input, "-") != 0 && file_is_same(a->input, a->listing))
        return fail(err, ST_INPUT, "%s: the listing would replace its source", a->listing);
    if (a->listing != NULL && (strcmp(a->listing, a->output) == 0 || (to_file && file_is_same(a->listing, a->output))))
        return fail(err, ST_INPUT, "%s: the image and the listing cannot be one file", a->output);
    if (a->print_cost != NULL && (!to_file || (a->listing != NULL && strcmp(a->listing, "-") == 0)))
        return fail(err, ST_INPUT, "--cost prints to standard output: the %s cannot go there too", to_file ? "listing" : "image");
    return ST_OK;
}

static enum status write_file(const char *path, const void *data, size_t size_bytes, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, path, err);
    if (st != ST_OK)
        return st;
    /* What fwrite cannot write, outfile_commit reports. */
    (void)!fwrite(data, 1, size_bytes, f.stream);
    return outfile_commit(&f, err);
}

/* The listing first: where it cannot be written, there is no image either. */
static enum status write_outputs(const struct arguments *a, const struct image *im, const char *listing, size_t listing_bytes,
                                 struct errmsg *err)
{
    uint8_t *bytes;
    size_t size_bytes;
    enum status st = a->listing == NULL ? ST_OK : write_file(a->listing, listing, listing_bytes, err);
    if (st != ST_OK)
        return st;
    image_save(im, &bytes, &size_bytes);
    st = write_file(a->output, bytes, size_bytes, err);
    free(bytes);
    return st;
}

static enum status assemble(const struct arguments *a, const char *text, size_t size_bytes, struct errmsg *err)
{
    struct image im;
    struct diag d;
    char *listing = NULL;
    size_t listing_bytes = 0;
    FILE *stream = open_memstream(&listing, &listing_bytes);
    if (stream == NULL)
        BUG("out of memory");
    struct pasm_options opts = {
        .name = strcmp(a->input, "-") == 0 ? "<stdin>" : a->input, .text = text, .size_bytes = size_bytes,
        .defines = a->defines, .define_count = a->define_count, .include_dirs = a->dirs, .include_dir_count = a->dir_count,
        .read_file = read_source, .listing = stream,
    };
    diag_init(&d, stderr);
    d.warnings_are_errors = a->warnings_are_errors;
    enum status st = pasm_assemble(&opts, &d, &im);
    fclose(stream);
    diag_summary(&d);
    err->text[0] = '\0';
    if (st == ST_OK)
        st = write_outputs(a, &im, listing, listing_bytes, err);
    if (st == ST_OK && a->print_cost != NULL)
        a->print_cost(stdout, &im);
    free(listing);
    return st;
}

static enum status run(const struct arguments *a, struct errmsg *err)
{
    char *text;
    size_t size_bytes;
    enum status st = check_outputs(a, err);
    if (st == ST_OK)
        st = file_read(a->input, MAX_SOURCE_BYTES, &text, &size_bytes, err);
    if (st != ST_OK)
        return st;
    st = assemble(a, text, size_bytes, err);
    free(text);
    return st;
}

int main(int argc, char **argv)
{
    const struct argp argp = {options, parse_option, "[FILE.pasm]", doc, NULL, NULL, NULL};
    struct errmsg err = {""};
    struct arguments a = {.output = "pc.out"};
    a.defines = xcalloc((size_t)argc, sizeof *a.defines);
    a.dirs = xcalloc((size_t)argc, sizeof *a.dirs);
    file_check_standard_output("pcasm");
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    if (a.input == NULL)
        a.input = "-";
    enum status st = run(&a, &err);
    if (st != ST_OK && err.text[0] != '\0')
        fprintf(stderr, "pcasm: %s\n", err.text);
    free(a.defines);
    free(a.dirs);
    return st == ST_OK ? 0 : EXIT_BAD_INPUT;
}
