/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_place.h"

static bool file_is_dash(const char *path) { return strcmp(path, "-") == 0; }

/* Number of bytes up to the last end of a line; all if there is none. */
static size_t whole_lines(const char *text, size_t size_bytes)
{
    const char *end = memrchr(text, '\n', size_bytes);
    return end != NULL ? (size_t)(end - text) + 1 : size_bytes;
}

enum status file_read_while(FILE *in, const char *name, size_t max_bytes, file_goes_on *goes_on, void *ctx, char **data,
                            size_t *size_bytes, struct errmsg *err)
{
    size_t cap = 1 << 16, n = 0;
    char *buf = xmalloc(cap + 1);
    for (;;) {
        n += fread(buf + n, 1, cap - n, in);
        if (n < cap)
            break;
        if (goes_on != NULL && !goes_on(ctx, buf, n)) {
            n = whole_lines(buf, n);
            break;
        }
        if (cap > max_bytes) {
            free(buf);
            return fail(err, ST_FORMAT, "%s: larger than %zu bytes", name, max_bytes);
        }
        cap = cap > max_bytes / 2 ? max_bytes + 1 : 2 * cap;
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

enum status file_read_stream(FILE *in, const char *name, size_t max_bytes, char **data, size_t *size_bytes,
                             struct errmsg *err)
{
    return file_read_while(in, name, max_bytes, NULL, NULL, data, size_bytes, err);
}

enum status file_read(const char *path, size_t max_bytes, char **data, size_t *size_bytes, struct errmsg *err)
{
    if (file_is_dash(path))
        return file_read_stream(stdin, "standard input", max_bytes, data, size_bytes, err);
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    enum status st = file_read_stream(in, path, max_bytes, data, size_bytes, err);
    fclose(in);
    return st;
}

bool file_has_byte_order_mark(const char *text, size_t size_bytes)
{
    return size_bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
}

bool file_is_same(const char *a, const char *b)
{
    struct stat x, y;
    bool has_a = stat(a, &x) == 0, has_b = stat(b, &y) == 0;
    if (has_a != has_b)
        return false;
    if (has_a)
        return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    struct file_place place, other;
    if (!file_place_find(&place, a))
        return false;
    bool found = file_place_find(&other, b), same = found && file_place_is_same(&place, &other);
    if (found)
        file_place_release(&other);
    file_place_release(&place);
    return same;
}

bool file_is_standard_output(const char *path)
{
    struct file_place place;
    struct stat sb;
    if (file_is_dash(path))
        return true;
    if (lstat(path, &sb) != 0 || !S_ISLNK(sb.st_mode) || !file_place_find(&place, path))
        return false;
    bool is_output = file_place_descriptor(&place) == STDOUT_FILENO;
    file_place_release(&place);
    return is_output;
}
