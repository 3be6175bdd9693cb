/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors, ranges of memory that are accessible in part, splice, and descriptors sent in messages: success and errors.
 * The expected output is that of the same file compiled for the host: qemu-riscv64 7.2 does not look into vectors as
 * Linux does. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}

static char *page; /* followed by an inaccessible one */
static char buf[64];
static void *const bad = (void *)16;

static int file(void)
{
    char name[] = "/tmp/guest_transfer.XXXXXX";
    int fd = mkstemp(name);
    unlink(name);
    return fd;
}

static void vectors(void)
{
    int fd = file();
    char *end = page + sysconf(_SC_PAGESIZE);
    struct iovec v[3] = {{"one ", 4}, {"two ", 4}, {bad, 8}}, r[2] = {{buf, 3}, {buf + 10, 5}}, huge = {buf, -1};
    SHOW(pwritev(fd, v, 2, 2));
    SHOW(preadv(fd, r, 2, 2));
    printf("%.3s|%.5s\n", buf, buf + 10);
    SHOW(preadv(fd, r, 2, -1));
    SHOW(pwritev(fd, v, 2, -1));
    SHOW(preadv(99, r, 2, 0));
    SHOW(preadv(fd, r, -1, 0));
    SHOW(preadv(fd, &huge, 1, 0));
    SHOW(preadv(fd, bad, 1, 0));
    SHOW(preadv2(fd, r, 2, 2, RWF_HIPRI));
    SHOW(lseek(fd, 0, SEEK_CUR));
    SHOW(preadv2(fd, r, 2, -1, 0));
    SHOW(lseek(fd, 0, SEEK_CUR));
    SHOW(preadv2(fd, r, 2, 0, 0x40000000));
    SHOW(pwritev2(fd, v, 1, 0, RWF_APPEND));
    SHOW(lseek(fd, 0, SEEK_END));
    SHOW(pwritev2(fd, v, 1, -2, 0));
    SHOW(ftruncate(fd, 0));
    SHOW(lseek(fd, 0, SEEK_SET));
    SHOW(writev(fd, v, 3));
    SHOW(lseek(fd, 0, SEEK_CUR));
    SHOW(writev(fd, v + 2, 1));
    SHOW(writev(fd, &huge, 1));
    SHOW(writev(fd, v, 1025));
    SHOW(write(fd, end - 6, 10));
    SHOW(write(fd, bad, 1));
    SHOW(write(fd, bad, 0));
    SHOW(write(fd, buf, -1));
    SHOW(pread(fd, end - 5, 10, 0));
    SHOW(pread(fd, buf, 1, -1));
    SHOW(pwrite(fd, bad, 1, 0));
    r[1].iov_base = bad;
    SHOW(preadv(fd, r, 2, 0));
    close(fd);
}

static void pipes(void)
{
    int a[2], b[2], fd = file();
    long from = 1;
    struct iovec v[2] = {{"abc", 3}, {bad, 3}};
    SHOW(pipe2(a, 0x10));
    SHOW(pipe2(bad, 0));
    SHOW(pipe(a) + pipe(b));
    SHOW(writev(a[1], v, 2));
    SHOW(read(a[1], buf, 1));
    SHOW(write(a[0], buf, 1));
    SHOW(vmsplice(a[1], v, 1, 0));
    SHOW(vmsplice(fd, v, 1, 0));
    SHOW(vmsplice(a[1], v, 1, 0x100));
    SHOW(vmsplice(99, v, 1, 0));
    SHOW(tee(a[0], b[1], 10, 0));
    SHOW(tee(a[0], b[1], 10, 0x100));
    SHOW(tee(fd, b[1], 10, SPLICE_F_NONBLOCK));
    SHOW(read(b[0], buf, 10));
    SHOW(splice(a[0], NULL, fd, NULL, 2, 0));
    SHOW(splice(a[0], NULL, fd, &from, 2, 0));
    SHOW(from);
    from = 0;
    SHOW(splice(fd, &from, b[1], NULL, 10, 0));
    SHOW(from);
    SHOW(splice(fd, &from, b[1], NULL, 0, 0));
    SHOW(splice(fd, &from, b[1], NULL, 1, 0x100));
    SHOW(splice(fd, bad, b[1], NULL, 1, 0));
    SHOW(splice(fd, NULL, fd, NULL, 1, 0));
    SHOW(splice(b[0], &from, fd, NULL, 1, 0));
    SHOW(splice(99, NULL, b[1], NULL, 1, 0));
    SHOW(splice(a[0], NULL, b[1], NULL, 1, SPLICE_F_NONBLOCK));
    SHOW(read(b[0], buf, 10));
    printf("%.3s\n", buf);
    from = 0;
    long to = 5;
    SHOW(copy_file_range(fd, &from, fd, &to, 2, 0));
    SHOW(copy_file_range(fd, &from, fd, &to, 2, 1));
    SHOW(syscall(SYS_copy_file_range, fd, bad, fd, &to, 2, 0));
    SHOW(sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE));
    SHOW(sync_file_range(fd, 0, 0, 64));
    SHOW(sync_file_range(a[0], 0, 0, 0));
    SHOW(sync_file_range(99, 0, 0, 0));
    SHOW(syncfs(fd));
    SHOW(syncfs(99));
    SHOW(readahead(fd, 0, 10));
    SHOW(readahead(99, 0, 10));
    close(fd);
}

static struct msghdr message(struct iovec *v, void *control, size_t control_bytes)
{
    return (struct msghdr){.msg_iov = v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = control_bytes};
}

static void descriptors(void)
{
    int s[2], p[2], on = 1, got[2] = {-1, -1};
    _Alignas(8) char control[256];
    struct iovec v = {buf, 3};
    struct msghdr m = message(&v, control, CMSG_SPACE(sizeof p));
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    SHOW(pipe(p));
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    *c = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof p)};
    memcpy(CMSG_DATA(c), p, sizeof p);
    SHOW(sendmsg(s[0], &m, 0));
    ((int *)CMSG_DATA(c))[1] = 99;
    SHOW(sendmsg(s[0], &m, 0));
    c->cmsg_len = 8;
    SHOW(sendmsg(s[0], &m, 0));
    c->cmsg_len = 1000;
    SHOW(sendmsg(s[0], &m, 0));
    m = message(&v, control, sizeof control);
    memset(control, 0, sizeof control);
    SHOW(recvmsg(s[1], &m, MSG_CMSG_CLOEXEC));
    printf("%zu %d\n", m.msg_controllen, m.msg_flags & (MSG_CTRUNC | MSG_CMSG_CLOEXEC));
    c = CMSG_FIRSTHDR(&m);
    memcpy(got, CMSG_DATA(c), sizeof got);
    printf("%d %d %zu\n", c->cmsg_level, c->cmsg_type, c->cmsg_len);
    SHOW(fcntl(got[0], F_GETFD));
    SHOW(write(got[1], "xyz", 3));
    SHOW(read(p[0], buf, 10));
    SHOW(setsockopt(s[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof on));
    m = message(&v, NULL, 0);
    SHOW(sendmsg(s[0], &m, 0));
    m = message(&v, control, sizeof control);
    SHOW(recvmsg(s[1], &m, 0));
    struct ucred sender;
    memcpy(&sender, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof sender);
    printf("%d %d\n", sender.pid == getpid(), sender.uid == getuid());
    socklen_t n = sizeof sender;
    SHOW(getsockopt(s[0], SOL_SOCKET, SO_PEERCRED, &sender, &n));
    printf("%d\n", sender.pid == getpid());
    m = message(&v, control, 4);
    SHOW(sendmsg(s[0], &m, 0));
    m = message(bad, NULL, 0);
    SHOW(sendmsg(s[0], &m, 0));
    SHOW(sendmsg(s[0], bad, 0));
    SHOW(recvmsg(s[1], bad, MSG_DONTWAIT));
    SHOW(recvmsg(99, &m, 0));
    SHOW(sendmsg(p[1], &m, 0));
    m.msg_iovlen = 2000;
    SHOW(sendmsg(s[0], &m, 0));
}

static void many_messages(void)
{
    int s[2];
    char in[4][4];
    struct iovec v[4];
    struct mmsghdr m[4] = {{{0}}};
    struct timespec none = {0, 0}, wrong = {0, -1};
    SHOW(socketpair(AF_UNIX, SOCK_DGRAM, 0, s));
    for (int i = 0; i < 4; i++) {
        v[i] = (struct iovec){"data", (size_t)i + 1};
        m[i].msg_hdr = message(&v[i], NULL, 0);
    }
    SHOW(sendmmsg(s[0], m, 4, 0));
    printf("%u %u\n", m[0].msg_len, m[3].msg_len);
    SHOW(sendmmsg(s[0], bad, 1, 0));
    SHOW(sendmmsg(99, m, 1, 0));
    SHOW(sendmmsg(s[0], m, 0, 0));
    v[1].iov_base = bad;
    SHOW(sendmmsg(s[0], m, 4, 0));
    for (int i = 0; i < 4; i++)
        v[i] = (struct iovec){in[i], 4};
    SHOW(recvmmsg(s[1], m, 3, 0, NULL));
    printf("%u %u %.3s\n", m[0].msg_len, m[2].msg_len, in[2]);
    SHOW(recvmmsg(s[1], m, 4, 0, &none));
    SHOW(recvmmsg(s[1], m, 4, MSG_WAITFORONE, NULL));
    SHOW(recvmmsg(s[1], m, 4, MSG_DONTWAIT, NULL));
    SHOW(recvmmsg(s[1], m, 1, MSG_DONTWAIT, &wrong));
    SHOW(recvmmsg(99, m, 1, 0, NULL));
    SHOW(accept(s[0], NULL, NULL));
    int l = socket(AF_UNIX, SOCK_STREAM, 0);
    SHOW(accept(l, NULL, NULL));
    SHOW(accept4(l, NULL, NULL, 1));
    SHOW(listen(l, 1));
    SHOW(recv(l, buf, 1, 0));
}

int main(void)
{
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    page = mmap(NULL, 2 * sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page + sysconf(_SC_PAGESIZE), sysconf(_SC_PAGESIZE), PROT_NONE);
    vectors();
    pipes();
    descriptors();
    many_messages();
    return 0;
}
