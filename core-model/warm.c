/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functional warming: each instruction is executed, its cache lines and pages are accessed without page faults, and
 * branches train the predictors. Nothing takes time: lines and translations are there at once, prefetches are never
 * dropped. The guest's cycle counter advances by one for each instruction. */
#include "core-model/warm.h"

#include <stdlib.h>

#include "base/status.h"
#include "core-model/bpred/branch_log.h"
#include "core-model/mem/warm_port.h"
#include "core-model/riscv/code.h"
#include "core-model/riscv/translate/translation.h"

struct warming {
    struct rv_watch watch; /* the first member */
    struct warm_ports ports;
    struct hart *hart;
    struct bpred *bpred;
    struct bpred_history *history;
    bool notes_pages; /* page faults are modelled */
    bool plain;       /* usual instructions are executed by rv_execute */
    uint32_t log[WATCH_INSNS * WATCH_WORDS];
};

static struct warming *warming_of(struct rv_watch *w) { return (struct warming *)w; }

/* The instruction at pc is in a line that may be another than that of the last one. */
static void warm_fetch(struct rv_watch *w, uint64_t pc)
{
    const uint64_t line = pc >> w->lines.line_bits;
    const struct lines_place *place = &lines_pair_of(&w->lines, w->pair, pc)->code;
    if (line == w->line)
        return;
    w->line = line;
    if (!lines_again(&w->lines, place, pc & w->lines.within[0], 0, false))
        warm_code(&warming_of(w)->ports, pc);
}

/* Trains a predictor outside the model by the branch at pc, which is decoded, as it is executed. */
static void warm_external(struct warming *w, uint64_t pc, bool taken)
{
    enum rv_trap trap;
    const struct rv_insn *in = code_fetch(w->hart, pc, &trap);
    const struct bpred_branch b = {.pc = pc, .target = pc + (uint64_t)(int64_t)in->imm, .history = *w->history};
    bpred_warm_external(w->bpred, &b, taken);
}

static void warm_branch(struct rv_watch *watch, uint64_t pc, bool taken, uint64_t target)
{
    struct warming *w = warming_of(watch);
    if (w->bpred->external != NULL)
        warm_external(w, pc, taken);
    else
        bpred_warm_direction(w->bpred, pc, w->history->branches, taken);
    bpred_history_branch(w->history, taken);
    if (taken)
        bpred_train_target(w->bpred, pc, target);
}

static void warm_jump_at(struct rv_watch *watch, uint64_t pc, uint64_t target)
{
    enum rv_trap trap;
    struct warming *w = warming_of(watch);
    const struct rv_insn *in = code_fetch(w->hart, pc, &trap); /* decoded, as it is executed */
    bpred_warm_jump(w->bpred, w->history, in, pc, in->flags & RV_INDIRECT ? target : pc + (uint64_t)(int64_t)in->imm);
}

static void warm_describe(const struct rv_watch *w, const struct rv_insn *in, uint64_t pc, void *site)
{
    _Static_assert(sizeof(struct branch_site) <= WATCH_SITE_BYTES, "a site has room");
    branch_site_init(((const struct warming *)w)->bpred, in, pc, site);
}

static void warm_drain(struct rv_watch *watch, const void *sites)
{
    struct warming *w = warming_of(watch);
    branch_log_train(w->bpred, w->history, sites, w->log, watch->log);
    watch->log = w->log;
}

/* Marks the pages as accessed, so that they do not fault later. */
static __attribute__((noinline)) void warm_pages(struct hart *h, uint64_t addr, unsigned size_bytes)
{
    while (!memory_touched(&h->mem, addr, size_bytes))
        memory_touch(&h->mem, addr, size_bytes);
}

/* Executes the instruction at pc. */
static inline enum rv_trap warm_one(struct warming *w, const struct rv_insn *in, uint64_t pc)
{
    struct rv_outcome o;
    const uint32_t flags = in->flags; /* read before execution: fence.i may discard the decoded instruction */
    warm_fetch(&w->watch, pc);
    if (w->notes_pages)
        warm_pages(w->hart, pc, in->length_bytes);
    rv_exec(w->hart, in, &o);
    if (o.trap != RV_TRAP_NONE)
        return (enum rv_trap)o.trap;
    if (o.mem_bytes != 0) {
        if (w->notes_pages)
            warm_pages(w->hart, o.ea, o.mem_bytes);
        warm_data(&w->ports, o.ea, o.mem_bytes, (flags & RV_STORE) != 0, false);
    }
    if (flags & RV_BRANCH)
        warm_branch(&w->watch, pc, o.taken != 0, o.next_pc);
    else if (flags & RV_JUMP)
        bpred_warm_jump(w->bpred, w->history, in, pc, o.next_pc);
    return RV_TRAP_NONE;
}

static enum rv_trap warm_step(struct hart *h)
{
    enum rv_trap trap;
    if (h->pc == h->stop_pc)
        return RV_TRAP_LIMIT;
    const struct rv_insn *in = code_fetch(h, h->pc, &trap);
    return in != NULL ? warm_one(warming_of(h->watch), in, h->pc) : trap;
}

/* Whether an access that may be made in translated code alone does not fail: it is in a page of a file. */
static bool warm_reaches_file(struct memory *m, uint64_t addr, unsigned size_bytes, bool is_write)
{
    uint64_t datum;
    return memory_allows_inside(m, addr, size_bytes, is_write ? MEM_W : MEM_R) &&
           memory_read(m, addr, &datum, size_bytes);
}

/* Whether the access is a plain one; then it has been made in cache and TLB. */
static bool warm_access(struct rv_watch *w, uint64_t addr, unsigned size_bytes, bool is_write, bool is_guarded)
{
    struct memory *m = &warming_of(w)->hart->mem;
    if (!memory_allows_inside(m, addr, size_bytes, is_write ? MEM_DIRECT_W : MEM_DIRECT_R) &&
        !(is_guarded && warm_reaches_file(m, addr, size_bytes, is_write)))
        return false;
    warm_data(&warming_of(w)->ports, addr, size_bytes, is_write, true);
    return true;
}

/* One instruction at a time, of which each is observed. */
static enum rv_trap warm_singly(struct warming *w, uint64_t insts)
{
    struct hart *h = w->hart;
    enum rv_trap trap = RV_TRAP_NONE;
    h->watch = &w->watch;
    for (const uint64_t end = h->instret + insts; h->instret != end && trap == RV_TRAP_NONE;) {
        trap = warm_step(h);
        h->instret += trap == RV_TRAP_NONE;
        h->cycle += trap == RV_TRAP_NONE;
    }
    return trap != RV_TRAP_NONE ? trap : RV_TRAP_LIMIT;
}

static void warming_init(struct warming *w, const struct engine_parts *parts)
{
    w->watch.log = w->log;
    w->watch.observe = watched_access;
    w->watch.model = parts->bpred;
    w->watch.line = UINT64_MAX;
    w->watch.fetch = warm_fetch;
    w->watch.access = warm_access;
    w->watch.branch = warm_branch;
    w->watch.jump = warm_jump_at;
    w->watch.step = warm_step;
    w->watch.describe = warm_describe;
    w->watch.drain = warm_drain;
    w->hart = &parts->guest->hart;
    w->bpred = parts->bpred;
    w->history = parts->history;
    w->notes_pages = parts->config->page_fault_cycles != 0;
    warm_ports_init(&w->ports, parts->mem, &w->watch.lines, w->watch.pair);
    w->watch.repeats = w->ports.code.remembers;
    w->plain = !w->notes_pages && w->hart->stores == NULL;
}

/* Performs what interrupts the instructions. Permissions may change. */
static void warm_perform(struct warming *w, struct guest *g, enum rv_trap trap)
{
    if (trap == RV_TRAP_ECALL)
        guest_syscall(g);
    else
        guest_fault(g, trap);
    warm_ports_forget(&w->ports);
}

static enum rv_trap warm_to(struct warming *w, struct guest *g, uint64_t max_insts, uint64_t stop)
{
    enum { AT_ONCE = 1 << 16 }; /* instructions between two readings of the stop flag */
    struct hart *h = &g->hart;
    while (!g->process->exited) {
        if (max_insts == 0 || h->pc == stop)
            return RV_TRAP_LIMIT;
        if (h->stop)
            return RV_TRAP_STOP;
        if (h->cycle >= g->alarm_cycle) {
            guest_alarm(g);
            warm_ports_forget(&w->ports);
            continue;
        }
        uint64_t insts = max_insts < AT_ONCE ? max_insts : AT_ONCE;
        const uint64_t before = h->instret;
        if (g->alarm_cycle - h->cycle < insts)
            insts = g->alarm_cycle - h->cycle;
        enum rv_trap trap = w->plain ? rv_execute(h, insts, &w->watch) : warm_singly(w, insts);
        max_insts -= h->instret - before;
        if (trap == RV_TRAP_LIMIT)
            continue;
        warm_perform(w, g, trap);
        if (trap == RV_TRAP_ECALL) {
            max_insts--;
            h->instret++;
            h->cycle++;
        }
    }
    return RV_TRAP_NONE;
}

enum rv_trap warm_run(const struct engine_parts *parts, uint64_t max_insts, const uint64_t *stop_pc)
{
    struct hart *h = &parts->guest->hart;
    struct warming *w = aligned_alloc(_Alignof(struct warming), sizeof *w);
    const uint64_t stop = stop_pc != NULL ? *stop_pc : UINT64_MAX;
    if (w == NULL)
        BUG("no memory");
    warming_init(w, parts);
    rv_stop_at(h, stop);
    enum rv_trap trap = warm_to(w, parts->guest, max_insts, stop);
    rv_stop_at(h, UINT64_MAX);
    warm_ports_end(&w->ports);
    free(w);
    return trap;
}
