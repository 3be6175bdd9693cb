/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads. Each line is the same for every order of the threads. The expected output is that of the same file compiled
 * for the host, because qemu-riscv64 7.2 does not always end on a loaded machine. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 6, ROUNDS = 500 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long guarded, atomic, turn;

static void *count(void *p)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        guarded++;
        pthread_mutex_unlock(&lock);
        __atomic_add_fetch(&atomic, 1, __ATOMIC_RELAXED);
    }
    return (void *)((long)p * 2);
}

static void *in_turns(void *p)
{
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&lock);
        while (turn % THREADS != (long)p)
            pthread_cond_wait(&changed, &lock);
        turn++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static long run_all(void *(*body)(void *))
{
    pthread_t t[THREADS];
    long sum = 0;
    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&t[i], NULL, body, (void *)i) != 0)
            puts("pthread_create failed");
    for (int i = 0; i < THREADS; i++) {
        void *r = NULL;
        pthread_join(t[i], &r);
        sum += (long)r;
    }
    return sum;
}

static void locks(void)
{
    printf("%ld", run_all(count));
    printf(" %ld %ld", guarded, atomic);
    printf(" %ld", run_all(in_turns));
    printf(" %ld\n", turn);
}

static pthread_barrier_t barrier;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t items;
static int made, serial;
static __thread int own;
static pthread_key_t key;
static int destroyed;

static void make(void) { made++; }
static void destroy(void *p) { __atomic_add_fetch(&destroyed, (int)(long)p, __ATOMIC_RELAXED); }

static void *meet(void *p)
{
    pthread_once(&once, make);
    pthread_setspecific(key, (void *)((long)p + 1));
    own = (int)(long)p;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED);
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_unlock(&shared);
    pthread_rwlock_wrlock(&shared);
    guarded += own;
    pthread_rwlock_unlock(&shared);
    sem_post(&items);
    pthread_barrier_wait(&barrier);
    sem_wait(&items);
    return (void *)(long)(own == (int)(long)p);
}

static void meetings(void)
{
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_key_create(&key, destroy);
    sem_init(&items, 0, 0);
    guarded = 0;
    printf("%ld", run_all(meet));
    printf(" %ld %d %d %d\n", guarded, made, serial, destroyed);
}

static struct timespec in_ms(clockid_t clock, long ms)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static void timeouts(void)
{
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    sem_t none;
    struct timespec t = in_ms(CLOCK_REALTIME, 3);
    sem_init(&none, 0, 0);
    pthread_mutex_lock(&lock);
    printf("%s", strerror(pthread_cond_timedwait(&never, &lock, &t)));
    pthread_mutex_unlock(&lock);
    printf(" %d", sem_timedwait(&none, &t));
    printf(" %d", errno == ETIMEDOUT);
    t = in_ms(CLOCK_MONOTONIC, 3);
    printf(" %d\n", sem_clockwait(&none, CLOCK_MONOTONIC, &t));
}

static int ends[2];

static void *drain(void *p)
{
    char part[1000];
    long sum = 0;
    ssize_t n;
    while ((n = read(ends[0], part, sizeof part)) > 0)
        for (ssize_t i = 0; i < n; i++)
            sum += part[i] * (p != NULL);
    return (void *)sum;
}

static void *signal_event(void *p)
{
    const uint64_t five = 5;
    usleep(2000);
    if (write(*(int *)p, &five, sizeof five) != sizeof five)
        puts("short write");
    return NULL;
}

static void pipes(void)
{
    static char data[300000];
    pthread_t t;
    void *sum;
    memset(data, 3, sizeof data);
    if (pipe(ends) != 0)
        return;
    pthread_create(&t, NULL, drain, data);
    printf("%zd", write(ends[1], data, sizeof data));
    close(ends[1]);
    pthread_join(t, &sum);
    close(ends[0]);
    int event = eventfd(0, 0);
    struct pollfd fd = {.fd = event, .events = POLLIN};
    uint64_t value = 0;
    pthread_create(&t, NULL, signal_event, &event);
    printf(" %ld %d", (long)sum, poll(&fd, 1, 10000));
    printf(" %zd", read(event, &value, sizeof value));
    printf(" %d\n", (int)value);
    pthread_join(t, NULL);
}

static volatile sig_atomic_t caught, on_main;
static pthread_t main_thread;
static int done;

static void on_signal(int signal)
{
    caught += signal;
    on_main = pthread_equal(pthread_self(), main_thread) != 0;
}

static void *kill_main(void *p)
{
    (void)p;
    usleep(2000);
    kill(getpid(), SIGUSR1);
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
        continue;
    return NULL;
}

static void *wait_for_signals(void *p)
{
    siginfo_t info;
    long sum = 0;
    for (int i = 0; i < 4; i++)
        sum = sum * 10 + (sigwaitinfo(p, &info) == SIGRTMIN + 1 ? info.si_value.sival_int : 9);
    return (void *)sum;
}

static void signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigset_t set;
    pthread_t t;
    void *sum;
    main_thread = pthread_self();
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&t, NULL, kill_main, NULL);
    printf("%d", pause());
    printf(" %d", errno == EINTR);
    __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
    pthread_join(t, NULL);
    printf(" %d %d", caught == SIGUSR1, (int)on_main);
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, wait_for_signals, &set);
    for (int i = 1; i <= 4; i++)
        sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i});
    pthread_join(t, &sum);
    printf(" %ld %d\n", (long)sum, pthread_kill(main_thread, 0));
}

static void on_alarm(int signal)
{
    (void)signal;
    done++;
}

/* A thread that never enters the kernel is interrupted. */
static void timer(void)
{
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval every = {.it_interval.tv_usec = 200, .it_value.tv_usec = 200}, off = {{0, 0}, {0, 0}};
    done = 0;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    while (__atomic_load_n(&done, __ATOMIC_RELAXED) < 5)
        continue;
    setitimer(ITIMER_REAL, &off, NULL);
    puts("timer");
}

static int cleaned;

static void clean(void *p) { cleaned += (int)(long)p; }

static void *block(void *p)
{
    char c;
    pthread_cleanup_push(clean, (void *)7);
    if (p != NULL)
        usleep(1000000000);
    else if (read(ends[0], &c, 1) != 1)
        puts("read failed");
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancellation(void)
{
    if (pipe(ends) != 0)
        return;
    for (long i = 0; i < 2; i++) {
        pthread_t t;
        void *r;
        pthread_create(&t, NULL, block, (void *)i);
        usleep(1000);
        pthread_cancel(t);
        pthread_join(t, &r);
        printf("%d ", r == PTHREAD_CANCELED);
    }
    printf("%d\n", cleaned);
}

static void *fork_there(void *p)
{
    int status = 0;
    (void)p;
    pid_t pid = fork();
    if (pid == 0)
        _exit(getpid() == (pid_t)syscall(SYS_gettid) ? 5 : 6);
    waitpid(pid, &status, 0);
    return (void *)(long)WEXITSTATUS(status);
}

static sem_t ping, answer;

static void *answer_pings(void *p)
{
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
        sem_wait(&ping);
        sem_post(&answer);
    }
    return p;
}

static void *read_one(void *p)
{
    char c;
    if (read(ends[0], &c, 1) == 1)
        __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
    return p;
}

/* A thread that waits for a pipe goes on though two others never use up their turns. */
static void short_turns(void)
{
    pthread_t t[2];
    done = 0;
    sem_init(&ping, 0, 0);
    sem_init(&answer, 0, 0);
    if (pipe(ends) != 0)
        return;
    pthread_create(&t[0], NULL, read_one, NULL);
    pthread_create(&t[1], NULL, answer_pings, NULL);
    usleep(1000);
    if (write(ends[1], "x", 1) != 1)
        puts("short write");
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
        sem_post(&ping);
        sem_wait(&answer);
    }
    sem_post(&ping);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    puts("short turns");
}

static void *lock_file(void *p)
{
    int fd = open(p, O_RDONLY);
    long r = flock(fd, LOCK_EX);
    close(fd);
    return (void *)(r + 1);
}

/* The holder of the lock that a thread waits for is another thread. */
static void file_lock(const char *path)
{
    int fd = open(path, O_RDONLY);
    pthread_t t;
    void *r;
    flock(fd, LOCK_EX);
    pthread_create(&t, NULL, lock_file, (void *)path);
    usleep(1000);
    flock(fd, LOCK_UN);
    pthread_join(t, &r);
    close(fd);
    printf("file lock %ld\n", (long)r);
}

static void *poll_unblocked(void *p)
{
    struct pollfd fd = {.fd = ends[0], .events = POLLIN};
    sigset_t none;
    (void)p;
    sigemptyset(&none);
    return (void *)(long)ppoll(&fd, 1, NULL, &none);
}

/* A signal of the process that a thread has not taken is there for another one; SIGPIPE is for the thread that wrote.
 */
static void *break_pipe(void *p)
{
    int broken[2];
    usleep(1000);
    main_thread = pthread_self();
    if (pipe(broken) != 0)
        return NULL;
    close(broken[0]);
    on_main = 0;
    printf("%zd", write(broken[1], p, 1));
    printf(" %d", (int)on_main);
    close(broken[1]);
    return NULL;
}

static void signals_of_the_process(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    struct timespec none = {0, 0};
    sigset_t set;
    pthread_t t;
    void *r;
    sigaction(SIGPIPE, &action, NULL);
    pthread_create(&t, NULL, break_pipe, "x");
    pthread_join(t, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (pipe(ends) != 0)
        return;
    pthread_create(&t, NULL, poll_unblocked, NULL);
    usleep(1000);
    kill(getpid(), SIGUSR1);
    if (write(ends[1], "x", 1) != 1)
        puts("short write");
    pthread_join(t, &r);
    /* Either the thread has handled it or it is still pending. */
    printf(" %d\n", (sigtimedwait(&set, NULL, &none) == SIGUSR1) == ((long)r == 1));
}

static void *leave(void *p)
{
    (void)p;
    usleep(1000);
    puts("the last one");
    exit(3);
}

int main(int argc, char **argv)
{
    pthread_t t;
    void *r;
    (void)argc;
    setvbuf(stdout, NULL, _IOLBF, 0);
    locks();
    meetings();
    timeouts();
    pipes();
    signals();
    timer();
    cancellation();
    pthread_create(&t, NULL, fork_there, NULL);
    pthread_join(t, &r);
    printf("%ld %d\n", (long)r, getpid() == (pid_t)syscall(SYS_gettid));
    short_turns();
    file_lock(argv[0]);
    signals_of_the_process();
    pthread_create(&t, NULL, leave, NULL);
    pthread_exit(NULL);
}
