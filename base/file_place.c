/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file_place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/number.h"
#include "base/status.h"

enum { LINKS_MAX = 40 }; /* the kernel's limit */

/* Opens a folder, and closes the one that it is relative to. */
static bool file_place_enter(struct file_place *p, const char *folder)
{
    struct statfs sb;
    int next = openat(p->folder, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (next < 0)
        return false;
    if (p->folder != AT_FDCWD)
        close(p->folder);
    p->folder = next;
    p->is_process = fstatfs(next, &sb) == 0 && sb.f_type == PROC_SUPER_MAGIC;
    return true;
}

/* Goes to the folder of a path, which may be relative to the present one. */
static bool file_place_go(struct file_place *p, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? xasprintf("%.*s", (int)(slash - path + 1), path) : NULL;
    bool found = folder == NULL || file_place_enter(p, folder);
    free(folder);
    free(p->name);
    p->name = xstrdup(slash != NULL ? slash + 1 : path);
    return found;
}

static bool file_place_follow(struct file_place *p, const char *path)
{
    char target[PATH_MAX];
    if (!file_place_go(p, path) || (p->folder == AT_FDCWD && !file_place_enter(p, ".")))
        return false;
    for (unsigned links = 0; !p->is_process; links++) {
        ssize_t n = readlinkat(p->folder, p->name, target, sizeof target - 1);
        if (n < 0)
            return true; /* no link, or nothing there */
        errno = links == LINKS_MAX ? ELOOP : ENOENT;
        target[n] = '\0';
        if (links == LINKS_MAX || n == 0 || !file_place_go(p, target))
            return false;
    }
    return true;
}

bool file_place_find(struct file_place *p, const char *path)
{
    *p = (struct file_place){.folder = AT_FDCWD};
    bool found = file_place_follow(p, path);
    int why = errno;
    if (!found)
        file_place_release(p);
    errno = why;
    return found;
}

void file_place_release(struct file_place *p)
{
    if (p->folder >= 0)
        close(p->folder);
    free(p->name);
    *p = (struct file_place){.folder = -1};
}

bool file_place_is_same(const struct file_place *a, const struct file_place *b)
{
    struct stat x, y;
    return strcmp(a->name, b->name) == 0 && fstat(a->folder, &x) == 0 && fstat(b->folder, &y) == 0 &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int file_place_descriptor(const struct file_place *p)
{
    struct stat own, folder;
    uint64_t number;
    bool is_own = p->is_process && stat("/proc/self/fd", &own) == 0 && fstat(p->folder, &folder) == 0 &&
                  own.st_dev == folder.st_dev && own.st_ino == folder.st_ino;
    return is_own && number_parse(p->name, &number) == ST_OK && number <= INT_MAX ? (int)number : -1;
}
