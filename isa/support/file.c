/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole-file input, and atomic output through a temporary file in the same folder. */
#include "isa/support/file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_dash(const char *path) { return strcmp(path, "-") == 0; }

static enum status read_stream(FILE *in, const char *name, size_t max_bytes, char **data, size_t *size_bytes,
                               struct errmsg *err)
{
    size_t cap = 1 << 16, n = 0;
    char *buf = xmalloc(cap + 1);
    for (;;) {
        n += fread(buf + n, 1, cap - n, in);
        if (n < cap)
            break;
        if (cap > max_bytes) {
            free(buf);
            return fail(err, ST_FORMAT, "%s: larger than %zu bytes", name, max_bytes);
        }
        cap *= 2;
        buf = xrealloc(buf, cap + 1);
    }
    if (ferror(in)) {
        free(buf);
        return fail(err, ST_IO, "%s: %s", name, strerror(errno));
    }
    buf[n] = '\0';
    *data = buf;
    *size_bytes = n;
    return ST_OK;
}

enum status file_read(const char *path, size_t max_bytes, char **data, size_t *size_bytes, struct errmsg *err)
{
    if (is_dash(path))
        return read_stream(stdin, "standard input", max_bytes, data, size_bytes, err);
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    enum status st = read_stream(in, path, max_bytes, data, size_bytes, err);
    fclose(in);
    return st;
}

bool file_has_byte_order_mark(const char *text, size_t size_bytes)
{
    return size_bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
}

/* Splits a path: returns the canonical folder, which the caller frees, or NULL if it does not exist; *last is the last
 * component. */
static char *split_path(const char *path, const char **last)
{
    const char *slash = strrchr(path, '/');
    *last = slash != NULL ? slash + 1 : path;
    char *folder = slash == NULL   ? xstrdup(".")
                   : slash == path ? xstrdup("/")
                                   : xasprintf("%.*s", (int)(slash - path), path);
    char *real = realpath(folder, NULL);
    free(folder);
    return real;
}

bool file_is_same(const char *a, const char *b)
{
    struct stat x, y;
    bool has_a = stat(a, &x) == 0, has_b = stat(b, &y) == 0;
    if (has_a != has_b)
        return false;
    if (has_a)
        return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    const char *last_a, *last_b;
    char *folder_a = split_path(a, &last_a), *folder_b = split_path(b, &last_b);
    bool same = folder_a != NULL && folder_b != NULL && strcmp(folder_a, folder_b) == 0 && strcmp(last_a, last_b) == 0;
    free(folder_a);
    free(folder_b);
    return same;
}

/* Pipes and devices cannot be replaced by rename, so they are written directly. */
static bool is_special(const char *path)
{
    struct stat sb;
    return stat(path, &sb) == 0 && !S_ISREG(sb.st_mode);
}

static enum status open_temp(struct outfile *f, struct errmsg *err)
{
    f->temp = xasprintf("%s.XXXXXX", f->path);
    int fd = mkstemp(f->temp);
    if (fd >= 0) {
        mode_t mask = umask(0);
        umask(mask);
        if (fchmod(fd, 0666 & ~mask) == 0)
            f->stream = fdopen(fd, "wb");
    }
    if (f->stream != NULL)
        return ST_OK;
    enum status st = fail(err, ST_IO, "%s: cannot write: %s", f->path, strerror(errno));
    if (fd >= 0) {
        close(fd);
        unlink(f->temp);
    }
    return st;
}

enum status outfile_open(struct outfile *f, const char *path, struct errmsg *err)
{
    *f = (struct outfile){.path = xstrdup(path)};
    enum status st = ST_OK;
    if (is_dash(path)) {
        f->stream = stdout;
    } else if (is_special(path)) {
        f->stream = fopen(path, "wb");
        if (f->stream == NULL)
            st = fail(err, ST_IO, "%s: cannot write: %s", path, strerror(errno));
    } else {
        st = open_temp(f, err);
    }
    if (st != ST_OK) {
        free(f->temp);
        free(f->path);
    }
    return st;
}

static void release(struct outfile *f)
{
    free(f->temp);
    free(f->path);
    *f = (struct outfile){0};
}

/* The reason of a failed write. Of one before the last it is found by another attempt, to a stream that is incomplete
 * anyway. */
static const char *why_not(FILE *stream)
{
    if (errno == 0 && write(fileno(stream), "\n", 1) == 1)
        return "an earlier write failed";
    return strerror(errno);
}

enum status outfile_commit(struct outfile *f, struct errmsg *err)
{
    errno = 0;
    bool ok = fflush(f->stream) == 0 && !ferror(f->stream);
    const char *why = ok ? NULL : why_not(f->stream);
    if (f->stream != stdout && fclose(f->stream) != 0 && ok)
        ok = false, why = strerror(errno);
    if (ok && f->temp != NULL && rename(f->temp, f->path) != 0)
        ok = false, why = strerror(errno);
    enum status st = ok ? ST_OK
                        : fail(err, ST_IO, "%s: cannot write: %s", is_dash(f->path) ? "standard output" : f->path, why);
    if (!ok && f->temp != NULL)
        unlink(f->temp);
    release(f);
    return st;
}

static void check_standard_output(int status, void *tool)
{
    errno = 0;
    if (status != 0 || (fflush(stdout) == 0 && !ferror(stdout)))
        return;
    fprintf(stderr, "%s: standard output: cannot write: %s\n", (const char *)tool, why_not(stdout));
    _exit(EXIT_BAD_INPUT);
}

void file_check_standard_output(const char *tool)
{
    if (on_exit(check_standard_output, (void *)(uintptr_t)tool) != 0)
        BUG("out of memory");
}

void outfile_abort(struct outfile *f)
{
    if (f->stream != stdout)
        fclose(f->stream);
    if (f->temp != NULL)
        unlink(f->temp);
    release(f);
}
