/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unwinding with libdw's call frame information: a frame's CFA and saved registers are given as short DWARF
 * expressions, in which compilers use few operations. Source of the register numbers: the RISC-V ELF psABI, DWARF
 * registers. */
#include "host/symbols/unwind.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "host/symbols/symbols.h"

enum { RA = 1, SP = 2, REGISTERS = 32, MAX_STACK = 8 };

struct unwind_frame {
    const struct unwind_source *source;
    uint64_t reg[REGISTERS];
    uint64_t pc, cfa;
};

/* Executes one operation on a stack of numbers; false: unsupported operation. */
static bool unwind_operate(const struct unwind_frame *f, const Dwarf_Op *op, uint64_t stack[MAX_STACK], unsigned *depth)
{
    if (op->atom >= DW_OP_breg0 && op->atom < DW_OP_breg0 + REGISTERS && *depth < MAX_STACK)
        stack[(*depth)++] = f->reg[op->atom - DW_OP_breg0] + op->number;
    else if (op->atom == DW_OP_bregx && op->number < REGISTERS && *depth < MAX_STACK)
        stack[(*depth)++] = f->reg[op->number] + op->number2;
    else if (op->atom == DW_OP_call_frame_cfa && *depth < MAX_STACK)
        stack[(*depth)++] = f->cfa;
    else if ((op->atom == DW_OP_consts || op->atom == DW_OP_constu) && *depth < MAX_STACK)
        stack[(*depth)++] = op->number;
    else if (op->atom == DW_OP_plus_uconst && *depth > 0)
        stack[*depth - 1] += op->number;
    else if (op->atom == DW_OP_plus && *depth > 1)
        (*depth)--, stack[*depth - 1] += stack[*depth];
    else
        return false;
    return true;
}

/* Evaluates an expression; *is_value: the result is a value and not the address of one. */
static bool unwind_evaluate(const struct unwind_frame *f, const Dwarf_Op *ops, size_t count, uint64_t *result,
                            bool *is_value)
{
    uint64_t stack[MAX_STACK];
    unsigned depth = 0;
    *is_value = false;
    for (size_t i = 0; i < count; i++) {
        if (ops[i].atom == DW_OP_stack_value)
            *is_value = true;
        else if (!unwind_operate(f, &ops[i], stack, &depth))
            return false;
    }
    if (depth == 0)
        return false;
    *result = stack[depth - 1];
    return true;
}

/* Restores a register of the caller. A register without a rule is unchanged by the callee. */
static bool restore(const struct unwind_frame *f, Dwarf_Frame *rules, int number, uint64_t *value)
{
    Dwarf_Op memory[3], *ops;
    size_t count;
    uint64_t at;
    bool is_value;
    *value = f->reg[number];
    if (dwarf_frame_register(rules, number, memory, &ops, &count) != 0)
        return false;
    if (count == 0)
        return true;
    if (count == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom < DW_OP_reg0 + REGISTERS) {
        *value = f->reg[ops[0].atom - DW_OP_reg0];
        return true;
    }
    if (!unwind_evaluate(f, ops, count, &at, &is_value))
        return false;
    if (is_value) {
        *value = at;
        return true;
    }
    return f->source->read(f->source->ctx, at, value);
}

/* Steps from a frame to its caller's; false: end of the chain. */
static bool unwind_step(struct unwind_frame *f, uint64_t lookup_pc)
{
    Dwarf_Frame *rules = symbols_frame(f->source->symbols, lookup_pc);
    Dwarf_Op *ops;
    size_t count;
    bool is_value, good;
    struct unwind_frame caller = *f;
    if (rules == NULL)
        return false;
    good = dwarf_frame_cfa(rules, &ops, &count) == 0 && unwind_evaluate(f, ops, count, &f->cfa, &is_value);
    for (int i = 1; good && i < REGISTERS; i++)
        good = i == SP || restore(f, rules, i, &caller.reg[i]);
    free(rules);
    caller.reg[SP] = f->cfa;
    caller.pc = caller.reg[RA];
    if (!good || caller.pc == 0 || f->cfa < f->reg[SP] || (f->cfa == f->reg[SP] && caller.pc == f->pc))
        return false;
    *f = caller;
    return true;
}

unsigned unwind_chain(const struct unwind_source *source, uint64_t pc, const uint64_t reg[32],
                      struct unwind_place *chain, unsigned room)
{
    struct unwind_frame f = {.source = source, .pc = pc};
    unsigned n = 0;
    memcpy(f.reg, reg, sizeof f.reg);
    if (room > 0)
        chain[n++] = (struct unwind_place){pc, f.reg[SP]};
    /* A return address follows its call, which may be the last instruction of its function: the rules are looked up
     * for the preceding byte. */
    while (n < room && unwind_step(&f, n == 1 ? f.pc : f.pc - 1))
        chain[n++] = (struct unwind_place){f.pc, f.reg[SP]};
    return n;
}
