/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control-flow graph and the call graph of a program, from its instructions: basic blocks and the edges between
 * them, forward and backward.
 *
 * Code is decoded by a linear sweep over the ranges given. A block begins at the start of a range, at a function's
 * entry, at the target of a direct branch, jump or call, at the destination of a transfer that was added, and behind
 * each instruction that ends a block. Functions' entries are those that were added and all targets of calls. An
 * indirect jump or call has the edges of the transfers that were added for it, and no others: jump tables are not
 * analysed. A return has no edges; code_graph_returns finds the returns at which a call can come back. */
#ifndef HOST_CODE_GRAPH_H
#define HOST_CODE_GRAPH_H

#include <stddef.h>

#include "isa/contract/code.h"

enum code_graph_edge_kind {
    CODE_GRAPH_FALL, /* to the next block, without a branch */
    CODE_GRAPH_NOT_TAKEN,
    CODE_GRAPH_TAKEN,
    CODE_GRAPH_JUMP,     /* direct */
    CODE_GRAPH_INDIRECT, /* an indirect jump, from a transfer that was added */
    CODE_GRAPH_CALL,     /* to a callee's entry, direct or from a transfer that was added */
    /* From a call to the instruction behind it. A call that is followed by a function's entry has none: it does not
     * come back. */
    CODE_GRAPH_PAST_CALL
};

struct code_graph_edge {
    uint32_t from, to; /* blocks */
    enum code_graph_edge_kind kind;
};

struct code_graph_block {
    uint64_t start, last;  /* addresses of its first and last instruction */
    uint32_t first, insns; /* number of its first instruction, as code_graph_pc takes it; number of instructions */
    enum code_kind ends;   /* kind of the last one; PLAIN: the next block begins behind it */
    bool entry;            /* a function begins here */
    uint32_t function;     /* the block of the last entry at or before it in its range; itself if there is none */
};

#define CODE_GRAPH_NONE UINT32_MAX /* no block */

struct code_graph;

/* An empty graph. The code is copied; its ctx is borrowed until code_graph_build. */
struct code_graph *code_graph_new(const struct code *code);
/* NULL is allowed. */
void code_graph_free(struct code_graph *g);

/* Before code_graph_build: an executable range, a function's entry, and a transfer of control from the instruction at
 * pc to `next`, as a run made it. Those of direct branches and jumps, and destinations outside the ranges, add
 * nothing. */
void code_graph_add_range(struct code_graph *g, uint64_t start, uint64_t end);
void code_graph_add_entry(struct code_graph *g, uint64_t pc);
void code_graph_add_transfer(struct code_graph *g, uint64_t pc, uint64_t next);
/* Makes the blocks and the edges. To be called once. */
void code_graph_build(struct code_graph *g);

/* Blocks are numbered by rising address, edges by block of origin; all arrays are the graph's. */
const struct code_graph_block *code_graph_blocks(const struct code_graph *g, size_t *count);
const struct code_graph_edge *code_graph_edges(const struct code_graph *g, size_t *count);
/* Numbers of the edges that leave a block, and of those that enter it. */
const uint32_t *code_graph_out(const struct code_graph *g, uint32_t block, size_t *count);
const uint32_t *code_graph_in(const struct code_graph *g, uint32_t block, size_t *count);

/* The block that has an instruction at pc; CODE_GRAPH_NONE: there is none. */
uint32_t code_graph_find(const struct code_graph *g, uint64_t pc);
/* The number of the instruction at pc, which `block` has. */
uint32_t code_graph_insn(const struct code_graph *g, uint32_t block, uint64_t pc);
/* The address and the kind of an instruction. */
uint64_t code_graph_pc(const struct code_graph *g, uint32_t insn);
enum code_kind code_graph_kind(const struct code_graph *g, uint32_t insn);

/* The blocks that end in a return and are reachable from the entries of the callees of a block that ends in a call,
 * without entering their callees: where the call comes back, tail calls included. Each block is there once. Kept after
 * the first look-up. */
const uint32_t *code_graph_returns(struct code_graph *g, uint32_t call, size_t *count);

#endif
