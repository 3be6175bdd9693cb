/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From addresses to functions and source lines, by libdw, with what was found kept. */
#ifndef HOST_SYMBOLS_H
#define HOST_SYMBOLS_H

#include <stdbool.h>
#include <elfutils/libdw.h>
#include <stdint.h>

#include "isa/support/status.h"

struct symbols;

struct place {
    uint64_t address;     /* in the file, as the linker gave it; the pc itself where it is not in the file */
    const char *function; /* NULL where unknown */
    uint64_t offset;      /* from the function's start */
    const char *file;     /* NULL where there is no line information; the last part of the path */
    int line;
};

/* Opens the ELF file's symbol table and DWARF. A file without either is no error: the places are then unknown. */
enum status symbols_new(struct symbols **s, const char *elf_path, struct errmsg *err) MUST_USE;
void symbols_free(struct symbols *s);
/* For a position-independent program: it is loaded `bias` above the file's own addresses. To be called before the first look-up.
 * Addresses that were cut to the 33 bits a pc32 key stands for are then found too. */
void symbols_set_bias(struct symbols *s, uint64_t bias);
/* The strings are the symbols'. */
struct place symbols_find(const struct symbols *s, uint64_t pc);

/* Where the function `name` starts; false where there is none. */
bool symbols_address(const struct symbols *s, const char *name, uint64_t *pc);

/* Calls `see` for the name of each function. */
void symbols_each(const struct symbols *s, void (*see)(void *ctx, const char *name), void *ctx);

/* The call frame rules at an address, from .eh_frame or .debug_frame: libdw's, the caller's to free(); NULL where there are none. */
Dwarf_Frame *symbols_frame(const struct symbols *s, uint64_t pc);

#endif
