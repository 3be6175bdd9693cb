/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/gdb/registers.h"

enum { FFLAGS_MASK = 0x1f, FRM_SHIFT = 5, FRM_MASK = 7, FCSR_MASK = 0xff };

static size_t register_bytes(unsigned number) { return number < GDB_REG_FFLAGS ? sizeof(uint64_t) : sizeof(uint32_t); }

static uint64_t register_value(const struct guest_registers *r, unsigned number)
{
    switch (number) {
    case GDB_REG_PC:
        return *r->pc;
    case GDB_REG_FFLAGS:
        return *r->fcsr & FFLAGS_MASK;
    case GDB_REG_FRM:
        return *r->fcsr >> FRM_SHIFT & FRM_MASK;
    case GDB_REG_FCSR:
        return *r->fcsr & FCSR_MASK;
    default:
        return r->reg[number < GDB_REG_PC ? number : number - 1];
    }
}

static void set_register(const struct guest_registers *r, unsigned number, uint64_t value)
{
    const uint32_t low = (uint32_t)value;
    switch (number) {
    case 0:
        break;
    case GDB_REG_PC:
        *r->pc = value & ~UINT64_C(1);
        break;
    case GDB_REG_FFLAGS:
        *r->fcsr = (*r->fcsr & ~(uint32_t)FFLAGS_MASK) | (low & FFLAGS_MASK);
        break;
    case GDB_REG_FRM:
        *r->fcsr = (*r->fcsr & FFLAGS_MASK) | (low & FRM_MASK) << FRM_SHIFT;
        break;
    case GDB_REG_FCSR:
        *r->fcsr = low & FCSR_MASK;
        break;
    default:
        r->reg[number < GDB_REG_PC ? number : number - 1] = value;
        break;
    }
}

/* The protocol has registers in the guest's byte order, which is the host's. */
void gdb_register_put(const struct guest_registers *r, unsigned number, struct gdb_reply *reply)
{
    const uint64_t value = register_value(r, number);
    gdb_reply_hex(reply, &value, register_bytes(number));
}

bool gdb_register_take(const struct guest_registers *r, unsigned number, struct gdb_scan *s)
{
    uint64_t value = 0;
    if (gdb_scan_hex(s, &value, register_bytes(number)) != register_bytes(number))
        return false;
    set_register(r, number, value);
    return true;
}

static void describe_one(struct gdb_reply *reply, const char *name, unsigned number, const char *type)
{
    gdb_reply_text(reply, "<reg name=\"%s\" bitsize=\"%zu\" regnum=\"%u\" type=\"%s\"/>\n", name,
                   8 * register_bytes(number), number, type);
}

void gdb_register_describe(struct gdb_reply *reply)
{
    enum { RA = 1, SP = 2, GP = 3, TP = 4 };
    gdb_reply_text(reply, "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
                          "<target version=\"1.0\">\n<architecture>riscv:rv64</architecture>\n"
                          "<osabi>GNU/Linux</osabi>\n<feature name=\"org.gnu.gdb.riscv.cpu\">\n");
    for (unsigned i = 0; i < GDB_REG_PC; i++)
        describe_one(reply, rv_reg_name(i), i, i == RA ? "code_ptr" : i >= SP && i <= TP ? "data_ptr" : "int");
    describe_one(reply, "pc", GDB_REG_PC, "code_ptr");
    gdb_reply_text(reply,
                   "</feature>\n<feature name=\"org.gnu.gdb.riscv.fpu\">\n<union id=\"riscv_double\">\n"
                   "<field name=\"float\" type=\"ieee_single\"/>\n<field name=\"double\" type=\"ieee_double\"/>\n"
                   "</union>\n");
    for (unsigned i = 0; i < 32; i++)
        describe_one(reply, rv_reg_name(32 + i), GDB_REG_F0 + i, "riscv_double");
    describe_one(reply, "fflags", GDB_REG_FFLAGS, "int");
    describe_one(reply, "frm", GDB_REG_FRM, "int");
    describe_one(reply, "fcsr", GDB_REG_FCSR, "int");
    gdb_reply_text(reply, "</feature>\n</target>\n");
}
