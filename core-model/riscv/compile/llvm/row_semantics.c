/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The semantics of sem.h and sem_fp.h as functions that the code generator inlines: clang translates this file to
 * LLVM's representation, which is a part of the generator. A row has row_<sym>. For one that accesses memory there are
 * also two tests, which the generator makes in this order: misplaced_<sym>, whether the address is misaligned or out of
 * space, and may_<sym>, whether its page permits the access and is neither a file's nor, for stores, shared. */
#include <string.h>

#include "core-model/riscv/compile/compile.h"
#include "core-model/riscv/memory.h"
#include "core-model/riscv/sem_fp.h"

#define ROW __attribute__((always_inline))

#define VALUE_OF_TWO(sym)                           \
    ROW uint64_t row_##sym(uint64_t a, uint64_t b); \
    uint64_t row_##sym(uint64_t a, uint64_t b) { return exec_##sym(a, b); }
#define ROW_OPR(sym, bytes) VALUE_OF_TWO(sym)
#define ROW_OPI(sym, bytes) VALUE_OF_TWO(sym)
#define ROW_BR(sym, bytes) VALUE_OF_TWO(sym)
#define TESTS(sym, bytes, need)                                                                                 \
    ROW uint64_t misplaced_##sym(uint64_t addr);                                                                \
    ROW uint64_t may_##sym(const uint16_t *perm, uint64_t addr);                                                \
    uint64_t misplaced_##sym(uint64_t addr) { return addr & (~UINT64_C(0) << MEM_ADDRESS_BITS | ((bytes)-1)); } \
    uint64_t may_##sym(const uint16_t *perm, uint64_t addr) { return perm[addr >> MEM_PAGE_BITS] & (need); }
#define ROW_LOAD(sym, bytes)                                    \
    TESTS(sym, bytes, MEM_DIRECT_R)                             \
    ROW uint64_t row_##sym(const uint8_t *base, uint64_t addr); \
    uint64_t row_##sym(const uint8_t *base, uint64_t addr)      \
    {                                                           \
        uint64_t raw = 0;                                       \
        memcpy(&raw, base + addr, bytes);                       \
        return exec_##sym(raw);                                 \
    }
#define ROW_STORE(sym, bytes)                                       \
    TESTS(sym, bytes, MEM_DIRECT_W)                                 \
    ROW void row_##sym(uint8_t *base, uint64_t addr, uint64_t raw); \
    void row_##sym(uint8_t *base, uint64_t addr, uint64_t raw) { memcpy(base + addr, &raw, bytes); }
/* The generator's own, and those that are not compiled. */
#define ROW_LUI(sym, bytes)
#define ROW_AUIPC(sym, bytes)
#define ROW_JAL(sym, bytes)
#define ROW_JALR(sym, bytes)
#define ROW_FENCE(sym, bytes)
#define ROW_FENCE_I(sym, bytes)
#define ROW_LR(sym, bytes)
#define ROW_SC(sym, bytes)
#define ROW_AMO(sym, bytes)
#define ROW_ECALL(sym, bytes)
#define ROW_EBREAK(sym, bytes)
#define ROW_CSR(sym, bytes)
/* Floating point: up to three operands, the rounding mode, which only conversions to integers use, and the fcsr. */
#define ROW_FLOAT(sym, expression)                                                             \
    ROW uint64_t row_##sym(uint64_t a, uint64_t b, uint64_t c, uint32_t mode, uint32_t *fcsr); \
    uint64_t row_##sym(uint64_t a, uint64_t b, uint64_t c, uint32_t mode, uint32_t *fcsr)      \
    {                                                                                          \
        (void)a, (void)b, (void)c, (void)mode, (void)fcsr;                                     \
        return expression;                                                                     \
    }
#define ROW_F1R(sym, bytes) ROW_FLOAT(sym, exec_##sym(a))
#define ROW_F2R(sym, bytes) ROW_FLOAT(sym, exec_##sym(a, b))
#define ROW_F3R(sym, bytes) ROW_FLOAT(sym, exec_##sym(a, b, c, fcsr))
#define ROW_F1X(sym, bytes) ROW_FLOAT(sym, exec_##sym(a, fcsr))
#define ROW_F2X(sym, bytes) ROW_FLOAT(sym, exec_##sym(a, b, fcsr))
#define ROW_FCI(sym, bytes) ROW_FLOAT(sym, exec_##sym(a, mode, fcsr))

#define RV(sym, name, match, mask, format, kind, bytes, ...) ROW_##kind(sym, bytes)
#include "core-model/riscv/rv.def"
#undef RV

/* Calls of an observer. The sizes of its lines are constants in a region. */
ROW uint64_t watch_access(struct region_watch *w, uint64_t line_bits, uint64_t mask, uint64_t addr, uint64_t size_bytes,
                          uint64_t is_write);
uint64_t watch_access(struct region_watch *w, uint64_t line_bits, uint64_t mask, uint64_t addr, uint64_t size_bytes,
                      uint64_t is_write)
{
    return lines_again(&w->data, line_bits, mask, addr, size_bytes, is_write != 0) ||
           w->access(w, addr, (unsigned)size_bytes, is_write != 0);
}
ROW void watch_fetch(struct region_watch *w, uint64_t line_bits, uint64_t pc);
void watch_fetch(struct region_watch *w, uint64_t line_bits, uint64_t pc)
{
    if (pc >> line_bits != w->line)
        w->fetch(w, pc);
}
ROW void watch_branch(struct region_watch *w, uint64_t pc, uint64_t taken, uint64_t target);
void watch_branch(struct region_watch *w, uint64_t pc, uint64_t taken, uint64_t target)
{
    w->branch(w, pc, taken != 0, target);
}
ROW void watch_jump(struct region_watch *w, uint64_t pc, uint64_t next, uint64_t after, uint64_t opclass,
                    uint64_t is_indirect);
void watch_jump(struct region_watch *w, uint64_t pc, uint64_t next, uint64_t after, uint64_t opclass,
                uint64_t is_indirect)
{
    w->jump(w, pc, next, after, (unsigned)opclass, is_indirect != 0);
}
