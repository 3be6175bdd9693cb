/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals to oneself: what run_riscv.sh compares on two machines. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile sig_atomic_t seen;
static volatile void *where;

static void count(int signal)
{
    seen += signal;
    volatile double x = seen; /* must not disturb the interrupted code's registers */
    x = x * 1.5 / 3;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)context;
    where = info->si_addr;
    seen = signal;
    siglongjmp(back, 1);
}

static void faults(void)
{
    static char alternative[65536];
    stack_t stack = {.ss_sp = alternative, .ss_size = sizeof alternative};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGILL, &action, NULL);
    if (sigsetjmp(back, 1) == 0)
        *(volatile int *)0x18 = 1;
    printf("%d %p\n", (int)seen, (void *)where);
    if (sigsetjmp(back, 1) == 0)
        __asm__ volatile(".4byte 0");
    printf("%d\n", (int)seen);
    if (sigsetjmp(back, 1) == 0)
        ((void (*)(void))0x40)();
    printf("%d %p\n", (int)seen, (void *)where);
}

int main(void)
{
    sigset_t set, old, pending;
    double kept = 0.1;
    struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART}, previous;
    printf("%d\n", sigaction(SIGUSR1, &action, &previous));
    printf("%d\n", previous.sa_handler == SIG_DFL);
    raise(SIGUSR1);
    kept *= 3;
    kill(getpid(), SIGUSR1);
    printf("%d %a\n", (int)seen, kept);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &old);
    raise(SIGUSR1);
    sigpending(&pending);
    printf("%d %d\n", (int)seen, sigismember(&pending, SIGUSR1));
    sigprocmask(SIG_SETMASK, &old, NULL);
    printf("%d\n", (int)seen);
    signal(SIGUSR2, SIG_IGN);
    raise(SIGUSR2);
    raise(SIGCHLD);
    faults();
    printf("%d\n", kill(getpid(), 0));
    fflush(stdout);
    abort();
}
