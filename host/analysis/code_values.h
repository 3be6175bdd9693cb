/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of registers in a control-flow graph, followed backwards through the code: constants, scaled indices, and
 * entries that are loaded from tables. Private to host/analysis. */
#ifndef HOST_ANALYSIS_CODE_VALUES_H
#define HOST_ANALYSIS_CODE_VALUES_H

#include "host/analysis/code_graph_parts.h"

/* A place in the code: before instruction `insn` of `block`; insn may be one past the block's last. */
struct code_place {
    uint32_t block, insn;
};

enum code_value_kind {
    CODE_VALUE_UNKNOWN,
    CODE_VALUE_CONSTANT, /* constant */
    CODE_VALUE_INDEX,    /* constant + (index << shift) */
    CODE_VALUE_ENTRY     /* constant + the value of `bytes` bytes at table + (index << shift) */
};

struct code_value {
    enum code_value_kind kind;
    int64_t constant, table;
    uint8_t index; /* register, as read at `at` */
    struct code_place at;
    uint8_t shift, bytes;
    bool has_sign;
};

/* The identity of a register's value: equal keys are equal values, apart from an extension of the lower 32 bits. */
struct code_value_key {
    uint8_t reg;
    uint32_t insn; /* the instruction that computes it; CODE_GRAPH_NONE: before `block` */
    uint32_t block;
};

/* The values that are known of a graph whose edges do not change: each is searched once. NULL is allowed. */
struct code_value_cache *code_value_cache_new(void);
void code_value_cache_free(struct code_value_cache *c);

/* The value of a register at a place. The graph has a cache (`values`). */
struct code_value code_value_of(const struct code_graph *g, uint8_t reg, struct code_place at);
/* The value that the instruction writes. */
struct code_value code_value_written(const struct code_graph *g, struct code_place writer);
struct code_value_key code_value_key_of(const struct code_graph *g, uint8_t reg, struct code_place at);

/* The instructions whose result the register may have at a place, over all paths; sets *count. Returns false if they
 * are not all known: a path begins at a function's entry or at a call, or there are more than CODE_VALUE_WRITERS. */
enum { CODE_VALUE_WRITERS = 32 };
bool code_value_writers(const struct code_graph *g, uint8_t reg, struct code_place at,
                        struct code_place writer[CODE_VALUE_WRITERS], uint32_t *count);

/* The edge into the block, if it has only one and that does not come from a call; else CODE_GRAPH_NONE. An edge past a
 * call counts. */
uint32_t code_value_only_edge(const struct code_graph *g, uint32_t block);
/* Returns whether a register keeps its value over a call (RISC-V ELF psABI: saved registers, sp, gp and tp). */
bool code_value_survives(uint8_t reg);

#endif
