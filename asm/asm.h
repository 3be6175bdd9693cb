/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The microprogram assembler and disassembler as a library: neither touches a file by itself.
 * The language is described in docs/assembler.md; what a word can say comes from isa/isa.def. check.h and cost.h look
 * at images. */
#ifndef ASM_ASM_H
#define ASM_ASM_H

#include <stdio.h>

#include "isa/image.h"
#include "isa/support/diag.h"

struct pasm_options {
    const char *name, *text; /* the main source; all pointers are borrowed */
    size_t size_bytes;
    const char *const *defines; /* each NAME or NAME=EXPRESSION */
    size_t define_count;
    const char *const *include_dirs;
    size_t include_dir_count;
    /* How .include reads a file: *data is then the assembler's, for free(). NULL: there are no files to include. */
    enum status (*read_file)(void *ctx, const char *path, char **data, size_t *size_bytes, struct errmsg *err);
    void *ctx;
    FILE *listing; /* takes the listing of a program without errors; may be NULL */
};

/* ST_OK: `out` is a sound image. ST_INPUT: the diagnostics have said why there is none. */
enum status pasm_assemble(const struct pasm_options *opts, struct diag *d, struct image *out) MUST_USE;

/* Writes a program that assembles to the same words and registers as `im`, a sound image. Names that the assembler
 * would not take (it made none such itself) are replaced. */
void pasm_disassemble(FILE *out, const struct image *im);

#endif
