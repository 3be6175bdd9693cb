/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/mem/placement.h"

#include "base/random.h"
#include "core-model/riscv/memory.h"

/* The halves of a page number. */
enum { HALF_BITS = (PLACEMENT_ADDRESS_BITS - MEM_PAGE_BITS) / 2 };
static const uint64_t half_mask = (UINT64_C(1) << HALF_BITS) - 1;

void placement_init(struct placement *p, uint64_t seed)
{
    struct random random = {.state = seed};
    for (int n = 0; n < PLACEMENT_ROUNDS; n++)
        p->key[n] = random_bits(&random);
}

uint64_t placement_physical(const struct placement *p, uint64_t addr)
{
    uint64_t low = addr >> MEM_PAGE_BITS & half_mask, high = addr >> (MEM_PAGE_BITS + HALF_BITS) & half_mask;
    for (int n = 0; n < PLACEMENT_ROUNDS; n++) {
        struct random mixed = {.state = p->key[n] ^ low};
        uint64_t next = high ^ (random_bits(&mixed) & half_mask);
        high = low;
        low = next;
    }
    return (addr >> PLACEMENT_ADDRESS_BITS << PLACEMENT_ADDRESS_BITS) | high << (MEM_PAGE_BITS + HALF_BITS) |
           low << MEM_PAGE_BITS | (addr & (MEM_PAGE_BYTES - 1));
}
