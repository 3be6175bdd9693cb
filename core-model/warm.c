/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functional warming: each instruction is executed, its cache lines and pages are accessed without page faults, and
 * branches train the predictors. Nothing takes time: lines and translations are there at once, prefetches are never
 * dropped. The guest's cycle counter advances by one for each instruction. */
#include "core-model/warm.h"

#include "contract/opclass.h"
#include "core-model/mem/warm_port.h"
#include "core-model/riscv/sem_fp.h"
#include "core-model/riscv/translate/translation.h"

/* Labels as values are a GNU C extension. */
#pragma GCC diagnostic ignored "-Wpedantic"

struct warming {
    struct rv_watch watch; /* the first member */
    struct warm_ports ports;
    struct hart *hart;
    struct bpred *bpred;
    struct bpred_history *history;
    bool notes_pages; /* page faults are modelled */
    bool plain;       /* usual instructions are executed by translated code, or by warm_plain */
};

static struct warming *warming_of(struct rv_watch *w) { return (struct warming *)w; }

/* The instruction at pc is in another line than the last one. */
static void warm_fetch(struct rv_watch *w, uint64_t pc)
{
    w->line = pc >> w->code.line_bits;
    if (!lines_again(&w->code, w->code.line_bits, w->code.mask, pc, 1, false))
        warm_code(&warming_of(w)->ports, pc);
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

static void warm_branch(struct rv_watch *watch, uint64_t pc, bool taken, uint64_t target)
{
    const struct warming *w = warming_of(watch);
    bpred_warm_direction(w->bpred, pc, w->history->branches, taken);
    bpred_history_branch(w->history, taken);
    if (taken)
        bpred_train_target(w->bpred, pc, target);
}

/* The jump `in` at pc, after which the program continues at `next`. */
static void warm_jump(struct warming *w, const struct rv_insn *in, uint64_t pc, uint64_t next)
{
    struct bpred *b = w->bpred;
    struct bpred_info info;
    if (rv_is_plain_indirect(in)) {
        (void)bpred_indirect(b, pc, w->history->path, &info);
        bpred_train_indirect(b, &info, next);
        bpred_history_jump(b, w->history, next);
    }
    warm_return_stack(b, (enum opclass)in->opclass, pc + in->length_bytes);
    bpred_train_target(b, pc, next);
}

static void warm_jump_at(struct rv_watch *watch, uint64_t pc, uint64_t target)
{
    enum rv_trap trap;
    struct warming *w = warming_of(watch);
    const struct rv_insn *in = code_fetch(w->hart, pc, &trap); /* decoded, as it is translated */
    warm_jump(w, in, pc, in->flags & RV_INDIRECT ? target : pc + (uint64_t)(int64_t)in->imm);
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
    if (pc >> w->watch.code.line_bits != w->watch.line)
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
        warm_jump(w, in, pc, o.next_pc);
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

/* ---- the loop for usual instructions ---- */

/* Whether the access is a plain one; then it has been made in cache and TLB. */
static bool warm_access(struct rv_watch *w, uint64_t addr, unsigned size_bytes, bool is_write)
{
    if (!memory_allows_inside(&warming_of(w)->hart->mem, addr, size_bytes, is_write ? MEM_DIRECT_W : MEM_DIRECT_R))
        return false;
    warm_data(&warming_of(w)->ports, addr, size_bytes, is_write, true);
    return true;
}

/* The end of the stretch of code that begins with `in` at pc: that of the cache line, the instruction at `stop_pc`, or
 * as many halfwords as there are instructions left, whichever is first. */
static inline const struct rv_insn *stretch_end(const struct warming *w, const struct rv_insn *in, uint64_t pc,
                                                uint64_t stop_pc, uint64_t insts)
{
    const uint64_t line_bytes = UINT64_C(1) << w->watch.code.line_bits;
    uint64_t slots = (line_bytes - (pc & (line_bytes - 1))) / 2;
    if (insts < slots)
        slots = insts;
    if (stop_pc - pc < slots * 2)
        slots = (stop_pc - pc + 1) / 2; /* an odd address is none of an instruction */
    return in + slots;
}

/* Executes at most `insts` instructions up to that at `stop_pc` or one that is left to rv_exec. Returns their number.
 */
static uint64_t warm_plain(struct warming *w, uint64_t insts, uint64_t stop_pc)
{
    static const void *const label[RV_OP_COUNT] = {
#define RV(sym, ...) &&op_##sym,
#include "core-model/riscv/rv.def"
#undef RV
    };
    struct hart *const h = w->hart;
    const struct memory *const mem = &h->mem;
    struct lines *const data = &w->watch.data;
    uint64_t *const reg = h->reg, n = 0, pc = h->pc, next, result;
    uint32_t *const fcsr = &h->fcsr;
    const struct rv_insn *in, *end;
    const bool nearest = fp_effective_mode(FP_DYN, h->fcsr) == FP_RNE;
    enum rv_trap trap;
    bool taken;
    fp_host_clear();
    fp_barrier();
stretch:
    if (n == insts || pc == stop_pc || (in = code_fetch(h, pc, &trap)) == NULL)
        goto unusual;
    if (pc >> w->watch.code.line_bits != w->watch.line)
        warm_fetch(&w->watch, pc);
    end = stretch_end(w, in, pc, stop_pc, insts - n);

#define EXECUTE()                           \
    if (in >= end || in->length_bytes == 0) \
        goto stretch;                       \
    next = pc + in->length_bytes;           \
    goto *label[in->op];
#define COMPLETE()      \
    n++;                \
    pc = next;          \
    in = rv_behind(in); \
    EXECUTE()
#define RESULT()           \
    reg[in->dst] = result; \
    reg[0] = 0;
#define MAY(addr, bytes, is_write)                                            \
    (lines_again(data, data->line_bits, data->mask, addr, bytes, is_write) || \
     warm_access(&w->watch, addr, bytes, is_write))
#define MAY_READ(addr, bytes) MAY(addr, bytes, false)
#define MAY_WRITE(addr, bytes) MAY(addr, bytes, true)
    EXECUTE()
#include "core-model/riscv/plain.inc"
branch:
    warm_branch(&w->watch, pc, taken, next);
    if (!taken) {
        COMPLETE()
    }
    n++;
    pc = next;
    goto stretch;
jump:
    warm_jump(w, in, pc, next);
    n++;
    pc = next;
    goto stretch;
#undef EXECUTE
#undef COMPLETE
#undef RESULT
#undef MAY
#undef MAY_READ
#undef MAY_WRITE

unusual:
    fp_barrier();
    h->fcsr |= fp_host_flags();
    h->pc = pc;
    return n;
}

/* The guest's counters, `insts` instructions after their values `cycle` and `instret`. */
static inline void warm_count(struct hart *h, uint64_t cycle, uint64_t instret, uint64_t insts)
{
    h->cycle = cycle + insts;
    h->instret = instret + insts;
}

static enum rv_trap warm_translated(struct warming *w, uint64_t insts)
{
    uint64_t executed;
    struct hart *h = w->hart;
    enum rv_trap trap = translated_run(h, insts, &executed);
    h->cycle += executed;
    h->instret += executed;
    return trap == RV_TRAP_LIMIT ? RV_TRAP_NONE : trap;
}

/* Warms by at most `insts` instructions, of which none is that at `stop_pc`. Returns a trap, or RV_TRAP_NONE. */
static enum rv_trap warm_some(struct warming *w, uint64_t insts, uint64_t stop_pc)
{
    struct hart *h = w->hart;
    const uint64_t cycle = h->cycle, instret = h->instret;
    uint64_t n = 0;
    enum rv_trap trap = RV_TRAP_NONE;
    if (w->plain && h->code->translation != NULL)
        return warm_translated(w, insts);
    for (; n < insts && h->pc != stop_pc; n++) {
        if (w->plain)
            n += warm_plain(w, insts - n, stop_pc);
        if (n == insts || h->pc == stop_pc)
            break;
        const struct rv_insn *in = code_fetch(h, h->pc, &trap);
        if (in == NULL)
            break;
        warm_count(h, cycle, instret, n); /* which it may read */
        trap = warm_one(w, in, h->pc);
        if (trap != RV_TRAP_NONE)
            break;
    }
    warm_count(h, cycle, instret, n);
    return trap;
}

static void warming_init(struct warming *w, const struct engine_parts *parts)
{
    *w = (struct warming){.watch = {.line = UINT64_MAX,
                                    .fetch = warm_fetch,
                                    .access = warm_access,
                                    .branch = warm_branch,
                                    .jump = warm_jump_at,
                                    .step = warm_step},
                          .hart = &parts->guest->hart,
                          .bpred = parts->bpred,
                          .history = parts->history,
                          .notes_pages = parts->config->page_fault_cycles != 0};
    warm_ports_init(&w->ports, parts->mem, &w->watch.code, &w->watch.data);
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
        enum rv_trap trap = warm_some(w, insts, stop);
        max_insts -= h->instret - before;
        if (trap == RV_TRAP_NONE)
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
    struct warming w;
    const uint64_t stop = stop_pc != NULL ? *stop_pc : UINT64_MAX;
    warming_init(&w, parts);
    rv_stop_at(h, stop);
    if (w.plain && h->code->translation != NULL)
        translation_watch(h, &w.watch);
    enum rv_trap trap = warm_to(&w, parts->guest, max_insts, stop);
    rv_stop_at(h, UINT64_MAX);
    return trap;
}
