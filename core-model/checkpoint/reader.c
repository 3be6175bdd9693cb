/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/checkpoint/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/file_form.h"
#include "base/file_kind.h"
#include "base/little_endian.h"
#include "core-model/checkpoint/stream.h"

/* A part of a file, as its header describes it. */
struct stored_part {
    enum checkpoint_part kind;
    uint64_t offset; /* of the header */
    uint32_t raw_bytes, stored_bytes;
};

/* A checkpoint of the folder with pages of this one. */
struct page_source {
    char *name;
    uint8_t digest[SHA1_BYTES];
};

struct checkpoint_reader {
    char *path;
    char *folder; /* absolute: the process may have another working folder when other checkpoints are opened */
    int fd;
    uint64_t file_bytes;
    struct stored_part state, warmed, table, end; /* warmed.raw_bytes 0: there is no such part */
    struct stored_part *frame;                    /* parts with pages */
    size_t frames;
    uint64_t pages;
    uint8_t digest[SHA1_BYTES];          /* of the pages, as the file says */
    uint8_t *state_bytes, *warmed_bytes; /* warmed_bytes NULL: not read */
    struct page_source *source;          /* source n of the runs is source[n - 1] */
    size_t sources;
    struct checkpoint_run *run;
    size_t runs;
    ZSTD_DCtx *zstd;
    uint8_t *body;
    size_t body_capacity;
};

static enum status checkpoint_read_at(struct checkpoint_reader *r, uint64_t offset, void *to, size_t bytes,
                                      const char *what, struct errmsg *err)
{
    size_t done = 0;
    for (ssize_t n; done < bytes; done += (size_t)n) {
        n = pread(r->fd, (uint8_t *)to + done, bytes - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            n = 0;
        else if (n < 0)
            return fail(err, ST_IO, "%s: offset %" PRIu64 ": %s", r->path, offset, strerror(errno));
        else if (n == 0)
            return fail(err, ST_FORMAT,
                        "%s: offset %" PRIu64 ": expected %zu bytes of %s, found %zu: the checkpoint is truncated",
                        r->path, offset, bytes, what, done);
    }
    return ST_OK;
}

static enum status checkpoint_check_head(struct checkpoint_reader *r, struct errmsg *err)
{
    uint8_t head[FILE_KIND_BYTES];
    const ssize_t got = pread(r->fd, head, sizeof head, 0);
    const size_t n = got > 0 ? (size_t)got : 0;
    if (n < sizeof checkpoint_magic || memcmp(head, checkpoint_magic, sizeof checkpoint_magic) != 0)
        return file_form_refuse(r->path, head, n, "a checkpoint, which pcemu --checkpoint-at makes", ST_FORMAT, err);
    enum status st = checkpoint_read_at(r, 0, head, CHECKPOINT_FILE_HEADER, "the version", err);
    const uint64_t version = little_endian_get(head + CHECKPOINT_MAGIC_BYTES, 4);
    if (st == ST_OK && version != CHECKPOINT_VERSION)
        return fail(err, ST_VERSION, "%s: offset %d: expected version %d of the format, found %" PRIu64, r->path,
                    CHECKPOINT_MAGIC_BYTES, CHECKPOINT_VERSION, version);
    return st;
}

/* Reads the header at the offset. */
static enum status read_header(struct checkpoint_reader *r, uint64_t offset, struct stored_part *part,
                               struct errmsg *err)
{
    uint8_t header[CHECKPOINT_PART_HEADER];
    unsigned kind = 0;
    enum status st = checkpoint_read_at(r, offset, header, sizeof header, "a part", err);
    if (st != ST_OK)
        return st;
    while (kind < CHECKPOINT_PARTS && memcmp(header, checkpoint_kinds[kind], 4) != 0)
        kind++;
    if (kind == CHECKPOINT_PARTS)
        return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": expected a part of a checkpoint, found something else",
                    r->path, offset);
    *part = (struct stored_part){.kind = (enum checkpoint_part)kind,
                                 .offset = offset,
                                 .raw_bytes = (uint32_t)little_endian_get(header + 4, 4),
                                 .stored_bytes = (uint32_t)little_endian_get(header + 8, 4)};
    if (part->raw_bytes > CHECKPOINT_PART_MOST || part->stored_bytes > ZSTD_compressBound(part->raw_bytes))
        return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": expected a part of at most %d bytes, found %u in %u",
                    r->path, offset, CHECKPOINT_PART_MOST, part->raw_bytes, part->stored_bytes);
    const uint64_t left = r->file_bytes - offset - CHECKPOINT_PART_HEADER;
    if (part->stored_bytes > left)
        return fail(err, ST_FORMAT,
                    "%s: offset %" PRIu64 ": expected a part of %u bytes, found %" PRIu64
                    ": the checkpoint is truncated",
                    r->path, offset, part->stored_bytes, left);
    return ST_OK;
}

static enum status add_page_part(struct checkpoint_reader *r, const struct stored_part *part, struct errmsg *err)
{
    const uint32_t pages = part->raw_bytes / CHECKPOINT_PAGE_BYTES;
    if (part->raw_bytes % CHECKPOINT_PAGE_BYTES != 0 || pages == 0 || pages > CHECKPOINT_PART_PAGES ||
        r->pages % CHECKPOINT_PART_PAGES != 0)
        return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": expected %d pages but in the last part, found %u bytes",
                    r->path, part->offset, CHECKPOINT_PART_PAGES, part->raw_bytes);
    r->frame = xgrow(r->frame, r->frames, sizeof *r->frame);
    r->frame[r->frames++] = *part;
    r->pages += pages;
    return ST_OK;
}

/* Whether a part can be behind another. */
static bool part_follows(enum checkpoint_part last, enum checkpoint_part part)
{
    switch (part) {
    case CHECKPOINT_WARMED:
        return last == CHECKPOINT_STATE;
    case CHECKPOINT_PAGES:
    case CHECKPOINT_TABLE:
        return last < CHECKPOINT_TABLE;
    case CHECKPOINT_END:
        return last == CHECKPOINT_TABLE;
    default:
        return false;
    }
}

/* Finds the parts of the file, which have to be in their order. */
static enum status find_parts(struct checkpoint_reader *r, struct errmsg *err)
{
    uint64_t offset = CHECKPOINT_FILE_HEADER;
    struct stored_part part;
    enum status st = read_header(r, offset, &r->state, err);
    enum checkpoint_part last = CHECKPOINT_STATE;
    if (st == ST_OK && r->state.kind != CHECKPOINT_STATE)
        return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": expected the state of a guest, found another part",
                    r->path, offset);
    for (part = r->state; st == ST_OK && part.kind != CHECKPOINT_END; last = part.kind) {
        offset += CHECKPOINT_PART_HEADER + part.stored_bytes;
        st = read_header(r, offset, &part, err);
        if (st == ST_OK && !part_follows(last, part.kind))
            return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": found a part %s, which cannot be here", r->path,
                        offset, checkpoint_kinds[part.kind]);
        if (st == ST_OK && part.kind == CHECKPOINT_PAGES)
            st = add_page_part(r, &part, err);
        if (part.kind == CHECKPOINT_WARMED)
            r->warmed = part;
        if (part.kind == CHECKPOINT_TABLE)
            r->table = part;
    }
    r->end = part;
    offset += CHECKPOINT_PART_HEADER + part.stored_bytes;
    if (st == ST_OK && offset < r->file_bytes)
        return fail(err, ST_FORMAT,
                    "%s: offset %" PRIu64 ": expected the end of the checkpoint, found %" PRIu64 " more bytes", r->path,
                    offset, r->file_bytes - offset);
    return st;
}

/* Decompresses a part into memory of part->raw_bytes bytes. */
static enum status read_stored_part(struct checkpoint_reader *r, const struct stored_part *part, uint8_t *to,
                                    struct errmsg *err)
{
    if (r->body_capacity < part->stored_bytes || r->body == NULL) {
        r->body = xrealloc(r->body, part->stored_bytes + 1u);
        r->body_capacity = part->stored_bytes;
    }
    enum status st = checkpoint_read_at(r, part->offset + CHECKPOINT_PART_HEADER, r->body, part->stored_bytes, "a part",
                                        err);
    if (st != ST_OK)
        return st;
    const size_t got = ZSTD_decompressDCtx(r->zstd, to, part->raw_bytes, r->body, part->stored_bytes);
    if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
        out_of_memory();
    if (ZSTD_isError(got))
        return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": the part %s is damaged: %s", r->path, part->offset,
                    checkpoint_kinds[part->kind], ZSTD_getErrorName(got));
    if (got != part->raw_bytes)
        return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": the part %s: expected %u bytes, found %zu", r->path,
                    part->offset, checkpoint_kinds[part->kind], part->raw_bytes, got);
    return ST_OK;
}

/* Reads a small part as a stream; `bytes` are to be freed. */
static enum status read_stream(struct checkpoint_reader *r, const struct stored_part *part, uint8_t **bytes,
                               struct checkpoint_stream *s, struct errmsg *err)
{
    *bytes = xmalloc(part->raw_bytes + 1u);
    *s = checkpoint_stream_of(*bytes, part->raw_bytes);
    return read_stored_part(r, part, *bytes, err);
}

static enum status refuse_part(const struct checkpoint_reader *r, const struct stored_part *part, const char *what,
                               struct errmsg *err)
{
    return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": the part %s: %.400s", r->path, part->offset,
                checkpoint_kinds[part->kind], what);
}

static enum status read_end(struct checkpoint_reader *r, struct errmsg *err)
{
    uint8_t *bytes;
    struct checkpoint_stream s;
    enum status st = read_stream(r, &r->end, &bytes, &s, err);
    if (st == ST_OK) {
        checkpoint_move(&s, 0, r->pages, r->pages);
        checkpoint_move_bytes(&s, r->digest, sizeof r->digest);
        if (s.failed || s.at != s.size)
            st = refuse_part(r, &r->end, s.failed ? s.why.text : "found more than the number and digest of pages", err);
    }
    free(bytes);
    return st;
}

static void read_sources(struct checkpoint_reader *r, struct checkpoint_stream *s)
{
    enum { SOURCE_LEAST_BYTES = 16 + SHA1_BYTES };
    const uint64_t sources = checkpoint_move(s, 0, 0, s->size / SOURCE_LEAST_BYTES);
    for (uint64_t n = 0; n < sources && !s->failed; n++) {
        struct page_source source = {0};
        checkpoint_move_text(s, &source.name);
        checkpoint_move_bytes(s, source.digest, sizeof source.digest);
        if (!s->failed && (source.name == NULL || strchr(source.name, '/') != NULL || source.name[0] == '\0'))
            checkpoint_refuse(s, "expected the name of a checkpoint in the same folder");
        r->source = xgrow(r->source, r->sources, sizeof *r->source);
        r->source[r->sources++] = source;
    }
}

static void read_runs(struct checkpoint_reader *r, struct checkpoint_stream *s)
{
    enum { RUN_BYTES = 32 };
    uint64_t next = 0;
    const uint64_t runs = checkpoint_move(s, 0, 0, (s->size - s->at) / RUN_BYTES);
    r->run = xcalloc(runs + 1, sizeof *r->run);
    for (; r->runs < runs && !s->failed; r->runs++) {
        struct checkpoint_run *run = &r->run[r->runs];
        run->page = checkpoint_move(s, 0, next, UINT64_MAX >> 12);
        run->position = checkpoint_move(s, 0, 0, UINT64_MAX >> 12);
        run->count = (uint32_t)checkpoint_move(s, 0, 1, UINT32_MAX);
        run->source = (uint32_t)checkpoint_move(s, 0, 0, r->sources);
        next = run->page + run->count;
    }
}

static enum status read_page_table(struct checkpoint_reader *r, struct errmsg *err)
{
    uint8_t *bytes;
    struct checkpoint_stream s;
    enum status st = read_stream(r, &r->table, &bytes, &s, err);
    if (st == ST_OK) {
        read_sources(r, &s);
        if (!s.failed)
            read_runs(r, &s);
        if (s.failed || s.at != s.size)
            st = refuse_part(r, &r->table, s.failed ? s.why.text : "found more than the table of pages", err);
    }
    free(bytes);
    return st;
}

/* Opens a file and finds its parts. */
static enum status open_parts(struct checkpoint_reader *r, const char *path, struct errmsg *err)
{
    struct stat sb;
    r->path = xstrdup(path);
    r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (r->fd < 0 || fstat(r->fd, &sb) != 0)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(sb.st_mode))
        return fail(err, ST_FORMAT, "%s: expected a checkpoint, found %s", path, file_kind_of_mode(sb.st_mode));
    r->file_bytes = (uint64_t)sb.st_size;
    r->zstd = ZSTD_createDCtx();
    if (r->zstd == NULL)
        out_of_memory();
    enum status st = checkpoint_check_head(r, err);
    if (st == ST_OK)
        st = find_parts(r, err);
    return st == ST_OK ? read_end(r, err) : st;
}

static enum status find_checkpoint_folder(struct checkpoint_reader *r, struct errmsg *err)
{
    char *path = xstrdup(r->path);
    r->folder = realpath(dirname(path), NULL);
    free(path);
    return r->folder != NULL ? ST_OK : fail(err, ST_IO, "%s: its folder: %s", r->path, strerror(errno));
}

enum status checkpoint_reader_new(struct checkpoint_reader **out, const char *path, struct errmsg *err)
{
    struct checkpoint_reader *r = xcalloc(1, sizeof *r);
    r->fd = -1;
    enum status st = open_parts(r, path, err);
    if (st == ST_OK)
        st = find_checkpoint_folder(r, err);
    if (st == ST_OK)
        st = read_page_table(r, err);
    if (st == ST_OK) {
        r->state_bytes = xmalloc(r->state.raw_bytes + 1u);
        st = read_stored_part(r, &r->state, r->state_bytes, err);
    }
    if (st != ST_OK) {
        checkpoint_reader_free(r);
        return st;
    }
    *out = r;
    return ST_OK;
}

void checkpoint_reader_free(struct checkpoint_reader *r)
{
    if (r == NULL)
        return;
    if (r->fd >= 0)
        close(r->fd);
    for (size_t n = 0; n < r->sources; n++)
        free(r->source[n].name);
    free(r->source);
    free(r->run);
    free(r->frame);
    free(r->state_bytes);
    free(r->warmed_bytes);
    ZSTD_freeDCtx(r->zstd);
    free(r->body);
    free(r->folder);
    free(r->path);
    free(r);
}

const char *checkpoint_reader_name(const struct checkpoint_reader *r) { return r->path; }

const uint8_t *checkpoint_reader_state(const struct checkpoint_reader *r, size_t *size_bytes, uint64_t *offset)
{
    *size_bytes = r->state.raw_bytes;
    *offset = r->state.offset;
    return r->state_bytes;
}

enum status checkpoint_reader_warmed(struct checkpoint_reader *r, const uint8_t **bytes, size_t *size_bytes,
                                     uint64_t *offset, struct errmsg *err)
{
    enum status st = ST_OK;
    if (r->warmed.raw_bytes != 0 && r->warmed_bytes == NULL) {
        r->warmed_bytes = xmalloc(r->warmed.raw_bytes);
        st = read_stored_part(r, &r->warmed, r->warmed_bytes, err);
    }
    if (st != ST_OK) {
        free(r->warmed_bytes);
        r->warmed_bytes = NULL;
    }
    *bytes = r->warmed_bytes;
    *size_bytes = r->warmed.raw_bytes;
    *offset = r->warmed.offset;
    return st;
}

static int by_position(const void *a, const void *b)
{
    const struct checkpoint_run *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* Puts the pages of a run, from the page `done` of it on, that are in one part; *loaded is the part that `frame` holds.
 * Adds their number to *done. */
static enum status put_part_of_run(struct checkpoint_reader *source, const struct checkpoint_run *run, uint64_t *done,
                                   uint8_t *frame, uint64_t *loaded, checkpoint_page_put *put, void *ctx,
                                   struct errmsg *err)
{
    const uint64_t position = run->position + *done, part = position / CHECKPOINT_PART_PAGES;
    const unsigned within = (unsigned)(position % CHECKPOINT_PART_PAGES);
    const uint64_t left = run->count - *done;
    if (source->frame == NULL)
        BUG("a part with pages of a file that has none");
    const unsigned pages = left < CHECKPOINT_PART_PAGES - within ? (unsigned)left : CHECKPOINT_PART_PAGES - within;
    enum status st = part != *loaded ? read_stored_part(source, &source->frame[part], frame, err) : ST_OK;
    if (st != ST_OK)
        return st;
    *loaded = part;
    if (!put(ctx, run->page + *done, pages, frame + (size_t)within * CHECKPOINT_PAGE_BYTES))
        return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": page 0x%" PRIx64 " is not in a mapping of the guest",
                    source->path, source->frame[part].offset, run->page + *done);
    *done += pages;
    return ST_OK;
}

/* Puts the pages of runs of one source, in the order of their positions: each part is decompressed once. */
static enum status put_runs(struct checkpoint_reader *source, const struct checkpoint_run *run, size_t runs,
                            checkpoint_page_put *put, void *ctx, struct errmsg *err)
{
    uint8_t *frame = xmalloc((size_t)CHECKPOINT_PART_PAGES * CHECKPOINT_PAGE_BYTES);
    uint64_t loaded = UINT64_MAX;
    enum status st = ST_OK;
    for (size_t i = 0; i < runs && st == ST_OK; i++) {
        if (run[i].position > source->pages || run[i].count > source->pages - run[i].position)
            st = fail(err, ST_FORMAT,
                      "%s: expected %" PRIu32 " pages from position %" PRIu64 " on, found %" PRIu64 " pages in all",
                      source->path, run[i].count, run[i].position, source->pages);
        for (uint64_t done = 0; done < run[i].count && st == ST_OK;)
            st = put_part_of_run(source, &run[i], &done, frame, &loaded, put, ctx, err);
    }
    free(frame);
    return st;
}

/* Puts the pages of runs of another checkpoint of the folder. */
static enum status put_runs_of_other(struct checkpoint_reader *r, const struct checkpoint_run *run, size_t runs,
                                     checkpoint_page_put *put, void *ctx, struct errmsg *err)
{
    const struct page_source *source = &r->source[run->source - 1];
    char *path = xasprintf("%s/%s", r->folder, source->name);
    struct checkpoint_reader other = {.fd = -1};
    struct errmsg why;
    enum status st = open_parts(&other, path, &why);
    if (st != ST_OK)
        st = fail(err, st, "%s has pages of %s, and is needed: %.300s", source->name, r->path, why.text);
    else if (memcmp(other.digest, source->digest, sizeof other.digest) != 0)
        st = fail(err, ST_FORMAT, "%s: expected the checkpoint of the run of %s, found that of another run", path,
                  r->path);
    else
        st = put_runs(&other, run, runs, put, ctx, err);
    free(path);
    close(other.fd);
    free(other.frame);
    ZSTD_freeDCtx(other.zstd);
    free(other.body);
    free(other.path);
    return st;
}

enum status checkpoint_reader_pages(struct checkpoint_reader *r, checkpoint_page_put *put, void *ctx,
                                    struct errmsg *err)
{
    enum status st = ST_OK;
    qsort(r->run, r->runs, sizeof *r->run, by_position);
    for (size_t i = 0, end; i < r->runs && st == ST_OK; i = end) {
        for (end = i + 1; end < r->runs && r->run[end].source == r->run[i].source;)
            end++;
        st = r->run[i].source == 0 ? put_runs(r, r->run + i, end - i, put, ctx, err)
                                   : put_runs_of_other(r, r->run + i, end - i, put, ctx, err);
    }
    return st;
}
