/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole-file input, and output that appears complete or not at all. */
#ifndef ISA_SUPPORT_FILE_H
#define ISA_SUPPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "isa/support/status.h"

/* Reads all of `path` ("-" is standard input) into a fresh buffer with a NUL behind its last byte.
 * *data is the caller's, for free(). A file over `max_bytes`, a directory or an unreadable one is an error. */
enum status file_read(const char *path, size_t max_bytes, char **data, size_t *size_bytes, struct errmsg *err) MUST_USE;

/* Does a text begin with the three bytes by which some editors mark UTF-8? */
bool file_has_byte_order_mark(const char *text, size_t size_bytes);

/* Do both name one regular file, under whatever names, be it there or still to be made? */
bool file_is_same(const char *a, const char *b);

/* A file being written. It gets its name only in outfile_commit, when all of it is on the disk. */
struct outfile {
    FILE *stream;      /* write here */
    char *path, *temp; /* temp is NULL where the output is a stream: "-", a pipe, a device */
};

/* Opens `path` for writing; "-" is standard output. */
enum status outfile_open(struct outfile *f, const char *path, struct errmsg *err) MUST_USE;
/* Flushes, closes and gives the file its name; on error nothing is left behind. */
enum status outfile_commit(struct outfile *f, struct errmsg *err) MUST_USE;
/* When the tool ends well and what it printed on standard output cannot be written, it says so and ends with
 * EXIT_BAD_INPUT. Of --help and its like no other name. `tool` is borrowed for ever. */
void file_check_standard_output(const char *tool);
/* Drops what was written. */
void outfile_abort(struct outfile *f);

#endif
