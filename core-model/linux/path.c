/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's names of files. Without a sysroot they are the host's, except in /proc and /dev. With one, each absolute
 * name is looked up in the sysroot first, component by component: absolute links begin at the guest's root again, and
 * ".." does not leave it. A relative name is looked up in the same way where it starts in a folder of the sysroot;
 * elsewhere the host looks it up, unless its links lead to /proc. With sysroot_only, absolute names are the sysroot's
 * alone, but for /dev and /proc. */
#include "core-model/linux/path.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core-model/linux/linux.h"

enum { LINKS_MAX = 40, FOUND_IN_PROC = 1, FOUND_PROCESSORS = 2, GUEST_AT_FDCWD = -100 };

struct path_walk {
    const struct guest *g;
    char at[PATH_MAX];   /* the guest's name so far, without links; empty at the root */
    char rest[PATH_MAX]; /* the remaining components, behind slashes */
    bool inside;         /* in the sysroot alone: the name is relative to one of its folders */
    bool of_host;        /* the host looks the name up, unless links lead to a place that the guest sees otherwise */
    bool plain;          /* neither link nor ".." was found */
    unsigned links;
};

void linux_sysroot_init(struct linux_state *os, const char *sysroot, bool only)
{
    struct stat root, host;
    os->sysroot_only = only;
    os->sysroot = sysroot != NULL ? realpath(sysroot, NULL) : NULL;
    if (os->sysroot == NULL || strcmp(os->sysroot, "/") == 0 || stat(os->sysroot, &root) != 0 ||
        stat("/", &host) != 0) {
        free(os->sysroot);
        os->sysroot = NULL;
        return;
    }
    os->root_dev = root.st_dev, os->root_ino = root.st_ino;
    os->host_root_dev = host.st_dev, os->host_root_ino = host.st_ino;
}

bool linux_root_numbers(const struct linux_state *os, dev_t *dev, uint64_t *ino)
{
    if (os->sysroot == NULL)
        return false;
    if (*dev == os->host_root_dev && *ino == os->host_root_ino)
        *dev = os->root_dev, *ino = os->root_ino;
    return *dev == os->root_dev && *ino == os->root_ino;
}

void linux_enter_root(const struct linux_state *os)
{
    char path[PATH_MAX];
    if (os->sysroot != NULL && getcwd(path, sizeof path) != NULL && strcmp(path, "/") == 0)
        (void)chdir(os->sysroot);
}

/* The part of an absolute name of the host below the sysroot: empty for the sysroot itself; NULL: not in it. */
static const char *below_sysroot(const struct linux_state *os, const char *path)
{
    size_t length = os->sysroot != NULL ? strlen(os->sysroot) : 0;
    bool is_below = length > 0 && strncmp(path, os->sysroot, length) == 0 &&
                    (path[length] == '/' || path[length] == '\0');
    return is_below ? path + length : NULL;
}

void linux_name_guest(const struct guest *g, char *path)
{
    const char *below = below_sysroot(g->os, path);
    if (below != NULL)
        memmove(path, below[0] != '\0' ? below : "/", strlen(below) + 1 + (below[0] == '\0'));
    else if (strncmp(path, "/proc/", 6) == 0)
        linux_proc_name_guest(g, path);
}

/* The host's name of a file of the sysroot; false: it does not exist. */
static bool in_sysroot(const struct linux_state *os, const char *name, char *host, struct stat *sb)
{
    if (os->sysroot == NULL || snprintf(host, PATH_MAX, "%s%s", os->sysroot, name) >= PATH_MAX)
        return false;
    return lstat(host, sb) == 0;
}

/* Whether `at`, if the sysroot has no such file, names one of the host. */
static bool is_of_host(const struct path_walk *w)
{
    const size_t length = strlen(w->at);
    if (w->inside)
        return false;
    return w->g->os->sysroot == NULL || !w->g->os->sysroot_only || strcmp(w->at, "/dev") == 0 ||
           strncmp(w->at, "/dev/", 5) == 0 ||
           (strncmp(w->at, LINUX_PROCESSORS, length) == 0 && LINUX_PROCESSORS[length] == '/');
}

/* Finds what `at` names, in the sysroot or else on the host. */
static int64_t find(const struct path_walk *w, char *host, struct stat *sb)
{
    if (!w->of_host && in_sysroot(w->g->os, w->at, host, sb))
        return 0;
    if (!w->of_host && !is_of_host(w))
        return -errno;
    snprintf(host, PATH_MAX, "%s", w->at[0] != '\0' ? w->at : "/");
    return linux_result(lstat(host, sb));
}

/* Replaces the last component of `at` by a link's target. */
static int64_t take_link(struct path_walk *w, const char *target)
{
    size_t length = strlen(target), left = strlen(w->rest) + 1;
    if (++w->links > LINKS_MAX)
        return -ELOOP;
    if (length + left > sizeof w->rest)
        return -ENAMETOOLONG;
    memmove(w->rest + length, w->rest, left);
    memcpy(w->rest, target, length);
    w->plain = false;
    if (target[0] == '/') {
        w->at[0] = '\0';
        w->inside = false;
    } else {
        *strrchr(w->at, '/') = '\0';
    }
    return 0;
}

/* Links of /dev to the process's descriptors; NULL: another name. */
static const char *device_link(const char *name)
{
    static const char *const links[][2] = {{"/dev/fd", "/proc/self/fd"},
                                           {"/dev/stdin", "/proc/self/fd/0"},
                                           {"/dev/stdout", "/proc/self/fd/1"},
                                           {"/dev/stderr", "/proc/self/fd/2"}};
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        if (strcmp(name, links[i][0]) == 0)
            return links[i][1];
    return NULL;
}

/* Goes to one component. FOUND_IN_PROC: `at` is /proc. FOUND_PROCESSORS: it is LINUX_PROCESSORS. */
static int64_t enter(struct path_walk *w, const char *name, bool follows)
{
    char host[PATH_MAX], target[PATH_MAX];
    struct stat sb;
    size_t length = strlen(w->at);
    bool last = w->rest[strspn(w->rest, "/")] == '\0';
    if (strcmp(name, "..") == 0) {
        w->at[length > 0 ? strrchr(w->at, '/') - w->at : 0] = '\0';
        w->plain = false;
        return 0;
    }
    if (length + strlen(name) + 2 > sizeof w->at)
        return -ENAMETOOLONG;
    w->at[length] = '/';
    strcpy(w->at + length + 1, name);
    if (strcmp(w->at, "/proc") == 0)
        return FOUND_IN_PROC;
    if (strcmp(w->at, LINUX_PROCESSORS) == 0)
        return FOUND_PROCESSORS;
    if (last && !follows && w->rest[0] == '\0')
        return 0;
    const char *device = device_link(w->at);
    if (device != NULL)
        return take_link(w, device);
    int64_t r = find(w, host, &sb);
    if (r == 0 && S_ISLNK(sb.st_mode)) {
        ssize_t n = readlink(host, target, sizeof target - 1);
        target[n > 0 ? n : 0] = '\0';
        return n < 0 ? -errno : n == 0 ? -ENOENT : take_link(w, target);
    }
    if (last)
        return 0; /* whether it exists is the call's concern */
    return r < 0 ? r : S_ISDIR(sb.st_mode) ? 0 : -ENOTDIR;
}

static int64_t walk(struct path_walk *w, bool follows)
{
    char name[NAME_MAX + 1];
    for (;;) {
        size_t start = strspn(w->rest, "/"), length = strcspn(w->rest + start, "/");
        if (length == 0)
            return 0;
        if (length > NAME_MAX)
            return -ENAMETOOLONG;
        memcpy(name, w->rest + start, length);
        name[length] = '\0';
        memmove(w->rest, w->rest + start + length, strlen(w->rest + start + length) + 1);
        int64_t r = strcmp(name, ".") == 0 ? 0 : enter(w, name, follows);
        if (r != 0)
            return r;
    }
}

/* Where a new file is made: in the sysroot, if only that has its folder. */
static bool is_made_in_sysroot(const struct path_walk *w)
{
    char parent[PATH_MAX], host[PATH_MAX];
    struct stat sb;
    snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(w->at, '/') - w->at), w->at);
    return parent[0] != '\0' && lstat(w->at, &sb) != 0 && in_sysroot(w->g->os, parent, host, &sb) &&
           lstat(parent, &sb) != 0;
}

/* The host's name of what the walk has found. */
static int64_t finish(const struct path_walk *w, char *path)
{
    char host[PATH_MAX];
    struct stat sb;
    bool is_inside = !is_of_host(w) || in_sysroot(w->g->os, w->at, host, &sb) ||
                     (w->at[0] != '\0' && is_made_in_sysroot(w));
    const char *prefix = is_inside && w->g->os->sysroot != NULL ? w->g->os->sysroot : "";
    const char *end = w->rest[0] == '/' || (w->at[0] == '\0' && prefix[0] == '\0') ? "/" : "";
    return snprintf(path, PATH_MAX, "%s%s%s", prefix, w->at, end) >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/* Whether the walk begins: from the root, or from a folder that has a name. */
static bool begin(struct path_walk *w, const struct linux_place *place)
{
    const struct linux_state *os = w->g->os;
    char start[PATH_MAX] = "", link[64];
    size_t slashes = strspn(place->path, "/");
    w->at[0] = '\0';
    w->inside = w->of_host = false;
    w->links = 0;
    w->plain = true;
    strcpy(w->rest, place->path);
    if (slashes > 0) {
        w->of_host = os->sysroot == NULL;
        return true;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", place->dir);
    if (place->path[0] == '\0' ||
        (place->dir == AT_FDCWD ? getcwd(start, sizeof start) == NULL : readlink(link, start, sizeof start - 1) < 0))
        return false;
    const char *below = below_sysroot(os, start);
    if (below != NULL) {
        strcpy(w->at, below);
        w->inside = true;
        return true;
    }
    w->of_host = true;
    linux_name_guest(w->g, start);
    w->plain = false;
    return snprintf(w->rest, sizeof w->rest, "%s/%s", start, place->path) < (int)sizeof w->rest;
}

/* Names in these folders are not, or not all, what the host has there. */
static bool is_seen_otherwise(const char *name)
{
    static const char *const folders[] = {"/proc", "/dev", "/sys"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (strncmp(name, folders[i], strlen(folders[i])) == 0)
            return true;
    return name[0] != '/';
}

/* Opens a place as a name alone, by flags RESOLVE_ of openat2. */
static int open_name(const struct linux_place *place, bool follows, uint64_t resolve)
{
    const struct open_how how = {.flags = O_PATH | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW), .resolve = resolve};
    return (int)syscall(SYS_openat2, place->dir, place->path, &how, sizeof how);
}

/* Whether the host's look-up of the name, which is `whole` in full, comes to no place that the guest sees otherwise:
 * without links, or by links that end elsewhere. This is the walk's short cut. */
static bool is_plain(const struct linux_place *place, const char *whole, bool follows)
{
    char link[64], end[PATH_MAX] = "";
    bool is_direct = whole[0] == '/' && whole[1] != '/' && whole[1] != '.' && strstr(whole, "..") == NULL;
    if (is_seen_otherwise(whole))
        return false;
    int fd = is_direct ? open_name(place, follows, RESOLVE_NO_SYMLINKS) : -1;
    if (fd >= 0)
        close(fd);
    if (is_direct && (fd >= 0 || errno == ENOENT || errno == ENOTDIR || errno == EACCES))
        return true;
    fd = open_name(place, follows, RESOLVE_NO_MAGICLINKS);
    if (fd < 0)
        return false;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, end, sizeof end - 1);
    close(fd);
    return n > 0 && !is_seen_otherwise(end);
}

int64_t linux_find_place(const struct guest *g, bool follows, struct linux_place *place)
{
    struct path_walk w;
    place->entry = (struct proc_entry){0};
    w.g = g;
    if (!begin(&w, place) || (w.of_host && is_plain(place, w.rest, follows)))
        return 0;
    int64_t r = walk(&w, follows);
    if (w.of_host && r != FOUND_IN_PROC && r != FOUND_PROCESSORS)
        return 0;
    while (r == FOUND_IN_PROC) {
        if (snprintf(place->path, PATH_MAX, "/proc%s", w.rest) >= PATH_MAX)
            return -ENAMETOOLONG;
        place->dir = AT_FDCWD;
        r = linux_proc_find(g, place->path, follows, &place->entry);
        if (r <= 0)
            return r;
        strcpy(w.rest, place->path);
        w.at[0] = '\0';
        w.plain = w.inside = false;
        w.of_host = g->os->sysroot == NULL;
        r = ++w.links > LINKS_MAX ? -ELOOP : walk(&w, follows);
    }
    if (r < 0 || (w.plain && w.inside))
        return r;
    place->dir = AT_FDCWD;
    if (r == FOUND_PROCESSORS)
        return linux_processors_find(g, w.rest, place->path, &place->entry);
    return finish(&w, place->path);
}

int64_t linux_get_place(struct guest *g, uint64_t dir, uint64_t addr, bool follows, struct linux_place *place)
{
    int64_t r = linux_get_string(g, addr, place->path, sizeof place->path);
    place->dir = r == 0 && place->path[0] == '/' ? AT_FDCWD : linux_dirfd(g, dir);
    if (r < 0 || place->dir == -EBADF)
        return r < 0 ? r : -EBADF;
    return linux_find_place(g, follows, place);
}

int64_t linux_get_path(struct guest *g, uint64_t addr, bool follows, struct linux_place *place)
{
    return linux_get_place(g, (uint64_t)GUEST_AT_FDCWD, addr, follows, place);
}
