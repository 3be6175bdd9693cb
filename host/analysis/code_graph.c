/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Construction of the graph: linear sweep, leaders, blocks, edges, and edges by destination. */
#include "host/analysis/code_graph.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "host/analysis/code_values.h"

struct code_graph *code_graph_new(const struct code *code)
{
    struct code_graph *g = xcalloc(1, sizeof *g);
    g->code = *code;
    return g;
}

void code_graph_free(struct code_graph *g)
{
    if (g == NULL)
        return;
    for (size_t i = 0; g->returns != NULL && i < g->blocks; i++)
        free(g->returns[i].block);
    free(g->returns);
    free(g->range);
    free(g->entry.at);
    free(g->transfer);
    free(g->insn);
    free(g->block);
    free(g->edge);
    free(g->reached);
    free(g->out_first);
    free(g->out);
    free(g->in_first);
    free(g->in);
    free(g);
}

static void add_address(struct code_graph_addresses *a, uint64_t pc)
{
    if (a->count == a->room) {
        a->room = a->room != 0 ? 2 * a->room : 64;
        a->at = xrealloc(a->at, a->room * sizeof *a->at);
    }
    a->at[a->count++] = pc;
}

void code_graph_add_range(struct code_graph *g, uint64_t start, uint64_t end)
{
    g->range = xrealloc(g->range, (g->ranges + 1) * sizeof *g->range);
    g->range[g->ranges++] = (struct code_graph_range){start, end};
}

void code_graph_add_entry(struct code_graph *g, uint64_t pc) { add_address(&g->entry, pc); }

void code_graph_add_transfer(struct code_graph *g, uint64_t pc, uint64_t next)
{
    if (g->transfers == g->transfer_room) {
        g->transfer_room = g->transfer_room != 0 ? 2 * g->transfer_room : 64;
        g->transfer = xrealloc(g->transfer, g->transfer_room * sizeof *g->transfer);
    }
    g->transfer[g->transfers++] = (struct code_graph_transfer){pc, next};
}

/* The instructions of all ranges, by ascending address. */

ORDER(by_start, struct code_graph_range, RISING(start))

static void code_graph_add_insn(struct code_graph *g, uint64_t pc, const struct code_insn *in, bool begins)
{
    if (g->insns == g->insn_room) {
        g->insn_room = g->insn_room != 0 ? 2 * g->insn_room : 1024;
        g->insn = xrealloc(g->insn, g->insn_room * sizeof *g->insn);
    }
    g->insn[g->insns++] = (struct code_graph_insn_row){.pc = pc,
                                                       .target = in->target,
                                                       .value = in->value,
                                                       .length_bytes = in->length_bytes,
                                                       .kind = (uint8_t)in->kind,
                                                       .op = (uint8_t)in->op,
                                                       .flags = in->flags,
                                                       .dst = in->dst,
                                                       .src = {in->src[0], in->src[1], in->src[2]},
                                                       .bytes = in->bytes,
                                                       .leads = begins,
                                                       .begins = begins};
}

/* Bytes that are not instructions may lie between two instructions. */
static void code_graph_sweep(struct code_graph *g)
{
    uint64_t pc = 0;
    if (g->ranges != 0)
        qsort(g->range, g->ranges, sizeof *g->range, by_start);
    for (size_t i = 0; i < g->ranges && g->code.describe != NULL; i++) {
        bool begins = true;
        if (g->range[i].start > pc)
            pc = g->range[i].start;
        while (pc < g->range[i].end) {
            struct code_insn in;
            if (g->code.describe(g->code.ctx, pc, &in)) {
                code_graph_add_insn(g, pc, &in, begins);
                pc += in.length_bytes;
                begins = false;
            } else {
                pc += 2; /* instructions are aligned to 2 bytes */
                begins = true;
            }
        }
    }
}

/* Index of the instruction at pc; `insns`: there is none. */
static size_t code_graph_find_insn(const struct code_graph *g, uint64_t pc)
{
    size_t low = 0, high = g->insns;
    SEARCH(low, high, mid, g->insn[mid].pc < pc);
    return low < g->insns && g->insn[low].pc == pc ? low : g->insns;
}

static void code_graph_mark(struct code_graph *g, uint64_t pc, bool entry)
{
    size_t i = code_graph_find_insn(g, pc);
    if (i == g->insns)
        return;
    g->insn[i].leads = true;
    g->insn[i].entry |= entry;
}

static void find_leaders(struct code_graph *g)
{
    for (size_t i = 0; i < g->entry.count; i++)
        code_graph_mark(g, g->entry.at[i], true);
    for (size_t i = 0; i < g->insns; i++) {
        enum code_kind kind = (enum code_kind)g->insn[i].kind;
        if (g->insn[i].target != 0)
            code_graph_mark(g, g->insn[i].target, kind == CODE_CALL);
        if (code_ends_block(kind) && i + 1 < g->insns)
            g->insn[i + 1].leads = true;
    }
    for (size_t i = 0; i < g->transfers; i++) {
        size_t from = code_graph_find_insn(g, g->transfer[i].pc);
        code_graph_mark(g, g->transfer[i].next, from < g->insns && g->insn[from].kind == CODE_INDIRECT_CALL);
    }
}

static void make_blocks(struct code_graph *g)
{
    for (size_t i = 0; i < g->insns; i++)
        g->blocks += g->insn[i].leads;
    g->block = xcalloc(g->blocks + 1, sizeof *g->block);
    size_t n = 0;
    for (size_t i = 0; i < g->insns; i++) {
        const struct code_graph_insn_row *in = &g->insn[i];
        if (in->leads) {
            bool first = in->entry || in->begins;
            uint32_t function = first ? (uint32_t)n : g->block[n - 1].function;
            g->block[n++] = (struct code_graph_block){
                .start = in->pc, .first = (uint32_t)i, .entry = in->entry, .function = function};
        }
        g->block[n - 1].last = in->pc;
        g->block[n - 1].insns++;
        g->block[n - 1].ends = (enum code_kind)in->kind;
    }
}

static void code_graph_add_edge(struct code_graph *g, uint32_t from, uint64_t to_pc, enum code_graph_edge_kind kind)
{
    uint32_t to = code_graph_find(g, to_pc);
    if (to == CODE_GRAPH_NONE || g->block[to].start != to_pc)
        return;
    if (g->edges == g->edge_room) {
        g->edge_room = g->edge_room != 0 ? 2 * g->edge_room : 256;
        g->edge = xrealloc(g->edge, g->edge_room * sizeof *g->edge);
    }
    g->edge[g->edges++] = (struct code_graph_edge){.from = from, .to = to, .kind = kind};
}

ORDER(by_origin, struct code_graph_transfer, RISING(pc) RISING(next))

/* Adds the edges of the indirect jump or call at the end of a block. `t` is the first transfer at or after it. */
static void add_indirect(struct code_graph *g, uint32_t b, size_t t, enum code_graph_edge_kind kind)
{
    uint64_t pc = g->block[b].last;
    for (; t < g->transfers && g->transfer[t].pc == pc; t++)
        if (t == 0 || by_origin(&g->transfer[t - 1], &g->transfer[t]) != 0)
            code_graph_add_edge(g, b, g->transfer[t].next, kind);
}

static void add_past_call(struct code_graph *g, uint32_t b, uint64_t next)
{
    uint32_t to = code_graph_find(g, next);
    if (to != CODE_GRAPH_NONE && !g->block[to].entry)
        code_graph_add_edge(g, b, next, CODE_GRAPH_PAST_CALL);
}

static void add_edges_of(struct code_graph *g, uint32_t b, size_t transfer)
{
    const struct code_graph_block *block = &g->block[b];
    const struct code_graph_insn_row *last = &g->insn[block->first + block->insns - 1];
    uint64_t next = last->pc + last->length_bytes;
    switch (block->ends) {
    case CODE_PLAIN:
    case CODE_TRAP:
        if (!last->no_return)
            code_graph_add_edge(g, b, next, CODE_GRAPH_FALL);
        break;
    case CODE_BRANCH:
        code_graph_add_edge(g, b, next, CODE_GRAPH_NOT_TAKEN);
        code_graph_add_edge(g, b, last->target, CODE_GRAPH_TAKEN);
        break;
    case CODE_JUMP:
        code_graph_add_edge(g, b, last->target, CODE_GRAPH_JUMP);
        break;
    case CODE_INDIRECT_JUMP:
        add_indirect(g, b, transfer, CODE_GRAPH_INDIRECT);
        break;
    case CODE_CALL:
        code_graph_add_edge(g, b, last->target, CODE_GRAPH_CALL);
        if (!last->no_return)
            add_past_call(g, b, next);
        break;
    case CODE_INDIRECT_CALL:
        add_indirect(g, b, transfer, CODE_GRAPH_CALL);
        add_past_call(g, b, next);
        break;
    case CODE_RETURN:
        break;
    }
}

static void make_edges(struct code_graph *g)
{
    size_t transfer = 0;
    if (g->transfers != 0)
        qsort(g->transfer, g->transfers, sizeof *g->transfer, by_origin);
    for (uint32_t b = 0; b < g->blocks; b++) {
        while (transfer < g->transfers && g->transfer[transfer].pc < g->block[b].last)
            transfer++;
        add_edges_of(g, b, transfer);
    }
}

/* Sorts the edge numbers by source or destination block: those of block b have indices [first[b], first[b + 1]). */
static void code_graph_sort_edges(const struct code_graph *g, bool by_destination, uint32_t **first, uint32_t **number)
{
    uint32_t *f = xcalloc(g->blocks + 2, sizeof *f), *list = xcalloc(g->edges + 1, sizeof *list);
    for (size_t e = 0; e < g->edges; e++)
        f[(by_destination ? g->edge[e].to : g->edge[e].from) + 2]++;
    for (size_t b = 2; b < g->blocks + 2; b++)
        f[b] += f[b - 1];
    for (size_t e = 0; e < g->edges; e++)
        list[f[(by_destination ? g->edge[e].to : g->edge[e].from) + 1]++] = (uint32_t)e;
    *first = f;
    *number = list;
}

/* Makes the edges of the blocks anew. */
static void join_blocks(struct code_graph *g)
{
    free(g->out_first);
    free(g->out);
    free(g->in_first);
    free(g->in);
    g->edges = 0;
    make_edges(g);
    code_graph_sort_edges(g, false, &g->out_first, &g->out);
    code_graph_sort_edges(g, true, &g->in_first, &g->in);
}

static void make_graph(struct code_graph *g)
{
    free(g->block);
    g->blocks = 0;
    find_leaders(g);
    make_blocks(g);
    join_blocks(g);
}

void code_graph_resolve(struct code_graph *g) { g->resolve = true; }

static void analysis_code_graph_resolve(struct code_graph *g)
{
    g->values = code_value_cache_new();
    /* The blocks that a table leads to may end in further table jumps. */
    while (jump_table_resolve(g)) {
        make_graph(g);
        code_value_cache_free(g->values);
        g->values = code_value_cache_new();
    }
    jump_table_classify(g);
    no_return_mark(g);
    join_blocks(g);
    code_value_cache_free(g->values);
    g->values = NULL;
}

void code_graph_build(struct code_graph *g)
{
    if (g->block != NULL)
        BUG("a control-flow graph is built twice");
    code_graph_sweep(g);
    make_graph(g);
    if (g->resolve)
        analysis_code_graph_resolve(g);
    g->returns = xcalloc(g->blocks + 1, sizeof *g->returns);
}
