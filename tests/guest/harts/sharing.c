/* SPDX-License-Identifier: GPL-3.0-or-later */
/* False sharing: each thread increments a counter of its own, and no counter is shared. Adjacent counters are in one
 * cache line, which the harts take from each other; padded ones are in lines of their own.
 *
 * usage: sharing adjacent|padded THREADS */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 8, ROUNDS = 20000, LINE_WORDS = 8 };

static _Alignas(64) uint64_t counters[THREADS_MAX * LINE_WORDS];
static unsigned stride;

static void *count(void *p)
{
    volatile uint64_t *mine = &counters[(uintptr_t)p * stride];
    for (int i = 0; i < ROUNDS; i++)
        *mine += 1;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t id[THREADS_MAX];
    uintptr_t threads = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    uint64_t total = 0;
    if (threads == 0 || threads > THREADS_MAX)
        return 2;
    stride = strcmp(argv[1], "padded") == 0 ? LINE_WORDS : 1;
    for (uintptr_t n = 1; n < threads; n++)
        if (pthread_create(&id[n], NULL, count, (void *)n) != 0)
            return 2;
    count((void *)0);
    for (uintptr_t n = 1; n < threads; n++)
        pthread_join(id[n], NULL);
    for (uintptr_t n = 0; n < threads; n++)
        total += counters[n * stride];
    printf("%llu increments\n", (unsigned long long)total);
    return 0;
}
