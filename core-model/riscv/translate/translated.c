/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of translated code. Instructions without a stencil, and accesses that are not usual, are executed by rv_exec in
 * between. */
#include "core-model/riscv/blocks.h"
#include "core-model/riscv/fp.h"
#include "core-model/riscv/interpret.h"
#include "core-model/riscv/memory_guard.h"
#include "core-model/riscv/step.h"
#include "core-model/riscv/translate/host.h"
#include "core-model/riscv/translate/translation.h"

static const struct code_translation *volatile executing; /* for the handler of failed accesses */

static const void *resume_after_fault(const void *pc)
{
    const struct code_translation *t = executing;
    return t != NULL ? translation_way_from(t, pc) : NULL;
}

/* The host rounds as the guest's dynamic mode says, while translated code is executed. RMM is left to rv_exec. */
static void set_mode(const struct hart *h, bool translated)
{
    const unsigned mode = fp_effective_mode(FP_DYN, h->fcsr);
    if (mode != FP_RNE && mode < FP_RMM)
        fp_host_set_mode(translated ? (enum fp_mode)mode : FP_RNE);
}

/* Executes the instruction at h->pc by rv_exec; `count` instructions have been executed before it. */
static enum rv_trap step_between(struct hart *h, uint64_t count)
{
    if (h->blocks != NULL)
        (void)blocks_rest(h);
    set_mode(h, false);
    enum rv_trap trap = rv_step_counted(h, count, h->watch != NULL ? h->watch->step : rv_step);
    set_mode(h, true);
    if (h->blocks != NULL)
        blocks_executed(h, trap == RV_TRAP_NONE);
    h->code->translation->stepped++;
    return trap;
}

/* A run of translated code, in pieces. */
struct translated {
    struct hart *hart;
    struct code_translation *t;
    int64_t left;               /* instructions */
    uint64_t limit, emptied;    /* emptied: at the time of `link` */
    const struct way_out *link; /* the jump to what is executed next; NULL: none */
};

static enum rv_trap run_rest(struct translated *r)
{
    enum rv_trap trap = RV_TRAP_NONE;
    for (; r->left > 0 && trap == RV_TRAP_NONE; r->left -= trap == RV_TRAP_NONE)
        trap = step_between(r->hart, r->limit - (uint64_t)r->left);
    return trap != RV_TRAP_NONE ? trap : RV_TRAP_LIMIT;
}

static void enter_jump(const struct translated *r, const uint8_t *code)
{
    struct rv_jump *jump = &r->t->jumps[r->hart->pc >> 1 & (RV_JUMPS - 1)];
    jump->pc = r->hart->pc;
    memcpy(&jump->code, &code, sizeof code);
}

/* The instructions from h->pc to the next transfer of control or the end of the page, 64 at most. */
static uint64_t straight_insns(struct hart *h)
{
    enum { MOST = 64 };
    enum rv_trap trap;
    uint64_t n = 0;
    for (uint64_t pc = h->pc; n < MOST && (pc ^ h->pc) >> MEM_PAGE_BITS == 0;) {
        const struct rv_insn *in = code_fetch(h, pc, &trap);
        n++;
        if (in == NULL || (in->flags & (RV_BRANCH | RV_JUMP)))
            break;
        pc += in->length_bytes;
    }
    return n;
}

/* Interprets the block at h->pc, or the rest of a counted one. */
static enum rv_trap run_cold(struct translated *r)
{
    struct hart *h = r->hart;
    const uint64_t count = r->limit - (uint64_t)r->left, insns = h->blocks != NULL ? blocks_rest(h) : straight_insns(h);
    uint64_t executed;
    set_mode(h, false);
    fp_barrier();
    h->fcsr |= fp_host_flags();
    h->instret += count;
    h->cycle += count;
    enum rv_trap trap = interpreted_run(h, insns < (uint64_t)r->left ? insns : (uint64_t)r->left, &executed);
    h->instret -= count;
    h->cycle -= count;
    fp_host_clear();
    set_mode(h, true);
    if (h->blocks != NULL)
        blocks_executed(h, executed);
    r->left -= (int64_t)executed;
    r->link = NULL;
    h->code->translation->stepped += executed;
    return trap == RV_TRAP_LIMIT && h->pc != h->stop_pc ? RV_TRAP_NONE : trap;
}

_Static_assert(offsetof(struct rv_watch, lines.clock) == 0 && offsetof(struct rv_watch, lines.place_mask) == 8 &&
                   offsetof(struct rv_watch, lines.within) == 16 && offsetof(struct rv_watch, log) == 56 &&
                   offsetof(struct rv_watch, observe) == 64 && offsetof(struct rv_watch, pair) == 128 &&
                   offsetof(struct lines_pair, code) == 32 && offsetof(struct lines_place, used) == 16 &&
                   sizeof(struct lines_pair) == 64,
               "enter.S has these distances");

/* Translated code does not note the line of each fetch. */
static void forget_line(struct rv_watch *w)
{
    if (w->repeats)
        w->line = UINT64_MAX;
}

const uint8_t *watched_access(struct rv_watch *w, uint64_t addr, unsigned kind, const uint8_t *from)
{
    if (kind >= WATCH_FETCH) {
        w->fetch(w, addr);
        forget_line(w);
        return NULL;
    }
    const bool is_write = kind >= WATCH_WRITE;
    return w->access(w, addr, 1u << (kind & 3), is_write, true) ? NULL : translation_way_from(executing, from - 1);
}

/* Executes translated code. The observer reads its log, so that there is room for as many entries again. Returns as
 * translated_enter does. */
static uint32_t enter_code(struct translated *r, const uint8_t *code)
{
    struct hart *h = r->hart;
    if (h->watch == NULL)
        return translated_enter(h, code, h->mem.base, h->mem.perm, &r->left);
    const int64_t most = r->left < WATCH_INSNS ? r->left : WATCH_INSNS;
    int64_t left = most;
    forget_line(h->watch);
    const uint32_t number = translated_enter_watched(h, code, h->mem.base, h->watch, &left);
    r->left -= most - left;
    h->watch->drain(h->watch, r->t->site);
    return number;
}

/* Executes the block at h->pc and those that it jumps to. RV_TRAP_NONE: the run goes on. */
static enum rv_trap run_piece(struct translated *r, bool *by_jump)
{
    struct hart *h = r->hart;
    const bool is_inside = h->blocks != NULL && blocks_is_inside(h);
    const uint8_t *code = is_inside ? NULL : translation_block(h, h->pc);
    if (code == NULL) {
        *by_jump = false;
        return run_cold(r);
    }
    if (r->link != NULL && r->emptied == r->t->emptied)
        translation_link(r->t, r->link, code);
    if (*by_jump)
        enter_jump(r, code);
    r->link = NULL;
    const uint32_t number = enter_code(r, code);
    *by_jump = number == WAY_INDIRECT;
    if (*by_jump)
        return RV_TRAP_NONE;
    const struct way_out *w = &r->t->way[number];
    h->pc = w->pc;
    r->left += w->insns;
    if (w->rest != 0)
        blocks_leave(h, w->number, w->rest);
    if (w->kind == WAY_LINK) {
        r->link = w;
        r->emptied = r->t->emptied;
        return RV_TRAP_NONE;
    }
    if (w->kind == WAY_BUDGET)
        return r->left < w->insns ? run_rest(r) : RV_TRAP_NONE;
    if (r->left == 0)
        return RV_TRAP_NONE;
    enum rv_trap trap = step_between(h, r->limit - (uint64_t)r->left);
    r->left -= trap == RV_TRAP_NONE;
    return trap;
}

enum rv_trap translated_run(struct hart *h, uint64_t limit, uint64_t *executed)
{
    struct translated r = {.hart = h, .t = h->code->translation, .left = (int64_t)limit, .limit = limit};
    enum rv_trap trap = RV_TRAP_NONE;
    bool by_jump = false;
    memory_guard_resume(resume_after_fault);
    fp_host_clear();
    fp_barrier();
    set_mode(h, true);
    executing = r.t;
    while (r.left > 0 && trap == RV_TRAP_NONE)
        trap = run_piece(&r, &by_jump);
    executing = NULL;
    set_mode(h, false);
    fp_barrier();
    h->fcsr |= fp_host_flags();
    *executed = limit - (uint64_t)r.left;
    return trap != RV_TRAP_NONE ? trap : RV_TRAP_LIMIT;
}
