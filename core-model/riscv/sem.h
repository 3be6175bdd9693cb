/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Semantics of the integer rows of rv.def, one function per row; sem_fp.h has the floating-point rows. The row's kind
 * determines signature and use of the result:
 *   OPR     dst = f(src0, src1)             OPI   dst = f(src0, immediate)
 *   LOAD    dst = f(raw little-endian bytes, zero-extended)
 *   AMO     memory = f(old, src1), both sign-extended from the access's width
 *   BR      taken = f(src0, src1)
 *   F1R F2R F3R   floating point that rounds: the host's rounding mode is the instruction's
 *   F1X F2X       floating point that does not;  FCI  float to integer, given the mode
 *   LUI AUIPC JAL JALR STORE LR SC CSR FENCE FENCE_I ECALL EBREAK   the engines' own
 * Source: the unprivileged manual, chapters "RV32I", "RV64I", "M", "A", "B". */
#ifndef CORE_MODEL_RISCV_SEM_H
#define CORE_MODEL_RISCV_SEM_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 rv_i128;
__extension__ typedef unsigned __int128 rv_u128;

#define RV_SEM static inline __attribute__((always_inline, unused))

/* Sign-extends a 32-bit result. */
RV_SEM uint64_t sext32(uint64_t x) { return (uint64_t)(int64_t)(int32_t)(uint32_t)x; }

/* Right shifts of negative numbers are arithmetic in all supported compilers. */
RV_SEM uint64_t shift_right_arithmetic(uint64_t a, unsigned n) { return (uint64_t)((int64_t)a >> n); }

RV_SEM uint64_t exec_LB(uint64_t raw) { return (uint64_t)(int64_t)(int8_t)(uint8_t)raw; }
RV_SEM uint64_t exec_LH(uint64_t raw) { return (uint64_t)(int64_t)(int16_t)(uint16_t)raw; }
RV_SEM uint64_t exec_LW(uint64_t raw) { return sext32(raw); }
RV_SEM uint64_t exec_LD(uint64_t raw) { return raw; }
RV_SEM uint64_t exec_LBU(uint64_t raw) { return raw; }
RV_SEM uint64_t exec_LHU(uint64_t raw) { return raw; }
RV_SEM uint64_t exec_LWU(uint64_t raw) { return raw; }
RV_SEM uint64_t exec_FLW(uint64_t raw) { return raw | 0xffffffff00000000; }
RV_SEM uint64_t exec_FLD(uint64_t raw) { return raw; }

RV_SEM uint64_t exec_ADD(uint64_t a, uint64_t b) { return a + b; }
RV_SEM uint64_t exec_SUB(uint64_t a, uint64_t b) { return a - b; }
RV_SEM uint64_t exec_SLL(uint64_t a, uint64_t b) { return a << (b & 63); }
RV_SEM uint64_t exec_SLT(uint64_t a, uint64_t b) { return (int64_t)a < (int64_t)b; }
RV_SEM uint64_t exec_SLTU(uint64_t a, uint64_t b) { return a < b; }
RV_SEM uint64_t exec_XOR(uint64_t a, uint64_t b) { return a ^ b; }
RV_SEM uint64_t exec_SRL(uint64_t a, uint64_t b) { return a >> (b & 63); }
RV_SEM uint64_t exec_SRA(uint64_t a, uint64_t b) { return shift_right_arithmetic(a, b & 63); }
RV_SEM uint64_t exec_OR(uint64_t a, uint64_t b) { return a | b; }
RV_SEM uint64_t exec_AND(uint64_t a, uint64_t b) { return a & b; }
RV_SEM uint64_t exec_ADDW(uint64_t a, uint64_t b) { return sext32(a + b); }
RV_SEM uint64_t exec_SUBW(uint64_t a, uint64_t b) { return sext32(a - b); }
RV_SEM uint64_t exec_SLLW(uint64_t a, uint64_t b) { return sext32(a << (b & 31)); }
RV_SEM uint64_t exec_SRLW(uint64_t a, uint64_t b) { return sext32((uint32_t)a >> (b & 31)); }
RV_SEM uint64_t exec_SRAW(uint64_t a, uint64_t b) { return shift_right_arithmetic(sext32(a), b & 31); }

RV_SEM uint64_t exec_ADDI(uint64_t a, uint64_t imm) { return exec_ADD(a, imm); }
RV_SEM uint64_t exec_SLTI(uint64_t a, uint64_t imm) { return exec_SLT(a, imm); }
RV_SEM uint64_t exec_SLTIU(uint64_t a, uint64_t imm) { return exec_SLTU(a, imm); }
RV_SEM uint64_t exec_XORI(uint64_t a, uint64_t imm) { return exec_XOR(a, imm); }
RV_SEM uint64_t exec_ORI(uint64_t a, uint64_t imm) { return exec_OR(a, imm); }
RV_SEM uint64_t exec_ANDI(uint64_t a, uint64_t imm) { return exec_AND(a, imm); }
RV_SEM uint64_t exec_SLLI(uint64_t a, uint64_t imm) { return exec_SLL(a, imm); }
RV_SEM uint64_t exec_SRLI(uint64_t a, uint64_t imm) { return exec_SRL(a, imm); }
RV_SEM uint64_t exec_SRAI(uint64_t a, uint64_t imm) { return exec_SRA(a, imm); }
RV_SEM uint64_t exec_ADDIW(uint64_t a, uint64_t imm) { return exec_ADDW(a, imm); }
RV_SEM uint64_t exec_SLLIW(uint64_t a, uint64_t imm) { return exec_SLLW(a, imm); }
RV_SEM uint64_t exec_SRLIW(uint64_t a, uint64_t imm) { return exec_SRLW(a, imm); }
RV_SEM uint64_t exec_SRAIW(uint64_t a, uint64_t imm) { return exec_SRAW(a, imm); }

RV_SEM uint64_t exec_MUL(uint64_t a, uint64_t b) { return a * b; }
RV_SEM uint64_t exec_MULHU(uint64_t a, uint64_t b) { return (uint64_t)((rv_u128)a * b >> 64); }
RV_SEM uint64_t exec_MULH(uint64_t a, uint64_t b)
{
    return exec_MULHU(a, b) - ((int64_t)a < 0 ? b : 0) - ((int64_t)b < 0 ? a : 0);
}
RV_SEM uint64_t exec_MULHSU(uint64_t a, uint64_t b) { return exec_MULHU(a, b) - ((int64_t)a < 0 ? b : 0); }
RV_SEM uint64_t exec_MULW(uint64_t a, uint64_t b) { return sext32(a * b); }

/* Division never traps: division by zero yields a quotient of all ones and the dividend as remainder; signed overflow
 * wraps. */
RV_SEM uint64_t exec_DIVU(uint64_t a, uint64_t b) { return b == 0 ? UINT64_MAX : a / b; }
RV_SEM uint64_t exec_REMU(uint64_t a, uint64_t b) { return b == 0 ? a : a % b; }
RV_SEM uint64_t exec_DIV(uint64_t a, uint64_t b)
{
    if (b + 1 <= 1)
        return b == 0 ? UINT64_MAX : 0 - a;
    return (uint64_t)((int64_t)a / (int64_t)b);
}
RV_SEM uint64_t exec_REM(uint64_t a, uint64_t b)
{
    if (b + 1 <= 1)
        return b == 0 ? a : 0;
    return (uint64_t)((int64_t)a % (int64_t)b);
}
RV_SEM uint64_t exec_DIVW(uint64_t a, uint64_t b) { return sext32(exec_DIV(sext32(a), sext32(b))); }
RV_SEM uint64_t exec_REMW(uint64_t a, uint64_t b) { return sext32(exec_REM(sext32(a), sext32(b))); }
RV_SEM uint64_t exec_DIVUW(uint64_t a, uint64_t b) { return sext32(exec_DIVU((uint32_t)a, (uint32_t)b)); }
RV_SEM uint64_t exec_REMUW(uint64_t a, uint64_t b) { return sext32(exec_REMU((uint32_t)a, (uint32_t)b)); }

/* Zba: addresses. */
#define SEM_SHIFT_ADD(n)                                                             \
    RV_SEM uint64_t exec_SH##n##ADD(uint64_t a, uint64_t b) { return (a << n) + b; } \
    RV_SEM uint64_t exec_SH##n##ADD_UW(uint64_t a, uint64_t b) { return ((a & UINT32_MAX) << n) + b; }
SEM_SHIFT_ADD(1)
SEM_SHIFT_ADD(2)
SEM_SHIFT_ADD(3)
#undef SEM_SHIFT_ADD
RV_SEM uint64_t exec_ADD_UW(uint64_t a, uint64_t b) { return (a & UINT32_MAX) + b; }
RV_SEM uint64_t exec_SLLI_UW(uint64_t a, uint64_t imm) { return (a & UINT32_MAX) << (imm & 63); }

/* Zbb; unary operations have kind OPR without a second operand. */
RV_SEM uint64_t exec_ANDN(uint64_t a, uint64_t b) { return a & ~b; }
RV_SEM uint64_t exec_ORN(uint64_t a, uint64_t b) { return a | ~b; }
RV_SEM uint64_t exec_XNOR(uint64_t a, uint64_t b) { return ~(a ^ b); }
RV_SEM uint64_t exec_MAX(uint64_t a, uint64_t b) { return (int64_t)a > (int64_t)b ? a : b; }
RV_SEM uint64_t exec_MAXU(uint64_t a, uint64_t b) { return a > b ? a : b; }
RV_SEM uint64_t exec_MIN(uint64_t a, uint64_t b) { return (int64_t)a < (int64_t)b ? a : b; }
RV_SEM uint64_t exec_MINU(uint64_t a, uint64_t b) { return a < b ? a : b; }
RV_SEM uint64_t exec_CLZ(uint64_t a, uint64_t b)
{
    (void)b;
    return a == 0 ? 64 : (uint64_t)__builtin_clzll(a);
}
RV_SEM uint64_t exec_CTZ(uint64_t a, uint64_t b)
{
    (void)b;
    return a == 0 ? 64 : (uint64_t)__builtin_ctzll(a);
}
/* Bit-parallel population count, because without the host's instruction the compiler would call a library function. */
RV_SEM uint64_t exec_CPOP(uint64_t a, uint64_t b)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    (void)b;
    a -= a >> 1 & ones * 0x55;
    a = (a & ones * 0x33) + (a >> 2 & ones * 0x33);
    return ((a + (a >> 4)) & ones * 0x0f) * ones >> 56;
}
RV_SEM uint64_t exec_CLZW(uint64_t a, uint64_t b) { return exec_CLZ(a << 32 | UINT64_C(1) << 31, b); }
RV_SEM uint64_t exec_CTZW(uint64_t a, uint64_t b) { return exec_CTZ(a | UINT64_C(1) << 32, b); }
RV_SEM uint64_t exec_CPOPW(uint64_t a, uint64_t b) { return exec_CPOP(a & UINT32_MAX, b); }
RV_SEM uint64_t exec_SEXT_B(uint64_t a, uint64_t b)
{
    (void)b;
    return exec_LB(a);
}
RV_SEM uint64_t exec_SEXT_H(uint64_t a, uint64_t b)
{
    (void)b;
    return exec_LH(a);
}
RV_SEM uint64_t exec_ZEXT_H(uint64_t a, uint64_t b)
{
    (void)b;
    return a & UINT16_MAX;
}
RV_SEM uint64_t exec_REV8(uint64_t a, uint64_t b)
{
    (void)b;
    return __builtin_bswap64(a);
}
/* Each non-zero byte becomes 0xff: its bits are ORed into the lowest one. */
RV_SEM uint64_t exec_ORC_B(uint64_t a, uint64_t b)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    (void)b;
    a |= a >> 4 & ones * 0x0f;
    a |= a >> 2 & ones * 0x03;
    a |= a >> 1 & ones;
    return (a & ones) * 0xff;
}
RV_SEM uint64_t exec_ROL(uint64_t a, uint64_t b) { return a << (b & 63) | a >> (-b & 63); }
RV_SEM uint64_t exec_ROR(uint64_t a, uint64_t b) { return a >> (b & 63) | a << (-b & 63); }
RV_SEM uint64_t exec_RORI(uint64_t a, uint64_t imm) { return exec_ROR(a, imm); }
RV_SEM uint64_t exec_ROLW(uint64_t a, uint64_t b) { return sext32((uint32_t)a << (b & 31) | (uint32_t)a >> (-b & 31)); }
RV_SEM uint64_t exec_RORW(uint64_t a, uint64_t b) { return sext32((uint32_t)a >> (b & 31) | (uint32_t)a << (-b & 31)); }
RV_SEM uint64_t exec_RORIW(uint64_t a, uint64_t imm) { return exec_RORW(a, imm); }

/* Zbs: single bits. */
#define SEM_BIT(name, expression)                                              \
    RV_SEM uint64_t exec_##name(uint64_t a, uint64_t n) { return expression; } \
    RV_SEM uint64_t exec_##name##I(uint64_t a, uint64_t n) { return expression; }
SEM_BIT(BCLR, a & ~(UINT64_C(1) << (n & 63)))
SEM_BIT(BEXT, a >> (n & 63) & 1)
SEM_BIT(BINV, a ^ UINT64_C(1) << (n & 63))
SEM_BIT(BSET, a | UINT64_C(1) << (n & 63))
#undef SEM_BIT

RV_SEM uint64_t exec_AMOSWAP_W(uint64_t old, uint64_t b)
{
    (void)old;
    return b;
}
RV_SEM uint64_t exec_AMOADD_W(uint64_t old, uint64_t b) { return old + b; }
RV_SEM uint64_t exec_AMOXOR_W(uint64_t old, uint64_t b) { return old ^ b; }
RV_SEM uint64_t exec_AMOAND_W(uint64_t old, uint64_t b) { return old & b; }
RV_SEM uint64_t exec_AMOOR_W(uint64_t old, uint64_t b) { return old | b; }
RV_SEM uint64_t exec_AMOMIN_W(uint64_t old, uint64_t b) { return (int64_t)old < (int64_t)b ? old : b; }
RV_SEM uint64_t exec_AMOMAX_W(uint64_t old, uint64_t b) { return (int64_t)old > (int64_t)b ? old : b; }
RV_SEM uint64_t exec_AMOMINU_W(uint64_t old, uint64_t b) { return old < b ? old : b; }
RV_SEM uint64_t exec_AMOMAXU_W(uint64_t old, uint64_t b) { return old > b ? old : b; }
RV_SEM uint64_t exec_AMOSWAP_D(uint64_t old, uint64_t b) { return exec_AMOSWAP_W(old, b); }
RV_SEM uint64_t exec_AMOADD_D(uint64_t old, uint64_t b) { return exec_AMOADD_W(old, b); }
RV_SEM uint64_t exec_AMOXOR_D(uint64_t old, uint64_t b) { return exec_AMOXOR_W(old, b); }
RV_SEM uint64_t exec_AMOAND_D(uint64_t old, uint64_t b) { return exec_AMOAND_W(old, b); }
RV_SEM uint64_t exec_AMOOR_D(uint64_t old, uint64_t b) { return exec_AMOOR_W(old, b); }
RV_SEM uint64_t exec_AMOMIN_D(uint64_t old, uint64_t b) { return exec_AMOMIN_W(old, b); }
RV_SEM uint64_t exec_AMOMAX_D(uint64_t old, uint64_t b) { return exec_AMOMAX_W(old, b); }
RV_SEM uint64_t exec_AMOMINU_D(uint64_t old, uint64_t b) { return exec_AMOMINU_W(old, b); }
RV_SEM uint64_t exec_AMOMAXU_D(uint64_t old, uint64_t b) { return exec_AMOMAXU_W(old, b); }

RV_SEM bool exec_BEQ(uint64_t a, uint64_t b) { return a == b; }
RV_SEM bool exec_BNE(uint64_t a, uint64_t b) { return a != b; }
RV_SEM bool exec_BLT(uint64_t a, uint64_t b) { return (int64_t)a < (int64_t)b; }
RV_SEM bool exec_BGE(uint64_t a, uint64_t b) { return (int64_t)a >= (int64_t)b; }
RV_SEM bool exec_BLTU(uint64_t a, uint64_t b) { return a < b; }
RV_SEM bool exec_BGEU(uint64_t a, uint64_t b) { return a >= b; }

#endif
