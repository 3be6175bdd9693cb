/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translated code of one hart: blocks of host code, each of which executes the instructions from its first one, up to a
 * transfer of control, the end of the page, or BLOCK_INSNS. A block is interpreted at first, because most code of short
 * programs is executed once; then it is translated, and jumps directly to those that follow it. The memory is bounded:
 * when it is full, all is translated anew.
 *
 * A block is entered at its head only. A page whose code is discarded has the heads of its blocks replaced by ways out,
 * so that jumps to them need not be known. Private to this folder, code.c and run.c. */
#ifndef CORE_MODEL_RISCV_TRANSLATE_TRANSLATION_H
#define CORE_MODEL_RISCV_TRANSLATE_TRANSLATION_H

#include "core-model/riscv/code.h"
#include "core-model/riscv/translate/jump.h"
#include "core-model/riscv/translate/watch.h"

/* Why translated code is left, and what follows. */
enum way_kind {
    WAY_INSN,   /* rv_exec is to execute the instruction at pc */
    WAY_BUDGET, /* there are fewer instructions left than the block at pc has */
    WAY_LINK,   /* the block at pc is to be translated, and the jump at `link` to go there */
};

struct way_out {
    uint64_t pc;
    uint32_t at;    /* offset of the code that leaves, from the start of the translation's */
    uint32_t link;  /* offset of a jump's distance */
    uint16_t insns; /* of the block, not executed yet: the head has subtracted them from the budget */
    uint8_t kind;   /* enum way_kind */
    uint8_t rest; /* if blocks are counted: instructions of the block `number` to come (blocks.h); 0: it is complete */
    uint32_t number;
};

struct code_translation {
    uint8_t *code; /* where it is executed: the ends of a run, blocks, and from `stubs` on a stub for each way out */
    ptrdiff_t writable; /* from there to where it is written */
    size_t bytes;       /* of all memory */
    uint32_t code_bytes, code_used, stubs;
    uint32_t leave, indirect; /* offsets of the ends of a run */
    uint32_t checks;          /* offset of the routines that are called for an observer */
    struct way_out *way;      /* in the order of the code */
    uint32_t ways_most, ways;
    struct rv_jump *jumps;
    uint64_t emptied; /* times that all was discarded */
    uint64_t stepped; /* instructions that rv_exec has executed */
    uint8_t *site;    /* what the observer knows of branches and jumps, WATCH_SITE_BYTES for each */
    uint32_t sites_most, sites;
    uint32_t line_bits; /* of the observer's lines; 0: there is none */
    const void *model;  /* the observer's, of which the sites are. Borrowed. */
    bool is_stale;      /* all is to be discarded before more is executed */
};

void translation_release(struct code_translation *t);

/* Times that a block is interpreted before it is translated. In rv_page.block such a number stands for the code. */
enum { COLD_TIMES = 3 };
/* The code of the block at pc, translated if it has been interpreted often enough, which this call counts. NULL: it is
 * to be interpreted, or pc is not executable. */
const uint8_t *translation_block(struct hart *h, uint64_t pc);
/* Whether the block at pc has been executed, and is not translated. */
bool translation_is_cold(const struct hart *h, uint64_t pc);
/* The same, NULL: it is not translated. */
const uint8_t *translation_find(const struct hart *h, uint64_t pc);
/* Adds a way out; returns the offset of its stub. */
uint32_t translation_add_way(struct code_translation *t, struct way_out w);
/* Has the observer describe the branch or jump at pc; returns the number of its site. */
uint32_t translation_add_site(struct hart *h, const struct rv_insn *in, uint64_t pc);
/* Has the jump of the way out go to the code. */
void translation_link(struct code_translation *t, const struct way_out *w, const uint8_t *code);
/* The blocks of the page, whose code is discarded, are executed no more. */
void translation_drop_page(struct code_translation *t, struct rv_page *page);
/* Code that is executed from now on tells `watch`, which is borrowed; NULL: no observer. */
void translation_watch(struct hart *h, struct rv_watch *watch);
/* Discards all. */
void translation_empty(struct hart *h);
/* An access by the host instruction at `pc` has failed: the address to go on at, from where rv_exec executes the
 * guest's instruction; NULL: it is none of the translation's. */
const uint8_t *translation_way_from(const struct code_translation *t, const uint8_t *pc);

/* Translates the block at pc, and blocks behind it. */
void translate_from(struct hart *h, uint64_t pc);

/* What `observe` of an observer is, while translated code is executed: see watch.h. NULL, or where translated code goes
 * on because the access is an unusual one. */
const uint8_t *watched_access(struct rv_watch *w, uint64_t addr, unsigned kind, const uint8_t *from);

/* Executes at most `limit` instructions; *executed is their number. RV_TRAP_LIMIT: that is all, or the place to stop at
 * is reached. */
enum rv_trap translated_run(struct hart *h, uint64_t limit, uint64_t *executed);

#endif
