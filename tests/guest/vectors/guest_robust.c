/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Robust mutexes and mutexes with priority inheritance. The expected output is that of the same file compiled for the
 * host, because qemu-riscv64 7.2 ends with a bus error at the latter. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static long guarded;

static void *hold(void *p)
{
    printf("%d", pthread_mutex_lock(p));
    return NULL; /* with the lock */
}

static void *contend(void *p)
{
    int r = pthread_mutex_lock(p);
    guarded++;
    pthread_mutex_unlock(p);
    return (void *)(long)r;
}

int main(void)
{
    for (int protocol = 0; protocol < 2; protocol++) {
        pthread_mutexattr_t a;
        pthread_mutex_t m;
        pthread_t t, waiters[3];
        pthread_mutexattr_init(&a);
        pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
        pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
        pthread_mutexattr_setprotocol(&a, protocol ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE);
        pthread_mutex_init(&m, &a);
        pthread_create(&t, NULL, hold, &m);
        pthread_join(t, NULL);
        printf(" %d", pthread_mutex_lock(&m) == EOWNERDEAD);
        printf(" %d", pthread_mutex_consistent(&m));
        printf(" %d", pthread_mutex_lock(&m) == EDEADLK);
        guarded = 0;
        for (int i = 0; i < 3; i++)
            pthread_create(&waiters[i], NULL, contend, &m);
        sched_yield();
        printf(" %d", pthread_mutex_unlock(&m));
        for (int i = 0; i < 3; i++) {
            void *r;
            pthread_join(waiters[i], &r);
            printf(" %ld", (long)r);
        }
        printf(" %ld %d\n", guarded, pthread_mutex_unlock(&m) == EPERM);
    }
    return 0;
}
