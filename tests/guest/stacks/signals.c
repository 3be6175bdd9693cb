/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signal handlers on the stack, on an alternate stack, nested, by faults, and left by siglongjmp. */
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include "truth.h"

static sigjmp_buf back;
static volatile int *nowhere;
static volatile int count;

static int leaf(int x) { return x + 1; }

static void on_first(int signal)
{
    count += leaf(signal);
    raise(SIGUSR2);
    count += leaf(1);
}

static void on_second(int signal) { count += leaf(signal); }

static void on_fault(int signal)
{
    count += leaf(signal);
    siglongjmp(back, 1);
}

static void install(int signal, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(signal, &action, NULL);
}

static int fault(int depth) { return depth == 0 ? *nowhere : fault(depth - 1) + leaf(depth); }

static int work(int n)
{
    struct context *here = truth_at;
    int caught = sigsetjmp(back, 1);
    truth_at = here;
    if (caught == 0)
        return fault(n % 5);
    raise(SIGUSR1);
    return leaf(n);
}

int main(void)
{
    static char other[65536];
    stack_t alternate = {.ss_sp = other, .ss_size = sizeof other};
    int sum = 0;
    sigaltstack(&alternate, NULL);
    install(SIGUSR1, on_first, 0);
    install(SIGUSR2, on_second, SA_ONSTACK);
    install(SIGSEGV, on_fault, SA_ONSTACK | SA_NODEFER);
    for (int n = 0; n < 12; n++)
        sum += work(n);
    return sum == 0;
}
