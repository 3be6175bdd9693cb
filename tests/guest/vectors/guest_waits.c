/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that wait in calls on messages and events while others run. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BIG_BYTES = 1 << 20, SMALL_BYTES = 1 << 12 };

static pthread_t start(void *(*run)(void *), void *argument)
{
    pthread_t t;
    pthread_create(&t, NULL, run, argument);
    return t;
}

static void *drain(void *p)
{
    static char in[SMALL_BYTES];
    long sum = 0, n;
    while ((n = recv(*(int *)p, in, sizeof in, 0)) > 0)
        for (long i = 0; i < n; i++)
            sum += in[i];
    return (void *)sum;
}

/* More than a socket holds, with a descriptor in the first part. */
static void big_message(void)
{
    static char out[BIG_BYTES];
    _Alignas(8) char control[CMSG_SPACE(sizeof(int))] = {0};
    int s[2];
    void *sum;
    struct iovec v[2] = {{out, BIG_BYTES / 4}, {out + BIG_BYTES / 4, BIG_BYTES / 4 * 3}};
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    *c = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
    for (int i = 0; i < BIG_BYTES; i++)
        out[i] = (char)(i % 7);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    memcpy(CMSG_DATA(c), &s[0], sizeof s[0]);
    pthread_t t = start(drain, &s[1]);
    printf("sendmsg %zd\n", sendmsg(s[0], &m, 0));
    printf("send %zd\n", send(s[0], out, BIG_BYTES, 0));
    shutdown(s[0], SHUT_WR);
    pthread_join(t, &sum);
    printf("sum %ld\n", (long)sum);
}

static void *receive_all(void *p)
{
    char in[6];
    return (void *)recv(*(int *)p, in, sizeof in, MSG_WAITALL);
}

static void whole_message(void)
{
    int s[2];
    void *n;
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    pthread_t t = start(receive_all, &s[1]);
    for (int i = 0; i < 3; i++) {
        sched_yield();
        send(s[0], "ab", 2, 0);
    }
    pthread_join(t, &n);
    t = start(receive_all, &s[1]);
    send(s[0], "ab", 2, 0);
    sched_yield();
    close(s[0]);
    printf("recv %ld", (long)n);
    pthread_join(t, &n);
    printf(" %ld\n", (long)n);
}

static void *receive_many(void *p)
{
    char in[3][8];
    struct iovec v[3];
    struct mmsghdr m[3] = {{{0}}};
    for (int i = 0; i < 3; i++) {
        v[i] = (struct iovec){in[i], sizeof in[i]};
        m[i].msg_hdr.msg_iov = &v[i], m[i].msg_hdr.msg_iovlen = 1;
    }
    long n = recvmmsg(*(int *)p, m, 3, 0, NULL);
    printf("recvmmsg %ld: %.1s %.1s %.1s\n", n, in[0], in[1], in[2]);
    return NULL;
}

static void many_messages(void)
{
    int s[2];
    socketpair(AF_UNIX, SOCK_DGRAM, 0, s);
    pthread_t t = start(receive_many, &s[1]);
    for (const char *p = "abc"; *p != '\0'; p++) {
        sched_yield();
        send(s[0], p, 1, 0);
    }
    pthread_join(t, NULL);
}

static void *read_event(void *p)
{
    struct signalfd_siginfo info = {0};
    uint64_t value = 0;
    long n = read(*(int *)p, &info, sizeof info);
    memcpy(&value, &info, sizeof value);
    return (void *)(n == sizeof value ? (long)value : (long)info.ssi_int);
}

static void *poll_event(void *p)
{
    struct pollfd f = {.fd = *(int *)p, .events = POLLIN};
    return (void *)(long)poll(&f, 1, -1);
}

/* Result of a thread that waits for the descriptor when `act` is called. */
static void wait_for(const char *name, int fd, void (*act)(int))
{
    void *polled, *got;
    pthread_t t = start(poll_event, &fd);
    sched_yield();
    act(fd);
    pthread_join(t, &polled);
    t = start(read_event, &fd);
    pthread_join(t, &got);
    printf("%s: poll %ld, read %ld\n", name, (long)polled, (long)got);
    t = start(read_event, &fd);
    sched_yield();
    act(fd);
    pthread_join(t, &got);
    printf("%s: read %ld\n", name, (long)got);
}

static void add(int fd) { (void)!write(fd, &(uint64_t){5}, sizeof(uint64_t)); }

static void arm(int fd)
{
    const struct itimerspec soon = {{0, 0}, {0, 1000000}};
    timerfd_settime(fd, 0, &soon, NULL);
}

static int open_locked(const char *path) { return open(path, O_RDWR | O_CREAT, 0600); }

static void *lock(void *p)
{
    int fd = open_locked(p);
    long r = flock(fd, LOCK_EX);
    close(fd);
    return (void *)r;
}

static void ignore(int signal) {}

/* A lock that another thread holds, then one that another process holds until a timer ends the wait. */
static void locks(void)
{
    char path[] = "/tmp/guest_waits.XXXXXX", byte;
    const struct itimerval soon = {{0, 0}, {0, 20000}};
    struct sigaction action = {.sa_handler = ignore};
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int ready[2], fd;
    void *r;
    close(mkstemp(path));
    fd = open_locked(path);
    flock(fd, LOCK_EX);
    pthread_t t = start(lock, path);
    sched_yield();
    printf("unlock %d\n", flock(fd, LOCK_UN));
    pthread_join(t, &r);
    printf("flock %ld\n", (long)r);
    (void)!pipe(ready);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        fcntl(fd, F_SETLK, &l);
        (void)!write(ready[1], "", 1);
        for (;;)
            pause();
    }
    (void)!read(ready[0], &byte, 1);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    int locked = fcntl(fd, F_SETLKW, &l);
    printf("F_SETLKW %d %d\n", locked, errno == EINTR);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    printf("F_SETLKW %d\n", fcntl(fd, F_SETLKW, &l));
    unlink(path);
}

static void queue(int fd) { sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 17}); }

/* Calls on sockets end after the time that the socket has for them. */
static void time_outs(void)
{
    const struct timeval t = {0, 3000};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char in[4];
    int s[2], listener = socket(AF_UNIX, SOCK_STREAM, 0);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    printf("%d\n", setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t));
    printf("recv %zd %d\n", recv(s[0], in, sizeof in, 0), errno);
    printf("read %zd %d\n", read(s[0], in, sizeof in), errno);
    send(s[1], "abc", 3, 0);
    printf("recv %zd\n", recv(s[0], in, sizeof in, 0));
    bind(listener, (struct sockaddr *)&address, sizeof(sa_family_t)); /* a name of the kernel's choice */
    listen(listener, 1);
    setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
    printf("accept %d %d\n", accept(listener, NULL, NULL), errno);
    setsockopt(s[0], SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
    while (send(s[0], address.sun_path, sizeof address.sun_path, 0) > 0)
        continue;
    printf("send %d\n", errno);
    printf("accept4 %d %d\n", accept4(listener, NULL, NULL, 0x1234), errno);
    close(s[0]), close(s[1]), close(listener);
}

static void nothing(int signal) { (void)signal; }

/* A signal whose handler restarts calls ends one that has a time-out. */
static void interrupted(void)
{
    const struct timeval limit = {5, 0};
    const struct itimerval soon = {.it_value.tv_usec = 2000};
    const struct sigaction restarts = {.sa_handler = nothing, .sa_flags = SA_RESTART};
    char in[4];
    int s[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sigaction(SIGALRM, &restarts, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    printf("recv %zd %d\n", recv(s[0], in, sizeof in, 0), errno);
    close(s[0]), close(s[1]);
}

/* Remaining time-out of select and ppoll; time passes on the time CSR, too. */
static void rests(void)
{
    struct timeval t = {0, 3000}, much = {100, 0};
    struct timespec sleep = {0, 3000000}, poll_time = {0, 3000000};
    unsigned long before, after;
    int p[2];
    fd_set in;
    (void)!pipe(p);
    FD_ZERO(&in);
    FD_SET(p[0], &in);
    printf("select %d", select(p[0] + 1, &in, NULL, NULL, &t));
    printf(" %ld.%ld\n", (long)t.tv_sec, (long)t.tv_usec);
    (void)!write(p[1], "x", 1);
    FD_SET(p[0], &in);
    printf("select %d", select(p[0] + 1, &in, NULL, NULL, &much));
    printf(" %d\n", much.tv_sec >= 98 && much.tv_sec <= 100);
    printf("ppoll %ld", syscall(SYS_ppoll, NULL, 0, &poll_time, NULL, 0));
    printf(" %ld.%ld\n", (long)poll_time.tv_sec, poll_time.tv_nsec);
    asm volatile("rdtime %0" : "=r"(before));
    nanosleep(&sleep, NULL);
    asm volatile("rdtime %0" : "=r"(after));
    printf("rdtime %d\n", after - before >= 25000);
    close(p[0]), close(p[1]);
}

static void name_signal(int signal)
{
    char digits[2] = {(char)('0' + signal / 10), (char)('0' + signal % 10)};
    (void)!write(1, digits, 2);
    (void)!write(1, "\n", 1);
}

/* The handler of SIGCONT runs before the stopped process goes on; signals of instructions come before others. */
static void handlers(void)
{
    static const int several[] = {SIGHUP, SIGSEGV};
    int status;
    sigset_t all, old;
    fflush(stdout);
    signal(SIGCONT, name_signal);
    pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        (void)!write(1, "goes on\n", 8);
        _exit(0);
    }
    waitpid(child, &status, WUNTRACED);
    kill(child, SIGCONT);
    waitpid(child, &status, 0);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &old);
    for (unsigned n = 0; n < sizeof several / sizeof several[0]; n++) {
        signal(several[n], name_signal);
        raise(several[n]);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
}

int main(void)
{
    sigset_t set;
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    locks();
    big_message();
    many_messages();
    whole_message();
    time_outs();
    interrupted();
    rests();
    handlers();
    wait_for("eventfd", eventfd(0, 0), add);
    wait_for("timerfd", timerfd_create(CLOCK_MONOTONIC, 0), arm);
    wait_for("signalfd", signalfd(-1, &set, 0), queue);
    return 0;
}
