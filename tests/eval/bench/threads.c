/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One amount of work, divided among threads: tables are filled, sorted and searched, each by one thread.
 *
 * usage: threads THREADS    1 to 8; prints the same for each */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MAX = 8, TABLES = 80, ENTRIES = 8192, SEARCHES = 30000 };

static uint32_t table[THREADS_MAX][ENTRIES];
static uint64_t digest;
static unsigned next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t draw(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*random >> 33);
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The digest of table `number`, in the memory at `t`. */
static uint64_t work(uint32_t *t, unsigned number)
{
    uint64_t random = number, sum = 0;
    for (unsigned i = 0; i < ENTRIES; i++)
        t[i] = draw(&random);
    qsort(t, ENTRIES, sizeof *t, compare);
    for (unsigned i = 0; i < SEARCHES; i++) {
        uint32_t key = draw(&random), low = 0;
        for (uint32_t half = ENTRIES / 2; half > 0; half /= 2)
            low += t[low + half - 1] < key ? half : 0;
        sum = sum * 31 + low;
    }
    return sum;
}

static void *take_tables(void *p)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        unsigned number = next++;
        pthread_mutex_unlock(&lock);
        if (number >= TABLES)
            return NULL;
        uint64_t sum = work(p, number);
        pthread_mutex_lock(&lock);
        digest += sum;
        pthread_mutex_unlock(&lock);
    }
}

int main(int argc, char **argv)
{
    pthread_t id[THREADS_MAX];
    int threads = argc > 1 ? atoi(argv[1]) : 0;
    if (threads < 1 || threads > THREADS_MAX)
        return 2;
    for (int n = 1; n < threads; n++)
        if (pthread_create(&id[n], NULL, take_tables, table[n]) != 0)
            return 2;
    take_tables(table[0]);
    for (int n = 1; n < threads; n++)
        pthread_join(id[n], NULL);
    printf("%llx\n", (unsigned long long)digest);
    return 0;
}
