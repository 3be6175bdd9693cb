/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading and writing of the parts of a recording. The reader validates all data in the file. */
#ifndef CORE_MODEL_RECORD_PART_H
#define CORE_MODEL_RECORD_PART_H

#include <stdio.h>

#include "core-model/record/format.h"

/* Whether a file with this first character, or EOF, can be a recording. */
bool record_begins(int first);
/* Writes magic and version. Stream errors are detected when the stream is closed. */
void record_begin_file(FILE *out);

struct part_writer;
struct part_writer *part_writer_new(FILE *out); /* the stream is borrowed */
void part_writer_free(struct part_writer *w);
/* Writes a part with the columns of its kind, and empties the columns. */
void part_write(struct part_writer *w, enum record_part kind, struct column *columns);

/* Reads the parts of a file in order. */
struct part_reader;
/* `name` is for messages; `in` and `name` are borrowed. Errors: ST_FORMAT or ST_VERSION, with the file offset. */
enum status part_reader_new(struct part_reader **r, FILE *in, const char *name, struct errmsg *err) MUST_USE;
void part_reader_free(struct part_reader *r);
/* Reads the next part. Of a BLOCK, only the columns in the bit mask `wanted` are decompressed. `columns` has
 * RECORD_COLUMNS elements. The reader owns the bytes, which are valid until the next call. */
enum status part_read(struct part_reader *r, enum record_part *kind, struct column_cursor *columns, uint32_t wanted,
                      struct errmsg *err) MUST_USE;
/* File offset of the last part read. */
uint64_t part_offset(const struct part_reader *r);
/* Returns whether the reader is at the end of the file. */
bool part_at_end(struct part_reader *r);

#endif
