/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decode cache: for each code page an array of decoded instructions, indexed by halfword and filled on first use.
 * Private to this folder and, for code_fetch and code_fetch_near, front/front.h and warm.c. */
#ifndef CORE_MODEL_RISCV_CODE_H
#define CORE_MODEL_RISCV_CODE_H

#include "core-model/riscv/hart.h"

enum { CODE_SLOTS = MEM_PAGE_BYTES / 2 };

struct rv_page {
    uint64_t start;                  /* guest address of the page */
    uint64_t serial;                 /* see rv_code_serial */
    uint32_t index;                  /* index in rv_code.live */
    struct rv_insn insn[CODE_SLOTS]; /* length_bytes 0: not decoded; entered by code_enter */
    /* Contents of the page, from which all slots were decoded, unless `differs`. A flush compares them with memory. */
    uint8_t bytes[MEM_PAGE_BYTES];
    bool differs;
    uint32_t block[CODE_SLOTS]; /* by slot: the translated block that begins there, or up to COLD_TIMES */
};

struct rv_code {
    struct rv_page **page; /* by page number; NULL: nothing decoded */
    struct rv_page **live;
    uint32_t live_count, live_capacity;
    /* Discarded pages are freed later, because the instruction that caused the discard may still be in
     * flight. */
    struct rv_page **dead;
    uint32_t dead_count, dead_capacity;
    uint64_t discards, serials;           /* pages discarded, and allocated */
    struct code_translation *translation; /* owned; NULL: code is interpreted */
};

enum status code_init(struct hart *h, struct errmsg *err) MUST_USE;
void code_fini(struct hart *h);

/* The page of pc, allocated if necessary; NULL: pc is not executable. */
struct rv_page *code_page_slow(struct hart *h, uint64_t pc);
static inline struct rv_page *code_page(struct hart *h, uint64_t pc)
{
    if (pc >> MEM_ADDRESS_BITS != 0)
        return NULL;
    struct rv_page *page = h->code->page[pc >> MEM_PAGE_BITS];
    return page != NULL ? page : code_page_slow(h, pc);
}

/* Enters a decoded instruction into its slot. The host is little-endian, as the guest is. */
static inline struct rv_insn *code_enter(struct rv_page *page, size_t slot, const struct rv_insn *in)
{
    const size_t inside = slot == CODE_SLOTS - 1 ? 2 : in->length_bytes;
    page->insn[slot] = *in;
    page->differs |= memcmp(page->bytes + 2 * slot, &in->word, inside) != 0;
    return &page->insn[slot];
}

/* Decodes the instruction at pc; RV_TRAP_FETCH or RV_TRAP_ILLEGAL on failure. */
enum rv_trap code_decode(const struct hart *h, uint64_t pc, struct rv_insn *out);

/* rv_fetch with an inline fast path; code_fetch_slow decodes instructions that are not in the decode cache. */
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

/* code_fetch for an even pc in the page of `near`, which is the instruction at `at`. */
static inline const struct rv_insn *code_fetch_near(struct hart *h, const struct rv_insn *near, uint64_t at,
                                                    uint64_t pc, enum rv_trap *trap)
{
    const struct rv_insn *in = near + (int64_t)((pc >> 1) - (at >> 1));
    if (__builtin_expect(in->length_bytes == 0, 0))
        return code_fetch_slow(h, pc, trap);
    *trap = RV_TRAP_NONE;
    return in;
}

#endif
