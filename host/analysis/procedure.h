/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control-flow graph of one procedure, closed by a node for everything outside, and its frequency equivalence
 * classes (DCPI paper, sections 6.1.1 and 6.1.2). */
#ifndef HOST_ANALYSIS_PROCEDURE_H
#define HOST_ANALYSIS_PROCEDURE_H

#include "host/analysis/code_graph.h"

enum procedure_edge_kind {
    PROCEDURE_INSIDE, /* between two blocks; past a call too */
    PROCEDURE_ENTER,  /* from outside */
    PROCEDURE_LEAVE,  /* return, tail call, jump to another procedure, call that does not return */
    PROCEDURE_ENDLESS /* to outside, from a loop without an exit: it is not executed, and makes the loop finite */
};

struct procedure_edge {
    uint32_t from, to; /* blocks of the procedure; its number of blocks: outside */
    enum procedure_edge_kind kind;
    uint32_t edge; /* of the code graph; CODE_GRAPH_NONE: none */
};

struct procedure {
    const struct code_graph *graph; /* borrowed */
    uint32_t first, blocks;         /* the blocks of the code graph are [first, first + blocks) */
    uint32_t insn, insns;           /* their instructions */
    struct procedure_edge *edge;    /* by source block */
    uint32_t edges;
    uint32_t *out_first, *out, *in_first, *in; /* edge numbers by node: those of node n are [first[n], first[n + 1]) */
    bool missing;                              /* an indirect jump has unknown destinations: edges are missing */
    uint32_t *block_class, *edge_class;        /* blocks and edges with the same class are executed equally often */
    uint32_t classes;
};

/* The procedure that contains the block: the blocks from a function's entry up to the next one. Borrows the graph. */
struct procedure *procedure_new(const struct code_graph *g, uint32_t block);
/* NULL is allowed. */
void procedure_free(struct procedure *p);

/* The block of the code graph with the number n in the procedure. */
const struct code_graph_block *procedure_block(const struct procedure *p, uint32_t n);

#endif
