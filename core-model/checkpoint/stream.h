/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers and texts of a checkpoint's state, in order. One function for each structure moves its members in both
 * directions, so what is written is what is read. What is read is not trusted: a number has limits, and the first one
 * outside of them, or behind the end, fails the stream. From then on zeros are read. */
#ifndef CORE_MODEL_CHECKPOINT_STREAM_H
#define CORE_MODEL_CHECKPOINT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* All zero: a stream that is written. */
struct checkpoint_stream {
    bool reads;
    uint8_t *byte;         /* of a stream that is written: owned, freed by checkpoint_stream_free */
    size_t size, capacity; /* in bytes; capacity: of a stream that is written */
    size_t at;             /* of a stream that is read: the next byte */
    const char *section;   /* the last one begun; NULL: none */
    bool failed;
    struct errmsg why; /* if it has failed */
};

/* A stream that reads the bytes (borrowed). */
struct checkpoint_stream checkpoint_stream_of(const uint8_t *bytes, size_t size_bytes);
void checkpoint_stream_free(struct checkpoint_stream *s);
/* Fails the stream, unless it has failed before. */
void checkpoint_refuse(struct checkpoint_stream *s, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Begins the members of a subject; the name (static) is for messages. */
void checkpoint_section(struct checkpoint_stream *s, const char *name);
/* Writes the number, or reads one in its place: the number that is now the member's. It is least to most. */
uint64_t checkpoint_move(struct checkpoint_stream *s, uint64_t n, uint64_t least, uint64_t most);
int64_t checkpoint_move_signed(struct checkpoint_stream *s, int64_t n, int64_t least, int64_t most);
void checkpoint_move_bytes(struct checkpoint_stream *s, void *bytes, size_t size_bytes);
/* Passes over bytes of a stream that is read. */
void checkpoint_skip(struct checkpoint_stream *s, size_t size_bytes);
/* A text, which is allocated where it is read; it may be NULL. */
enum { CHECKPOINT_TEXT_MOST = 1 << 20 };
void checkpoint_move_text(struct checkpoint_stream *s, char **text);
/* A NULL-terminated list of texts; both are allocated where they are read. */
void checkpoint_move_texts(struct checkpoint_stream *s, char ***texts);

/* A member of an unsigned type, without limits but those of its type. */
#define CHECKPOINT_MOVE(s, member) \
    ((member) = (__typeof__(member))checkpoint_move((s), (uint64_t)(member), 0, (__typeof__(member))-1))

#endif
