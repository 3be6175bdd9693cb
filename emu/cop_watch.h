/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watch port: what the co-processor does, word by word and sample by sample, for the trace, the debugger and the
 * tests. It belongs to the model, not to the hardware. A co-processor without a watch does not pay for it.
 *
 * Cycles are core cycles. Cycle t of the co-processor begins at core cycle t * clock_divide. Events come in the order
 * in which they happen in the co-processor. It is advanced lazily (cop.h): the event of a delivery or a bus access
 * comes when the co-processor has reached its cycle. */
#ifndef EMU_COP_WATCH_H
#define EMU_COP_WATCH_H

#include "emu/cop.h"

/* What the units of a word compute, for its condition and its write ports. */
struct cop_units {
    unsigned address; /* base | index, as both memories see it */
    uint64_t a, b;    /* operands; of a narrow word's ALU, cut to 32 bits */
    uint64_t alu;
    bool clipped;
    uint64_t lane, row; /* as the value file's write port sees them */
    bool full, same;    /* same: the lane, before the operation, is B cut to its width */
    uint16_t index;     /* written or tested */
    bool index_limit;
    int entry; /* match: the entry in its sub-array, or -1 */
};

/* A cell that a word has written, by its place on the bus (cop_inspect.h). A written associative entry gives two:
 * tag and valid bit. */
struct cop_write {
    enum bus_address region;
    unsigned element;
    uint64_t before, after;
};
enum { COP_WRITES = 6 }; /* value, index, row, both halves of a key, valid bit */

struct cop_step {
    unsigned pc;
    uint64_t cycle;
    const struct uop *uop;
    struct cop_units units; /* those of units that the word does not use are 0, entry -1 */
    unsigned writes;
    struct cop_write write[COP_WRITES];
    bool branch;          /* has a condition: it was predicted */
    bool taken;           /* the condition, with its inversion */
    bool predicted_right; /* always, without a condition */
    unsigned next;        /* the word that follows; with done and interrupt the same as pc */
};

struct cop_arrival {
    enum opclass opclass;
    uint64_t cycle, readable; /* delivered; its last beat is in the buffer */
    unsigned fields;
    const uint64_t *field; /* by position in the record */
    unsigned queued;       /* samples in the buffer, with this one */
};

enum cop_drop {
#define DROP(sym, label, note, text) COP_DROP_##sym,
#include "isa/contract/drop.def"
#undef DROP
    COP_DROP_KINDS
};

/* Any of them may be NULL. Pointers are good during the call. Within a callback all state is in the co-processor and
 * may be read; `before` may change it as well (cop_inspect.h, the bus, cop_restore), and any may end the watch or
 * set another. */
struct cop_watch {
    void *ctx;
    /* The word at cop_pc is about to execute. */
    void (*before)(void *ctx, uint64_t cycle);
    void (*after)(void *ctx, const struct cop_step *step);
    /* The cycle after a branch predicted wrong. */
    void (*bubble)(void *ctx, uint64_t cycle);
    void (*delivered)(void *ctx, const struct cop_arrival *a);
    void (*dropped)(void *ctx, const struct sample *s, enum cop_drop why);
    /* The head sample goes to the DFE; its first word, cop_pc, executes at `cycle`. */
    void (*dispatched)(void *ctx, uint64_t cycle, enum opclass opclass);
    /* A sample has been finished; by the word at cop_pc. `cycle` is the one behind that word and its bubble. */
    void (*done)(void *ctx, uint64_t cycle);
    void (*interrupt)(void *ctx, uint64_t cycle);
    /* Stopped at cop_pc, where it should not have: an illegal word, a class without an entry, a runaway. cop_state
     * says which. */
    void (*stopped)(void *ctx, uint64_t cycle);
    void (*bus)(void *ctx, uint64_t cycle, bool write, uint32_t address, uint64_t value);
};

/* Begins a watch (`w` is copied) in place of any there is; NULL ends it. */
void cop_watch(struct cop *c, const struct cop_watch *w);

#endif
