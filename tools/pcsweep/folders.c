/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_DESCRIPTORS = 16 };

static int folder_remove_entry(const char *path, const struct stat *s, int kind, struct FTW *place)
{
    (void)s;
    (void)kind;
    (void)place;
    return remove(path);
}

/* A guest may have taken the rights to a folder in its working folder. */
static int folder_open_entry(const char *path, const struct stat *s, int kind, struct FTW *place)
{
    (void)s;
    (void)place;
    return kind == FTW_D || kind == FTW_DNR ? chmod(path, 0700) : 0;
}

enum status folder_remove(const char *path, struct errmsg *err)
{
    struct stat s;
    if (lstat(path, &s) != 0 && errno == ENOENT)
        return ST_OK;
    (void)nftw(path, folder_open_entry, FOLDER_DESCRIPTORS, FTW_PHYS);
    if (nftw(path, folder_remove_entry, FOLDER_DESCRIPTORS, FTW_DEPTH | FTW_PHYS) != 0)
        return fail(err, ST_IO, "%s: cannot be removed: %s", path, strerror(errno));
    return ST_OK;
}

enum status folder_remove_all(const char *parent, const char *beginning, struct errmsg *err)
{
    DIR *d = opendir(parent);
    enum status st = ST_OK;
    const struct dirent *e;
    if (d == NULL)
        return fail(err, ST_IO, "%s: %s", parent, strerror(errno));
    while (st == ST_OK && (e = readdir(d)) != NULL)
        if (strncmp(e->d_name, beginning, strlen(beginning)) == 0) {
            char *path = xasprintf("%s/%s", parent, e->d_name);
            st = folder_remove(path, err);
            free(path);
        }
    closedir(d);
    return st;
}

static enum status folder_sync_file(int folder, const char *path, const char *name, struct errmsg *err)
{
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    const bool is_written = fd >= 0 && fsync(fd) == 0;
    const int why = errno;
    if (fd >= 0)
        close(fd);
    return is_written ? ST_OK : fail(err, ST_IO, "%s/%s: cannot be written: %s", path, name, strerror(why));
}

enum status folder_sync(const char *path, struct errmsg *err)
{
    DIR *d = opendir(path);
    enum status st = ST_OK;
    const struct dirent *e;
    if (d == NULL)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    while (st == ST_OK && (e = readdir(d)) != NULL)
        if (e->d_type == DT_REG)
            st = folder_sync_file(dirfd(d), path, e->d_name, err);
    if (st == ST_OK && fsync(dirfd(d)) != 0)
        st = fail(err, ST_IO, "%s: cannot be written: %s", path, strerror(errno));
    closedir(d);
    return st;
}
