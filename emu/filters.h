/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three filters at the core's decode stage, used in conjunction (co-processor paper, section 3.2 and Figure 3). */
#ifndef EMU_FILTERS_H
#define EMU_FILTERS_H

#include "isa/pchash.h"
#include "isa/sample.h"

struct filters {
    /* The opcode filter, as the event filter that the core tests. From cycle `from` on, it passes every instruction,
     * because the co-processor must be advanced before the filters apply, or the clock observer is due. */
    struct event_filter opcode;
    struct event_filter due;                /* passes from the same cycle on, and no class before */
    uint16_t mask1, match1;                 /* PC filter 1 */
    uint8_t hash1, hash2;                   /* hash functions of PC filters 1 and 2 */
    uint32_t bits2;                         /* PC filter 2: size of its table */
    uint32_t masked_words;                  /* words of `masked` that are not 0 */
    uint64_t masked[FILTER2_BITS_MAX / 64]; /* PC filter 2: instructions that hash to a set bit are ignored */
};

/* From core cycle `cycle` on, the co-processor must be advanced before the filters apply. */
static inline void filters_set_from(struct filters *f, uint64_t cycle) { f->opcode.from = f->due.from = cycle; }

static inline bool filters_pass(const struct filters *f, enum opclass c, uint64_t pc)
{
    if ((f->opcode.classes >> c & 1) == 0)
        return false;
    uint32_t pc32 = sample_pc32(pc);
    if ((f->mask1 | f->match1) != 0 && (pchash_filter1(f->hash1, pc32) & f->mask1) != f->match1)
        return false;
    if (f->masked_words == 0)
        return true;
    uint32_t bit = pchash_filter2(f->hash2, pc32, f->bits2);
    return (f->masked[bit / 64] >> (bit % 64) & 1) == 0;
}

/* Sets a word of PC filter 2. */
static inline void filters_set_masked(struct filters *f, unsigned word, uint64_t bits)
{
    f->masked_words -= f->masked[word] != 0;
    f->masked_words += bits != 0;
    f->masked[word] = bits;
}

#endif
