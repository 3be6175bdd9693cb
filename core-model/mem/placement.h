/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random placement of the guest's pages in physical memory, as by an operating system without page colouring. The
 * mapping is a permutation of all pages of a space of 256 GB, which the seed determines, so it needs no table: a
 * Feistel network on the page number. */
#ifndef CORE_MODEL_MEM_PLACEMENT_H
#define CORE_MODEL_MEM_PLACEMENT_H

#include <stdint.h>

enum { PLACEMENT_ROUNDS = 4, PLACEMENT_ADDRESS_BITS = 38 };

struct placement {
    uint64_t key[PLACEMENT_ROUNDS];
};

void placement_init(struct placement *p, uint64_t seed);
/* Physical address of a virtual one. Addresses beyond the space stay beyond it. */
uint64_t placement_physical(const struct placement *p, uint64_t addr);

#endif
