/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/record/part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/file_form.h"
#include "base/file_kind.h"
#include "base/little_endian.h"

enum { PART_HEADER_BYTES = 16, TABLE_ENTRY_BYTES = 8, LEVEL = 3, FILE_HEADER_BYTES = RECORD_MAGIC_BYTES + 4 };

static const uint8_t magic[RECORD_MAGIC_BYTES] = {0x7f, 'P', 'C', 'R', 'E', 'C', '\r', '\n'};
static const char kinds[RECORD_PARTS][5] = {"HEAD", "BLCK", "CODE", "TAIL", "SMPL"};
static const unsigned columns_of[RECORD_PARTS] = {1, RECORD_COLUMNS, 1, 1, SAMPLE_COLUMNS};

/* ---- writing ---- */

struct part_writer {
    FILE *out;
    ZSTD_CCtx *zstd;
    uint8_t *body;
    size_t size, capacity;
};

bool record_begins(int first) { return first == magic[0]; }

void record_begin_file(FILE *out)
{
    uint8_t version[4];
    little_endian_put(version, RECORD_VERSION, sizeof version);
    fwrite(magic, 1, sizeof magic, out);
    fwrite(version, 1, sizeof version, out);
}

struct part_writer *part_writer_new(FILE *out)
{
    struct part_writer *w = xcalloc(1, sizeof *w);
    w->out = out;
    w->zstd = ZSTD_createCCtx();
    if (w->zstd == NULL)
        out_of_memory();
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
    return w;
}

void part_writer_free(struct part_writer *w)
{
    ZSTD_freeCCtx(w->zstd);
    free(w->body);
    free(w);
}

/* Compresses a column and appends it; returns its compressed size in bytes. */
static size_t part_compress(struct part_writer *w, const struct column *c)
{
    size_t most = ZSTD_compressBound(c->size);
    if (w->capacity - w->size < most) {
        w->capacity = w->size + most;
        w->body = xrealloc(w->body, w->capacity);
    }
    size_t bytes = ZSTD_compress2(w->zstd, w->body + w->size, most, c->byte, c->size);
    if (ZSTD_getErrorCode(bytes) == ZSTD_error_memory_allocation)
        out_of_memory();
    if (ZSTD_isError(bytes))
        BUG("zstd: %s", ZSTD_getErrorName(bytes));
    w->size += bytes;
    return bytes;
}

void part_write(struct part_writer *w, enum record_part kind, struct column *columns)
{
    const unsigned count = columns_of[kind];
    uint8_t header[PART_HEADER_BYTES], table[RECORD_COLUMNS * TABLE_ENTRY_BYTES];
    w->size = 0;
    for (unsigned n = 0; n < count; n++) {
        if (columns[n].size > RECORD_COLUMN_MOST)
            BUG("column %u has %zu bytes", n, columns[n].size);
        uint8_t *entry = table + (size_t)n * TABLE_ENTRY_BYTES;
        little_endian_put(entry, columns[n].size, 4);
        little_endian_put(entry + 4, part_compress(w, &columns[n]), 4);
        columns[n].size = 0;
    }
    memcpy(header, kinds[kind], 4);
    little_endian_put(header + 4, count, 4);
    little_endian_put(header + 8, w->size, 8);
    fwrite(header, 1, sizeof header, w->out);
    fwrite(table, TABLE_ENTRY_BYTES, count, w->out);
    fwrite(w->body, 1, w->size, w->out);
}

/* ---- reading ---- */

struct part_reader {
    FILE *in;
    const char *name;
    uint64_t part, offset; /* file offsets: of the last part read; of the next byte */
    ZSTD_DCtx *zstd;       /* from the first column on */
    uint8_t *body;
    size_t capacity;
    uint8_t *raw[RECORD_COLUMNS]; /* decompressed */
    size_t raw_capacity[RECORD_COLUMNS];
};

static enum status read_bytes(struct part_reader *r, void *to, size_t bytes, const char *what, struct errmsg *err)
{
    size_t n = fread(to, 1, bytes, r->in);
    uint64_t at = r->offset;
    r->offset += n;
    if (n == bytes)
        return ST_OK;
    if (ferror(r->in))
        return fail(err, ST_IO, "%s: offset %" PRIu64 ": cannot be read", r->name, at);
    return fail(err, ST_FORMAT,
                "%s: offset %" PRIu64 ": expected %zu bytes of %s, found %zu: the recording is "
                "truncated",
                r->name, at, bytes, what, n);
}

static enum status part_check_file(struct part_reader *r, struct errmsg *err)
{
    uint8_t header[FILE_KIND_BYTES];
    size_t n = fread(header, 1, FILE_HEADER_BYTES, r->in);
    r->offset = n;
    if (n < sizeof magic || memcmp(header, magic, sizeof magic) != 0) {
        n += fread(header + n, 1, sizeof header - n, r->in);
        return file_form_refuse(r->name, header, n, "a recording, which pcemu --record makes", ST_FORMAT, err);
    }
    if (n < FILE_HEADER_BYTES)
        return fail(err, ST_FORMAT,
                    "%s: offset %zu: expected 4 bytes of the version, found %zu: the recording is "
                    "truncated",
                    r->name, sizeof magic, n - sizeof magic);
    uint64_t version = little_endian_get(header + sizeof magic, 4);
    if (version != RECORD_VERSION)
        return fail(err, ST_VERSION, "%s: offset %zu: expected version %d of the format, found %" PRIu64, r->name,
                    sizeof magic, RECORD_VERSION, version);
    return ST_OK;
}

enum status part_reader_new(struct part_reader **out, FILE *in, const char *name, struct errmsg *err)
{
    struct part_reader *r = xcalloc(1, sizeof *r);
    r->in = in;
    r->name = name;
    enum status st = part_check_file(r, err);
    if (st != ST_OK) {
        free(r);
        return st;
    }
    *out = r;
    return ST_OK;
}

void part_reader_free(struct part_reader *r)
{
    if (r == NULL)
        return;
    ZSTD_freeDCtx(r->zstd);
    for (unsigned n = 0; n < RECORD_COLUMNS; n++)
        free(r->raw[n]);
    free(r->body);
    free(r);
}

uint64_t part_offset(const struct part_reader *r) { return r->part; }

bool part_at_end(struct part_reader *r)
{
    int c = getc(r->in);
    if (c != EOF)
        ungetc(c, r->in);
    return c == EOF;
}

static enum status part_find_kind(const struct part_reader *r, const uint8_t header[PART_HEADER_BYTES],
                                  enum record_part *kind, struct errmsg *err)
{
    for (unsigned k = 0; k < RECORD_PARTS; k++)
        if (memcmp(header, kinds[k], 4) == 0 && little_endian_get(header + 4, 4) == columns_of[k]) {
            *kind = (enum record_part)k;
            return ST_OK;
        }
    return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": expected a part of a recording, found something else", r->name,
                r->part);
}

/* Validates the table of columns and allocates buffers for compressed and decompressed columns. */
static enum status check_table(struct part_reader *r, const uint8_t *table, unsigned count, uint64_t bytes,
                               struct errmsg *err)
{
    uint64_t sum = 0;
    for (unsigned n = 0; n < count; n++) {
        uint64_t raw = little_endian_get(table + (size_t)n * TABLE_ENTRY_BYTES, 4);
        uint64_t stored = little_endian_get(table + (size_t)n * TABLE_ENTRY_BYTES + 4, 4);
        if (raw > RECORD_COLUMN_MOST || stored > ZSTD_compressBound((size_t)raw))
            return fail(err, ST_FORMAT,
                        "%s: offset %" PRIu64 ": column %u: expected at most %d bytes, found %" PRIu64 " in %" PRIu64,
                        r->name, r->part, n, RECORD_COLUMN_MOST, raw, stored);
        sum += stored;
    }
    if (sum != bytes)
        return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": expected a part of %" PRIu64 " bytes, found %" PRIu64,
                    r->name, r->part, sum, bytes);
    return ST_OK;
}

static enum status part_decompress(struct part_reader *r, unsigned n, const uint8_t *from, size_t stored, size_t raw,
                                   struct errmsg *err)
{
    if (r->raw_capacity[n] < raw || r->raw[n] == NULL) {
        free(r->raw[n]);
        r->raw[n] = xmalloc(raw > 0 ? raw : 1);
        r->raw_capacity[n] = raw;
    }
    if (r->zstd == NULL && (r->zstd = ZSTD_createDCtx()) == NULL)
        out_of_memory();
    size_t got = ZSTD_decompressDCtx(r->zstd, r->raw[n], raw, from, stored);
    if (ZSTD_isError(got))
        return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": column %u is damaged: %s", r->name, r->part, n,
                    ZSTD_getErrorName(got));
    if (got != raw)
        return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": column %u: expected %zu bytes, found %zu", r->name,
                    r->part, n, raw, got);
    return ST_OK;
}

static enum status read_body(struct part_reader *r, size_t bytes, struct errmsg *err)
{
    if (r->capacity < bytes || r->body == NULL) {
        free(r->body);
        r->body = xmalloc(bytes > 0 ? bytes : 1);
        r->capacity = bytes;
    }
    return read_bytes(r, r->body, bytes, "a part", err);
}

enum status part_read(struct part_reader *r, enum record_part *kind, struct column_cursor *columns, uint32_t wanted,
                      struct errmsg *err)
{
    uint8_t header[PART_HEADER_BYTES], table[RECORD_COLUMNS * TABLE_ENTRY_BYTES];
    r->part = r->offset;
    enum status st = read_bytes(r, header, sizeof header, "a part", err);
    if (st == ST_OK)
        st = part_find_kind(r, header, kind, err);
    if (st != ST_OK)
        return st;
    unsigned count = columns_of[*kind];
    st = read_bytes(r, table, (size_t)count * TABLE_ENTRY_BYTES, "a part", err);
    if (st == ST_OK)
        st = check_table(r, table, count, little_endian_get(header + 8, 8), err);
    if (st == ST_OK)
        st = read_body(r, (size_t)little_endian_get(header + 8, 8), err);
    const uint8_t *from = r->body;
    for (unsigned n = 0; st == ST_OK && n < count; n++) {
        size_t raw = (size_t)little_endian_get(table + (size_t)n * TABLE_ENTRY_BYTES, 4);
        size_t stored = (size_t)little_endian_get(table + (size_t)n * TABLE_ENTRY_BYTES + 4, 4);
        if (*kind != RECORD_PART_BLOCK || (wanted >> n & 1) != 0) {
            st = part_decompress(r, n, from, stored, raw, err);
            columns[n].at = r->raw[n];
            columns[n].end = r->raw[n] + raw;
        }
        from += stored;
    }
    return st;
}
