/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Indirect jumps: the entries of jump tables, and tail calls through pointers. Private to host/analysis.
 *
 * gcc and clang compile a switch to an unsigned comparison of the index with a constant, a load of an entry at a
 * constant address plus the scaled index, and a jump to the entry (medlow code) or to a constant plus the entry
 * (position-independent code). The table of a computed goto has no comparison: its entries are taken up to the first
 * one that does not lead into the function, which may be too many. If several such loads reach the jump, the tables of
 * all are its destinations. */
#include <stdlib.h>

#include "base/status.h"
#include "host/analysis/code_values.h"

enum { SP = 2, MOST_ENTRIES = 4096, CHAIN_BLOCKS = 64, BYTE_VALUES = 256 };

static bool same_key(struct code_value_key a, struct code_value_key b)
{
    return a.reg == b.reg && a.insn == b.insn && a.block == b.block;
}

/* Number of values of the index that its own computation permits; 0: unknown. */
static uint64_t values_of(const struct code_graph *g, struct code_value_key key)
{
    if (key.insn == CODE_GRAPH_NONE)
        return 0;
    const struct code_graph_insn_row *in = &g->insn[key.insn];
    if (in->op == CODE_OP_AND_VALUE && in->value > 0)
        return (uint64_t)in->value + 1;
    return in->op == CODE_OP_LOAD && in->bytes == 1 && !(in->flags & CODE_SIGNED) ? BYTE_VALUES : 0;
}

/* Number of values of the index on an edge of a branch that compares it with a constant; 0: the branch does not. */
static uint64_t values_by_branch(const struct code_graph *g, const struct code_graph_edge *e, struct code_value_key key)
{
    const struct code_graph_block *b = &g->block[e->from];
    struct code_place at = {e->from, b->first + b->insns - 1};
    const struct code_graph_insn_row *in = &g->insn[at.insn];
    if (in->op != CODE_OP_IF_LESS && in->op != CODE_OP_IF_NOT_LESS)
        return 0;
    bool less = (in->op == CODE_OP_IF_LESS) == (e->kind == CODE_GRAPH_TAKEN);
    uint8_t index = less ? in->src[0] : in->src[1], limit = less ? in->src[1] : in->src[0];
    struct code_value v = code_value_of(g, limit, at);
    if (v.kind != CODE_VALUE_CONSTANT || !same_key(code_value_key_of(g, index, at), key))
        return 0;
    return less ? (uint64_t)v.constant : (uint64_t)v.constant + 1;
}

/* Number of entries of the table by the comparisons before `block`; 0: there are none. */
static uint64_t compared_entries(const struct code_graph *g, uint32_t block, const struct code_value *v)
{
    struct code_value_key key = code_value_key_of(g, v->index, v->at);
    for (int n = 0; n < CHAIN_BLOCKS; n++) {
        uint32_t edge = code_value_only_edge(g, block);
        if (edge == CODE_GRAPH_NONE)
            break;
        uint64_t values = values_by_branch(g, &g->edge[edge], key);
        if (values != 0)
            return values;
        block = g->edge[edge].from;
    }
    return 0;
}

static bool jump_table_read_entry(const struct code_graph *g, const struct code_value *v, uint64_t n, uint64_t *target)
{
    uint64_t raw = 0, address = (uint64_t)v->table + (n << v->shift);
    if (g->code.constant == NULL || !g->code.constant(g->code.ctx, address, &raw, v->bytes))
        return false;
    if (v->has_sign && v->bytes < 8) {
        unsigned unused = 64 - 8 * (unsigned)v->bytes;
        raw = (uint64_t)((int64_t)(raw << unused) >> unused);
    }
    *target = (uint64_t)v->constant + raw;
    return true;
}

/* Number of entries up to the first one that does not lead to an instruction of the jump's function, at most `most`. */
static uint64_t sound_entries(const struct code_graph *g, uint32_t jump, const struct code_value *v, uint64_t most)
{
    uint64_t target;
    for (uint64_t n = 0; n < most; n++) {
        uint32_t to = jump_table_read_entry(g, v, n, &target) ? code_graph_find(g, target) : CODE_GRAPH_NONE;
        if (to == CODE_GRAPH_NONE || g->block[to].function != g->block[jump].function)
            return n;
    }
    return most;
}

/* Number of entries of the table that the value is loaded from; 0: unknown. Entries that a comparison permits all lead
 * to instructions; a function's parts may lie in different places. */
static uint64_t entries_of(const struct code_graph *g, uint32_t jump, uint32_t block, const struct code_value *v)
{
    uint64_t target, compared = compared_entries(g, block, v);
    if (compared == 0 || compared > MOST_ENTRIES) {
        uint64_t most = values_of(g, code_value_key_of(g, v->index, v->at));
        return sound_entries(g, jump, v, most != 0 && most < MOST_ENTRIES ? most : MOST_ENTRIES);
    }
    for (uint64_t n = 0; n < compared; n++)
        if (!jump_table_read_entry(g, v, n, &target) || code_graph_find(g, target) == CODE_GRAPH_NONE)
            return 0;
    return compared;
}

/* A table, and how many entries of it are read. */
struct table {
    struct code_value value;
    uint64_t entries;
};

enum jump_table_outcome { NO_TABLE, UNKNOWN_TABLE, TABLES };

/* Finds the tables of a jump. A load in a block that nothing reaches so far is left out: only a table jump that
 * is not resolved yet leads there, and the next round sees it. */
static enum jump_table_outcome find_tables(const struct code_graph *g, uint32_t jump,
                                           struct table table[CODE_VALUE_WRITERS], uint32_t *tables)
{
    const struct code_graph_block *b = &g->block[jump];
    struct code_place at = {jump, b->first + b->insns - 1}, writer[CODE_VALUE_WRITERS];
    uint32_t writers;
    *tables = 0;
    if (!code_value_writers(g, g->insn[at.insn].src[0], at, writer, &writers))
        return NO_TABLE;
    enum jump_table_outcome failed = NO_TABLE;
    for (uint32_t i = 0; i < writers; i++) {
        struct code_value v = code_value_written(g, writer[i]);
        if (v.kind != CODE_VALUE_ENTRY || v.bytes < 2) {
            if (!g->reached[writer[i].block])
                continue;
            return *tables != 0 ? UNKNOWN_TABLE : failed;
        }
        failed = UNKNOWN_TABLE;
        v.constant += g->insn[at.insn].value;
        uint32_t from = writers == 1 && code_value_only_edge(g, jump) != CODE_GRAPH_NONE ? jump : writer[i].block;
        table[*tables] = (struct table){v, entries_of(g, jump, from, &v)};
        if (table[(*tables)++].entries == 0)
            return UNKNOWN_TABLE;
    }
    return *tables != 0 ? TABLES : failed;
}

static bool has_edge(const struct code_graph *g, uint32_t from, uint64_t to)
{
    size_t edges;
    const uint32_t *out = code_graph_out(g, from, &edges);
    for (size_t i = 0; i < edges; i++)
        if (g->block[g->edge[out[i]].to].start == to)
            return true;
    return false;
}

/* Adds the transfers of the jump's tables; returns whether one is new. */
static bool resolve_jump(struct code_graph *g, uint32_t jump, struct code_graph_insn_row *in)
{
    struct table table[CODE_VALUE_WRITERS];
    uint32_t tables;
    enum jump_table_outcome outcome = find_tables(g, jump, table, &tables);
    bool found = false;
    in->resolved = outcome == TABLES;
    in->lost = outcome == UNKNOWN_TABLE;
    for (uint32_t i = 0; i < tables && outcome == TABLES; i++)
        for (uint64_t n = 0; n < table[i].entries; n++) {
            uint64_t target = 0;
            (void)jump_table_read_entry(g, &table[i].value, n, &target);
            if (has_edge(g, jump, target))
                continue;
            code_graph_add_transfer(g, g->block[jump].last, target);
            found = true;
        }
    return found;
}

/* Marks the blocks that edges lead to from the entries of functions and of ranges. */
static void find_reached(struct code_graph *g)
{
    uint32_t *work = xcalloc(g->blocks + 1, sizeof *work);
    size_t count = 0;
    free(g->reached);
    g->reached = xcalloc(g->blocks + 1, sizeof *g->reached);
    for (uint32_t b = 0; b < g->blocks; b++)
        if (g->block[b].entry || g->insn[g->block[b].first].begins) {
            g->reached[b] = true;
            work[count++] = b;
        }
    for (size_t i = 0; i < count; i++) {
        size_t edges;
        const uint32_t *out = code_graph_out(g, work[i], &edges);
        for (size_t k = 0; k < edges; k++) {
            uint32_t to = g->edge[out[k]].to;
            if (!g->reached[to]) {
                g->reached[to] = true;
                work[count++] = to;
            }
        }
    }
    free(work);
}

bool jump_table_resolve(struct code_graph *g)
{
    bool found = false;
    find_reached(g);
    for (uint32_t b = 0; b < g->blocks; b++) {
        struct code_graph_insn_row *in = &g->insn[g->block[b].first + g->block[b].insns - 1];
        if (in->kind == CODE_INDIRECT_JUMP)
            found = resolve_jump(g, b, in) || found;
    }
    return found;
}

/* Effect of an instruction on the frame, read backwards: -1 it is allocated here, 1 it is freed here, 0 none. */
static int frame_of(const struct code_graph *g, uint32_t block, uint32_t insn)
{
    const struct code_graph_insn_row *in = &g->insn[insn];
    if (in->dst != SP)
        return 0;
    if (in->op == CODE_OP_ADD_VALUE)
        return in->src[0] == SP && in->value > 0 ? 1 : -1;
    if (in->op != CODE_OP_ADD)
        return -1;
    uint8_t other = in->src[0] == SP ? in->src[1] : in->src[0];
    struct code_value v = code_value_of(g, other, (struct code_place){block, insn});
    return v.kind == CODE_VALUE_CONSTANT && v.constant > 0 ? 1 : -1;
}

/* Returns whether the stack pointer at the end of the block is that of the function's entry. All paths agree in
 * compiled code, so one path backwards is enough. */
static bool frame_is_free(const struct code_graph *g, uint32_t block)
{
    for (int n = 0; n < CHAIN_BLOCKS; n++) {
        size_t edges;
        for (uint32_t i = g->block[block].insns; i-- > 0;) {
            int frame = frame_of(g, block, g->block[block].first + i);
            if (frame != 0)
                return frame > 0;
        }
        if (g->block[block].entry)
            return true;
        const uint32_t *in = code_graph_in(g, block, &edges);
        uint32_t lowest = block;
        for (size_t i = 0; i < edges; i++)
            if (g->edge[in[i]].kind != CODE_GRAPH_CALL && g->edge[in[i]].from < lowest)
                lowest = g->edge[in[i]].from;
        if (lowest == block)
            return edges == 0;
        block = lowest;
    }
    return false;
}

void jump_table_classify(struct code_graph *g)
{
    for (uint32_t b = 0; b < g->blocks; b++) {
        struct code_graph_insn_row *in = &g->insn[g->block[b].first + g->block[b].insns - 1];
        size_t edges;
        (void)code_graph_out(g, b, &edges);
        if (in->kind == CODE_INDIRECT_JUMP && !in->resolved)
            in->lost = in->lost || (edges == 0 && !frame_is_free(g, b));
    }
}
