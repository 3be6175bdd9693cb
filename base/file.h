/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole-file input. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

/* Reads all of `path` ("-": standard input) into a new, NUL-terminated buffer *data, which the caller frees. A
 * directory, or a file that is unreadable or larger than `max_bytes`, is an error. */
enum status file_read(const char *path, size_t max_bytes, char **data, size_t *size_bytes, struct errmsg *err) MUST_USE;

/* file_read of an open stream, which stays open; `name` is for messages. */
enum status file_read_stream(FILE *in, const char *name, size_t max_bytes, char **data, size_t *size_bytes,
                             struct errmsg *err) MUST_USE;

/* file_read_stream of a text whose beginning may show that the rest is useless, such as /dev/zero: after each block
 * `goes_on` is called with the text read so far. If it returns false, the text ends behind the last whole line. */
typedef bool file_goes_on(void *ctx, const char *text, size_t size_bytes);
enum status file_read_while(FILE *in, const char *name, size_t max_bytes, file_goes_on *goes_on, void *ctx, char **data,
                            size_t *size_bytes, struct errmsg *err) MUST_USE;

/* Returns whether a text begins with a UTF-8 byte order mark. */
bool file_has_byte_order_mark(const char *text, size_t size_bytes);

/* Returns whether both paths name the same regular file, existing or not, also through links. */
bool file_is_same(const char *a, const char *b);

/* Returns whether an output of this name goes to standard output: "-", /dev/stdout, or a link to that. */
bool file_is_standard_output(const char *path);

#endif
