/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls that Linux reserves to privileged processes, in part or wholly. The guest is not one, whatever the user,
 * because it would change the host. Calls that are always denied are the rows DENIED of syscall.def. */
#include <sys/stat.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/path.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/thread.h"

int64_t sys_chroot(struct guest *g, const uint64_t *a)
{
    struct linux_place place;
    struct stat sb;
    int64_t r = linux_get_path(g, a[0], true, &place);
    if (r == 0)
        r = linux_result(stat(place.path, &sb));
    return r != 0 ? r : !S_ISDIR(sb.st_mode) ? -ENOTDIR : -EPERM;
}

int64_t sys_clock_settime(struct guest *g, const uint64_t *a)
{
    enum { REALTIME = 0 };
    uint64_t ns;
    if ((int32_t)a[0] != REALTIME)
        return -EINVAL;
    int64_t r = linux_get_time(g, a[1], &ns);
    return r < 0 ? r : -EPERM;
}

/* A process with one thread shares nothing. */
int64_t sys_unshare(struct guest *g, const uint64_t *a)
{
    enum {
        VM = 0x100,
        FS = 0x200,
        FILES = 0x400,
        SIGHAND = 0x800,
        THREAD = 0x10000,
        SYSVSEM = 0x40000,
        NAMESPACES = 0x7e020080,
        OF_THREAD = VM | SIGHAND | THREAD,
    };
    const uint64_t flags = a[0];
    if (flags & ~(uint64_t)(OF_THREAD | FS | FILES | SYSVSEM | NAMESPACES))
        return -EINVAL;
    if ((flags & OF_THREAD) && linux_has_threads(g))
        return -EINVAL;
    return flags & NAMESPACES ? -EPERM : 0;
}
