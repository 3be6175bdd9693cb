/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a process with threads and robust locks, which qemu-riscv64 does not perform: guest_ends.out has what
 * Linux does. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *end_process(void *p)
{
    usleep(1000);
    kill(getpid(), SIGTERM);
    puts("after the end");
    return p;
}

/* A process that a thread ends, by a fatal signal, with a robust lock that it shares with its parent. */
int main(void)
{
    pthread_mutex_t *m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t robust;
    struct timespec until;
    int status;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setpshared(&robust, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(m, &robust);
    pid_t pid = fork();
    if (pid == 0) {
        pthread_t t;
        pthread_mutex_lock(m);
        pthread_create(&t, NULL, end_process, NULL);
        pthread_join(t, NULL);
        _exit(1);
    }
    waitpid(pid, &status, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    printf("%d", WTERMSIG(status) == SIGTERM);
    printf(" %d\n", pthread_mutex_timedlock(m, &until) == EOWNERDEAD);
    return 0;
}
