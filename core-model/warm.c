/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functional warming: each instruction is executed, its cache lines and pages are accessed without page faults, and
 * branches train the predictors, at a rate of one instruction per cycle. The guest's cycle counter is the clock, so
 * an interrupted and continued warm-up gives the same state. */
#include "core-model/warm.h"

#include "core-model/riscv/sem_fp.h"
#include "isa/opclass.h"

struct warming {
    struct hart *hart;
    struct hierarchy *mem; /* NULL: no warming */
    struct bpred *bpred;
    struct bpred_history *history;
    uint64_t line;      /* number of the instruction cache line of the last instruction; UINT64_MAX: none yet */
    uint64_t page;      /* the same, of its page */
    uint64_t data_page; /* number of the page of the last data access; UINT64_MAX: none yet */
    bool notes_pages;   /* page faults are modelled */
};

/* Accesses another line than the last instruction's. */
static __attribute__((noinline)) void warm_line(struct warming *w, uint64_t pc, uint64_t now)
{
    enum tlb_miss miss;
    if (pc >> TLB_PAGE_BITS != w->page) {
        w->page = pc >> TLB_PAGE_BITS;
        (void)tlb_access(&w->mem->itlb, pc, now, &miss);
    }
    w->line = pc >> w->mem->l1i.line_bits;
    (void)hierarchy_fetch(w->mem, pc, now);
}

static void warm_return_stack(struct bpred *b, enum opclass c, uint64_t after)
{
    struct bpred_info info;
    if (c == OPCLASS_CALL || c == OPCLASS_ICALL)
        bpred_ras_push(b, after, &info);
    else if (c == OPCLASS_RET)
        (void)bpred_ras_pop(b, &info);
    else if (c == OPCLASS_SWAP)
        (void)bpred_ras_swap(b, after, &info);
}

/* The branch or jump at pc, after which the program continues at `next`. */
static void warm_branch(struct warming *w, const struct rv_insn *in, uint64_t pc, bool taken, uint64_t next)
{
    struct bpred *b = w->bpred;
    struct bpred_history *history = w->history;
    struct bpred_info info;
    if (in->flags & RV_BRANCH) {
        (void)bpred_direction(b, pc, history->branches, &info);
        bpred_train_direction(b, pc, history->branches, &info, taken);
    } else if (steer_is_indirect(in)) {
        (void)bpred_indirect(b, pc, history->path, &info);
        bpred_train_indirect(b, &info, next);
    }
    steer_note(b, in, taken, next, history);
    if (in->flags & RV_JUMP)
        warm_return_stack(b, (enum opclass)in->opclass, pc + in->length_bytes);
    if (taken)
        bpred_train_target(b, pc, next);
}

/* An access to the page of the last one leaves the TLB as it is. */
static inline void warm_data(struct warming *w, uint64_t addr, unsigned size_bytes, bool is_write, uint64_t now)
{
    enum tlb_miss miss;
    if (addr >> TLB_PAGE_BITS != w->data_page) {
        w->data_page = addr >> TLB_PAGE_BITS;
        (void)tlb_access(&w->mem->dtlb, addr, now, &miss);
    }
    (void)hierarchy_data(w->mem, addr, size_bytes, now, is_write);
}

/* Marks the pages as accessed, so that they do not fault later. */
static __attribute__((noinline)) void warm_pages(struct hart *h, uint64_t addr, unsigned size_bytes)
{
    while (!memory_touched(&h->mem, addr, size_bytes))
        memory_touch(&h->mem, addr, size_bytes);
}

/* Executes the instruction at pc. */
static inline enum rv_trap warm_one(struct warming *w, const struct rv_insn *in, uint64_t pc, uint64_t now)
{
    struct rv_outcome o;
    const uint32_t flags = in->flags; /* read before execution: fence.i may discard the decoded instruction */
    if (w->mem == NULL) {
        rv_exec(w->hart, in, &o);
        return (enum rv_trap)o.trap;
    }
    if (pc >> w->mem->l1i.line_bits != w->line)
        warm_line(w, pc, now);
    if (w->notes_pages)
        warm_pages(w->hart, pc, in->length_bytes);
    rv_exec(w->hart, in, &o);
    if (o.trap != RV_TRAP_NONE)
        return (enum rv_trap)o.trap;
    if (o.mem_bytes != 0) {
        if (w->notes_pages)
            warm_pages(w->hart, o.ea, o.mem_bytes);
        warm_data(w, o.ea, o.mem_bytes, (flags & RV_STORE) != 0, now);
    }
    if (flags & (RV_BRANCH | RV_JUMP))
        warm_branch(w, in, pc, o.taken != 0, o.next_pc);
    return RV_TRAP_NONE;
}

/* Executes at most `insts` instructions up to that at `stop_pc` or one that is left to rv_exec, the first of them in
 * cycle `now`. Returns their number. */
static uint64_t warm_plain(struct warming *w, uint64_t insts, uint64_t stop_pc, uint64_t now)
{
    struct hart *h = w->hart;
    const struct memory *mem = &h->mem;
    uint64_t *const reg = h->reg, n = 0, pc = h->pc;
    uint32_t *const fcsr = &h->fcsr;
    const uint32_t line_bits = w->mem->l1i.line_bits;
    const bool nearest = fp_effective_mode(FP_DYN, h->fcsr) == FP_RNE;
    enum rv_trap trap;
    const struct rv_insn *in = code_fetch(h, pc, &trap);
    fp_host_clear();
    fp_barrier();
    for (; in != NULL && n < insts && pc != stop_pc; n++) {
        const uint64_t a = reg[in->src[0]], b = reg[in->src[1]];
        uint64_t next = pc + in->length_bytes, result = 0;
        bool taken = false;
        if (pc >> line_bits != w->line)
            warm_line(w, pc, now + n);
        switch ((enum rv_op)in->op) {
#define ON_ACCESS(addr, bytes, is_write) warm_data(w, addr, bytes, is_write, now + n)
#include "core-model/riscv/plain.inc"
#undef ON_ACCESS
        case RV_OP_COUNT:
            goto unusual;
        }
        reg[in->dst] = result; /* 0 for branches, whose destination is x0 */
        reg[0] = 0;
        if (in->flags & (RV_BRANCH | RV_JUMP))
            warm_branch(w, in, pc, taken, next);
stored:
        in = (next ^ pc) >> MEM_PAGE_BITS == 0 ? code_fetch_near(h, in, pc, next, &trap) : code_fetch(h, next, &trap);
        pc = next;
    }
unusual:
    fp_barrier();
    h->fcsr |= fp_host_flags();
    h->pc = pc;
    return n;
}

/* The guest's counters, `insts` instructions after their values `cycle` and `instret`. */
static inline void count(struct hart *h, uint64_t cycle, uint64_t instret, uint64_t insts)
{
    h->cycle = cycle + insts;
    h->instret = instret + insts;
}

/* Warms by at most `insts` instructions, of which none is that at `stop_pc`. Returns a trap, or RV_TRAP_NONE. */
static enum rv_trap warm_some(struct warming *w, uint64_t insts, uint64_t stop_pc)
{
    struct hart *h = w->hart;
    const uint64_t cycle = h->cycle, instret = h->instret;
    const bool plain = w->mem != NULL && !w->notes_pages && h->stores == NULL;
    uint64_t n = 0;
    enum rv_trap trap = RV_TRAP_NONE;
    for (; n < insts && h->pc != stop_pc; n++) {
        if (plain)
            n += warm_plain(w, insts - n, stop_pc, cycle + n);
        if (n == insts || h->pc == stop_pc)
            break;
        const struct rv_insn *in = code_fetch(h, h->pc, &trap);
        if (in == NULL)
            break;
        count(h, cycle, instret, n); /* which it may read */
        trap = warm_one(w, in, h->pc, cycle + n);
        if (trap != RV_TRAP_NONE)
            break;
    }
    count(h, cycle, instret, n);
    return trap;
}

enum rv_trap warm_run(const struct engine_parts *parts, uint64_t max_insts, const uint64_t *stop_pc)
{
    enum { AT_ONCE = 1 << 12 }; /* instructions between two readings of the stop flag */
    struct guest *g = parts->guest;
    struct hart *h = &g->hart;
    struct warming w = {.hart = h,
                        .mem = parts->mem,
                        .bpred = parts->bpred,
                        .history = parts->history,
                        .line = UINT64_MAX,
                        .page = UINT64_MAX,
                        .data_page = UINT64_MAX,
                        .notes_pages = parts->mem != NULL && parts->config->page_fault_cycles != 0};
    while (!g->process->exited) {
        if (max_insts == 0 || (stop_pc != NULL && h->pc == *stop_pc))
            return RV_TRAP_LIMIT;
        if (h->stop)
            return RV_TRAP_STOP;
        if (h->cycle >= g->alarm_cycle) {
            guest_alarm(g);
            continue;
        }
        uint64_t insts = max_insts < AT_ONCE ? max_insts : AT_ONCE, before = h->instret;
        if (g->alarm_cycle - h->cycle < insts)
            insts = g->alarm_cycle - h->cycle;
        enum rv_trap trap = warm_some(&w, insts, stop_pc != NULL ? *stop_pc : UINT64_MAX);
        max_insts -= h->instret - before;
        if (trap == RV_TRAP_ECALL) {
            guest_syscall(g);
            max_insts--;
            h->instret++;
            h->cycle++;
        } else if (trap != RV_TRAP_NONE) {
            guest_fault(g, trap);
        }
    }
    return RV_TRAP_NONE;
}
