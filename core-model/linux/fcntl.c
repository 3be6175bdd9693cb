/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fcntl: commands on descriptors. Commands and values are equal on all 64-bit hosts. Source: fcntl(2); Linux
 * fs/fcntl.c.
 */
#include <fcntl.h>
#include <unistd.h>

#include "core-model/linux/files.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

/* Commands by the numbers of the guest. */
enum {
    DUPFD,
    GETFD,
    SETFD,
    GETFL,
    SETFL,
    GETLK,
    SETLK,
    SETLKW,
    SETOWN,
    GETOWN,
    SETSIG,
    GETSIG,
    SETOWN_EX = 15,
    GETOWN_EX,
    GETOWNER_UIDS,
    OFD_GETLK = 36,
    OFD_SETLK,
    OFD_SETLKW,
    SETLEASE = 1024,
    GETLEASE,
    NOTIFY,
    DUPFD_CLOEXEC = 1030,
    SETPIPE_SZ,
    GETPIPE_SZ,
    ADD_SEALS,
    GET_SEALS,
    GET_RW_HINT,
    SET_RW_HINT,
    GET_FILE_RW_HINT,
    SET_FILE_RW_HINT,
};

/* The signal that tells of input: SIGIO, or a real-time signal. The host sends it to the process of the emulator, so
 * others, which may be the emulator's own, are refused. */
static int64_t set_signal(int fd, uint64_t signal)
{
    enum { FIRST_REAL_TIME = 34 };
    bool is_known = signal == 0 || signal == SIGIO || (signal >= FIRST_REAL_TIME && signal <= LINUX_SIGNAL_MAX);
    return is_known ? linux_result(fcntl(fd, F_SETSIG, (int)signal)) : -EINVAL;
}

/* Commands whose argument is the address of a number, which is read or written. */
static int64_t exchange_hint(struct guest *g, int fd, uint32_t command, uint64_t addr)
{
    bool sets = command == SET_RW_HINT || command == SET_FILE_RW_HINT;
    uint64_t hint = 0;
    if (sets && linux_get(g, addr, &hint, sizeof hint) != 0)
        return -EFAULT;
    int64_t r = linux_result(fcntl(fd, (int)command, &hint));
    return r < 0 || sets ? r : linux_put(g, addr, &hint, sizeof hint);
}

static int64_t get_owner_users(struct guest *g, int fd, uint64_t addr)
{
    uid_t users[2] = {0};
    int64_t r = linux_result(fcntl(fd, GETOWNER_UIDS, users));
    return r < 0 ? r : linux_put(g, addr, users, sizeof users);
}

/* Commands that other descriptors than those of O_PATH have. */
static int64_t control_file(struct guest *g, int fd, uint32_t command, uint64_t value)
{
    switch (command) {
    case SETFL:
        return linux_result(fcntl(fd, F_SETFL, (int)value));
    case GETLK:
    case SETLK:
    case SETLKW:
    case OFD_GETLK:
    case OFD_SETLK:
    case OFD_SETLKW:
        return linux_lock_file(g, fd, (int)command, value);
    case SETOWN:
        return linux_set_owner(g, fd, (int32_t)value);
    case GETOWN:
        return linux_get_owner(g, fd);
    case SETOWN_EX:
    case GETOWN_EX:
        return linux_owner_by_kind(g, fd, command == SETOWN_EX, value);
    case GETOWNER_UIDS:
        return get_owner_users(g, fd, value);
    case SETSIG:
        return set_signal(fd, value);
    case GET_RW_HINT:
    case SET_RW_HINT:
    case GET_FILE_RW_HINT:
    case SET_FILE_RW_HINT:
        return exchange_hint(g, fd, command, value);
    case GETSIG:
    case SETLEASE:
    case GETLEASE:
    case NOTIFY:
    case SETPIPE_SZ:
    case GETPIPE_SZ:
    case ADD_SEALS:
    case GET_SEALS:
        return linux_result(fcntl(fd, (int)command, value));
    default:
        return -EINVAL;
    }
}

int64_t sys_fcntl(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    const uint32_t command = (uint32_t)a[1];
    if (fd < 0)
        return fd;
    switch (command) {
    case DUPFD:
    case DUPFD_CLOEXEC:
        return (uint32_t)a[2] < linux_fd_limit(g)
                   ? linux_duplicate(g, fd, a[0], (uint32_t)a[2], command == DUPFD_CLOEXEC)
                   : -EINVAL;
    case GETFD:
        return g->files->fd_cloexec[(uint32_t)a[0]];
    case SETFD:
        g->files->fd_cloexec[(uint32_t)a[0]] = a[2] & 1;
        return 0;
    case GETFL:
        return linux_result(fcntl(fd, F_GETFL));
    default: /* of a descriptor that only names a file even unknown commands fail as the host says */
        return fcntl(fd, F_GETFL) & O_PATH ? -EBADF : control_file(g, fd, command, a[2]);
    }
}
