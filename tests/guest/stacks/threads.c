/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that take turns, and wait for each other. */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static long leaf(long x) { return x * 5 + 1; }
static long deep(long n) { return n == 0 ? leaf(n) : deep(n - 1) + leaf(n); }

static void add(long x)
{
    pthread_mutex_lock(&lock);
    total += leaf(x);
    pthread_mutex_unlock(&lock);
}

static void *even(void *arg)
{
    for (long n = 0; n < 12; n++)
        add(deep(n % 5));
    return arg;
}

static void *odd(void *arg)
{
    for (long n = 0; n < 12; n++)
        add(deep(n % 3) + leaf(n));
    return arg;
}

static void run(int round)
{
    pthread_t thread[4];
    for (int n = 0; n < 4; n++)
        pthread_create(&thread[n], NULL, n & 1 ? odd : even, NULL);
    for (int n = 0; n < 4; n++) {
        add(round);
        pthread_join(thread[n], NULL);
    }
}

int main(void)
{
    for (int round = 0; round < 2; round++)
        run(round);
    return total == 0;
}
