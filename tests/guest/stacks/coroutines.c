/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Co-routines on stacks of their own, which call and suspend at any depth. */
#include <sys/mman.h>
#include <ucontext.h>

#include "truth.h"

enum { ROUTINES = 3, STACK = 64 << 20 };

static struct routine {
    ucontext_t own;
    struct context *at; /* while it is suspended */
} routine[ROUTINES];
static ucontext_t scheduler;
static int current;

static int leaf(int x) { return x + 3; }

/* The switches save and restore the context of the truth, as the contexts of the machine. */
HIDDEN static void yield(void)
{
    routine[current].at = truth_at;
    swapcontext(&routine[current].own, &scheduler);
}

static int walk(int depth)
{
    int sum = leaf(depth);
    yield();
    return depth == 0 ? sum : sum + walk(depth - 1) + leaf(sum);
}

static void body(int number)
{
    for (int n = 0; n < 4; n++)
        (void)walk(number + n);
}

static int resume(int number)
{
    struct context *here = truth_at;
    current = number;
    truth_at = routine[number].at;
    swapcontext(&scheduler, &routine[number].own);
    truth_at = here;
    return leaf(number);
}

int main(void)
{
    for (int n = 0; n < ROUTINES; n++) {
        getcontext(&routine[n].own);
        routine[n].own.uc_stack.ss_sp = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        routine[n].own.uc_stack.ss_size = STACK;
        makecontext(&routine[n].own, (void (*)(void))body, 1, n);
    }
    for (int turn = 0; turn < 10; turn++)
        for (int n = 0; n < ROUTINES; n++)
            (void)resume(n);
    return 0;
}
