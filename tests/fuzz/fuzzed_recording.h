/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sound recording around the columns of one part, which are an input of a fuzzer. What stands before the part is the
 * same for all inputs, and is written once. */
#ifndef TESTS_FUZZ_FUZZED_RECORDING_H
#define TESTS_FUZZ_FUZZED_RECORDING_H

#include <stdint.h>
#include <stdlib.h>

#include "core-model/record/facts.h"
#include "core-model/record/part.h"

/* Zero-initialised: not begun. */
struct fuzzed_recording {
    FILE *stream;
    struct part_writer *parts;
    char *bytes; /* of the recording; valid after fuzzed_recording_end */
    size_t size;
    long head_bytes;
};

/* Writes the part HEAD, and empties `facts`. */
static inline void fuzzed_recording_begin(struct fuzzed_recording *r, struct column *facts)
{
    r->stream = open_memstream(&r->bytes, &r->size);
    if (r->stream == NULL)
        BUG("no stream in memory");
    r->parts = part_writer_new(r->stream);
    record_begin_file(r->stream);
    part_write(r->parts, RECORD_PART_HEAD, facts);
    r->head_bytes = ftell(r->stream);
}

/* Writes a part behind HEAD, in place of what the last input had there. Its columns are those of the input: their
 * lengths, two bytes each, and their bytes; it must have the lengths. */
static inline void fuzzed_recording_put(struct fuzzed_recording *r, enum record_part kind, unsigned columns,
                                        const uint8_t *data, size_t size)
{
    static struct column column[RECORD_COLUMNS]; /* empty between two calls */
    size_t at = 2 * (size_t)columns;
    for (unsigned n = 0; n < columns; n++) {
        size_t wanted = (size_t)data[2 * n] | (size_t)data[2 * n + 1] << 8;
        for (; wanted > 0 && at < size; wanted--)
            column_put(&column[n], data[at++]);
    }
    if (fseek(r->stream, r->head_bytes, SEEK_SET) != 0)
        BUG("a stream in memory cannot be positioned");
    part_write(r->parts, kind, column);
}

/* Makes `bytes` and `size` those of the recording as it is. */
static inline void fuzzed_recording_end(struct fuzzed_recording *r)
{
    if (fflush(r->stream) != 0)
        BUG("a stream in memory cannot be written");
}

#endif
