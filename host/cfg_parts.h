/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the control-flow graph share. */
#ifndef HOST_CFG_PARTS_H
#define HOST_CFG_PARTS_H

#include "host/cfg.h"

struct cfg_range {
    uint64_t start, end;
};

struct cfg_addresses {
    uint64_t *at;
    size_t count, room;
};

struct cfg_transfer {
    uint64_t pc, next;
};

struct cfg_insn_row {
    uint64_t pc, target;
    uint8_t length_bytes, kind; /* enum code_kind */
    bool leads;                 /* begins a block */
    bool entry;                 /* begins a function */
    bool begins;                /* the bytes before it are no instruction of the same range */
};

struct cfg_return_list {
    bool known;
    uint32_t *block;
    size_t count;
};

struct cfg {
    struct code code;
    struct cfg_range *range;
    size_t ranges;
    struct cfg_addresses entry;
    struct cfg_transfer *transfer; /* by origin, once built */
    size_t transfers, transfer_room;
    struct cfg_insn_row *insn; /* by rising address */
    size_t insns, insn_room;
    struct cfg_block *block; /* NULL: not built yet */
    size_t blocks;
    struct cfg_edge *edge;
    size_t edges, edge_room;
    /* Edge numbers by block of origin and by block of destination: those of block b are from first[b] to first[b + 1]. */
    uint32_t *out_first, *out, *in_first, *in;
    struct cfg_return_list *returns; /* by block */
};

#endif
