/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/analysis/block_schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "host/analysis/constants.h"

/* Instructions before a block that are scheduled with it; blocks of a path; paths of a block. */
enum { BEFORE = 16, PATH_BLOCKS = 8, PATHS = 24 };

struct scheduler {
    const struct procedure *p;
    const struct code_schedule *schedule;
    const struct block_history *history;
    uint64_t *pc;               /* of the instructions before and in a block */
    struct schedule_row *row;   /* of these */
    struct schedule_row *alone; /* the block alone */
    struct block_row *out;      /* of the block */
    bool restarts;
    uint32_t insns;
    const double *samples; /* of the block; NULL: unknown */
    double frequency;
    double weight, best; /* sum of the paths' weights; weight of the most frequent one */
    double fit;          /* least difference of a path's schedule from the samples */
    int paths;
};

/* A path back from the block: path[0] is the block itself. */
struct path {
    uint32_t block[PATH_BLOCKS], blocks, insns;
    uint64_t call; /* before the first block: a call, for its return or its callee; 0: none */
    double weight;
};

static bool schedule_path(struct scheduler *s, const struct path *path, uint32_t *start)
{
    uint32_t count = 0, skip = path->insns > BEFORE ? path->insns - BEFORE : 0;
    if (path->call != 0)
        s->pc[count++] = path->call;
    for (uint32_t k = path->blocks; k-- > 0;) {
        const struct code_graph_block *b = procedure_block(s->p, path->block[k]);
        uint32_t from = k > 0 && skip > 0 ? (skip < b->insns ? skip : b->insns) : 0;
        if (k > 0)
            skip -= from;
        else
            *start = count;
        for (uint32_t i = from; i < b->insns; i++)
            s->pc[count++] = code_graph_pc(s->p->graph, b->first + i);
    }
    return s->schedule->code(s->schedule->ctx, s->pc, count, s->row);
}

static double misfit_of(const struct scheduler *s, uint32_t i, double cycles)
{
    double difference = s->samples[i] - s->frequency * cycles;
    return difference < 0 ? -difference : difference;
}

/* Takes the rows of a path over if it is the most frequent one, or agrees best with the samples. */
static void take_best(struct scheduler *s, const struct schedule_row *row, double weight)
{
    double fit = 0;
    for (uint32_t i = 0; s->samples != NULL && i < s->insns; i++)
        fit += misfit_of(s, i, row[i].cycles);
    bool better = s->samples != NULL ? fit < s->fit : weight > s->best;
    for (uint32_t i = 0; better && i < s->insns; i++)
        s->out[i].row = row[i];
    if (better)
        s->fit = fit;
    if (weight > s->best)
        s->best = weight;
}

/* Adds the schedule behind a path to the rows. */
static void block_schedule_add_path(struct scheduler *s, const struct path *path)
{
    uint32_t start = 0;
    if (s->paths == PATHS || !schedule_path(s, path, &start))
        return;
    const struct schedule_row *row = s->row + start;
    s->paths++;
    s->weight += path->weight;
    for (uint32_t i = 0; i < s->insns; i++) {
        bool differs = s->paths > 1 && row[i].cycles != s->out[i].row.cycles;
        s->out[i].cycles += path->weight * row[i].cycles;
        s->out[i].varies = s->out[i].varies || differs || (s->restarts && row[i].cycles != s->alone[i].cycles);
    }
    take_best(s, row, path->weight);
}

static bool is_past_call(const struct procedure *p, const struct procedure_edge *e)
{
    size_t edges;
    return e->edge != CODE_GRAPH_NONE && code_graph_edges(p->graph, &edges)[e->edge].kind == CODE_GRAPH_PAST_CALL;
}

/* Share of an edge in the executions of its destination; 0: rare. */
static double block_schedule_share_of(const struct scheduler *s, uint32_t edge, uint32_t block)
{
    uint32_t edges = s->p->in_first[block + 1] - s->p->in_first[block];
    const struct procedure_flow *flow = s->history != NULL ? s->history->flow : NULL;
    if (flow == NULL || edges == 1)
        return 1.0 / edges;
    struct frequency e = flow_of_edge(flow, edge), b = flow_of_block(flow, block);
    if (e.confidence == CONFIDENCE_NONE || b.confidence == CONFIDENCE_NONE || b.value <= 0)
        return 1.0 / edges;
    double share = e.value / b.value;
    return share < analysis_RARE_SHARE ? 0 : share;
}

/* A call before the edge's destination: the one that returns there, or one that enters it. */
static uint64_t call_before(const struct procedure *p, const struct procedure_edge *e)
{
    size_t edges, count;
    const struct code_graph_edge *edge = code_graph_edges(p->graph, &edges);
    if (e->kind == PROCEDURE_INSIDE)
        return procedure_block(p, e->from)->last;
    const uint32_t *in = code_graph_in(p->graph, p->first + e->to, &count);
    for (size_t i = 0; i < count; i++)
        if (edge[in[i]].kind == CODE_GRAPH_CALL)
            return code_graph_blocks(p->graph, &edges)[edge[in[i]].from].last;
    return 0;
}

static void block_schedule_extend(struct scheduler *s, const struct path *path)
{
    uint32_t last = path->block[path->blocks - 1];
    bool extended = false;
    for (uint32_t i = s->p->in_first[last]; i < s->p->in_first[last + 1]; i++) {
        const struct procedure_edge *e = &s->p->edge[s->p->in[i]];
        struct path longer = *path;
        longer.weight *= block_schedule_share_of(s, s->p->in[i], last);
        if (longer.weight <= 0)
            continue;
        extended = true;
        if (e->kind != PROCEDURE_INSIDE || is_past_call(s->p, e) || path->blocks == PATH_BLOCKS) {
            longer.call = path->blocks < PATH_BLOCKS ? call_before(s->p, e) : 0;
            block_schedule_add_path(s, &longer);
            continue;
        }
        longer.block[longer.blocks++] = e->from;
        longer.insns += procedure_block(s->p, e->from)->insns;
        if (longer.insns >= BEFORE)
            block_schedule_add_path(s, &longer);
        else
            block_schedule_extend(s, &longer);
    }
    if (!extended)
        block_schedule_add_path(s, path);
}

/* With samples: the mean of the paths, or the one that agrees best, or the block alone. */
static void block_schedule_choose(struct scheduler *s)
{
    double mean = 0;
    for (uint32_t i = 0; i < s->insns; i++)
        mean += misfit_of(s, i, s->out[i].cycles);
    if (s->restarts)
        take_best(s, s->alone, 0);
    for (uint32_t i = 0; mean > s->fit && i < s->insns; i++)
        s->out[i].cycles = s->out[i].row.cycles;
}

static void schedule_block(struct scheduler *s, uint32_t block, struct block_row *row)
{
    struct path path = {.block = {block}, .blocks = 1, .weight = 1};
    const struct block_history *h = s->history;
    uint32_t start, first = procedure_block(s->p, block)->first - s->p->insn;
    s->out = row + first;
    s->insns = procedure_block(s->p, block)->insns;
    s->weight = s->best = 0;
    s->fit = INFINITY;
    s->paths = 0;
    s->restarts = h == NULL || h->restarts == NULL || h->restarts[block];
    s->samples = h != NULL && h->samples != NULL ? h->samples + first : NULL;
    s->frequency = h != NULL && h->flow != NULL ? flow_of_block(h->flow, block).value : 0;
    memset(s->out, 0, s->insns * sizeof *s->out);
    if (!schedule_path(s, &path, &start))
        return;
    memcpy(s->alone, s->row, s->insns * sizeof *s->alone);
    block_schedule_extend(s, &path);
    for (uint32_t i = 0; i < s->insns; i++)
        s->out[i].cycles /= s->weight;
    if (s->samples != NULL)
        block_schedule_choose(s);
}

void block_schedule(const struct procedure *p, const struct code_schedule *schedule,
                    const struct block_history *history, struct block_row *row)
{
    size_t room = (size_t)p->insns * 2 + BEFORE + 1;
    struct scheduler s = {.p = p,
                          .schedule = schedule,
                          .history = history,
                          .pc = xcalloc(room, sizeof *s.pc),
                          .row = xcalloc(room, sizeof *s.row),
                          .alone = xcalloc(room, sizeof *s.alone)};
    for (uint32_t b = 0; b < p->blocks; b++)
        schedule_block(&s, b, row);
    free(s.pc);
    free(s.row);
    free(s.alone);
}
