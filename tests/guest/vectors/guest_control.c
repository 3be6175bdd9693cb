/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests to descriptors, messages with descriptors and credentials, sets of descriptors, waits for children and
 * groups, and edges of calls on memory. The expected output is that of the same file compiled for the host:
 * qemu-riscv64 7.2 lacks some requests. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}
#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))

static void *const bad = (void *)16;
static char buf[4096];

static void requests(void)
{
    int ends[2], value = 1, pair[2], owner = getpid();
    struct f_owner_ex ex = {F_OWNER_PID, getpid()}, wrong = {9, getpid()};
    struct f_owner_ex nobody = {F_OWNER_PID, 1 << 22};
    char list[40] = {0};
    (void)!pipe(ends);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    SHOW(ioctl(ends[0], FIONBIO, &value));
    SHOW(fcntl(ends[0], F_GETFL) & O_NONBLOCK ? 1 : 0);
    value = 0;
    SHOW(ioctl(ends[0], FIONBIO, &value));
    SHOW(fcntl(ends[0], F_GETFL) & O_NONBLOCK ? 1 : 0);
    SHOW(ioctl(ends[0], FIONBIO, bad));
    SHOW(ioctl(ends[0], FIOCLEX));
    SHOW(fcntl(ends[0], F_GETFD));
    SHOW(ioctl(ends[0], FIONCLEX));
    SHOW(fcntl(ends[0], F_GETFD));
    SHOW(ioctl(pair[0], FIOSETOWN, &owner));
    SHOW(ioctl(pair[0], FIOGETOWN, &value));
    SHOW(value == owner);
    SHOW(ioctl(pair[0], SIOCGPGRP, bad));
    SHOW(ioctl(pair[0], SIOCSPGRP, bad));
    owner = 1 << 22;
    SHOW(ioctl(pair[0], SIOCSPGRP, &owner));
    SHOW(fcntl(pair[0], F_SETOWN_EX, &ex));
    SHOW(fcntl(pair[0], F_SETOWN_EX, &wrong));
    SHOW(fcntl(pair[0], F_SETOWN_EX, bad));
    SHOW(fcntl(pair[0], F_SETOWN_EX, &nobody));
    SHOW(fcntl(pair[0], F_GETOWN_EX, &ex));
    SHOW(ex.type == F_OWNER_PID && ex.pid == getpid());
    SHOW(fcntl(pair[0], F_SETOWN, 0));
    SHOW(fcntl(pair[0], F_GETOWN));
    SHOW(ioctl(pair[0], 0x8912, bad)); /* SIOCGIFCONF */
    SHOW(ioctl(ends[0], 0x8912, list));
    SHOW(ioctl(ends[0], TIOCGPGRP, &value));
    SHOW(ioctl(ends[0], TIOCSPGRP, &value));
    SHOW(ioctl(ends[0], TIOCGSID, &value));
    SHOW(ioctl(ends[0], TIOCSCTTY, 0));
    SHOW(ioctl(ends[0], TIOCGPTPEER, 0));
    SHOW(ioctl(ends[0], TCGETS, buf));
    SHOW(ioctl(ends[0], FIONREAD, bad));
    SHOW(ioctl(ends[0], 0x12345678, buf));
    int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
    if (terminal >= 0) {
        value = 0;
        SHOW(ioctl(terminal, TIOCSPTLCK, &value));
        int peer = ioctl(terminal, TIOCGPTPEER, O_RDWR | O_NOCTTY);
        SHOW(peer >= 0);
        SHOW(isatty(peer));
        SHOW(ioctl(terminal, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC) >= 0);
        SHOW(ioctl(peer, TIOCSPGRP, bad));
        SHOW(ioctl(peer, TCGETS, bad));
        SHOW(ioctl(peer, TCSETS, bad));
    }
}

struct message {
    struct msghdr header;
    struct iovec vector;
    union {
        char bytes[CMSG_SPACE(64 * sizeof(int))];
        struct cmsghdr align;
    } control;
    char text[8];
};

static struct msghdr *message(struct message *m, int type, const void *data, size_t size_bytes)
{
    memset(m, 0, sizeof *m);
    m->vector = (struct iovec){m->text, sizeof m->text};
    m->header = (struct msghdr){.msg_iov = &m->vector, .msg_iovlen = 1, .msg_control = m->control.bytes};
    m->header.msg_controllen = size_bytes != 0 ? CMSG_SPACE(size_bytes) : sizeof m->control.bytes;
    if (size_bytes != 0) {
        struct cmsghdr *c = CMSG_FIRSTHDR(&m->header);
        *c = (struct cmsghdr){.cmsg_len = CMSG_LEN(size_bytes), .cmsg_level = SOL_SOCKET, .cmsg_type = type};
        memcpy(CMSG_DATA(c), data, size_bytes);
    }
    return &m->header;
}

static void messages(void)
{
    int pair[2], on = 1, numbers[3] = {0, 1, 2}, closed = 99;
    struct message m;
    struct ucred me = {getpid(), getuid(), getgid()}, nobody = {1 << 22, getuid(), getgid()};
    socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair);
    SHOW(sendmsg(pair[0], message(&m, SCM_RIGHTS, numbers, sizeof numbers), 0));
    SHOW(recvmsg(pair[1], message(&m, 0, NULL, 0), MSG_CMSG_CLOEXEC));
    struct cmsghdr *c = CMSG_FIRSTHDR(&m.header);
    SHOW(c != NULL && c->cmsg_type == SCM_RIGHTS ? c->cmsg_len - CMSG_LEN(0) : 0);
    SHOW(fcntl(*(int *)CMSG_DATA(c), F_GETFD));
    SHOW(sendmsg(pair[0], message(&m, SCM_RIGHTS, numbers, sizeof numbers), 0));
    message(&m, 0, NULL, 0)->msg_controllen = CMSG_LEN(sizeof(int));
    SHOW(recvmsg(pair[1], &m.header, 0));
    SHOW(m.header.msg_flags & MSG_CTRUNC ? 1 : 0);
    SHOW(sendmsg(pair[0], message(&m, SCM_RIGHTS, &closed, sizeof closed), 0));
    SHOW(setsockopt(pair[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof on));
    SHOW(sendmsg(pair[0], message(&m, SCM_CREDENTIALS, &me, sizeof me), 0));
    SHOW(recvmsg(pair[1], message(&m, 0, NULL, 0), 0));
    c = CMSG_FIRSTHDR(&m.header);
    SHOW(c != NULL && c->cmsg_type == SCM_CREDENTIALS && ((struct ucred *)CMSG_DATA(c))->pid == getpid());
    SHOW(sendmsg(pair[0], message(&m, SCM_CREDENTIALS, &nobody, sizeof nobody), 0) < 0);
    message(&m, 0, NULL, 0)->msg_control = bad;
    SHOW(sendmsg(pair[0], &m.header, 0));
    message(&m, 0, NULL, 0)->msg_controllen = 4;
    SHOW(sendmsg(pair[0], &m.header, 0));
    SHOW(send(pair[0], "text", 4, 0));
    SHOW(recv(pair[1], buf, 2, MSG_PEEK | MSG_TRUNC));
    message(&m, 0, NULL, 0)->msg_name = buf;
    m.header.msg_namelen = 100;
    SHOW(recvmsg(pair[1], &m.header, 0));
    SHOW(m.header.msg_namelen);
    SHOW(send(pair[0], "text", 4, 0));
    while (recv(pair[1], buf, sizeof buf, 0) >= 0)
        continue;
    message(&m, 0, NULL, 0)->msg_namelen = -1;
    m.header.msg_name = buf;
    SHOW(recvmsg(pair[1], &m.header, 0));
    SHOW(sendmsg(pair[0], &m.header, 0));
}

static void sets(void)
{
    int ends[2];
    struct timespec at_once = {0, 0}, past = {0, 1};
    struct timeval soon = {0, 0};
    (void)!pipe(ends);
    (void)!write(ends[1], "x", 1);
    fd_set readers, writers, both;
    FD_ZERO(&readers);
    FD_ZERO(&writers);
    FD_ZERO(&both);
    FD_SET(ends[0], &readers), FD_SET(ends[1], &writers), FD_SET(ends[0], &both);
    SHOW(select(ends[1] + 1, &readers, &writers, &both, &soon));
    SHOW(FD_ISSET(ends[0], &readers) && FD_ISSET(ends[1], &writers) && !FD_ISSET(ends[0], &both));
    struct pollfd fds[] = {{-5, POLLIN, 7}, {99, POLLIN, 0}, {ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}};
    SHOW(ppoll(fds, 4, &at_once, NULL));
    printf("%d %d %d %d\n", fds[0].revents, fds[1].revents, fds[2].revents, fds[3].revents);
    SHOW(ppoll(fds, 2, NULL, NULL));
    SHOW(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL));
    struct iovec vector = {buf, 4};
    int fd = memfd_create("file", 0);
    SHOW(pwritev2(fd, &vector, 1, -1, 0));
    SHOW(lseek(fd, 0, SEEK_CUR));
    SHOW(preadv2(fd, &vector, 1, -1, 0));
    SHOW(pwritev2(fd, &vector, 1, -1, RWF_DSYNC) >= 0);
    int urandom = open("/dev/urandom", O_RDONLY);
    struct iovec holes[3] = {{buf, 10}, {buf + 20, 30}, {bad, 8}};
    SHOW(readv(urandom, holes, 2));
    SHOW(read(urandom, buf, sizeof buf));
    SHOW(readv(fd, holes + 2, 1));
}

static void children(void)
{
    int status = 0;
    siginfo_t info;
    struct rusage usage;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    SHOW(waitid(P_PID, child, &info, WEXITED | WNOWAIT));
    printf("%d %d\n", info.si_code == CLD_EXITED, info.si_status);
    SHOW(waitid(P_PGID, 0, &info, WEXITED));
    SHOW(waitid(P_PID, child, &info, WEXITED | WNOHANG));
    if ((child = fork()) == 0) {
        raise(SIGSTOP);
        _exit(4);
    }
    SHOW(waitid(P_PID, child, &info, WSTOPPED));
    printf("%d %d\n", info.si_code == CLD_STOPPED, info.si_status == SIGSTOP);
    SHOW(kill(child, SIGCONT));
    SHOW(wait4(-getpgrp(), &status, 0, &usage) == child);
    SHOW(WEXITSTATUS(status));
    if ((child = fork()) == 0) {
        setpgid(0, 0);
        for (;;)
            pause();
    }
    setpgid(child, child);
    SHOW(getpgid(child) == child);
    SHOW(kill(-child, 0));
    SHOW(kill(-child, SIGKILL));
    SHOW(wait4(child, bad, 0, NULL));
    SHOW(wait4(child, NULL, 0, NULL));
    SHOW(kill(-(1 << 22), 0));
    SHOW(kill(0, 0));
    if ((child = fork()) == 0)
        abort();
    wait4(child, &status, 0, NULL);
    SHOW(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    union sigval value = {.sival_int = 5};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    if ((child = fork()) == 0) {
        sigwaitinfo(&set, &info);
        _exit(info.si_value.sival_int + (info.si_pid == getppid()));
    }
    SHOW(sigqueue(child, SIGUSR1, value));
    wait4(child, &status, 0, NULL);
    SHOW(WEXITSTATUS(status));
}

static void memory(void)
{
    const long page = 4096;
    char *m = mmap(NULL, 8 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *shared = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    m[0] = 'm', shared[0] = 's';
    SHOW(mprotect(m, 0, PROT_READ));
    SHOW(mprotect(m, (size_t)-1, PROT_READ));
    SHOW(madvise(m, 0, MADV_DONTNEED));
    SHOW(madvise(m, (size_t)-page, MADV_DONTNEED));
    SHOW(msync(m, 0, MS_SYNC));
    SHOW(mlock(m, 0));
    SHOW(mlock(m, (size_t)-1));
    SHOW(mincore(m, 0, (void *)buf));
    SHOW(mremap(m, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, m + 1) == MAP_FAILED);
    SHOW(mremap(m, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, m) == MAP_FAILED);
    SHOW(mremap(m, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, m + 4 * page) == m + 4 * page);
    SHOW(m[4 * page]);
    SHOW(mremap(shared, page, 2 * page, MREMAP_MAYMOVE) != MAP_FAILED);
    SHOW(mmap(m + 1, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED);
    SHOW(mmap((void *)-page, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED);
    SHOW(munmap((void *)-page, page));
    char *end = sbrk(0);
    SHOW(sbrk(3 * page) == end);
    SHOW(brk(end + page));
    SHOW(brk((void *)-page));
    SHOW(brk(end));
}

static void priorities(void)
{
    SHOW(getpriority(PRIO_PGRP, 0));
    SHOW(getpriority(PRIO_PGRP, getpgrp()));
    SHOW(getpriority(PRIO_PGRP, 1 << 22));
    SHOW(getpriority(PRIO_USER, 0) >= -20);
    SHOW(getpriority(PRIO_USER, getuid()) >= -20);
    SHOW(syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 4));
    SHOW(syscall(SYS_ioprio_get, 1, 0));
    SHOW(syscall(SYS_ioprio_set, 1, 0, 3 << 13));
    SHOW(syscall(SYS_ioprio_set, 1, 0, 7 << 13));
    SHOW(syscall(SYS_ioprio_get, 2, 0) >= 0);
    SHOW(syscall(SYS_ioprio_get, 3, 0) >= 0);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    requests();
    messages();
    sets();
    children();
    memory();
    priorities();
    return 0;
}
