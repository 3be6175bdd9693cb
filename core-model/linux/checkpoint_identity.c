/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that have to be the same where a guest goes on: by size and time, or by their contents. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core-model/linux/checkpoint_parts.h"

enum { SECOND_NS = 1000000000 };

/* A file that has been read. */
struct known_file {
    dev_t device;
    ino_t inode;
    uint64_t size_bytes, changed_ns;
    uint8_t digest[SHA1_BYTES];
};

struct linux_digests {
    struct known_file *file;
    size_t files;
};

struct linux_digests *linux_digests_new(void) { return xcalloc(1, sizeof(struct linux_digests)); }

void linux_digests_free(struct linux_digests *d)
{
    if (d == NULL)
        return;
    free(d->file);
    free(d);
}

static uint64_t changed_ns(const struct stat *sb)
{
    return (uint64_t)sb->st_mtim.tv_sec * SECOND_NS + (uint64_t)sb->st_mtim.tv_nsec;
}

/* The digest of a file's contents, which is read by blocks: a file may be larger than the memory. */
static enum status read_digest(const char *path, uint8_t digest[SHA1_BYTES], struct errmsg *err)
{
    enum { READ_BYTES = 1 << 18 };
    struct sha1 s;
    ssize_t n = 1;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return fail(err, ST_UNMET, "%s: %s", path, strerror(errno));
    uint8_t *bytes = xmalloc(READ_BYTES);
    for (sha1_begin(&s); n > 0 || (n < 0 && errno == EINTR);) {
        n = read(fd, bytes, READ_BYTES);
        if (n > 0)
            sha1_add(&s, bytes, (size_t)n);
    }
    const enum status st = n == 0 ? ST_OK : fail(err, ST_UNMET, "%s: %s", path, strerror(errno));
    sha1_end(&s, digest);
    free(bytes);
    close(fd);
    return st;
}

/* The element of the file, which is added if there is none. */
static struct known_file *find_known_file(struct linux_digests *d, const struct stat *sb)
{
    for (size_t i = 0; i < d->files; i++)
        if (d->file[i].device == sb->st_dev && d->file[i].inode == sb->st_ino)
            return &d->file[i];
    d->file = xgrow(d->file, d->files, sizeof *d->file);
    d->file[d->files] = (struct known_file){.device = sb->st_dev, .inode = sb->st_ino, .size_bytes = UINT64_MAX};
    return &d->file[d->files++];
}

/* read_digest, unless the file has been read and is as it was. */
static enum status find_digest(const char *path, const struct stat *sb, struct linux_digests *d,
                               uint8_t digest[SHA1_BYTES], struct errmsg *err)
{
    struct known_file *f = find_known_file(d, sb);
    if (f->size_bytes != (uint64_t)sb->st_size || f->changed_ns != changed_ns(sb)) {
        enum status st = read_digest(path, f->digest, err);
        if (st != ST_OK) {
            f->size_bytes = UINT64_MAX;
            return st;
        }
        f->size_bytes = (uint64_t)sb->st_size;
        f->changed_ns = changed_ns(sb);
    }
    memcpy(digest, f->digest, SHA1_BYTES);
    return ST_OK;
}

enum status linux_identify_file(const char *path, struct linux_digests *digests, struct file_identity *id,
                                struct errmsg *err)
{
    struct stat sb;
    uint8_t digest[SHA1_BYTES];
    *id = (struct file_identity){.path = xstrdup(path)};
    if (stat(path, &sb) != 0)
        return fail(err, ST_UNMET, "%s: %s", path, strerror(errno));
    id->size_bytes = (uint64_t)sb.st_size;
    id->changed_ns = changed_ns(&sb);
    if (digests == NULL)
        return ST_OK;
    enum status st = find_digest(path, &sb, digests, digest, err);
    if (st != ST_OK)
        return st;
    id->digest = xmalloc(SHA1_TEXT);
    sha1_print(digest, id->digest);
    return ST_OK;
}

void linux_move_identity(struct file_identity *id, struct checkpoint_stream *s)
{
    checkpoint_move_text(s, &id->path);
    CHECKPOINT_MOVE(s, id->size_bytes);
    CHECKPOINT_MOVE(s, id->changed_ns);
    checkpoint_move_text(s, &id->digest);
    if (s->reads && !s->failed && (id->path == NULL || id->path[0] != '/'))
        checkpoint_refuse(s, "expected the absolute path of a file");
}

void linux_drop_identity(struct file_identity *id)
{
    free(id->path);
    free(id->digest);
}

/* Refuses a file that the guest had open, and that a run has written since. */
static enum status refuse_changed(const struct file_identity *id, const char *name, const char *found,
                                  struct errmsg *err)
{
    static const char remedy[] = ": bring back the file as it was at the checkpoint, or let the program write to "
                                 "standard output";
    return fail(err, ST_INPUT, "%s: expected %s as it was in its run, %s%s", name, id->path, found,
                id->digest == NULL ? remedy : "");
}

enum status linux_check_identity(const struct file_identity *id, const char *name, struct errmsg *err)
{
    struct stat sb;
    uint8_t digest[SHA1_BYTES];
    char text[SHA1_TEXT];
    if (stat(id->path, &sb) != 0)
        return fail(err, ST_INPUT, "%s: expected the file %s of its run: %s", name, id->path, strerror(errno));
    if ((uint64_t)sb.st_size != id->size_bytes) {
        char *found = xasprintf("with %" PRIu64 " bytes, found %" PRIu64, id->size_bytes, (uint64_t)sb.st_size);
        enum status st = refuse_changed(id, name, found, err);
        free(found);
        return st;
    }
    if (changed_ns(&sb) == id->changed_ns)
        return ST_OK;
    if (id->digest == NULL)
        return refuse_changed(id, name, "found a file that was changed since", err);
    if (read_digest(id->path, digest, err) != ST_OK)
        return ST_INPUT;
    sha1_print(digest, text);
    return strcmp(text, id->digest) != 0 ? refuse_changed(id, name, "found other contents", err) : ST_OK;
}
