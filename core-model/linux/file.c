/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls that name files: opening, status, renaming. */
#include <fcntl.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core-model/linux/apart.h"
#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/procfs.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

/* struct stat and struct statfs of the generic 64-bit ABI. */
struct guest_stat {
    uint64_t dev, ino;
    uint32_t mode, nlink, uid, gid;
    uint64_t rdev, pad1;
    int64_t size;
    int32_t blksize, pad2;
    int64_t blocks;
    uint64_t atime, atime_ns, mtime, mtime_ns, ctime, ctime_ns;
    uint32_t unused[2];
};

struct guest_statfs {
    uint64_t type, bsize, blocks, bfree, bavail, files, ffree;
    int32_t fsid[2];
    uint64_t namelen, frsize, flags, spare[4];
};

/* AT_* flags have the same values on every architecture; the host rejects unknown ones. */

/* Fixed block size, because programs derive buffer sizes from it and runs must not depend on the host. */
enum { BLOCK_BYTES = 4096 };

/* Translates O_ flags whose values differ on the host. */
static int translate_open_flags(uint64_t flags)
{
    static const struct {
        uint32_t guest;
        int host;
    } table[] = {
        {0100, O_CREAT},        {0200, O_EXCL},        {0400, O_NOCTTY},      {01000, O_TRUNC},
        {02000, O_APPEND},      {04000, O_NONBLOCK},   {010000, O_DSYNC},     {040000, O_DIRECT},
        {0200000, O_DIRECTORY}, {0400000, O_NOFOLLOW}, {01000000, O_NOATIME}, {010000000, O_PATH},
        {020200000, O_TMPFILE}, {04010000, O_SYNC},
    };
    int host = (int)(flags & 3) | O_CLOEXEC;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if ((flags & table[i].guest) == table[i].guest)
            host |= table[i].host;
    return host;
}

/* Whether open follows a link at the end of the name. */
static bool opens_link(uint64_t flags)
{
    enum { GUEST_O_CREAT = 0100, GUEST_O_EXCL = 0200, GUEST_O_NOFOLLOW = 0400000, NEW = GUEST_O_CREAT | GUEST_O_EXCL };
    return !(flags & GUEST_O_NOFOLLOW) && (flags & NEW) != NEW;
}

/* struct open_how: the first version. */
struct open_how {
    uint64_t flags, mode, resolve;
};

/* openat2 refuses what openat ignores. */
static int64_t open_with(const struct linux_place *place, const struct open_how *host)
{
    const uint64_t of_path = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
                   creates = O_CREAT | (O_TMPFILE & ~O_DIRECTORY);
    struct open_how how = *host;
    if (how.flags & O_PATH)
        how.flags &= of_path;
    if (!(how.flags & creates))
        how.mode = 0;
    return linux_result(how.resolve != 0 ? syscall(SYS_openat2, place->dir, place->path, &how, sizeof how)
                                         : openat(place->dir, place->path, (int)how.flags, (mode_t)how.mode));
}

/* Whether opening the character device may wait, as that of a serial line for its carrier. Devices of memory, the
 * terminal of the process and pseudo-terminals do not: Linux, Documentation/admin-guide/devices.txt. */
static bool is_slow_device(dev_t number)
{
    enum { MEMORY = 1, TERMINALS = 5, MISCELLANEOUS = 10, FIRST_PSEUDO = 136, LAST_PSEUDO = 143 };
    unsigned n = major(number);
    return n != MEMORY && n != TERMINALS && n != MISCELLANEOUS && (n < FIRST_PSEUDO || n > LAST_PSEUDO);
}

/* Event that opening may wait for. */
enum open_wait {
    OPEN_AT_ONCE,
    OPEN_LEASE,  /* that another process gives up its lease of a regular file */
    OPEN_READER, /* the other end of a FIFO, opened for writing: not if it has a reader */
    OPEN_OTHER,  /* a writer of a FIFO, or a device */
};

static enum open_wait kind_of_wait(const struct stat *sb, uint64_t flags)
{
    const uint64_t access_mode = flags & O_ACCMODE;
    switch (sb->st_mode & S_IFMT) {
    case S_IFREG:
        return OPEN_LEASE;
    case S_IFIFO:
        return access_mode == O_RDWR ? OPEN_AT_ONCE : access_mode == O_WRONLY ? OPEN_READER : OPEN_OTHER;
    case S_IFCHR:
        return is_slow_device(sb->st_rdev) ? OPEN_OTHER : OPEN_AT_ONCE;
    default:
        return OPEN_AT_ONCE;
    }
}

static enum open_wait find_open_wait(const struct linux_place *place, const struct open_how *host)
{
    const uint64_t never = O_NONBLOCK | O_PATH | O_DIRECTORY, link = host->flags & O_NOFOLLOW;
    const struct open_how only_path = {.flags = O_PATH | O_CLOEXEC | link, .resolve = host->resolve};
    struct stat sb;
    if (host->flags & never)
        return OPEN_AT_ONCE;
    int fd = (int)open_with(place, &only_path);
    bool is_found = fd >= 0 && fstat(fd, &sb) == 0;
    if (fd >= 0)
        close(fd);
    return is_found ? kind_of_wait(&sb, host->flags) : OPEN_AT_ONCE;
}

/* Data that a call made apart points to. */
struct open_data {
    struct open_how how;
    char path[PATH_MAX];
};

static int64_t open_apart(struct guest *g, const struct linux_place *place, const struct open_how *host)
{
    struct open_data data = {.how = *host};
    struct linux_host_call c = {
        .number = SYS_openat,
        .a = {place->dir, offsetof(struct open_data, path), (long)host->flags, (long)host->mode},
        .in_data = 1 << 1,
        .data = &data,
        .data_bytes = sizeof data,
        .gives_fd = true};
    if (host->resolve != 0) {
        c.number = SYS_openat2;
        c.a[2] = offsetof(struct open_data, how), c.a[3] = sizeof data.how;
        c.in_data |= 1 << 2;
    }
    memcpy(data.path, place->path, sizeof data.path);
    return linux_call_apart(g, &c);
}

/* Opens without waiting what is open to reads and writes that wait. -EAGAIN: a lease has begun to break. */
static int64_t open_at_once(const struct linux_place *place, const struct open_how *host)
{
    struct open_how at_once = *host;
    int flag = 0;
    at_once.flags |= O_NONBLOCK;
    int64_t fd = open_with(place, &at_once);
    if (fd >= 0)
        (void)ioctl((int)fd, FIONBIO, &flag);
    return fd;
}

static int64_t open_host(struct guest *g, const struct linux_place *place, const struct open_how *host)
{
    if (g->thread->call.apart != NULL)
        return open_apart(g, place, host);
    const enum open_wait wait = find_open_wait(place, host);
    if (wait == OPEN_AT_ONCE)
        return open_with(place, host);
    int64_t fd = wait != OPEN_OTHER ? open_at_once(place, host) : -EAGAIN;
    return fd == (wait == OPEN_READER ? -ENXIO : -EAGAIN) ? open_apart(g, place, host) : fd;
}

/* Opens a place by flags of the guest. A file of /proc that links have led to is opened by the name that the guest has
 * for it. */
static int64_t linux_file_open_place(struct guest *g, struct linux_place *place, uint64_t flags, struct open_how *host)
{
    enum { GUEST_O_TRUNC = 01000, GUEST_O_CLOEXEC = 02000000 };
    int64_t r;
    if (!linux_has_free_fd(g))
        return -EMFILE; /* before a file is made or cut */
    do {
        if (place->entry.kind == PROC_FILE)
            return linux_proc_open(g, &place->entry, flags);
        if (place->entry.kind == PROC_REFUSED)
            return -EACCES;
        if (place->entry.kind == PROC_HOST && (flags & O_ACCMODE) != O_RDONLY)
            return -EACCES; /* settings of the host's kernel */
        host->resolve = place->resolve;
        int fd = (int)open_host(g, place, host);
        r = fd < 0 ? fd : linux_proc_check(g, fd, opens_link(flags), place);
        if (r == 0 && (flags & GUEST_O_TRUNC))
            linux_drop_cut_code(g);
        if (r == 0)
            return linux_new_fd(g, fd, 0, (flags & GUEST_O_CLOEXEC) != 0);
        if (fd >= 0)
            close(fd);
    } while (r > 0);
    return r;
}

int64_t sys_openat(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    struct open_how host = {.flags = (uint64_t)translate_open_flags(a[2]),
                            .mode = a[3] & 07777 & ~(uint64_t)g->task->umask};
    int64_t r = linux_get_place(g, a[0], a[1], opens_link(a[2]), &place);
    return r < 0 ? r : linux_file_open_place(g, &place, a[2], &host);
}

/* Flags and mode that openat2 accepts; openat ignores others. */
static bool linux_file_is_valid(const struct open_how *how)
{
    enum { CREATES = 0100 | 020000000, FLAGS = 037777703, PATH = 010000000, WITH_PATH = 012600000, RESOLVES = 077 };
    bool creates = (how->flags & CREATES) != 0, only_path = (how->flags & PATH) != 0;
    return (how->flags & ~(uint64_t)FLAGS) == 0 && (how->mode & ~UINT64_C(07777)) == 0 && (creates || how->mode == 0) &&
           (!only_path || (how->flags & ~(uint64_t)WITH_PATH) == 0) && (how->resolve & ~(uint64_t)RESOLVES) == 0;
}

int64_t sys_openat2(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    uint8_t rest[MEM_PAGE_BYTES];
    struct open_how how;
    if (a[3] < sizeof how)
        return -EINVAL;
    if (a[3] > sizeof rest)
        return -E2BIG;
    if (linux_get(g, a[2], &how, sizeof how) != 0 || linux_get(g, a[2] + sizeof how, rest, a[3] - sizeof how) != 0)
        return -EFAULT;
    for (size_t i = 0; i < a[3] - sizeof how; i++)
        if (rest[i] != 0)
            return -E2BIG;
    if (!linux_file_is_valid(&how))
        return -EINVAL;
    int64_t r = linux_get_place_by(g, a[0], a[1], opens_link(how.flags), how.resolve, &place);
    if (r < 0)
        return r;
    struct open_how host = {.flags = (uint64_t)translate_open_flags(how.flags),
                            .mode = how.mode & ~(uint64_t)g->task->umask};
    return linux_file_open_place(g, &place, how.flags, &host);
}

static int64_t put_stat(struct guest *g, uint64_t addr, const struct stat *sb)
{
    dev_t dev = sb->st_dev;
    uint64_t ino = sb->st_ino;
    (void)linux_root_numbers(g->names, &dev, &ino);
    const struct guest_stat s = {
        .dev = dev,
        .ino = ino,
        .mode = sb->st_mode,
        .nlink = (uint32_t)sb->st_nlink,
        .uid = sb->st_uid,
        .gid = sb->st_gid,
        .rdev = sb->st_rdev,
        .size = sb->st_size,
        .blksize = BLOCK_BYTES,
        .blocks = sb->st_blocks,
        .atime = (uint64_t)sb->st_atim.tv_sec,
        .atime_ns = (uint64_t)sb->st_atim.tv_nsec,
        .mtime = (uint64_t)sb->st_mtim.tv_sec,
        .mtime_ns = (uint64_t)sb->st_mtim.tv_nsec,
        .ctime = (uint64_t)sb->st_ctim.tv_sec,
        .ctime_ns = (uint64_t)sb->st_ctim.tv_nsec,
    };
    return linux_put(g, addr, &s, sizeof s);
}

int64_t sys_fstat(struct guest *g, const uint64_t *a)
{
    struct stat sb;
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    return fstat(fd, &sb) != 0 ? -errno : put_stat(g, a[1], &sb);
}

int64_t sys_newfstatat(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    struct stat sb;
    int64_t r = linux_get_place(g, a[0], a[1], !(a[3] & AT_SYMLINK_NOFOLLOW), &place);
    if (r < 0)
        return r;
    if (fstatat(place.dir, place.path, &sb, (int)a[3]) != 0)
        return -errno;
    if (place.entry.kind == PROC_TASKS)
        sb.st_nlink = 2 + linux_thread_count(g); /* a link for each folder in it */
    return put_stat(g, a[2], &sb);
}

/* struct statx is the same on every architecture. */
int64_t sys_statx(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    struct statx sx;
    int64_t r = linux_get_place(g, a[0], a[1], !(a[2] & AT_SYMLINK_NOFOLLOW), &place);
    if (r < 0)
        return r;
    if (statx(place.dir, place.path, (int)a[2], (unsigned)a[3], &sx) != 0)
        return -errno;
    dev_t dev = makedev(sx.stx_dev_major, sx.stx_dev_minor);
    uint64_t ino = sx.stx_ino;
    if (linux_root_numbers(g->names, &dev, &ino))
        sx.stx_dev_major = major(dev), sx.stx_dev_minor = minor(dev), sx.stx_ino = ino;
    sx.stx_blksize = BLOCK_BYTES;
    return linux_put(g, a[4], &sx, sizeof sx);
}

static int64_t put_statfs(struct guest *g, uint64_t addr, const struct statfs *sf)
{
    const struct guest_statfs s = {
        .type = (uint64_t)sf->f_type,
        .bsize = (uint64_t)sf->f_bsize,
        .blocks = sf->f_blocks,
        .bfree = sf->f_bfree,
        .bavail = sf->f_bavail,
        .files = sf->f_files,
        .ffree = sf->f_ffree,
        .namelen = (uint64_t)sf->f_namelen,
        .frsize = (uint64_t)sf->f_frsize,
        .flags = (uint64_t)sf->f_flags,
    };
    return linux_put(g, addr, &s, sizeof s);
}

int64_t sys_statfs(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    struct statfs sf;
    int64_t r = linux_get_path(g, a[0], true, &place);
    if (r < 0)
        return r;
    return statfs(place.path, &sf) != 0 ? -errno : put_statfs(g, a[1], &sf);
}

int64_t sys_fstatfs(struct guest *g, const uint64_t *a)
{
    struct statfs sf;
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    return fstatfs(fd, &sf) != 0 ? -errno : put_statfs(g, a[1], &sf);
}

static int64_t access_with(struct guest *g, const uint64_t *a, int flags)
{
    struct linux_place place;
    int64_t r = linux_get_place(g, a[0], a[1], !(flags & AT_SYMLINK_NOFOLLOW), &place);
    return r < 0 ? r : linux_result(faccessat(place.dir, place.path, (int)a[2], flags));
}

int64_t sys_faccessat(struct guest *g, const uint64_t *a) { return access_with(g, a, 0); }

int64_t sys_faccessat2(struct guest *g, const uint64_t *a)
{
    const uint32_t known = AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
    return (uint32_t)a[3] & ~known ? -EINVAL : access_with(g, a, (int)a[3]);
}

/* Reads the link that a descriptor is open on itself (O_PATH and O_NOFOLLOW). A link of /proc is the guest's, so it is
 * found by its name. */
static int64_t read_open_link(const struct guest *g, int host_fd, char *target)
{
    struct linux_place found = {.dir = AT_FDCWD};
    int64_t n = linux_result(readlinkat(host_fd, "", target, PATH_MAX));
    if (n < 0 || linux_descriptor_name(host_fd, found.path) < 0 || strncmp(found.path, "/proc/", 6) != 0)
        return n;
    linux_name_guest(g, found.path);
    int64_t r = linux_find_place(g, false, &found);
    return r < 0 ? r : linux_proc_read_link(g, &found.entry, found.path, target);
}

/* Reads a link of the host. The name is looked up once, so that the guest cannot replace what it leads to by a link of
 * /proc, whose target the emulator would tell. */
static int64_t read_link_once(const struct guest *g, const struct linux_place *place, char *target)
{
    const struct open_how how = {.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC, .resolve = place->resolve};
    struct stat sb;
    if (place->path[0] == '\0')
        return read_open_link(g, place->dir, target);
    if (place->resolve == 0)
        return linux_result(readlinkat(place->dir, place->path, target, PATH_MAX));
    int fd = (int)open_with(place, &how);
    if (fd < 0)
        return fd;
    int64_t n = fstat(fd, &sb) == 0 && S_ISLNK(sb.st_mode) ? read_open_link(g, fd, target) : -EINVAL;
    close(fd);
    return n;
}

static int64_t read_link(const struct guest *g, const struct linux_place *place, char *target)
{
    switch (place->entry.kind) {
    case PROC_NONE:
        return read_link_once(g, place, target);
    case PROC_HOST:
    case PROC_WRITE:
        return linux_result(readlinkat(place->dir, place->path, target, PATH_MAX));
    default:
        return linux_proc_read_link(g, &place->entry, place->path, target);
    }
}

int64_t sys_readlinkat(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    char target[PATH_MAX];
    int64_t r = linux_get_place(g, a[0], a[1], false, &place);
    int64_t n = r < 0 ? r : read_link(g, &place, target);
    if (n < 0 || (int64_t)a[3] <= 0)
        return n < 0 ? n : -EINVAL;
    if ((uint64_t)n > a[3])
        n = (int64_t)a[3];
    r = linux_put(g, a[2], target, (size_t)n);
    return r < 0 ? r : n;
}

int64_t sys_getcwd(struct guest *g, const uint64_t *a)
{
    char path[PATH_MAX];
    if (getcwd(path, sizeof path) == NULL)
        return -errno;
    linux_name_guest(g, path);
    size_t size_bytes = strlen(path) + 1;
    if (size_bytes > a[1])
        return -ERANGE;
    int64_t r = linux_put(g, a[0], path, size_bytes);
    return r < 0 ? r : (int64_t)size_bytes;
}

int64_t sys_chdir(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    int64_t r = linux_get_path(g, a[0], true, &place);
    if (r == 0)
        r = place.entry.kind == PROC_REFUSED ? -EACCES : linux_result(chdir(place.path));
    linux_enter_root(g->names);
    return r;
}

int64_t sys_fchdir(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : linux_result(fchdir(fd));
    linux_enter_root(g->names);
    return r;
}

int64_t sys_mkdirat(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    int64_t r = linux_get_place(g, a[0], a[1], false, &place);
    return r < 0 ? r : linux_result(mkdirat(place.dir, place.path, (mode_t)(a[2] & 07777 & ~(uint64_t)g->task->umask)));
}

int64_t sys_unlinkat(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    int64_t r = linux_get_place(g, a[0], a[1], false, &place);
    if (r == 0)
        r = linux_result(unlinkat(place.dir, place.path, (int)a[2]));
    if (r == 0)
        linux_count_change(g, HOST_REMOVED);
    return r;
}

int64_t sys_symlinkat(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    char target[PATH_MAX];
    int64_t r = linux_get_string(g, a[0], target, sizeof target);
    if (r == 0)
        r = linux_get_place(g, a[1], a[2], false, &place);
    return r != 0 ? r : linux_result(symlinkat(target, place.dir, place.path));
}

int64_t sys_linkat(struct guest *g, const uint64_t *a)
{
    struct linux_place from, to;
    int64_t r = linux_get_place(g, a[0], a[1], (a[4] & AT_SYMLINK_FOLLOW) != 0, &from);
    if (r == 0)
        r = linux_get_place(g, a[2], a[3], false, &to);
    return r != 0 ? r : linux_result(linkat(from.dir, from.path, to.dir, to.path, (int)a[4]));
}

int64_t sys_renameat2(struct guest *g, const uint64_t *a)
{
    struct linux_place from, to;
    int64_t r = linux_get_place(g, a[0], a[1], false, &from);
    if (r == 0)
        r = linux_get_place(g, a[2], a[3], false, &to);
    if (r == 0)
        r = linux_result(renameat2(from.dir, from.path, to.dir, to.path, (unsigned)a[4]));
    if (r == 0)
        linux_count_change(g, HOST_RENAMED);
    return r;
}

/* Waits as long as another process has a lease of the file. The host has no form of the call that does not wait, and
 * opening the file besides would be an event for those that watch it. */
static int64_t truncate_apart(struct guest *g, const struct linux_place *place, uint64_t size_bytes)
{
    char path[PATH_MAX];
    memcpy(path, place->path, sizeof path);
    return linux_call_apart(g, &(struct linux_host_call){.number = SYS_truncate,
                                                         .a = {0, (long)size_bytes},
                                                         .in_data = 1 << 0,
                                                         .data = path,
                                                         .data_bytes = sizeof path,
                                                         .is_short = true});
}

int64_t sys_truncate(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    struct stat sb;
    int64_t r = linux_get_path(g, a[0], true, &place);
    if (r < 0)
        return r;
    const bool may_wait = g->thread->call.apart != NULL ||
                          ((int64_t)a[1] >= 0 && stat(place.path, &sb) == 0 && S_ISREG(sb.st_mode));
    r = may_wait ? truncate_apart(g, &place, a[1]) : linux_result(truncate(place.path, (off_t)a[1]));
    if (r == 0)
        linux_drop_cut_code(g);
    return r;
}

/* Handles are the host's. No call opens them, but they tell whether two names are of one file. */
int64_t sys_name_to_handle_at(struct guest *g, const uint64_t *a)
{
    enum { HEAD_BYTES = 2 * sizeof(uint32_t) };
    struct linux_place place;
    _Alignas(struct file_handle) uint8_t bytes[HEAD_BYTES + MAX_HANDLE_SZ] = {0};
    struct file_handle *handle = (struct file_handle *)(void *)bytes;
    const uint32_t flags = (uint32_t)a[4];
    int mount;
    if (flags & ~(uint32_t)(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH))
        return -EINVAL;
    int64_t r = linux_get_place(g, a[0], a[1], (flags & AT_SYMLINK_FOLLOW) != 0, &place);
    if (r < 0)
        return r;
    if (linux_get(g, a[2], bytes, HEAD_BYTES) != 0)
        return -EFAULT;
    if (handle->handle_bytes > MAX_HANDLE_SZ)
        return -EINVAL;
    const uint32_t room = handle->handle_bytes;
    r = linux_result(name_to_handle_at(place.dir, place.path, handle, &mount, (int)flags));
    if (r < 0 && r != -EOVERFLOW)
        return r;
    if (linux_put(g, a[3], &mount, sizeof mount) != 0 ||
        linux_put(g, a[2], bytes, HEAD_BYTES + (r == 0 && handle->handle_bytes <= room ? handle->handle_bytes : 0)) !=
            0)
        return -EFAULT;
    return r;
}
