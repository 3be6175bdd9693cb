/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcasm: assembles a microprogram. It prints the diagnostics and writes the image, or nothing. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/asm.h"
#include "asm/cost.h"
#include "base/file.h"
#include "base/file_form.h"
#include "base/options.h"
#include "base/outfile.h"
#include "base/terminal.h"
#include "base/tool.h"
#include "base/version.h"

enum { MAX_SOURCE_BYTES = 4 << 20 };

const char *argp_program_version = "pcasm " TOOLS_VERSION;

static const char doc[] = "Assembles a microprogram for the profiling co-processor into a program image.\v"
                          "FILE.pasm may be - for standard input, the default if that is not a terminal.";

static const char examples[] = "pcasm value.pasm                           # write the image pc.out\n"
                               "pcasm -o value.pc -l value.lst value.pasm  # with a listing\n"
                               "pcasm --cost -D SLOTS=8 value-paper.pasm   # print the cycles per sample\n";

enum cost_form {
    COST_NONE,
#define COST(symbol, name) COST_##symbol,
#include "tools/pcasm/pcasm_options.def"
};

static const char *const cost_names[] = {
#define COST(symbol, name) [COST_##symbol] = name,
#include "tools/pcasm/pcasm_options.def"
};

enum warn_level {
    WARN_NORMAL,
#define WARN(symbol, name) WARN_##symbol,
#include "tools/pcasm/pcasm_options.def"
};

static const char *const warn_names[] = {
#define WARN(symbol, name) [WARN_##symbol] = name,
#include "tools/pcasm/pcasm_options.def"
};

struct pcasm_arguments {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "tools/pcasm/pcasm_options.def"
};

static bool is_definition(const char *argument)
{
    size_t n = strcspn(argument, "=");
    return n > 0 && strspn(argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == n &&
           argument[0] > '9' && strchr(argument, '\n') == NULL;
}

static const struct option_row rows[] = {
#define OPTION(...) OPTION_ROW(struct pcasm_arguments, __VA_ARGS__)
#include "tools/pcasm/pcasm_options.def"
};

/* The cycles are printed to standard output. */
static enum status check_cost(const struct pcasm_arguments *o, struct errmsg *err)
{
    bool has_image = file_is_standard_output(o->output),
         has_listing = o->listing != NULL && file_is_standard_output(o->listing);
    if (o->cost != COST_NONE && (has_image || has_listing))
        return fail(err, ST_INPUT, "--cost prints to standard output: the %s cannot go there too",
                    has_image ? "image" : "listing");
    return ST_OK;
}

static enum status pcasm_check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct pcasm_arguments *o = options;
    if (o->input == NULL && isatty(STDIN_FILENO))
        return fail(err, ST_INPUT, "expected FILE.pasm (- for standard input)");
    enum status st = option_check_files(syntax, options, err);
    if (st == ST_OK)
        st = check_cost(o, err);
    return st == ST_OK ? terminal_refuse(o->output, "-o", "the image", err) : st;
}

static enum status pcasm_read_source(void *ctx, const char *path, char **data, size_t *size_bytes, struct errmsg *err)
{
    (void)ctx;
    return file_read(path, MAX_SOURCE_BYTES, data, size_bytes, err);
}

static enum status pcasm_write_file(const char *path, const void *data, size_t size_bytes, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, path, err);
    if (st != ST_OK)
        return st;
    /* outfile_commit reports write errors. */
    (void)!fwrite(data, 1, size_bytes, f.stream);
    return outfile_commit(&f, err);
}

/* Writes the listing first: if that fails, no image is written. */
static enum status write_outputs(const struct pcasm_arguments *o, const struct image *im, const char *listing,
                                 size_t listing_bytes, struct errmsg *err)
{
    uint8_t *bytes;
    size_t size_bytes;
    enum status st = o->listing == NULL ? ST_OK : pcasm_write_file(o->listing, listing, listing_bytes, err);
    if (st != ST_OK)
        return st;
    image_save(im, &bytes, &size_bytes);
    st = pcasm_write_file(o->output, bytes, size_bytes, err);
    free(bytes);
    return st;
}

static enum status pcasm_assemble(const struct pcasm_arguments *o, const char *text, size_t size_bytes,
                                  struct errmsg *err)
{
    struct image im;
    struct diag d;
    char *listing = NULL;
    size_t listing_bytes = 0;
    FILE *stream = xopen_text(&listing, &listing_bytes);
    struct pasm_options opts = {
        .name = strcmp(o->input, "-") == 0 ? "<stdin>" : o->input,
        .text = text,
        .size_bytes = size_bytes,
        .defines = o->define.text,
        .define_count = o->define.count,
        .include_dirs = o->include.text,
        .include_dir_count = o->include.count,
        .read_file = pcasm_read_source,
        .listing = stream,
    };
    diag_init(&d, stderr);
    d.warnings_are_errors = o->warn == WARN_ERROR;
    enum status st = pasm_assemble(&opts, &d, &im);
    xclose_text(stream);
    diag_summary(&d);
    err->text[0] = '\0';
    if (st == ST_OK)
        st = write_outputs(o, &im, listing, listing_bytes, err);
    if (st == ST_OK && o->cost != COST_NONE)
        (o->cost == COST_JSON ? cost_print_json : cost_print_text)(stdout, &im);
    free(listing);
    return st;
}

static enum status pcasm_run(const struct pcasm_arguments *o, struct errmsg *err)
{
    char *text;
    size_t size_bytes;
    enum status st = file_read(o->input, MAX_SOURCE_BYTES, &text, &size_bytes, err);
    if (st != ST_OK)
        return st;
    const enum file_form form = file_form_of(o->input, (const unsigned char *)text, size_bytes);
    if (form != FILE_FORM_SOURCE && form != FILE_FORM_OTHER)
        st = file_form_refuse(o->input, (const unsigned char *)text, size_bytes, "a source", ST_FORMAT, err);
    else
        st = pcasm_assemble(o, text, size_bytes, err);
    free(text);
    return st;
}

int main(int argc, char **argv)
{
    static const struct option_syntax syntax = {rows,
                                                sizeof rows / sizeof rows[0],
                                                "[FILE.pasm]",
                                                doc,
                                                "0, or 2 where there were errors; then nothing is written.",
                                                pcasm_check,
                                                examples};
    struct errmsg err = {""};
    struct pcasm_arguments o = {0};
    tool_start("pcasm");
    option_parse(&syntax, &o, argc, argv);
    if (o.input == NULL)
        o.input = "-";
    enum status st = pcasm_run(&o, &err);
    if (st != ST_OK && err.text[0] != '\0')
        fprintf(stderr, "pcasm: %s\n", err.text);
    return st == ST_OK ? 0 : EXIT_BAD_INPUT;
}
