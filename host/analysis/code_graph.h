/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control-flow graph and the call graph of a program, from its code: basic blocks, and the edges between them in
 * both directions.
 *
 * Code is decoded by a linear sweep over the added ranges. A block begins at the start of a range, at a function's
 * entry, at the target of a direct branch, jump or call, at the destination of an added transfer, and after each
 * instruction that ends a block. Function entries are those added and all call targets. A return has no edges;
 * code_graph_returns finds the returns of a call. An indirect jump or call has the edges of the transfers added for it.
 *
 * code_graph_resolve adds what the code alone says: the edges of jump tables, and which calls do not return. Users that
 * add all transfers of a run do not need it. */
#ifndef HOST_ANALYSIS_CODE_GRAPH_H
#define HOST_ANALYSIS_CODE_GRAPH_H

#include <stddef.h>

#include "contract/code.h"

enum code_graph_edge_kind {
    CODE_GRAPH_FALL, /* fall-through to the next block */
    CODE_GRAPH_NOT_TAKEN,
    CODE_GRAPH_TAKEN,
    CODE_GRAPH_JUMP,     /* direct jump or taken branch */
    CODE_GRAPH_INDIRECT, /* indirect jump, from an added transfer or a jump table */
    CODE_GRAPH_CALL,     /* to a callee's entry, direct or from an added transfer */
    /* From a call to the next instruction. A call followed by a function's entry has no such edge, because it does
     * not return. */
    CODE_GRAPH_PAST_CALL
};

struct code_graph_edge {
    uint32_t from, to; /* blocks */
    enum code_graph_edge_kind kind;
};

struct code_graph_block {
    uint64_t start, last;  /* addresses of its first and last instruction */
    uint32_t first, insns; /* index of its first instruction, for code_graph_pc; number of instructions */
    enum code_kind ends;   /* kind of the last instruction; PLAIN: the next block follows */
    bool entry;            /* the block is a function's entry */
    uint32_t function; /* block of the closest function entry at or before it in its range; itself if there is none */
};

#define CODE_GRAPH_NONE UINT32_MAX /* no block */

struct code_graph;

/* Makes an empty graph. `code` is copied; its ctx is borrowed until code_graph_build. */
struct code_graph *code_graph_new(const struct code *code);
/* NULL is allowed. */
void code_graph_free(struct code_graph *g);

/* Called before code_graph_build: add an executable range, a function's entry, and an observed control transfer from
 * the instruction at pc to `next`. Transfers of direct branches and jumps, and destinations outside the ranges, are
 * ignored. */
void code_graph_add_range(struct code_graph *g, uint64_t start, uint64_t end);
void code_graph_add_entry(struct code_graph *g, uint64_t pc);
void code_graph_add_transfer(struct code_graph *g, uint64_t pc, uint64_t next);
/* Called before code_graph_build: jump tables are read (struct code's `constant`), and calls without a return have no
 * edge past them. The ctx of the code is borrowed until code_graph_build returns. */
void code_graph_resolve(struct code_graph *g);
/* Makes the blocks and the edges. Called once. */
void code_graph_build(struct code_graph *g);

/* Blocks are numbered by ascending address, edges by source block. All arrays are owned by the graph. */
const struct code_graph_block *code_graph_blocks(const struct code_graph *g, size_t *count);
const struct code_graph_edge *code_graph_edges(const struct code_graph *g, size_t *count);
/* Numbers of the outgoing and of the incoming edges of a block. */
const uint32_t *code_graph_out(const struct code_graph *g, uint32_t block, size_t *count);
const uint32_t *code_graph_in(const struct code_graph *g, uint32_t block, size_t *count);

/* The block with an instruction at pc; CODE_GRAPH_NONE: there is none. */
uint32_t code_graph_find(const struct code_graph *g, uint64_t pc);
/* Index of the instruction at pc, which is in `block`. */
uint32_t code_graph_insn(const struct code_graph *g, uint32_t block, uint64_t pc);
/* The address and the kind of an instruction. */
uint64_t code_graph_pc(const struct code_graph *g, uint32_t insn);
enum code_kind code_graph_kind(const struct code_graph *g, uint32_t insn);
/* Its length; its flags (enum code_flag), registers and target as in struct code_insn. */
struct code_graph_operands {
    uint64_t target;
    uint8_t length_bytes, flags, dst, src[3];
};
struct code_graph_operands code_graph_operands(const struct code_graph *g, uint32_t insn);
/* Sets the addresses of the instructions whose results the instruction at pc may read, at most `room`, and returns
 * their number. A writer behind a call or a function's entry is unknown, and left out. */
size_t code_graph_writers(const struct code_graph *g, uint64_t pc, uint64_t *writer, size_t room);
/* After code_graph_resolve: returns whether the block ends in an indirect jump within its function whose destinations
 * are unknown, and whether it ends in a call or system call that does not return. */
bool code_graph_lost(const struct code_graph *g, uint32_t block);
bool code_graph_no_return(const struct code_graph *g, uint32_t block);

/* The return blocks of a block that ends in a call: blocks that end in a return and are reachable from the entries of
 * the callees, tail calls included, without entering further callees. Each block is listed once. The result is
 * cached. */
const uint32_t *code_graph_returns(struct code_graph *g, uint32_t call, size_t *count);

#endif
