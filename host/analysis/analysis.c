/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/analysis/analysis.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "host/analysis/analysis_parts.h"
#include "host/analysis/block_schedule.h"
#include "host/analysis/constants.h"
#include "host/analysis/producers.h"

static void take_insns(struct analysis_run *r)
{
    const struct procedure *p = r->procedure;
    struct analysis *a = r->result;
    a->blocks = p->blocks;
    a->insns = p->insns;
    a->block = xcalloc((size_t)a->blocks + 1, sizeof *a->block);
    a->insn = xcalloc((size_t)a->insns + 1, sizeof *a->insn);
    for (uint32_t b = 0; b < p->blocks; b++) {
        const struct code_graph_block *from = procedure_block(p, b);
        a->block[b] = (struct analysis_block){
            .start = from->start, .last = from->last, .first = from->first - p->insn, .insns = from->insns};
        for (uint32_t i = a->block[b].first; i < a->block[b].first + from->insns; i++) {
            uint64_t pc = code_graph_pc(p->graph, p->insn + i);
            a->insn[i] = (struct analysis_insn){
                .pc = pc, .block = b, .samples = r->samples->cycles(r->samples->ctx, pc), .cpi = NAN};
        }
    }
}

static void take_schedule(struct analysis_run *r, const struct block_row *row)
{
    struct analysis *a = r->result;
    for (uint32_t i = 0; i < a->insns; i++) {
        struct analysis_insn *in = &a->insn[i];
        in->schedule = row[i].row;
        in->minimum = row[i].cycles;
        in->varies = row[i].varies;
        int64_t culprit = (int64_t)i + in->schedule.culprit;
        in->static_culprit = in->schedule.culprit != 0 && culprit >= 0 ? a->insn[culprit].pc : 0;
    }
}

/* The classes' blocks, one after another: those of class c are at [first[c], first[c + 1]). */
struct class_blocks {
    uint32_t *first;
    struct frequency_block *block;
    struct frequency_insn *insn;
};

static void see_producer(void *ctx, uint32_t i, const struct producer *from)
{
    (void)i;
    bool *waits = ctx;
    *waits = *waits || from->outside || (from->flags & CODE_LOADS) != 0;
}

/* Returns whether the instruction may wait for data from memory, or for room in the store buffer. */
static bool may_wait(struct analysis_run *r, uint32_t i)
{
    bool waits = (code_graph_operands(r->procedure->graph, r->procedure->insn + i).flags & CODE_STORES) != 0;
    producers_find(r, i, see_producer, &waits);
    return waits;
}

static void fill_block(struct analysis_run *r, uint32_t b, struct frequency_insn *insn)
{
    const struct analysis *a = r->result;
    for (uint32_t i = a->block[b].first; i < a->block[b].first + a->block[b].insns; i++) {
        int32_t culprit = a->insn[i].schedule.culprit;
        insn[i] = (struct frequency_insn){.samples = a->insn[i].samples,
                                          .cycles = a->insn[i].minimum,
                                          .depends = culprit < 0 ? (uint32_t)-culprit : 0,
                                          .varies = a->insn[i].varies,
                                          .waits = may_wait(r, i)};
    }
}

static struct class_blocks blocks_by_class(struct analysis_run *r)
{
    const struct procedure *p = r->procedure;
    const struct analysis *a = r->result;
    struct class_blocks c = {xcalloc((size_t)p->classes + 3, sizeof *c.first),
                             xcalloc((size_t)p->blocks + 1, sizeof *c.block),
                             xcalloc((size_t)p->insns + 1, sizeof *c.insn)};
    for (uint32_t b = 0; b < p->blocks; b++)
        c.first[p->block_class[b] + 2]++;
    for (uint32_t i = 2; i < p->classes + 2; i++)
        c.first[i] += c.first[i - 1];
    for (uint32_t b = 0; b < p->blocks; b++) {
        fill_block(r, b, c.insn);
        c.block[c.first[p->block_class[b] + 1]++] = (struct frequency_block){c.insn + a->block[b].first,
                                                                             a->block[b].insns};
    }
    return c;
}

/* The largest reasonable dynamic stall. */
static double most_stall(const struct analysis_run *r)
{
    const struct schedule_machine *m = &r->schedule->machine;
    return analysis_STALL_FILLS * (m->fill_cycles + m->tlb_cycles);
}

static void estimate_classes(struct analysis_run *r, struct frequency *estimate)
{
    struct class_blocks c = blocks_by_class(r);
    for (uint32_t i = 0; i < r->procedure->classes; i++)
        estimate[i] = frequency_of_class(c.block + c.first[i], c.first[i + 1] - c.first[i], most_stall(r));
    for (uint32_t i = 0; i < r->result->insns; i++)
        r->result->insn[i].chosen = c.insn[i].chosen;
    free(c.first);
    free(c.block);
    free(c.insn);
}

/* Confidence by the number of samples that an estimated count stands for. */
static enum confidence confidence_in_count(const struct analysis_run *r, double samples)
{
    if (r->samples->exact || samples >= analysis_HIGH_SAMPLES)
        return CONFIDENCE_HIGH;
    return samples >= analysis_MEDIUM_SAMPLES ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;
}

/* The mean count of a class's instructions. */
static void count_classes(struct analysis_run *r, struct frequency *estimate)
{
    const struct procedure *p = r->procedure;
    const struct analysis *a = r->result;
    double *sum = xcalloc((size_t)p->classes + 1, sizeof *sum), *insns = xcalloc((size_t)p->classes + 1, sizeof *insns);
    for (uint32_t i = 0; i < a->insns; i++) {
        double count = r->samples->executions(r->samples->ctx, a->insn[i].pc);
        uint32_t class = p->block_class[a->insn[i].block];
        if (isnan(count))
            continue;
        sum[class] += count / a->period;
        insns[class]++;
    }
    for (uint32_t c = 0; c < p->classes; c++)
        estimate[c] = insns[c] > 0 ? (struct frequency){sum[c] / insns[c], confidence_in_count(r, sum[c])}
                                   : (struct frequency){0, CONFIDENCE_NONE};
    free(sum);
    free(insns);
}

/* A stall of a block's first instruction shows that the pipeline restarts there. */
static void find_restarts(const struct analysis_run *r, bool *restarts)
{
    const struct analysis *a = r->result;
    for (uint32_t b = 0; b < a->blocks; b++) {
        const struct analysis_insn *first = &a->insn[a->block[b].first];
        double usual = flow_of_block(r->flow, b).value * (first->minimum + analysis_RESTART_CYCLES);
        restarts[b] = first->samples > usual + analysis_NOISE * sqrt(usual);
    }
}

static void estimate_all(struct analysis_run *r, struct frequency *estimate)
{
    if (r->samples->executions != NULL)
        count_classes(r, estimate);
    else
        estimate_classes(r, estimate);
    flow_propagate(r->flow, estimate);
}

/* Schedules, estimates and propagates twice: the second time edges that are rare by the first estimate are ignored. The
 * last schedule chooses among the paths by the samples. */
static void find_frequencies(struct analysis_run *r)
{
    const struct procedure *p = r->procedure;
    struct block_row *row = xcalloc((size_t)p->insns + 1, sizeof *row);
    struct frequency *estimate = xcalloc((size_t)p->classes + 1, sizeof *estimate);
    bool *restarts = xcalloc((size_t)p->blocks + 1, sizeof *restarts);
    double *samples = xcalloc((size_t)p->insns + 1, sizeof *samples);
    r->flow = flow_new(p);
    block_schedule(p, r->schedule, NULL, row);
    take_schedule(r, row);
    estimate_all(r, estimate);
    find_restarts(r, restarts);
    block_schedule(p, r->schedule, &(struct block_history){.flow = r->flow, .restarts = restarts}, row);
    take_schedule(r, row);
    estimate_all(r, estimate);
    for (uint32_t i = 0; i < p->insns; i++)
        samples[i] = r->result->insn[i].samples;
    block_schedule(p, r->schedule, &(struct block_history){.flow = r->flow, .restarts = restarts, .samples = samples},
                   row);
    take_schedule(r, row);
    free(row);
    free(estimate);
    free(restarts);
    free(samples);
}

static void take_frequencies(struct analysis_run *r)
{
    const struct procedure *p = r->procedure;
    struct analysis *a = r->result;
    size_t count;
    const struct code_graph_edge *edge = code_graph_edges(p->graph, &count);
    a->edges = p->edges;
    a->edge = xcalloc((size_t)a->edges + 1, sizeof *a->edge);
    for (uint32_t e = 0; e < p->edges; e++)
        a->edge[e] = (struct analysis_edge){.from = p->edge[e].from,
                                            .to = p->edge[e].to,
                                            .kind = p->edge[e].kind,
                                            .transfer = p->edge[e].edge != CODE_GRAPH_NONE ? edge[p->edge[e].edge].kind
                                                                                           : CODE_GRAPH_FALL,
                                            .frequency = flow_of_edge(r->flow, e)};
    for (uint32_t b = 0; b < a->blocks; b++)
        a->block[b].frequency = flow_of_block(r->flow, b);
}

static void find_stalls(struct analysis *a)
{
    for (uint32_t i = 0; i < a->insns; i++) {
        struct analysis_insn *in = &a->insn[i];
        struct frequency f = a->block[in->block].frequency;
        if (f.confidence == CONFIDENCE_NONE || (f.value <= 0 && in->samples > 0))
            continue;
        double expected = f.value * in->minimum;
        in->cpi = f.value > 0 ? in->samples / f.value : 0;
        in->dynamic = in->samples - expected;
        in->is_stall = in->dynamic > analysis_NOISE * sqrt(expected) && in->dynamic >= 1;
    }
}

struct analysis *analysis_new(const struct code_graph *g, uint32_t block, const struct code_schedule *schedule,
                              const struct analysis_samples *samples)
{
    struct analysis *a = xcalloc(1, sizeof *a);
    struct procedure *p = procedure_new(g, block);
    struct analysis_run r = {.result = a, .procedure = p, .schedule = schedule, .samples = samples};
    a->missing = p->missing;
    a->period = samples->period;
    take_insns(&r);
    a->start = a->block[0].start;
    find_frequencies(&r);
    take_frequencies(&r);
    find_stalls(a);
    analysis_find_culprits(&r);
    analysis_summarise(a, &schedule->machine);
    flow_free(r.flow);
    procedure_free(p);
    return a;
}

void analysis_free(struct analysis *a)
{
    if (a == NULL)
        return;
    free(a->insn);
    free(a->block);
    free(a->edge);
    free(a);
}
