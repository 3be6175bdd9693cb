/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/riscv/describe.h"

#include <string.h>

#include "contract/opclass.h"

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

/* Operations whose values analyses follow, and the value of each besides its immediate. */
static const struct {
    uint8_t op; /* enum code_op */
    uint8_t shift;
} followed[RV_OP_COUNT] = {
    [RV_LUI] = {CODE_OP_CONSTANT, 0},     [RV_AUIPC] = {CODE_OP_CONSTANT, 0},
    [RV_ADDI] = {CODE_OP_ADD_VALUE, 0},   [RV_ADDIW] = {CODE_OP_ADD_VALUE, 0},
    [RV_ADD] = {CODE_OP_ADD, 0},          [RV_ADD_UW] = {CODE_OP_SHIFT_ADD, 0},
    [RV_SH1ADD] = {CODE_OP_SHIFT_ADD, 1}, [RV_SH1ADD_UW] = {CODE_OP_SHIFT_ADD, 1},
    [RV_SH2ADD] = {CODE_OP_SHIFT_ADD, 2}, [RV_SH2ADD_UW] = {CODE_OP_SHIFT_ADD, 2},
    [RV_SH3ADD] = {CODE_OP_SHIFT_ADD, 3}, [RV_SH3ADD_UW] = {CODE_OP_SHIFT_ADD, 3},
    [RV_SLLI] = {CODE_OP_SHIFT_LEFT, 0},  [RV_SLLI_UW] = {CODE_OP_SHIFT_LEFT, 0},
    [RV_SRLI] = {CODE_OP_SHIFT_RIGHT, 0}, [RV_ANDI] = {CODE_OP_AND_VALUE, 0},
    [RV_BLTU] = {CODE_OP_IF_LESS, 0},     [RV_BGEU] = {CODE_OP_IF_NOT_LESS, 0},
};

static void describe_op(const struct rv_insn *in, uint64_t pc, struct code_insn *out)
{
    out->op = in->unit == RV_UNIT_LOAD ? CODE_OP_LOAD : (enum code_op)followed[in->op].op;
    out->value = out->op == CODE_OP_SHIFT_ADD ? followed[in->op].shift : in->imm;
    if (in->op == RV_AUIPC)
        out->value += (int64_t)pc;
    if (in->op == RV_ADD_UW && in->src[1] == 0)
        out->op = CODE_OP_EXTEND;
    if (out->op == CODE_OP_ADD && (in->src[0] == 0 || in->src[1] == 0)) {
        out->op = CODE_OP_ADD_VALUE;
        out->src[0] = in->src[0] | in->src[1];
        out->src[1] = 0;
        out->value = 0;
    }
    if (out->op == CODE_OP_ADD_VALUE && out->src[0] == 0)
        out->op = CODE_OP_CONSTANT;
    else if (in->op == RV_ADDIW && in->imm == 0)
        out->op = CODE_OP_EXTEND;
}

static uint8_t describe_flags_of(const struct rv_insn *in)
{
    bool has_sign = in->op == RV_LB || in->op == RV_LH || in->op == RV_LW;
    return (uint8_t)((in->flags & RV_LOAD ? CODE_LOADS : 0) | (in->flags & RV_STORE ? CODE_STORES : 0) |
                     (in->unit == RV_UNIT_MUL || in->unit == RV_UNIT_DIV ? CODE_MUL : 0) |
                     (in->unit == RV_UNIT_FDIV || in->unit == RV_UNIT_FSQRT ? CODE_FDIV : 0) |
                     (in->flags & RV_SERIAL ? CODE_SERIAL : 0) | (has_sign ? CODE_SIGNED : 0) |
                     (rv_is_always_alone(in) ? CODE_ALONE : 0));
}

static uint8_t access_bytes(const struct rv_insn *in)
{
    static const uint8_t bytes[RV_OP_COUNT] = {
#define RV(sym, mnemonic, match, mask, format, kind, memory_bytes, ...) memory_bytes,
#include "core-model/riscv/rv.def"
#undef RV
    };
    return bytes[in->op];
}

static void describe_insn(const struct rv_insn *in, uint64_t pc, struct code_insn *out)
{
    *out = (struct code_insn){.length_bytes = in->length_bytes,
                              .kind = rv_code_kind(in),
                              .flags = describe_flags_of(in),
                              .dst = in->dst,
                              .src = {in->src[0], in->src[1], in->src[2]},
                              .bytes = access_bytes(in)};
    if ((in->flags & (RV_BRANCH | RV_JUMP)) && !(in->flags & RV_INDIRECT))
        out->target = pc + (uint64_t)(int64_t)in->imm;
    describe_op(in, pc, out);
    rv_print_flat(out->text, sizeof out->text, in, pc);
}

bool rv_decode_in_hart(void *hart, uint64_t pc, struct rv_insn *out)
{
    enum rv_trap trap;
    const struct rv_insn *in = hart != NULL ? rv_fetch(hart, pc, &trap) : NULL;
    if (in != NULL)
        *out = *in;
    return in != NULL;
}

static bool describe_in_hart(void *hart, uint64_t pc, struct code_insn *out)
{
    struct rv_insn in;
    if (!rv_decode_in_hart(hart, pc, &in))
        return false;
    describe_insn(&in, pc, out);
    return true;
}

static bool constant_in_hart(void *ctx, uint64_t address, void *out, size_t bytes)
{
    const struct hart *hart = ctx;
    if (hart == NULL || !memory_allows(&hart->mem, address, (uint32_t)bytes, MEM_R) ||
        memory_allows(&hart->mem, address, (uint32_t)bytes, MEM_W))
        return false;
    return memory_read(&hart->mem, address, out, bytes);
}

struct code rv_code(struct hart *hart)
{
    return (struct code){.ctx = hart, .describe = describe_in_hart, .constant = constant_in_hart};
}

/* Copies the bytes at an address, if one of the parts has them all. */
static bool copy_from(const struct rv_part *part, size_t parts, uint64_t address, void *out, size_t bytes)
{
    size_t low = 0, high = parts;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (part[mid].start <= address)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == 0 || address - part[low - 1].start >= part[low - 1].size_bytes ||
        part[low - 1].size_bytes - (address - part[low - 1].start) < bytes)
        return false;
    memcpy(out, part[low - 1].bytes + (address - part[low - 1].start), bytes);
    return true;
}

bool rv_decode_in_parts(void *ctx, uint64_t pc, struct rv_insn *out)
{
    const struct rv_parts *p = ctx;
    uint16_t low, high = 0;
    if ((pc & 1) != 0 || !copy_from(p->code, p->codes, pc, &low, sizeof low))
        return false;
    if ((low & 3) == 3 && !copy_from(p->code, p->codes, pc + 2, &high, sizeof high))
        return false;
    return rv_decode(low | (uint32_t)high << 16, out);
}

static bool describe_in_parts(void *parts, uint64_t pc, struct code_insn *out)
{
    struct rv_insn in;
    if (!rv_decode_in_parts(parts, pc, &in))
        return false;
    describe_insn(&in, pc, out);
    return true;
}

static bool constant_in_parts(void *ctx, uint64_t address, void *out, size_t bytes)
{
    const struct rv_parts *p = ctx;
    return copy_from(p->constant, p->constants, address, out, bytes) ||
           copy_from(p->code, p->codes, address, out, bytes);
}

struct code rv_code_of_parts(struct rv_parts *parts)
{
    return (struct code){.ctx = parts, .describe = describe_in_parts, .constant = constant_in_parts};
}
