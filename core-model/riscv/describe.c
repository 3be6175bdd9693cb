/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/riscv/describe.h"

#include "isa/opclass.h"

enum code_kind rv_code_kind(const struct rv_insn *in)
{
    bool indirect = (in->flags & RV_INDIRECT) != 0;
    if (in->flags & RV_BRANCH)
        return CODE_BRANCH;
    if (in->flags & RV_ECALL)
        return CODE_TRAP;
    if (!(in->flags & RV_JUMP))
        return CODE_PLAIN;
    switch (in->opclass) {
    case OPCLASS_CALL:
        return CODE_CALL;
    case OPCLASS_RET:
        return CODE_RETURN;
    case OPCLASS_ICALL:
    case OPCLASS_SWAP:
        return CODE_INDIRECT_CALL;
    default:
        return indirect ? CODE_INDIRECT_JUMP : CODE_JUMP;
    }
}

static bool describe(void *hart, uint64_t pc, struct code_insn *out)
{
    enum rv_trap trap;
    const struct rv_insn *in = hart != NULL ? rv_fetch(hart, pc, &trap) : NULL;
    if (in == NULL)
        return false;
    *out = (struct code_insn){.length_bytes = in->length_bytes, .kind = rv_code_kind(in)};
    if ((in->flags & (RV_BRANCH | RV_JUMP)) && !(in->flags & RV_INDIRECT))
        out->target = pc + (uint64_t)(int64_t)in->imm;
    rv_print_flat(out->text, sizeof out->text, in, pc);
    return true;
}

struct code rv_code(struct hart *hart) { return (struct code){.ctx = hart, .describe = describe}; }
