/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals, timers and clocks: each round prints what has arrived, and when. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 30, STACK_BYTES = 1 << 16 };

static volatile unsigned counts[65], values, on_stack;
static char stack[STACK_BYTES];

static void take(int signal, siginfo_t *info, void *context)
{
    const char here = 0;
    (void)context;
    counts[signal]++;
    values = values * 31 + (unsigned)info->si_value.sival_int;
    on_stack += &here >= stack && &here < stack + STACK_BYTES;
    for (volatile int i = 0; i < 300; i++)
        continue;
}

static void catch_signal(int signal, int flags)
{
    struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO | flags};
    sigaddset(&action.sa_mask, SIGUSR2);
    sigaction(signal, &action, NULL);
}

static void show_clock(const char *name, clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    printf(" %s %lld.%09ld", name, (long long)t.tv_sec, t.tv_nsec);
}

static void start_timers(timer_t *timer)
{
    struct sigevent event = {
        .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3, .sigev_value = {.sival_int = 77}};
    const struct itimerspec period = {{0, 31000}, {0, 53000}};
    const struct itimerval real = {{0, 41}, {0, 17}}, processor = {{0, 59}, {0, 29}};
    setitimer(ITIMER_REAL, &real, NULL);
    setitimer(ITIMER_PROF, &processor, NULL);
    if (timer_create(CLOCK_MONOTONIC, &event, timer) != 0)
        exit(3);
    timer_settime(*timer, 0, &period, NULL);
}

int main(void)
{
    timer_t timer;
    sigset_t blocked, pending;
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    const struct rlimit files = {100, 200};
    sigaltstack(&alternate, NULL);
    catch_signal(SIGALRM, SA_ONSTACK);
    catch_signal(SIGPROF, SA_RESTART);
    catch_signal(SIGUSR1, SA_ONSTACK | SA_NODEFER);
    catch_signal(SIGUSR2, 0);
    for (int signal = SIGRTMIN; signal < SIGRTMIN + 5; signal++)
        catch_signal(signal, SA_ONSTACK);
    signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_NAME, "rounds");
    setrlimit(RLIMIT_NOFILE, &files);
    setpriority(PRIO_PROCESS, 0, 3);
    start_timers(&timer);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigaddset(&blocked, SIGRTMIN + 1);
    for (int round = 0; round < ROUNDS; round++) {
        const struct timespec moment = {0, 12345 + round};
        struct itimerspec left;
        struct rlimit limit;
        char name[16];
        sigprocmask(round % 5 < 3 ? SIG_BLOCK : SIG_UNBLOCK, &blocked, NULL);
        kill(getpid(), SIGUSR1);
        sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = round});
        kill(getpid(), SIGHUP);
        raise(SIGUSR2);
        const int slept = nanosleep(&moment, NULL);
        for (volatile int i = 0; i < 2000; i++)
            continue;
        sigpending(&pending);
        timer_gettime(timer, &left);
        getrlimit(RLIMIT_NOFILE, &limit);
        prctl(PR_GET_NAME, name);
        printf("round %d: %d %d, pending %d %d, timer %ld overrun %d, limit %ld, %s %d,", round, slept,
               slept != 0 ? errno : 0, sigismember(&pending, SIGUSR1), sigismember(&pending, SIGRTMIN + 1),
               left.it_value.tv_nsec, timer_getoverrun(timer), (long)limit.rlim_cur, name,
               getpriority(PRIO_PROCESS, 0));
        for (int signal = 1; signal <= 64; signal++)
            if (counts[signal] != 0)
                printf(" %d:%u", signal, counts[signal]);
        printf(" values %u on stack %u\n", values, on_stack);
        show_clock("real", CLOCK_REALTIME);
        show_clock("process", CLOCK_PROCESS_CPUTIME_ID);
        show_clock("thread", CLOCK_THREAD_CPUTIME_ID);
        unsigned long ticks;
        __asm__ volatile("rdtime %0" : "=r"(ticks));
        printf(" ticks %lu\n", ticks);
    }
    kill(getpid(), SIGKILL);
    return 0;
}
