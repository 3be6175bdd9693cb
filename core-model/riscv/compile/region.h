/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hot regions of the functional loop: where they are, and their compiled code. The loop executes the same instructions
 * with the same results without them. Private to run.c, code.c and warm.c.
 */
#ifndef CORE_MODEL_RISCV_COMPILE_REGION_H
#define CORE_MODEL_RISCV_COMPILE_REGION_H

#include "core-model/riscv/code.h"
#include "core-model/riscv/compile/compile.h"

enum { REGION_EXITS = 64 };

struct compiled_region {
    region_function *function;
    void *code;                 /* of the compiler */
    uint32_t longest;           /* executed instructions behind the limit, at most */
    bool rounds;                /* has instructions that round to nearest if the dynamic mode says so */
    bool settled;               /* stays, though it is left soon */
    unsigned growth;            /* number of smaller regions that it has replaced, one after the other */
    uint64_t needed;            /* credit at which a larger one is searched again */
    uint64_t entered, executed; /* times, instructions */
    /* Where it was left lately, by a hash of the address. */
    struct region_exit {
        uint64_t pc, times;
    } exit[REGION_EXITS];
    uint64_t *page; /* numbers of the pages in which it has instructions */
    size_t pages;
    struct region_entry *entry;
    size_t entries;
};

/* An instruction at which the loop enters a region. */
struct region_entry {
    struct compiled_region *region;
    uint64_t pc;
    int32_t handler; /* that interprets it */
};

/* Regions of one hart's code. */
struct regions {
    const char *path;                       /* of the shared object; borrowed */
    const struct region_compiler *compiler; /* NULL: not loaded yet */
    struct compiled_region **region;
    size_t count;
    uint64_t executed;                      /* instructions, by regions that were given up */
    uint64_t turn_insts, since_turn, turns; /* the loop's turns: instructions, instructions of this one, number */
    uint64_t credit;                        /* instructions that may be compiled */
    int32_t handler;                        /* handler number of a slot at which a region is entered */
    struct region_watch *watch;             /* borrowed; NULL: regions are compiled without an observer */
    uint64_t outside;                       /* address of an instruction that no region has; UINT64_MAX: none */
};

/* From now on regions call the functions of `watch` (borrowed; NULL: no observer), and none has the instruction at
 * `outside`. Those that were compiled otherwise are given up. */
void regions_watch(struct rv_code *code, struct region_watch *watch, uint64_t outside);

/* The loop has executed instructions, at the end of a turn or before. After a turn it is decided where the hart's pc
 * is in code to be compiled, and regions that are left too soon grow or are given up. */
void regions_executed(struct hart *h, uint64_t insts);
/* Gives up the regions with instructions in the page, whose slots are about to be freed. */
void regions_forget_page(struct rv_code *code, uint64_t page_number);
void regions_fini(struct rv_code *code);

/* The region entry at pc, which is in a decoded page, or NULL. */
static inline const struct region_entry *region_entry_at(const struct rv_code *code, uint64_t pc)
{
    const struct rv_page *page = code->page[pc >> MEM_PAGE_BITS];
    return page->entry != NULL ? page->entry[pc >> 1 & (CODE_SLOTS - 1)] : NULL;
}
/* Executes the region of an entry from h->pc, for fewer than `budget` instructions. Returns their number; 0: the
 * instruction at h->pc is to be interpreted. */
uint64_t region_execute(struct hart *h, const struct region_entry *entry, uint64_t budget);

#endif
