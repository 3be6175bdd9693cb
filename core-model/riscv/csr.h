/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control and status registers of user mode. Private to exec.c and run.c. */
#ifndef CORE_MODEL_RISCV_CSR_H
#define CORE_MODEL_RISCV_CSR_H

#include "core-model/riscv/hart.h"

enum csr_number {
    CSR_FFLAGS = 0x001,
    CSR_FRM = 0x002,
    CSR_FCSR = 0x003,
    CSR_CYCLE = 0xc00,
    CSR_TIME = 0xc01,
    CSR_INSTRET = 0xc02
};

/* Executes a Zicsr instruction with register operand `operand`. Returns false if it is illegal; else *old is the result
 * for dst. h's fcsr, cycle and instret must be up to date. */
bool csr_access(struct hart *h, const struct rv_insn *in, uint64_t operand, uint64_t *old);
/* The CSR name as printed by objdump, or NULL. */
const char *csr_name(unsigned number);

#endif
