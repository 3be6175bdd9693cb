/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcdis: prints a program image as a source that assembles to the same image. */
#include <argp.h>

#include "asm/asm.h"
#include "base/options.h"
#include "base/outfile.h"
#include "base/tool.h"
#include "base/version.h"

const char *argp_program_version = "pcdis " TOOLS_VERSION;

static const char doc[] = "Disassembles a program image into a source that assembles to the same words and tables.\v"
                          "IMAGE may be - for standard input; default pc.out.";

static const char examples[] = "pcdis                                      # print pc.out\n"
                               "pcdis -o value.pasm value.pc               # write a source\n"
                               "pcdis value.pc | pcasm -o same.pc -        # which gives the same image\n";

struct pcdis_arguments {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "tools/pcdis/pcdis_options.def"
};

static const struct option_row rows[] = {
#define OPTION(...) OPTION_ROW(struct pcdis_arguments, __VA_ARGS__)
#include "tools/pcdis/pcdis_options.def"
};

static enum status pcdis_run(const char *input, const char *output, struct errmsg *err)
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
    static const struct option_syntax syntax = {
        rows, sizeof rows / sizeof rows[0], "[IMAGE]", doc, "0, or 2 where there were errors.", NULL, examples};
    struct pcdis_arguments o = {0};
    struct errmsg err;
    tool_start("pcdis");
    option_parse(&syntax, &o, argc, argv);
    if (pcdis_run(o.input, o.output, &err) == ST_OK)
        return 0;
    fprintf(stderr, "pcdis: %s\n", err.text);
    return EXIT_BAD_INPUT;
}
