/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines of the program and its libraries, from the line tables of its debugging information: the addresses of a
 * line, the line of an address, and the calls inlined there. */
#ifndef HOST_SYMBOLS_SOURCE_LINES_H
#define HOST_SYMBOLS_SOURCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct symbols;

/* Where a line's code begins. */
struct source_place {
    uint64_t pc;
    int line; /* that of the code: the first one from the line asked for that has any */
};

/* Finds the first address of the line in each function of the program and its libraries that has code of it, in
 * ascending order, for the caller to free; their number in *count. See line_code_find. */
enum status source_lines_find(const struct symbols *s, const char *file, int line, struct source_place **place,
                              size_t *count, struct errmsg *err) MUST_USE;

/* The path of a source file: a relative one is of the folder of the compilation, unless that is NULL, or itself
 * relative, as a prefix map makes it. The caller frees it. */
char *source_path_join(const char *folder, const char *file);
/* Removes from a path, in place, what does not change its file unless a folder is a symbolic link: "a//b", "a/./b",
 * "a/c/../b" become "a/b". */
void source_path_simplify(char *path);

/* Sets the path of the source file of an instruction, for the caller to free, and its line; false: unknown. */
bool source_lines_at(const struct symbols *s, uint64_t pc, char **path, int *line);

/* A call that the compiler has inlined. */
struct source_inlined {
    const char *name; /* of the function that is inlined; NULL: unknown. The symbols own it */
    const char *file; /* last part of the path of the file with the call; NULL: unknown. The symbols own it */
    int line;         /* of the call */
};
/* The calls inlined at an instruction, the innermost first, at most `room`; returns their number. */
size_t source_lines_inlined(const struct symbols *s, uint64_t pc, struct source_inlined *call, size_t room);

#endif
