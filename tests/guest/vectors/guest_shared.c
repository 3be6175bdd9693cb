// SPDX-License-Identifier: GPL-3.0-or-later
// Processes that change shared memory at the same time: atomic additions, compare and swap, and plain additions under a
// spinlock. None may be lost. Before that, one instruction that changes shared memory and memory of its own in turn.
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 3, ROUNDS = 20000 };

struct shared {
    int32_t arrived, lock, narrow;
    uint64_t wide, swapped, locked, bits;
};

static void lock(int32_t *l)
{
    while (__atomic_exchange_n(l, 1, __ATOMIC_ACQUIRE) != 0)
        sched_yield();
}

static void change(struct shared *s, unsigned number)
{
    __atomic_fetch_add(&s->arrived, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&s->arrived, __ATOMIC_SEQ_CST) < PROCESSES)
        sched_yield();
    for (int n = 0; n < ROUNDS; n++) {
        __atomic_fetch_add(&s->narrow, 1, __ATOMIC_SEQ_CST);
        __atomic_fetch_add(&s->wide, UINT64_C(1) << 32, __ATOMIC_SEQ_CST);
        __atomic_fetch_xor(&s->bits, UINT64_C(1) << (number + n % 16 * 4), __ATOMIC_SEQ_CST);
        uint64_t seen = __atomic_load_n(&s->swapped, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(&s->swapped, &seen, seen * 5 + 1, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            continue;
        lock(&s->lock);
        s->locked++;
        __atomic_store_n(&s->lock, 0, __ATOMIC_RELEASE);
    }
}

static void take_turns(uint64_t *shared)
{
    uint64_t own = 0;
    for (uint32_t n = 0; n < ROUNDS / 4; n++) {
        uint64_t *to = n % 3 != 0 ? shared : &own;
        __atomic_fetch_add(to, n, __ATOMIC_SEQ_CST);
        if (n * UINT32_C(2654435761) >> 31)
            *to += 1;
    }
    printf("in turn: %llu, %llu\n", (unsigned long long)*shared, (unsigned long long)own);
    fflush(stdout);
    *shared = 0;
}

static uint64_t swapped_alone(void)
{
    uint64_t value = 0;
    for (int n = 0; n < PROCESSES * ROUNDS; n++)
        value = value * 5 + 1;
    return value;
}

int main(void)
{
    struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    take_turns(&s->wide);
    for (unsigned n = 1; n < PROCESSES; n++)
        if (fork() == 0) {
            change(s, n);
            _exit(0);
        }
    change(s, 0);
    while (wait(NULL) > 0)
        continue;
    printf("%d additions of 4 bytes, %llu of 8\n", s->narrow, (unsigned long long)(s->wide >> 32));
    printf("compare and swap: %s\n", s->swapped == swapped_alone() ? "all" : "some are lost");
    printf("bits: %llx\n", (unsigned long long)s->bits);
    printf("%llu additions under the lock\n", (unsigned long long)s->locked);
    return 0;
}
