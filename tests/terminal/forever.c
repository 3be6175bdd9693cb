/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest that says so and then runs for ever; with an argument, it crashes. */
#include <stdio.h>

static volatile int turns;
static int *volatile nowhere = (int *)8;

__attribute__((noinline)) static void turn_round_and_round(void)
{
    printf("round and round\n");
    fflush(stdout);
    for (;;)
        if (turns++ == 7777)
            turns = 0;
}

int main(int argc, char **argv)
{
    (void)argv;
    printf("here it goes\n");
    fflush(stdout);
    if (argc > 1)
        *nowhere = turns;
    turn_round_and_round();
    return 0;
}
