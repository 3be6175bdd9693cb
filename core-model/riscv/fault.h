/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a guest looked like when a fault ended it, for people. */
#ifndef CORE_MODEL_RISCV_FAULT_H
#define CORE_MODEL_RISCV_FAULT_H

#include <stdio.h>

#include "core-model/riscv/guest.h"

/* Writes what stands at an address, as "main+0x12, main.c:7", and returns true; false where nothing is known. */
typedef bool guest_symbolise(void *context, uint64_t addr, char *buf, size_t size_bytes);

/* Prints the fault's line, where it happened and from where that was called, the integer registers and the floating-point ones
 * that are not zero. The caller is named only where ra follows a call instruction: there is no chain to walk without unwind
 * tables. `symbolise` may be NULL; both pointers are borrowed. */
void guest_print_fault(const struct guest *g, FILE *file, guest_symbolise *symbolise, void *context);

#endif
