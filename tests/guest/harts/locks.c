/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many threads and every kind of lock of POSIX threads. Each line is the same for every order of the threads.
 *
 * usage: locks [THREADS]    threads of the first part; default 1000 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 1000, SOME = 12, ROUNDS = 20, STACK_BYTES = 65536 };

static atomic_long wrong;

static void note(int right) { wrong += !right; }

static void report(const char *what, long value)
{
    printf("%s: %ld, %ld wrong\n", what, value, (long)wrong);
    wrong = 0;
}

static void in_threads(unsigned n, void *(*body)(void *))
{
    static pthread_t id[MANY];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (uintptr_t i = 0; i < n; i++)
        if (pthread_create(&id[i], &attributes, body, (void *)i) != 0)
            exit(2);
    for (unsigned i = 0; i < n; i++)
        note(pthread_join(id[i], NULL) == 0);
}

/* ---- many threads: all wait for one condition ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned threads, waiting;
static long sum;

static void *waits_for_all(void *p)
{
    pthread_mutex_lock(&lock);
    if (++waiting == threads)
        pthread_cond_broadcast(&changed);
    while (waiting < threads)
        pthread_cond_wait(&changed, &lock);
    sum += (long)(uintptr_t)p;
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* ---- mutexes: each protocol, kind and robustness ---- */

static pthread_mutex_t tested;

static void *counts(void *p)
{
    for (int round = 0; round < ROUNDS; round++) {
        int r = (uintptr_t)p % 3 == 0 ? pthread_mutex_trylock(&tested) : EBUSY;
        if (r == EBUSY)
            r = pthread_mutex_lock(&tested);
        note(r == 0);
        long before = sum;
        if (round % 4 == 0)
            sched_yield();
        sum = before + 1;
        note(pthread_mutex_unlock(&tested) == 0);
    }
    return NULL;
}

static void *times_out(void *p)
{
    struct timespec soon;
    (void)p;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 100000;
    if (soon.tv_nsec >= 1000000000)
        soon.tv_sec++, soon.tv_nsec -= 1000000000;
    note(pthread_mutex_timedlock(&tested, &soon) == ETIMEDOUT);
    return NULL;
}

static void mutexes(void)
{
    static const int protocols[] = {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT};
    static const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_RECURSIVE};
    for (int i = 0; i < 2 * 3 * 2 * 2; i++) {
        pthread_mutexattr_t a;
        pthread_mutexattr_init(&a);
        note(pthread_mutexattr_setprotocol(&a, protocols[i % 2]) == 0);
        note(pthread_mutexattr_settype(&a, kinds[i / 2 % 3]) == 0);
        note(pthread_mutexattr_setrobust(&a, i / 6 % 2 ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED) == 0);
        note(pthread_mutexattr_setpshared(&a, i / 12 ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE) == 0);
        note(pthread_mutex_init(&tested, &a) == 0);
        sum = 0;
        in_threads(SOME, counts);
        note(sum == SOME * ROUNDS);
        pthread_mutex_lock(&tested);
        if (i / 2 % 3 != 0)
            note(pthread_mutex_lock(&tested) == (i / 2 % 3 == 1 ? EDEADLK : 0));
        in_threads(2, times_out);
        if (i / 2 % 3 == 2)
            note(pthread_mutex_unlock(&tested) == 0);
        note(pthread_mutex_unlock(&tested) == 0);
        note(pthread_mutex_destroy(&tested) == 0);
    }
}

/* ---- robust mutexes whose owners end ---- */

static atomic_int died;

static void *ends_as_owner(void *p)
{
    (void)p;
    int r = pthread_mutex_lock(&tested);
    died += r == EOWNERDEAD;
    if (r == EOWNERDEAD)
        note(pthread_mutex_consistent(&tested) == 0);
    else
        note(r == 0);
    sum++;
    return NULL; /* without unlocking */
}

static void robust(int protocol)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setprotocol(&a, protocol);
    pthread_mutex_init(&tested, &a);
    sum = died = 0;
    in_threads(SOME, ends_as_owner);
    note(sum == SOME);
    note(pthread_mutex_lock(&tested) == EOWNERDEAD);
    note(pthread_mutex_unlock(&tested) == 0); /* not made consistent */
    note(pthread_mutex_lock(&tested) == ENOTRECOVERABLE);
    pthread_mutex_destroy(&tested);
    report(protocol == PTHREAD_PRIO_NONE ? "owners that ended" : "owners that ended, with inheritance", died);
}

/* ---- barriers, locks of readers and writers, semaphores, spin locks ---- */

static pthread_barrier_t barrier;
static atomic_int arrived, serial;

static void *meets(void *p)
{
    (void)p;
    for (int round = 1; round <= ROUNDS; round++) {
        arrived++;
        serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
        note(arrived == round * SOME);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static pthread_rwlock_t shared;
static long pair[2];

static void *reads_or_writes(void *p)
{
    for (int round = 0; round < ROUNDS; round++) {
        if ((uintptr_t)p % 3 == 0) {
            note(pthread_rwlock_wrlock(&shared) == 0);
            pair[0]++;
            sched_yield();
            pair[1]++;
        } else {
            note(pthread_rwlock_rdlock(&shared) == 0);
            note(pair[0] == pair[1]);
        }
        note(pthread_rwlock_unlock(&shared) == 0);
    }
    return NULL;
}

static sem_t places;
static atomic_int inside;

static void *enters(void *p)
{
    (void)p;
    for (int round = 0; round < ROUNDS; round++) {
        note(sem_wait(&places) == 0);
        note(++inside <= 3);
        sched_yield();
        inside--;
        sem_post(&places);
    }
    return NULL;
}

static pthread_spinlock_t spin;

static void *spins(void *p)
{
    (void)p;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_spin_lock(&spin);
        sum++;
        pthread_spin_unlock(&spin);
    }
    return NULL;
}

static void other_locks(void)
{
    pthread_rwlockattr_t a;
    pthread_barrier_init(&barrier, NULL, SOME);
    in_threads(SOME, meets);
    report("barrier", serial);
    for (int kind = PTHREAD_RWLOCK_PREFER_READER_NP; kind <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; kind++) {
        pthread_rwlockattr_init(&a);
        pthread_rwlockattr_setkind_np(&a, kind);
        pthread_rwlock_init(&shared, &a);
        in_threads(SOME, reads_or_writes);
    }
    report("readers and writers", pair[0]);
    sem_init(&places, 0, 3);
    in_threads(SOME, enters);
    report("semaphore", inside);
    sum = 0;
    pthread_spin_init(&spin, 0);
    in_threads(SOME, spins);
    report("spin lock", sum);
}

/* ---- cancellation ---- */

static atomic_int begun;
static int ends[2];

static void unlocks(void *p) { note(pthread_mutex_unlock(p) == 0); }

static void *waits_for_ever(void)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlocks, &lock);
    for (;;)
        pthread_cond_wait(&changed, &lock);
    pthread_cleanup_pop(1);
    return NULL;
}

/* Each waits in another call, or runs and is cancelled at once. */
static void *is_cancelled(void *p)
{
    char byte;
    begun++;
    switch ((uintptr_t)p % 6) {
    case 0:
        return waits_for_ever();
    case 1:
        return (void *)read(ends[0], &byte, 1);
    case 2:
        sleep(1000000);
        return NULL;
    case 3:
        sem_wait(&places);
        return NULL;
    case 4:
        for (;;)
            pthread_testcancel();
    default:
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
        for (;;)
            continue;
    }
}

static void cancelling(void)
{
    pthread_t id[SOME];
    void *result;
    note(pipe(ends) == 0);
    sem_init(&places, 0, 0);
    for (uintptr_t i = 0; i < SOME; i++)
        note(pthread_create(&id[i], NULL, is_cancelled, (void *)i) == 0);
    while (begun < SOME)
        sched_yield();
    for (int i = 0; i < SOME; i++)
        note(pthread_cancel(id[i]) == 0);
    for (int i = 0; i < SOME; i++)
        note(pthread_join(id[i], &result) == 0 && result == PTHREAD_CANCELED);
    report("cancelled", SOME);
}

int main(int argc, char **argv)
{
    threads = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : MANY;
    if (threads > MANY)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    in_threads(threads, waits_for_all);
    note(sum == (long)threads * (threads - 1) / 2);
    report("threads that wait for all", waiting == threads);
    mutexes();
    report("mutexes", 24);
    robust(PTHREAD_PRIO_NONE);
    robust(PTHREAD_PRIO_INHERIT);
    other_locks();
    cancelling();
    return 0;
}
