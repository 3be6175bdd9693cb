/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls that are forwarded to the host or trivial: extended attributes, priorities, scheduling, locks, copies
 * between files. */
#include "core-model/linux/linux.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { XATTR_NAME_MAX_BYTES = 256 };

/* Returns an attribute of at most `size_bytes` bytes, or only its size if size_bytes is 0. */
static int64_t give_value(struct guest *g, uint64_t addr, uint64_t size_bytes, const char *path, const char *name,
                          int follow)
{
    void *p = linux_memory(g, addr, size_bytes, MEM_W);
    if (p == NULL)
        return -EFAULT;
    if (name == NULL)
        return linux_result(follow ? listxattr(path, p, size_bytes) : llistxattr(path, p, size_bytes));
    return linux_result(follow ? getxattr(path, name, p, size_bytes) : lgetxattr(path, name, p, size_bytes));
}

static int64_t get_attribute(struct guest *g, const uint64_t *a, int follow)
{
    char path[PATH_MAX], name[XATTR_NAME_MAX_BYTES];
    int64_t r = linux_get_path(g, a[0], path);
    if (r == 0)
        r = linux_get_string(g, a[1], name, sizeof name);
    return r < 0 ? r : give_value(g, a[2], a[3], path, name, follow);
}

static int64_t list_attributes(struct guest *g, const uint64_t *a, int follow)
{
    char path[PATH_MAX];
    int64_t r = linux_get_path(g, a[0], path);
    return r < 0 ? r : give_value(g, a[1], a[2], path, NULL, follow);
}

int64_t sys_getxattr(struct guest *g, const uint64_t *a) { return get_attribute(g, a, 1); }
int64_t sys_lgetxattr(struct guest *g, const uint64_t *a) { return get_attribute(g, a, 0); }
int64_t sys_listxattr(struct guest *g, const uint64_t *a) { return list_attributes(g, a, 1); }
int64_t sys_llistxattr(struct guest *g, const uint64_t *a) { return list_attributes(g, a, 0); }

int64_t sys_fgetxattr(struct guest *g, const uint64_t *a)
{
    char name[XATTR_NAME_MAX_BYTES];
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : linux_get_string(g, a[1], name, sizeof name);
    void *p = linux_memory(g, a[2], a[3], MEM_W);
    if (r < 0 || p == NULL)
        return r < 0 ? r : -EFAULT;
    return linux_result(fgetxattr(fd, name, p, a[3]));
}

int64_t sys_flistxattr(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    void *p = linux_memory(g, a[1], a[2], MEM_W);
    if (fd < 0 || p == NULL)
        return fd < 0 ? fd : -EFAULT;
    return linux_result(flistxattr(fd, p, a[2]));
}

static int64_t set_attribute(struct guest *g, const uint64_t *a, int follow)
{
    char path[PATH_MAX], name[XATTR_NAME_MAX_BYTES];
    int64_t r = linux_get_path(g, a[0], path);
    if (r == 0)
        r = linux_get_string(g, a[1], name, sizeof name);
    const void *p = linux_memory(g, a[2], a[3], MEM_R);
    if (r < 0 || p == NULL)
        return r < 0 ? r : -EFAULT;
    return linux_result(follow ? setxattr(path, name, p, a[3], (int)a[4]) : lsetxattr(path, name, p, a[3], (int)a[4]));
}

int64_t sys_setxattr(struct guest *g, const uint64_t *a) { return set_attribute(g, a, 1); }
int64_t sys_lsetxattr(struct guest *g, const uint64_t *a) { return set_attribute(g, a, 0); }

int64_t sys_fsetxattr(struct guest *g, const uint64_t *a)
{
    char name[XATTR_NAME_MAX_BYTES];
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : linux_get_string(g, a[1], name, sizeof name);
    const void *p = linux_memory(g, a[2], a[3], MEM_R);
    if (r < 0 || p == NULL)
        return r < 0 ? r : -EFAULT;
    return linux_result(fsetxattr(fd, name, p, a[3], (int)a[4]));
}

int64_t sys_flock(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : linux_result(flock(fd, (int)a[1] | LOCK_NB));
    if (r != -EWOULDBLOCK || (a[1] & LOCK_NB))
        return r;
    if (linux_signals_ready(g))
        return -LINUX_RESTART;
    return linux_block(g, &(struct linux_wait){.until_ns = UINT64_MAX, .retries = true});
}

int64_t sys_fallocate(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    return fd < 0 ? fd : linux_result(fallocate(fd, (int)a[1], (off_t)a[2], (off_t)a[3]));
}

int64_t sys_mknodat(struct guest *g, const uint64_t *a)
{
    char path[PATH_MAX];
    int64_t r = linux_get_path(g, a[1], path);
    int dir = r == 0 && path[0] == '/' ? AT_FDCWD : linux_dirfd(g, a[0]);
    if (r < 0 || dir == -EBADF)
        return r < 0 ? r : -EBADF;
    return linux_result(mknodat(dir, path, (mode_t)(a[2] & ~(uint64_t)g->os->umask), (dev_t)a[3]));
}

int64_t sys_renameat(struct guest *g, const uint64_t *a)
{
    const uint64_t args[5] = {a[0], a[1], a[2], a[3], 0};
    return sys_renameat2(g, args);
}

static int64_t get_offset(struct guest *g, uint64_t addr, off_t *offset)
{
    return addr != 0 ? linux_get(g, addr, offset, sizeof *offset) : 0;
}

int64_t sys_copy_file_range(struct guest *g, const uint64_t *a)
{
    off_t from = 0, to = 0;
    int in = linux_fd(g, a[0]), out = linux_fd(g, a[2]);
    if (in < 0 || out < 0)
        return -EBADF;
    if (get_offset(g, a[1], &from) != 0 || get_offset(g, a[3], &to) != 0)
        return -EFAULT;
    ssize_t n = copy_file_range(in, a[1] != 0 ? &from : NULL, out, a[3] != 0 ? &to : NULL, a[4], 0);
    if (n < 0)
        return -errno;
    if ((a[1] != 0 && linux_put(g, a[1], &from, sizeof from) != 0) ||
        (a[3] != 0 && linux_put(g, a[3], &to, sizeof to) != 0))
        return -EFAULT;
    return n;
}

int64_t sys_memfd_create(struct guest *g, const uint64_t *a)
{
    char name[PATH_MAX];
    int64_t r = linux_get_string(g, a[0], name, sizeof name);
    if (r < 0)
        return r;
    int fd = memfd_create(name, MFD_CLOEXEC | (unsigned)(a[1] & MFD_ALLOW_SEALING));
    return fd < 0 ? -errno : linux_new_fd(g, fd, 0, (a[1] & MFD_CLOEXEC) != 0);
}

int64_t sys_close_range(struct guest *g, const uint64_t *a)
{
    enum { SET_CLOEXEC = 4 };
    uint32_t first = (uint32_t)a[0], last = (uint32_t)a[1];
    if (first > last)
        return -EINVAL;
    for (uint64_t fd = first; fd <= last && fd < LINUX_FD_MAX; fd++) {
        if (g->os->fd[fd] < 0)
            continue;
        if (a[2] & SET_CLOEXEC)
            g->os->fd_cloexec[fd] = 1;
        else
            (void)sys_close(g, &fd);
    }
    return 0;
}

/* Priorities have no effect in the model. The kernel's result is 20 - nice. */
int64_t sys_getpriority(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return 20;
}
int64_t sys_setpriority(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return 0;
}
int64_t sys_sched_setaffinity(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return 0;
}
int64_t sys_sched_setscheduler(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return 0;
}
int64_t sys_sched_setparam(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return 0;
}
int64_t sys_sched_getscheduler(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return 0;
}
int64_t sys_sched_get_priority_max(struct guest *g, const uint64_t *a)
{
    (void)g;
    return a[0] == 1 || a[0] == 2 ? 99 : 0;
}
int64_t sys_sched_get_priority_min(struct guest *g, const uint64_t *a)
{
    (void)g;
    return a[0] == 1 || a[0] == 2 ? 1 : 0;
}
int64_t sys_mlock(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return 0;
}
int64_t sys_munlock(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return 0;
}
int64_t sys_membarrier(struct guest *g, const uint64_t *a)
{
    (void)g;
    return a[0] == 0 ? 1 : 0;
}

int64_t sys_sched_getparam(struct guest *g, const uint64_t *a)
{
    const int32_t priority = 0;
    return linux_put(g, a[1], &priority, sizeof priority);
}

int64_t sys_getcpu(struct guest *g, const uint64_t *a)
{
    const uint32_t first = 0;
    bool bad = (a[0] != 0 && linux_put(g, a[0], &first, sizeof first) != 0) ||
               (a[1] != 0 && linux_put(g, a[1], &first, sizeof first) != 0);
    return bad ? -EFAULT : 0;
}

int64_t sys_setrlimit(struct guest *g, const uint64_t *a)
{
    const uint64_t args[4] = {0, a[0], a[1], 0};
    return sys_prlimit64(g, args);
}

/* Identity changes are accepted only to the current identity. */
static int64_t keep_id(uint64_t wanted, uint32_t own)
{
    return (uint32_t)wanted == own || (uint32_t)wanted == UINT32_MAX ? 0 : -EPERM;
}

int64_t sys_setuid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return keep_id(a[0], getuid());
}
int64_t sys_setgid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return keep_id(a[0], getgid());
}

int64_t sys_setfsuid(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return getuid();
}
int64_t sys_setfsgid(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return getgid();
}
int64_t sys_setreuid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return keep_id(a[0], getuid()) | keep_id(a[1], getuid());
}
int64_t sys_setregid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return keep_id(a[0], getgid()) | keep_id(a[1], getgid());
}

int64_t sys_setresuid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return keep_id(a[0], getuid()) | keep_id(a[1], getuid()) | keep_id(a[2], getuid());
}

int64_t sys_setresgid(struct guest *g, const uint64_t *a)
{
    (void)g;
    return keep_id(a[0], getgid()) | keep_id(a[1], getgid()) | keep_id(a[2], getgid());
}

static int64_t put_three(struct guest *g, const uint64_t *a, uint32_t id)
{
    for (int i = 0; i < 3; i++)
        if (linux_put(g, a[i], &id, sizeof id) != 0)
            return -EFAULT;
    return 0;
}

int64_t sys_getresuid(struct guest *g, const uint64_t *a) { return put_three(g, a, getuid()); }
int64_t sys_getresgid(struct guest *g, const uint64_t *a) { return put_three(g, a, getgid()); }
