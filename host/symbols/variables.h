/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of the program's global and static variables, by the types of its debugging information, in gdb's form. */
#ifndef HOST_SYMBOLS_VARIABLES_H
#define HOST_SYMBOLS_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

struct symbols;

struct variables_memory {
    /* Copies guest memory; false: a part of it is not mapped. */
    bool (*read)(void *ctx, uint64_t address, void *to, size_t size_bytes);
    void *ctx;
};

/* Prints the value of NAME, followed by any of .MEMBER, ->MEMBER and [NUMBER], and, with @COUNT behind it, of so many
 * consecutive ones; *NAME is what a pointer points to. The name is that of a variable outside of functions. */
enum status variables_print(const struct symbols *s, const char *text, const struct variables_memory *memory, FILE *out,
                            struct errmsg *err) MUST_USE;

/* The name of the data at an address: "counter[2].hits"; without debugging information of the variable "counter+32".
 * The caller frees it; NULL: no variable is there. `s` may be NULL. */
char *variables_name(const struct symbols *s, uint64_t address);

#endif
