/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four threads count the odd numbers of their parts of an array. Each has counters of its own, and from time to time
 * all add to one sum. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include "../seed.h"

enum { THREADS = 4, NUMBERS = 4000 + SEED * 29 % 800, REPORT = 64 };

struct progress {
    _Alignas(64) uint64_t done; /* each thread has a line of its own, for both of its counters */
    uint64_t odd;
};
static _Alignas(64) struct progress progress[THREADS];

static _Alignas(64) _Atomic uint64_t sum;
static _Alignas(64) uint32_t number[THREADS][1024];

static void *work(void *p)
{
    uintptr_t me = (uintptr_t)p;
    volatile struct progress *mine = &progress[me];
    for (unsigned i = 0; i < NUMBERS; i++) {
        mine->odd += number[me][i % 1024] & 1;
        mine->done++;
        if (i % REPORT == 0)
            atomic_fetch_add_explicit(&sum, number[me][i % 1024], memory_order_relaxed);
    }
    return NULL;
}

int main(void)
{
    pthread_t id[THREADS];
    uint64_t state = SEED, odd = 0, done = 0;
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned i = 0; i < 1024; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            number[t][i] = (uint32_t)(state >> 40);
        }
    for (uintptr_t t = 1; t < THREADS; t++)
        if (pthread_create(&id[t], NULL, work, (void *)t) != 0)
            return 2;
    work(NULL);
    for (uintptr_t t = 1; t < THREADS; t++)
        pthread_join(id[t], NULL);
    for (unsigned t = 0; t < THREADS; t++) {
        odd += progress[t].odd;
        done += progress[t].done;
    }
    printf("threads: %llu of %llu are odd, sum %llu\n", (unsigned long long)odd, (unsigned long long)done,
           (unsigned long long)sum);
    return 0;
}
