/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls and system calls that do not return. Private to host/analysis.
 *
 * A block reaches a return if one of its edges leads to a block that does; an edge past a call counts if the callee's
 * entry reaches a return. The least solution is found backwards from the returns, in linear time. */
#include <stdlib.h>

#include "base/status.h"
#include "host/analysis/code_values.h"

enum { A7 = 17, LINUX_EXIT = 93, LINUX_EXIT_GROUP = 94 };

struct no_return_search {
    const struct code_graph *g;
    bool *reaches;
    uint32_t *work;
    size_t count;
};

static void no_return_reach(struct no_return_search *s, uint32_t block)
{
    if (s->reaches[block])
        return;
    s->reaches[block] = true;
    s->work[s->count++] = block;
}

/* Returns whether a callee of the call block may return: one that is unknown, or one that reaches a return. */
static bool callee_returns(const struct no_return_search *s, uint32_t call)
{
    size_t edges;
    bool known = false;
    const uint32_t *out = code_graph_out(s->g, call, &edges);
    for (size_t i = 0; i < edges; i++) {
        const struct code_graph_edge *e = &s->g->edge[out[i]];
        if (e->kind != CODE_GRAPH_CALL)
            continue;
        known = true;
        if (s->reaches[e->to])
            return true;
    }
    return !known || s->g->block[call].ends == CODE_INDIRECT_CALL;
}

static bool past_call_reaches(const struct no_return_search *s, uint32_t call)
{
    size_t edges;
    const uint32_t *out = code_graph_out(s->g, call, &edges);
    for (size_t i = 0; i < edges; i++)
        if (s->g->edge[out[i]].kind == CODE_GRAPH_PAST_CALL && s->reaches[s->g->edge[out[i]].to])
            return true;
    return false;
}

static void no_return_spread(struct no_return_search *s, uint32_t block)
{
    size_t edges;
    const uint32_t *in = code_graph_in(s->g, block, &edges);
    for (size_t i = 0; i < edges; i++) {
        const struct code_graph_edge *e = &s->g->edge[in[i]];
        bool follows = e->kind == CODE_GRAPH_CALL        ? past_call_reaches(s, e->from)
                       : e->kind == CODE_GRAPH_PAST_CALL ? callee_returns(s, e->from)
                                                         : true;
        if (follows)
            no_return_reach(s, e->from);
    }
}

static bool is_exit(const struct code_graph *g, uint32_t block)
{
    const struct code_graph_block *b = &g->block[block];
    if (b->ends != CODE_TRAP)
        return false;
    struct code_value v = code_value_of(g, A7, (struct code_place){block, b->first + b->insns - 1});
    return v.kind == CODE_VALUE_CONSTANT && (v.constant == LINUX_EXIT || v.constant == LINUX_EXIT_GROUP);
}

void no_return_mark(struct code_graph *g)
{
    struct no_return_search s = {g, xcalloc(g->blocks + 1, sizeof *s.reaches), xcalloc(g->blocks + 1, sizeof *s.work),
                                 0};
    for (uint32_t b = 0; b < g->blocks; b++) {
        size_t edges;
        (void)code_graph_out(g, b, &edges);
        if (g->block[b].ends == CODE_RETURN || (g->block[b].ends == CODE_INDIRECT_JUMP && edges == 0))
            no_return_reach(&s, b);
    }
    for (size_t i = 0; i < s.count; i++)
        no_return_spread(&s, s.work[i]);
    for (uint32_t b = 0; b < g->blocks; b++) {
        struct code_graph_insn_row *last = &g->insn[g->block[b].first + g->block[b].insns - 1];
        if (last->kind == CODE_CALL)
            last->no_return = !callee_returns(&s, b);
        else if (last->kind == CODE_TRAP)
            last->no_return = is_exit(g, b);
    }
    free(s.work);
    free(s.reaches);
}
