/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's names of files. Without a sysroot they are the host's, except in /proc and /dev and below the name of
 * alias.h. With one, each name is looked up in the sysroot first, component by component: absolute links begin at the
 * guest's root again, and ".." does not leave it. A relative name means what the absolute name of its folder and the
 * name behind that mean. What the sysroot lacks is looked up on the host, unless it is in a folder of the host's
 * system: then a run would depend on what is installed there. */
#include "core-model/linux/path.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core-model/linux/alias.h"
#include "core-model/linux/files.h"
#include "core-model/linux/procfs.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

enum {
    LINKS_MAX = 40,
    FOUND_IN_PROC = 1,
    FOUND_PROCESSORS = 2,
    GUEST_AT_FDCWD = -100,
    SCOPED = RESOLVE_BENEATH | RESOLVE_IN_ROOT
};

struct path_walk {
    const struct guest *g;
    char at[PATH_MAX];    /* the guest's name so far, without links; empty at the root */
    char rest[PATH_MAX];  /* the remaining components, behind slashes */
    char start[PATH_MAX]; /* the host's name of the folder that a relative name starts in; else empty */
    char floor[PATH_MAX]; /* the guest's name of the folder that SCOPED does not leave */
    uint64_t resolve;     /* RESOLVE_ flags of openat2 */
    dev_t dev;            /* of the first folder, for RESOLVE_NO_XDEV */
    bool knows_root;      /* Linux has found the root: otherwise an absolute link leads to another mount */
    bool by_link;         /* a link of the host has led here, so the name may be of the host's system */
    bool plain;           /* neither link nor ".." was found */
    bool is_ordinary;     /* the host looks the name up, unless it leads to a file that only the guest has */
    unsigned links;
};

/* linux_name_guest for `at`, which is empty at the root. */
static void name_at(const struct guest *g, char *at)
{
    linux_name_guest(g, at);
    if (strcmp(at, "/") == 0)
        at[0] = '\0';
}

/* The host's name of a file of the sysroot; false: it does not exist. */
static bool in_sysroot(const struct linux_names *names, const char *name, char *host, struct stat *sb)
{
    if (names->sysroot == NULL || snprintf(host, PATH_MAX, "%s%s", names->sysroot, name) >= PATH_MAX)
        return false;
    return lstat(host, sb) == 0;
}

static bool is_below_folder(const char *name, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(name, folder, length) == 0 && (name[length] == '/' || name[length] == '\0');
}

/* Whether a name is in a folder of the system: of programs, libraries, settings and state that are installed. */
static bool is_of_system(const char *name)
{
    static const char *const folders[] = {"bin", "boot", "etc",  "gnu", "nix", "opt",
                                          "run", "sbin", "snap", "sys", "usr", "var"};
    const size_t length = strcspn(name + 1, "/");
    if (strncmp(name, "/lib", 4) == 0)
        return true;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (length == strlen(folders[i]) && strncmp(name + 1, folders[i], length) == 0)
            return true;
    return false;
}

/* Whether a name is that of the folder in which pcemu was started, or below it: a folder of the user's, wherever it is,
 * but not one of the system's first folders. */
static bool is_of_start(const struct linux_names *names, const char *name)
{
    const char *start = names->start_folder;
    return start != NULL && is_below_folder(name, start) && (strrchr(start, '/') != start || !is_of_system(start));
}

/* Whether a name is that of a folder above the folder in which pcemu was started. */
static bool is_above_start(const struct linux_names *names, const char *name)
{
    return names->start_folder != NULL && is_below_folder(names->start_folder, name);
}

/* Whether `at`, if the sysroot has no such file, names one of the host. */
static bool is_of_host(const struct path_walk *w)
{
    const struct linux_names *names = w->g->names;
    const size_t length = strlen(w->at);
    if (names->sysroot == NULL || names->which == GUEST_NAMES_HOST || strcmp(w->at, "/dev") == 0 ||
        strncmp(w->at, "/dev/", 5) == 0 ||
        (strncmp(w->at, LINUX_PROCESSORS, length) == 0 && LINUX_PROCESSORS[length] == '/'))
        return true;
    if (length > 0 && is_of_start(names, w->at))
        return true;
    return names->which != GUEST_NAMES_SYSROOT &&
           (length == 0 || w->by_link || !is_of_system(w->at) || is_above_start(names, w->at));
}

/* Finds what `at` names: in the folder of alias.h, in the sysroot, or else on the host. */
static int64_t path_find(const struct path_walk *w, char *host, struct stat *sb)
{
    if (linux_alias_find(&w->g->names->alias, w->at, host))
        return linux_result(lstat(host, sb));
    if (in_sysroot(w->g->names, w->at, host, sb))
        return 0;
    if (!is_of_host(w))
        return -errno;
    snprintf(host, PATH_MAX, "%s", w->at[0] != '\0' ? w->at : "/");
    return linux_result(lstat(host, sb));
}

/* Replaces the last component of `at` by a link's target. */
static int64_t take_link(struct path_walk *w, const char *target, bool is_of_hosts)
{
    size_t length = strlen(target), left = strlen(w->rest) + 1;
    if (++w->links > LINKS_MAX || (w->resolve & RESOLVE_NO_SYMLINKS))
        return -ELOOP;
    if (length + left > sizeof w->rest)
        return -ENAMETOOLONG;
    bool leaves_mount = (w->resolve & RESOLVE_NO_XDEV) && !(w->resolve & RESOLVE_IN_ROOT) && !w->knows_root;
    if (target[0] == '/' && ((w->resolve & RESOLVE_BENEATH) || leaves_mount))
        return -EXDEV;
    memmove(w->rest + length, w->rest, left);
    memcpy(w->rest, target, length);
    w->plain = false;
    if (target[0] == '/') {
        strcpy(w->at, w->resolve & RESOLVE_IN_ROOT ? w->floor : "");
        w->by_link = is_of_hosts;
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

/* Goes to the folder above. */
static int64_t path_enter_parent(struct path_walk *w)
{
    char parent[PATH_MAX];
    w->plain = false;
    w->knows_root = true;
    if ((w->resolve & SCOPED) && strcmp(w->at, w->floor) == 0)
        return w->resolve & RESOLVE_BENEATH ? -EXDEV : 0;
    if (linux_alias_parent(&w->g->names->alias, w->at, parent) != NULL) {
        strcpy(w->at, parent);
        name_at(w->g, w->at);
    } else if (w->at[0] != '\0') {
        *strrchr(w->at, '/') = '\0';
    }
    return 0;
}

/* Appends a component to `at`. Between the folder above that of alias.h and that folder the guest's name continues;
 * other files there have the names of the host. */
static int64_t path_append(struct path_walk *w, const char *name)
{
    char host[PATH_MAX];
    if (linux_alias_leaves(&w->g->names->alias, w->at, name, host)) {
        strcpy(w->at, host);
        name_at(w->g, w->at);
        w->plain = false;
    }
    const size_t length = strlen(w->at);
    if (length + strlen(name) + 2 > sizeof w->at)
        return -ENAMETOOLONG;
    w->at[length] = '/';
    strcpy(w->at + length + 1, name);
    return 0;
}

/* Reads a link of the host. One in its /proc, where no name leads that the walk has found, is there only because the
 * guest has changed the name meanwhile: its target would be the emulator's. */
static int64_t read_walked_link(const char *host, char *target)
{
    struct statfs sf;
    int fd = open(host, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    bool is_of_proc = fstatfs(fd, &sf) != 0 || sf.f_type == PROC_SUPER_MAGIC;
    int64_t n = is_of_proc ? -ELOOP : linux_result(readlinkat(fd, "", target, PATH_MAX - 1));
    close(fd);
    target[n > 0 ? n : 0] = '\0';
    return n == 0 ? -ENOENT : n;
}

/* Goes to one component. FOUND_IN_PROC: `at` is /proc. FOUND_PROCESSORS: it is LINUX_PROCESSORS. */
static int64_t path_enter(struct path_walk *w, const char *name, bool follows)
{
    char host[PATH_MAX], target[PATH_MAX];
    struct stat sb;
    bool last = w->rest[strspn(w->rest, "/")] == '\0', is_end = last && !follows && w->rest[0] == '\0';
    if (strcmp(name, "..") == 0)
        return path_enter_parent(w);
    int64_t r = path_append(w, name);
    if (r < 0)
        return r;
    if (strcmp(w->at, "/proc") == 0)
        return FOUND_IN_PROC;
    if (strcmp(w->at, LINUX_PROCESSORS) == 0)
        return FOUND_PROCESSORS;
    if (is_end && !(w->resolve & RESOLVE_NO_XDEV))
        return 0;
    const char *device = device_link(w->at);
    if (device != NULL && !is_end)
        return take_link(w, device, false);
    r = path_find(w, host, &sb);
    if (r == 0 && (w->resolve & RESOLVE_NO_XDEV) && sb.st_dev != w->dev)
        return -EXDEV;
    if (r == 0 && S_ISLNK(sb.st_mode) && !is_end) {
        r = read_walked_link(host, target);
        return r < 0 ? r : take_link(w, target, linux_below_sysroot(w->g->names, host) == NULL);
    }
    if (last)
        return 0; /* whether it exists is the call's concern */
    return r < 0 ? r : S_ISDIR(sb.st_mode) ? 0 : -ENOTDIR;
}

static int64_t linux_path_walk(struct path_walk *w, bool follows)
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
        int64_t r = strcmp(name, ".") == 0 ? 0 : path_enter(w, name, follows);
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
    return parent[0] != '\0' && lstat(w->at, &sb) != 0 && in_sysroot(w->g->names, parent, host, &sb) &&
           lstat(parent, &sb) != 0;
}

/* The host's name of what the walk has found. */
static int64_t path_finish(const struct path_walk *w, char *path)
{
    char host[PATH_MAX];
    struct stat sb;
    bool is_alias = linux_alias_find(&w->g->names->alias, w->at, host);
    bool is_inside = !is_alias && (!is_of_host(w) || in_sysroot(w->g->names, w->at, host, &sb) ||
                                   (w->at[0] != '\0' && is_made_in_sysroot(w)));
    const char *prefix = is_inside && w->g->names->sysroot != NULL ? w->g->names->sysroot : "";
    if (is_alias && strcmp(host, "/") == 0 && w->g->names->sysroot != NULL) /* above a folder such as /tmp */
        return snprintf(path, PATH_MAX, "%s/", w->g->names->sysroot) >= PATH_MAX ? -ENAMETOOLONG : 0;
    const char *name = is_alias ? host : w->at;
    const char *end = w->rest[0] == '/' || (name[0] == '\0' && prefix[0] == '\0') ? "/" : "";
    return snprintf(path, PATH_MAX, "%s%s%s", prefix, name, end) >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/* Whether a name begins with one that only the guest has, or that has other files for the guest. */
static bool path_is_special(const char *top)
{
    static const char *const folders[] = {"proc", "dev/", "sys/", &LINUX_ALIAS_PARENT[1]};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (strncmp(top, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

/* Finds the folder that a relative name starts in: w->start. False: it has no name, or none that leads to it; only the
 * host knows what is below it. */
static bool find_start(struct path_walk *w, const struct linux_place *place)
{
    struct stat named, opened;
    if (place->dir == AT_FDCWD ? getcwd(w->start, sizeof w->start) == NULL
                               : linux_descriptor_name(place->dir, w->start) < 0)
        return false;
    if (w->start[0] != '/' || strlen(w->start) + strlen(place->path) + 2 > PATH_MAX)
        return false;
    int r = place->dir == AT_FDCWD ? stat(".", &opened) : fstat(place->dir, &opened);
    w->dev = opened.st_dev;
    return r == 0 && S_ISDIR(opened.st_mode) && stat(w->start, &named) == 0 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino;
}

/* Whether the walk begins; otherwise the host looks the name up. */
static bool path_begin(struct path_walk *w, const struct linux_place *place)
{
    const struct linux_names *names = w->g->names;
    const size_t slashes = strspn(place->path, "/");
    w->plain = true;
    strcpy(w->rest, place->path);
    if (place->path[0] == '\0' || ((w->resolve & SCOPED) && names->sysroot == NULL))
        return false;
    w->is_ordinary = names->sysroot == NULL && !path_is_special(place->path + slashes);
    if (slashes > 0 && !(w->resolve & SCOPED)) {
        w->dev = names->root_dev;
        w->knows_root = true;
        return true;
    }
    if (!find_start(w, place))
        return false;
    if (is_below_folder(w->start, "/proc") || is_below_folder(w->start, "/sys")) {
        char start[PATH_MAX];
        strcpy(start, w->start);
        linux_name_guest(w->g, start);
        w->start[0] = '\0'; /* numbers in it are those of the host */
        w->is_ordinary = false;
        return !(w->resolve & SCOPED) &&
               snprintf(w->rest, sizeof w->rest, "%s/%s", start, place->path) < (int)sizeof w->rest;
    }
    strcpy(w->at, w->start);
    name_at(w->g, w->at);
    strcpy(w->floor, w->at);
    return true;
}

/* Whether the host finds the same file by the relative name, as it names no link and no file of another root. */
static bool is_same_for_host(const struct path_walk *w, const char *path)
{
    const char *start = strcmp(w->start, "/") == 0 ? "" : w->start, *rest = w->at + strlen(w->floor);
    return w->plain && w->start[0] != '\0' && is_below_folder(path, start) &&
           strncmp(path + strlen(start), rest, strlen(rest)) == 0;
}

/* A link of /proc that leads to a file is followed. */
static int64_t check_magic_link(const struct path_walk *w)
{
    if (w->resolve & (RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS))
        return -ELOOP;
    return w->resolve & SCOPED ? -EXDEV : 0;
}

/* Finds a name below /proc; 1: `w->rest` is now another name of the guest. */
static int64_t find_in_proc(struct path_walk *w, bool follows, struct linux_place *place)
{
    if (snprintf(place->path, PATH_MAX, "/proc%s", w->rest) >= PATH_MAX)
        return -ENAMETOOLONG;
    place->dir = AT_FDCWD;
    int64_t r = linux_proc_find(w->g, place->path, follows, &place->entry);
    if (r <= 0)
        return r;
    strcpy(w->rest, place->path);
    w->at[0] = '\0';
    w->plain = false;
    r = check_magic_link(w);
    return r < 0 ? r : ++w->links > LINKS_MAX ? -ELOOP : 1;
}

/* Names in these folders are not, or not all, what the host has there. */
static bool is_seen_otherwise(const char *name) { return name[0] != '/' || path_is_special(name + 1); }

/* Opens a place as a name alone, by flags RESOLVE_ of openat2. */
static int path_open_name(const struct linux_place *place, bool follows, uint64_t resolve)
{
    const struct open_how how = {.flags = O_PATH | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW), .resolve = resolve};
    return (int)syscall(SYS_openat2, place->dir, place->path, &how, sizeof how);
}

/* Whether the host's look-up of the name comes to no place that the guest sees otherwise: without links, or by links
 * that end elsewhere. This is the walk's short cut. */
static bool path_is_plain(const struct path_walk *w, const struct linux_place *place, bool follows)
{
    char end[PATH_MAX];
    const char *whole = w->start[0] != '\0' ? w->start : place->path;
    bool is_direct = whole[1] != '/' && whole[1] != '.' && whole[1] != '\0' && strstr(place->path, "..") == NULL;
    if (is_seen_otherwise(whole))
        return false;
    int fd = is_direct ? path_open_name(place, follows, RESOLVE_NO_SYMLINKS) : -1;
    if (fd >= 0)
        close(fd);
    if (is_direct && (fd >= 0 || errno == ENOENT || errno == ENOTDIR || errno == EACCES))
        return true;
    fd = path_open_name(place, follows, RESOLVE_NO_MAGICLINKS);
    if (fd < 0)
        return false;
    int64_t n = linux_descriptor_name(fd, end);
    close(fd);
    return n > 0 && !is_seen_otherwise(end);
}

static int64_t path_find_place(struct path_walk *w, bool follows, struct linux_place *place)
{
    char path[PATH_MAX];
    if (w->is_ordinary && w->resolve == 0 && path_is_plain(w, place, follows))
        return 0;
    int64_t r = linux_path_walk(w, follows);
    if (w->is_ordinary && r != FOUND_IN_PROC && r != FOUND_PROCESSORS)
        return 0;
    while (r == FOUND_IN_PROC) {
        r = find_in_proc(w, follows, place);
        place->resolve = 0;
        if (r <= 0)
            return r;
        r = linux_path_walk(w, follows);
    }
    if (r < 0)
        return r;
    if (r == FOUND_PROCESSORS) {
        place->dir = AT_FDCWD;
        return linux_processors_find(w->g, w->rest, place->path, &place->entry);
    }
    r = path_finish(w, path);
    if (r < 0 || is_same_for_host(w, path))
        return r;
    strcpy(place->path, path);
    place->dir = AT_FDCWD;
    place->resolve = 0;
    return 0;
}

/* The host may look the name up itself, and the guest may change it meanwhile: the links of /proc that lead to files
 * are those of the emulator, and are not followed. Only linux_proc_find gives names that have one. */
static int64_t resolve_place(const struct guest *g, bool follows, uint64_t resolve, struct linux_place *place)
{
    struct path_walk w = {.g = g, .resolve = resolve};
    place->entry = (struct proc_entry){0};
    place->resolve = resolve;
    if ((resolve & RESOLVE_BENEATH) && place->path[0] == '/')
        return -EXDEV;
    int64_t r = path_begin(&w, place) ? path_find_place(&w, follows, place) : 0;
    if (place->entry.pid == 0 && place->entry.kind == PROC_NONE)
        place->resolve |= g->names->no_magic_links;
    return r;
}

int64_t linux_find_place(const struct guest *g, bool follows, struct linux_place *place)
{
    return resolve_place(g, follows, 0, place);
}

int64_t linux_get_place_by(struct guest *g, uint64_t dir, uint64_t addr, bool follows, uint64_t resolve,
                           struct linux_place *place)
{
    int64_t r = linux_get_string(g, addr, place->path, sizeof place->path);
    bool is_absolute = r == 0 && place->path[0] == '/' && !(resolve & SCOPED);
    place->dir = is_absolute ? AT_FDCWD : linux_dirfd(g, dir);
    if (r < 0 || place->dir == -EBADF)
        return r < 0 ? r : -EBADF;
    return resolve_place(g, follows, resolve, place);
}

int64_t linux_get_place(struct guest *g, uint64_t dir, uint64_t addr, bool follows, struct linux_place *place)
{
    return linux_get_place_by(g, dir, addr, follows, 0, place);
}

int64_t linux_get_path(struct guest *g, uint64_t addr, bool follows, struct linux_place *place)
{
    return linux_get_place(g, (uint64_t)GUEST_AT_FDCWD, addr, follows, place);
}

int64_t linux_proc_check(const struct guest *g, int host_fd, bool follows, struct linux_place *place)
{
    struct statfs sf;
    char opened[PATH_MAX];
    if (fstatfs(host_fd, &sf) != 0 || sf.f_type != PROC_SUPER_MAGIC)
        return 0;
    snprintf(opened, sizeof opened, "%s", place->path);
    int64_t r = linux_descriptor_name(host_fd, place->path);
    if (r < 0)
        return r;
    linux_name_guest(g, place->path);
    if (strncmp(place->path, "/proc", 5) != 0 || (place->path[5] != '/' && place->path[5] != '\0'))
        return -EACCES; /* mounted elsewhere: which of its files are the emulator's is unknown */
    place->dir = AT_FDCWD;
    r = linux_find_place(g, follows, place);
    return r < 0 ? r : strcmp(opened, place->path) != 0 || place->entry.kind == PROC_FILE;
}
