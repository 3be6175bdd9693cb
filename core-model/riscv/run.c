/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functional loop: rv_run. Each instruction is a handler entered by a computed goto (a switch where RV_SWITCH_DISPATCH is
 * defined); handlers are specialised for the instruction's length, so that the next one's address does not wait for memory, and
 * branches for whether they stay within the page. What needs care (CSRs, atomics, unusual rounding modes) goes through rv_exec.
 * The budget is looked at where control goes back or leaves a page: a page holds at most CODE_SLOTS instructions, so the last
 * few thousand are executed one by one to stop at exactly the right one. The loop itself is in run_loop.inc. */
#include "core-model/riscv/code.h"
#include "core-model/riscv/format.h"
#include "core-model/riscv/sem_fp.h"

#ifndef RV_SWITCH_DISPATCH
/* Labels as values are GNU C. */
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

enum {
    RUN_MARGIN = 2 * CODE_SLOTS, /* no straight path is longer */
    RUN_QUANTUM = 1 << 20,       /* between looks at hart->stop */
    SINK = 64,
    SLOT_BYTES = sizeof(struct rv_hot),
    MODE_STATIC = 1, /* rv_hot.extra of F1R, F2R, F3R: meets `careful` where the host's mode is not the instruction's */
    MODE_DYNAMIC = 7 << FCSR_FRM_SHIFT,
};

/* Handler numbers: these, then four for each row. */
enum { H_DECODE, H_NEXT_PAGE, H_NEXT_PAGE_2, H_ROWS };
enum variant { V_FULL, V_SHORT, V_FAR_FULL, V_FAR_SHORT, VARIANTS };
#define HANDLER_NUMBER(op, variant) (H_ROWS + (op) * VARIANTS + (variant))

void run_prepare_page(struct rv_page *page)
{
    page->hot[CODE_SLOTS].handler = H_NEXT_PAGE;
    page->hot[CODE_SLOTS + 1].handler = H_NEXT_PAGE_2;
}

/* Makes the loop's form of an instruction at `pc`. */
static void fill_slot(struct rv_hot *slot, const struct rv_insn *in, uint64_t pc)
{
    enum variant variant = in->length_bytes == 2 ? V_SHORT : V_FULL;
    slot->imm = in->imm;
    slot->dst = in->dst != 0 ? in->dst : SINK;
    slot->src0 = in->src[0];
    slot->src1 = in->src[1];
    slot->extra = in->rm;
    if ((in->flags & (RV_BRANCH | RV_JUMP)) && !(in->flags & RV_INDIRECT)) {
        uint64_t target = pc + (uint64_t)(int64_t)in->imm;
        if ((target ^ pc) >> MEM_PAGE_BITS != 0)
            variant += V_FAR_FULL;
        else
            slot->imm = in->imm / 2 * SLOT_BYTES;
    }
    enum rv_kind kind = (enum rv_kind)rv_rows[in->op].kind;
    if (kind == RV_KIND_F3R)
        slot->imm = in->src[2];
    if (kind == RV_KIND_F1R || kind == RV_KIND_F2R || kind == RV_KIND_F3R)
        slot->extra = in->rm == FP_RNE ? 0 : in->rm == FP_DYN ? MODE_DYNAMIC : MODE_STATIC;
    if (kind == RV_KIND_JAL || kind == RV_KIND_JALR || kind == RV_KIND_AUIPC)
        slot->here = (uint16_t)(pc >> 1 & (CODE_SLOTS - 1));
    slot->handler = (uint32_t)HANDLER_NUMBER(in->op, variant);
}

/* One instruction by rv_exec, its pc being h->pc. */
static enum rv_trap step(struct hart *h)
{
    enum rv_trap trap;
    struct rv_outcome out;
    const struct rv_insn *in = rv_fetch(h, h->pc, &trap);
    if (in == NULL)
        return trap;
    rv_exec(h, in, &out);
    return (enum rv_trap)out.trap;
}

/* The same in the middle of run_fast, which keeps its count to itself. Out of line, or it spoils the loop's registers. */
static __attribute__((noinline)) enum rv_trap step_counted(struct hart *h, uint64_t count)
{
    fp_barrier();
    h->fcsr |= fp_host_flags();
    h->instret += count;
    h->cycle += count;
    enum rv_trap trap = step(h);
    h->instret -= count;
    h->cycle -= count;
    fp_host_clear();
    return trap;
}

#define RUN_NAME run_fast_plain
#define RUN_TARGET
#include "core-model/riscv/run_loop.inc"
#undef RUN_NAME
#undef RUN_TARGET

#if defined(__x86_64__) && !defined(__FMA__)
/* Without them a fused multiply-add is a call. */
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

enum rv_trap rv_run(struct hart *h, uint64_t max_insts)
{
    enum rv_trap trap = RV_TRAP_NONE;
    while (trap == RV_TRAP_NONE) {
        uint64_t executed = 0;
        if (h->stop)
            return RV_TRAP_STOP;
        if (max_insts == 0)
            return RV_TRAP_LIMIT;
        if (max_insts > RUN_MARGIN) {
            uint64_t limit = max_insts - RUN_MARGIN;
            trap = run_fast(h, limit < RUN_QUANTUM ? limit : RUN_QUANTUM, &executed);
            if (trap == RV_TRAP_LIMIT)
                trap = RV_TRAP_NONE;
        } else {
            trap = step(h);
            executed = trap == RV_TRAP_NONE;
        }
        h->instret += executed;
        h->cycle += executed;
        max_insts -= executed;
    }
    return trap;
}
