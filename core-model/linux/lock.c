/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of files, which are the host's. */
#include <fcntl.h>
#include <sys/file.h>

#include "core-model/linux/linux.h"
#include "core-model/linux/process_table.h"

/* Whether a wait on the host could keep another thread, a handler or a timer from running. */
static bool must_not_wait(const struct guest *g) { return linux_has_threads(g) || linux_signals_caught(g); }

/* The result of an attempt to lock: a lock that another holder has is tried again. */
static int64_t retry(struct guest *g, int64_t r)
{
    if (r != -EAGAIN && r != -EACCES)
        return r;
    return linux_signals_ready(g) ? -LINUX_RESTART
                                  : linux_block(g, &(struct linux_wait){.until_ns = UINT64_MAX, .retries = true});
}

int64_t linux_lock_file(struct guest *g, int host_fd, int command, uint64_t addr)
{
    bool waits = command == F_SETLKW || command == F_OFD_SETLKW, asks = command == F_GETLK || command == F_OFD_GETLK;
    struct flock lock; /* same layout on all 64-bit hosts */
    int64_t r = linux_get(g, addr, &lock, sizeof lock);
    if (r < 0)
        return r;
    if (waits && must_not_wait(g))
        return retry(g, linux_result(fcntl(host_fd, command == F_SETLKW ? F_SETLK : F_OFD_SETLK, &lock)));
    r = linux_result(fcntl(host_fd, command, &lock));
    if (r < 0 || !asks)
        return r;
    if (lock.l_type != F_UNLCK && lock.l_pid > 0)
        lock.l_pid = (pid_t)linux_guest_pid(g, lock.l_pid);
    return linux_put(g, addr, &lock, sizeof lock);
}

int64_t sys_flock(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if (fd < 0)
        return fd;
    if ((a[1] & LOCK_NB) || !must_not_wait(g))
        return linux_result(flock(fd, (int)a[1]));
    return retry(g, linux_result(flock(fd, (int)a[1] | LOCK_NB)));
}
