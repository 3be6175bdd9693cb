/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/elf_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_kind.h"

static enum status fail_kind(const char *path, const char *what, enum status st, struct errmsg *err)
{
    return fail(err, st, "%s: expected a riscv64 program, found %s", path, what);
}

/* Reads the first bytes of a regular file. */
static enum status elf_kind_read_head(int fd, const char *path, unsigned char head[FILE_KIND_BYTES], size_t *n,
                                      struct errmsg *err)
{
    struct stat sb;
    if (fstat(fd, &sb) != 0)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    const char *what = file_kind_of_mode(sb.st_mode);
    if (what != NULL)
        return fail_kind(path, what, S_ISDIR(sb.st_mode) ? ST_IO : ST_FORMAT, err);
    ssize_t got = pread(fd, head, FILE_KIND_BYTES, 0);
    if (got < 0)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    *n = (size_t)got;
    return ST_OK;
}

static enum status elf_kind_check_head(const unsigned char *head, size_t n, const char *path, struct errmsg *err)
{
    char text[FILE_KIND_TEXT];
    return file_kind_is_riscv64(head, n) ? ST_OK : fail_kind(path, file_kind(head, n, text), ST_FORMAT, err);
}

enum status elf_check_kind(int fd, const char *path, struct errmsg *err)
{
    unsigned char head[FILE_KIND_BYTES];
    size_t n = 0;
    enum status st = elf_kind_read_head(fd, path, head, &n, err);
    return st == ST_OK ? elf_kind_check_head(head, n, path, err) : st;
}

enum status elf_check_program(const char *path, struct errmsg *err)
{
    unsigned char head[FILE_KIND_BYTES];
    char text[FILE_KIND_TEXT];
    size_t n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    enum status st = elf_kind_read_head(fd, path, head, &n, err);
    close(fd);
    if (st != ST_OK || file_kind_is_script(head, n))
        return st;
    if (file_kind_is_library(head, n))
        return fail_kind(path, file_kind(head, n, text), ST_FORMAT, err);
    return elf_kind_check_head(head, n, path, err);
}
