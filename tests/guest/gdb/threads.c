/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest for gdb: threads, a signal, a forked process, another program, a fault. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3 };

static pthread_barrier_t barrier;
static volatile long turns[THREADS];
static volatile int got;

static void handler(int signal) { got = signal; }

static __attribute__((noinline)) void turn(long n) { turns[n]++; }

static void *work(void *arg)
{
    const long n = (long)arg;
    pthread_barrier_wait(&barrier);
    turn(n);
    return arg;
}

static int fork_one(void)
{
    int status;
    const pid_t pid = fork();
    if (pid == 0) {
        turn(0);
        _exit(7);
    }
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    signal(SIGUSR1, handler);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    raise(SIGUSR1);
    printf("signal %d, child %d\n", got, fork_one());
    fflush(stdout);
    if (argc > 1)
        execl(argv[1], argv[1], (char *)NULL);
    *(volatile int *)8 = 1;
    return 0;
}
