/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/analysis/procedure.h"

#include <stdlib.h>

#include "base/status.h"
#include "host/analysis/cycle_equivalence.h"

const struct code_graph_block *procedure_block(const struct procedure *p, uint32_t n)
{
    size_t count;
    return code_graph_blocks(p->graph, &count) + p->first + n;
}

static void procedure_add_edge(struct procedure *p, struct procedure_edge edge)
{
    if ((p->edges & (p->edges - 1)) == 0)
        p->edge = xrealloc(p->edge, (p->edges != 0 ? 2 * (size_t)p->edges : 1) * sizeof *p->edge);
    p->edge[p->edges++] = edge;
}

static bool procedure_is_inside(const struct procedure *p, uint32_t block)
{
    return block >= p->first && block - p->first < p->blocks;
}

static void find_blocks(struct procedure *p, uint32_t block)
{
    size_t count;
    const struct code_graph_block *b = code_graph_blocks(p->graph, &count);
    p->first = b[block].function;
    uint32_t end = p->first;
    while (end < count && b[end].function == p->first)
        end++;
    p->blocks = end - p->first;
    p->insn = b[p->first].first;
    p->insns = b[end - 1].first + b[end - 1].insns - p->insn;
}

/* Adds the edges out of a block. A block without any leaves the procedure. */
static void add_out(struct procedure *p, uint32_t n)
{
    size_t edges, graph_edges;
    const struct code_graph_edge *edge = code_graph_edges(p->graph, &graph_edges);
    const uint32_t *out = code_graph_out(p->graph, p->first + n, &edges);
    uint32_t before = p->edges;
    for (size_t i = 0; i < edges; i++) {
        const struct code_graph_edge *e = &edge[out[i]];
        if (e->kind == CODE_GRAPH_CALL)
            continue;
        bool inside = procedure_is_inside(p, e->to);
        procedure_add_edge(p, (struct procedure_edge){.from = n,
                                                      .to = inside ? e->to - p->first : p->blocks,
                                                      .kind = inside ? PROCEDURE_INSIDE : PROCEDURE_LEAVE,
                                                      .edge = out[i]});
    }
    if (p->edges == before)
        procedure_add_edge(p, (struct procedure_edge){n, p->blocks, PROCEDURE_LEAVE, CODE_GRAPH_NONE});
}

/* Returns whether the block is entered from outside: it is the procedure's entry, another procedure jumps to it, or
 * nothing leads to it. */
static bool is_entered(const struct procedure *p, uint32_t n)
{
    size_t edges, graph_edges;
    const struct code_graph_edge *edge = code_graph_edges(p->graph, &graph_edges);
    const uint32_t *in = code_graph_in(p->graph, p->first + n, &edges);
    bool from_inside = false;
    for (size_t i = 0; i < edges; i++) {
        if (edge[in[i]].kind == CODE_GRAPH_CALL || !procedure_is_inside(p, edge[in[i]].from))
            return true;
        from_inside = true;
    }
    return n == 0 || !from_inside;
}

static void procedure_sort_edges(struct procedure *p, bool by_target, uint32_t **first, uint32_t **number)
{
    uint32_t *f = xcalloc((size_t)p->blocks + 3, sizeof *f), *list = xcalloc((size_t)p->edges + 1, sizeof *list);
    for (uint32_t e = 0; e < p->edges; e++)
        f[(by_target ? p->edge[e].to : p->edge[e].from) + 2]++;
    for (uint32_t n = 2; n < p->blocks + 3; n++)
        f[n] += f[n - 1];
    for (uint32_t e = 0; e < p->edges; e++)
        list[f[(by_target ? p->edge[e].to : p->edge[e].from) + 1]++] = e;
    free(*first);
    free(*number);
    *first = f;
    *number = list;
}

static void sort_all(struct procedure *p)
{
    procedure_sort_edges(p, false, &p->out_first, &p->out);
    procedure_sort_edges(p, true, &p->in_first, &p->in);
}

/* Marks the nodes that `node` reaches, or with `backwards` those that reach it. */
static void procedure_mark(const struct procedure *p, uint32_t node, bool backwards, bool *seen)
{
    const uint32_t *first = backwards ? p->in_first : p->out_first, *list = backwards ? p->in : p->out;
    uint32_t *work = xcalloc((size_t)p->blocks + 1, sizeof *work), count = 0;
    seen[node] = true;
    work[count++] = node;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = first[work[i]]; k < first[work[i] + 1]; k++) {
            uint32_t next = backwards ? p->edge[list[k]].from : p->edge[list[k]].to;
            if (!seen[next]) {
                seen[next] = true;
                work[count++] = next;
            }
        }
    free(work);
}

/* Makes the graph strongly connected: blocks that nothing reaches are entered, the lowest first; loops without an exit
 * get one, the highest block first. */
static void procedure_connect(struct procedure *p)
{
    bool *seen = xcalloc((size_t)p->blocks + 1, sizeof *seen), *back = xcalloc((size_t)p->blocks + 1, sizeof *back);
    procedure_mark(p, p->blocks, false, seen);
    procedure_mark(p, p->blocks, true, back);
    uint32_t before = p->edges;
    for (uint32_t n = 0; n < p->blocks; n++)
        if (!seen[n]) {
            procedure_add_edge(p, (struct procedure_edge){p->blocks, n, PROCEDURE_ENTER, CODE_GRAPH_NONE});
            procedure_mark(p, n, false, seen);
        }
    for (uint32_t n = p->blocks; n-- > 0;)
        if (!back[n]) {
            procedure_add_edge(p, (struct procedure_edge){n, p->blocks, PROCEDURE_ENDLESS, CODE_GRAPH_NONE});
            procedure_mark(p, n, true, back);
        }
    if (p->edges != before)
        sort_all(p);
    free(seen);
    free(back);
}

/* A block is an edge from its first node to its second one, so blocks and edges are classified together. */
static void procedure_classify(struct procedure *p)
{
    uint32_t all = p->blocks + p->edges, *class_of = xcalloc((size_t)all + 1, sizeof *class_of);
    struct cycle_edge *edge = xcalloc((size_t)all + 1, sizeof *edge);
    uint32_t outside = 2 * p->blocks;
    for (uint32_t n = 0; n < p->blocks; n++)
        edge[n] = (struct cycle_edge){2 * n, 2 * n + 1};
    for (uint32_t e = 0; e < p->edges; e++)
        edge[p->blocks + e] = (struct cycle_edge){p->edge[e].from == p->blocks ? outside : 2 * p->edge[e].from + 1,
                                                  p->edge[e].to == p->blocks ? outside : 2 * p->edge[e].to};
    if (p->missing) {
        for (uint32_t i = 0; i < all; i++)
            class_of[i] = i;
        p->classes = all;
    } else {
        p->classes = cycle_equivalence(outside + 1, edge, all, class_of);
    }
    p->block_class = xcalloc((size_t)p->blocks + 1, sizeof *p->block_class);
    p->edge_class = xcalloc((size_t)p->edges + 1, sizeof *p->edge_class);
    for (uint32_t n = 0; n < p->blocks; n++)
        p->block_class[n] = class_of[n];
    for (uint32_t e = 0; e < p->edges; e++)
        p->edge_class[e] = class_of[p->blocks + e];
    free(edge);
    free(class_of);
}

struct procedure *procedure_new(const struct code_graph *g, uint32_t block)
{
    struct procedure *p = xcalloc(1, sizeof *p);
    p->graph = g;
    find_blocks(p, block);
    for (uint32_t n = 0; n < p->blocks; n++) {
        add_out(p, n);
        p->missing = p->missing || code_graph_lost(g, p->first + n);
    }
    for (uint32_t n = 0; n < p->blocks; n++)
        if (is_entered(p, n))
            procedure_add_edge(p, (struct procedure_edge){p->blocks, n, PROCEDURE_ENTER, CODE_GRAPH_NONE});
    sort_all(p);
    procedure_connect(p);
    procedure_classify(p);
    return p;
}

void procedure_free(struct procedure *p)
{
    if (p == NULL)
        return;
    free(p->edge);
    free(p->out_first);
    free(p->out);
    free(p->in_first);
    free(p->in);
    free(p->block_class);
    free(p->edge_class);
    free(p);
}
