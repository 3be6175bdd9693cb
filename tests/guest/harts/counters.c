/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atomic instructions and locks: counters that several threads increment must be exact, and a store-conditional must
 * fail if another hart has stored into the reservation set since the load-reserved, even the same value.
 *
 * usage: counters ROUNDS THREADS    THREADS: 2 to 8; each thread increments each counter ROUNDS times */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { THREADS_MAX = 8, LINE_BYTES = 64, PAGE_WORDS = 1024 };

static unsigned long rounds, threads;
static _Alignas(LINE_BYTES) uint64_t counter;
static _Alignas(LINE_BYTES) uint32_t lock_word, next_ticket, serving;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;

static void add_amo_d(void) { __asm__ volatile("amoadd.d zero, %1, (%0)" ::"r"(&counter), "r"(1L) : "memory"); }
static void add_amo_w(void) { __asm__ volatile("amoadd.w zero, %1, (%0)" ::"r"(&counter), "r"(1L) : "memory"); }

static void add_lrsc_d(void)
{
    uint64_t t;
    __asm__ volatile("0: lr.d %0, (%1)\naddi %0, %0, 1\nsc.d %0, %0, (%1)\nbnez %0, 0b"
                     : "=&r"(t)
                     : "r"(&counter)
                     : "memory");
}

static void add_lrsc_w(void)
{
    uint64_t t;
    __asm__ volatile("0: lr.w.aq %0, (%1)\naddi %0, %0, 1\nsc.w.rl %0, %0, (%1)\nbnez %0, 0b"
                     : "=&r"(t)
                     : "r"(&counter)
                     : "memory");
}

static void add_exchange(void)
{
    uint64_t old = __atomic_load_n(&counter, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&counter, &old, old + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

/* A plain increment: the locks make it exact. */
static void increment(void) { *(volatile uint64_t *)&counter += 1; }

static void add_spin_lock(void)
{
    uint32_t taken;
    do
        __asm__ volatile("amoswap.w.aq %0, %2, (%1)" : "=&r"(taken) : "r"(&lock_word), "r"(1) : "memory");
    while (taken);
    increment();
    __asm__ volatile("amoswap.w.rl zero, zero, (%0)" ::"r"(&lock_word) : "memory");
}

static void add_lrsc_lock(void)
{
    uint32_t t;
    __asm__ volatile("0: lr.w.aq %0, (%1)\nbnez %0, 0b\nsc.w %0, %2, (%1)\nbnez %0, 0b"
                     : "=&r"(t)
                     : "r"(&lock_word), "r"(1)
                     : "memory");
    increment();
    __asm__ volatile("fence rw, w\nsw zero, (%0)" ::"r"(&lock_word) : "memory");
}

static void add_ticket_lock(void)
{
    uint32_t mine;
    __asm__ volatile("amoadd.w %0, %2, (%1)" : "=&r"(mine) : "r"(&next_ticket), "r"(1) : "memory");
    while (*(volatile uint32_t *)&serving != mine)
        continue;
    __asm__ volatile("fence r, rw" ::: "memory");
    increment();
    __asm__ volatile("fence rw, w" ::: "memory");
    *(volatile uint32_t *)&serving = mine + 1;
}

static void add_mutex(void)
{
    pthread_mutex_lock(&mutex);
    increment();
    pthread_mutex_unlock(&mutex);
}

static void add_pthread_spin(void)
{
    pthread_spin_lock(&spin);
    increment();
    pthread_spin_unlock(&spin);
}

static void add_rwlock(void)
{
    pthread_rwlock_wrlock(&rwlock);
    increment();
    pthread_rwlock_unlock(&rwlock);
}

static void add_semaphore(void)
{
    sem_wait(&semaphore);
    increment();
    sem_post(&semaphore);
}

static const struct way {
    const char *name;
    void (*add)(void);
} ways[] = {{"amoadd.d", add_amo_d},
            {"amoadd.w", add_amo_w},
            {"lr.d, sc.d", add_lrsc_d},
            {"lr.w, sc.w", add_lrsc_w},
            {"compare and exchange", add_exchange},
            {"lock by amoswap", add_spin_lock},
            {"lock by lr, sc", add_lrsc_lock},
            {"ticket lock", add_ticket_lock},
            {"pthread_mutex", add_mutex},
            {"pthread_spin", add_pthread_spin},
            {"pthread_rwlock", add_rwlock},
            {"semaphore", add_semaphore}};

static void *increments(void *p)
{
    const struct way *way = p;
    pthread_barrier_wait(&barrier);
    for (unsigned long i = 0; i < rounds; i++)
        way->add();
    return NULL;
}

static bool count(const struct way *way)
{
    pthread_t id[THREADS_MAX];
    counter = 0;
    for (unsigned long n = 0; n < threads; n++)
        if (pthread_create(&id[n], NULL, increments, (void *)way) != 0)
            exit(2);
    for (unsigned long n = 0; n < threads; n++)
        pthread_join(id[n], NULL);
    printf("%-22s %llu, expected %llu\n", way->name, (unsigned long long)counter,
           (unsigned long long)(rounds * threads));
    return counter == rounds * threads;
}

/* Two blocks of the size of a reservation set. One or two threads reserve word 0 and wait until another has stored into
 * `stored_at`; then they store conditionally. */
static _Alignas(2 * LINE_BYTES) uint32_t block[2 * LINE_BYTES / sizeof(uint32_t)];
static _Atomic unsigned long reserved[2], stored;
static unsigned long failed[2];
static unsigned stored_at;
static bool stores_by_amo;

static void *store_same_value(void *p)
{
    unsigned reservers = (unsigned)(uintptr_t)p;
    for (unsigned long i = 1; i <= rounds; i++) {
        for (unsigned n = 0; n < reservers; n++)
            while (atomic_load(&reserved[n]) != i)
                continue;
        volatile uint32_t *word = &block[stored_at];
        if (stores_by_amo)
            __asm__ volatile("amoor.w zero, zero, (%0)" ::"r"(word) : "memory");
        else
            *word = *word;
        atomic_store(&stored, i);
    }
    return NULL;
}

static void *reserve(void *p)
{
    for (unsigned long i = 1; i <= rounds; i++) {
        uint64_t fails, t;
        __asm__ volatile("lr.w.aqrl %1, (%2)\n"
                         "sd %4, (%3)\n"
                         "0: ld %0, (%5)\n"
                         "bne %0, %4, 0b\n"
                         "sc.w.aqrl %0, %1, (%2)\n"
                         : "=&r"(fails), "=&r"(t)
                         : "r"(block), "r"(&reserved[(uintptr_t)p]), "r"(i), "r"(&stored)
                         : "memory");
        failed[(uintptr_t)p] += fails != 0;
    }
    return NULL;
}

/* Store-conditionals that fail, of `rounds` for each of the reservers. */
static unsigned long failures(unsigned at, bool by_amo, uintptr_t reservers)
{
    pthread_t id[2];
    reserved[0] = reserved[1] = stored = failed[0] = failed[1] = 0;
    stored_at = at;
    stores_by_amo = by_amo;
    if (pthread_create(&id[0], NULL, store_same_value, (void *)reservers) != 0 ||
        (reservers > 1 && pthread_create(&id[1], NULL, reserve, (void *)1) != 0))
        exit(2);
    reserve((void *)0);
    for (uintptr_t n = 0; n < reservers; n++)
        pthread_join(id[n], NULL);
    return failed[0] + failed[1];
}

/* Each page is accessed first by atomics of all threads at once, which may fault (page_fault_cycles). */
static uint32_t *pages;
static atomic_ulong arrived;

static void *add_to_pages(void *p)
{
    (void)p;
    for (unsigned long i = 0; i < rounds; i++) {
        atomic_fetch_add(&arrived, 1);
        while (atomic_load(&arrived) < threads * (i + 1))
            continue;
        __asm__ volatile("amoadd.w zero, %1, (%0)" ::"r"(&pages[i * PAGE_WORDS]), "r"(1) : "memory");
    }
    return NULL;
}

static unsigned long wrong_pages(void)
{
    pthread_t id[THREADS_MAX];
    unsigned long wrong = 0;
    pages = mmap(NULL, rounds * PAGE_WORDS * sizeof *pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        exit(2);
    for (unsigned long n = 0; n < threads; n++)
        if (pthread_create(&id[n], NULL, add_to_pages, NULL) != 0)
            exit(2);
    for (unsigned long n = 0; n < threads; n++)
        pthread_join(id[n], NULL);
    for (unsigned long i = 0; i < rounds; i++)
        wrong += pages[i * PAGE_WORDS] != threads;
    return wrong;
}

int main(int argc, char **argv)
{
    bool good = true;
    rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    threads = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (threads < 2 || threads > THREADS_MAX || rounds == 0) {
        fputs("usage: counters ROUNDS THREADS\n", stderr);
        return 2;
    }
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    pthread_spin_init(&spin, 0);
    sem_init(&semaphore, 0, 1);
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++)
        good = count(&ways[n]) && good;
    static const struct {
        const char *where;
        unsigned word;
        bool by_amo, must_fail;
    } stores[] = {{"the reserved word", 0, false, true},
                  {"the reserved word by an atomic", 0, true, true},
                  {"the end of its block", LINE_BYTES / sizeof(uint32_t) - 1, false, true},
                  {"the next block", LINE_BYTES / sizeof(uint32_t), false, false},
                  {"the next block by an atomic", LINE_BYTES / sizeof(uint32_t), true, false}};
    for (size_t n = 0; n < sizeof stores / sizeof *stores; n++) {
        uintptr_t reservers = stores[n].must_fail ? 2 : 1; /* of two that succeed, one makes the other fail */
        unsigned long fail = failures(stores[n].word, stores[n].by_amo, reservers), all = reservers * rounds;
        printf("same value into %s: %lu of %lu store-conditionals failed\n", stores[n].where, fail, all);
        good = fail == (stores[n].must_fail ? all : 0) && good;
    }
    unsigned long wrong = wrong_pages();
    printf("first accesses to pages: %lu of %lu counters wrong\n", wrong, rounds);
    return good && wrong == 0 ? 0 : 1;
}
