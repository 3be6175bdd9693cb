/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functional warming: each instruction is executed, its cache lines and pages are accessed without page faults, and
 * branches train the predictors, at a rate of one instruction per cycle. The guest's cycle counter is the clock, so
 * an interrupted and continued warm-up gives the same state. */
#include "core-model/warm.h"

#include "isa/opclass.h"

struct warming {
    const struct engine_parts *parts; /* mem NULL: no warming */
    uint64_t now, line, page;
};

static void warm_fetch(struct warming *w, uint64_t pc)
{
    struct hierarchy *m = w->parts->mem;
    enum tlb_miss miss;
    if (pc >> TLB_PAGE_BITS != w->page) {
        w->page = pc >> TLB_PAGE_BITS;
        (void)tlb_access(&m->itlb, pc, w->now, &miss);
    }
    if (pc >> m->l1i.line_bits != w->line) {
        w->line = pc >> m->l1i.line_bits;
        (void)hierarchy_fetch(m, pc, w->now);
    }
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

static void warm_branch(struct warming *w, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *o)
{
    struct bpred *b = w->parts->bpred;
    struct bpred_history *history = w->parts->history;
    struct bpred_info info;
    if (in->flags & RV_BRANCH) {
        (void)bpred_direction(b, pc, history->branches, &info);
        bpred_train_direction(b, pc, history->branches, &info, o->taken);
    } else if (steer_is_indirect(in)) {
        (void)bpred_indirect(b, pc, history->path, &info);
        bpred_train_indirect(b, &info, o->next_pc);
    }
    steer_note(b, in, o->taken, o->next_pc, history);
    warm_return_stack(b, (enum opclass)in->opclass, pc + in->length_bytes);
    if (o->taken)
        bpred_train_target(b, pc, o->next_pc);
}

/* Marks the pages as accessed, so that they do not fault later. */
static void warm_pages(struct hart *h, uint64_t addr, unsigned size_bytes)
{
    while (!memory_touched(&h->mem, addr, size_bytes))
        memory_touch(&h->mem, addr, size_bytes);
}

static enum rv_trap warm_one(struct warming *w)
{
    struct hart *h = &w->parts->guest->hart;
    enum rv_trap trap = RV_TRAP_NONE;
    struct rv_outcome o;
    uint64_t pc = h->pc;
    enum tlb_miss miss;
    const struct rv_insn *in = rv_fetch(h, pc, &trap);
    if (in == NULL)
        return trap;
    uint16_t flags = in->flags; /* read before execution: fence.i may discard the decoded instruction */
    if (w->parts->mem == NULL) {
        rv_exec(h, in, &o);
        return (enum rv_trap)o.trap;
    }
    bool notes_pages = w->parts->config->page_fault_cycles != 0;
    warm_fetch(w, pc);
    if (notes_pages)
        warm_pages(h, pc, in->length_bytes);
    rv_exec(h, in, &o);
    if (o.trap != RV_TRAP_NONE)
        return (enum rv_trap)o.trap;
    if (o.mem_bytes != 0) {
        if (notes_pages)
            warm_pages(h, o.ea, o.mem_bytes);
        (void)tlb_access(&w->parts->mem->dtlb, o.ea, w->now, &miss);
        (void)hierarchy_data(w->parts->mem, o.ea, o.mem_bytes, w->now, (flags & RV_STORE) != 0);
    }
    if (flags & (RV_BRANCH | RV_JUMP))
        warm_branch(w, in, pc, &o);
    return RV_TRAP_NONE;
}

enum rv_trap warm_run(const struct engine_parts *parts, uint64_t max_insts, const uint64_t *stop_pc)
{
    struct guest *g = parts->guest;
    struct warming w = {.parts = parts, .line = UINT64_MAX, .page = UINT64_MAX, .now = g->hart.cycle};
    enum rv_trap end = RV_TRAP_NONE;
    while (!g->process->exited && end == RV_TRAP_NONE) {
        if (max_insts == 0 || (stop_pc != NULL && g->hart.pc == *stop_pc)) {
            end = RV_TRAP_LIMIT;
        } else if (g->hart.stop) {
            end = RV_TRAP_STOP;
        } else if (g->hart.cycle >= g->alarm_cycle) {
            guest_alarm(g);
        } else {
            enum rv_trap trap = warm_one(&w);
            if (trap == RV_TRAP_ECALL)
                guest_syscall(g);
            else if (trap != RV_TRAP_NONE)
                guest_fault(g, trap);
            if (trap == RV_TRAP_NONE || trap == RV_TRAP_ECALL) {
                max_insts--;
                g->hart.instret++;
                w.now = ++g->hart.cycle;
            }
        }
    }
    return end;
}
