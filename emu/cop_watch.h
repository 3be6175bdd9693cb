/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watch port: reports each word and each sample event to the trace, the debugger and the tests. It belongs to the
 * model, not to the hardware. Without a watch it costs no simulation time.
 *
 * Cycles are core cycles. Cycle t of the co-processor begins at core cycle t * clock_divide. Events are reported in the
 * order of the co-processor's own time. Because simulation is lazy (cop.c), a delivery or bus access is reported when
 * the co-processor has reached its cycle. */
#ifndef EMU_COP_WATCH_H
#define EMU_COP_WATCH_H

#include "emu/cop.h"

/* Results of a word's units: inputs of its branch condition and its write ports. */
struct cop_units {
    unsigned address; /* base | index, the address at both arrays */
    uint64_t a, b;    /* operands; truncated to 32 bits for the ALU of a narrow word */
    uint64_t alu;
    bool clipped;
    uint64_t lane, row; /* at the value file's write port */
    bool full, same;    /* full: the lane is saturated; same: the old lane equals B truncated to its width */
    uint16_t index;     /* the index value written or tested */
    bool index_limit;
    int entry; /* match: the entry in its sub-array, or -1 */
};

/* A state element written by a word, named by its region and index (cop_inspect.h). A write to the associative array
 * reports two elements: tag and valid bit. */
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
    struct cop_units units; /* unused units: 0; unused entry: -1 */
    unsigned writes;
    struct cop_write write[COP_WRITES];
    bool branch;          /* the word has a condition, so the branch was predicted */
    bool taken;           /* branch outcome: the condition after inversion */
    bool predicted_right; /* true for a word without a condition */
    unsigned next;        /* address of the next word; equals pc after done and interrupt */
};

struct cop_arrival {
    enum opclass opclass;
    uint64_t cycle, readable; /* delivery; arrival of the last beat in the buffer */
    unsigned fields;
    const uint64_t *field; /* indexed by position in the record */
    unsigned queued;       /* samples in the buffer, including this one */
};

enum cop_drop {
#define DROP(sym, label, note, text) COP_DROP_##sym,
#include "isa/drop.def"
    COP_DROP_KINDS
};

/* Callbacks; each may be NULL. Pointer arguments are valid during the call. A callback sees the complete state of the
 * co-processor; `before` may also modify it (cop_inspect.h, the bus, cop_restore). Every callback may replace or end
 * the watch. */
struct cop_watch {
    void *ctx;
    /* The word at cop_pc is about to execute. */
    void (*before)(void *ctx, uint64_t cycle);
    void (*after)(void *ctx, const struct cop_step *step);
    /* The bubble in the cycle after a mispredicted branch. */
    void (*bubble)(void *ctx, uint64_t cycle);
    void (*delivered)(void *ctx, const struct cop_arrival *a);
    void (*dropped)(void *ctx, const struct sample *s, enum cop_drop why);
    /* The head sample is copied to the DFE; its first word, cop_pc, executes at `cycle`. */
    void (*dispatched)(void *ctx, uint64_t cycle, enum opclass opclass);
    /* The word at cop_pc has completed a sample. `cycle` is the first one after that word and its bubble. */
    void (*done)(void *ctx, uint64_t cycle);
    void (*interrupt)(void *ctx, uint64_t cycle);
    /* Fatal stop at cop_pc: an illegal word, a class without a start address, or a runaway, as cop_state says. */
    void (*stopped)(void *ctx, uint64_t cycle);
    void (*bus)(void *ctx, uint64_t cycle, bool write, uint32_t address, uint64_t value);
};

/* Sets the watch (`w` is copied), replacing any other; NULL removes it. */
void cop_watch(struct cop *c, const struct cop_watch *w);

#endif
