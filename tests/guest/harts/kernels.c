/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel kernels. Those of OpenMP divide one amount of work among the threads; the pipeline has one thread or two.
 *
 * usage: kernels matrix|pi|sum|pipeline THREADS */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 96, POINTS = 400000, NUMBERS = 200000, SWEEPS = 8, BLOCKS = 1000, SLOTS = 8, BLOCK_WORDS = 64 };

/* Product of two matrices, by rows. */
static uint64_t matrix(void)
{
    static double a[SIDE][SIDE], b[SIDE][SIDE], product[SIDE][SIDE];
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            a[i][j] = i + j, b[i][j] = i - j;
#pragma omp parallel for
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++)
            for (int j = 0; j < SIDE; j++)
                product[i][j] += a[i][k] * b[k][j];
    double trace = 0;
    for (int i = 0; i < SIDE; i++)
        trace += product[i][i];
    return (uint64_t)trace;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Random points in a square; those in the circle. A point's coordinates are a function of its number. */
static uint64_t pi(void)
{
    uint64_t inside = 0;
#pragma omp parallel for reduction(+ : inside)
    for (uint64_t n = 0; n < POINTS; n++) {
        uint64_t random = mix(n * UINT64_C(0x9e3779b97f4a7c15)), x = random & 0xffff, y = random >> 16 & 0xffff;
        inside += x * x + y * y < UINT64_C(1) << 32;
    }
    return inside * 40000 / POINTS;
}

/* Sums of an array, which the same threads have written. */
static uint64_t sum(void)
{
    static uint32_t number[NUMBERS];
    uint64_t total = 0;
#pragma omp parallel for
    for (uint32_t n = 0; n < NUMBERS; n++)
        number[n] = n;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
#pragma omp parallel for reduction(+ : total)
        for (int n = 0; n < NUMBERS; n++)
            total += number[n];
    return total;
}

static struct {
    _Alignas(64) _Atomic uint64_t written;
    _Alignas(64) _Atomic uint64_t taken;
    _Alignas(64) uint64_t word[SLOTS][BLOCK_WORDS];
} ring;

static void produce(uint64_t n)
{
    uint64_t word = n;
    for (uint64_t i = 0; i < BLOCK_WORDS; i++)
        ring.word[n % SLOTS][i] = word = mix(word + i);
    atomic_store_explicit(&ring.written, n + 1, memory_order_release);
}

static uint64_t consume(uint64_t n)
{
    uint64_t digest = 0;
    for (uint64_t i = 0; i < BLOCK_WORDS; i++)
        digest = mix(digest ^ ring.word[n % SLOTS][i]);
    atomic_store_explicit(&ring.taken, n + 1, memory_order_release);
    return digest;
}

static void *produce_all(void *p)
{
    for (uint64_t n = 0; n < BLOCKS; n++) {
        while (n - atomic_load_explicit(&ring.taken, memory_order_acquire) == SLOTS)
            continue;
        produce(n);
    }
    return p;
}

/* A producer of blocks and a consumer. */
static uint64_t pipeline(int threads)
{
    pthread_t producer;
    uint64_t digest = 0;
    if (threads > 1 && pthread_create(&producer, NULL, produce_all, NULL) != 0)
        exit(2);
    for (uint64_t n = 0; n < BLOCKS; n++) {
        if (threads == 1)
            produce(n);
        while (atomic_load_explicit(&ring.written, memory_order_acquire) == n)
            continue;
        digest ^= consume(n);
    }
    if (threads > 1)
        pthread_join(producer, NULL);
    return digest;
}

int main(int argc, char **argv)
{
    const char *name = argc > 2 ? argv[1] : "";
    int threads = argc > 2 ? atoi(argv[2]) : 1;
    uint64_t result;
    omp_set_num_threads(threads);
    if (strcmp(name, "matrix") == 0)
        result = matrix();
    else if (strcmp(name, "pi") == 0)
        result = pi();
    else if (strcmp(name, "sum") == 0)
        result = sum();
    else if (strcmp(name, "pipeline") == 0)
        result = pipeline(threads);
    else
        return 2;
    printf("%s %llu\n", name, (unsigned long long)result);
    return 0;
}
