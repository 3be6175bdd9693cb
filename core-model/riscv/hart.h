/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Architectural state of one RV64GC hart and two ways to advance it: rv_run, the functional loop, and rv_exec, which
 * executes one instruction that can be undone; with it the cores execute at fetch along the predicted path and roll
 * back wrong paths. Both use the same semantics, one function per row of rv.def. */
#ifndef CORE_MODEL_RISCV_HART_H
#define CORE_MODEL_RISCV_HART_H

#include "core-model/riscv/insn.h"
#include "core-model/riscv/memory.h"
#include "core-model/riscv/store_buffer.h"

enum rv_trap {
    RV_TRAP_NONE,
    RV_TRAP_FETCH,      /* pc not executable */
    RV_TRAP_ILLEGAL,    /* not an instruction of RV64GC */
    RV_TRAP_BREAKPOINT, /* ebreak */
    RV_TRAP_LOAD,       /* access fault; hart->fault_addr is the address */
    RV_TRAP_STORE,
    RV_TRAP_MISALIGNED, /* an atomic access that is not naturally aligned; hart->fault_addr is the address */
    RV_TRAP_BUS,        /* access behind the end of a mapped file; hart->fault_addr is the address */
    RV_TRAP_FETCH_BUS,  /* a bus error at fetch */
    RV_TRAP_ECALL,      /* system call: pc stays at the ecall until linux_syscall has advanced it */
    RV_TRAP_LIMIT,      /* rv_run: the instruction budget is used up, or the place to stop at is reached */
    RV_TRAP_STOP,       /* rv_run: hart->stop was set from outside */
    RV_TRAP_PAGE,       /* only in the timing models: first access to a page (page_fault_cycles) */
};

struct rv_code; /* decoded instructions, by address */

enum hart_stop {
    HART_STOP = 1,  /* the run may end */
    HART_PAUSE = 2, /* the run goes on, with the same results */
};

/* rv_run is for a hart that is alone: it performs stores at once. */
struct hart {
    uint64_t reg[65]; /* x0..x31, f0..f31 (NaN-boxed); reg[0] is always 0; rv_run writes results for x0 to reg[64] */
    uint64_t pc;
    uint32_t fcsr;        /* fflags in bits 4:0, frm in bits 7:5 */
    uint64_t reservation; /* address of the last load-reserved; UINT64_MAX: none */
    uint64_t reserved_value;
    uint64_t fault_addr;
    uint64_t instret;              /* retired instructions: counted by rv_run, set by a core */
    uint64_t cycle;                /* cycles: equal to instret under rv_run, set by a core */
    uint64_t time_per_1000_cycles; /* ticks of the `time` CSR per 1000 cycles */
    uint64_t slept_cycles;         /* by which that CSR is ahead of `cycle` */
    struct memory mem;
    struct store_buffer *stores; /* stores that other harts do not see yet; NULL: there is no other. Borrowed. */
    /* Position of the mispredicted instruction behind which it executes, or UINT64_MAX; NULL: what executes is not
     * undone. Borrowed. */
    const uint64_t *wrong;
    struct rv_code *code; /* owned */
    uint64_t stop_pc;     /* rv_run: see rv_stop_at */
    /* Read by translated code, and borrowed: translate/jump.h, NULL if there is none; translate/watch.h, NULL: no
     * observer. */
    struct rv_jump *jumps;
    struct rv_watch *watch;
    struct rv_blocks *blocks; /* counts of blocks (blocks.h). Borrowed; NULL: none. */
    volatile int stop;        /* enum hart_stop, set by a signal handler to leave rv_run soon */
};

/* A wrong path does not write to memory that other processes may see, nor to code. */
enum rv_write { RV_WRITE_NONE, RV_WRITE_DONE, RV_WRITE_LEFT_OUT };

/* Outcome of one executed instruction, and its undo information. */
struct rv_outcome {
    uint64_t next_pc;
    uint64_t value;      /* result in dst; for stores, the data written (zero-extended from the access width) */
    uint64_t ea;         /* effective address of loads, stores and atomics */
    uint64_t operand[2]; /* src[0] and src[1] before execution */
    uint64_t old_dst;    /* from here on: undo information; this member: old value of dst */
    uint64_t old_mem;    /* memory before a store */
    uint64_t old_reservation, old_reserved_value;
    uint32_t old_fcsr;
    uint8_t mem_bytes; /* access width; 0: no memory access */
    uint8_t wrote_mem; /* enum rv_write: of [ea, ea + mem_bytes) */
    uint8_t taken;     /* conditional branch taken, or any jump */
    uint8_t trap;      /* enum rv_trap; if not NONE, state and pc are unchanged */
};

enum status hart_init(struct hart *h, struct errmsg *err) MUST_USE;
void hart_fini(struct hart *h);

/* The decoded instruction at pc, from the decode cache, or NULL with *trap set. The pointer stays valid until code is
 * discarded. */
const struct rv_insn *rv_fetch(struct hart *h, uint64_t pc, enum rv_trap *trap);
/* Discards decoded instructions in the range; to be called after fence.i, mmap, munmap or mprotect of code. */
void rv_discard_code(struct hart *h, uint64_t start, uint64_t size_bytes);
/* rv_discard_code for a hart with instructions in flight, which remain valid until rv_free_code or rv_discard_code. */
void rv_drop_code(struct hart *h, uint64_t start, uint64_t size_bytes);
void rv_free_code(struct hart *h);
/* rv_drop_code for pages of which memory no longer holds an instruction, and for those behind the end of a file that
 * has been truncated. Both are called when memory may have changed anywhere. */
void rv_drop_stale_code(struct hart *h);
void rv_drop_missing_code(struct hart *h);

/* A second decode cache that follows the first one (prof/log/lockstep.h). Without fence.i an instruction that has been
 * written over may still be executed, so two caches agree only if they decode and discard at the same times. The pages
 * of decoded instructions have serial numbers: that of pc (0: it has no page), and the last one. */
uint64_t rv_code_serial(const struct hart *h, uint64_t pc);
uint64_t rv_last_code_serial(const struct hart *h);
/* Discards the decoded page of pc, unless it has that number, and makes one with it; 0: none. */
void rv_follow_code(struct hart *h, uint64_t pc, uint64_t serial);
/* The decoded instruction at pc, which has a page; NULL: it is not decoded. */
const struct rv_insn *rv_decoded(const struct hart *h, uint64_t pc);
/* Makes it the instruction of the word; NULL: the word is none. */
const struct rv_insn *rv_enter_code(struct hart *h, uint64_t pc, uint32_t word);

/* Executes `in`, the instruction at h->pc, and advances h->pc. System calls are not performed: RV_TRAP_ECALL. On any
 * trap the state is unchanged. All members of `out` are set. */
void rv_exec(struct hart *h, const struct rv_insn *in, struct rv_outcome *out);
/* The general case of rv_undo. */
void rv_undo_any(struct hart *h, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *out);
/* Undoes the youngest rv_exec that has not been undone; its instruction is at `pc`. Most change a register at most. */
static inline void rv_undo(struct hart *h, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *out)
{
    if ((in->flags & (RV_STORE | RV_FP | RV_SERIAL)) != 0 || out->trap != RV_TRAP_NONE) {
        rv_undo_any(h, in, pc, out);
        return;
    }
    h->pc = pc;
    h->reg[in->dst] = out->old_dst; /* that of x0 is 0 */
}

/* From now on rv_run translates code, with `bytes` of memory (translate/translation.h); 0, or a host that is not
 * supported: it interprets. `apart`: no memory of the translation is both writable and executable. Results do not
 * depend on it. */
enum { RV_TRANSLATE_LEAST_MIB = 4, RV_TRANSLATE_MOST_MIB = 1024 };
void rv_translate(struct hart *h, size_t bytes, bool apart);
/* To be called in the child of a fork: the two processes would share what is translated apart. */
void rv_forked(struct hart *h);
/* From now on rv_run also ends, with RV_TRAP_LIMIT, before the instruction at pc; UINT64_MAX: at no place. */
void rv_stop_at(struct hart *h, uint64_t pc);
/* Runs until a trap or the retirement of `max_insts` instructions; adds their number to h->instret. */
enum rv_trap rv_run(struct hart *h, uint64_t max_insts);
/* The same at once, without a look at hart->stop; `watch`, which is borrowed, observes it. NULL: no observer. */
enum rv_trap rv_execute(struct hart *h, uint64_t insts, struct rv_watch *watch);

#endif
