/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the control-flow graph share. */
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
    bool leads;                 /* begins a block */
    bool entry;                 /* begins a function */
    bool begins;                /* the bytes before it are no instruction of the same range */
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
    struct code_graph_transfer *transfer; /* by origin, once built */
    size_t transfers, transfer_room;
    struct code_graph_insn_row *insn; /* by rising address */
    size_t insns, insn_room;
    struct code_graph_block *block; /* NULL: not built yet */
    size_t blocks;
    struct code_graph_edge *edge;
    size_t edges, edge_room;
    /* Edge numbers by block of origin and by block of destination: those of block b are from first[b] to
     * first[b + 1]. */
    uint32_t *out_first, *out, *in_first, *in;
    struct code_graph_return_list *returns; /* by block */
};

#endif
