/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's copy of PC filter 2: with it, masking a load costs no read of the co-processor and at most one write for each word changed. */
#ifndef HOST_VALUE_MASK_H
#define HOST_VALUE_MASK_H

#include "isa/bus.h"
#include "isa/pchash.h"

enum { MASK_WORDS = FILTER2_BITS / 64 };

struct value_mask {
    unsigned function, written_function;
    uint64_t bits[MASK_WORDS], written[MASK_WORDS]; /* as wanted, and as the co-processor has them */
};

/* A co-processor whose table is clear and whose hash function is `function`. */
void value_mask_init(struct value_mask *m, unsigned function);
void value_mask_set(struct value_mask *m, uint32_t pc32);
/* Empties the table and takes the next hash function; the caller sets the masked loads anew. */
void value_mask_next_function(struct value_mask *m);
/* Empties the table. */
void value_mask_clear(struct value_mask *m);
/* Masks everything, and takes single loads out. */
void value_mask_all(struct value_mask *m);
void value_mask_unset(struct value_mask *m, uint32_t pc32);
/* Writes what has changed. */
void value_mask_flush(struct value_mask *m, const struct bus *bus);

#endif
