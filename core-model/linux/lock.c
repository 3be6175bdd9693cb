/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of files, which are the host's. */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>

#include "core-model/linux/apart.h"
#include "core-model/linux/files.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

/* Locks of open files are tried again while there is another holder, which can be a thread of the process. */
static int64_t retry(struct guest *g, int64_t r) { return r == -EAGAIN || r == -EACCES ? linux_wait_again(g) : r; }

/* Waits for a lock of the process: its other holder is another process. The host finds deadlocks among those that
 * wait. */
static int64_t wait_for_lock(struct guest *g, int host_fd, struct flock *lock)
{
    int64_t r = g->thread->call.apart == NULL ? linux_result(fcntl(host_fd, F_SETLK, lock)) : -EAGAIN;
    if (r != -EAGAIN && r != -EACCES)
        return r;
    return linux_call_apart(g, &(struct linux_host_call){.number = SYS_fcntl,
                                                         .a = {host_fd, F_SETLKW},
                                                         .in_data = 1 << 2,
                                                         .data = lock,
                                                         .data_bytes = sizeof *lock});
}

int64_t linux_lock_file(struct guest *g, int host_fd, int command, uint64_t addr)
{
    bool asks = command == F_GETLK || command == F_OFD_GETLK;
    struct flock lock; /* same layout on all 64-bit hosts */
    int64_t r = linux_get(g, addr, &lock, sizeof lock);
    if (r < 0)
        return r;
    if (command == F_SETLKW)
        return wait_for_lock(g, host_fd, &lock);
    if (command == F_OFD_SETLKW)
        return retry(g, linux_result(fcntl(host_fd, F_OFD_SETLK, &lock)));
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
    if (a[1] & LOCK_NB)
        return linux_result(flock(fd, (int)a[1]));
    return retry(g, linux_result(flock(fd, (int)a[1] | LOCK_NB)));
}
