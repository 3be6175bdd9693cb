/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/locks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOCK_DIGITS = 15 }; /* hexadecimal, of an offset in a file */

enum status locks_open(const char *folder, int *locks, struct errmsg *err)
{
    char *path = xasprintf("%s/locks", folder);
    enum status st = ST_OK;
    *locks = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*locks < 0)
        st = fail(err, ST_IO, "%s: cannot be opened: %s", path, strerror(errno));
    free(path);
    return st;
}

static struct flock locks_of(const char *id, short type)
{
    char digits[LOCK_DIGITS + 1];
    snprintf(digits, sizeof digits, "%s", id);
    return (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)strtoull(digits, NULL, 16), .l_len = 1};
}

enum status locks_take(int locks, const char *id, bool *is_taken, struct errmsg *err)
{
    struct flock lock = locks_of(id, F_WRLCK);
    *is_taken = fcntl(locks, F_OFD_SETLK, &lock) == 0;
    if (!*is_taken && errno != EAGAIN && errno != EACCES)
        return fail(err, ST_IO, "locks: job %s: %s", id, strerror(errno));
    return ST_OK;
}

void locks_release(int locks, const char *id)
{
    struct flock lock = locks_of(id, F_UNLCK);
    (void)fcntl(locks, F_OFD_SETLK, &lock);
}

bool locks_is_held(int locks, const char *id)
{
    struct flock lock = locks_of(id, F_WRLCK);
    return fcntl(locks, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
