/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From addresses to functions, variables and source lines, by libdw, with what was found kept: of a program and the
 * libraries it has mapped. */
#ifndef HOST_SYMBOLS_H
#define HOST_SYMBOLS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "isa/support/status.h"

struct symbols;

struct place {
    uint64_t address;     /* in the file, as the linker gave it; the pc itself where it is not in the file */
    const char *library;  /* the last part of its path; NULL for the program itself and where unknown */
    const char *function; /* or, of an address of data, variable; NULL where unknown */
    uint64_t offset;      /* from its start */
    const char *file;     /* NULL where there is no line information; the last part of the path */
    int line;
};

/* Opens the ELF file's symbol table and DWARF. A file without either is no error: the places are then unknown. */
enum status symbols_new(struct symbols **s, const char *elf_path, struct errmsg *err) MUST_USE;
void symbols_free(struct symbols *s);
/* For a position-independent program: it is loaded `bias` above the file's own addresses. To be called before the first
 * look-up. */
void symbols_set_bias(struct symbols *s, uint64_t bias);
/* A library of the program's: what its file holds from `offset` on, which is the beginning of a segment, is at [start,
 * end). Of several at an address the last one counts. A file that cannot be read gives its places no name. */
void symbols_add_library(struct symbols *s, const char *path, uint64_t start, uint64_t end, uint64_t offset);
/* The strings are the symbols'. */
struct place symbols_find(const struct symbols *s, uint64_t pc);

/* Where the program's function `name` starts; false where there is none. */
bool symbols_address(const struct symbols *s, const char *name, uint64_t *pc);

/* Calls `see` for the name of each function of the program's. */
void symbols_each(const struct symbols *s, void (*see)(void *ctx, const char *name), void *ctx);

/* Calls `see` for the start of each sized function of the program and its libraries, in no order. */
void symbols_each_entry(const struct symbols *s, void (*see)(void *ctx, uint64_t start), void *ctx);
/* Calls `see` for each executable section [start, end) of the program and its libraries. */
void symbols_each_range(const struct symbols *s, void (*see)(void *ctx, uint64_t start, uint64_t end), void *ctx);

/* The call frame rules at an address, from .eh_frame or .debug_frame: libdw's, the caller's to free(); NULL where there
 * are none. */
Dwarf_Frame *symbols_frame(const struct symbols *s, uint64_t pc);

#endif
