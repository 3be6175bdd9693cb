/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control-flow graph and the call graph of a program, from its instructions: basic blocks and the edges between
 * them, forward and backward.
 *
 * Code is decoded by a linear sweep over the ranges given. A block begins at the start of a range, at a function's entry,
 * at the target of a direct branch, jump or call, at the destination of a transfer that was added, and behind each
 * instruction that ends a block. Functions' entries are those that were added and all targets of calls. An indirect jump
 * or call has the edges of the transfers that were added for it, and no others: jump tables are not analysed. A return
 * has no edges; cfg_returns finds the returns at which a call can come back. */
#ifndef HOST_CFG_H
#define HOST_CFG_H

#include <stddef.h>

#include "isa/contract/code.h"

enum cfg_edge_kind {
    CFG_FALL,     /* to the next block, without a branch */
    CFG_NOT_TAKEN,
    CFG_TAKEN,
    CFG_JUMP,     /* direct */
    CFG_INDIRECT, /* an indirect jump, from a transfer that was added */
    CFG_CALL,     /* to a callee's entry, direct or from a transfer that was added */
    /* From a call to the instruction behind it. A call that is followed by a function's entry has none: it does not
     * come back. */
    CFG_PAST_CALL
};

struct cfg_edge {
    uint32_t from, to; /* blocks */
    enum cfg_edge_kind kind;
};

struct cfg_block {
    uint64_t start, last;  /* addresses of its first and last instruction */
    uint32_t first, insns; /* number of its first instruction, as cfg_pc takes it; number of instructions */
    enum code_kind ends;   /* kind of the last one; PLAIN: the next block begins behind it */
    bool entry;            /* a function begins here */
    uint32_t function;     /* the block of the last entry at or before it in its range; itself if there is none */
};

enum { CFG_NONE = UINT32_MAX }; /* no block */

struct cfg;

/* An empty graph. The code is copied; its ctx is borrowed until cfg_build. */
struct cfg *cfg_new(const struct code *code);
/* NULL is allowed. The name cfg_free is libconfuse's. */
void cfg_release(struct cfg *g);

/* Before cfg_build: an executable range, a function's entry, and a transfer of control from the instruction at pc to
 * `next`, as a run made it. Those of direct branches and jumps, and destinations outside the ranges, add nothing. */
void cfg_add_range(struct cfg *g, uint64_t start, uint64_t end);
void cfg_add_entry(struct cfg *g, uint64_t pc);
void cfg_add_transfer(struct cfg *g, uint64_t pc, uint64_t next);
/* Makes the blocks and the edges. To be called once. */
void cfg_build(struct cfg *g);

/* Blocks are numbered by rising address, edges by block of origin; all arrays are the graph's. */
const struct cfg_block *cfg_blocks(const struct cfg *g, size_t *count);
const struct cfg_edge *cfg_edges(const struct cfg *g, size_t *count);
/* Numbers of the edges that leave a block, and of those that enter it. */
const uint32_t *cfg_out(const struct cfg *g, uint32_t block, size_t *count);
const uint32_t *cfg_in(const struct cfg *g, uint32_t block, size_t *count);

/* The block that has an instruction at pc; CFG_NONE: there is none. */
uint32_t cfg_find(const struct cfg *g, uint64_t pc);
/* The number of the instruction at pc, which `block` has. */
uint32_t cfg_insn(const struct cfg *g, uint32_t block, uint64_t pc);
/* The address and the kind of an instruction. */
uint64_t cfg_pc(const struct cfg *g, uint32_t insn);
enum code_kind cfg_kind(const struct cfg *g, uint32_t insn);

/* The blocks that end in a return and are reachable from a function's entry without entering its callees: where a call
 * of the function comes back, tail calls included. Kept after the first look-up. */
const uint32_t *cfg_returns(struct cfg *g, uint32_t entry, size_t *count);

#endif
