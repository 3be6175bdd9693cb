/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control-flow graph and the call graph of a program, from its instructions: basic blocks and the edges between
 * them, forward and backward.
 *
 * Code is decoded by a linear sweep over the ranges given. A block begins at the start of a range, at a function's entry,
 * at the target of a direct branch, jump or call, at the destination of a transfer that was added, and behind each
 * instruction that ends a block. Functions' entries are those that were added and all targets of calls. An indirect jump
 * or call has the edges of the transfers that were added for it, and no others: jump tables are not analysed. A return
 * has no edges; flow_returns finds the returns at which a call can come back. */
#ifndef HOST_FLOW_H
#define HOST_FLOW_H

#include <stddef.h>

#include "isa/contract/code.h"

enum flow_edge_kind {
    FLOW_FALL,     /* to the next block, without a branch */
    FLOW_NOT_TAKEN,
    FLOW_TAKEN,
    FLOW_JUMP,     /* direct */
    FLOW_INDIRECT, /* an indirect jump, from a transfer that was added */
    FLOW_CALL,     /* to a callee's entry, direct or from a transfer that was added */
    /* From a call to the instruction behind it. A call that is followed by a function's entry has none: it does not
     * come back. */
    FLOW_PAST_CALL
};

struct flow_edge {
    uint32_t from, to; /* blocks */
    enum flow_edge_kind kind;
};

struct flow_block {
    uint64_t start, last;  /* addresses of its first and last instruction */
    uint32_t first, insns; /* number of its first instruction, as flow_pc takes it; number of instructions */
    enum code_kind ends;   /* kind of the last one; PLAIN: the next block begins behind it */
    bool entry;            /* a function begins here */
    uint32_t function;     /* the block of the last entry at or before it in its range; itself if there is none */
};

enum { FLOW_NONE = UINT32_MAX }; /* no block */

struct flow_graph;

/* An empty graph. The code is copied; its ctx is borrowed until flow_build. */
struct flow_graph *flow_new(const struct code *code);
/* NULL is allowed. */
void flow_free(struct flow_graph *g);

/* Before flow_build: an executable range, a function's entry, and a transfer of control from the instruction at pc to
 * `next`, as a run made it. Those of direct branches and jumps, and destinations outside the ranges, add nothing. */
void flow_add_range(struct flow_graph *g, uint64_t start, uint64_t end);
void flow_add_entry(struct flow_graph *g, uint64_t pc);
void flow_add_transfer(struct flow_graph *g, uint64_t pc, uint64_t next);
/* Makes the blocks and the edges. To be called once. */
void flow_build(struct flow_graph *g);

/* Blocks are numbered by rising address, edges by block of origin; all arrays are the graph's. */
const struct flow_block *flow_blocks(const struct flow_graph *g, size_t *count);
const struct flow_edge *flow_edges(const struct flow_graph *g, size_t *count);
/* Numbers of the edges that leave a block, and of those that enter it. */
const uint32_t *flow_out(const struct flow_graph *g, uint32_t block, size_t *count);
const uint32_t *flow_in(const struct flow_graph *g, uint32_t block, size_t *count);

/* The block that has an instruction at pc; FLOW_NONE: there is none. */
uint32_t flow_find(const struct flow_graph *g, uint64_t pc);
/* The number of the instruction at pc, which `block` has. */
uint32_t flow_insn(const struct flow_graph *g, uint32_t block, uint64_t pc);
/* The address and the kind of an instruction. */
uint64_t flow_pc(const struct flow_graph *g, uint32_t insn);
enum code_kind flow_kind(const struct flow_graph *g, uint32_t insn);

/* The blocks that end in a return and are reachable from the entries of the callees of a block that ends in a call,
 * without entering their callees: where the call comes back, tail calls included. Each block is there once. Kept after
 * the first look-up. */
const uint32_t *flow_returns(struct flow_graph *g, uint32_t call, size_t *count);

#endif
