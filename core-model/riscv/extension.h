/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's ISA as Linux tells it to programs, from extension.def. */
#ifndef CORE_MODEL_RISCV_EXTENSION_H
#define CORE_MODEL_RISCV_EXTENSION_H

#include <stdint.h>
#include <stdio.h>

/* Prints the ISA's name: base, letters, and names after underscores, in lower case. Source: RISC-V ISA manual, chapter
 * "ISA Extension Naming Conventions". */
void rv_extensions_print(FILE *out);
/* A bit for each extension of one letter, from A on. Source: Linux arch/riscv/include/uapi/asm/hwcap.h. */
uint64_t rv_extensions_hwcap(void);

#endif
