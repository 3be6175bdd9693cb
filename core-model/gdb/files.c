/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that gdb reads through the server, by their names for the guest: its program, its libraries and the sysroot,
 * and no others, since the peer may be another user. Source: the manual of gdb, "Host I/O Packets" and "File-I/O Remote
 * Protocol Extension" for struct stat and numbers of errors. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core-model/gdb/server.h"

/* Numbers that are the same in the protocol and in Linux are not translated. */
enum { FILE_UNKNOWN = 9999, FILE_ACCESS_MODE = 3, FILE_STAT_BYTES = 64 };

static void files_refuse(struct gdb_server *s, int error)
{
    const bool is_known = error == ENOENT || error == EBADF || error == EACCES || error == EINVAL || error == EMFILE ||
                          error == EISDIR;
    gdb_reply_text(&s->reply, "F-1,%x", is_known ? (unsigned)error : FILE_UNKNOWN);
}

/* The descriptor that a request names; -1: it is none of the server's, and the reply says so. */
static int files_take(struct gdb_server *s, struct gdb_scan *scan, uint64_t *number)
{
    if (gdb_scan_number(scan, number) && *number < GDB_FILES_MAX && s->file[*number] != 0)
        return s->file[*number] - 1;
    files_refuse(s, EBADF);
    return -1;
}

static void files_open(struct gdb_server *s, struct gdb_scan *scan)
{
    char name[PATH_MAX];
    uint64_t flags, mode;
    size_t i = 0;
    const size_t length = gdb_scan_hex(scan, name, sizeof name - 1);
    name[length] = '\0';
    if (!gdb_scan_word(scan, ",") || !gdb_scan_number(scan, &flags) || !gdb_scan_word(scan, ",") ||
        !gdb_scan_number(scan, &mode)) {
        files_refuse(s, EINVAL);
        return;
    }
    while (i < GDB_FILES_MAX && s->file[i] != 0)
        i++;
    char *path = guest_find_own_file(s->guest, name);
    const int error = (flags & FILE_ACCESS_MODE) != O_RDONLY ? EACCES : i == GDB_FILES_MAX ? EMFILE : ENOENT;
    const int fd = path != NULL && error == ENOENT ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
    free(path);
    if (fd < 0) {
        files_refuse(s, error);
        return;
    }
    s->file[i] = fd + 1;
    gdb_reply_text(&s->reply, "F%zx", i);
}

static void files_close(struct gdb_server *s, struct gdb_scan *scan)
{
    uint64_t number;
    const int fd = files_take(s, scan, &number);
    if (fd < 0)
        return;
    (void)close(fd);
    s->file[number] = 0;
    gdb_reply_text(&s->reply, "F0");
}

static void files_read(struct gdb_server *s, struct gdb_scan *scan)
{
    uint64_t number, count, offset;
    char data[GDB_PACKET_BYTES / 2 - 32];
    const int fd = files_take(s, scan, &number);
    if (fd < 0)
        return;
    if (!gdb_scan_word(scan, ",") || !gdb_scan_number(scan, &count) || !gdb_scan_word(scan, ",") ||
        !gdb_scan_number(scan, &offset) || offset > INT64_MAX) {
        files_refuse(s, EINVAL);
        return;
    }
    const ssize_t n = pread(fd, data, count < sizeof data ? count : sizeof data, (off_t)offset);
    if (n < 0) {
        files_refuse(s, errno);
        return;
    }
    gdb_reply_text(&s->reply, "F%zx;", (size_t)n);
    gdb_reply_binary(&s->reply, data, (size_t)n);
}

/* Appends a number, big-endian, to the protocol's struct stat. */
static void add_number(uint8_t *data, size_t *at, uint64_t value, size_t size_bytes)
{
    for (size_t i = size_bytes; i-- > 0; value >>= 8)
        data[*at + i] = (uint8_t)value;
    *at += size_bytes;
}

static void files_stat(struct gdb_server *s, struct gdb_scan *scan)
{
    uint64_t number;
    struct stat sb;
    uint8_t data[FILE_STAT_BYTES];
    size_t at = 0;
    const int fd = files_take(s, scan, &number);
    if (fd < 0)
        return;
    if (fstat(fd, &sb) != 0) {
        files_refuse(s, errno);
        return;
    }
    const uint64_t first[] = {sb.st_dev, sb.st_ino, sb.st_mode, sb.st_nlink, sb.st_uid, sb.st_gid, sb.st_rdev},
                   sizes[] = {(uint64_t)sb.st_size, (uint64_t)sb.st_blksize, (uint64_t)sb.st_blocks},
                   times[] = {(uint64_t)sb.st_atime, (uint64_t)sb.st_mtime, (uint64_t)sb.st_ctime};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        add_number(data, &at, first[i], 4);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        add_number(data, &at, sizes[i], 8);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        add_number(data, &at, times[i], 4);
    gdb_reply_text(&s->reply, "F%zx;", at);
    gdb_reply_binary(&s->reply, data, at);
}

void gdb_files_request(struct gdb_server *s, struct gdb_scan *scan)
{
    if (gdb_scan_word(scan, "setfs:"))
        gdb_reply_text(&s->reply, "F0");
    else if (gdb_scan_word(scan, "open:"))
        files_open(s, scan);
    else if (gdb_scan_word(scan, "close:"))
        files_close(s, scan);
    else if (gdb_scan_word(scan, "pread:"))
        files_read(s, scan);
    else if (gdb_scan_word(scan, "fstat:"))
        files_stat(s, scan);
}

void gdb_files_close(struct gdb_server *s)
{
    for (size_t i = 0; i < GDB_FILES_MAX; i++)
        if (s->file[i] != 0)
            (void)close(s->file[i] - 1);
    memset(s->file, 0, sizeof s->file);
}
