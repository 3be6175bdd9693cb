/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extended attributes, forwarded to the host. */
#include <fcntl.h>
#include <sys/xattr.h>

#include "core-model/linux/change.h"
#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

enum { XATTR_NAME_MAX_BYTES = 256 };

/* The name of an attribute: 0, -EFAULT or -ERANGE. */
static int64_t get_name(struct guest *g, uint64_t addr, char *name)
{
    int64_t r = linux_get_string(g, addr, name, XATTR_NAME_MAX_BYTES);
    return r == -ENAMETOOLONG || (r == 0 && name[0] == '\0') ? -ERANGE : r;
}

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
    struct linux_place place;
    char name[XATTR_NAME_MAX_BYTES];
    int64_t r = linux_get_path(g, a[0], follow, &place);
    if (r == 0)
        r = get_name(g, a[1], name);
    return r < 0 ? r : give_value(g, a[2], a[3], place.path, name, follow);
}

static int64_t list_attributes(struct guest *g, const uint64_t *a, int follow)
{
    struct linux_place place;
    int64_t r = linux_get_path(g, a[0], follow, &place);
    return r < 0 ? r : give_value(g, a[1], a[2], place.path, NULL, follow);
}

int64_t sys_getxattr(struct guest *g, const uint64_t *a) { return get_attribute(g, a, 1); }
int64_t sys_lgetxattr(struct guest *g, const uint64_t *a) { return get_attribute(g, a, 0); }
int64_t sys_listxattr(struct guest *g, const uint64_t *a) { return list_attributes(g, a, 1); }
int64_t sys_llistxattr(struct guest *g, const uint64_t *a) { return list_attributes(g, a, 0); }

int64_t sys_fgetxattr(struct guest *g, const uint64_t *a)
{
    char name[XATTR_NAME_MAX_BYTES];
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : get_name(g, a[1], name);
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
    struct linux_place place;
    char name[XATTR_NAME_MAX_BYTES];
    int64_t r = linux_get_path(g, a[0], follow, &place);
    if (r == 0)
        r = get_name(g, a[1], name);
    const void *p = linux_memory(g, a[2], a[3], MEM_R);
    if (r < 0 || p == NULL)
        return r < 0 ? r : -EFAULT;
    return linux_change_file(g, &place, follow ? 0 : AT_SYMLINK_NOFOLLOW,
                             &(struct linux_change){CHANGE_ADDS_ATTRIBUTE, .attribute = {name, p, a[3], (int)a[4]}});
}

int64_t sys_setxattr(struct guest *g, const uint64_t *a) { return set_attribute(g, a, 1); }
int64_t sys_lsetxattr(struct guest *g, const uint64_t *a) { return set_attribute(g, a, 0); }

int64_t sys_fsetxattr(struct guest *g, const uint64_t *a)
{
    char name[XATTR_NAME_MAX_BYTES];
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : get_name(g, a[1], name);
    const void *p = linux_memory(g, a[2], a[3], MEM_R);
    if (r < 0 || p == NULL)
        return r < 0 ? r : -EFAULT;
    return linux_change_open_file(
        g, fd, &(struct linux_change){CHANGE_ADDS_ATTRIBUTE, .attribute = {name, p, a[3], (int)a[4]}});
}

static int64_t remove_attribute(struct guest *g, const uint64_t *a, int follow)
{
    struct linux_place place;
    char name[XATTR_NAME_MAX_BYTES];
    int64_t r = linux_get_path(g, a[0], follow, &place);
    if (r == 0)
        r = get_name(g, a[1], name);
    return r < 0 ? r
                 : linux_change_file(g, &place, follow ? 0 : AT_SYMLINK_NOFOLLOW,
                                     &(struct linux_change){CHANGE_REMOVES_ATTRIBUTE, .attribute.name = name});
}

int64_t sys_removexattr(struct guest *g, const uint64_t *a) { return remove_attribute(g, a, 1); }
int64_t sys_lremovexattr(struct guest *g, const uint64_t *a) { return remove_attribute(g, a, 0); }

int64_t sys_fremovexattr(struct guest *g, const uint64_t *a)
{
    char name[XATTR_NAME_MAX_BYTES];
    int fd = linux_fd(g, a[0]);
    int64_t r = fd < 0 ? fd : get_name(g, a[1], name);
    return r < 0 ? r
                 : linux_change_open_file(g, fd,
                                          &(struct linux_change){CHANGE_REMOVES_ATTRIBUTE, .attribute.name = name});
}
