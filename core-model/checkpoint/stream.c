/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/checkpoint/stream.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/little_endian.h"
#include "core-model/checkpoint/format.h"

enum { NUMBER_BYTES = 8, TEXTS_MOST = 1 << 20 };

struct checkpoint_stream checkpoint_stream_of(const uint8_t *bytes, size_t size_bytes)
{
    return (struct checkpoint_stream){.reads = true, .byte = (uint8_t *)(uintptr_t)bytes, .size = size_bytes};
}

void checkpoint_stream_free(struct checkpoint_stream *s)
{
    if (!s->reads)
        free(s->byte);
    *s = (struct checkpoint_stream){0};
}

void checkpoint_refuse(struct checkpoint_stream *s, const char *fmt, ...)
{
    va_list ap;
    if (s->failed)
        return;
    s->failed = true;
    va_start(ap, fmt);
    char *what = xvasprintf(fmt, ap);
    va_end(ap);
    (void)fail(&s->why, ST_FORMAT, "byte %zu of the state, %s: %.300s", s->at,
               s->section != NULL ? s->section : "begin", what);
    free(what);
}

static void stream_append(struct checkpoint_stream *s, const void *bytes, size_t size_bytes)
{
    if (s->capacity - s->size < size_bytes) {
        s->capacity = 2 * s->capacity + size_bytes;
        s->byte = xrealloc(s->byte, s->capacity);
    }
    memcpy(s->byte + s->size, bytes, size_bytes);
    s->size += size_bytes;
}

/* The next bytes of a stream that is read; NULL: it has failed. */
static const uint8_t *stream_take(struct checkpoint_stream *s, size_t size_bytes)
{
    if (!s->failed && s->size - s->at < size_bytes)
        checkpoint_refuse(s, "expected %zu bytes, found %zu", size_bytes, s->size - s->at);
    if (s->failed)
        return NULL;
    s->at += size_bytes;
    return s->byte + s->at - size_bytes;
}

void checkpoint_move_bytes(struct checkpoint_stream *s, void *bytes, size_t size_bytes)
{
    if (size_bytes == 0)
        return;
    if (!s->reads) {
        stream_append(s, bytes, size_bytes);
        return;
    }
    const uint8_t *from = stream_take(s, size_bytes);
    if (from != NULL)
        memcpy(bytes, from, size_bytes);
    else
        memset(bytes, 0, size_bytes);
}

void checkpoint_skip(struct checkpoint_stream *s, size_t size_bytes) { (void)stream_take(s, size_bytes); }

uint64_t checkpoint_move(struct checkpoint_stream *s, uint64_t n, uint64_t least, uint64_t most)
{
    uint8_t bytes[NUMBER_BYTES];
    little_endian_put(bytes, n, sizeof bytes);
    checkpoint_move_bytes(s, bytes, sizeof bytes);
    n = little_endian_get(bytes, sizeof bytes);
    if (s->reads && !s->failed && (n < least || n > most))
        checkpoint_refuse(s, "expected a number from %" PRIu64 " to %" PRIu64 ", found %" PRIu64, least, most, n);
    return s->failed ? least : n;
}

int64_t checkpoint_move_signed(struct checkpoint_stream *s, int64_t n, int64_t least, int64_t most)
{
    n = (int64_t)checkpoint_move(s, (uint64_t)n, 0, UINT64_MAX);
    if (s->reads && !s->failed && (n < least || n > most))
        checkpoint_refuse(s, "expected a number from %" PRId64 " to %" PRId64 ", found %" PRId64, least, most, n);
    return s->failed ? least : n;
}

void checkpoint_section(struct checkpoint_stream *s, const char *name)
{
    const uint64_t hash = fnv_extend(FNV_NONE, name, strlen(name)), found = checkpoint_move(s, hash, 0, UINT64_MAX);
    if (!s->failed && found != hash)
        checkpoint_refuse(s, "expected the begin of %s, found something else", name);
    s->section = name;
}

static void stream_write_text(struct checkpoint_stream *s, const char *text)
{
    checkpoint_move(s, text != NULL, 0, 1);
    if (text == NULL)
        return;
    const size_t length = strlen(text);
    checkpoint_move(s, length, 0, CHECKPOINT_TEXT_MOST);
    stream_append(s, text, length);
}

/* A new text, or NULL. */
static char *stream_read_text(struct checkpoint_stream *s)
{
    if (checkpoint_move(s, 0, 0, 1) == 0)
        return NULL;
    const size_t length = (size_t)checkpoint_move(s, 0, 0, CHECKPOINT_TEXT_MOST);
    const uint8_t *from = stream_take(s, length);
    if (from != NULL && memchr(from, '\0', length) == NULL)
        return xasprintf("%.*s", (int)length, (const char *)from);
    checkpoint_refuse(s, "expected a text without NUL");
    return NULL;
}

void checkpoint_move_text(struct checkpoint_stream *s, char **text)
{
    if (s->reads)
        *text = stream_read_text(s);
    else
        stream_write_text(s, *text);
}

void checkpoint_move_texts(struct checkpoint_stream *s, char ***texts)
{
    size_t count = 0;
    while (!s->reads && (*texts)[count] != NULL)
        count++;
    count = (size_t)checkpoint_move(s, count, 0, TEXTS_MOST);
    if (s->reads)
        *texts = xcalloc(1, sizeof **texts);
    for (size_t i = 0; i < count && !s->failed; i++) {
        if (s->reads) {
            *texts = xrealloc(*texts, (i + 2) * sizeof **texts);
            (*texts)[i] = (*texts)[i + 1] = NULL;
        }
        checkpoint_move_text(s, &(*texts)[i]);
        if (!s->failed && (*texts)[i] == NULL)
            checkpoint_refuse(s, "expected a text, found none");
    }
}
