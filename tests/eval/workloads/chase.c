/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointer chasing through 16 MB: every load depends on the one before and misses all caches.
 *
 *     chase [LAPS]      default 2
 *
 * Stands for the stall class of the TIP paper at its purest (section 5.1): a load at the head of the ROB for a whole memory latency.
 * 262,144 nodes, one in each cache line, form one random cycle.
 * A lap must visit each node once: the sum of the numbers seen is n (n - 1) / 2 a lap, and the walk must end where it began. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 1 << 18 };

struct node {
    struct node *next;
    uint64_t number, unused[6];
};

static struct node pool[NODES] __attribute__((aligned(64)));
static uint32_t order[NODES];

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void link_cycle(void)
{
    for (uint32_t i = 0; i < NODES; i++)
        order[i] = i;
    for (uint32_t i = NODES - 1; i > 0; i--) {
        uint32_t k = (uint32_t)(((next_random() >> 32) * (i + 1)) >> 32), swapped = order[i];
        order[i] = order[k];
        order[k] = swapped;
    }
    for (uint32_t i = 0; i < NODES; i++) {
        pool[order[i]].number = order[i];
        pool[order[i]].next = &pool[order[(i + 1) % NODES]];
    }
}

static __attribute__((noinline)) const struct node *walk(const struct node *at, uint64_t steps, uint64_t *sum)
{
    for (uint64_t i = 0; i < steps; i++) {
        *sum += at->number;
        at = at->next;
    }
    return at;
}

int main(int argc, char **argv)
{
    uint64_t laps = argc > 1 ? strtoull(argv[1], NULL, 10) : 2, sum = 0;
    link_cycle();
    const struct node *end = walk(pool, laps * NODES, &sum);
    int ok = end == pool && sum == laps * ((uint64_t)NODES * (NODES - 1) / 2);
    printf("chase: %llu laps, sum %llu: %s\n", (unsigned long long)laps, (unsigned long long)sum, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
