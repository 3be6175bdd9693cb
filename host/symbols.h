/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From addresses to functions and source lines, by libdw, with what was found kept: of a program and the libraries it
 * has mapped. */
#ifndef HOST_SYMBOLS_H
#define HOST_SYMBOLS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "isa/support/status.h"

struct symbols;

/* The start of the code in memory that no file is mapped to; not an address of an instruction. */
#define SYMBOLS_ANONYMOUS UINT64_MAX

/* What is at an address. Address 0 stands for no instruction: its place is empty. */
struct place {
    uint64_t address;     /* in the file, as the linker gave it; the pc itself where no file is mapped there */
    const char *library;  /* last part of its path; NULL for the functions of the program itself. Where no function is
                             known the file, also if that is the program; "anonymous" where no file is mapped */
    const char *function; /* demangled; NULL where unknown */
    uint64_t offset;      /* from the function's start */
    uint64_t start;       /* the function's in memory; of code without one, an address that stands for all of the file's
                             or SYMBOLS_ANONYMOUS */
    const char *file;     /* NULL where there is no line information; the last part of the path */
    int line;
};

/* Opens the ELF file's symbol table and DWARF. A file without either is no error: the places are then unknown. Those of
 * a separate debug file count where the file has none; it is looked for by build ID and by .gnu_debuglink in the
 * folders of `debug_path`, as libdwfl writes it: "" is that of the file, ":.debug" that and its subfolder, and
 * ":.debug:/usr/lib/debug" these and a tree of debug files. */
enum status symbols_new(struct symbols **s, const char *elf_path, const char *debug_path, struct errmsg *err) MUST_USE;
void symbols_free(struct symbols *s);
/* For a position-independent program: it is loaded `bias` above the file's own addresses. To be called before the first
 * look-up. */
void symbols_set_bias(struct symbols *s, uint64_t bias);
/* A library of the program's: what its file holds from `offset` on, which is the beginning of a segment, is at [start,
 * end). Of several at an address the last one counts. A file that cannot be read gives its places no name. */
void symbols_add_library(struct symbols *s, const char *path, uint64_t start, uint64_t end, uint64_t offset);
/* The strings are the symbols'. */
struct place symbols_find(const struct symbols *s, uint64_t pc);

/* Name of what has this start: the function; "[FILE]" for a file's code without one; "(unknown)" where nothing is
 * known, or where `s` is NULL. The caller's to free. Sets the library of a function; NULL: none. */
char *symbols_function(const struct symbols *s, uint64_t start, const char **library);

/* Where the program's function `name` starts; false where there is none. The name is that of the symbol or the
 * demangled one, also without parameters if one function alone has it. */
bool symbols_address(const struct symbols *s, const char *name, uint64_t *pc);

/* Calls `see` for the names of each function of the program's: the symbol and, without parameters, the demangled one.
 */
void symbols_each(const struct symbols *s, void (*see)(void *ctx, const char *name), void *ctx);

/* Calls `see` for the start of each sized function of the program and its libraries, in no order. */
void symbols_each_entry(const struct symbols *s, void (*see)(void *ctx, uint64_t start), void *ctx);
/* Calls `see` for each executable section [start, end) of the program and its libraries. */
void symbols_each_range(const struct symbols *s, void (*see)(void *ctx, uint64_t start, uint64_t end), void *ctx);

/* The call frame rules at an address, from .eh_frame or .debug_frame: libdw's, the caller's to free(); NULL where there
 * are none. */
Dwarf_Frame *symbols_frame(const struct symbols *s, uint64_t pc);

#endif
