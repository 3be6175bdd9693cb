/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's copies of PC filter 2 (co-processor paper, section 3.2 and Figure 3), so that masking a load needs no
 * read of the co-processor.
 *
 * n masked loads also hide n / N of all other loads, where N is the number of bits of the filter. Each partition of the
 * program (value_partition.h) therefore has its own mask for its own loads, because PC filter 1 already excludes loads
 * outside the partition. At each change of partition, the words of the mask that differ are written to the
 * co-processor. */
#ifndef HOST_DRIVER_VALUE_VALUE_MASK_H
#define HOST_DRIVER_VALUE_VALUE_MASK_H

#include "isa/bus.h"
#include "isa/pchash.h"

enum { MASK_WORDS_MAX = FILTER2_BITS_MAX / 64 };

/* A mask, for one of the hash functions. */
struct value_mask {
    unsigned function;
    unsigned size; /* of the filter in bits */
    unsigned set;  /* number of masked loads */
    uint64_t bits[MASK_WORDS_MAX];
};

/* The state of the co-processor's filter. */
struct value_mask_table {
    const struct bus *bus;
    struct value_mask written;
    uint64_t writes; /* words written so far */
};

/* An empty mask for the filter behind the bus. */
void value_mask_init(struct value_mask *m, const struct bus *bus, unsigned function);
void value_mask_set(struct value_mask *m, uint32_t pc32);
/* Clears the mask. */
void value_mask_clear(struct value_mask *m);
/* Clears the mask and selects the next hash function; the caller masks the loads again. */
void value_mask_next_function(struct value_mask *m);
/* Masks all loads; single loads can then be unmasked. */
void value_mask_all(struct value_mask *m);
void value_mask_unset(struct value_mask *m, uint32_t pc32);
/* Writes the differing words to the co-processor. */
void value_mask_write(const struct value_mask *m, struct value_mask_table *to);

#endif
