/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program of a harness that fuzzes what a program is given. */
#ifndef TESTS_FUZZ_FUZZED_PROGRAM_H
#define TESTS_FUZZ_FUZZED_PROGRAM_H

#include <string.h>

#include "asm/asm.h"

/* The program's image, assembled at the first call. */
static const struct image *assembled(const char *program)
{
    static struct image image;
    struct pasm_options opts = {.name = "fuzz.pasm", .text = program, .size_bytes = strlen(program)};
    struct diag diag;
    if (image.words > 0)
        return &image;
    diag_init(&diag, stderr);
    if (pasm_assemble(&opts, &diag, &image) != ST_OK)
        BUG("the harness's program has errors");
    return &image;
}

#endif
