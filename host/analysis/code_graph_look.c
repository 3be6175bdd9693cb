/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look-ups in a complete control-flow graph. */
#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "host/analysis/code_graph_parts.h"

const struct code_graph_block *code_graph_blocks(const struct code_graph *g, size_t *count)
{
    *count = g->blocks;
    return g->block;
}

const struct code_graph_edge *code_graph_edges(const struct code_graph *g, size_t *count)
{
    *count = g->edges;
    return g->edge;
}

const uint32_t *code_graph_out(const struct code_graph *g, uint32_t block, size_t *count)
{
    *count = g->out_first[block + 1] - g->out_first[block];
    return g->out + g->out_first[block];
}

const uint32_t *code_graph_in(const struct code_graph *g, uint32_t block, size_t *count)
{
    *count = g->in_first[block + 1] - g->in_first[block];
    return g->in + g->in_first[block];
}

uint64_t code_graph_pc(const struct code_graph *g, uint32_t insn) { return g->insn[insn].pc; }

enum code_kind code_graph_kind(const struct code_graph *g, uint32_t insn) { return (enum code_kind)g->insn[insn].kind; }

struct code_graph_operands code_graph_operands(const struct code_graph *g, uint32_t insn)
{
    const struct code_graph_insn_row *in = &g->insn[insn];
    return (struct code_graph_operands){
        in->target, in->length_bytes, in->flags, in->dst, {in->src[0], in->src[1], in->src[2]}};
}

static const struct code_graph_insn_row *last_of(const struct code_graph *g, uint32_t block)
{
    return &g->insn[g->block[block].first + g->block[block].insns - 1];
}

bool code_graph_lost(const struct code_graph *g, uint32_t block) { return last_of(g, block)->lost; }
bool code_graph_no_return(const struct code_graph *g, uint32_t block) { return last_of(g, block)->no_return; }

/* Index of the block's first instruction at or above pc. */
static uint32_t code_graph_look_lower_bound(const struct code_graph *g, const struct code_graph_block *b, uint64_t pc)
{
    uint32_t low = b->first, high = b->first + b->insns;
    SEARCH(low, high, mid, g->insn[mid].pc < pc);
    return low;
}

uint32_t code_graph_find(const struct code_graph *g, uint64_t pc)
{
    size_t low = 0, high = g->blocks;
    SEARCH(low, high, mid, g->block[mid].start <= pc);
    if (low == 0 || pc > g->block[low - 1].last)
        return CODE_GRAPH_NONE;
    return g->insn[code_graph_look_lower_bound(g, &g->block[low - 1], pc)].pc == pc ? (uint32_t)(low - 1)
                                                                                    : CODE_GRAPH_NONE;
}

uint32_t code_graph_insn(const struct code_graph *g, uint32_t block, uint64_t pc)
{
    return code_graph_look_lower_bound(g, &g->block[block], pc);
}

/* Adds the unseen destinations of a block's edges to `work`: the callees, or the successors within the function. */
static void code_graph_look_add_successors(const struct code_graph *g, uint32_t b, bool callees, bool *seen,
                                           uint32_t *work, size_t *count)
{
    size_t edges;
    const uint32_t *out = code_graph_out(g, b, &edges);
    for (size_t i = 0; i < edges; i++) {
        const struct code_graph_edge *e = &g->edge[out[i]];
        if ((e->kind == CODE_GRAPH_CALL) != callees || seen[e->to])
            continue;
        seen[e->to] = true;
        work[(*count)++] = e->to;
    }
}

static void find_returns(const struct code_graph *g, uint32_t call, struct code_graph_return_list *list)
{
    bool *seen = xcalloc(g->blocks, sizeof *seen);
    uint32_t *work = xcalloc(g->blocks, sizeof *work);
    size_t count = 0;
    code_graph_look_add_successors(g, call, true, seen, work, &count);
    for (size_t i = 0; i < count; i++) {
        if (g->block[work[i]].ends == CODE_RETURN) {
            list->block = xrealloc(list->block, (list->count + 1) * sizeof *list->block);
            list->block[list->count++] = work[i];
        }
        code_graph_look_add_successors(g, work[i], false, seen, work, &count);
    }
    list->known = true;
    free(work);
    free(seen);
}

const uint32_t *code_graph_returns(struct code_graph *g, uint32_t call, size_t *count)
{
    struct code_graph_return_list *list = &g->returns[call];
    if (!list->known)
        find_returns(g, call, list);
    *count = list->count;
    return list->block;
}
