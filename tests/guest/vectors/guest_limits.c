/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributes of prctl, resource limits, priorities of input, owners of descriptors, a futex that processes share, locks
 * of open files, connections. The expected output is that of the same file compiled for the host and run by a user
 * without privileges: qemu-riscv64 7.2 has not all calls, and does not keep all limits. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}
#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))
#define SHOW_OPTION(...) SHOW(prctl(__VA_ARGS__, 0, 0, 0))

static void attributes(void)
{
    int value = -1;
    SHOW_OPTION(PR_SET_PDEATHSIG, SIGUSR1);
    SHOW_OPTION(PR_GET_PDEATHSIG, &value);
    SHOW(value);
    SHOW_OPTION(PR_SET_PDEATHSIG, 65);
    SHOW_OPTION(PR_SET_PDEATHSIG, 0);
    SHOW_OPTION(PR_GET_DUMPABLE, 0);
    SHOW_OPTION(PR_SET_DUMPABLE, 0);
    SHOW_OPTION(PR_GET_DUMPABLE, 0);
    SHOW_OPTION(PR_SET_DUMPABLE, 2);
    SHOW_OPTION(PR_SET_DUMPABLE, 1);
    SHOW_OPTION(PR_GET_TIMERSLACK, 0);
    SHOW_OPTION(PR_SET_TIMERSLACK, 1000);
    SHOW_OPTION(PR_GET_TIMERSLACK, 0);
    SHOW_OPTION(PR_SET_TIMERSLACK, 0);
    SHOW_OPTION(PR_GET_TIMERSLACK, 0);
    SHOW_OPTION(PR_GET_KEEPCAPS, 0);
    SHOW_OPTION(PR_CAPBSET_READ, 0);
    SHOW_OPTION(PR_CAPBSET_READ, 99);
    SHOW_OPTION(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL);
    SHOW_OPTION(PR_GET_THP_DISABLE, 0);
    SHOW_OPTION(PR_SET_THP_DISABLE, 1);
    SHOW_OPTION(PR_GET_THP_DISABLE, 0);
    SHOW_OPTION(PR_GET_TIMING, 0);
    SHOW_OPTION(PR_SET_TIMING, 1);
    SHOW_OPTION(PR_GET_NO_NEW_PRIVS, 0);
    SHOW_OPTION(PR_SET_NO_NEW_PRIVS, 0);
    SHOW_OPTION(PR_SET_NO_NEW_PRIVS, 1);
    SHOW_OPTION(PR_GET_NO_NEW_PRIVS, 0);
    SHOW_OPTION(12345, 0);
}

/* The signal of a parent's end, and the parent of a process whose own has ended. */
static void descendants(void)
{
    int how, ready[2];
    pipe(ready);
    SHOW_OPTION(PR_SET_CHILD_SUBREAPER, 1);
    pid_t self = getpid(), pid = fork();
    if (pid == 0) {
        char byte;
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGTERM);
            write(ready[1], "r", 1);
            for (;;)
                pause();
        }
        if (fork() == 0) {
            close(ready[0]);
            close(ready[1]);
            while (getppid() != self)
                usleep(1000);
            _exit(9);
        }
        read(ready[0], &byte, 1);
        _exit(3);
    }
    waitpid(pid, &how, 0);
    SHOW(WEXITSTATUS(how));
    int first, second;
    wait(&first);
    wait(&second);
    SHOW(WIFSIGNALED(first) ? WTERMSIG(first) : WTERMSIG(second));
    SHOW(WIFSIGNALED(first) ? WEXITSTATUS(second) : WEXITSTATUS(first));
    SHOW_OPTION(PR_SET_CHILD_SUBREAPER, 0);
}

static void limits(void)
{
    struct rlimit l = {.rlim_cur = 20, .rlim_max = 100}, got;
    SHOW(setrlimit(RLIMIT_NOFILE, &l));
    SHOW(getrlimit(RLIMIT_NOFILE, &got));
    SHOW(got.rlim_cur * 1000 + got.rlim_max);
    SHOW(dup2(0, 19));
    SHOW(dup2(0, 20));
    SHOW(fcntl(0, F_DUPFD, 20));
    close(19);
    int last = -1, fd;
    while ((fd = dup(0)) >= 0)
        last = fd;
    SHOW(last);
    SHOW(dup(0));
    for (fd = 3; fd <= last; fd++)
        close(fd);
    SHOW(setrlimit(RLIMIT_NOFILE, &(struct rlimit){.rlim_cur = 20, .rlim_max = 101}));
    SHOW(setrlimit(RLIMIT_NOFILE, &(struct rlimit){.rlim_cur = 20, .rlim_max = 10}));
    SHOW(setrlimit(99, &l));
    if (fork() == 0) {
        getrlimit(RLIMIT_NOFILE, &got);
        SHOW(got.rlim_cur * 1000 + got.rlim_max);
        _exit(0);
    }
    wait(NULL);
    l = (struct rlimit){.rlim_cur = 1 << 20, .rlim_max = 1 << 30};
    SHOW(setrlimit(RLIMIT_CORE, &l));
    SHOW(prlimit(0, RLIMIT_CORE, NULL, &got));
    SHOW(got.rlim_cur);
}

enum { PROCESS = 1, REAL_TIME = 1 << 13, BEST_EFFORT = 2 << 13, IDLE = 3 << 13 };

static void input_priorities(void)
{
    SHOW(syscall(SYS_ioprio_get, PROCESS, 0));
    SHOW(syscall(SYS_ioprio_set, PROCESS, 0, IDLE));
    SHOW(syscall(SYS_ioprio_get, PROCESS, getpid()));
    SHOW(syscall(SYS_ioprio_set, PROCESS, 0, BEST_EFFORT | 3));
    SHOW(syscall(SYS_ioprio_get, PROCESS, 0));
    SHOW(syscall(SYS_ioprio_set, PROCESS, 0, 3));
    SHOW(syscall(SYS_ioprio_set, PROCESS, 0, 5 << 13));
    SHOW(syscall(SYS_ioprio_set, 9, 0, IDLE));
    SHOW(syscall(SYS_ioprio_get, 0, 0));
    SHOW(syscall(SYS_ioprio_get, PROCESS, 999999));
    SHOW(setpriority(PRIO_PGRP, (id_t)getpgrp(), 2)); /* the group in which the program began */
    SHOW(getpriority(PRIO_PROCESS, 0));
}

static volatile sig_atomic_t signals;
static void on_signal(int signal)
{
    (void)signal;
    signals++;
}

static void owners(void)
{
    int pair[2], on = 1, pid = -1;
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    signal(SIGIO, on_signal);
    setpgid(0, 0);
    SHOW(fcntl(pair[0], F_GETOWN));
    SHOW(fcntl(pair[0], F_SETOWN, getpid()));
    SHOW(fcntl(pair[0], F_GETOWN) == getpid());
    SHOW(fcntl(pair[0], F_SETOWN, -getpgrp()));
    SHOW(fcntl(pair[0], F_GETOWN) == -getpgrp());
    SHOW(ioctl(pair[0], FIOGETOWN, &pid));
    SHOW(pid == -getpgrp());
    pid = getpid();
    SHOW(ioctl(pair[0], FIOSETOWN, &pid));
    SHOW(ioctl(pair[0], FIOASYNC, &on));
    SHOW((fcntl(pair[0], F_GETFL) & O_ASYNC) != 0);
    write(pair[1], "x", 1);
    while (signals == 0)
        usleep(1000);
    SHOW(signals > 0);
}

/* Priorities of another process are not those of the caller. */
static void priorities_of_another(void)
{
    struct sched_param none = {0};
    pid_t pid = fork();
    if (pid == 0)
        for (;;)
            pause();
    SHOW(setpriority(PRIO_PROCESS, (id_t)pid, 7));
    SHOW(getpriority(PRIO_PROCESS, 0));
    SHOW(syscall(SYS_ioprio_set, PROCESS, pid, IDLE));
    SHOW(syscall(SYS_ioprio_get, PROCESS, 0));
    SHOW(sched_setscheduler(pid, SCHED_BATCH, &none));
    SHOW(sched_getscheduler(0));
    SHOW(setpriority(PRIO_PGRP, (id_t)getpgrp(), 8));
    SHOW(getpriority(PRIO_PROCESS, 0));
    SHOW(setpriority(PRIO_PGRP, 999999, 3));
    SHOW(getpriority(PRIO_USER, getuid() + 12345));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* Wakes of another process reach a process that catches signals, although the word does not change. */
static void shared_futex(void)
{
    uint32_t *word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct itimerval far = {.it_value.tv_sec = 1000};
    int how;
    signal(SIGALRM, on_signal);
    pid_t pid = fork();
    if (pid == 0) {
        setitimer(ITIMER_REAL, &far, NULL);
        _exit(syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0) == 0 ? 5 : 1);
    }
    while (syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0) != 1)
        sched_yield();
    waitpid(pid, &how, 0);
    SHOW(WEXITSTATUS(how));
    if ((pid = fork()) == 0) {
        ualarm(20000, 0);
        struct timespec long_time = {.tv_sec = 100};
        int r = (int)syscall(SYS_futex, word, FUTEX_WAIT, 0, &long_time, NULL, 0);
        _exit(r < 0 && errno == EINTR && signals > 0 ? 6 : 1);
    }
    waitpid(pid, &how, 0);
    SHOW(WEXITSTATUS(how));
}

/* Arguments that these calls refuse. */
static void refused_attributes(void)
{
    void *address = NULL;
    SHOW(prctl(PR_SET_NO_NEW_PRIVS, 1, 1, 0, 0));
    SHOW(prctl(PR_SET_NO_NEW_PRIVS, 2, 0, 0, 0));
    SHOW(prctl(PR_GET_NO_NEW_PRIVS, 1, 0, 0, 0));
    SHOW(prctl(PR_GET_NO_NEW_PRIVS, 0, 1, 0, 0));
    SHOW(prctl(PR_GET_THP_DISABLE, 1, 0, 0, 0));
    SHOW(prctl(PR_GET_THP_DISABLE, 0, 1, 0, 0));
    SHOW(prctl(PR_SET_THP_DISABLE, 0, 1, 0, 0));
    SHOW_OPTION(PR_SET_TIMING, 0);
    SHOW_OPTION(PR_SET_KEEPCAPS, 2);
    SHOW_OPTION(PR_GET_PDEATHSIG, 1);
    SHOW_OPTION(PR_GET_TID_ADDRESS, &address);
    SHOW(address != NULL);
}

static void interval_timers(void)
{
    struct itimerval v = {.it_interval = {0, 1000000}}, old;
    SHOW(setitimer(ITIMER_REAL, &v, NULL));
    v = (struct itimerval){.it_value = {0, 1000000}};
    SHOW(setitimer(ITIMER_REAL, &v, NULL));
    v = (struct itimerval){.it_interval = {-1, 0}};
    SHOW(setitimer(ITIMER_REAL, &v, NULL));
    v = (struct itimerval){.it_value = {-1, 0}};
    SHOW(setitimer(ITIMER_REAL, &v, NULL));
    v = (struct itimerval){.it_value = {1000, 0}};
    SHOW(setitimer(ITIMER_REAL, &v, NULL));
    SHOW(getitimer(ITIMER_REAL, &old));
    SHOW(old.it_value.tv_sec > 900);
    SHOW(setitimer(ITIMER_REAL, &v, (void *)1));
    SHOW(syscall(SYS_setitimer, ITIMER_REAL, NULL, &old));
    SHOW(old.it_value.tv_sec > 900);
}

/* Locks of the open file, which two descriptors of a process do not share, and of another process. */
static void locks(void)
{
    char path[] = "/tmp/guest_limits_XXXXXX";
    struct flock own = {.l_type = F_WRLCK}, other = own, asked = own;
    int fd = mkstemp(path), again = open(path, O_RDWR), ready[2];
    unlink(path);
    SHOW(fcntl(fd, F_OFD_SETLK, &own));
    SHOW(fcntl(again, F_OFD_SETLK, &other));
    SHOW(fcntl(again, F_OFD_GETLK, &asked));
    SHOW(asked.l_pid);
    own.l_type = F_UNLCK;
    SHOW(fcntl(fd, F_OFD_SETLK, &own));
    SHOW(fcntl(again, F_OFD_SETLKW, &other));
    other.l_type = F_UNLCK;
    SHOW(fcntl(again, F_OFD_SETLK, &other));
    pipe(ready);
    pid_t pid = fork();
    if (pid == 0) {
        own.l_type = F_WRLCK;
        fcntl(fd, F_SETLK, &own);
        close(ready[1]);
        pause();
    }
    close(ready[1]);
    read(ready[0], path, 1);
    asked = (struct flock){.l_type = F_WRLCK};
    SHOW(fcntl(fd, F_GETLK, &asked));
    SHOW(asked.l_pid == pid);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    SHOW(fcntl(fd, F_GETLK, &asked));
    SHOW(asked.l_type == F_UNLCK);
}

/* A signal by a descriptor of the process, with its information. */
static void signal_by_descriptor(void)
{
    int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    siginfo_t info = {.si_signo = SIGUSR2, .si_code = SI_QUEUE};
    signal(SIGUSR1, SIG_IGN);
    SHOW(syscall(SYS_pidfd_send_signal, self, SIGUSR1, &info, 0));
    SHOW(syscall(SYS_pidfd_send_signal, self, SIGUSR1, 1, 0));
    info.si_signo = SIGUSR1;
    SHOW(syscall(SYS_pidfd_send_signal, self, SIGUSR1, &info, 0));
    pid_t pid = fork();
    if (pid == 0)
        for (;;)
            pause();
    int child = (int)syscall(SYS_pidfd_open, pid, 0);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    SHOW(syscall(SYS_pidfd_send_signal, child, SIGUSR1, NULL, 0));
    SHOW(syscall(SYS_pidfd_getfd, child, 0, 0));
}

/* Offsets that can be read and not written. */
static void offsets(void)
{
    char path[] = "/tmp/guest_limits_XXXXXX";
    int fd = mkstemp(path), to = open(path, O_RDWR), ends[2];
    unlink(path);
    pipe(ends);
    write(fd, "some text", 9);
    int64_t *offset = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    SHOW(syscall(SYS_splice, fd, offset, ends[1], NULL, 4, 0));
    SHOW(*offset);
    mprotect(offset, 4096, PROT_READ);
    SHOW(syscall(SYS_splice, fd, offset, ends[1], NULL, 4, 0));
    SHOW(syscall(SYS_copy_file_range, fd, offset, to, NULL, 1, 0));
    SHOW(syscall(SYS_sendfile, ends[1], fd, offset, 1));
}

/* Connections without the address of the other end, and options of other lengths. */
static void connections(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int listens = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t length = sizeof name, named = sizeof name;
    char value[2000];
    SHOW(bind(listens, (struct sockaddr *)&name, sizeof name.sun_family)); /* to a name that is not in use */
    SHOW(getsockname(listens, (struct sockaddr *)&name, &named));
    SHOW(listen(listens, 4));
    for (int i = 0; i < 3; i++)
        SHOW(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name, named));
    SHOW(accept(listens, NULL, NULL) > 0);
    SHOW(accept(listens, (void *)1, &length));
    SHOW(accept(listens, NULL, NULL) > 0);
    length = sizeof value;
    SHOW(getsockopt(listens, SOL_SOCKET, SO_TYPE, value, &length));
    SHOW(length);
    length = 4;
    SHOW(getsockopt(listens, SOL_SOCKET, SO_PEERCRED, value, &length));
    SHOW(length);
    length = 4;
    SHOW(getsockopt(listens, IPPROTO_IPV6, 1, value, &length));
    length = sizeof value;
    SHOW(setsockopt(listens, SOL_SOCKET, SO_KEEPALIVE, value, length) >= 0);
}

static void old_capabilities(void)
{
    uint32_t header[2] = {0x19980330, 0}, sets[3] = {0};
    SHOW(syscall(SYS_capget, header, sets));
    header[1] = 999999;
    SHOW(syscall(SYS_capget, header, sets));
    header[1] = -1;
    SHOW(syscall(SYS_capget, header, sets));
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    attributes();
    descendants();
    limits();
    input_priorities();
    owners();
    signals = 0;
    shared_futex();
    priorities_of_another();
    refused_attributes();
    interval_timers();
    locks();
    signal_by_descriptor();
    offsets();
    connections();
    old_capabilities();
    return 0;
}
