/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the tools by their first bytes, for messages about a file in the wrong place. */
#ifndef BASE_FILE_FORM_H
#define BASE_FILE_FORM_H

#include <stddef.h>

#include "base/status.h"

enum file_form {
#define FORM(symbol, name, hint) FILE_FORM_##symbol,
#include "base/file_form.def"
    FILE_FORM_OTHER
};

/* The form of a regular file by its first n bytes and, for sources, its name. */
enum file_form file_form_of(const char *path, const unsigned char *head, size_t n);

/* Fails with `st` and "PATH: expected EXPECTED, found KIND", and for a file of the tools with what to do with it. */
enum status file_form_refuse(const char *path, const unsigned char *head, size_t n, const char *expected,
                             enum status st, struct errmsg *err);
/* The same, and reads the first bytes of the file. ST_OK, without an error: it cannot be read, is not a regular file,
 * or has the form `expected_form`. */
enum status file_form_check(const char *path, enum file_form expected_form, const char *expected, enum status st,
                            struct errmsg *err) MUST_USE;

#endif
