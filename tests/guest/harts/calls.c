/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux calls of threads that run at once: mappings that change under other harts, code that changes, signals, short
 * threads, fork and execve, and the end of the process. Each line is the same for every order of the threads.
 *
 * usage: calls [exec]    with exec: replaces the process from a thread while others run; without: all else */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS = 6, ROUNDS = 40, PAGE = 4096 };

static atomic_bool done;
static atomic_long progress;

static void in_threads(unsigned n, void *(*body)(void *))
{
    pthread_t id[THREADS];
    for (uintptr_t i = 0; i < n; i++)
        if (pthread_create(&id[i], NULL, body, (void *)i) != 0)
            exit(2);
    for (unsigned i = 0; i < n; i++)
        pthread_join(id[i], NULL);
}

/* ---- mappings ---- */

/* Each thread maps, moves, protects and unmaps pages of its own, and compares what they hold. */
static void *maps(void *p)
{
    uintptr_t number = (uintptr_t)p, bad = 0;
    for (uintptr_t round = 0; round < ROUNDS; round++) {
        uint64_t *at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (unsigned i = 0; i < 2 * PAGE / sizeof *at; i += 64)
            at[i] = number << 32 | round << 16 | i;
        at = mremap(at, 2 * PAGE, 3 * PAGE, MREMAP_MAYMOVE);
        mprotect(at, PAGE, PROT_READ);
        for (unsigned i = 0; i < 2 * PAGE / sizeof *at; i += 64)
            bad += at[i] != (number << 32 | round << 16 | i);
        bad += at[2 * PAGE / sizeof *at] != 0;
        munmap(at, 3 * PAGE);
        uint64_t *block = malloc(number * 100 + 200000); /* mapped or from the heap */
        block[round] = round;
        bad += block[round] != round;
        free(block);
    }
    progress += (long)bad;
    return NULL;
}

/* One thread changes the permissions of a page into which the others store: a store faults or is in memory afterwards.
 */
static uint64_t *page;
static atomic_long page_faults;
static _Thread_local sigjmp_buf back;

static void on_fault(int signal)
{
    (void)signal;
    page_faults++;
    siglongjmp(back, 1);
}

static void *stores_into_page(void *p)
{
    volatile uint64_t *mine = page + (uintptr_t)p, stored = 0, value = 0, bad = 0;
    while (!done) {
        value = value + 1;
        if (sigsetjmp(back, 1) == 0) {
            *mine = value;
            stored = value;
        }
        bad = bad + (*mine != stored);
    }
    progress += (long)bad;
    return NULL;
}

static void *protects(void *p)
{
    if (p != NULL)
        return stores_into_page(p);
    while (page_faults < 20) {
        uint64_t before[THREADS];
        mprotect(page, PAGE, PROT_READ);
        memcpy(before, page, sizeof before);
        for (int i = 0; i < 20; i++)
            progress += memcmp(before, page, sizeof before) != 0; /* the page is read-only in every thread */
        mprotect(page, PAGE, PROT_READ | PROT_WRITE);
    }
    done = true;
    return NULL;
}

/* One thread changes the permissions of pages into which the others store, each into one line after the other, most of
 * which miss: a store that has retired is in memory when the call returns. */
enum { LINES = 64, LINE_WORDS = 8, ALL_PAGES = THREADS * LINES * LINE_WORDS * 8 };
static uint64_t *lines;
static struct {
    _Alignas(64) volatile uint64_t at;
} stored_lines[THREADS];

static uint64_t *line_of(uintptr_t thread, uint64_t number)
{
    return &lines[(thread * LINES + number % LINES) * LINE_WORDS];
}

static void *stores_into_lines(void *p)
{
    volatile uint64_t number = 0;
    while (!done) {
        number = number + 1;
        if (sigsetjmp(back, 1) != 0)
            continue;
        *(volatile uint64_t *)line_of((uintptr_t)p, number) = number;
        stored_lines[(uintptr_t)p].at = number;
    }
    return NULL;
}

static void *protects_lines(void *p)
{
    if (p != NULL)
        return stores_into_lines(p);
    for (int n = 0; n < ROUNDS; n++) {
        mprotect(lines, ALL_PAGES, PROT_READ);
        for (uintptr_t t = 1; t < 4; t++) {
            uint64_t next = stored_lines[t].at + 1;
            const volatile uint64_t *line = line_of(t, next);
            uint64_t before = *line;
            for (volatile int wait = 0; wait < 200; wait = wait + 1)
                continue;
            progress += *line != before;
        }
        mprotect(lines, ALL_PAGES, PROT_READ | PROT_WRITE);
        for (volatile int wait = 0; wait < 300; wait = wait + 1)
            continue;
    }
    done = true;
    return NULL;
}

/* One thread changes the permissions of a page; each change interrupts the others, which increment a counter. */
static atomic_long increments;

static void *increments_beside(void *p)
{
    long own = 0;
    for (int n = 0; p == NULL && n < ROUNDS; n++) {
        for (long before = increments; increments < before + 10;)
            continue;
        mprotect(page, PAGE, n % 2 == 0 ? PROT_READ : PROT_READ | PROT_WRITE);
    }
    if (p == NULL)
        done = true;
    for (; !done; own++)
        increments++;
    progress += own;
    return NULL;
}

static void mappings(void)
{
    progress = 0;
    in_threads(THREADS, maps);
    printf("pages of each thread: %ld wrong\n", (long)progress);
    signal(SIGSEGV, on_fault);
    page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    done = false;
    progress = 0;
    in_threads(4, protects);
    printf("stores into a page that becomes read-only: %ld wrong, faults: %s\n", (long)progress,
           page_faults >= 20 ? "some" : "too few");
    lines = mmap(NULL, ALL_PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    done = false;
    progress = 0;
    in_threads(4, protects_lines);
    signal(SIGSEGV, SIG_DFL);
    printf("stores on their way when pages become read-only: %ld late\n", (long)progress);
    done = false;
    progress = 0;
    in_threads(4, increments_beside);
    printf("increments while a page's permissions change: %ld lost\n", (long)(progress - increments));
}

/* ---- code ---- */

static uint32_t *code;

static uint32_t load_immediate(unsigned value) { return value << 20 | 10 << 7 | 0x13; /* li a0, value */ }

static void write_code(uint32_t *at, unsigned value)
{
    at[0] = load_immediate(value);
    at[1] = 0x8067; /* ret */
}

static long call(const uint32_t *at) { return ((long (*)(void))(uintptr_t)at)(); }

/* The writer replaces a function, has the instruction caches flushed on all harts, and then publishes its number; the
 * others call the function and must not get an older one. */
static atomic_long published;

static void *runs_code(void *p)
{
    if (p == NULL) {
        for (unsigned n = 1; n <= 200; n++) {
            write_code(code, n);
            syscall(SYS_riscv_flush_icache, code, code + 2, 0);
            published = n;
        }
        return NULL;
    }
    for (long at_least = 0; at_least < 200;) {
        at_least = published;
        if (at_least != 0 && call(code) < at_least)
            progress++;
    }
    return NULL;
}

/* Each thread rewrites a function of its own, in a page of all, with fence.i. */
static void *modifies_itself(void *p)
{
    uint32_t *at = code + 16 * (uintptr_t)p;
    for (unsigned n = 1; n <= 200; n++) {
        write_code(at, n);
        __asm__ volatile("fence.i" ::: "memory");
        progress += call(at) != n;
    }
    return NULL;
}

static void changing_code(void)
{
    code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    progress = 0;
    in_threads(4, runs_code);
    printf("code replaced by another hart: %ld calls of an old version\n", (long)progress);
    progress = 0;
    in_threads(4, modifies_itself);
    printf("code replaced by the hart itself: %ld calls of an old version\n", (long)progress);
}

/* ---- signals, short threads ---- */

static _Atomic int signals_to[THREADS], ready;
static _Thread_local int own_number;

static void on_signal(int signal)
{
    (void)signal;
    signals_to[own_number]++;
}

static void *is_signalled(void *p)
{
    own_number = (int)(uintptr_t)p;
    ready++;
    while (signals_to[own_number] < 30)
        continue;
    progress += signals_to[own_number];
    return NULL;
}

static void thread_signals(void)
{
    pthread_t id[THREADS];
    progress = 0;
    signal(SIGUSR1, on_signal);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&id[i], NULL, is_signalled, (void *)i);
    while (ready < THREADS)
        continue;
    for (int n = 0; n < 30; n++)
        for (int i = 0; i < THREADS; i++) {
            while (signals_to[i] < n)
                continue;
            pthread_kill(id[i], SIGUSR1);
        }
    for (int i = 0; i < THREADS; i++)
        pthread_join(id[i], NULL);
    printf("signals to threads: %ld\n", (long)progress);
}

/* Each write into a broken pipe raises one signal, for the thread that has written. */
static atomic_int broken_in_main;

static void on_broken_pipe(int signal)
{
    (void)signal;
    progress++;
    broken_in_main += getpid() == gettid();
}

static void *writes_into_broken_pipe(void *p)
{
    int ends[2];
    (void)p;
    if (pipe(ends) != 0)
        exit(2);
    close(ends[0]);
    for (int n = 0; n < 10; n++)
        if (write(ends[1], "x", 1) >= 0)
            exit(2);
    close(ends[1]);
    return NULL;
}

static void broken_pipes(void)
{
    progress = 0;
    signal(SIGPIPE, on_broken_pipe);
    in_threads(2, writes_into_broken_pipe);
    printf("writes into broken pipes: %ld signals, %d in another thread\n", (long)progress, broken_in_main);
}

static atomic_int alarms;
static void on_alarm(int signal)
{
    (void)signal;
    alarms++;
}

static void *spins(void *p)
{
    (void)p;
    while (!done)
        progress++;
    return NULL;
}

static void *sets_alarms(void *p)
{
    const struct itimerval soon = {.it_value.tv_usec = 50};
    if (p != NULL)
        return spins(p);
    for (int n = 1; n <= 5; n++) {
        setitimer(ITIMER_REAL, &soon, NULL);
        while (alarms < n)
            continue;
    }
    done = true;
    return NULL;
}

static void interval_alarms(void)
{
    done = false;
    signal(SIGALRM, on_alarm);
    in_threads(4, sets_alarms);
    printf("alarms: %d\n", alarms);
}

/* The thread fills the memory into which the kernel writes a signal's frame, up to the fault or alarm that raises it:
 * the stores that are on their way do not replace the frame. */
static uint64_t stack[PAGE];
static const uint64_t pattern = UINT64_C(0x5555555555555555);
static int frames, wrong_frames;

static void on_own_stack(int signal, siginfo_t *info, void *context)
{
    const ucontext_t *u = context;
    frames++;
    wrong_frames += info->si_signo != signal;
    for (int n = 0; n < 5; n++) /* pc, ra, sp, gp, tp */
        wrong_frames += u->uc_mcontext.__gregs[n] == pattern;
    siglongjmp(back, 1);
}

/* From word `first` of the frame on, around its end, so that the last stores are to other words each time. */
static void fill_frame(int first)
{
    enum { WORDS = 200 };
    volatile uint64_t *frame = stack + sizeof stack / sizeof *stack - WORDS;
    for (int n = 0; n < WORDS; n++)
        frame[(first + n) % WORDS] = pattern;
}

static void signal_frames(void)
{
    const struct sigaction action = {.sa_sigaction = on_own_stack, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    const struct itimerval soon = {.it_value.tv_usec = 20};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    for (volatile int n = 0; n < ROUNDS; n = n + 1) {
        if (sigsetjmp(back, 1) == 0) {
            fill_frame(n * 5);
            *(volatile int *)NULL = 0;
        }
        if (sigsetjmp(back, 1) == 0) {
            setitimer(ITIMER_REAL, &soon, NULL);
            for (;;)
                fill_frame(0);
        }
    }
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    signal(SIGSEGV, SIG_DFL);
    printf("signal frames: %d, %d registers wrong\n", frames, wrong_frames);
}

static void *adds_once(void *p)
{
    static _Thread_local long local;
    local += (long)(uintptr_t)p;
    progress += local;
    return NULL;
}

static void *starts_short_threads(void *p)
{
    (void)p;
    for (uintptr_t i = 0; i < ROUNDS; i++) {
        pthread_t id;
        if (pthread_create(&id, NULL, adds_once, (void *)i) == 0)
            pthread_join(id, NULL);
    }
    return NULL;
}

static void short_threads(void)
{
    progress = 0;
    in_threads(THREADS, starts_short_threads);
    printf("short threads: sum %ld, expected %d\n", (long)progress, THREADS * ROUNDS * (ROUNDS - 1) / 2);
}

/* ---- processes ---- */

static atomic_int wrong_status;

/* Threads 0 and 2 fork; thread 1 runs until thread 0 is done. */
static void *forks(void *p)
{
    if (p == (void *)1)
        return spins(p);
    for (int n = 0; n < 3; n++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0)
            _exit(10 + n);
        waitpid(child, &status, 0);
        wrong_status += !WIFEXITED(status) || WEXITSTATUS(status) != 10 + n;
    }
    if (p == NULL)
        done = true;
    return NULL;
}

static void processes(void)
{
    done = false;
    in_threads(3, forks);
    printf("fork beside other threads: %d wrong\n", wrong_status);
}

static void *ends(void *p)
{
    if (p != (void *)2)
        return spins(p);
    fflush(stdout);
    syscall(SYS_exit_group, 7);
    return NULL;
}

static char *self;
static void *executes(void *p)
{
    if (p != (void *)2)
        return spins(p);
    fflush(stdout);
    execl(self, self, "again", (char *)NULL);
    perror("execl");
    exit(5);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    self = argv[0];
    if (strcmp(what, "exec") == 0) {
        done = false;
        puts("before execve");
        in_threads(4, executes);
        return 3;
    }
    if (strcmp(what, "again") == 0) {
        progress = 0;
        in_threads(THREADS, maps);
        printf("after execve: %ld wrong\n", (long)progress);
        return 0;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    mappings();
    changing_code();
    thread_signals();
    broken_pipes();
    interval_alarms();
    signal_frames();
    short_threads();
    processes();
    done = false;
    in_threads(4, ends);
    return 4;
}
