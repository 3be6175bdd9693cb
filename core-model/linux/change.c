/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/change.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/ending.h"
#include "base/landlock.h"
#include "core-model/linux/clock.h"
#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

enum { SECONDS_NS = 1000000000 };

static int change_open(int fd, const struct linux_change *c)
{
    switch (c->kind) {
    case CHANGE_MODE:
        return fchmod(fd, c->mode);
    case CHANGE_OWNER:
        return fchown(fd, c->owner.user, c->owner.group);
    case CHANGE_TIMES:
        return futimens(fd, c->times);
    case CHANGE_ADDS_ATTRIBUTE:
        return fsetxattr(fd, c->attribute.name, c->attribute.value, c->attribute.size_bytes, c->attribute.flags);
    case CHANGE_REMOVES_ATTRIBUTE:
        return fremovexattr(fd, c->attribute.name);
    }
    BUG("change of kind %d", (int)c->kind);
}

static int change_named(const struct linux_place *place, int flags, const struct linux_change *c)
{
    bool follows = !(flags & AT_SYMLINK_NOFOLLOW);
    switch (c->kind) {
    case CHANGE_MODE:
        return fchmodat(place->dir, place->path, c->mode, flags);
    case CHANGE_OWNER:
        return fchownat(place->dir, place->path, c->owner.user, c->owner.group, flags);
    case CHANGE_TIMES:
        return utimensat(place->dir, place->path, c->times, flags);
    case CHANGE_ADDS_ATTRIBUTE:
        return (follows ? setxattr : lsetxattr)(place->path, c->attribute.name, c->attribute.value,
                                                c->attribute.size_bytes, c->attribute.flags);
    case CHANGE_REMOVES_ATTRIBUTE:
        return (follows ? removexattr : lremovexattr)(place->path, c->attribute.name);
    }
    BUG("change of kind %d", (int)c->kind);
}

/* ---- in a confined process ---- */

/* A change in a thread of its own. */
struct task {
    const struct linux_change *change;
    int dir;
    const char *path;
    int flags;   /* of open */
    int ruleset; /* of Landlock: what the guest may change can be opened */
    int64_t result;
};

static void *linux_change_perform(void *argument)
{
    struct task *t = argument;
    int fd = -1;
    if (landlock_restrict(t->ruleset) == 0)
        fd = openat(t->dir, t->path, t->flags);
    t->result = fd < 0 ? -errno : linux_result(change_open(fd, t->change));
    if (fd >= 0)
        close(fd);
    return NULL;
}

/* Restrictions of Landlock are those of a thread. The thread takes no signals of the process. */
static int64_t perform_apart(struct task *t)
{
    pthread_t thread;
    int why = ending_start_thread(&thread, linux_change_perform, t);
    if (why != 0)
        return -why;
    (void)pthread_join(thread, NULL);
    return t->result == -ELOOP && (t->flags & O_NOFOLLOW) ? -EPERM : t->result;
}

static int64_t change_confined(const struct guest *g, int dir, const char *path, int flags,
                               const struct linux_change *change)
{
    char link[64];
    bool is_open = path[0] == '\0' && (flags & AT_EMPTY_PATH);
    struct task t = {change, dir, path, .flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, g->names->change_ruleset,
                     0};
    if (path[0] == '\0' && !is_open)
        return -ENOENT;
    if (is_open && dir != AT_FDCWD) { /* opened again, because it may be open for less */
        snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
        t.path = link;
    } else if (is_open) {
        t.path = ".";
    } else if (flags & AT_SYMLINK_NOFOLLOW) {
        t.flags |= O_NOFOLLOW;
    }
    return perform_apart(&t);
}

/* ---- for both ---- */

/* Counts a change that was made, for the report. */
static void linux_change_count(const struct guest *g, const struct linux_change *change, const struct stat *sb)
{
    static const enum host_change kinds[] = {[CHANGE_MODE] = HOST_MODES,
                                             [CHANGE_OWNER] = HOST_OWNERS,
                                             [CHANGE_TIMES] = HOST_TIMES,
                                             [CHANGE_ADDS_ATTRIBUTE] = HOST_ATTRIBUTES,
                                             [CHANGE_REMOVES_ATTRIBUTE] = HOST_ATTRIBUTES};
    linux_count_change(g, kinds[change->kind]);
    if (S_ISCHR(sb->st_mode) || S_ISBLK(sb->st_mode))
        linux_count_change(g, HOST_DEVICES);
}

int64_t linux_change_file(const struct guest *g, const struct linux_place *place, int flags,
                          const struct linux_change *change)
{
    struct stat sb;
    int64_t r = g->names->change_ruleset >= 0 ? change_confined(g, place->dir, place->path, flags, change)
                                              : linux_result(change_named(place, flags, change));
    if (r == 0 && fstatat(place->dir, place->path, &sb, flags) == 0)
        linux_change_count(g, change, &sb);
    return r;
}

int64_t linux_change_open_file(const struct guest *g, int host_fd, const struct linux_change *change)
{
    struct stat sb;
    int64_t r = g->names->change_ruleset >= 0 ? change_confined(g, host_fd, "", AT_EMPTY_PATH, change)
                                              : linux_result(change_open(host_fd, change));
    if (r == 0 && fstat(host_fd, &sb) == 0)
        linux_change_count(g, change, &sb);
    return r;
}

/* ---- system calls ---- */

int64_t sys_fchmod(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd
                  : linux_change_open_file(g, fd, &(struct linux_change){CHANGE_MODE, .mode = (mode_t)(a[1] & 07777)});
}

int64_t sys_fchmodat(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    int64_t r = linux_get_place(g, a[0], a[1], true, &place);
    return r < 0 ? r
                 : linux_change_file(g, &place, 0, &(struct linux_change){CHANGE_MODE, .mode = (mode_t)(a[2] & 07777)});
}

int64_t sys_fchown(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd
                  : linux_change_open_file(g, fd,
                                           &(struct linux_change){CHANGE_OWNER, .owner = {(uid_t)a[1], (gid_t)a[2]}});
}

int64_t sys_fchownat(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    int64_t r = linux_get_place(g, a[0], a[1], !(a[4] & AT_SYMLINK_NOFOLLOW), &place);
    return r < 0 ? r
                 : linux_change_file(g, &place, (int)a[4],
                                     &(struct linux_change){CHANGE_OWNER, .owner = {(uid_t)a[2], (gid_t)a[3]}});
}

/* UTIME_NOW is the guest's current time. */
static struct timespec file_time(const struct guest *g, const int64_t *when)
{
    enum { GUEST_UTIME_NOW = 0x3fffffff, GUEST_UTIME_OMIT = 0x3ffffffe };
    if (when[1] == GUEST_UTIME_OMIT)
        return (struct timespec){.tv_nsec = UTIME_OMIT};
    if (when[1] != GUEST_UTIME_NOW)
        return (struct timespec){.tv_sec = when[0], .tv_nsec = when[1]};
    uint64_t now = linux_clock_ns(g);
    return (struct timespec){.tv_sec = (time_t)(now / SECONDS_NS), .tv_nsec = (long)(now % SECONDS_NS)};
}

int64_t sys_utimensat(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    int64_t when[4] = {0, 0x3fffffff, 0, 0x3fffffff};
    if (a[2] != 0 && linux_get(g, a[2], when, sizeof when) != 0)
        return -EFAULT;
    const struct linux_change change = {CHANGE_TIMES, .times = {file_time(g, when), file_time(g, when + 2)}};
    if (a[1] == 0) {
        int fd = linux_fd(g, a[0]);
        return fd < 0 ? fd : linux_change_open_file(g, fd, &change);
    }
    int64_t r = linux_get_place(g, a[0], a[1], !(a[3] & AT_SYMLINK_NOFOLLOW), &place);
    return r < 0 ? r : linux_change_file(g, &place, (int)a[3], &change);
}
