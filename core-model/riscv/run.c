/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functional loop: rv_run. Each instruction is a handler entered by a computed goto (a switch where
 * RV_SWITCH_DISPATCH is defined); handlers are specialised for the instruction's length, so that the address of the
 * next one does not depend on a load, and branches for staying within the page. Rare cases (CSRs, atomics, unusual
 * rounding modes) use rv_exec. The instruction budget is checked at backward branches and at page changes: a page has
 * at most CODE_SLOTS instructions, so the last few thousand are executed singly to stop at the exact instruction. The
 * loop itself is in run_loop.inc. Where code is translated (translate/translation.h), the loop is not used. */
#include "core-model/riscv/code.h"
#include "core-model/riscv/format.h"
#include "core-model/riscv/memory_guard.h"
#include "core-model/riscv/sem_fp.h"
#include "core-model/riscv/step.h"
#include "core-model/riscv/translate/translation.h"

#if defined(__clang__) || defined(__SANITIZE_ADDRESS__)
/* Compilers need minutes for this number of computed gotos, so such builds use a smaller loop. */
#define RV_SMALL_LOOP
#ifndef RV_SWITCH_DISPATCH
#define RV_SWITCH_DISPATCH
#endif
#endif
#ifndef RV_SWITCH_DISPATCH
/* Labels as values are a GNU C extension. */
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

_Static_assert(RV_RUN_PAST >= 2 * CODE_SLOTS, "bound on the length of straight-line code");
enum {
    RUN_QUANTUM = 1 << 20, /* interval between polls of hart->stop, in instructions */
    SINK = 64,
    SLOT_BYTES = sizeof(struct rv_hot),
    MODE_STATIC =
        1, /* rv_hot.extra of F1R, F2R, F3R: static mode other than RNE; matches `careful` if the host's mode differs */
    MODE_DYNAMIC = 7 << FCSR_FRM_SHIFT,
};

#define OUTSIDE_SPACE (~UINT64_C(0) << MEM_ADDRESS_BITS)

/* Access widths as constants. */
enum {
#define RV(sym, name, match, mask, format, kind, bytes, ...) BYTES_##sym = (bytes),
#include "core-model/riscv/rv.def"
#undef RV
};

enum pair {
#define PAIR(first, kind, second, kind2) PAIR_##first##_##second,
#define CHAIN PAIR
#include "core-model/riscv/run_pairs.def"
#undef PAIR
#undef CHAIN
    PAIRS
};

static const struct {
    uint16_t first, second;
} pairs[PAIRS] = {
#define PAIR(first, kind, second, kind2) {RV_##first, RV_##second},
#define CHAIN PAIR
#include "core-model/riscv/run_pairs.def"
#undef PAIR
#undef CHAIN
};

/* Handler numbers: decode, then four per row, then eight per pair. */
enum { NUMBER_STALE = -1, H_DECODE, H_ROWS };
enum variant { V_FULL, V_SHORT, V_FAR_FULL, V_FAR_SHORT, VARIANTS };
enum pair_variant {
    P_FULL_FULL,
    P_FULL_SHORT,
    P_SHORT_FULL,
    P_SHORT_SHORT,
    P_CHAIN_FULL_FULL,
    P_CHAIN_FULL_SHORT,
    P_CHAIN_SHORT_FULL,
    P_CHAIN_SHORT_SHORT,
    PAIR_VARIANTS
};
#define HANDLER_NUMBER(op, variant) (H_ROWS + (int)(op) * (int)VARIANTS + (int)(variant))
#define PAIR_NUMBER(pair, variant) (HANDLER_NUMBER(RV_OP_COUNT, 0) + (int)(pair) * (int)PAIR_VARIANTS + (int)(variant))

static bool leaves_page(const struct rv_insn *in, uint64_t pc)
{
    if (!(in->flags & (RV_BRANCH | RV_JUMP)) || (in->flags & RV_INDIRECT))
        return false;
    return ((pc + (uint64_t)(int64_t)in->imm) ^ pc) >> MEM_PAGE_BITS != 0;
}

static int number_alone(const struct rv_insn *in, uint64_t pc)
{
    enum variant variant = in->length_bytes == 2 ? V_SHORT : V_FULL;
    return HANDLER_NUMBER(in->op, leaves_page(in, pc) ? V_FAR_FULL + variant : variant);
}

/* Compact form of the instruction at `pc`, without its handler. */
static struct rv_hot make_slot(const struct rv_insn *in, uint64_t pc)
{
    struct rv_hot slot = {.imm = in->imm, .src0 = in->src[0]};
    slot.dst = in->dst != 0 ? in->dst : SINK;
    slot.src1 = in->src[1];
    slot.extra = in->rm;
    if ((in->flags & (RV_BRANCH | RV_JUMP)) && !(in->flags & RV_INDIRECT) && !leaves_page(in, pc))
        slot.imm = in->imm / 2 * SLOT_BYTES;
    enum rv_kind kind = (enum rv_kind)rv_rows[in->op].kind;
    if (kind == RV_KIND_F3R)
        slot.imm = in->src[2];
    if (kind == RV_KIND_F1R || kind == RV_KIND_F2R || kind == RV_KIND_F3R)
        slot.extra = in->rm == FP_RNE ? 0 : in->rm == FP_DYN ? MODE_DYNAMIC : MODE_STATIC;
    if (kind == RV_KIND_JAL || kind == RV_KIND_JALR || kind == RV_KIND_AUIPC)
        slot.here = (uint16_t)(pc >> 1 & (CODE_SLOTS - 1));
    return slot;
}

static bool commutes(const struct rv_insn *in)
{
    return in->op == RV_ADD || in->op == RV_ADDW || in->op == RV_XOR || in->op == RV_OR || in->op == RV_AND ||
           in->op == RV_MUL || in->op == RV_BEQ || in->op == RV_BNE;
}

/* Enters the instruction at a slot's address. False: another one has been decoded there, and was written over. */
static bool enter_insn(struct rv_page *page, const struct rv_hot *slot, const struct rv_insn *in)
{
    const struct rv_insn *decoded = &page->insn[slot - page->hot];
    if (decoded->length_bytes != 0 && decoded->word != in->word)
        return false;
    (void)code_enter(page, (size_t)(slot - page->hot), in);
    return true;
}

/* Fills a slot with the operands of what stands at `pc`. A slot that has some, which dst tells, keeps them, because a
 * pair may depend on their order. */
static void fill_slot(struct rv_hot *slot, const struct rv_insn *in, uint64_t pc)
{
    if (slot->dst == 0)
        *slot = make_slot(in, pc);
}

static int find_pair(enum rv_op first, enum rv_op second)
{
    for (int i = 0; i < PAIRS; i++)
        if (pairs[i].first == first && pairs[i].second == second)
            return i;
    return -1;
}

/* The number of the handler for two that make pair `i`; fills the second's slot, if possible so that its first operand
 * is what the first makes. */
static int number_pair(int i, const struct rv_insn *first, struct rv_insn *second, struct rv_hot *slot,
                       uint64_t second_pc)
{
    if (commutes(second) && second->src[1] == first->dst) {
        second->src[1] = second->src[0];
        second->src[0] = first->dst;
    }
    fill_slot(slot, second, second_pc);
    bool is_chain = first->dst != 0 && slot->src0 == first->dst;
    int lengths = (first->length_bytes == 2 ? P_SHORT_FULL : P_FULL_FULL) + (second->length_bytes == 2);
    return PAIR_NUMBER(i, is_chain ? P_CHAIN_FULL_FULL + lengths : lengths);
}

/* Decodes what stands at `pc` into its slot and tells the handler: that of a pair where the next instruction is in the
 * page and makes one; at the place to stop at, one that leaves the instruction to step. The next one's operands are
 * then filled in too, but not its handler: whoever jumps there decodes it again. The number is NUMBER_STALE where the
 * page has slots of code that has been written over: one of the instructions was decoded otherwise before. */
static enum rv_trap prepare(const struct hart *h, struct rv_page *page, struct rv_hot *slot, uint64_t pc, int *number)
{
    struct rv_insn first, second;
    enum rv_trap trap = code_decode(h, pc, &first);
    if (trap != RV_TRAP_NONE)
        return trap;
    *number = NUMBER_STALE;
    if (!enter_insn(page, slot, &first))
        return RV_TRAP_NONE;
    fill_slot(slot, &first, pc);
    *number = pc == h->stop_pc ? HANDLER_NUMBER(RV_FENCE_I, V_FULL) : number_alone(&first, pc);
    struct rv_hot *next = slot + first.length_bytes / 2, *end = page->hot + CODE_SLOTS;
    uint64_t next_pc = pc + first.length_bytes;
    if (pc == h->stop_pc || next >= end || next_pc == h->stop_pc || code_decode(h, next_pc, &second) != RV_TRAP_NONE ||
        next + second.length_bytes / 2 > end)
        return RV_TRAP_NONE;
    int pair = find_pair((enum rv_op)first.op, (enum rv_op)second.op);
    if (!enter_insn(page, next, &second))
        *number = NUMBER_STALE;
    else if (pair >= 0 && !leaves_page(&second, next_pc))
        *number = number_pair(pair, &first, &second, next, next_pc);
    return RV_TRAP_NONE;
}

#define RUN_NAME run_fast_plain
#ifdef __clang__
#define RUN_TARGET __attribute__((optnone, noinline)) /* clang builds only the fuzzers */
#else
#define RUN_TARGET
#endif
#include "core-model/riscv/run_loop.inc"
#undef RUN_NAME
#undef RUN_TARGET

#if defined(__x86_64__) && !defined(__FMA__) && !defined(RV_SMALL_LOOP)
/* Without FMA instructions a fused multiply-add is a library call. */
#define RUN_NAME run_fast_fma
#define RUN_TARGET __attribute__((target("fma")))
#include "core-model/riscv/run_loop.inc"
#undef RUN_NAME
#undef RUN_TARGET

static enum rv_trap run_fast(struct hart *h, uint64_t limit, uint64_t *executed)
{
    return __builtin_cpu_supports("fma") ? run_fast_fma(h, limit, executed) : run_fast_plain(h, limit, executed);
}
#else
static enum rv_trap run_fast(struct hart *h, uint64_t limit, uint64_t *executed)
{
    return run_fast_plain(h, limit, executed);
}
#endif

/* run_fast, which an access behind the end of a file leaves by siglongjmp. All registers are in memory then, except the
 * floating-point flags, which the handler leaves in the host's. The instruction is executed again by rv_exec, which
 * traps. */
static enum rv_trap run_guarded(struct hart *h, uint64_t limit, uint64_t *executed)
{
    struct memory_guard guard;
    if (h->code->translation != NULL)
        return translated_run(h, limit, executed);
    if (MEMORY_GUARDED(&guard)) {
        enum rv_trap trap = run_fast(h, limit, executed);
        memory_guard_end(&guard);
        return trap;
    }
    *executed = h->noted_insts;
    enum rv_trap trap = rv_step_counted(h, h->noted_insts, rv_step);
    if (trap != RV_TRAP_NONE)
        return trap;
    ++*executed; /* the file has grown meanwhile */
    return RV_TRAP_LIMIT;
}

enum rv_trap rv_run_past(struct hart *h, uint64_t insts)
{
    if (h->code->translation != NULL)
        translation_watch(h, NULL);
    for (uint64_t left = insts;;) {
        uint64_t executed = 0;
        if (h->stop)
            return RV_TRAP_STOP;
        enum rv_trap trap = run_guarded(h, left < RUN_QUANTUM ? left : RUN_QUANTUM, &executed);
        h->instret += executed;
        h->cycle += executed;
        if (trap != RV_TRAP_LIMIT || executed >= left || h->pc == h->stop_pc)
            return trap;
        left -= executed;
    }
}

void rv_stop_at(struct hart *h, uint64_t pc)
{
    if (h->stop_pc == pc)
        return;
    rv_discard_code(h, h->stop_pc, 1);
    rv_discard_code(h, pc, 1);
    h->stop_pc = pc;
}

enum rv_trap rv_run(struct hart *h, uint64_t max_insts)
{
    uint64_t end = h->instret + max_insts;
    if (max_insts > RV_RUN_PAST) {
        enum rv_trap trap = rv_run_past(h, max_insts - RV_RUN_PAST);
        if (trap != RV_TRAP_LIMIT || h->pc == h->stop_pc)
            return trap;
    }
    while (h->instret != end) {
        if (h->stop)
            return RV_TRAP_STOP;
        enum rv_trap trap = rv_step(h);
        if (trap != RV_TRAP_NONE)
            return trap;
        h->instret++;
        h->cycle++;
    }
    return RV_TRAP_LIMIT;
}
