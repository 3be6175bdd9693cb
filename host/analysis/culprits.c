/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The causes of dynamic stalls, by elimination (DCPI paper, section 6.3): a cause remains possible unless the code, the
 * frequencies or samples of events rule it out. */
#include <math.h>

#include "host/analysis/analysis_parts.h"
#include "host/analysis/constants.h"
#include "host/analysis/producers.h"

enum { PAGE_BYTES = 4096 };

static void suspect(struct analysis_insn *in, enum dynamic_stall cause, double most, uint64_t culprit)
{
    struct analysis_cause *c = &in->cause[cause];
    if (!c->possible)
        *c = (struct analysis_cause){.possible = true, .culprit = culprit};
    c->most += most;
    if (c->most > in->dynamic)
        c->most = in->dynamic;
}

/* Samples of time that the events at an address may take; INFINITY: the event was not sampled. */
static double time_of_events(const struct analysis_run *r, enum analysis_event event, uint64_t pc, double cycles)
{
    double events = r->samples->events != NULL ? r->samples->events(r->samples->ctx, event, pc) : NAN;
    if (isnan(events))
        return INFINITY;
    return events > 0 ? events * cycles / r->samples->period : 0; /* the cycles may be INFINITY */
}

static bool is_rare_edge(const struct analysis_run *r, uint32_t edge, uint32_t block)
{
    struct frequency e = flow_of_edge(r->flow, edge), b = flow_of_block(r->flow, block);
    return e.confidence != CONFIDENCE_NONE && e.value < analysis_RARE_SHARE * b.value;
}

static uint64_t last_byte(const struct analysis_run *r, uint32_t insn)
{
    const struct code_graph *g = r->procedure->graph;
    return code_graph_pc(g, insn) + code_graph_operands(g, insn).length_bytes - 1u;
}

/* How an instruction is reached from one edge into its block. */
struct arrival {
    bool outside;        /* from another procedure, a call included */
    uint32_t insn;       /* otherwise: the instruction executed before, in the code graph */
    enum code_kind kind; /* of that one */
    enum code_graph_edge_kind transfer;
};

static struct arrival arrival_of(const struct analysis_run *r, uint32_t edge)
{
    const struct procedure *p = r->procedure;
    const struct procedure_edge *e = &p->edge[edge];
    size_t edges;
    if (e->kind != PROCEDURE_INSIDE)
        return (struct arrival){.outside = true, .kind = CODE_CALL, .transfer = CODE_GRAPH_CALL};
    enum code_graph_edge_kind transfer = code_graph_edges(p->graph, &edges)[e->edge].kind;
    const struct code_graph_block *b = procedure_block(p, e->from);
    if (transfer == CODE_GRAPH_PAST_CALL)
        return (struct arrival){.outside = true, .kind = CODE_RETURN, .transfer = transfer};
    return (struct arrival){.insn = b->first + b->insns - 1, .kind = b->ends, .transfer = transfer};
}

/* Fetch can stall the instruction if it is not in the line, or the page, of the one before. */
static bool crosses(const struct analysis_run *r, const struct arrival *a, uint32_t insn, uint64_t bytes)
{
    return a->outside || last_byte(r, a->insn) / bytes != last_byte(r, insn) / bytes;
}

/* Events of the instructions from i on in the same line: fetch of the line counts at one of them. */
static double fetch_time(const struct analysis_run *r, enum analysis_event event, uint32_t i, double cycles)
{
    const struct analysis *a = r->result;
    const struct analysis_block *b = &a->block[a->insn[i].block];
    uint64_t line = r->schedule->machine.line_bytes, at = a->insn[i].pc / line;
    double time = 0;
    for (uint32_t k = i; k < b->first + b->insns && (k == i || a->insn[k].pc / line == at); k++)
        time += time_of_events(r, event, a->insn[k].pc, cycles);
    return time;
}

static void suspect_fetch(struct analysis_run *r, uint32_t i, const struct arrival *a)
{
    const struct schedule_machine *m = &r->schedule->machine;
    struct analysis_insn *in = &r->result->insn[i];
    uint32_t insn = r->procedure->insn + i;
    if (!in->cause[DYNAMIC_ICACHE].possible && crosses(r, a, insn, m->line_bytes))
        suspect(in, DYNAMIC_ICACHE, fetch_time(r, ANALYSIS_IMISS, i, m->fill_cycles), 0);
    if (!in->cause[DYNAMIC_ITLB].possible && crosses(r, a, insn, PAGE_BYTES))
        suspect(in, DYNAMIC_ITLB, fetch_time(r, ANALYSIS_ITLB_MISS, i, m->tlb_cycles), 0);
}

static double culprits_executions(const struct analysis_run *r, uint32_t i)
{
    return r->result->block[r->result->insn[i].block].frequency.value;
}

static double smaller(double a, double b) { return a < b ? a : b; }

/* A misprediction stalls the first instruction of the right path; at commit, the branch itself. */
static void suspect_path(struct analysis_run *r, uint32_t i, const struct arrival *a)
{
    const struct schedule_machine *m = &r->schedule->machine;
    struct analysis_insn *in = &r->result->insn[i];
    double most = culprits_executions(r, i) * m->mispredict_cycles;
    uint64_t culprit = a->outside ? 0 : code_graph_pc(r->procedure->graph, a->insn);
    if (!a->outside)
        most = smaller(most, time_of_events(r, ANALYSIS_MISPREDICTED, culprit, m->mispredict_cycles));
    bool predicted = a->outside || a->kind == CODE_BRANCH || a->kind == CODE_INDIRECT_JUMP;
    if (predicted && !m->at_commit)
        suspect(in, DYNAMIC_MISPREDICT, most, culprit);
    if (a->transfer != CODE_GRAPH_FALL && a->transfer != CODE_GRAPH_NOT_TAKEN)
        suspect(in, DYNAMIC_OTHER, culprits_executions(r, i) * m->bubble_cycles, culprit);
}

static void suspect_before(struct analysis_run *r, uint32_t i, const struct arrival *a)
{
    struct analysis_insn *in = &r->result->insn[i];
    suspect_fetch(r, i, a);
    if (!a->outside && (code_graph_operands(r->procedure->graph, a->insn).flags & CODE_SERIAL))
        suspect(in, DYNAMIC_SYNC, INFINITY, code_graph_pc(r->procedure->graph, a->insn));
}

/* The rest of the first fetch block after a taken transfer may be short, so the instruction at the start of the next
 * one can be late. */
static void suspect_start(struct analysis_run *r, uint32_t i)
{
    struct analysis_insn *in = &r->result->insn[i];
    const struct analysis_block *b = &r->result->block[in->block];
    uint64_t bytes = r->schedule->machine.fetch_bytes;
    bool is_next = i > b->first && in->pc / bytes != r->result->insn[i - 1].pc / bytes && in->pc - b->start < bytes;
    if (in->varies || is_next)
        suspect(in, DYNAMIC_OTHER, culprits_executions(r, i), 0);
}

static void suspect_arrivals(struct analysis_run *r, uint32_t i)
{
    const struct procedure *p = r->procedure;
    uint32_t block = r->result->insn[i].block;
    if (i > r->result->block[block].first) {
        struct arrival a = {.insn = p->insn + i - 1, .kind = CODE_PLAIN, .transfer = CODE_GRAPH_FALL};
        suspect_before(r, i, &a);
        return;
    }
    for (uint32_t k = p->in_first[block]; k < p->in_first[block + 1]; k++) {
        if (is_rare_edge(r, p->in[k], block))
            continue;
        struct arrival a = arrival_of(r, p->in[k]);
        suspect_before(r, i, &a);
        suspect_path(r, i, &a);
    }
}

/* Latency of a result that the block's own schedule does not show, and its cause. */
static double latency_of(const struct schedule_machine *m, const struct producer *from, enum dynamic_stall *cause)
{
    *cause = from->flags & CODE_FDIV ? DYNAMIC_FDIV : from->flags & CODE_MUL ? DYNAMIC_MUL : DYNAMIC_OTHER;
    if (from->flags & CODE_FDIV)
        return m->fdiv_cycles;
    if (from->flags & CODE_MUL)
        return m->div_cycles > m->mul_cycles ? m->div_cycles : m->mul_cycles;
    return from->is_fp ? m->longest_cycles : 1;
}

/* Results that the instruction waits for. */
static void suspect_producer(void *ctx, uint32_t i, const struct producer *from)
{
    struct analysis_run *r = ctx;
    const struct schedule_machine *m = &r->schedule->machine;
    struct analysis_insn *in = &r->result->insn[i];
    if (from->outside || (from->flags & CODE_LOADS)) {
        bool known = !from->outside;
        suspect(in, DYNAMIC_DCACHE, known ? time_of_events(r, ANALYSIS_DMISS, from->pc, m->fill_cycles) : INFINITY,
                from->pc);
        suspect(in, DYNAMIC_DTLB, known ? time_of_events(r, ANALYSIS_DTLB_MISS, from->pc, m->tlb_cycles) : INFINITY,
                from->pc);
    } else if (from->other_block) {
        enum dynamic_stall cause;
        double latency = latency_of(m, from, &cause), between = from->cycles + in->minimum;
        if (between < latency)
            suspect(in, cause, culprits_executions(r, i) * (latency - between), from->pc);
    }
}

/* Time at the head of the issue stage: the instruction waits for results of others. */
static void suspect_at_issue(struct analysis_run *r, uint32_t i)
{
    uint8_t flags = code_graph_operands(r->procedure->graph, r->procedure->insn + i).flags;
    suspect_start(r, i);
    producers_find(r, i, suspect_producer, r);
    if ((flags & CODE_STORES) && !(flags & CODE_SERIAL))
        suspect(&r->result->insn[i], DYNAMIC_WRITE_BUFFER, INFINITY, 0);
}

/* Time at commit: all earlier instructions are complete, so the instruction waits for its own execution. */
static void suspect_at_commit(struct analysis_run *r, uint32_t i)
{
    const struct schedule_machine *m = &r->schedule->machine;
    struct analysis_insn *in = &r->result->insn[i];
    uint32_t insn = r->procedure->insn + i;
    uint8_t flags = code_graph_operands(r->procedure->graph, insn).flags;
    enum code_kind kind = code_graph_kind(r->procedure->graph, insn);
    double f = culprits_executions(r, i);
    if (flags & CODE_LOADS) {
        suspect(in, DYNAMIC_DCACHE, INFINITY, in->pc);
        suspect(in, DYNAMIC_DTLB, time_of_events(r, ANALYSIS_DTLB_MISS, in->pc, m->tlb_cycles), in->pc);
    }
    if ((flags & CODE_STORES) && !(flags & CODE_SERIAL))
        suspect(in, DYNAMIC_WRITE_BUFFER, INFINITY, 0);
    if (flags & CODE_MUL)
        suspect(in, DYNAMIC_MUL, f * (m->div_cycles > m->mul_cycles ? m->div_cycles : m->mul_cycles), in->pc);
    if (flags & CODE_FDIV)
        suspect(in, DYNAMIC_FDIV, f * m->fdiv_cycles, in->pc);
    if (kind == CODE_BRANCH || kind == CODE_INDIRECT_JUMP || kind == CODE_INDIRECT_CALL || kind == CODE_RETURN)
        suspect(in, DYNAMIC_MISPREDICT, time_of_events(r, ANALYSIS_MISPREDICTED, in->pc, INFINITY), in->pc);
    suspect(in, DYNAMIC_OTHER, f * m->longest_cycles, 0);
}

void analysis_find_culprits(struct analysis_run *r)
{
    for (uint32_t i = 0; i < r->result->insns; i++) {
        if (!r->result->insn[i].is_stall)
            continue;
        suspect_arrivals(r, i);
        if (code_graph_operands(r->procedure->graph, r->procedure->insn + i).flags & CODE_SERIAL)
            suspect(&r->result->insn[i], DYNAMIC_SYNC, INFINITY, 0);
        if (r->schedule->machine.at_commit)
            suspect_at_commit(r, i);
        else
            suspect_at_issue(r, i);
    }
}
