/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbolisation of addresses in a program and its mapped libraries: functions, variables and source lines, by libdw.
 * Results are cached. */
#ifndef HOST_SYMBOLS_SYMBOLS_H
#define HOST_SYMBOLS_SYMBOLS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct symbols;

/* Start of the code in memory that no file is mapped to. No instruction has this address. */
#define SYMBOLS_ANONYMOUS UINT64_MAX

/* Place of an address. Address 0 is no instruction: its place is empty. */
struct symbols_place {
    uint64_t address;     /* link-time address in its file; the pc itself if no file is mapped there */
    const char *library;  /* last part of the file's path. With a function: NULL for the program itself. Without a
                             function: the file, also the program; "anonymous" if no file is mapped */
    const char *function; /* demangled function, or, for an address of data, variable; NULL: unknown. Of several of one
                             name in the file, each with its start, "@0xSTART" */
    bool is_unnamed;      /* the function has no symbol: `function` is "[FILE]@0xSTART", and `library` is NULL */
    uint64_t offset;      /* from the start of the function */
    uint64_t start;       /* start of the function in memory. Without a function: an address that represents all code of
                             the file without one, or SYMBOLS_ANONYMOUS */
    const char *file;     /* last part of the source file's path; NULL without line information */
    int line;
};

/* Opens the ELF file's symbol table and DWARF. A file without either is no error: the places are then unknown. If the
 * file has none, those of a separate debug file are used. It is searched by build ID and by .gnu_debuglink in the
 * folders of `debug_path`, in libdwfl's notation: "" is the folder of the file, ":.debug" that folder and its subfolder
 * .debug, and ":.debug:/usr/lib/debug" these and a tree of debug files. */
enum status symbols_new(struct symbols **s, const char *elf_path, const char *debug_path, struct errmsg *err) MUST_USE;
void symbols_free(struct symbols *s);
/* Sets the path of a file, of the program or of a library, and what is not read of its debugging information and why;
 * false if there is no further one. Debug files are opened by the look-ups, which can bring new ones. */
bool symbols_next_remark(struct symbols *s, const char **path, const char **remark);
/* Sets the load address of a position-independent program, `bias` above the link-time addresses. To be called before
 * the first look-up. */
void symbols_set_bias(struct symbols *s, uint64_t bias);
uint64_t symbols_bias(const struct symbols *s);
/* Adds a library: the segment of its file that begins at `offset` is mapped at [start, end). The mapping added last
 * takes precedence. The places of a file that cannot be read have no names. */
void symbols_add_library(struct symbols *s, const char *path, uint64_t start, uint64_t end, uint64_t offset);
/* Returns the place of an instruction. The symbols own the strings. */
struct symbols_place symbols_find(const struct symbols *s, uint64_t pc);
/* Returns the place of data. Without a symbol it has the address alone: files and anonymous memory are named for code
 * only. */
struct symbols_place symbols_find_data(const struct symbols *s, uint64_t address);

/* The file whose code is mapped at an address. */
struct symbols_file {
    const char *path, *name;       /* name: the last part of the path; "anonymous" and path "" if no file is mapped */
    const struct symbols *symbols; /* of this file alone; NULL: no file, or one that cannot be read */
    uint64_t address;              /* link-time address of the pc, as in struct place */
};
/* Returns the file of an instruction. The symbols own what it points to. */
struct symbols_file symbols_file_at(const struct symbols *s, uint64_t pc);

/* For the `symbols` of a struct symbols_file: calls `see` for its functions, in ascending order of their link-time
 * addresses [start, end), which do not overlap: those of the places. Of several at one address the printed one is seen;
 * a label or function inside a function with a size is part of that function. The symbols own the names. */
struct symbols_function {
    uint64_t start, end;
    const char *symbol, *shown; /* the symbol; the demangled name, which others can have too */
};
void symbols_each_function(const struct symbols *file, void (*see)(void *ctx, const struct symbols_function *f),
                           void *ctx);
/* Calls `see` for the program and for each library that can be read. */
void symbols_each_file(const struct symbols *s, void (*see)(void *ctx, const struct symbols *file), void *ctx);
/* libdwfl's view of such a file. */
Dwfl_Module *symbols_dwfl(const struct symbols *file);

/* Name of the code with this `start` of its places: the function; "[FILE]" for a file's code without one; "(unknown)"
 * if nothing is known, or if `s` is NULL. The caller frees it. Sets the library of a function; NULL: none. */
char *symbols_function(const struct symbols *s, uint64_t start, const char **library);

/* Finds the start of the function `name` of the program or else of its libraries; false if there is none. The name is
 * the symbol, the demangled name, the demangled name without parameters or in its short form
 * (host/symbols/short_name.h) if only one function has it, or that of a place. */
bool symbols_address(const struct symbols *s, const char *name, uint64_t *pc);

/* Finds the start of the program's variable `name` in the same way. */
bool symbols_variable(const struct symbols *s, const char *name, uint64_t *address);

/* Calls `see` for the names of each function of the program: the symbol and, without parameters, the demangled name. */
void symbols_each(const struct symbols *s, void (*see)(void *ctx, const char *name), void *ctx);

/* Calls `see` for the start of each function with a size in the program and its libraries, in unspecified order. */
void symbols_each_entry(const struct symbols *s, void (*see)(void *ctx, uint64_t start), void *ctx);
/* Calls `see` for each executable section [start, end) of the program and its libraries. */
void symbols_each_range(const struct symbols *s, void (*see)(void *ctx, uint64_t start, uint64_t end), void *ctx);

/* Returns the call frame rules at an address, from .eh_frame or .debug_frame, or NULL. The caller frees them with
 * free(). */
Dwarf_Frame *symbols_frame(const struct symbols *s, uint64_t pc);

#endif
