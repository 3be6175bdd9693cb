/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors of events (eventfd, timerfd, signalfd, inotify) and timers of timer_create: success and errors. Clocks
 * are only compared, so the results are the same on every machine. The expected output is that of the same file
 * compiled for the host: qemu-riscv64 7.2 does not check all arguments. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}

static void *const bad = (void *)16;
static char buf[512];

static void counters(void)
{
    uint64_t value = 5;
    int fd = eventfd(2, 0);
    SHOW(read(fd, buf, 4));
    SHOW(write(fd, &value, sizeof value));
    SHOW(write(fd, &value, 4));
    SHOW(read(dup(fd), &value, sizeof value));
    printf("%lu\n", (unsigned long)value);
    SHOW(read(fd, buf, 4));
    SHOW(eventfd(0, 1 << 20));
    SHOW(fcntl(fd, F_SETFL, O_NONBLOCK));
    SHOW(read(fd, &value, sizeof value));
    SHOW(epoll_create1(1));
    close(fd);
}

static void timer_descriptors(void)
{
    const struct itimerspec soon = {{0, 0}, {0, 2000000}}, often = {{0, 1000000}, {0, 1000000}}, off = {{0, 0}, {0, 0}};
    const struct itimerspec wrong = {{0, 0}, {0, 1000000000}};
    const struct itimerspec past = {{1000, 0}, {0, 1}};
    struct itimerspec now;
    struct timespec before, after;
    struct pollfd p = {.events = POLLIN};
    uint64_t count = 0;
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    SHOW(timerfd_create(99, 0));
    SHOW(timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0));
    SHOW(timerfd_create(CLOCK_MONOTONIC, 1));
    SHOW(fcntl(fd, F_GETFD));
    clock_gettime(CLOCK_MONOTONIC, &before);
    SHOW(timerfd_settime(fd, 0, &soon, NULL));
    SHOW(read(fd, &count, 4));
    SHOW(read(fd, &count, sizeof count));
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("%lu %d\n", (unsigned long)count,
           (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec >= 2000000);
    p.fd = fd;
    SHOW(poll(&p, 1, 0));
    SHOW(timerfd_settime(fd, 0, &soon, NULL));
    SHOW(poll(&p, 1, 3600000));
    SHOW(read(fd, &count, sizeof count));
    SHOW(timerfd_settime(fd, TFD_TIMER_ABSTIME, &past, NULL));
    SHOW(read(fd, &count, sizeof count));
    SHOW(timerfd_gettime(fd, &now));
    printf("%d %d\n", (int)now.it_interval.tv_sec, now.it_value.tv_sec > 0);
    int e = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 7};
    SHOW(epoll_ctl(e, EPOLL_CTL_ADD, fd, &event));
    SHOW(timerfd_settime(fd, 0, &often, &now));
    SHOW(epoll_wait(e, &event, 1, -1));
    printf("%u\n", event.data.u32);
    const struct timespec pause = {0, 5000000};
    nanosleep(&pause, NULL);
    SHOW(read(fd, &count, sizeof count));
    printf("%d\n", count >= 5);
    SHOW(write(fd, &count, sizeof count));
    SHOW(timerfd_settime(fd, 0, &off, NULL));
    SHOW(fcntl(fd, F_SETFL, O_NONBLOCK));
    SHOW(read(fd, &count, sizeof count));
    SHOW(timerfd_settime(fd, 0, &wrong, NULL));
    SHOW(timerfd_settime(fd, 16, &soon, NULL));
    SHOW(timerfd_settime(fd, 0, bad, NULL));
    SHOW(timerfd_settime(e, 0, &soon, NULL));
    SHOW(timerfd_settime(99, 0, &soon, NULL));
    SHOW(timerfd_gettime(e, &now));
    SHOW(timerfd_gettime(99, &now));
    SHOW(timerfd_gettime(fd, bad));
}

static void signal_descriptors(void)
{
    sigset_t set;
    struct signalfd_siginfo info[2];
    struct pollfd p = {.events = POLLIN};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int fd = signalfd(-1, &set, SFD_NONBLOCK);
    SHOW(read(fd, info, sizeof info));
    p.fd = fd;
    SHOW(poll(&p, 1, 0));
    SHOW(kill(getpid(), SIGUSR1));
    SHOW(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 42}));
    SHOW(poll(&p, 1, 0));
    SHOW(read(fd, info, 100));
    SHOW(read(fd, info, sizeof info));
    printf("%u %d %d; %d %d %d\n", info[0].ssi_signo, info[0].ssi_code, info[0].ssi_pid == (uint32_t)getpid(),
           info[1].ssi_signo == (uint32_t)SIGRTMIN, info[1].ssi_code, info[1].ssi_int);
    SHOW(poll(&p, 1, 0));
    SHOW(fcntl(fd, F_SETFL, 0));
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    SHOW(read(fd, info, sizeof info));
    printf("%d %d %d\n", info[0].ssi_signo == SIGCHLD, info[0].ssi_pid == (uint32_t)child, info[0].ssi_status);
    SHOW(waitpid(child, NULL, 0) == child);
    sigemptyset(&set);
    SHOW(signalfd(fd, &set, 0) == fd);
    SHOW(kill(getpid(), SIGUSR1));
    SHOW(poll(&p, 1, 0));
    SHOW(signalfd(0, &set, 0));
    SHOW(signalfd(99, &set, 0));
    SHOW(signalfd(-1, &set, 1));
    SHOW(syscall(SYS_signalfd4, -1, &set, 4, 0));
    SHOW(syscall(SYS_signalfd4, -1, bad, 8, 0));
    SHOW(write(fd, info, sizeof info));
    int got;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    SHOW(sigwait(&set, &got));
}

static volatile int handled, overruns;

static void handler(int signal, siginfo_t *info, void *context)
{
    handled++;
    overruns = info->si_overrun;
    printf("signal %d, code %d, value %d\n", signal == SIGRTMIN + 1, info->si_code, info->si_value.sival_int);
}

static void notify(union sigval value) { *(volatile int *)value.sival_ptr = 1; }

static void timers(void)
{
    const struct itimerspec soon = {{0, 0}, {0, 1000000}}, often = {{0, 1000000}, {0, 1000000}}, off = {{0, 0}, {0, 0}};
    const struct itimerspec wrong = {{0, 0}, {-1, 0}}, later = {{7, 0}, {1000, 0}};
    struct itimerspec now;
    struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1, .sigev_value.sival_int = 11};
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    const struct timespec pause = {0, 10000000};
    timer_t t, none, other;
    sigaction(SIGRTMIN + 1, &action, NULL);
    SHOW(timer_create(CLOCK_MONOTONIC, &e, &t));
    SHOW(timer_settime(t, 0, &soon, NULL));
    SHOW(nanosleep(&pause, NULL));
    printf("%d %d\n", handled, overruns);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    SHOW(timer_settime(t, 0, &often, NULL));
    SHOW(nanosleep(&pause, NULL));
    SHOW(timer_getoverrun(t));
    siginfo_t info;
    SHOW(sigwaitinfo(&set, &info) == SIGRTMIN + 1);
    printf("%d %d %d %d\n", info.si_code, info.si_value.sival_int, info.si_overrun >= 8,
           info.si_overrun == timer_getoverrun(t));
    SHOW(timer_settime(t, 0, &off, &now));
    printf("%ld %d\n", now.it_interval.tv_nsec, now.it_value.tv_nsec > 0);
    SHOW(timer_settime(t, TIMER_ABSTIME, &soon, NULL));
    SHOW(sigwaitinfo(&set, &info) == SIGRTMIN + 1);
    SHOW(timer_gettime(t, &now));
    printf("%ld %ld\n", (long)now.it_value.tv_sec, now.it_value.tv_nsec);
    SHOW(timer_settime(t, 0, &wrong, NULL));
    e.sigev_notify = SIGEV_NONE;
    SHOW(timer_create(CLOCK_REALTIME, &e, &none));
    SHOW(timer_settime(none, 0, &later, NULL));
    SHOW(timer_gettime(none, &now));
    printf("%ld %d\n", (long)now.it_interval.tv_sec, now.it_value.tv_sec >= 998 && now.it_value.tv_sec <= 1000);
    SHOW(timer_delete(none));
    SHOW(timer_create(CLOCK_PROCESS_CPUTIME_ID, &e, &none));
    e.sigev_notify = SIGEV_SIGNAL;
    e.sigev_signo = 65;
    SHOW(timer_create(CLOCK_MONOTONIC, &e, &other));
    e.sigev_signo = SIGRTMIN + 1;
    e.sigev_notify = 77;
    SHOW(timer_create(CLOCK_MONOTONIC, &e, &other));
    SHOW(syscall(SYS_timer_create, 99, NULL, &other));
    SHOW(syscall(SYS_timer_create, CLOCK_MONOTONIC, NULL, bad));
    SHOW(syscall(SYS_timer_create, CLOCK_MONOTONIC, bad, &other));
    SHOW(syscall(SYS_timer_settime, 77, 0, &soon, NULL));
    SHOW(syscall(SYS_timer_settime, 77, 0, NULL, NULL));
    SHOW(syscall(SYS_timer_gettime, 77, &now));
    SHOW(syscall(SYS_timer_getoverrun, 77));
    SHOW(syscall(SYS_timer_delete, 77));
    volatile int notified = 0;
    e = (struct sigevent){.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify};
    e.sigev_value.sival_ptr = (void *)&notified;
    SHOW(timer_create(CLOCK_MONOTONIC, &e, &other));
    SHOW(timer_settime(other, 0, &soon, NULL));
    while (!notified)
        nanosleep(&pause, NULL);
    SHOW(notified);
    SHOW(timer_delete(other));
    e = (struct sigevent){.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 1};
    e._sigev_un._tid = gettid();
    SHOW(timer_create(CLOCK_MONOTONIC, &e, &other));
    SHOW(timer_settime(other, 0, &soon, NULL));
    SHOW(sigwaitinfo(&set, &info) == SIGRTMIN + 1);
    e._sigev_un._tid = 1;
    SHOW(timer_create(CLOCK_MONOTONIC, &e, &other));
    e = (struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1};
    SHOW(timer_create(CLOCK_THREAD_CPUTIME_ID, &e, &other));
    SHOW(timer_settime(other, 0, &soon, NULL));
    for (sigset_t pending; sigpending(&pending), !sigismember(&pending, SIGRTMIN + 1);)
        continue;
    SHOW(sigwaitinfo(&set, &info) == SIGRTMIN + 1);
    SHOW(timer_settime(other, 0, &off, NULL));
    fflush(stdout);
    if (fork() == 0) {
        SHOW(timer_delete(t)); /* a child has no timers */
        exit(0);
    }
    wait(NULL);
}

static void watches(void)
{
    char folder[] = "/tmp/guest_events.XXXXXX", path[64];
    SHOW(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/new", folder);
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    SHOW(inotify_init1(1));
    SHOW(read(fd, buf, sizeof buf));
    int w = inotify_add_watch(fd, folder, IN_CREATE | IN_DELETE);
    SHOW(w);
    SHOW(inotify_add_watch(fd, "/missing/file", IN_CREATE));
    SHOW(inotify_add_watch(fd, folder, 0));
    SHOW(inotify_add_watch(99, folder, IN_CREATE));
    SHOW(inotify_add_watch(0, folder, IN_CREATE));
    SHOW(inotify_add_watch(fd, bad, IN_CREATE));
    close(open(path, O_CREAT | O_WRONLY, 0600));
    SHOW(read(fd, buf, 4));
    SHOW(read(fd, buf, sizeof buf));
    struct inotify_event event;
    memcpy(&event, buf, sizeof event);
    printf("%d %#x %s\n", event.wd == w, event.mask, buf + sizeof event);
    unlink(path);
    SHOW(inotify_rm_watch(fd, w));
    SHOW(inotify_rm_watch(fd, w));
    SHOW(inotify_rm_watch(0, w));
    SHOW(inotify_rm_watch(99, w));
    rmdir(folder);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    counters();
    timer_descriptors();
    fflush(stdout); /* a child is forked */
    signal_descriptors();
    timers();
    watches();
    return 0;
}
