/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Usual instructions are executed without undo information, in a loop over decoded ones; the others by rv_exec, one at
 * a time. */
#include "core-model/riscv/interpret.h"

#include "core-model/riscv/code.h"
#include "core-model/riscv/memory_guard.h"
#include "core-model/riscv/sem_fp.h"
#include "core-model/riscv/step.h"
#include "core-model/riscv/translate/watch.h"

/* Labels as values are a GNU C extension. */
#pragma GCC diagnostic ignored "-Wpedantic"

/* The end of the stretch of code that begins with `in` at pc: that of the observer's line or of the page, the place to
 * stop at, or as many halfwords as there are instructions left, whichever is first. */
static const struct rv_insn *stretch_end(const struct hart *h, const struct rv_insn *in, uint64_t pc, uint64_t insts)
{
    const uint64_t bytes = UINT64_C(1) << (h->watch != NULL ? h->watch->lines.line_bits : MEM_PAGE_BITS);
    uint64_t slots = (bytes - (pc & (bytes - 1))) / 2;
    if (insts < slots)
        slots = insts;
    if (h->stop_pc - pc < slots * 2)
        slots = (h->stop_pc - pc + 1) / 2; /* an odd address is none of an instruction */
    return in + slots;
}

/* Calls the observer, if there is one, for a usual access. */
static inline bool interpret_observe(struct hart *h, uint64_t addr, unsigned size_bytes, bool is_write, bool is_guarded)
{
    struct rv_watch *w = h->watch;
    if (w == NULL)
        return true;
    return lines_again(&w->lines, &lines_pair_of(&w->lines, w->pair, addr)->data, addr,
                       (unsigned)__builtin_ctz(size_bytes), is_write) ||
           w->access(w, addr, size_bytes, is_write, is_guarded);
}

/* In a page of a file, of which the host may refuse an access. False: it has, or the page is another one. */
static __attribute__((noinline)) bool interpret_read_file(struct hart *h, void *to, uint64_t addr, unsigned size_bytes)
{
    return memory_allows_inside(&h->mem, addr, size_bytes, MEM_R) &&
           memory_guarded_copy(to, memory_at(&h->mem, addr), size_bytes) &&
           interpret_observe(h, addr, size_bytes, false, true);
}

static inline bool interpret_read(struct hart *h, void *to, uint64_t addr, unsigned size_bytes)
{
    if (!memory_allows_inside(&h->mem, addr, size_bytes, MEM_DIRECT_R))
        return interpret_read_file(h, to, addr, size_bytes);
    if (!interpret_observe(h, addr, size_bytes, false, false))
        return false;
    memcpy(to, memory_at(&h->mem, addr), size_bytes);
    return true;
}

static inline bool interpret_write(struct hart *h, uint64_t addr, const void *from, unsigned size_bytes)
{
    if (!memory_allows_inside(&h->mem, addr, size_bytes, MEM_DIRECT_W) ||
        !interpret_observe(h, addr, size_bytes, true, false))
        return false;
    memcpy(memory_at(&h->mem, addr), from, size_bytes);
    return true;
}

/* The decoded page of an address, or NULL. */
static inline const struct rv_page *page_of(const struct hart *h, uint64_t pc)
{
    return pc >> MEM_ADDRESS_BITS == 0 ? h->code->page[pc >> MEM_PAGE_BITS] : NULL;
}

/* Executes at most `insts` instructions up to the place to stop at or one that is left to rv_exec. Returns their
 * number. */
static uint64_t interpret_usual(struct hart *h, uint64_t insts)
{
    enum { ROW_LABELS = 256, SHORT = 2, LONG = 4 };
    _Static_assert((int)RV_OP_COUNT <= ROW_LABELS, "each operation has a label");
    /* By operation and length: a piece of code that knows the length has the next instruction at once. Slots that are
     * not decoded are 0, and the first row has no short instruction. */
    static const void *const label[2 * ROW_LABELS] = {
#define RV(sym, ...) [RV_##sym] = RV_##sym == 0 ? &&stretch : &&short_##sym, [ROW_LABELS + RV_##sym] = &&long_##sym,
#include "core-model/riscv/rv.def"
#undef RV
    };
    struct rv_watch *const w = h->watch;
    uint64_t *const reg = h->reg, n = 0, pc = h->pc, next, result;
    uint32_t *const fcsr = &h->fcsr;
    const struct rv_insn *in, *end;
    const struct rv_page *page;
    /* As long as fewer instructions have been executed, the stretch ends at the end of the page, wherever it begins. */
    const uint64_t stop_page = h->stop_pc >> MEM_PAGE_BITS;
    const bool is_bounded = w != NULL || insts <= CODE_SLOTS;
    const uint64_t roomy = is_bounded ? 0 : insts - CODE_SLOTS;
    const bool nearest = fp_effective_mode(FP_DYN, h->fcsr) == FP_RNE;
    enum rv_trap trap;
    fp_host_clear();
    fp_barrier();
stretch:
    if (n == insts || pc == h->stop_pc || (in = code_fetch(h, pc, &trap)) == NULL)
        goto unusual;
    if (w != NULL && pc >> w->lines.line_bits != w->line)
        w->fetch(w, pc);
    end = stretch_end(h, in, pc, insts - n);

#define EXECUTE()     \
    if (in >= end)    \
        goto stretch; \
    goto *label[in->op | (in->length_bytes & LONG) * (ROW_LABELS / LONG)];
#define COMPLETE()          \
    n++;                    \
    pc += PLAIN_LENGTH;     \
    in += PLAIN_LENGTH / 2; \
    EXECUTE()
#define NOT_TAKEN() \
    if (w != NULL)  \
        w->branch(w, pc, false, pc + PLAIN_LENGTH);
#define RESULT()           \
    reg[in->dst] = result; \
    reg[0] = 0;
#define READ(to, addr, bytes) interpret_read(h, to, addr, bytes)
#define WRITE(addr, from, bytes) interpret_write(h, addr, from, bytes)
    EXECUTE()
#define PLAIN_LABEL(sym) short_##sym
#define PLAIN_LENGTH SHORT
#include "core-model/riscv/plain.inc"
#undef PLAIN_LABEL
#undef PLAIN_LENGTH
#define PLAIN_LABEL(sym) long_##sym
#define PLAIN_LENGTH LONG
#include "core-model/riscv/plain.inc"
#undef PLAIN_LABEL
#undef PLAIN_LENGTH
taken:
    if (w != NULL)
        w->branch(w, pc, true, next);
    goto transferred;
jump:
    if (w != NULL)
        w->jump(w, pc, next);
transferred:
    n++;
    if (n < roomy && next >> MEM_PAGE_BITS != stop_page && (page = page_of(h, next)) != NULL) {
        in = &page->insn[next >> 1 & (CODE_SLOTS - 1)];
        end = &page->insn[CODE_SLOTS];
        pc = next;
        EXECUTE()
    }
    pc = next;
    goto stretch;
#undef EXECUTE
#undef COMPLETE
#undef NOT_TAKEN
#undef RESULT
#undef READ
#undef WRITE

unusual:
    fp_barrier();
    h->fcsr |= fp_host_flags();
    h->pc = pc;
    return n;
}

enum rv_trap interpreted_run(struct hart *h, uint64_t limit, uint64_t *executed)
{
    enum rv_trap trap = RV_TRAP_NONE;
    uint64_t n = 0;
    while (n < limit && trap == RV_TRAP_NONE) {
        n += interpret_usual(h, limit - n);
        if (n < limit)
            trap = rv_step_counted(h, n, h->watch != NULL ? h->watch->step : rv_step);
        n += n < limit && trap == RV_TRAP_NONE;
    }
    *executed = n;
    return trap != RV_TRAP_NONE ? trap : RV_TRAP_LIMIT;
}
