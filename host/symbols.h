/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbolisation of addresses in a program and its mapped libraries: functions, variables and source lines, by libdw.
 * Results are cached. */
#ifndef HOST_SYMBOLS_H
#define HOST_SYMBOLS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "isa/support/status.h"

struct symbols;

struct place {
    uint64_t address;     /* link-time address in the file; the pc itself if it is in no file */
    const char *library;  /* file name without directories; NULL: the program itself, or unknown */
    const char *function; /* function, or variable for a data address; NULL: unknown */
    uint64_t offset;      /* from the start of the function or variable */
    const char *file;     /* file name without directories; NULL: no line information */
    int line;
};

/* Opens the ELF file's symbol table and DWARF. A file without either is not an error: its places are unknown. */
enum status symbols_new(struct symbols **s, const char *elf_path, struct errmsg *err) MUST_USE;
void symbols_free(struct symbols *s);
/* Sets the load bias of a position-independent program. Called before the first look-up. */
void symbols_set_bias(struct symbols *s, uint64_t bias);
/* Adds a library: its file's segment at `offset` is mapped at [start, end). If mappings overlap, the last one is
 * used. Places in an unreadable file have no names. */
void symbols_add_library(struct symbols *s, const char *path, uint64_t start, uint64_t end, uint64_t offset);
/* Finds the place of an address. Its strings are owned by the symbols. */
struct place symbols_find(const struct symbols *s, uint64_t pc);

/* Finds the start of the program's function `name`; false: there is none. */
bool symbols_address(const struct symbols *s, const char *name, uint64_t *pc);

/* Calls `see` for the name of each function of the program. */
void symbols_each(const struct symbols *s, void (*see)(void *ctx, const char *name), void *ctx);

/* Calls `see` for the start of each function with a size in the program and its libraries, in unspecified order. */
void symbols_each_entry(const struct symbols *s, void (*see)(void *ctx, uint64_t start), void *ctx);
/* Calls `see` for each executable section [start, end) of the program and its libraries. */
void symbols_each_range(const struct symbols *s, void (*see)(void *ctx, uint64_t start, uint64_t end), void *ctx);

/* The call frame rules at an address, from .eh_frame or .debug_frame, as libdw's structure, freed by the caller with
 * free(). NULL: there are none. */
Dwarf_Frame *symbols_frame(const struct symbols *s, uint64_t pc);

#endif
