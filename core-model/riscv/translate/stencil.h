/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stencils: pieces of machine code that gcc has made, when pcemu was built, from the semantics of sem.h and sem_fp.h,
 * with holes for registers, constants and addresses. A block of guest code is translated by copying stencils one
 * behind the other and filling their holes. Source of the method: Xu and Kjolstad, "Copy-and-Patch Compilation"
 * (OOPSLA 2021). */
#ifndef CORE_MODEL_RISCV_TRANSLATE_STENCIL_H
#define CORE_MODEL_RISCV_TRANSLATE_STENCIL_H

#include <stdint.h>

#include "core-model/riscv/insn.h"

enum stencil_hole {
#define HOLE(name) HOLE_##name,
#define WAY HOLE
#include "core-model/riscv/translate/holes.def"
#undef HOLE
#undef WAY
    HOLES
};

enum stencil_special {
#define SPECIAL(name) SPECIAL_##name,
#include "core-model/riscv/translate/specials.def"
#undef SPECIAL
    SPECIALS
};

/* How a hole is filled: with 4 or 8 bytes, or with the distance of the target from the place of the hole. */
enum stencil_fill { FILL_32, FILL_64, FILL_DISTANCE };

struct stencil_place {
    uint16_t offset; /* in the stencil */
    uint8_t hole, fill;
    int32_t addend;
};

struct stencil {
    uint32_t code; /* index in stencil_code */
    uint16_t bytes, places;
    uint32_t place; /* index in stencil_places of the first */
};

/* Where an operand is: in the hart, in the accumulator, which has the result of an instruction before it, or in the
 * host register of a guest register that is pinned. */
enum stencil_operand {
    OPERAND_HART,
    OPERAND_ACC,
    OPERAND_PIN,
    STENCIL_PINS = 6,
    OPERANDS = OPERAND_PIN + STENCIL_PINS
};

/* The operand number of a register that is pinned, a0 to a5; 0: it is not.
 * enter.S has the same. */
static inline unsigned stencil_pin_of(unsigned reg) { return reg >= 10 && reg <= 15 ? OPERAND_PIN + reg - 10 : 0; }
/* With an observer, the host registers of a4 and a5 are its clock and the end of its log. */
static inline unsigned stencil_watched_pin_of(unsigned reg) { return reg <= 13 ? stencil_pin_of(reg) : 0; }

/* Shifts by a constant have a stencil for each amount. */
enum { SHIFT_AMOUNTS = 64 };
enum stencil_shift { SHIFT_SLLI, SHIFT_SRLI, SHIFT_SRAI, SHIFT_SLLIW, SHIFT_SRLIW, SHIFT_SRAIW, SHIFTS };

/* Numbers of stencils, by row, operands and so on; 0: none. Those of `stencil_zero` compare with, or store, x0. Those
 * of `stencil_static` are for a static rounding mode, of conversions to integers for rounding to zero. A result is left
 * in the accumulator. For an observer, `stencil_address` has the address of an access checked, by the operand that it
 * is relative to, and leaves it in rax; stencil_through then loads or, by its operand, stores. */
extern const uint8_t stencil_code[];
extern const struct stencil_place stencil_places[];
extern const struct stencil stencils[];
extern const uint16_t stencil_row[RV_OP_COUNT][OPERANDS][OPERANDS];
extern const uint16_t stencil_zero[RV_OP_COUNT][OPERANDS][OPERANDS];
extern const uint16_t stencil_static[RV_OP_COUNT];
extern const uint16_t stencil_through[RV_OP_COUNT][OPERANDS];
extern const uint16_t stencil_address[OPERANDS];
extern const uint16_t stencil_shift[SHIFTS][SHIFT_AMOUNTS];
extern const uint16_t stencil_get[OPERANDS];
extern const uint16_t stencil_put[OPERANDS];
extern const uint16_t stencil_spill[OPERANDS];
extern const uint16_t stencil_link[OPERANDS];
extern const uint16_t stencil_target[OPERANDS];
extern const uint16_t stencil_special[SPECIALS];

#endif
