/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the functional loop, which chooses regions of code, and the code generator, a shared object that is loaded
 * when the first region is to be compiled. */
#ifndef CORE_MODEL_RISCV_COMPILE_COMPILE_H
#define CORE_MODEL_RISCV_COMPILE_COMPILE_H

#include "core-model/riscv/compile/lines.h"
#include "core-model/riscv/format.h"
#include "core-model/riscv/fp.h"

enum { REGION_INSNS = 512 }; /* of a region, at most */

struct region_insn {
    uint64_t pc;
    struct rv_insn in;
    bool entry; /* the region may be entered here */
};

/* An observer of what is executed: functional warming (core-model/warm.h). Its functions are
 * called, in program order, for fetches from another line than before, for accesses to lines that are not remembered,
 * and for transfers of control. */
struct region_watch {
    struct lines code, data;
    uint64_t line; /* number of the line of the last instruction; UINT64_MAX: none yet */
    /* A fetch from another line. */
    void (*fetch)(struct region_watch *w, uint64_t pc);
    /* An access to a line that is not remembered, unless it is an unusual one, for which it returns false. */
    bool (*access)(struct region_watch *w, uint64_t addr, unsigned size_bytes, bool is_write);
    void (*branch)(struct region_watch *w, uint64_t pc, bool taken, uint64_t target);
    /* A jump to `next`; `after` is the address behind it; is_indirect: rv_is_plain_indirect. */
    void (*jump)(struct region_watch *w, uint64_t pc, uint64_t next, uint64_t after, unsigned opclass,
                 bool is_indirect);
};

/* Executes the region from *pc, one of its entries, and sets *pc to where it was left: before an instruction that is
 * outside of the region or accesses memory in an unusual way, or, once `limit` instructions were executed, behind a
 * transfer that is indirect or goes backwards. The latter is at most as many instructions later as the region has.
 * `reg` and `fcsr` are those of struct hart, `base` and `perm` those of struct memory. The host rounds to nearest, and
 * so does the guest's dynamic rounding mode. The functions of `watch` are called, if the region was compiled for an
 * observer. Returns the number of executed instructions. */
typedef uint64_t region_function(uint64_t *reg, uint8_t *base, const uint16_t *perm, uint64_t *pc, uint32_t *fcsr,
                                 uint64_t limit, struct region_watch *watch);

struct region_compiler {
    /* Compiles instructions in ascending order of addresses, for observers with such lines as `watch` has; NULL: for
     * none. Returns the code, to be released; NULL: it failed. */
    void *(*compile)(const struct region_insn *insn, size_t count, const struct region_watch *watch,
                     region_function **function);
    void (*release)(void *code);
};

/* The shared object's function; NULL: it cannot generate code for this host. */
#define REGION_COMPILER_SYMBOL "region_compiler_of_llvm"
const struct region_compiler *region_compiler_of_llvm(void);

#endif
