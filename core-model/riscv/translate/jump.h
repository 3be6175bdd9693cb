/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the targets of indirect jumps, which translated code reads. */
#ifndef CORE_MODEL_RISCV_TRANSLATE_JUMP_H
#define CORE_MODEL_RISCV_TRANSLATE_JUMP_H

#include <stdint.h>

enum { RV_JUMPS = 1 << 14 };

/* At the place of a guest address, halved: the translated block that begins there. */
struct rv_jump {
    uint64_t pc; /* odd: none */
    void (*code)(void);
};

#endif
