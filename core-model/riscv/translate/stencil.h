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

/* Which operands a stencil finds in the accumulator, the result of an instruction before it. */
enum { IN_ACC_A = 1, IN_ACC_B = 2, ACC_VARIANTS = 4 };

/* Shifts by a constant have a stencil for each amount. */
enum { SHIFT_AMOUNTS = 64 };
enum stencil_shift { SHIFT_SLLI, SHIFT_SRLI, SHIFT_SRAI, SHIFT_SLLIW, SHIFT_SRLIW, SHIFT_SRAIW, SHIFTS };

/* By row; a stencil without bytes is none. Those of `stencil_zero` compare with, or store, x0. Those of
 * `stencil_static` are for a static rounding mode, of conversions to integers for rounding to zero.
 * Those of `stencil_watched`, of branches, loads and stores, tell an observer. */
extern const uint8_t stencil_code[];
extern const struct stencil_place stencil_places[];
extern const struct stencil stencil_row[RV_OP_COUNT][ACC_VARIANTS];
extern const struct stencil stencil_zero[RV_OP_COUNT][ACC_VARIANTS];
extern const struct stencil stencil_static[RV_OP_COUNT];
extern const struct stencil stencil_watched[RV_OP_COUNT];
extern const struct stencil stencil_shifts[SHIFTS][SHIFT_AMOUNTS];
extern const struct stencil stencil_specials[SPECIALS];

#endif
