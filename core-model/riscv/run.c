/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functional loop: rv_run. Each instruction is a handler entered by a computed goto (a switch where RV_SWITCH_DISPATCH is
 * defined; the tests build both); handlers are specialised for the instruction's length, so that the next one's address does
 * not wait for memory, and branches for whether they stay within the page. What needs care (CSRs, atomics, unusual rounding
 * modes) goes through rv_exec. The budget is looked at where control goes back or leaves a page: a page holds at most
 * CODE_SLOTS instructions, so the last few thousand are executed one by one to stop at exactly the right one. */
#include "core-model/riscv/code.h"
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
    slot->src[0] = in->src[0];
    slot->src[1] = in->src[1];
    slot->extra = in->rm;
    if (in->flags & (RV_BRANCH | RV_JUMP)) {
        uint64_t target = pc + (uint64_t)(int64_t)in->imm;
        if ((target ^ pc) >> MEM_PAGE_BITS != 0)
            variant += V_FAR_FULL;
        else if (!(in->flags & RV_INDIRECT))
            slot->imm = in->imm / 2 * SLOT_BYTES;
    }
    if ((in->flags & RV_FP) && in->opclass != OPCLASS_FCVT_DUMMY) {
    }
    slot->handler = (uint32_t)HANDLER_NUMBER(in->op, variant);
}
