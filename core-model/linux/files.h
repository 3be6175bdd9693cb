/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open files: the table of descriptors. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_FILES_H
#define CORE_MODEL_LINUX_FILES_H

#include <sys/uio.h>

#include "core-model/linux/guest.h"

enum { LINUX_FD_MAX = 1024 };

struct linux_dir;
struct linux_event;

struct linux_files {
    int fd[LINUX_FD_MAX]; /* host descriptor, or -1; host descriptors 0, 1 and 2 are never closed */
    uint8_t fd_cloexec[LINUX_FD_MAX];
    uint32_t fd_name[LINUX_FD_MAX];          /* thread whose name is written to the descriptor; 0: none */
    uint8_t fd_random[LINUX_FD_MAX];         /* random-number device: reads return the seeded generator's output */
    struct linux_dir *dir[LINUX_FD_MAX];     /* directory read by getdents64, or NULL */
    struct linux_event *event[LINUX_FD_MAX]; /* eventfd, timerfd or signalfd, or NULL; shared by duplicates */
    size_t events;                           /* number of timerfds and signalfds */
    void (*before_output)(void *ctx);        /* see guest_before_output; NULL: nothing is to be called */
    void *before_output_ctx;
    bool follows_lines, in_line; /* see guest_in_line */
};

/* The host's descriptor, or -EBADF; a directory descriptor may also be AT_FDCWD. */
int linux_fd(const struct guest *g, uint64_t fd);
int linux_dirfd(const struct guest *g, uint64_t fd);
/* The guest's number of a descriptor of the host; UINT32_MAX: it has none. */
uint32_t linux_guest_fd(const struct guest *g, int host_fd);
/* Assigns a host descriptor to the free guest descriptor `fd`. */
void linux_set_fd(struct guest *g, uint32_t fd, int host_fd, bool cloexec);
/* Assigns a host descriptor to the lowest free guest descriptor from `from` on; if none is free, closes it and returns
 * -EMFILE. */
bool linux_has_free_fd(const struct guest *g);
int64_t linux_new_fd(struct guest *g, int host_fd, unsigned from, bool cloexec);

/* The number above all descriptors that the guest may open. */
unsigned linux_fd_limit(const struct guest *g);

/* In io.c: assigns a duplicate of the host descriptor, which is the guest's `from`, to the lowest free number from
 * `lowest` on. */
int64_t linux_duplicate(struct guest *g, int host_fd, uint64_t from, unsigned lowest, bool cloexec);
/* Stores the numbers of two new descriptors; closes them if that fails. */
int64_t linux_put_pair(struct guest *g, uint64_t addr, uint64_t first, uint64_t second);

/* In ioctl.c: process of F_SETOWN and F_GETOWN, and of their forms _EX; a negative number is that of a group. */
int64_t linux_set_owner(struct guest *g, int fd, int32_t pid);
int32_t linux_get_owner(const struct guest *g, int fd);
int64_t linux_owner_by_kind(struct guest *g, int fd, bool sets, uint64_t addr);

/* In lock.c: F_GETLK, F_SETLK, F_SETLKW and their F_OFD_ forms. */
int64_t linux_lock_file(struct guest *g, int host_fd, int command, uint64_t addr);

/* In dir.c: drops the cached entries of a directory. */
void linux_dir_drop(struct guest *g, uint32_t fd);

/* In transfer.c: reads from a host descriptor as sys_readv does. */
int64_t linux_read_host(struct guest *g, int host_fd, const struct iovec *vector, int64_t count);

/* In poll.c: 0 if the host descriptor is ready or a call on it does not wait, else -LINUX_BLOCK; -LINUX_RESTART or
 * -EINTR if a signal has arrived; -EAGAIN at the end of the socket's time-out. */
int64_t linux_wait_ready(struct guest *g, int host_fd, short events);

#endif
