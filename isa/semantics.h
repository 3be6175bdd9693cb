/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a word does to the co-processor's registers and arrays, in the plainest form: one operation after the other, by the texts of isa.def
 * and docs/isa.md, without time, samples that come, or interrupts. The checker tries paths with it (witness.h), and the tests hold the
 * co-processor itself against it (tests/unit/reference.h). */
#ifndef ISA_SEMANTICS_H
#define ISA_SEMANTICS_H

#include "isa/image.h"

enum { MACHINE_MOST = 4 * ISA_CAM_ENTRIES }; /* entries, and rows */

struct machine {
    uint64_t value[ISA_VALUES], constant[ISA_CONSTS], field[ISA_FIELDS]; /* fields of the head sample, by position in the record */
    unsigned index[ISA_INDEXES], base[ISA_BASES], width[ISA_INDEXES];
    bool saturates[ISA_INDEXES];
    unsigned entries, rows, lfsr;
    bool valid[MACHINE_MOST];
    uint32_t tag[MACHINE_MOST];
    uint64_t row[MACHINE_MOST];
};

/* Arrays of these sizes, powers of two; constants, bases and index widths as the image has them, all else 0. `im` is borrowed and sound. */
void machine_init(struct machine *m, const struct image *im, unsigned entries, unsigned rows);

/* One legal word: everything reads the old state. True if the condition of its branch holds. */
bool machine_execute(struct machine *m, const struct uop *u);

/* Four steps of an LFSR: x^16 + x^14 + x^13 + x^11 + 1; what is shifted out goes into bits 15, 13, 12 and 10. */
unsigned machine_step_lfsr(unsigned lfsr);

/* A number of so many bits, 1 to 64, all ones. */
uint64_t machine_ones(unsigned bits);

#endif
