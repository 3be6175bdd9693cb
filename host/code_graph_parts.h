/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data structures shared by the files of the control-flow graph. */
#ifndef HOST_CODE_GRAPH_PARTS_H
#define HOST_CODE_GRAPH_PARTS_H

#include "host/code_graph.h"

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
    uint8_t length_bytes, kind; /* enum code_kind */
    bool leads;                 /* first instruction of a block */
    bool entry;                 /* first instruction of a function */
    bool begins;                /* not preceded by an instruction of the same range */
};

struct code_graph_return_list {
    bool known;
    uint32_t *block;
    size_t count;
};

struct code_graph {
    struct code code;
    struct code_graph_range *range;
    size_t ranges;
    struct code_graph_addresses entry;
    struct code_graph_transfer *transfer; /* sorted by source after code_graph_build */
    size_t transfers, transfer_room;
    struct code_graph_insn_row *insn; /* by ascending address */
    size_t insns, insn_room;
    struct code_graph_block *block; /* NULL before code_graph_build */
    size_t blocks;
    struct code_graph_edge *edge;
    size_t edges, edge_room;
    /* Edge numbers by source block and by destination block: those of block b have indices [first[b], first[b + 1]). */
    uint32_t *out_first, *out, *in_first, *in;
    struct code_graph_return_list *returns; /* by block */
};

#endif
