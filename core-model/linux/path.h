/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of files: where the guest's names are on the host. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_PATH_H
#define CORE_MODEL_LINUX_PATH_H

#include <limits.h>
#include <sys/types.h>

#include "core-model/linux/alias.h"
#include "core-model/linux/guest.h"
#include "core-model/linux/procfs.h"

struct linux_digests;

struct linux_names {
    char *sysroot; /* absolute, without links; NULL: none */
    enum guest_names which;
    char *start_folder; /* in which the emulator was started; NULL: it has no name */
    struct linux_alias alias;
    uint64_t no_magic_links; /* RESOLVE_NO_MAGICLINKS; 0: the host's kernel has no openat2 */
    int change_ruleset;      /* see guest_confine; -1: not confined */
    dev_t root_dev;          /* of the sysroot, which is the guest's root, and of the host's root */
    dev_t host_root_dev;
    uint64_t root_ino, host_root_ino;
    char *exe;                     /* absolute path of the program */
    char *exe_inside;              /* the same, as the guest names it */
    struct linux_digests *digests; /* of the files in checkpoints; NULL: there has been no checkpoint */
};

/* A file on the host. */
struct linux_place {
    int dir; /* descriptor of the folder that a relative path starts from, or AT_FDCWD */
    char path[PATH_MAX];
    uint64_t resolve; /* RESOLVE_ flags of openat2 that the host is to obey; the others are obeyed */
    struct proc_entry entry;
};

/* Reads a path name of the guest, relative to its descriptor `dir`, and finds the place; a link at its end is followed
 * or not. 0, or a negative error number. */
int64_t linux_get_place(struct guest *g, uint64_t dir, uint64_t addr, bool follows, struct linux_place *place);
/* linux_get_place with RESOLVE_ flags of openat2. */
int64_t linux_get_place_by(struct guest *g, uint64_t dir, uint64_t addr, bool follows, uint64_t resolve,
                           struct linux_place *place);
/* linux_get_place for calls without a descriptor. */
int64_t linux_get_path(struct guest *g, uint64_t addr, bool follows, struct linux_place *place);
/* Finds the place of a name, which is place->path and starts from place->dir. */
int64_t linux_find_place(const struct guest *g, bool follows, struct linux_place *place);
/* A descriptor that was opened at the place. 0: it is no file of /proc, or the one that the guest's name of it leads
 * to. 1: it is another, which only links of the guest have led to, and `place` is now that of the guest's name.
 * Otherwise a negative error number: the guest has no such file. */
int64_t linux_proc_check(const struct guest *g, int host_fd, bool follows, struct linux_place *place);

/* In names.c. The target of a link of the host, and the host's name of the file that a host descriptor is open on: the
 * length in bytes, or a negative error number. Both have PATH_MAX bytes of room, and are empty on an error. */
int64_t linux_read_host_link(const char *link, char *target);
int64_t linux_descriptor_name(int host_fd, char *name);
/* The part of an absolute name of the host below the sysroot: empty for the sysroot itself; NULL: not in it. */
const char *linux_below_sysroot(const struct linux_names *names, const char *path);
/* Takes the next component but `.` off `rest`: 1, 0 at its end, -ENAMETOOLONG. `name` has NAME_MAX + 1 bytes. */
int64_t linux_take_component(char *rest, char *name);
/* A component that is a number; false: another name. */
bool linux_read_number(const char *name, uint32_t *number);
/* Replaces the host's absolute name of a file by the guest's. */
void linux_name_guest(const struct guest *g, char *path);

/* The root has one identity, whether it is reached by its name or, outside of the sysroot, through "..". */
void linux_sysroot_init(struct linux_names *names, const char *sysroot, enum guest_names which);
/* Replaces the host root's numbers by those of the guest's root; whether the numbers are those of a root. */
bool linux_root_numbers(const struct linux_names *names, dev_t *dev, uint64_t *ino);
/* After chdir or fchdir: the host's root becomes the guest's. */
void linux_enter_root(const struct linux_names *names);

#endif
