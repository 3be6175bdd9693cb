/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/export/insns.h"

bool export_insns_next(struct export_insn *at, const struct profile_code *code, const struct profile_symbol *symbol)
{
    const uint64_t address = at->next != 0 ? at->next : symbol->start, offset = address - code->start;
    if (address < code->start || address >= symbol->start + symbol->size_bytes || code->size_bytes < 2 ||
        offset > code->size_bytes - 2)
        return false;
    const unsigned low = code->bytes[offset] | (unsigned)code->bytes[offset + 1] << 8;
    *at = (struct export_insn){address, address + ((low & 3) == 3 ? 4 : 2), low};
    return true;
}

/* `beq` to `bgeu`, `c.beqz` and `c.bnez`. */
bool export_insns_is_branch(const struct export_insn *at)
{
    return (at->low & 0x7f) == 0x63 || (at->low & 0xc003) == 0xc001;
}

/* `jal` and `jalr`; `c.j`; `c.jr` and `c.jalr`, which have a register where `c.ebreak` has 0. */
bool export_insns_is_jump(const struct export_insn *at)
{
    const unsigned opcode = at->low & 0x7f;
    return opcode == 0x6f || opcode == 0x67 || (at->low & 0xe003) == 0xa001 ||
           ((at->low & 0xe07f) == 0x8002 && (at->low & 0xf80) != 0);
}
