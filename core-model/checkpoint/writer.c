/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/checkpoint/writer.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/hash.h"
#include "base/little_endian.h"
#include "base/outfile.h"
#include "core-model/checkpoint/stream.h"

enum { LEVEL = 1 /* of compression: others take longer than the rest of a checkpoint */ };

/* A page that a file of the folder has. */
struct stored_page {
    uint8_t digest[SHA1_BYTES];
    uint32_t file;
    uint64_t position;
    UT_hash_handle hh;
};

/* A checkpoint that this one refers to. */
struct written_file {
    char *name;
    uint8_t digest[SHA1_BYTES]; /* of its pages */
};

struct checkpoint_writer {
    char *folder;
    struct stored_page *stored;
    struct written_file *file; /* complete ones */
    size_t files;
    struct outfile out; /* the file that is being written; stream NULL: none */
    char *name;
    ZSTD_CCtx *zstd;
    uint8_t *frame; /* pages that are to be written */
    unsigned frame_pages;
    uint8_t *body; /* compressed */
    size_t body_capacity;
    struct checkpoint_run *run;
    size_t runs;
    uint8_t (*digest)[SHA1_BYTES]; /* of the file's pages, by position */
    size_t pages;
};

/* Name of the first checkpoint in the folder, by its letters, to be freed; NULL: it has none. */
static char *find_checkpoint(DIR *dir)
{
    char *found = NULL;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        const size_t length = strlen(e->d_name), suffix = strlen(CHECKPOINT_SUFFIX);
        const bool is_checkpoint = length >= suffix && strcmp(e->d_name + length - suffix, CHECKPOINT_SUFFIX) == 0;
        if (!is_checkpoint || (found != NULL && strcmp(found, e->d_name) < 0))
            continue;
        free(found);
        found = xstrdup(e->d_name);
    }
    return found;
}

/* Finds the folder's absolute name, to be freed. */
static enum status check_folder(const char *folder, char **real, struct errmsg *err)
{
    DIR *dir = opendir(folder);
    if (dir == NULL || access(folder, W_OK | X_OK) != 0 || (*real = realpath(folder, NULL)) == NULL) {
        const int error = errno;
        if (dir != NULL)
            closedir(dir);
        return fail(err, ST_IO, "%s: expected a folder for checkpoints: %s", folder, strerror(error));
    }
    char *found = find_checkpoint(dir);
    closedir(dir);
    if (found == NULL)
        return ST_OK;
    enum status st = fail(err, ST_INPUT, "%s: expected a folder without checkpoints, found %s", folder, found);
    free(found);
    free(*real);
    return st;
}

enum status checkpoint_writer_new(struct checkpoint_writer **out, const char *folder, struct errmsg *err)
{
    char *real;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail(err, ST_IO, "%s: the folder cannot be made: %s", folder, strerror(errno));
    enum status st = check_folder(folder, &real, err);
    if (st != ST_OK)
        return st;
    struct checkpoint_writer *w = xcalloc(1, sizeof *w);
    w->folder = real;
    w->frame = xmalloc((size_t)CHECKPOINT_PART_PAGES * CHECKPOINT_PAGE_BYTES);
    w->zstd = ZSTD_createCCtx();
    if (w->zstd == NULL)
        out_of_memory();
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
    *out = w;
    return ST_OK;
}

void checkpoint_writer_free(struct checkpoint_writer *w)
{
    struct stored_page *page, *next;
    if (w == NULL)
        return;
    checkpoint_drop(w);
    HASH_ITER (hh, w->stored, page, next) {
        HASH_DEL(w->stored, page);
        free(page);
    }
    for (size_t i = 0; i < w->files; i++)
        free(w->file[i].name);
    free(w->file);
    ZSTD_freeCCtx(w->zstd);
    free(w->frame);
    free(w->body);
    free(w->run);
    free(w->digest);
    free(w->folder);
    free(w);
}

static void checkpoint_write_part(struct checkpoint_writer *w, enum checkpoint_part kind, const void *bytes,
                                  size_t size_bytes)
{
    uint8_t header[CHECKPOINT_PART_HEADER];
    const size_t most = ZSTD_compressBound(size_bytes);
    if (size_bytes > CHECKPOINT_PART_MOST)
        BUG("a part of a checkpoint has %zu bytes", size_bytes);
    if (w->body_capacity < most) {
        w->body = xrealloc(w->body, most);
        w->body_capacity = most;
    }
    const size_t stored = ZSTD_compress2(w->zstd, w->body, most, bytes, size_bytes);
    if (ZSTD_getErrorCode(stored) == ZSTD_error_memory_allocation)
        out_of_memory();
    if (ZSTD_isError(stored))
        BUG("zstd: %s", ZSTD_getErrorName(stored));
    memcpy(header, checkpoint_kinds[kind], 4);
    little_endian_put(header + 4, size_bytes, 4);
    little_endian_put(header + 8, stored, 4);
    fwrite(header, 1, sizeof header, w->out.stream);
    fwrite(w->body, 1, stored, w->out.stream);
}

enum status checkpoint_begin(struct checkpoint_writer *w, const char *name, const uint8_t *state, size_t size_bytes,
                             struct errmsg *err)
{
    uint8_t version[4];
    char *path = xasprintf("%s/%s", w->folder, name);
    enum status st = outfile_open(&w->out, path, err);
    free(path);
    if (st != ST_OK) {
        w->out.stream = NULL;
        return st;
    }
    w->name = xstrdup(name);
    w->runs = w->pages = 0;
    w->frame_pages = 0;
    little_endian_put(version, CHECKPOINT_VERSION, sizeof version);
    fwrite(checkpoint_magic, 1, sizeof checkpoint_magic, w->out.stream);
    fwrite(version, 1, sizeof version, w->out.stream);
    checkpoint_write_part(w, CHECKPOINT_STATE, state, size_bytes);
    return ST_OK;
}

void checkpoint_put_warmed(struct checkpoint_writer *w, const uint8_t *bytes, size_t size_bytes)
{
    checkpoint_write_part(w, CHECKPOINT_WARMED, bytes, size_bytes);
}

static void write_frame(struct checkpoint_writer *w)
{
    if (w->frame_pages != 0)
        checkpoint_write_part(w, CHECKPOINT_PAGES, w->frame, (size_t)w->frame_pages * CHECKPOINT_PAGE_BYTES);
    w->frame_pages = 0;
}

/* Where the page is stored: it is stored now unless that is done. */
static const struct stored_page *store_page(struct checkpoint_writer *w, const void *bytes)
{
    struct stored_page *p;
    uint8_t digest[SHA1_BYTES];
    sha1_digest(bytes, CHECKPOINT_PAGE_BYTES, digest);
    HASH_FIND(hh, w->stored, digest, sizeof digest, p);
    if (p != NULL)
        return p;
    p = xcalloc(1, sizeof *p);
    memcpy(p->digest, digest, sizeof digest);
    p->file = (uint32_t)w->files;
    p->position = w->pages;
    HASH_ADD(hh, w->stored, digest, sizeof p->digest, p);
    w->digest = xgrow(w->digest, w->pages, sizeof *w->digest);
    memcpy(w->digest[w->pages++], digest, sizeof digest);
    memcpy(w->frame + (size_t)w->frame_pages++ * CHECKPOINT_PAGE_BYTES, bytes, CHECKPOINT_PAGE_BYTES);
    if (w->frame_pages == CHECKPOINT_PART_PAGES)
        write_frame(w);
    return p;
}

void checkpoint_put_page(struct checkpoint_writer *w, uint64_t page, const void *bytes)
{
    const struct stored_page *p = store_page(w, bytes);
    struct checkpoint_run *last = w->runs != 0 ? &w->run[w->runs - 1] : NULL;
    if (last != NULL && last->source == p->file && last->page + last->count == page &&
        last->position + last->count == p->position && last->count < UINT32_MAX) {
        last->count++;
        return;
    }
    w->run = xgrow(w->run, w->runs, sizeof *w->run);
    w->run[w->runs++] = (struct checkpoint_run){.page = page, .position = p->position, .count = 1, .source = p->file};
}

/* The files that the runs refer to have sources from 1 on, the checkpoint itself has 0. */
static void write_page_table(struct checkpoint_writer *w)
{
    struct checkpoint_stream s = {0};
    uint32_t *source = xcalloc(w->files + 1, sizeof *source);
    uint64_t sources = 0;
    for (size_t i = 0; i < w->runs; i++)
        source[w->run[i].source] = w->run[i].source != w->files;
    for (size_t n = 0; n < w->files; n++)
        sources += source[n];
    checkpoint_move(&s, sources, 0, UINT32_MAX);
    sources = 0;
    for (size_t n = 0; n < w->files; n++)
        if (source[n] != 0) {
            source[n] = (uint32_t)++sources;
            checkpoint_move_text(&s, &w->file[n].name);
            checkpoint_move_bytes(&s, w->file[n].digest, sizeof w->file[n].digest);
        }
    checkpoint_move(&s, w->runs, 0, UINT64_MAX);
    for (size_t i = 0; i < w->runs; i++) {
        checkpoint_move(&s, w->run[i].page, 0, UINT64_MAX);
        checkpoint_move(&s, w->run[i].position, 0, UINT64_MAX);
        checkpoint_move(&s, w->run[i].count, 1, UINT32_MAX);
        checkpoint_move(&s, source[w->run[i].source], 0, UINT32_MAX);
    }
    checkpoint_write_part(w, CHECKPOINT_TABLE, s.byte, s.size);
    checkpoint_stream_free(&s);
    free(source);
}

/* Forgets the pages of a file that will not appear. */
static void forget_stored_pages(struct checkpoint_writer *w)
{
    for (size_t i = 0; i < w->pages; i++) {
        struct stored_page *p;
        HASH_FIND(hh, w->stored, w->digest[i], SHA1_BYTES, p);
        if (p != NULL)
            HASH_DEL(w->stored, p);
        free(p);
    }
    w->pages = 0;
    free(w->name);
    w->name = NULL;
    w->out = (struct outfile){0};
}

void checkpoint_drop(struct checkpoint_writer *w)
{
    if (w->out.stream == NULL)
        return;
    outfile_abort(&w->out);
    forget_stored_pages(w);
}

enum status checkpoint_end(struct checkpoint_writer *w, struct errmsg *err)
{
    struct checkpoint_stream s = {0};
    struct written_file file = {.name = w->name};
    write_frame(w);
    write_page_table(w);
    sha1_digest(w->digest, w->pages * SHA1_BYTES, file.digest);
    checkpoint_move(&s, w->pages, 0, UINT64_MAX);
    checkpoint_move_bytes(&s, file.digest, sizeof file.digest);
    checkpoint_write_part(w, CHECKPOINT_END, s.byte, s.size);
    checkpoint_stream_free(&s);
    if (fflush(w->out.stream) == 0)
        (void)fsync(w->out.fd); /* a failed write is an error of outfile_commit */
    enum status st = outfile_commit(&w->out, err);
    if (st != ST_OK) {
        forget_stored_pages(w);
        return st;
    }
    w->out = (struct outfile){0};
    w->name = NULL;
    w->file = xgrow(w->file, w->files, sizeof *w->file);
    w->file[w->files++] = file;
    return ST_OK;
}
