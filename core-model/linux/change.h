/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of a file's mode, owner, times and extended attributes. Landlock does not check them (kernel documentation,
 * userspace-api/landlock.rst, "Current limitations"). In a confined process (guest_confine) they are therefore made in
 * two steps: a thread that may open nothing but the files which the guest may change opens the file, then it changes
 * the open file. So the kernel decides, whatever names and links lead to the file. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_CHANGE_H
#define CORE_MODEL_LINUX_CHANGE_H

#include <sys/types.h>
#include <time.h>

struct guest;
struct linux_place;

enum linux_change_kind {
    CHANGE_MODE,
    CHANGE_OWNER,
    CHANGE_TIMES,
    CHANGE_ADDS_ATTRIBUTE,
    CHANGE_REMOVES_ATTRIBUTE,
};

struct linux_change {
    enum linux_change_kind kind;
    union {
        mode_t mode;
        struct {
            uid_t user;
            gid_t group;
        } owner;
        struct timespec times[2]; /* of access, of modification */
        struct {
            const char *name;
            const void *value;
            size_t size_bytes;
            int flags; /* XATTR_CREATE, XATTR_REPLACE */
        } attribute;
    };
};

/* Changes the file at a place: 0, or a negative error number. `flags` is AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH, or 0. A
 * confined process gets -EACCES for a file that the guest may not change, or that it may not open for reading; -EPERM
 * for a symbolic link itself. */
int64_t linux_change_file(const struct guest *g, const struct linux_place *place, int flags,
                          const struct linux_change *change);
/* linux_change_file for an open file of the host. */
int64_t linux_change_open_file(const struct guest *g, int host_fd, const struct linux_change *change);

#endif
