/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files that read a report back: position in the file, errors, members of known types.
 * Functions return ST_OK, or the error that they have described. */
#ifndef HOST_REPORT_READ_H
#define HOST_REPORT_READ_H

#include <jansson.h>

#include "base/status.h"
#include "contract/report_tree.h"

/* The path to what is being read, from the inside out. */
struct read_at {
    const struct read_at *up; /* NULL of the root, which has no name */
    const char *key;          /* NULL: an element of an array */
    size_t index;
};

struct reader {
    const char *name; /* of the file */
    struct errmsg *err;
};

/* "FILE: .loads[3].samples: expected a whole number, found a string"; found NULL: nothing is there. */
enum status read_refuse(const struct reader *in, const struct read_at *at, const char *expected,
                        const json_t *found) MUST_USE;
/* read_refuse with a description of what was found. */
enum status read_refuse_words(const struct reader *in, const struct read_at *at, const char *expected,
                              const char *found) MUST_USE;

/* Members of the object at `at`. A text or number that is not there is NULL or 0; texts are borrowed. */
enum status read_text(const struct reader *in, const struct read_at *at, const json_t *j, const char *name,
                      const char **text) MUST_USE;
enum status read_number(const struct reader *in, const struct read_at *at, const json_t *j, const char *name,
                        unsigned *n) MUST_USE;
enum status read_count(const struct reader *in, const struct read_at *at, const json_t *j, const char *name,
                       uint64_t *n) MUST_USE;
enum status read_flag(const struct reader *in, const struct read_at *at, const json_t *j, const char *name,
                      bool *flag) MUST_USE;
enum status read_array(const struct reader *in, const struct read_at *at, const json_t *j, const char *name,
                       const json_t **array) MUST_USE;
enum status read_type(const struct reader *in, const struct read_at *at, const json_t *j,
                      enum report_type *type) MUST_USE;
/* At most DECIMALS_MAX. */
enum { DECIMALS_MAX = 17 };
enum status read_decimals(const struct reader *in, const struct read_at *at, const json_t *j,
                          unsigned *decimals) MUST_USE;

/* Fills a cell of the type with what is at `at`. */
enum status read_cell(const struct reader *in, const struct read_at *at, const json_t *j, enum report_type type,
                      struct report_cell *c) MUST_USE;
enum status read_pair(const struct reader *in, const struct read_at *at, const json_t *j, double pair[2]) MUST_USE;

/* Declares the columns that the description has, and reads the rows, an array at `rows_at`. */
enum status read_columns(const struct reader *in, const struct read_at *at, const json_t *description,
                         struct report_table *t) MUST_USE;
enum status read_rows(const struct reader *in, const struct read_at *rows_at, const json_t *rows,
                      struct report_table *t) MUST_USE;

/* Of a member that is there. */
static inline bool read_is_number(const json_t *j)
{
    return json_typeof(j) == JSON_INTEGER || json_typeof(j) == JSON_REAL;
}

#endif
