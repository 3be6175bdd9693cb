/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/analysis/producers.h"

#include "host/analysis/constants.h"

enum { A0 = 10, A7 = 17, FA0 = 42, FA7 = 49, FP = 32, MOST_BLOCKS = 64 };

struct producers_search {
    struct analysis_run *r;
    uint32_t i; /* the waiting instruction */
    uint8_t reg;
    void (*found)(void *ctx, uint32_t i, const struct producer *producer);
    void *ctx;
    uint32_t block[MOST_BLOCKS]; /* blocks whose predecessors are searched */
    double cycles[MOST_BLOCKS];  /* that the instructions between take */
    uint32_t blocks;
};

static bool reads(const struct code_graph_operands *o, uint8_t reg)
{
    return o->src[0] == reg || o->src[1] == reg || o->src[2] == reg;
}

/* Searches the block's instructions before `end`. Returns whether the path goes on before the block. */
static bool search_block(struct producers_search *s, uint32_t block, uint32_t end, bool own, double *cycles)
{
    const struct analysis *a = s->r->result;
    const struct code_graph *g = s->r->procedure->graph;
    const struct schedule_machine *m = &s->r->schedule->machine;
    for (uint32_t k = end; k-- > a->block[block].first;) {
        struct code_graph_operands o = code_graph_operands(g, s->r->procedure->insn + k);
        if (o.dst == s->reg) {
            struct producer p = {.other_block = !own,
                                 .cycles = *cycles,
                                 .is_fp = o.dst >= FP || o.src[0] >= FP,
                                 .pc = a->insn[k].pc,
                                 .flags = o.flags};
            s->found(s->ctx, s->i, &p);
            return false;
        }
        if (reads(&o, s->reg))
            return false;
        *cycles += a->insn[k].minimum;
        if (*cycles > m->fill_cycles + m->tlb_cycles)
            return false;
    }
    return true;
}

static void producers_add_block(struct producers_search *s, uint32_t block, double cycles)
{
    for (uint32_t i = 0; i < s->blocks; i++)
        if (s->block[i] == block)
            return;
    if (s->blocks == MOST_BLOCKS)
        return;
    s->block[s->blocks] = block;
    s->cycles[s->blocks++] = cycles;
}

/* Values that other procedures pass: arguments, results. A saved register is restored long before its use. */
static void search_outside(struct producers_search *s)
{
    if ((s->reg >= A0 && s->reg <= A7) || (s->reg >= FA0 && s->reg <= FA7))
        s->found(s->ctx, s->i, &(struct producer){.outside = true, .other_block = true});
}

static void search_before(struct producers_search *s, uint32_t block, double cycles)
{
    const struct procedure *p = s->r->procedure;
    size_t edges;
    const struct code_graph_edge *edge = code_graph_edges(p->graph, &edges);
    for (uint32_t i = p->in_first[block]; i < p->in_first[block + 1]; i++) {
        const struct procedure_edge *e = &p->edge[p->in[i]];
        struct frequency f = flow_of_edge(s->r->flow, p->in[i]), b = flow_of_block(s->r->flow, block);
        double passed = cycles;
        if (f.confidence != CONFIDENCE_NONE && f.value < analysis_RARE_SHARE * b.value)
            continue;
        if (e->kind != PROCEDURE_INSIDE || edge[e->edge].kind == CODE_GRAPH_PAST_CALL)
            search_outside(s);
        else if (search_block(s, e->from, s->r->result->block[e->from].first + s->r->result->block[e->from].insns,
                              false, &passed))
            producers_add_block(s, e->from, passed);
    }
}

static void search_register(struct producers_search *s)
{
    uint32_t block = s->r->result->insn[s->i].block;
    double cycles = 0;
    s->blocks = 0;
    if (s->reg == 0 || !search_block(s, block, s->i, true, &cycles))
        return;
    producers_add_block(s, block, cycles);
    for (uint32_t k = 0; k < s->blocks; k++)
        search_before(s, s->block[k], s->cycles[k]);
}

void producers_find(struct analysis_run *r, uint32_t i,
                    void (*found)(void *ctx, uint32_t i, const struct producer *producer), void *ctx)
{
    struct code_graph_operands o = code_graph_operands(r->procedure->graph, r->procedure->insn + i);
    struct producers_search s = {.r = r, .i = i, .found = found, .ctx = ctx};
    const uint8_t reg[] = {o.src[0], o.src[1], o.src[2], o.dst};
    for (unsigned n = 0; n < sizeof reg; n++) {
        bool again = false;
        for (unsigned m = 0; m < n; m++)
            again = again || reg[m] == reg[n];
        s.reg = reg[n];
        if (!again)
            search_register(&s);
    }
}
