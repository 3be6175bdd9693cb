/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data structures shared by the files of the control-flow graph. */
#ifndef HOST_ANALYSIS_CODE_GRAPH_PARTS_H
#define HOST_ANALYSIS_CODE_GRAPH_PARTS_H

#include "host/analysis/code_graph.h"

struct code_graph_range {
    uint64_t start, end;
};

struct code_graph_addresses {
    uint64_t *at;
    size_t count, room;
};

struct code_graph_transfer {
    uint64_t pc, next;
};

struct code_graph_insn_row {
    uint64_t pc, target;
    int64_t value;
    uint8_t length_bytes, kind; /* enum code_kind */
    uint8_t op, flags;          /* enum code_op, enum code_flag */
    uint8_t dst, src[3], bytes; /* as in struct code_insn */
    bool leads;                 /* first instruction of a block */
    bool entry;                 /* first instruction of a function */
    bool begins;                /* not preceded by an instruction of the same range */
    bool resolved;              /* indirect jump whose table has been found */
    bool lost;                  /* indirect jump within its function, with unknown destinations */
    bool no_return;             /* call or system call that does not return */
};

struct code_graph_return_list {
    bool known;
    uint32_t *block;
    size_t count;
};

struct code_graph {
    struct code code;
    bool resolve; /* jump tables and calls that do not return are analysed */
    struct code_graph_range *range;
    size_t ranges;
    struct code_graph_addresses entry;
    struct code_graph_transfer *transfer; /* sorted by source after code_graph_build */
    size_t transfers, transfer_room;
    struct code_graph_insn_row *insn; /* by ascending address */
    size_t insns, insn_room;
    struct code_graph_block *block; /* NULL before code_graph_build */
    size_t blocks;
    struct code_value_cache *values; /* code_values.h; while jump tables are resolved */
    bool *reached; /* by block, while jump tables are resolved: an edge from a block that is reached leads to it */
    struct code_graph_edge *edge;
    size_t edges, edge_room;
    /* Edge numbers by source block and by destination block: those of block b have indices [first[b], first[b + 1]). */
    uint32_t *out_first, *out, *in_first, *in;
    struct code_graph_return_list *returns; /* by block */
};

/* Adds the transfers of jump tables that are not known yet; returns whether there are any. The graph is complete. */
bool jump_table_resolve(struct code_graph *g);
/* Marks the indirect jumps that are neither table jumps nor tail calls. */
void jump_table_classify(struct code_graph *g);
/* Marks calls and system calls that do not return. */
void no_return_mark(struct code_graph *g);

#endif
