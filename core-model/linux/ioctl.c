/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests to devices: those of terminals and pseudo-terminals, questions on network interfaces, and those for
 * any descriptor. Requests have the same
 * numbers and values on all hosts with the generic numbers. Source: ioctl_tty(2), Linux
 * include/uapi/asm-generic/ioctls.h. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "core-model/linux/apart.h"
#include "core-model/linux/files.h"
#include "core-model/linux/job_control.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/thread.h"

enum {
    GUEST_TIOCSCTTY = 0x540e,
    GUEST_TIOCGPGRP = 0x540f,
    GUEST_TIOCSPGRP = 0x5410,
    GUEST_TIOCOUTQ = 0x5411,
    GUEST_FIONBIO = 0x5421,
    GUEST_TIOCGSID = 0x5429,
    GUEST_TIOCGPTPEER = 0x5441,
    GUEST_FIONCLEX = 0x5450,
    GUEST_FIOCLEX = 0x5451,
    GUEST_FIOSETOWN = 0x8901,
    GUEST_SIOCSPGRP = 0x8902,
    GUEST_FIOGETOWN = 0x8903,
    GUEST_SIOCGPGRP = 0x8904,
    GUEST_SIOCGIFCONF = 0x8912,
    INT_BYTES = 4,
    WINSIZE_BYTES = 8,
    TERMIO_BYTES = 18,
    TERMIOS_BYTES = 36,
    TERMIOS2_BYTES = 44,
    IFREQ_BYTES = 40,
    VALUE_BYTES_MAX = 48,
};

/* Requests that the host performs. TIOCSTI, which would type on the user's terminal, is not one. */
static const struct ioctl_request {
    uint32_t number;
    enum { VALUE, READ, WRITE, UPDATE } kind; /* a number, or the address of what is read, written, or both */
    size_t size_bytes;
} requests[] = {
    {0x5401, WRITE, TERMIOS_BYTES},      /* TCGETS */
    {0x5402, READ, TERMIOS_BYTES},       /* TCSETS */
    {0x5403, READ, TERMIOS_BYTES},       /* TCSETSW */
    {0x5404, READ, TERMIOS_BYTES},       /* TCSETSF */
    {0x5405, WRITE, TERMIO_BYTES},       /* TCGETA */
    {0x5406, READ, TERMIO_BYTES},        /* TCSETA */
    {0x5407, READ, TERMIO_BYTES},        /* TCSETAW */
    {0x5408, READ, TERMIO_BYTES},        /* TCSETAF */
    {0x5409, VALUE, 0},                  /* TCSBRK */
    {0x540a, VALUE, 0},                  /* TCXONC */
    {0x540b, VALUE, 0},                  /* TCFLSH */
    {0x540c, VALUE, 0},                  /* TIOCEXCL */
    {0x540d, VALUE, 0},                  /* TIOCNXCL */
    {0x5411, WRITE, INT_BYTES},          /* TIOCOUTQ */
    {0x5413, WRITE, WINSIZE_BYTES},      /* TIOCGWINSZ */
    {0x5414, READ, WINSIZE_BYTES},       /* TIOCSWINSZ */
    {0x541b, WRITE, INT_BYTES},          /* FIONREAD */
    {0x5420, READ, INT_BYTES},           /* TIOCPKT */
    {0x5422, VALUE, 0},                  /* TIOCNOTTY */
    {0x5424, WRITE, INT_BYTES},          /* TIOCGETD */
    {0x5425, VALUE, 0},                  /* TCSBRKP */
    {0x802c542a, WRITE, TERMIOS2_BYTES}, /* TCGETS2 */
    {0x402c542b, READ, TERMIOS2_BYTES},  /* TCSETS2 */
    {0x402c542c, READ, TERMIOS2_BYTES},  /* TCSETSW2 */
    {0x402c542d, READ, TERMIOS2_BYTES},  /* TCSETSF2 */
    {0x80045430, WRITE, INT_BYTES},      /* TIOCGPTN */
    {0x40045431, READ, INT_BYTES},       /* TIOCSPTLCK */
    {0x80045438, WRITE, INT_BYTES},      /* TIOCGPKT */
    {0x80045439, WRITE, INT_BYTES},      /* TIOCGPTLCK */
    {0x80045440, WRITE, INT_BYTES},      /* TIOCGEXCL */
    {0x5452, READ, INT_BYTES},           /* FIOASYNC */
    {0x5456, WRITE, TERMIOS_BYTES},      /* TIOCGLCKTRMIOS */
    {0x8905, WRITE, INT_BYTES},          /* SIOCATMARK */
    {0x8910, UPDATE, IFREQ_BYTES},       /* SIOCGIFNAME */
    {0x8913, UPDATE, IFREQ_BYTES},       /* SIOCGIFFLAGS */
    {0x8915, UPDATE, IFREQ_BYTES},       /* SIOCGIFADDR */
    {0x8917, UPDATE, IFREQ_BYTES},       /* SIOCGIFDSTADDR */
    {0x8919, UPDATE, IFREQ_BYTES},       /* SIOCGIFBRDADDR */
    {0x891b, UPDATE, IFREQ_BYTES},       /* SIOCGIFNETMASK */
    {0x891d, UPDATE, IFREQ_BYTES},       /* SIOCGIFMETRIC */
    {0x8921, UPDATE, IFREQ_BYTES},       /* SIOCGIFMTU */
    {0x8927, UPDATE, IFREQ_BYTES},       /* SIOCGIFHWADDR */
    {0x8933, UPDATE, IFREQ_BYTES},       /* SIOCGIFINDEX */
    {0x8942, UPDATE, IFREQ_BYTES},       /* SIOCGIFTXQLEN */
};

/* Whether the terminal completes the request when it has sent what is written, or a break. */
static bool drains_terminal(uint32_t number)
{
    switch (number) {
    case 0x5403:     /* TCSETSW */
    case 0x5404:     /* TCSETSF */
    case 0x5407:     /* TCSETAW */
    case 0x5408:     /* TCSETAF */
    case 0x5409:     /* TCSBRK */
    case 0x5425:     /* TCSBRKP */
    case 0x402c542c: /* TCSETSW2 */
    case 0x402c542d: /* TCSETSF2 */
        return true;
    default:
        return false;
    }
}

static bool waits_for_output(const struct guest *g, int fd, uint32_t number)
{
    int left = 0;
    return drains_terminal(number) && (g->thread->call.apart != NULL ||
                                       (syscall(SYS_ioctl, fd, (unsigned long)GUEST_TIOCOUTQ, &left) == 0 && left > 0));
}

/* Whether the request changes the terminal, which a background process may not. */
static bool changes_terminal(uint32_t number)
{
    switch (number) {
    case 0x5402:     /* TCSETS */
    case 0x5406:     /* TCSETA */
    case 0x540a:     /* TCXONC */
    case 0x540b:     /* TCFLSH */
    case 0x5423:     /* TIOCSETD */
    case 0x5427:     /* TIOCSBRK */
    case 0x5428:     /* TIOCCBRK */
    case 0x402c542b: /* TCSETS2 */
        return true;
    default:
        return drains_terminal(number);
    }
}

/* `value` is a number, or what the request reads. */
static int64_t request_apart(struct guest *g, int fd, uint32_t number, uint64_t *value, size_t size_bytes)
{
    return linux_call_apart(g, &(struct linux_host_call){.number = SYS_ioctl,
                                                         .a = {fd, number, size_bytes > 0 ? 0 : (long)*value},
                                                         .in_data = size_bytes > 0 ? 1 << 2 : 0,
                                                         .data = value,
                                                         .data_bytes = size_bytes});
}

static int64_t perform_on_host(struct guest *g, int fd, const struct ioctl_request *q, uint64_t arg)
{
    uint64_t value[VALUE_BYTES_MAX / sizeof(uint64_t)] = {0};
    const bool is_checked = g->thread->call.apart == NULL && changes_terminal(q->number);
    int64_t r = is_checked ? linux_check_foreground(g, fd, SIGTTOU) : 0;
    if (r < 0)
        return r;
    if (q->kind == VALUE && waits_for_output(g, fd, q->number))
        return request_apart(g, fd, q->number, &arg, 0);
    if (q->kind == VALUE)
        return linux_result(syscall(SYS_ioctl, fd, (unsigned long)q->number, arg));
    if (q->kind != WRITE && linux_get(g, arg, value, q->size_bytes) != 0)
        return -EFAULT;
    /* The kernel's structures, not libc's. */
    r = waits_for_output(g, fd, q->number) ? request_apart(g, fd, q->number, value, sizeof value)
                                           : linux_result(syscall(SYS_ioctl, fd, (unsigned long)q->number, value));
    return r < 0 || q->kind == READ ? r : linux_put(g, arg, value, q->size_bytes);
}

/* Sets the terminal's foreground process group, from a guest's number. */
static int64_t set_terminal_group(struct guest *g, int fd, uint64_t addr)
{
    enum { NO_GROUP = INT_MAX };
    uint32_t pid;
    int64_t r = linux_check_foreground(g, fd, SIGTTOU);
    if (r < 0)
        return r == -EIO ? -ENOTTY : r;
    if (linux_get(g, addr, &pid, sizeof pid) != 0)
        return -EFAULT;
    if ((int32_t)pid < 0)
        return -EINVAL;
    int host = linux_host_group(g, pid);
    return linux_result(tcsetpgrp(fd, host > 0 ? host : NO_GROUP));
}

static int64_t get_terminal_group(struct guest *g, int fd, uint64_t addr)
{
    pid_t host = tcgetpgrp(fd);
    if (host < 0)
        return -errno;
    uint32_t pid = linux_guest_group(g, host);
    return linux_put(g, addr, &pid, sizeof pid);
}

static int64_t terminal_session(struct guest *g, int fd, uint64_t addr)
{
    pid_t host = tcgetsid(fd);
    if (host < 0)
        return -errno;
    uint32_t pid = linux_guest_session(g, host);
    return linux_put(g, addr, &pid, sizeof pid);
}

/* Opens the other end of a pseudo-terminal. */
static int64_t terminal_peer(struct guest *g, int fd, uint64_t flags)
{
    enum { GUEST_CLOEXEC = 02000000 };
    int64_t peer = linux_result(syscall(SYS_ioctl, fd, (unsigned long)GUEST_TIOCGPTPEER, flags | O_CLOEXEC));
    return peer < 0 ? peer : linux_new_fd(g, (int)peer, 0, (flags & GUEST_CLOEXEC) != 0);
}

/* The process, or if negative the group, to which the descriptor's SIGIO and SIGURG are sent. The group in which the
 * guest began is that of the host's shell, so the process gets the signals. */
int64_t linux_set_owner(struct guest *g, int fd, int32_t pid)
{
    const uint32_t number = pid < 0 ? 0u - (uint32_t)pid : (uint32_t)pid;
    int host = pid == 0 ? 0 : pid < 0 ? linux_host_group(g, number) : linux_host_pid(g, number);
    bool is_start = pid < 0 && host > 0 && linux_is_start_group(g, host);
    if (is_start)
        host = linux_host_pid(g, number);
    int64_t r = host < 0 ? -ESRCH : linux_result(fcntl(fd, F_SETOWN, pid < 0 && !is_start ? -host : host));
    if (r == 0 && pid > 0 &&
        linux_host_pid(g, number) < 0) { /* it has ended meanwhile, and the number may be another's */
        (void)fcntl(fd, F_SETOWN, 0);
        return -ESRCH;
    }
    return r;
}

int32_t linux_get_owner(const struct guest *g, int fd)
{
    struct f_owner_ex owner;
    if (fcntl(fd, F_GETOWN_EX, &owner) != 0)
        return -errno;
    if (owner.type == F_OWNER_PGRP)
        return owner.pid > 0 ? -(int32_t)linux_guest_group(g, owner.pid) : 0;
    return owner.pid > 0 ? (int32_t)linux_guest_pid(g, owner.pid) : 0;
}

/* Owner as a structure of its kind and its number. Signals to a thread are sent to its process. */
int64_t linux_owner_by_kind(struct guest *g, int fd, bool sets, uint64_t addr)
{
    struct {
        int32_t kind, number;
    } owner = {F_OWNER_PID, linux_get_owner(g, fd)};
    if (!sets) {
        if (owner.number < 0)
            owner.kind = F_OWNER_PGRP, owner.number = -owner.number;
        return linux_put(g, addr, &owner, sizeof owner);
    }
    if (linux_get(g, addr, &owner, sizeof owner) != 0)
        return -EFAULT;
    if (owner.kind < F_OWNER_TID || owner.kind > F_OWNER_PGRP)
        return -EINVAL;
    if (owner.number < 0)
        return -ESRCH;
    return linux_set_owner(g, fd, owner.kind == F_OWNER_PGRP ? -owner.number : owner.number);
}

/* SIOCGIFCONF: the addresses of all interfaces, or without a buffer their size. */
static int64_t interfaces(struct guest *g, int fd, uint64_t addr)
{
    struct {
        int32_t size_bytes, unused;
        uint64_t buffer;
    } list; /* same layout on all 64-bit hosts */
    if (linux_get(g, addr, &list, sizeof list) != 0)
        return -EFAULT;
    uint64_t buffer = list.buffer, size_bytes = list.size_bytes > 0 ? (uint64_t)list.size_bytes : 0;
    void *p = buffer != 0 ? linux_memory(g, buffer, size_bytes, MEM_W) : NULL;
    if (buffer != 0 && p == NULL)
        return -EFAULT;
    list.buffer = (uintptr_t)p;
    int64_t r = linux_result(syscall(SYS_ioctl, fd, (unsigned long)GUEST_SIOCGIFCONF, &list));
    list.buffer = buffer;
    return r < 0 ? r : linux_put(g, addr, &list, sizeof list);
}

/* Requests that apply to any descriptor; -ENOTTY for other requests. */
static int64_t control_descriptor(struct guest *g, int fd, const uint64_t *a)
{
    int32_t value;
    switch ((uint32_t)a[1]) {
    case GUEST_FIONBIO: {
        if (linux_get(g, a[2], &value, sizeof value) != 0)
            return -EFAULT;
        int flags = fcntl(fd, F_GETFL);
        return linux_result(fcntl(fd, F_SETFL, value ? flags | O_NONBLOCK : flags & ~O_NONBLOCK));
    }
    case GUEST_FIOCLEX:
    case GUEST_FIONCLEX:
        g->files->fd_cloexec[(uint32_t)a[0]] = (uint32_t)a[1] == GUEST_FIOCLEX;
        return 0;
    case GUEST_FIOSETOWN:
    case GUEST_SIOCSPGRP:
        return linux_get(g, a[2], &value, sizeof value) != 0 ? -EFAULT : linux_set_owner(g, fd, value);
    case GUEST_FIOGETOWN:
    case GUEST_SIOCGPGRP:
        value = linux_get_owner(g, fd);
        return linux_put(g, a[2], &value, sizeof value);
    default:
        return -ENOTTY;
    }
}

int64_t sys_ioctl(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    uint32_t number = (uint32_t)a[1];
    if (fd < 0)
        return fd;
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        if (requests[i].number == number)
            return perform_on_host(g, fd, &requests[i], a[2]);
    switch (number) {
    case GUEST_TIOCSCTTY: /* never from another session */
        return linux_result(syscall(SYS_ioctl, fd, (unsigned long)GUEST_TIOCSCTTY, 0));
    case GUEST_TIOCGPGRP:
        return get_terminal_group(g, fd, a[2]);
    case GUEST_TIOCSPGRP:
        return set_terminal_group(g, fd, a[2]);
    case GUEST_TIOCGSID:
        return terminal_session(g, fd, a[2]);
    case GUEST_SIOCGIFCONF:
        return interfaces(g, fd, a[2]);
    case GUEST_TIOCGPTPEER:
        return terminal_peer(g, fd, a[2]);
    default:
        return control_descriptor(g, fd, a);
    }
}
