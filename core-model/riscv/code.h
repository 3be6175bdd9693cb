/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache of decoded instructions: per code page an array indexed by halfword, once in full for the cores that time
 * instructions and once as what the functional loop needs. Both are filled on first use.
 * Private to code.c, run.c, hart.c and, for code_fetch, engine.h. */
#ifndef CORE_MODEL_RISCV_CODE_H
#define CORE_MODEL_RISCV_CODE_H

#include "core-model/riscv/hart.h"

enum { CODE_SLOTS = MEM_PAGE_BYTES / 2, CODE_OVERRUN = 2 };

/* What the functional loop reads. All zero: not yet decoded. */
struct rv_hot {
    int32_t handler; /* run.c's; 0 decodes */
    int32_t imm;     /* branches within the page: distance in bytes of this array */
    uint8_t dst;     /* 64 for x0 */
    uint8_t src0;
    union {
        struct {
            uint8_t src1;
            uint8_t extra; /* rounding mode; the third operand shares imm */
        };
        uint16_t here; /* jal, jalr, auipc: the slot's own index, for the pc */
    };
};

struct rv_page {
    uint64_t start; /* guest address */
    uint32_t index; /* in rv_code.live */
    /* The slots behind the end stand for the next page; a 4-byte instruction in the last halfword skips to the second.
     */
    struct rv_hot hot[CODE_SLOTS + CODE_OVERRUN];
    struct rv_insn insn[CODE_SLOTS]; /* length_bytes is 0 where not yet decoded */
};

struct rv_code {
    struct rv_page **page; /* by page number; NULL where nothing is decoded */
    struct rv_page **live;
    uint32_t live_count, live_capacity;
    /* Discarded pages live on until the next discard, because an instruction in flight may be the one that discarded.
     */
    struct rv_page **dead;
    uint32_t dead_count, dead_capacity;
};

enum status code_init(struct hart *h, struct errmsg *err) MUST_USE;
void code_fini(struct hart *h);

/* The page of pc, made if need be; NULL where pc is not executable. */
struct rv_page *code_page_slow(struct hart *h, uint64_t pc);
static inline struct rv_page *code_page(struct hart *h, uint64_t pc)
{
    if (pc >> MEM_ADDRESS_BITS != 0)
        return NULL;
    struct rv_page *page = h->code->page[pc >> MEM_PAGE_BITS];
    return page != NULL ? page : code_page_slow(h, pc);
}

/* Decodes what stands at pc into `out`; RV_TRAP_FETCH or RV_TRAP_ILLEGAL where it cannot. */
enum rv_trap code_decode(const struct hart *h, uint64_t pc, struct rv_insn *out);

/* rv_fetch with its common path inline; code_fetch_slow decodes instructions that are not in the decode cache. */
const struct rv_insn *code_fetch_slow(struct hart *h, uint64_t pc, enum rv_trap *trap);
static inline const struct rv_insn *code_fetch(struct hart *h, uint64_t pc, enum rv_trap *trap)
{
    const struct rv_page *page = pc >> MEM_ADDRESS_BITS == 0 ? h->code->page[pc >> MEM_PAGE_BITS] : NULL;
    if (__builtin_expect(page == NULL || (pc & 1) != 0, 0))
        return code_fetch_slow(h, pc, trap);
    const struct rv_insn *in = &page->insn[pc >> 1 & (CODE_SLOTS - 1)];
    if (__builtin_expect(in->length_bytes == 0, 0))
        return code_fetch_slow(h, pc, trap);
    *trap = RV_TRAP_NONE;
    return in;
}

#endif
