/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a recording, written to and read from a stream. The reader trusts nothing in the file. */
#ifndef CORE_MODEL_RECORD_PART_H
#define CORE_MODEL_RECORD_PART_H

#include <stdio.h>

#include "core-model/record/format.h"

/* Writes the magic and the version. Errors of the stream are found when it is closed. */
void record_begin_file(FILE *out);

struct part_writer;
struct part_writer *part_writer_new(FILE *out); /* the stream is borrowed */
void part_writer_free(struct part_writer *w);
/* Writes a part, which has as many columns as its kind has, and empties them. */
void part_write(struct part_writer *w, enum record_part kind, struct column *columns);

/* Reads the parts of a file in order. */
struct part_reader;
/* `name` is for messages. Both are borrowed. Errors: ST_FORMAT or ST_VERSION, with the offset. */
enum status part_reader_new(struct part_reader **r, FILE *in, const char *name, struct errmsg *err) MUST_USE;
void part_reader_free(struct part_reader *r);
/* Reads the next part; of a BLOCK the columns whose bits are in `wanted` are decompressed. `columns` has RECORD_COLUMNS
 * places. The bytes are the reader's, until the next call. */
enum status part_read(struct part_reader *r, enum record_part *kind, struct column_cursor *columns, uint32_t wanted,
                      struct errmsg *err) MUST_USE;
/* The offset of the part read last. */
uint64_t part_offset(const struct part_reader *r);
/* Is the reader behind the last byte of the file? */
bool part_at_end(struct part_reader *r);

#endif
