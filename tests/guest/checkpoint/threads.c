/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that run, wait for locks and conditions, sleep and end, with what they print in the order of their turns. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 5, ROUNDS = 12 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, robust;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static long turn;
static __thread long own;

static void spin(long rounds)
{
    for (volatile long i = 0; i < rounds; i++)
        continue;
}

static void take(int signal) { own += signal; }

static unsigned long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long)t.tv_sec * 1000000000u + (unsigned long)t.tv_nsec;
}

static void *in_turns(void *p)
{
    const long number = (long)p;
    for (long round = 0; round < ROUNDS; round++) {
        struct timespec until, moment = {0, 1000 * (number + 1)};
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec = (until.tv_nsec + 20000) % 1000000000;
        spin(700 * (number + 1));
        pthread_mutex_lock(&lock);
        while (turn % THREADS != number)
            own += pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT ? (until.tv_sec++, 1) : 0;
        printf("%ld of %ld at %lu: own %ld, thread %ld\n", round, number, now(), own, syscall(SYS_gettid));
        turn++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        nanosleep(&moment, NULL);
    }
    return (void *)own;
}

static void *die_with_lock(void *p)
{
    (void)p;
    pthread_mutex_lock(&robust);
    spin(20000);
    return NULL;
}

static void *meet(void *p)
{
    for (int round = 0; round < ROUNDS; round++) {
        spin(300 * (long)p);
        own += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    }
    printf("met %ld: %ld\n", (long)p, own);
    return NULL;
}

static void run_all(void *(*body)(void *))
{
    pthread_t t[THREADS];
    void *result;
    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&t[i], NULL, body, (void *)i) != 0)
            exit(3);
    pthread_kill(t[2], SIGUSR1);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], &result);
        printf("joined %d: %ld\n", i, (long)result);
    }
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t kind;
    signal(SIGUSR1, take);
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &kind);
    pthread_barrier_init(&barrier, NULL, THREADS);
    if (pthread_create(&t, NULL, die_with_lock, NULL) != 0)
        return 3;
    run_all(in_turns);
    printf("owner died: %d\n", pthread_mutex_lock(&robust) == EOWNERDEAD);
    pthread_join(t, NULL);
    run_all(meet);
    printf("end at %lu\n", now());
    return 9;
}
