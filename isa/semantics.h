/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reference semantics: what a word does to the co-processor's registers and arrays, in the plainest form, one
 * operation after the other, by the texts of isa.def and docs/isa.md. Time, the sample buffer and interrupts are not
 * part of it. The assembler's checker executes paths with it (asm/witness.h), and the tests compare the co-processor
 * with it (tests/unit/reference.h). */
#ifndef ISA_SEMANTICS_H
#define ISA_SEMANTICS_H

#include "isa/image.h"

enum { ISA_MACHINE_MOST = 4 * ISA_CAM_ENTRIES }; /* entries, and rows */

/* The state that words read and write. */
struct isa_machine {
    uint64_t value[ISA_VALUES], constant[ISA_CONSTS];
    uint64_t field[ISA_FIELDS]; /* fields of the head sample, by position in the record */
    unsigned index[ISA_INDEXES], base[ISA_BASES], width[ISA_INDEXES];
    bool saturates[ISA_INDEXES];
    unsigned wide; /* base registers whose keys take operand A, a bit each */
    unsigned entries, rows, lfsr;
    bool valid[ISA_MACHINE_MOST];
    uint64_t tag[ISA_MACHINE_MOST];
    uint64_t row[ISA_MACHINE_MOST];
};

/* Arrays of these sizes, powers of two, up to ISA_MACHINE_MOST; constants, bases, wide sub-arrays and index widths as
 * the image has them, the LFSR 1, all else 0. `im` is a sound image (image_check) and is not kept. */
void isa_machine_init(struct isa_machine *m, const struct image *im, unsigned entries, unsigned rows);

/* Executes one legal word (isa_check); all units read the old state. True if the condition of its branch holds. */
bool isa_machine_execute(struct isa_machine *m, const struct uop *u);

/* Four steps of an LFSR: x^16 + x^14 + x^13 + x^11 + 1; what is shifted out goes into bits 15, 13, 12 and 10. */
unsigned isa_step_lfsr(unsigned lfsr);

/* A number of that many bits, 0 to 64, all ones. */
uint64_t isa_ones(unsigned bits);

#endif
