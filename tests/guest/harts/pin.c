/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads bound to processors. Each line counts what is wrong, and is the same for every number of processors and every
 * order of the threads.
 *
 * usage: pin PROCESSORS [alone]    the number that the system has; alone: without other processes */
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 8, ROUNDS = 3 };

static unsigned processors;
static atomic_long wrong;

static void note(bool right) { wrong += !right; }

static void report(const char *what)
{
    printf("%s: %ld wrong\n", what, (long)wrong);
    wrong = 0;
}

static cpu_set_t only(unsigned processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return set;
}

static void bind_to(unsigned processor)
{
    const cpu_set_t set = only(processor);
    note(sched_setaffinity(0, sizeof set, &set) == 0);
    note(sched_getcpu() == (int)processor);
}

static void release(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (unsigned n = 0; n < processors; n++)
        CPU_SET(n, &set);
    note(sched_setaffinity(0, sizeof set, &set) == 0);
}

static pthread_t start(void *(*body)(void *), uintptr_t argument)
{
    pthread_t id;
    if (pthread_create(&id, NULL, body, (void *)argument) != 0)
        exit(2);
    return id;
}

/* ---- numbers ---- */

static void counts(void)
{
    cpu_set_t set;
    note(sysconf(_SC_NPROCESSORS_ONLN) == (long)processors);
    note(sysconf(_SC_NPROCESSORS_CONF) == (long)processors);
    note(get_nprocs() == (int)processors);
    note(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == (int)processors);
    note(omp_get_num_procs() == (int)processors);
    note(sched_getcpu() < (int)processors);
    report("number of processors");
    set = only(processors);
    note(sched_setaffinity(0, sizeof set, &set) == -1 && errno == EINVAL);
    CPU_ZERO(&set);
    note(sched_setaffinity(0, sizeof set, &set) == -1 && errno == EINVAL);
    note(sched_setaffinity(0, sizeof set, (cpu_set_t *)8) == -1 && errno == EFAULT);
    set = only(0);
    note(sched_setaffinity(999999, sizeof set, &set) == -1 && errno == ESRCH);
    note(syscall(SYS_sched_getaffinity, 0, 4, &set) == -1 && errno == EINVAL);
    memset(&set, 0xff, sizeof set);
    note(sched_setaffinity(0, sizeof set, &set) == 0); /* processors that do not exist are ignored */
    note(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == (int)processors);
    report("errors");
}

/* ---- a thread binds itself ---- */

static void *moves(void *p)
{
    for (unsigned from = 0; from < processors; from++)
        for (unsigned to = 0; to < processors; to++) {
            bind_to(((uintptr_t)p + from) % processors);
            bind_to(to);
        }
    return NULL;
}

static void in_threads(unsigned n, void *(*body)(void *))
{
    pthread_t id[3 * MOST];
    for (unsigned i = 0; i < n; i++)
        id[i] = start(body, i);
    for (unsigned i = 0; i < n; i++)
        pthread_join(id[i], NULL);
}

static void moving(void)
{
    moves(NULL);
    release();
    report("one thread");
    in_threads(processors, moves);
    report("as many threads as processors");
    in_threads(3 * processors, moves);
    report("more threads than processors");
}

/* ---- all threads on one processor, while the others are idle ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned turn_of, shared_processor;

static void *takes_turns(void *p)
{
    bind_to(shared_processor);
    pthread_mutex_lock(&lock);
    for (unsigned round = 0; round < ROUNDS; round++) {
        while (turn_of != (uintptr_t)p)
            pthread_cond_wait(&changed, &lock);
        note(sched_getcpu() == (int)shared_processor);
        turn_of = (turn_of + 1) % processors;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void sharing_one(void)
{
    for (shared_processor = 0; shared_processor < processors; shared_processor++)
        in_threads(processors, takes_turns);
    report("threads on one processor");
}

/* ---- waits of a bound thread, woken from another processor, by the time, by the host ---- */

static int ends[2];
static atomic_int at;

static void *sleeps(void *p)
{
    bind_to((unsigned)(uintptr_t)p);
    usleep(200);
    note(sched_getcpu() == (int)(uintptr_t)p);
    return NULL;
}

static void *reads(void *p)
{
    char byte;
    bind_to((unsigned)(uintptr_t)p);
    at = 1;
    note(read(ends[0], &byte, 1) == 1);
    note(sched_getcpu() == (int)(uintptr_t)p);
    return NULL;
}

static void on_signal(int signal) { (void)signal; }

static void *pauses(void *p)
{
    sigset_t none;
    bind_to((unsigned)(uintptr_t)p);
    at = 1;
    sigemptyset(&none);
    sigsuspend(&none);
    note(sched_getcpu() == (int)(uintptr_t)p);
    return NULL;
}

static void waiting(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGUSR1, on_signal);
    note(pipe(ends) == 0);
    for (unsigned from = 0; from < processors; from++)
        for (unsigned to = 0; to < processors; to++) {
            bind_to(from);
            pthread_join(start(sleeps, to), NULL);
            at = 0;
            pthread_t id = start(reads, to);
            while (at == 0)
                sched_yield();
            note(write(ends[1], "x", 1) == 1);
            pthread_join(id, NULL);
            at = 0;
            id = start(pauses, to);
            while (at == 0)
                sched_yield();
            pthread_kill(id, SIGUSR1);
            pthread_join(id, NULL);
        }
    release();
    report("waits of bound threads");
    in_threads(processors, sleeps);
    report("sleeps on all processors");
}

/* ---- a thread binds another one, which runs ---- */

static atomic_bool done;

static void *tells_where(void *p)
{
    (void)p;
    while (!done)
        at = sched_getcpu();
    return NULL;
}

static void *spins(void *p)
{
    (void)p;
    while (!done)
        continue;
    return NULL;
}

static void binding_others(void)
{
    done = false;
    pthread_t id = start(tells_where, 0), beside = start(spins, 0);
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned to = 0; to < processors; to++) {
            const cpu_set_t set = only(to), both = only((to + round) % processors);
            cpu_set_t got;
            note(pthread_setaffinity_np(id, sizeof set, &set) == 0);
            note(pthread_getaffinity_np(id, sizeof got, &got) == 0 && CPU_EQUAL(&got, &set));
            note(pthread_setaffinity_np(beside, sizeof both, &both) == 0);
            while (at != (int)to) /* for ever, if the thread does not follow */
                continue;
        }
    done = true;
    pthread_join(id, NULL);
    pthread_join(beside, NULL);
    report("threads bound by another");
}

/* ---- inheritance ---- */

static void *is_bound(void *p)
{
    cpu_set_t set, expected = only((unsigned)(uintptr_t)p);
    note(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_EQUAL(&set, &expected));
    note(sched_getcpu() == (int)(uintptr_t)p);
    return NULL;
}

static void *forks(void *p)
{
    int status = 1;
    bind_to((unsigned)(uintptr_t)p);
    pid_t child = fork();
    if (child == 0) {
        wrong = 0;
        is_bound(p);
        note(get_nprocs() == (int)processors);
        for (unsigned to = 0; to < processors; to++)
            bind_to(to);
        _exit(wrong != 0);
    }
    note(waitpid(child, &status, 0) == child && status == 0);
    is_bound(p);
    return NULL;
}

static void inheriting(void)
{
    for (unsigned n = 0; n < processors; n++) {
        bind_to(n);
        pthread_join(start(is_bound, n), NULL);
    }
    release();
    in_threads(processors, forks);
    report("inherited sets");
}

int main(int argc, char **argv)
{
    processors = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    if (processors == 0 || processors > MOST)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    counts();
    moving();
    sharing_one();
    waiting();
    binding_others();
    if (argc < 3)
        inheriting();
    return 0;
}
