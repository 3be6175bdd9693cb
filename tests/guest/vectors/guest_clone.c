/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flags of clone3, vfork within vfork, timers of every kind of notification, segments of memory over fork, and /proc of
 * another process. The expected output is that of the same file compiled for the host: qemu-riscv64 7.2 has no clone3.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}
#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))

static int status_of(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void on_signal(int signal) { (void)signal; }

static void clones(void)
{
    struct clone_args args = {.flags = CLONE_CLEAR_SIGHAND | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID};
    pid_t parent = 0, own = 0, child;
    struct sigaction action;
    args.exit_signal = SIGCHLD;
    args.parent_tid = (uintptr_t)&parent, args.child_tid = (uintptr_t)&own;
    signal(SIGUSR1, on_signal);
    signal(SIGUSR2, SIG_IGN);
    fflush(stdout);
    if ((child = syscall(SYS_clone3, &args, sizeof args)) == 0) {
        sigaction(SIGUSR1, NULL, &action);
        int result = own == syscall(SYS_getpid) && action.sa_handler == SIG_DFL;
        sigaction(SIGUSR2, NULL, &action);
        _exit(result && action.sa_handler == SIG_IGN ? 7 : 8);
    }
    SHOW(parent == child && own == 0);
    SHOW(status_of(child));
    args.flags = CLONE_SIGHAND | CLONE_CLEAR_SIGHAND | CLONE_VM;
    SHOW(syscall(SYS_clone3, &args, sizeof args));
    args.flags = CLONE_THREAD;
    SHOW(syscall(SYS_clone3, &args, sizeof args));
    args.flags = CLONE_SIGHAND;
    SHOW(syscall(SYS_clone3, &args, sizeof args));
    if (vfork() == 0) {
        if (vfork() == 0)
            _exit(1);
        _exit(2);
    }
    int status = 0;
    wait(&status);
    SHOW(WEXITSTATUS(status));
}

static void timers(void)
{
    struct sigevent none = {.sigev_notify = SIGEV_NONE}, wrong = {.sigev_notify = 77};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 9};
    struct sigevent bad_signal = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 99};
    struct itimerspec soon = {{0, 1000000}, {0, 1000000}}, once = {{0, 0}, {0, 2000000}}, off = {{0, 0}, {0, 0}}, now;
    struct timespec wait_time = {0, 20000000}, long_time = {100, 0};
    clockid_t thread_clock;
    siginfo_t info;
    sigset_t set;
    timer_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    SHOW(timer_create(CLOCK_MONOTONIC, &wrong, &t));
    SHOW(timer_create(CLOCK_MONOTONIC, &bad_signal, &t));
    SHOW(timer_create(CLOCK_REALTIME_COARSE, &event, &t));
    SHOW(timer_create(CLOCK_MONOTONIC, &none, &t));
    SHOW(timer_settime(t, 0, &once, NULL));
    nanosleep(&wait_time, NULL);
    SHOW(timer_gettime(t, &now));
    printf("%ld %ld\n", (long)now.it_value.tv_sec, now.it_value.tv_nsec);
    SHOW(timer_delete(t));
    SHOW(timer_create(CLOCK_MONOTONIC, &event, &t));
    SHOW(timer_settime(t, 0, &soon, NULL));
    nanosleep(&wait_time, NULL);
    SHOW(sigtimedwait(&set, &info, &long_time) == SIGRTMIN);
    SHOW(info.si_code == SI_TIMER && info.si_value.sival_int == 9 && info.si_overrun > 0);
    SHOW(timer_getoverrun(t) > 0);
    SHOW(timer_settime(t, 0, &off, &now));
    SHOW(now.it_interval.tv_nsec);
    clock_gettime(CLOCK_MONOTONIC, &once.it_value);
    SHOW(timer_settime(t, TIMER_ABSTIME, &once, NULL));
    SHOW(sigtimedwait(&set, &info, &long_time) == SIGRTMIN);
    SHOW(timer_delete(t));
    pthread_getcpuclockid(pthread_self(), &thread_clock);
    SHOW(timer_create(thread_clock, &event, &t));
    SHOW(timer_delete(t));
    SHOW(timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &t));
    SHOW(timer_settime(t, 0, &soon, NULL));
    SHOW(timer_delete(t));
    SHOW(timer_create(CLOCK_PROCESS_CPUTIME_ID, NULL, &t));
    SHOW(timer_delete(t));
}

static void segments(void)
{
    int id = shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600), key = 0x7ac50000 + getpid() % 4096;
    struct shmid_ds ds;
    char *p = shmat(id, NULL, 0), *q = shmat(id, NULL, SHM_RDONLY);
    strcpy(p, "shared");
    SHOW(strcmp(q, "shared"));
    SHOW(shmctl(id, IPC_STAT, &ds));
    printf("%lu attached, %lu bytes\n", (unsigned long)ds.shm_nattch, (unsigned long)ds.shm_segsz);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        sched_yield(); /* a system call, behind which the parent executes nothing on a wrong path */
        strcpy(p, "child");
        shmdt(q);
        _exit(0);
    }
    SHOW(status_of(child));
    SHOW(strcmp(q, "child"));
    SHOW(shmctl(id, IPC_STAT, &ds));
    printf("%lu attached\n", (unsigned long)ds.shm_nattch);
    SHOW(shmat(id, NULL, SHM_REMAP) == (void *)-1);
    SHOW(shmat(id, p + 5, SHM_RND) == (void *)-1);
    SHOW(shmctl(id, IPC_RMID, NULL));
    SHOW(shmctl(id, IPC_STAT, &ds));
    SHOW(shmdt(p));
    SHOW(shmdt(p));
    SHOW(shmdt(q));
    SHOW(shmctl(id, IPC_STAT, &ds));
    SHOW((id = shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0600)) >= 0);
    SHOW(shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0600));
    SHOW(shmget(key, 8192, 0));
    SHOW(shmget(key, 100, 0) == id);
    SHOW(shmctl(id, 99, &ds));
    SHOW(shmctl(id, SHM_LOCK, NULL));
    SHOW(shmctl(id, SHM_UNLOCK, NULL));
    SHOW(shmctl(id, IPC_RMID, NULL));
}

static void *wait_for_ever(void *p)
{
    for (;;)
        pause();
    return p;
}

static void look(const char *format, int number)
{
    char name[64], text[256] = "";
    snprintf(name, sizeof name, format, number);
    int fd = open(name, O_RDONLY);
    printf("%s: ", format);
    if (fd < 0) {
        printf("%s\n", strerror(errno));
        return;
    }
    ssize_t n = read(fd, text, sizeof text - 1);
    printf("%zd\n", n > 0 ? (ssize_t)strcspn(text, "\n") : n);
    close(fd);
}

static void others(void)
{
    pthread_t t;
    char link[64], name[64];
    fflush(stdout);
    pid_t child = fork();
    while (child == 0)
        pause();
    look("/proc/%d/nothing", child);
    look("/proc/%d/comm/x", child);
    snprintf(name, sizeof name, "/proc/%d/cwd", child);
    SHOW(readlink(name, link, sizeof link) > 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    look("/proc/%d/comm", child);
    pthread_create(&t, NULL, wait_for_ever, NULL);
    SHOW(readlink("/proc/self", link, sizeof link) > 0);
    SHOW(readlink("/proc/thread-self", link, sizeof link) > 0);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    clones();
    timers();
    segments();
    others();
    return 0;
}
