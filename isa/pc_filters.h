/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two PC filters (co-processor paper, section 3.2 and Figure 3). The co-processor sets them; the core applies them
 * to instructions of the opcode filter's classes. */
#ifndef ISA_PC_FILTERS_H
#define ISA_PC_FILTERS_H

#include "isa/pchash.h"
#include "isa/sample.h"

struct pc_filters {
    uint16_t mask1, match1;                 /* PC filter 1 */
    uint8_t hash1, hash2;                   /* hash functions of PC filters 1 and 2 */
    uint32_t bits2;                         /* PC filter 2: size of its table */
    uint32_t masked_words;                  /* words of `masked` that are not 0 */
    uint64_t masked[FILTER2_BITS_MAX / 64]; /* PC filter 2: instructions that hash to a set bit are ignored */
};

static inline bool pc_filters_pass(const struct pc_filters *f, uint64_t pc)
{
    uint32_t pc32 = sample_pc32(pc);
    if ((f->mask1 | f->match1) != 0 && (pchash_filter1(f->hash1, pc32) & f->mask1) != f->match1)
        return false;
    if (f->masked_words == 0)
        return true;
    uint32_t bit = pchash_filter2(f->hash2, pc32, f->bits2);
    return (f->masked[bit / 64] >> (bit % 64) & 1) == 0;
}

/* Sets a word of PC filter 2. */
static inline void pc_filters_set_masked(struct pc_filters *f, unsigned word, uint64_t bits)
{
    f->masked_words -= f->masked[word] != 0;
    f->masked_words += bits != 0;
    f->masked[word] = bits;
}

#endif
