/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The architectural state of one RV64GC hart and the two ways to advance it:
 * rv_run, the functional loop, and rv_exec, one instruction that can be undone, by which the out-of-order cores execute
 * at fetch along the predicted path and roll back what was wrong (design: functional execution at fetch). Both go
 * through the same semantics, one function per row of rv.def. */
#ifndef CORE_MODEL_RISCV_HART_H
#define CORE_MODEL_RISCV_HART_H

#include "core-model/riscv/insn.h"
#include "core-model/riscv/memory.h"

enum rv_trap {
    RV_TRAP_NONE,
    RV_TRAP_FETCH,      /* pc not executable */
    RV_TRAP_ILLEGAL,    /* not an instruction of RV64GC */
    RV_TRAP_BREAKPOINT, /* ebreak */
    RV_TRAP_LOAD,       /* access fault; hart->fault_addr is the address */
    RV_TRAP_STORE,
    RV_TRAP_MISALIGNED, /* an atomic access that is not naturally aligned; fault_addr too */
    RV_TRAP_ECALL,      /* system call: pc stays at the ecall until linux_syscall has advanced it */
    RV_TRAP_LIMIT,      /* rv_run: the instruction budget is used up */
    RV_TRAP_STOP,       /* rv_run: hart->stop was set from outside */
    RV_TRAP_PAGE,       /* a core's own: the page has not been touched before (page_fault_cycles) */
};

struct rv_code; /* decoded instructions, by address */

struct hart {
    uint64_t
        reg[65]; /* x0..x31, then f0..f31 (NaN-boxed); reg[0] is always 0; reg[64] is where rv_run puts what x0 drops */
    uint64_t pc;
    uint32_t fcsr;        /* fflags in bits 4:0, frm in bits 7:5 */
    uint64_t reservation; /* address of the last load-reserved; UINT64_MAX where there is none */
    uint64_t reserved_value;
    uint64_t fault_addr;
    uint64_t instret;              /* retired instructions: rv_run counts; a core sets it */
    uint64_t cycle;                /* cycles: equals instret under rv_run; a core sets it */
    uint64_t time_per_1000_cycles; /* ticks of the `time` CSR in 1000 cycles */
    struct memory mem;
    struct rv_code *code; /* owned */
    volatile int stop;    /* set by a signal handler to leave rv_run soon */
};

/* What one executed instruction did, and what is needed to take it back. */
struct rv_outcome {
    uint64_t next_pc;
    uint64_t value;      /* what dst became; for stores, the datum written (zero-extended from its width) */
    uint64_t ea;         /* effective address of loads, stores and atomics */
    uint64_t operand[2]; /* src[0] and src[1] before execution */
    uint64_t old_dst;    /* ---- the undo part ---- */
    uint64_t old_mem;    /* memory before a store */
    uint64_t old_reservation, old_reserved_value;
    uint32_t old_fcsr;
    uint8_t mem_bytes; /* 0 where memory is not accessed */
    uint8_t wrote_mem; /* 1: memory [ea, ea + mem_bytes) was written */
    uint8_t taken;     /* conditional branch taken, or any jump */
    uint8_t trap;      /* enum rv_trap; if not NONE, nothing has changed and pc stands */
};

enum status hart_init(struct hart *h, struct errmsg *err) MUST_USE;
void hart_fini(struct hart *h);

/* The decoded instruction at pc, from the decode cache, or NULL with *trap set. The pointer stays valid until code is
 * discarded. */
const struct rv_insn *rv_fetch(struct hart *h, uint64_t pc, enum rv_trap *trap);
/* Forgets decoded instructions in the range: after fence.i, mmap, munmap, mprotect of code. */
void rv_discard_code(struct hart *h, uint64_t start, uint64_t size_bytes);

/* Executes `in`, which stands at h->pc, and advances h->pc. System calls are not performed: RV_TRAP_ECALL.
 * On any trap the state is unchanged. `out` (borrowed) is filled completely. */
void rv_exec(struct hart *h, const struct rv_insn *in, struct rv_outcome *out);
/* Takes back the youngest not yet undone rv_exec, whose instruction stood at `pc`. */
void rv_undo(struct hart *h, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *out);

/* Runs until a trap or `max_insts` instructions have retired; adds them to h->instret. */
enum rv_trap rv_run(struct hart *h, uint64_t max_insts);

#endif
