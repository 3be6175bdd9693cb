/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole-file input and atomic output: a file appears complete or not at all. */
#ifndef ISA_SUPPORT_FILE_H
#define ISA_SUPPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "isa/support/status.h"

/* Reads all of `path` ("-": standard input) into a new, NUL-terminated buffer *data, which the caller frees. A
 * directory, or a file that is unreadable or larger than `max_bytes`, is an error. */
enum status file_read(const char *path, size_t max_bytes, char **data, size_t *size_bytes, struct errmsg *err) MUST_USE;

/* Returns whether a text begins with a UTF-8 byte order mark. */
bool file_has_byte_order_mark(const char *text, size_t size_bytes);

/* Returns whether both paths name the same regular file, existing or not. */
bool file_is_same(const char *a, const char *b);

/* An output file. outfile_commit renames it to its final name when all data has been written. */
struct outfile {
    FILE *stream;      /* write here */
    char *path, *temp; /* temp: NULL if written directly: "-", a pipe, a device */
};

/* Opens `path` for writing; "-" is standard output. */
enum status outfile_open(struct outfile *f, const char *path, struct errmsg *err) MUST_USE;
/* Flushes, closes and renames the file; on error it is removed. */
enum status outfile_commit(struct outfile *f, struct errmsg *err) MUST_USE;
/* Registers an exit handler that reports a failed write to standard output and exits with EXIT_BAD_INPUT. `tool` is
 * borrowed for the life of the process. */
void file_check_standard_output(const char *tool);
/* Closes and removes the temporary file. */
void outfile_abort(struct outfile *f);

#endif
