/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ready words: each microinstruction decoded once, when it is written, with its selectors resolved through the
 * registers that only the host writes. */
#ifndef EMU_READY_H
#define EMU_READY_H

#include "isa/isa.h"

/* The slots of cop.operand, all that the ports of a word can select. The codes of bus B are slot numbers: value
 * registers, constants, the head sample's fields (copied to the DFE at dispatch), the LFSR as it was last drawn
 * from. The index registers follow, and a slot for results that are not written. Slots of codes that drive nothing
 * stay 0. */
enum { SLOT_INDEX = 32, SLOT_NOWHERE = SLOT_INDEX + ISA_INDEXES, SLOTS };

/* Behind the microcode's words stand ready words that are not executed: the first word again, for what falls through
 * the last word, and the targets of done and interrupt. */
enum { NEXT_FIRST = ISA_WORDS, NEXT_DONE, NEXT_INTERRUPT, READY_WORDS };

struct ready_word {
    uint64_t executed;         /* times, since the statistics were cleared */
    struct ready_word *target; /* of its branch */
    uint64_t lane_ones;
    uint64_t key_high; /* mask of the key's bits that are operand A's */
    uint16_t kind;     /* KIND_... of datapath.h */
    uint8_t predictor;
    bool invert;
    uint8_t a, b, value; /* slots: operands A and B, the value file's write port */
    uint8_t ir, iw;      /* slots: the index register read, the one written */
    uint8_t lane_low;
    bool saturates;        /* the index register written */
    uint16_t base;         /* contents of the base register */
    uint16_t row_ones;     /* mask of an address of the data array */
    uint16_t most;         /* largest value of the index register written */
    uint16_t first, count; /* match: the sub-array */
    bool legal;
    struct uop u;
};

struct cop;
/* After a write of word i. */
void ready_word(struct cop *c, unsigned i);
/* After a write of registers that any word may select. */
void ready_all(struct cop *c);
/* After a copy of the ready words to another address: they point to each other. */
void ready_links(struct cop *c);

#endif
