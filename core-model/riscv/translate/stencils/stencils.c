/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source of the stencils. It is compiled by gcc, one function to a section; extract.c makes tables of the sections.
 * Functions are named after the table and the indexes: row_<row>_<operand>_<operand>, special_<name>.
 *
 * The hart, its memory, the budget, the accumulator and the guest registers that are pinned are in host registers. A
 * stencil ends by going on at one of the holes for code; those that are unlikely are cold, so that gcc has a
 * conditional jump to them. Before it goes to hole_OUT it has changed nothing, because rv_exec then executes the
 * instruction, and so has one that accesses memory before the access, because of pages that the host refuses to read.
 */
#include <stddef.h>

#include "core-model/riscv/hart.h"
#include "core-model/riscv/sem_fp.h"
#include "core-model/riscv/translate/jump.h"

#if defined(__x86_64__)
register struct hart *hart __asm__("rbx");
register uint8_t *base __asm__("rbp");
register uint64_t acc __asm__("r13");
register const uint16_t *perm __asm__("r14");
register int64_t budget __asm__("r15");
register uint64_t pin_2 __asm__("rdi");
register uint64_t pin_3 __asm__("r8");
register uint64_t pin_4 __asm__("r9");
register uint64_t pin_5 __asm__("r10");
register uint64_t pin_6 __asm__("r11");
register uint64_t pin_7 __asm__("r12");
#define WIDE()                                          \
    ({                                                  \
        uint64_t wide;                                  \
        __asm__("movabsq $hole_WIDE, %0" : "=r"(wide)); \
        wide;                                           \
    })
#define FUSED_TARGET __attribute__((target("fma")))
/* For an observer: has the address checked by a routine that preserves it and all but two other registers; and keeps it
 * in a register, from where the next stencil takes it. */
#define CHECK_ADDRESS(value)  \
    uint64_t checked = value; \
    __asm__ volatile("call hole_CHECK" : "+a"(checked) : : "rcx", "rdx", "cc", "memory");
#define CHECKED_ADDRESS(addr) \
    uint64_t addr;            \
    __asm__ volatile("" : "=a"(addr));
#endif

#define HOLE(name) extern char hole_##name[];
#define WAY(name) extern void hole_##name(void);
#include "core-model/riscv/translate/holes.def"
#undef HOLE
#undef WAY
extern __attribute__((cold)) void hole_TAKEN(void), hole_OUT(void), hole_INDIRECT(void);

#define VALUE(hole) ((uint64_t)(intptr_t)hole_##hole)
#define REG(hole) (*(uint64_t *)((char *)hart + (intptr_t)hole_##hole))

/* A stencil that goes on with the next one. */
#define STENCIL(name, ...) \
    void name(void);       \
    void name(void)        \
    {                      \
        __VA_ARGS__        \
        hole_NEXT();       \
    }
#define SET(value) acc = (value);

/* Operands by their number (stencil.h): in the hart, in the accumulator, or pinned. */
#define PINS(make, ...)                                                                                             \
    make(2, pin_2, __VA_ARGS__) make(3, pin_3, __VA_ARGS__) make(4, pin_4, __VA_ARGS__) make(5, pin_5, __VA_ARGS__) \
        make(6, pin_6, __VA_ARGS__) make(7, pin_7, __VA_ARGS__)
#define FEW_A(make, ...) make(0, REG(A), __VA_ARGS__) make(1, acc, __VA_ARGS__)
#define FEW_B(make, ...) make(0, REG(B), __VA_ARGS__) make(1, acc, __VA_ARGS__)
#define ALL_A(make, ...) FEW_A(make, __VA_ARGS__) PINS(make, __VA_ARGS__)
/* PINS within ALL_A would not be expanded. */
#define PINS_B(make, ...)                                                                                           \
    make(2, pin_2, __VA_ARGS__) make(3, pin_3, __VA_ARGS__) make(4, pin_4, __VA_ARGS__) make(5, pin_5, __VA_ARGS__) \
        make(6, pin_6, __VA_ARGS__) make(7, pin_7, __VA_ARGS__)
#define ALL_B(make, ...) FEW_B(make, __VA_ARGS__) PINS_B(make, __VA_ARGS__)

#define WITH_ONE(i, operand, name, ...) STENCIL(name##_##i##_0, const uint64_t a = operand; __VA_ARGS__)
#define WITH_SECOND(j, operand, name, first, ...) \
    STENCIL(name##_##j, const uint64_t a = first; const uint64_t b = operand; __VA_ARGS__)
#define WITH_FIRST_ALL(i, operand, name, ...) ALL_B(WITH_SECOND, name##_##i, operand, __VA_ARGS__)
#define WITH_FIRST_FEW(i, operand, name, ...) FEW_B(WITH_SECOND, name##_##i, operand, __VA_ARGS__)
#define WITH_ZERO(i, operand, name, ...) \
    STENCIL(name##_##i##_0, const uint64_t a = operand; const uint64_t b = 0; __VA_ARGS__)

/* Stencils for all operands, or for those that are not pinned. */
#define ONE_ALL(name, ...) ALL_A(WITH_ONE, name, __VA_ARGS__)
#define ONE_FEW(name, ...) FEW_A(WITH_ONE, name, __VA_ARGS__)
#define TWO_ALL(name, ...) ALL_A(WITH_FIRST_ALL, name, __VA_ARGS__)
#define TWO_FEW(name, ...) FEW_A(WITH_FIRST_FEW, name, __VA_ARGS__)
#define ZERO_ALL(name, ...) ALL_A(WITH_ZERO, name, __VA_ARGS__)
/* Of floating-point operands; of a number compared with itself gcc would leave out the comparison and its exception
 * flag. */
#define TWO_FLOAT(name, ...)                                                               \
    STENCIL(name##_0_0, const uint64_t a = REG(A); const uint64_t b = REG(B); __VA_ARGS__) \
    STENCIL(name##_1_0, const uint64_t a = acc; const uint64_t b = REG(B); __VA_ARGS__)    \
    STENCIL(name##_0_1, const uint64_t a = REG(A); const uint64_t b = acc; __VA_ARGS__)

/* Rows that programs execute often have stencils for all operands: HOT(sym) is ALL for them, else FEW. */
#define HOT(sym) HOT_OF(IS_HOT_##sym, FEW, )
#define HOT_OF(...) SECOND_OF(__VA_ARGS__)
#define SECOND_OF(first, second, ...) second
#define IS_HOT_ADD , ALL
#define IS_HOT_SUB , ALL
#define IS_HOT_AND , ALL
#define IS_HOT_OR , ALL
#define IS_HOT_XOR , ALL
#define IS_HOT_SLL , ALL
#define IS_HOT_SRL , ALL
#define IS_HOT_SLT , ALL
#define IS_HOT_SLTU , ALL
#define IS_HOT_ADDW , ALL
#define IS_HOT_SUBW , ALL
#define IS_HOT_MUL , ALL
#define IS_HOT_MULW , ALL
#define IS_HOT_ADDI , ALL
#define IS_HOT_ADDIW , ALL
#define IS_HOT_ANDI , ALL
#define IS_HOT_ORI , ALL
#define IS_HOT_XORI , ALL
#define IS_HOT_SLTIU , ALL
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)

#define LEAVE_IF(condition)                      \
    if (__builtin_expect((condition) != 0, 0)) { \
        hole_OUT();                              \
        return;                                  \
    }

/* Where the stack has to be restored before, the way on is not cold. */
extern void out_near(void) __asm__("hole_OUT");
#define LEAVE_NEAR_IF(condition)                 \
    if (__builtin_expect((condition) != 0, 0)) { \
        out_near();                              \
        return;                                  \
    }

/* ---- kinds of rows ---- */

#define MAKE_OPR(sym, bytes) JOIN(TWO_, HOT(sym))(row_##sym, SET(exec_##sym(a, b)))
#define MAKE_OPI(sym, bytes) JOIN(ONE_, HOT(sym))(row_##sym, SET(exec_##sym(a, VALUE(IMM))))

#define TAKE_IF(condition) \
    if (condition) {       \
        hole_TAKEN();      \
        return;            \
    }
#define MAKE_BR(sym, bytes)                       \
    TWO_ALL(row_##sym, TAKE_IF(exec_##sym(a, b))) \
    ZERO_ALL(zero_##sym, TAKE_IF(exec_##sym(a, b)))

/* Number of the page, or a larger one if the address is not aligned: then its low bits are above. */
#define PAGE_OF(addr, bytes)                \
    ((bytes) == 1 ? (addr) >> MEM_PAGE_BITS \
                  : ((addr) / (bytes) | (addr) << (64 - LOG2(bytes))) >> (MEM_PAGE_BITS - LOG2(bytes)))
#define LOG2(bytes) ((bytes) == 8 ? 3 : (bytes) == 4 ? 2 : (bytes) == 2 ? 1 : 0)
#define CHECK(addr, bytes, need)                \
    const uint64_t page = PAGE_OF(addr, bytes); \
    LEAVE_IF(page >= MEM_PAGES || (perm[page] & (need)) == 0)
/* The host refuses what the guest may not read (memory.h), within the guest's space. */
#define MAKE_LOAD(sym, bytes)                 \
    ONE_ALL(row_##sym, {                      \
        const uint64_t addr = a + VALUE(IMM); \
        uint64_t raw = 0;                     \
        LEAVE_IF(addr >> MEM_ADDRESS_BITS)    \
        memcpy(&raw, base + addr, bytes);     \
        SET(exec_##sym(raw))                  \
    })                                        \
    STENCIL(through_##sym##_0, {              \
        CHECKED_ADDRESS(addr)                 \
        uint64_t raw = 0;                     \
        memcpy(&raw, base + addr, bytes);     \
        SET(exec_##sym(raw))                  \
    })
#define DO_STORE(bytes)                       \
    {                                         \
        const uint64_t addr = a + VALUE(IMM); \
        CHECK(addr, bytes, MEM_W)             \
        memcpy(base + addr, &b, bytes);       \
    }
#define MAKE_STORE(sym, bytes)            \
    TWO_ALL(row_##sym, DO_STORE(bytes))   \
    ZERO_ALL(zero_##sym, DO_STORE(bytes)) \
    ALL_B(STORE_THROUGH, through_##sym, bytes)
#define STORE_THROUGH(j, operand, name, bytes) \
    STENCIL(name##_##j, {                      \
        CHECKED_ADDRESS(addr)                  \
        const uint64_t b = operand;            \
        memcpy(base + addr, &b, bytes);        \
    })

/* Atomic for the guest's threads, which take turns; memory that other processes see is left to rv_exec. */
#define EXTENDED(value, bytes) ((bytes) == 4 ? sext32(value) : (value))
#define ATOMIC(sym, bytes, need, ...)                                  \
    STENCIL(row_##sym##_0_0, {                                         \
        const uint64_t addr = REG(A);                                  \
        uint64_t raw = 0;                                              \
        const uint64_t page = PAGE_OF(addr, bytes);                    \
        LEAVE_NEAR_IF(page >= MEM_PAGES || (perm[page] & (need)) == 0) \
        memcpy(&raw, base + addr, bytes);                              \
        raw = EXTENDED(raw, bytes);                                    \
        __VA_ARGS__                                                    \
    })
#define MAKE_LR(sym, bytes) \
    ATOMIC(sym, bytes, MEM_DIRECT_R, hart->reservation = addr; hart->reserved_value = raw; SET(raw))
#define MAKE_SC(sym, bytes)                                                          \
    ATOMIC(sym, bytes, MEM_DIRECT_W, {                                               \
        const uint64_t datum = REG(B);                                               \
        const bool holds = hart->reservation == addr && hart->reserved_value == raw; \
        if (holds)                                                                   \
            memcpy(base + addr, &datum, bytes);                                      \
        hart->reservation = UINT64_MAX;                                              \
        SET(!holds)                                                                  \
    })
#define MAKE_AMO(sym, bytes)                                              \
    ATOMIC(sym, bytes, MEM_DIRECT_W, {                                    \
        const uint64_t datum = REG(B);                                    \
        const uint64_t changed = exec_##sym(raw, EXTENDED(datum, bytes)); \
        memcpy(base + addr, &changed, bytes);                             \
        SET(raw)                                                          \
    })

/* The host rounds as the dynamic mode says, unless that is RMM or none: all of those have this bit. */
enum { NOT_OF_HOST = 4 << FCSR_FRM_SHIFT, MODE_BITS = 7 << FCSR_FRM_SHIFT };
#define IS_OTHER_DYNAMIC (hart->fcsr & NOT_OF_HOST)
#define IS_OTHER_STATIC ((hart->fcsr & MODE_BITS) != VALUE(IMM))
#define DYNAMIC LEAVE_IF(IS_OTHER_DYNAMIC)
#define STATIC LEAVE_IF(IS_OTHER_STATIC)
#define MAKE_F1R(sym, bytes)                       \
    ONE_FEW(row_##sym, DYNAMIC SET(exec_##sym(a))) \
    STENCIL(static_##sym, STATIC SET(exec_##sym(REG(A))))
#define MAKE_F2R(sym, bytes)                            \
    TWO_FLOAT(row_##sym, DYNAMIC SET(exec_##sym(a, b))) \
    STENCIL(static_##sym, STATIC SET(exec_##sym(REG(A), REG(B))))
#define MAKE_F3R(sym, bytes)                                                                                     \
    FUSED_TARGET STENCIL(row_##sym##_0_0, LEAVE_NEAR_IF(IS_OTHER_DYNAMIC)                                        \
                                              SET(exec_##sym(REG(A), REG(B), REG(C), &hart->fcsr))) FUSED_TARGET \
    STENCIL(static_##sym, LEAVE_NEAR_IF(IS_OTHER_STATIC) SET(exec_##sym(REG(A), REG(B), REG(C), &hart->fcsr)))
#define MAKE_F1X(sym, bytes) ONE_FEW(row_##sym, SET(exec_##sym(a, &hart->fcsr)))
#define MAKE_F2X(sym, bytes) TWO_FLOAT(row_##sym, SET(exec_##sym(a, b, &hart->fcsr)))
#define MAKE_FCI(sym, bytes)                                                                                    \
    STENCIL(row_##sym##_0_0,                                                                                    \
            LEAVE_NEAR_IF(IS_OTHER_DYNAMIC) SET(exec_##sym(REG(A), hart->fcsr >> FCSR_FRM_SHIFT, &hart->fcsr))) \
    STENCIL(static_##sym, SET(exec_##sym(REG(A), FP_RTZ, &hart->fcsr)))

/* Made of special stencils, or left to rv_exec. */
#define MAKE_LUI(sym, bytes)
#define MAKE_AUIPC(sym, bytes)
#define MAKE_JAL(sym, bytes)
#define MAKE_JALR(sym, bytes)
#define MAKE_FENCE(sym, bytes)
#define MAKE_FENCE_I(sym, bytes)
#define MAKE_ECALL(sym, bytes)
#define MAKE_EBREAK(sym, bytes)
#define MAKE_CSR(sym, bytes)

#define RV(sym, name, match, mask, format, kind, bytes, ...) MAKE_##kind(sym, bytes)
#include "core-model/riscv/rv.def"
#undef RV

/* ---- shifts of the accumulator by a constant ---- */

#define SHIFT(sym, n) STENCIL(shift_##sym##_##n, SET(exec_##sym(acc, n)))
#define EIGHT_SHIFTS(sym, a, b, c, d, e, f, g, h) \
    SHIFT(sym, a) SHIFT(sym, b) SHIFT(sym, c) SHIFT(sym, d) SHIFT(sym, e) SHIFT(sym, f) SHIFT(sym, g) SHIFT(sym, h)
#define SHIFTS_OF_WORD(sym)                           \
    EIGHT_SHIFTS(sym, 0, 1, 2, 3, 4, 5, 6, 7)         \
    EIGHT_SHIFTS(sym, 8, 9, 10, 11, 12, 13, 14, 15)   \
    EIGHT_SHIFTS(sym, 16, 17, 18, 19, 20, 21, 22, 23) \
    EIGHT_SHIFTS(sym, 24, 25, 26, 27, 28, 29, 30, 31)
#define SHIFTS_OF_DOUBLE(sym)                         \
    SHIFTS_OF_WORD(sym)                               \
    EIGHT_SHIFTS(sym, 32, 33, 34, 35, 36, 37, 38, 39) \
    EIGHT_SHIFTS(sym, 40, 41, 42, 43, 44, 45, 46, 47) \
    EIGHT_SHIFTS(sym, 48, 49, 50, 51, 52, 53, 54, 55) \
    EIGHT_SHIFTS(sym, 56, 57, 58, 59, 60, 61, 62, 63)
SHIFTS_OF_DOUBLE(SLLI)
SHIFTS_OF_DOUBLE(SRLI)
SHIFTS_OF_DOUBLE(SRAI)
SHIFTS_OF_WORD(SLLIW)
SHIFTS_OF_WORD(SRLIW)
SHIFTS_OF_WORD(SRAIW)

/* ---- special stencils ---- */

STENCIL(special_HEAD, budget -= (int64_t)VALUE(INSNS); LEAVE_IF(budget < 0))
STENCIL(special_COUNT, ++*(uint32_t *)WIDE();)
void special_JUMP(void);
void special_JUMP(void) { hole_TAKEN(); }
STENCIL(special_CONSTANT, SET(VALUE(IMM)))
STENCIL(special_WIDE, SET(WIDE()))
/* By operand: to the accumulator, from it, from a pinned register to the hart, the address behind a call, and the
 * target of an indirect jump. */
#define GET(i, operand, ...) STENCIL(get_##i, acc = operand;)
#define PUT(i, operand, ...) STENCIL(put_##i, operand = acc;)
#define SPILL(i, operand, ...) STENCIL(spill_##i, REG(A) = operand;)
#define LINK(i, operand, ...) STENCIL(link_##i, operand = WIDE();)
#define TARGET(i, operand, ...) STENCIL(target_##i, acc = (operand + VALUE(IMM)) & ~UINT64_C(1);)
GET(0, REG(A), )
PINS(GET, )
PUT(0, REG(D), )
PINS(PUT, )
PINS(SPILL, )
LINK(0, REG(D), )
PINS(LINK, )
ALL_A(TARGET, )

/* To the address in the accumulator. */
void special_GO(void);
void special_GO(void)
{
    const struct rv_jump *jump = &hart->jumps[acc >> 1 & (RV_JUMPS - 1)];
    if (__builtin_expect(jump->pc != acc, 0)) {
        hole_INDIRECT();
        return;
    }
    jump->code();
}

/* ---- for an observer ---- */

#define ADDRESS(i, operand, ...) \
    STENCIL(address_##i, CHECK_ADDRESS(operand + VALUE(IMM)) __asm__ volatile("" : : "a"(checked));)
ALL_A(ADDRESS, )
STENCIL(special_FETCH, CHECK_ADDRESS(WIDE()))
STENCIL(special_LOG, {
    *(uint32_t *)pin_7 = (uint32_t)VALUE(IMM);
    pin_7 += sizeof(uint32_t);
})
STENCIL(special_TARGET, {
    *(uint32_t *)pin_7 = (uint32_t)VALUE(IMM);
    const uint64_t target = acc;
    memcpy((uint32_t *)pin_7 + 1, &target, sizeof target);
    pin_7 += 3 * sizeof(uint32_t);
})

void special_FOUND(void);
void special_FOUND(void)
{
    hart->pc = acc;
    hole_LEAVE();
}
