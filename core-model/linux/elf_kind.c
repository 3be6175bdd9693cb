/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/elf_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_form.h"
#include "base/file_kind.h"

static const char expected_program[] = "a riscv64 program";

/* Reads the first bytes of a regular file. */
static enum status elf_kind_read_head(int fd, const char *path, unsigned char head[FILE_KIND_BYTES], size_t *n,
                                      struct errmsg *err)
{
    struct stat sb;
    if (fstat(fd, &sb) != 0)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    const char *what = file_kind_of_mode(sb.st_mode);
    if (what != NULL)
        return fail(err, S_ISDIR(sb.st_mode) ? ST_IO : ST_FORMAT, "%s: expected %s, found %s", path, expected_program,
                    what);
    ssize_t got = pread(fd, head, FILE_KIND_BYTES, 0);
    if (got < 0)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    *n = (size_t)got;
    return ST_OK;
}

static enum status elf_kind_check_head(const unsigned char *head, size_t n, const char *path, struct errmsg *err)
{
    return file_kind_is_riscv64(head, n) ? ST_OK : file_form_refuse(path, head, n, expected_program, ST_FORMAT, err);
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
    size_t n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    enum status st = elf_kind_read_head(fd, path, head, &n, err);
    close(fd);
    if (st != ST_OK || file_kind_is_script(head, n))
        return st;
    if (file_kind_is_library(head, n))
        return file_form_refuse(path, head, n, expected_program, ST_FORMAT, err);
    return elf_kind_check_head(head, n, path, err);
}
