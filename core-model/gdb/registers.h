/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registers of a thread in the protocol's order, and the description of them for gdb. Source: the manual of gdb,
 * appendix "Target Descriptions", section "RISC-V Features". */
#ifndef CORE_MODEL_GDB_REGISTERS_H
#define CORE_MODEL_GDB_REGISTERS_H

#include "core-model/gdb/packet.h"
#include "core-model/linux/tracing.h"

/* Numbers: x0..x31, pc, f0..f31, and the three parts of the floating-point state. */
enum { GDB_REG_PC = 32, GDB_REG_F0, GDB_REG_FFLAGS = GDB_REG_F0 + 32, GDB_REG_FRM, GDB_REG_FCSR, GDB_REGISTERS };

/* Writes the register in hexadecimal. */
void gdb_register_put(const struct guest_registers *r, unsigned number, struct gdb_reply *reply);
/* Takes its value; false: too few digits. */
bool gdb_register_take(const struct guest_registers *r, unsigned number, struct gdb_scan *s);
/* The name of the feature's file, with all registers: target.xml. */
void gdb_register_describe(struct gdb_reply *reply);

#endif
