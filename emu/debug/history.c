/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input log is a byte string in chunks. An input is encoded as its kind, the differences of cycle and counters to
 * the previous input, and its values, all as varints. An input does not cross a chunk boundary. */
#include "emu/debug/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/varint.h"

enum {
    CHUNK_BYTES = 1 << 16,
    MOST_BYTES = 256 /* maximum size of an encoded input */,
    SKIP = 0xff,
    FIRST_INTERVAL = 1024,
    SNAPSHOT_LOG_BYTES = 1 << 18
};

int moment_compare(const struct moment *x, const struct moment *y)
{
    if (x->words != y->words)
        return x->words < y->words ? -1 : 1;
    if (x->inputs != y->inputs)
        return x->inputs < y->inputs ? -1 : 1;
    return x->phase < y->phase ? -1 : x->phase > y->phase;
}

void history_init(struct history *h, size_t limit_bytes, const struct cop *cop)
{
    *h = (struct history){.limit_bytes = limit_bytes, .interval = FIRST_INTERVAL, .snapshot_bytes = cop_bytes(cop)};
}

void history_clear(struct history *h)
{
    for (unsigned i = 0; i < h->snapshots; i++)
        cop_free(h->snapshot[i].cop);
    for (unsigned i = 0; i < h->chunks; i++)
        free(h->chunk[i]);
    h->snapshots = h->chunks = 0;
    h->first_chunk = 0;
    h->interval = FIRST_INTERVAL;
    h->end = (struct history_cursor){0};
    h->forgot = false;
}

void history_fini(struct history *h)
{
    history_clear(h);
    free(h->snapshot);
    free(h->chunk);
}

bool history_has(const struct history *h, const struct history_cursor *cursor)
{
    return cursor->at / CHUNK_BYTES >= h->first_chunk;
}

static size_t log_bytes(const struct history *h) { return (size_t)h->chunks * CHUNK_BYTES; }
static size_t snapshot_bytes(const struct history *h) { return h->snapshots * h->snapshot_bytes; }
size_t history_bytes(const struct history *h) { return log_bytes(h) + snapshot_bytes(h); }

static uint8_t *byte_at(const struct history *h, uint64_t at)
{
    return &h->chunk[at / CHUNK_BYTES - h->first_chunk][at % CHUNK_BYTES];
}

/* Drops all snapshots and inputs before snapshot n. */
static void drop_before(struct history *h, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        cop_free(h->snapshot[i].cop);
    h->snapshots -= n;
    memmove(h->snapshot, h->snapshot + n, h->snapshots * sizeof *h->snapshot);
    unsigned chunks = (unsigned)(h->snapshot[0].cursor.at / CHUNK_BYTES - h->first_chunk);
    for (unsigned i = 0; i < chunks; i++)
        free(h->chunk[i]);
    h->chunks -= chunks;
    h->first_chunk += chunks;
    memmove(h->chunk, h->chunk + chunks, h->chunks * sizeof *h->chunk);
    h->forgot = true;
}

static void bound_log(struct history *h)
{
    uint64_t begin = h->first_chunk * CHUNK_BYTES, goal = begin + log_bytes(h) / 4;
    if (log_bytes(h) <= h->limit_bytes / 2 || h->snapshots < 2)
        return;
    unsigned n = 1;
    while (n + 1 < h->snapshots && h->snapshot[n].cursor.at < goal)
        n++;
    drop_before(h, n);
}

/* Drops every second snapshot; keeps the first. */
static void bound_snapshots(struct history *h)
{
    while (snapshot_bytes(h) > h->limit_bytes / 2 && h->snapshots > 2) {
        unsigned kept = 0;
        for (unsigned i = 0; i < h->snapshots; i++) {
            if (i % 2 == 0)
                h->snapshot[kept++] = h->snapshot[i];
            else
                cop_free(h->snapshot[i].cop);
        }
        h->snapshots = kept;
        h->interval *= 2;
    }
}

static void add_chunk(struct history *h)
{
    if (h->chunks == h->chunk_room) {
        h->chunk_room = h->chunk_room * 2 + 16;
        h->chunk = xrealloc(h->chunk, h->chunk_room * sizeof *h->chunk);
    }
    h->chunk[h->chunks++] = xmalloc(CHUNK_BYTES);
}

void history_add(struct history *h, const struct history_input *in)
{
    struct history_cursor *end = &h->end;
    if (h->chunks == 0)
        add_chunk(h);
    if (end->at % CHUNK_BYTES > CHUNK_BYTES - MOST_BYTES) {
        *byte_at(h, end->at) = SKIP;
        end->at += CHUNK_BYTES - end->at % CHUNK_BYTES;
        add_chunk(h);
    }
    uint8_t *start = byte_at(h, end->at), *to = start;
    *to++ = (uint8_t)in->kind;
    to += varint_put(to, zigzag(in->cycle - end->cycle));
    to += varint_put(to, zigzag(in->offered - end->offered));
    to += varint_put(to, zigzag(in->filtered - end->filtered));
    to += varint_put(to, zigzag(in->eligible - end->eligible));
    if (in->kind == INPUT_SAMPLE) {
        *to++ = (uint8_t)in->opclass;
        *to++ = (uint8_t)in->fields;
        for (unsigned i = 0; i < in->fields; i++)
            to += varint_put(to, in->field[i]);
    } else {
        to += varint_put(to, in->place.region);
        to += varint_put(to, in->place.element);
        to += varint_put(to, in->value);
    }
    *end = (struct history_cursor){end->at + (uint64_t)(to - start), in->cycle, in->offered, in->filtered,
                                   in->eligible};
    bound_log(h);
}

bool history_read(const struct history *h, struct history_cursor *cursor, struct history_input *in)
{
    if (cursor->at == h->end.at)
        return false;
    const uint8_t *start = byte_at(h, cursor->at), *from = start;
    if (*from == SKIP) {
        cursor->at += CHUNK_BYTES - cursor->at % CHUNK_BYTES;
        from = start = byte_at(h, cursor->at);
    }
    in->kind = *from++;
    in->cycle = cursor->cycle + zigzag_difference(varint_take(&from));
    in->offered = cursor->offered + zigzag_difference(varint_take(&from));
    in->filtered = cursor->filtered + zigzag_difference(varint_take(&from));
    in->eligible = cursor->eligible + zigzag_difference(varint_take(&from));
    if (in->kind == INPUT_SAMPLE) {
        in->opclass = *from++;
        in->fields = *from++;
        for (unsigned i = 0; i < in->fields; i++)
            in->field[i] = varint_take(&from);
    } else {
        in->place.region = (enum bus_address)varint_take(&from);
        in->place.element = (unsigned)varint_take(&from);
        in->value = varint_take(&from);
    }
    *cursor = (struct history_cursor){cursor->at + (uint64_t)(from - start), in->cycle, in->offered, in->filtered,
                                      in->eligible};
    return true;
}

bool history_snapshot_due(const struct history *h, const struct moment *at)
{
    if (h->snapshots == 0)
        return true;
    const struct snapshot *last = &h->snapshot[h->snapshots - 1];
    return at->words - last->at.words >= h->interval || h->end.at - last->cursor.at >= SNAPSHOT_LOG_BYTES;
}

void history_keep(struct history *h, const struct snapshot *s)
{
    if (h->snapshots == h->room) {
        h->room = h->room * 2 + 16;
        h->snapshot = xrealloc(h->snapshot, h->room * sizeof *h->snapshot);
    }
    h->snapshot[h->snapshots] = *s;
    h->snapshot[h->snapshots++].cursor = h->end;
    bound_snapshots(h);
}

unsigned history_before(const struct history *h, const struct moment *at)
{
    unsigned low = 0, high = h->snapshots;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (moment_compare(&h->snapshot[middle].at, at) < 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}
