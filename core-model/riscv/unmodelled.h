/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extensions of the instruction set that are not modelled, for the message of an illegal instruction. */
#ifndef CORE_MODEL_RISCV_UNMODELLED_H
#define CORE_MODEL_RISCV_UNMODELLED_H

#include <stdint.h>

/* The extension that an encoding belongs to, as "the vector extension (V)"; NULL: not known. A compressed instruction
 * is in the low half. Static text. */
const char *rv_unmodelled(uint32_t word);

#endif
