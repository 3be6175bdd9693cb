/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a guest looked like when a fault ended it, for people. */
#ifndef CORE_MODEL_RISCV_FAULT_H
#define CORE_MODEL_RISCV_FAULT_H

#include <stdio.h>

#include "core-model/riscv/guest.h"

/* Prints the integer registers and the floating-point ones that are not zero. `file` is borrowed. */
void guest_print_registers(const struct guest *g, FILE *file);
/* Prints the fault in words, then the registers. */
void guest_print_fault(const struct guest *g, FILE *file);

#endif
