/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's copies of PC filter 2 (co-processor paper, section 3.2 and Figure 3): with them, masking a load costs no
 * read of the co-processor.
 *
 * The filter has 4096 bits, and n masked loads hide n / 4096 of all others with them. Each partition of the program
 * (value_partition.h) therefore has a mask of its own, of its loads alone: what is outside the partition PC filter 1
 * keeps out already. What the co-processor holds is written anew with each partition, word by word where it differs. */
#ifndef HOST_VALUE_MASK_H
#define HOST_VALUE_MASK_H

#include "isa/bus.h"
#include "isa/pchash.h"

enum { MASK_WORDS = FILTER2_BITS / 64 };

/* What is to be masked, under one of the hash functions. */
struct value_mask {
    unsigned function;
    unsigned set; /* loads masked under it */
    uint64_t bits[MASK_WORDS];
};

/* What the co-processor has. */
struct value_mask_table {
    const struct bus *bus;
    struct value_mask written;
    uint64_t writes; /* so far */
};

void value_mask_set(struct value_mask *m, uint32_t pc32);
/* Masks nothing. */
void value_mask_clear(struct value_mask *m);
/* Masks nothing, under the next hash function; the caller sets the masked loads anew. */
void value_mask_next_function(struct value_mask *m);
/* Masks everything, but for single loads that are taken out. */
void value_mask_all(struct value_mask *m);
void value_mask_unset(struct value_mask *m, uint32_t pc32);
/* Writes to the co-processor what it does not have. */
void value_mask_write(const struct value_mask *m, struct value_mask_table *to);

#endif
