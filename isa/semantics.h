/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reference semantics: the effects of a word on the co-processor's registers and arrays, in a direct implementation of
 * the texts in isa.def and docs/isa.md. Time, the sample buffer and interrupts are not modelled. The assembler's
 * checker executes paths with it (asm/witness.h), and the tests compare the co-processor with it
 * (tests/unit/reference.h). */
#ifndef ISA_SEMANTICS_H
#define ISA_SEMANTICS_H

#include "isa/image.h"

enum { ISA_MACHINE_MOST = 4 * ISA_CAM_ENTRIES }; /* maximum number of entries and of rows */

/* The state that words read and write. */
struct isa_machine {
    uint64_t value[ISA_VALUES], constant[ISA_CONSTS];
    uint64_t field[ISA_FIELDS]; /* fields of the head sample, by position in the record */
    unsigned index[ISA_INDEXES], base[ISA_BASES], width[ISA_INDEXES];
    bool saturates[ISA_INDEXES];
    unsigned wide; /* bit mask of base registers whose keys include operand A */
    unsigned entries, rows, lfsr;
    bool valid[ISA_MACHINE_MOST];
    uint64_t tag[ISA_MACHINE_MOST];
    uint64_t row[ISA_MACHINE_MOST];
};

/* Initialises arrays of these sizes (powers of two up to ISA_MACHINE_MOST); constants, bases, wide sub-arrays and index
 * widths from the image; the LFSR to 1; everything else to 0. `im` has passed image_check and is not kept. */
void isa_machine_init(struct isa_machine *m, const struct image *im, unsigned entries, unsigned rows);

/* Executes one legal word (isa_check); all units read the old state. Returns whether the branch condition holds. */
bool isa_machine_execute(struct isa_machine *m, const struct uop *u);

/* Four steps of the LFSR x^16 + x^14 + x^13 + x^11 + 1; the bit shifted out is XORed into bits 15, 13, 12 and 10. */
unsigned isa_step_lfsr(unsigned lfsr);

/* A number whose low `bits` bits are ones, 0 to 64. */
uint64_t isa_ones(unsigned bits);

#endif
