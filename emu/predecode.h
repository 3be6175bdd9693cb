/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predecoded words: each microinstruction is decoded once, when it is written, with its selectors resolved through the
 * registers that only the host writes. */
#ifndef EMU_PREDECODE_H
#define EMU_PREDECODE_H

#include "isa/isa.h"

/* Slots of cop.operand: everything that a word's ports can select. The codes of bus B are slot numbers: value
 * registers, constants, the head sample's fields (copied to the DFE at dispatch), the last random numbers of the LFSR.
 * The index registers follow, then a sink for results that are not written. Slots of codes that drive nothing stay
 * 0. */
enum { SLOT_INDEX = 32, SLOT_NOWHERE = SLOT_INDEX + ISA_INDEXES, SLOTS };

/* The microcode's words are followed by sentinels that are not executed: a copy of the first word, the fall-through
 * successor of the last word, and the targets of done and interrupt. */
enum { NEXT_FIRST = ISA_WORDS, NEXT_DONE, NEXT_INTERRUPT, DECODED_WORDS };

struct decoded_word {
    uint64_t executed;           /* execution count since the last clear of the statistics */
    struct decoded_word *target; /* branch target */
    uint64_t lane_mask;
    uint64_t key_high; /* mask of the key bits taken from operand A */
    uint16_t kind;     /* KIND_... of datapath.h */
    uint8_t predictor;
    bool invert;
    uint8_t a, b, value; /* slots: operands A and B, write port of the value file */
    uint8_t ir, iw;      /* slots: index registers read and written */
    uint8_t lane_low;
    bool saturates;        /* mode of the index register written */
    uint16_t base;         /* contents of the base register */
    uint16_t row_mask;     /* address mask of the data array */
    uint16_t index_max;    /* largest value of the index register written */
    uint16_t first, count; /* match: first entry and number of entries of the sub-array */
    bool legal;
    bool counts; /* steps an index register, and ends the sample unless that is at its limit then */
    struct uop u;
};

struct cop;
/* To be called after a write of microcode word i. */
void predecode_word(struct cop *c, unsigned i);
/* To be called after a write of a register that any word may select. */
void predecode_all(struct cop *c);
/* To be called after the predecoded words were copied: relocates their branch-target pointers. */
void predecode_relocate(struct cop *c);

#endif
