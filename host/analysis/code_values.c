/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/analysis/code_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/status.h"

enum {
    SP = 2,
    TP = 4,
    S0 = 8,
    S1 = 9,
    S2 = 18,
    S11 = 27,
    DEPTH = 64,
    CHAIN_BLOCKS = 64,
    VISITED = 512,
    WORD_BITS = 32
};

bool code_value_survives(uint8_t reg)
{
    return (reg >= SP && reg <= TP) || reg == S0 || reg == S1 || (reg >= S2 && reg <= S11);
}

uint32_t code_value_only_edge(const struct code_graph *g, uint32_t block)
{
    size_t count;
    const uint32_t *in = code_graph_in(g, block, &count);
    return count == 1 && g->edge[in[0]].kind != CODE_GRAPH_CALL ? in[0] : CODE_GRAPH_NONE;
}

/* The end of the block. */
static struct code_place code_values_end_of(const struct code_graph *g, uint32_t block)
{
    return (struct code_place){block, g->block[block].first + g->block[block].insns};
}

/* Moves *at back to the instruction that writes the register, within the block. Returns false, with *at at the block's
 * start, if there is none. */
static bool back_in_block(const struct code_graph *g, uint8_t reg, struct code_place *at)
{
    uint32_t first = g->block[at->block].first;
    while (at->insn > first)
        if (g->insn[--at->insn].dst == reg)
            return true;
    return false;
}

/* back_in_block, continued through blocks with a single predecessor. After false, *at is the start of the block where
 * it ends. */
static bool back(const struct code_graph *g, uint8_t reg, struct code_place *at)
{
    for (int blocks = 0;; blocks++) {
        if (back_in_block(g, reg, at))
            return true;
        uint32_t edge = code_value_only_edge(g, at->block);
        if (edge == CODE_GRAPH_NONE || blocks == CHAIN_BLOCKS)
            return false;
        if (g->edge[edge].kind == CODE_GRAPH_PAST_CALL && !code_value_survives(reg))
            return false;
        *at = code_values_end_of(g, g->edge[edge].from);
    }
}

static struct code_value unknown(void) { return (struct code_value){.kind = CODE_VALUE_UNKNOWN}; }
static struct code_value constant(int64_t value)
{
    return (struct code_value){.kind = CODE_VALUE_CONSTANT, .constant = value};
}

/* ---- values that are known ---- */

/* A value, by what it is of: an instruction, or a register at the start of a block. While it is searched it is unknown,
 * so a value that depends on itself is. */
struct known_value {
    uint64_t key;
    struct code_value value;
    UT_hash_handle hh;
};

struct code_value_cache {
    struct known_value *table;
};

struct code_value_cache *code_value_cache_new(void) { return xcalloc(1, sizeof(struct code_value_cache)); }

void code_value_cache_free(struct code_value_cache *c)
{
    struct known_value *v, *next;
    if (c == NULL)
        return;
    HASH_ITER (hh, c->table, v, next) {
        HASH_DEL(c->table, v);
        free(v);
    }
    free(c);
}

static uint64_t key_of_insn(uint32_t insn) { return insn; }
static uint64_t key_of_start(uint32_t block, uint8_t reg) { return UINT64_C(1) << 63 | (uint64_t)block << 8 | reg; }

/* Finds a value. If there is none, it is added as unknown, for the caller to set, and *is_new is set. */
static struct known_value *find_known(const struct code_graph *g, uint64_t key, bool *is_new)
{
    struct known_value *v;
    HASH_FIND(hh, g->values->table, &key, sizeof key, v);
    *is_new = v == NULL;
    if (v == NULL) {
        v = xcalloc(1, sizeof *v);
        v->key = key;
        HASH_ADD(hh, g->values->table, key, sizeof v->key, v);
    }
    return v;
}

/* ---- writers of a register ---- */

static struct code_value value_of_insn(const struct code_graph *g, struct code_place at, int depth);

/* The blocks of a search backwards over all paths. */
struct visited {
    uint32_t block[VISITED], count;
    uint16_t place[2 * VISITED]; /* hash table of the blocks' places in `block`, from 1 on; 0: free */
};

static bool code_values_visit(struct visited *v, uint32_t block)
{
    uint32_t slot = block % (2 * VISITED);
    while (v->place[slot] != 0) {
        if (v->block[v->place[slot] - 1] == block)
            return true;
        slot = (slot + 1) % (2 * VISITED);
    }
    if (v->count == VISITED)
        return false;
    v->block[v->count++] = block;
    v->place[slot] = (uint16_t)v->count;
    return true;
}

/* Continues the search before a block. Returns false if a writer may be unknown. */
static bool writers_before(const struct code_graph *g, uint8_t reg, uint32_t block, struct visited *v,
                           struct code_place *writer, uint32_t *count)
{
    size_t edges;
    const uint32_t *in = code_graph_in(g, block, &edges);
    if (edges == 0)
        return g->reached != NULL && !g->reached[block]; /* NULL: code_graph_resolve was not called */
    for (size_t i = 0; i < edges; i++) {
        const struct code_graph_edge *e = &g->edge[in[i]];
        struct code_place at = code_values_end_of(g, e->from);
        if (e->kind == CODE_GRAPH_CALL || (e->kind == CODE_GRAPH_PAST_CALL && !code_value_survives(reg)))
            return false;
        if (!back_in_block(g, reg, &at)) {
            if (!code_values_visit(v, e->from))
                return false;
            continue;
        }
        uint32_t known = 0;
        while (known < *count && writer[known].insn != at.insn)
            known++;
        if (known == CODE_VALUE_WRITERS)
            return false;
        writer[known] = at;
        *count += known == *count;
    }
    return true;
}

bool code_value_writers(const struct code_graph *g, uint8_t reg, struct code_place at,
                        struct code_place writer[CODE_VALUE_WRITERS], uint32_t *count)
{
    struct visited v;
    *count = 0;
    if (back(g, reg, &at)) {
        writer[(*count)++] = at;
        return true;
    }
    v.count = 0;
    memset(v.place, 0, sizeof v.place);
    (void)code_values_visit(&v, at.block);
    for (uint32_t i = 0; i < v.count; i++)
        if (!writers_before(g, reg, v.block[i], &v, writer, count))
            return false;
    return *count != 0;
}

size_t code_graph_writers(const struct code_graph *g, uint64_t pc, uint64_t *writer, size_t room)
{
    const uint32_t block = code_graph_find(g, pc);
    size_t writers = 0;
    if (block == CODE_GRAPH_NONE)
        return 0;
    const struct code_place at = {block, code_graph_insn(g, block, pc)};
    for (unsigned k = 0; k < 3; k++) {
        struct code_place found[CODE_VALUE_WRITERS];
        uint32_t count = 0;
        if (g->insn[at.insn].src[k] != 0)
            (void)code_value_writers(g, g->insn[at.insn].src[k], at, found, &count);
        for (uint32_t n = 0; n < count && writers < room; n++)
            writer[writers++] = code_graph_pc(g, found[n].insn);
    }
    return writers;
}

/* ---- values ---- */

/* The value of a register at the start of a block: that of its only writer, or the constant of all writers. */
static struct code_value search_join(const struct code_graph *g, uint8_t reg, struct code_place at, int depth)
{
    struct code_place writer[CODE_VALUE_WRITERS];
    uint32_t writers;
    if (!code_value_writers(g, reg, at, writer, &writers))
        return unknown();
    struct code_value first = value_of_insn(g, writer[0], depth);
    for (uint32_t i = 1; i < writers; i++) {
        struct code_value v = value_of_insn(g, writer[i], depth);
        if (first.kind != CODE_VALUE_CONSTANT || v.kind != CODE_VALUE_CONSTANT || v.constant != first.constant)
            return unknown();
    }
    return first;
}

static struct code_value value_of_join(const struct code_graph *g, uint8_t reg, struct code_place at, int depth)
{
    bool is_new;
    struct known_value *known = find_known(g, key_of_start(at.block, reg), &is_new);
    if (is_new)
        known->value = search_join(g, reg, at, depth);
    return known->value;
}

static struct code_value indexed(uint8_t reg, struct code_place at, uint8_t shift, int64_t add)
{
    return (struct code_value){.kind = CODE_VALUE_INDEX, .constant = add, .index = reg, .at = at, .shift = shift};
}

static struct code_value value_at(const struct code_graph *g, uint8_t reg, struct code_place at, int depth)
{
    if (reg == 0)
        return constant(0);
    if (depth == DEPTH)
        return unknown();
    return back(g, reg, &at) ? value_of_insn(g, at, depth + 1) : value_of_join(g, reg, at, depth + 1);
}

static struct code_value sum(const struct code_graph_insn_row *in, struct code_place at, struct code_value a,
                             struct code_value b)
{
    if (a.kind == CODE_VALUE_CONSTANT && b.kind == CODE_VALUE_UNKNOWN)
        return indexed(in->src[1], at, 0, a.constant);
    if (b.kind == CODE_VALUE_CONSTANT && a.kind == CODE_VALUE_UNKNOWN)
        return indexed(in->src[0], at, 0, b.constant);
    if (a.kind == CODE_VALUE_CONSTANT) {
        b.constant += a.constant;
        return b;
    }
    if (b.kind != CODE_VALUE_CONSTANT)
        return unknown();
    a.constant += b.constant;
    return a;
}

/* (x << 32) >> n is the zero-extended x, shifted left by 32 - n. */
static struct code_value shifted_right(const struct code_graph *g, const struct code_graph_insn_row *in,
                                       struct code_place at)
{
    if (!back(g, in->src[0], &at))
        return unknown();
    const struct code_graph_insn_row *left = &g->insn[at.insn];
    if (left->op != CODE_OP_SHIFT_LEFT || left->value != WORD_BITS || in->value > WORD_BITS)
        return unknown();
    return indexed(left->src[0], at, (uint8_t)(WORD_BITS - in->value), 0);
}

static struct code_value loaded(const struct code_graph_insn_row *in, struct code_value address)
{
    if (address.kind != CODE_VALUE_INDEX)
        return unknown();
    address.kind = CODE_VALUE_ENTRY;
    address.table = address.constant + in->value;
    address.constant = 0;
    address.bytes = in->bytes;
    address.has_sign = (in->flags & CODE_SIGNED) != 0;
    return address;
}

static struct code_value search_insn(const struct code_graph *g, struct code_place at, int depth)
{
    const struct code_graph_insn_row *in = &g->insn[at.insn];
    struct code_value a;
    switch ((enum code_op)in->op) {
    case CODE_OP_CONSTANT:
        return constant(in->value);
    case CODE_OP_ADD_VALUE:
        a = value_at(g, in->src[0], at, depth);
        a.constant += in->value;
        return a;
    case CODE_OP_ADD:
        return sum(in, at, value_at(g, in->src[0], at, depth), value_at(g, in->src[1], at, depth));
    case CODE_OP_SHIFT_ADD:
        a = value_at(g, in->src[1], at, depth);
        return a.kind == CODE_VALUE_CONSTANT ? indexed(in->src[0], at, (uint8_t)in->value, a.constant) : unknown();
    case CODE_OP_SHIFT_LEFT:
        a = value_at(g, in->src[0], at, depth);
        if (a.kind == CODE_VALUE_CONSTANT)
            return constant((int64_t)((uint64_t)a.constant << in->value));
        return indexed(in->src[0], at, (uint8_t)in->value, 0);
    case CODE_OP_SHIFT_RIGHT:
        return shifted_right(g, in, at);
    case CODE_OP_EXTEND:
        return value_at(g, in->src[0], at, depth);
    case CODE_OP_LOAD:
        return loaded(in, value_at(g, in->src[0], at, depth));
    default:
        return unknown();
    }
}

static struct code_value value_of_insn(const struct code_graph *g, struct code_place at, int depth)
{
    const struct code_graph_insn_row *in = &g->insn[at.insn];
    if (in->op == CODE_OP_OTHER || in->op == CODE_OP_CONSTANT)
        return search_insn(g, at, depth);
    bool is_new;
    struct known_value *known = find_known(g, key_of_insn(at.insn), &is_new);
    if (is_new)
        known->value = search_insn(g, at, depth);
    return known->value;
}

struct code_value code_value_of(const struct code_graph *g, uint8_t reg, struct code_place at)
{
    return value_at(g, reg, at, 0);
}

struct code_value code_value_written(const struct code_graph *g, struct code_place writer)
{
    return value_of_insn(g, writer, 0);
}

/* Returns whether the instruction at the place copies the lower 32 bits or all of a register; *reg is set to it. */
static bool is_copy(const struct code_graph *g, struct code_place *at, uint8_t *reg)
{
    const struct code_graph_insn_row *in = &g->insn[at->insn];
    struct code_place before = *at;
    if (in->op == CODE_OP_SHIFT_RIGHT && in->value == WORD_BITS && back(g, in->src[0], &before) &&
        g->insn[before.insn].op == CODE_OP_SHIFT_LEFT && g->insn[before.insn].value == WORD_BITS) {
        *at = before;
        in = &g->insn[before.insn];
    } else if (in->op != CODE_OP_EXTEND && (in->op != CODE_OP_ADD_VALUE || in->value != 0)) {
        return false;
    }
    *reg = in->src[0];
    return true;
}

struct code_value_key code_value_key_of(const struct code_graph *g, uint8_t reg, struct code_place at)
{
    while (back(g, reg, &at))
        if (!is_copy(g, &at, &reg))
            return (struct code_value_key){reg, at.insn, at.block};
    return (struct code_value_key){reg, CODE_GRAPH_NONE, at.block};
}
