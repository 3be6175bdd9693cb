/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The assembler and disassembler of microprograms as a library without file access. docs/assembler.md describes the
 * language; isa/isa.def defines the operations. check.h and cost.h analyse images. */
#ifndef ASM_ASM_H
#define ASM_ASM_H

#include <stdio.h>

#include "base/diag.h"
#include "isa/image.h"

struct pasm_options {
    const char *name, *text; /* the main source; all pointers are borrowed */
    size_t size_bytes;
    const char *const *defines; /* each NAME or NAME=EXPRESSION */
    size_t define_count;
    const char *const *include_dirs;
    size_t include_dir_count;
    /* Reads a file for .include; the assembler frees *data. NULL: .include is not available. */
    enum status (*read_file)(void *ctx, const char *path, char **data, size_t *size_bytes, struct errmsg *err);
    void *ctx;
    FILE *listing; /* receives the listing of a program without errors; may be NULL */
};

/* ST_OK: `out` is a valid image. ST_INPUT: errors were reported as diagnostics. */
enum status pasm_assemble(const struct pasm_options *opts, struct diag *d, struct image *out) MUST_USE;

/* Writes a program that assembles to the same words and registers as `im`, a valid image. Names that the assembler
 * would not accept, which only images from elsewhere have, are replaced. */
void pasm_disassemble(FILE *out, const struct image *im);

#endif
