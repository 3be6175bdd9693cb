/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functional loop's body: run.c includes it once for each set of host instructions, with RUN_NAME and RUN_TARGET.
 * Every row of rv.def becomes one handler for each length, made by its kind: RUN_<kind>. */

#ifndef RUN_LOOP_MACROS
#define RUN_LOOP_MACROS

#ifdef RV_SWITCH_DISPATCH
#define HANDLER(sym, variant) case HANDLER_NUMBER(RV_##sym, variant):
#define SPECIAL(number) case number:
#define DISPATCH() goto dispatch
#else
#define HANDLER(sym, variant) sym##_##variant:
#define SPECIAL(number) number##_LABEL:
#define DISPATCH() goto *labels[in->handler]
#endif

/* Every row has four numbers, though only branches and jal come in a far variant. */
#define LABELS_NEAR(sym) &&sym##_V_FULL, &&sym##_V_SHORT, &&sym##_V_FULL, &&sym##_V_SHORT,
#define LABELS_FAR(sym) &&sym##_V_FULL, &&sym##_V_SHORT, &&sym##_V_FAR_FULL, &&sym##_V_FAR_SHORT,
#define LABELS_OPR LABELS_NEAR
#define LABELS_OPI LABELS_NEAR
#define LABELS_LUI LABELS_NEAR
#define LABELS_AUIPC LABELS_NEAR
#define LABELS_BR LABELS_FAR
#define LABELS_JAL LABELS_FAR
#define LABELS_JALR LABELS_NEAR
#define LABELS_LOAD LABELS_NEAR
#define LABELS_STORE LABELS_NEAR
#define LABELS_LR LABELS_NEAR
#define LABELS_SC LABELS_NEAR
#define LABELS_AMO LABELS_NEAR
#define LABELS_FENCE LABELS_NEAR
#define LABELS_FENCE_I LABELS_NEAR
#define LABELS_ECALL LABELS_NEAR
#define LABELS_EBREAK LABELS_NEAR
#define LABELS_CSR LABELS_NEAR
#define LABELS_F1R LABELS_NEAR
#define LABELS_F2R LABELS_NEAR
#define LABELS_F3R LABELS_NEAR
#define LABELS_F1X LABELS_NEAR
#define LABELS_F2X LABELS_NEAR
#define LABELS_FCI LABELS_NEAR

#define PC() (page->start + (uint64_t)(in - page->hot) * 2)
#define HERE() (page->start + in->here * 2u) /* the same, where the slot says it */
#define S0 reg[in->src0]
#define S1 reg[in->src1]
#define IMM ((uint64_t)(int64_t)in->imm)
#define LEAVE(why)          \
    do {                    \
        trap = (why);       \
        pc = PC();          \
        goto leave;         \
    } while (0)
#define NEXT(halfwords)     \
    in += (halfwords);      \
    count++;                \
    DISPATCH();
/* To `pc`, anywhere. */
#define JUMP()                                                     \
    do {                                                           \
        if (count >= limit)                                        \
            goto leave;                                            \
        if (pc >> MEM_PAGE_BITS != page->start >> MEM_PAGE_BITS) { \
            struct rv_page *other = code_page(h, pc);              \
            if (other == NULL)                                     \
                goto bad_pc;                                       \
            page = other;                                          \
        }                                                          \
        in = &page->hot[pc >> 1 & (CODE_SLOTS - 1)];               \
        DISPATCH();                                                \
    } while (0)

#define RUN_VALUE(sym, expression)                                        \
    HANDLER(sym, V_FULL) { reg[in->dst] = (expression); NEXT(2) }         \
    HANDLER(sym, V_SHORT) { reg[in->dst] = (expression); NEXT(1) }
#define RUN_OPR(sym, bytes) RUN_VALUE(sym, exec_##sym(S0, S1))
#define RUN_OPI(sym, bytes) RUN_VALUE(sym, exec_##sym(S0, IMM))
#define RUN_LUI(sym, bytes) RUN_VALUE(sym, IMM)
#define RUN_AUIPC(sym, bytes) RUN_VALUE(sym, HERE() + IMM)
#define RUN_F1X(sym, bytes) RUN_VALUE(sym, exec_##sym(S0, &h->fcsr))
#define RUN_F2X(sym, bytes) RUN_VALUE(sym, exec_##sym(S0, S1, &h->fcsr))

#define RUN_ROUNDING(sym, expression)                                     \
    HANDLER(sym, V_FULL)                                                  \
    HANDLER(sym, V_SHORT) {                                               \
        if (__builtin_expect(in->extra & careful, 0))                     \
            goto slow;                                                    \
        reg[in->dst] = (expression);                                      \
        NEXT(2)                                                           \
    }
#define RUN_F1R(sym, bytes) RUN_ROUNDING(sym, exec_##sym(S0))
#define RUN_F2R(sym, bytes) RUN_ROUNDING(sym, exec_##sym(S0, S1))
#define RUN_F3R(sym, bytes) RUN_ROUNDING(sym, exec_##sym(S0, S1, reg[in->imm], &h->fcsr))
#define RUN_FCI(sym, bytes)                                               \
    HANDLER(sym, V_FULL)                                                  \
    HANDLER(sym, V_SHORT) {                                               \
        unsigned mode = fp_effective_mode(in->extra, h->fcsr);            \
        if (mode >= FP_MODES)                                             \
            goto slow;                                                    \
        reg[in->dst] = exec_##sym(S0, mode, &h->fcsr);                    \
        NEXT(2)                                                           \
    }

#define RUN_LOAD_AS(sym, bytes, variant, halfwords)                       \
    HANDLER(sym, variant) {                                               \
        uint64_t addr = S0 + IMM, raw = 0;                                \
        if (__builtin_expect(!memory_allows(&mem, addr, bytes, MEM_R), 0)) { \
            h->fault_addr = addr;                                         \
            LEAVE(RV_TRAP_LOAD);                                          \
        }                                                                 \
        memcpy(&raw, memory_at(&mem, addr), bytes);                       \
        reg[in->dst] = exec_##sym(raw);                                   \
        NEXT(halfwords)                                                   \
    }
#define RUN_LOAD(sym, bytes) RUN_LOAD_AS(sym, bytes, V_FULL, 2) RUN_LOAD_AS(sym, bytes, V_SHORT, 1)
#define RUN_STORE_AS(sym, bytes, variant, halfwords)                      \
    HANDLER(sym, variant) {                                               \
        uint64_t addr = S0 + IMM, raw = S1;                               \
        if (__builtin_expect(!memory_allows(&mem, addr, bytes, MEM_W), 0)) { \
            h->fault_addr = addr;                                         \
            LEAVE(RV_TRAP_STORE);                                         \
        }                                                                 \
        memcpy(memory_at(&mem, addr), &raw, bytes);                       \
        NEXT(halfwords)                                                   \
    }
#define RUN_STORE(sym, bytes) RUN_STORE_AS(sym, bytes, V_FULL, 2) RUN_STORE_AS(sym, bytes, V_SHORT, 1)

#define RUN_NEAR()                                                        \
    do {                                                                  \
        in = (const struct rv_hot *)((const char *)in + in->imm);         \
        if (__builtin_expect(count >= limit, 0)) {                        \
            pc = PC();                                                    \
            goto leave;                                                   \
        }                                                                 \
        DISPATCH();                                                       \
    } while (0)
#define RUN_FAR()                                                         \
    do {                                                                  \
        pc = PC() + IMM;                                                  \
        JUMP();                                                           \
    } while (0)
#define RUN_BR_AS(sym, variant, halfwords, GO)                            \
    HANDLER(sym, variant) {                                               \
        count++;                                                          \
        if (exec_##sym(S0, S1))                                           \
            GO();                                                         \
        in += (halfwords);                                                \
        DISPATCH();                                                       \
    }
#define RUN_BR(sym, bytes)                                                \
    RUN_BR_AS(sym, V_FULL, 2, RUN_NEAR)                                   \
    RUN_BR_AS(sym, V_SHORT, 1, RUN_NEAR)                                  \
    RUN_BR_AS(sym, V_FAR_FULL, 2, RUN_FAR)                                \
    RUN_BR_AS(sym, V_FAR_SHORT, 1, RUN_FAR)
#define RUN_JAL_AS(sym, variant, halfwords, GO)                           \
    HANDLER(sym, variant) {                                               \
        count++;                                                          \
        reg[in->dst] = HERE() + 2 * (halfwords);                           \
        GO();                                                             \
    }
#define RUN_JAL(sym, bytes)                                               \
    RUN_JAL_AS(sym, V_FULL, 2, RUN_NEAR)                                  \
    RUN_JAL_AS(sym, V_SHORT, 1, RUN_NEAR)                                 \
    RUN_JAL_AS(sym, V_FAR_FULL, 2, RUN_FAR)                               \
    RUN_JAL_AS(sym, V_FAR_SHORT, 1, RUN_FAR)
#define RUN_JALR_AS(sym, variant, halfwords)                              \
    HANDLER(sym, variant) {                                               \
        pc = (S0 + IMM) & ~UINT64_C(1);                                   \
        count++;                                                          \
        reg[in->dst] = HERE() + 2 * (halfwords);                           \
        JUMP();                                                           \
    }
#define RUN_JALR(sym, bytes) RUN_JALR_AS(sym, V_FULL, 2) RUN_JALR_AS(sym, V_SHORT, 1)

#define RUN_SLOW(sym, bytes) HANDLER(sym, V_FULL) HANDLER(sym, V_SHORT) goto slow;
#define RUN_LR RUN_SLOW
#define RUN_SC RUN_SLOW
#define RUN_AMO RUN_SLOW
#define RUN_FENCE_I RUN_SLOW
#define RUN_CSR RUN_SLOW
#define RUN_FENCE(sym, bytes) HANDLER(sym, V_FULL) HANDLER(sym, V_SHORT) { NEXT(2) }
#define RUN_ECALL(sym, bytes) HANDLER(sym, V_FULL) HANDLER(sym, V_SHORT) LEAVE(RV_TRAP_ECALL);
#define RUN_EBREAK(sym, bytes) HANDLER(sym, V_FULL) HANDLER(sym, V_SHORT) LEAVE(RV_TRAP_BREAKPOINT);

#endif

/* Runs until a trap or a little more than `limit` instructions; *executed is how many. */
RUN_TARGET static enum rv_trap RUN_NAME(struct hart *h, uint64_t limit, uint64_t *executed)
{
#ifndef RV_SWITCH_DISPATCH
    static const void *const labels[] = {
        &&H_DECODE_LABEL, &&H_NEXT_PAGE_LABEL, &&H_NEXT_PAGE_2_LABEL,
#define RV(sym, name, match, mask, format, kind, ...) LABELS_##kind(sym)
#include "core-model/riscv/rv.def"
#undef RV
    };
#endif
    const struct memory mem = h->mem;
    uint64_t *const reg = h->reg;
    uint64_t pc = h->pc, count = 0;
    enum rv_trap trap = RV_TRAP_LIMIT;
    unsigned careful = (h->fcsr & MODE_DYNAMIC) | MODE_STATIC;
    struct rv_page *page = code_page(h, pc);
    const struct rv_hot *in;
    fp_host_clear();
    fp_barrier();
    if (page == NULL || (pc & 1) != 0)
        goto bad_pc;
    in = &page->hot[pc >> 1 & (CODE_SLOTS - 1)];
#ifdef RV_SWITCH_DISPATCH
dispatch:
    switch (in->handler) {
#else
    DISPATCH();
#endif
    SPECIAL(H_DECODE) {
        struct rv_insn decoded;
        pc = PC();
        trap = code_decode(h, pc, &decoded);
        if (trap != RV_TRAP_NONE)
            goto leave;
        trap = RV_TRAP_LIMIT;
        fill_slot((struct rv_hot *)in, &decoded, pc);
        DISPATCH();
    }
    SPECIAL(H_NEXT_PAGE) {
        pc = page->start + MEM_PAGE_BYTES;
        JUMP();
    }
    SPECIAL(H_NEXT_PAGE_2) {
        pc = page->start + MEM_PAGE_BYTES + 2;
        JUMP();
    }
#define RV(sym, name, match, mask, format, kind, bytes, ...) RUN_##kind(sym, bytes)
#include "core-model/riscv/rv.def"
#undef RV
#ifdef RV_SWITCH_DISPATCH
    }
#endif
slow:
    h->pc = pc = PC();
    trap = step_counted(h, count);
    if (trap != RV_TRAP_NONE)
        goto leave;
    trap = RV_TRAP_LIMIT;
    careful = (h->fcsr & MODE_DYNAMIC) | MODE_STATIC;
    count++;
    pc = h->pc;
    page = code_page(h, pc); /* fence.i has discarded the old one */
    if (page == NULL)
        goto bad_pc;
    JUMP();
bad_pc:
    trap = RV_TRAP_FETCH;
leave:
    fp_barrier();
    h->fcsr |= fp_host_flags();
    h->pc = pc;
    *executed = count;
    return trap;
}
