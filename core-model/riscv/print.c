/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disassembly in binutils' words. */
#include "core-model/riscv/format.h"
#include <stdio.h>
int rv_print(char *buf, size_t size_bytes, const struct rv_insn *in, uint64_t pc)
{
    (void)pc;
    return snprintf(buf, size_bytes, "%s", rv_rows[in->op].name);
}
