/* SPDX-License-Identifier: GPL-3.0-or-later */
/* False sharing: a thread counts in the cache line from which another one reads its limit.
 *
 * usage: line [ROUNDS] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static _Alignas(64) struct {
    volatile unsigned long limit, count;
} line;

static void *count(void *rounds)
{
    for (unsigned long n = *(unsigned long *)rounds; n > 0; n--)
        line.count++;
    return NULL;
}

static unsigned long look(unsigned long rounds)
{
    unsigned long sum = 0;
    while (rounds-- > 0)
        sum += line.limit;
    return sum;
}

int main(int argc, char **argv)
{
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
    pthread_t thread;
    line.limit = 1;
    if (pthread_create(&thread, NULL, count, &rounds) != 0)
        return 2;
    unsigned long sum = look(rounds);
    pthread_join(thread, NULL);
    printf("%lu read, %lu counted\n", sum, line.count);
    return 0;
}
