/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core-model/config/config.h"
#include "core-model/ideal.h"
#include "core-model/prof/graph/graph_edges.h"

const uint32_t graph_ideal_causes[GRAPH_CAUSES] = {
    [GRAPH_CAUSE_BRANCH] = IDEAL_BRANCH, [GRAPH_CAUSE_LOAD] = IDEAL_L1D | IDEAL_DTLB,
    [GRAPH_CAUSE_TLB] = IDEAL_DTLB,      [GRAPH_CAUSE_FORWARD] = IDEAL_FORWARD | IDEAL_ORDERING,
    [GRAPH_CAUSE_FLUSH] = IDEAL_FLUSH,   [GRAPH_CAUSE_LATENCY] = IDEAL_LATENCY,
    [GRAPH_CAUSE_FETCH] = IDEAL_ICACHE,
};

/* ---- places ---- */

static void graph_places_init(struct graph_places *p, unsigned size)
{
    p->size = size;
    p->freed = xcalloc(size + 1, sizeof *p->freed);
}

bool graph_places_free(struct graph_places *p, int32_t cycle, int32_t node)
{
    const struct graph_freed freed = {cycle, node};
    unsigned n = p->used;
    if (p->used == p->size) {
        if (cycle <= p->freed[0].at)
            return false;
        for (n = 1; n < p->size && p->freed[n].at <= cycle; n++)
            p->freed[n - 1] = p->freed[n];
        p->freed[n - 1] = freed;
        return true;
    }
    for (; n > 0 && p->freed[n - 1].at > cycle; n--)
        p->freed[n] = p->freed[n - 1];
    p->freed[n] = freed;
    p->used++;
    return true;
}

/* The cycle from which on the next instruction has a place. */
static inline int32_t graph_places_next(const struct graph_places *p)
{
    return p->used == p->size ? p->freed[0].at : INT32_MIN / 2;
}

void graph_empty_places(struct graph *g)
{
    for (unsigned q = 0; q < GRAPH_QUEUES; q++)
        g->queue[q].used = 0;
    g->branches.used = 0;
}

static inline void graph_free_places(struct graph *g, int32_t n)
{
    const struct graph_node *in = &g->node[n];
    (void)graph_places_free(&g->queue[in->queue], g->at[n][GRAPH_ISSUE], n);
    if ((in->flags & GRAPH_BRANCH) != 0)
        (void)graph_places_free(&g->branches, g->at[n][GRAPH_DONE], n);
}

/* ---- the graph ---- */

void graph_init(struct graph *g, const struct core_config *cfg, int32_t window)
{
    *g = (struct graph){.fetch_buffer = cfg->fetch_buffer,
                        .frontend_cycles = cfg->frontend_cycles,
                        .redirect_cycles = cfg->redirect_cycles,
                        .decode_width = cfg->decode_width,
                        .commit_width = cfg->commit_width,
                        .rob_entries = cfg->rob_entries,
                        .place_count = {[GRAPH_LOADS] = cfg->load_queue,
                                        [GRAPH_STORES] = cfg->store_queue,
                                        [GRAPH_INT_REGISTERS] = cfg->int_registers - 32,
                                        [GRAPH_FP_REGISTERS] = cfg->fp_registers - 32,
                                        [GRAPH_PACKETS] = cfg->ftq_entries}};
    g->hit_cycles = (int32_t)(cfg->load_cycles + cfg->l1d_cycles);
    g->forward_cycles = (int32_t)(cfg->load_cycles + cfg->forward_cycles);
    g->context = (int32_t)(cfg->rob_entries + cfg->fetch_buffer);
    g->tail = (int32_t)(2 * cfg->rob_entries + cfg->fetch_buffer);
    g->capacity = window + g->context + g->tail;
    g->node = xcalloc((size_t)g->capacity, sizeof *g->node);
    g->at = xcalloc((size_t)g->capacity, sizeof *g->at);
    g->late = xcalloc((size_t)g->capacity, sizeof *g->late);
    graph_places_init(&g->queue[0], cfg->mem_queue);
    graph_places_init(&g->queue[1], cfg->int_queue);
    graph_places_init(&g->queue[2], cfg->fp_queue);
    graph_places_init(&g->branches, cfg->max_branches);
}

void graph_fini(struct graph *g)
{
    for (unsigned q = 0; q < GRAPH_QUEUES; q++)
        free(g->queue[q].freed);
    free(g->branches.freed);
    free(g->node);
    free(g->at);
    free(g->late);
}

static inline int32_t graph_later(int32_t a, int32_t b) { return a > b ? a : b; }

/* ---- the latest cycles that the edges to the stages of a node give ---- */

struct graph_latest {
    const struct graph *graph;
    int32_t at;
};

/* Stages of instructions before the window's first one bound nothing. */
static inline __attribute__((always_inline)) void graph_follow(void *ctx, int64_t from, enum graph_stage stage,
                                                               int32_t cycles)
{
    struct graph_latest *l = ctx;
    if (from >= 0 && l->graph->at[from][stage] + cycles > l->at)
        l->at = l->graph->at[from][stage] + cycles;
}

static inline int32_t graph_bound_fetch(const struct graph *g, int32_t n, struct graph_without without)
{
    struct graph_latest l = {g, INT32_MIN / 2};
    if (n == 0)
        return g->node[n].at[GRAPH_FETCH];
    graph_edges_fetch(g, n, without, graph_follow, &l);
    return l.at;
}

static inline int32_t graph_bound_map(const struct graph *g, int32_t n, struct graph_without without)
{
    const struct graph_node *in = &g->node[n];
    struct graph_latest l = {g, graph_places_next(&g->queue[in->queue])};
    if ((in->flags & GRAPH_BRANCH) != 0)
        l.at = graph_later(l.at, graph_places_next(&g->branches));
    graph_edges_map(g, n, without, graph_follow, &l);
    return l.at;
}

static inline int32_t graph_bound_issue(const struct graph *g, int32_t n)
{
    struct graph_latest l = {g, INT32_MIN / 2};
    graph_edges_issue(g, n, graph_follow, &l);
    return l.at;
}

static inline int32_t graph_bound_done(const struct graph *g, int32_t n, struct graph_without without)
{
    struct graph_latest l = {g, INT32_MIN / 2};
    graph_edges_done(g, n, without, graph_follow, &l);
    return l.at;
}

static inline int32_t graph_bound_retire(const struct graph *g, int32_t n)
{
    struct graph_latest l = {g, INT32_MIN / 2};
    graph_edges_retire(g, n, graph_follow, &l);
    return l.at;
}

static inline int32_t graph_bound_drain(const struct graph *g, int32_t n)
{
    struct graph_latest l = {g, INT32_MIN / 2};
    graph_edges_drain(g, n, graph_follow, &l);
    return l.at;
}

static inline void graph_copy(struct graph *g, int32_t n) { memcpy(g->at[n], g->node[n].at, sizeof g->at[n]); }

/* The node's rest of issue waits for this one, in as many cycles as that one occupies the unit longer than for one. */
static bool graph_wait_for(struct graph_node *in, unsigned waits, const struct graph_node *other, int32_t index)
{
    const int32_t from = in->at[GRAPH_ISSUE] - in->rest[GRAPH_ISSUE];
    const int32_t begin = graph_later(from, other->at[GRAPH_ISSUE] + 1);
    const int32_t end = other->at[GRAPH_DONE] < in->at[GRAPH_ISSUE] ? other->at[GRAPH_DONE] : in->at[GRAPH_ISSUE];
    if (waits == GRAPH_CONFLICTS || end <= begin || other->unit != in->unit)
        return false;
    in->wait[waits] = (struct graph_wait){index, end - begin};
    return true;
}

/* The older instruction that occupies the unit up to the node's issue. */
static int32_t graph_find_occupant(const struct graph *g, int32_t n)
{
    const struct graph_node *in = &g->node[n];
    for (int32_t k = n - 1; k >= 0 && k >= n - (int32_t)g->rob_entries; k--) {
        const struct graph_node *other = &g->node[k];
        if (other->unit == in->unit && other->at[GRAPH_DONE] == in->at[GRAPH_ISSUE])
            return k;
    }
    return GRAPH_NONE;
}

/* Finds what the node waits for, in the ROB: younger instructions may have issued before it. */
static void graph_find_waits(struct graph *g, int32_t n)
{
    struct graph_node *in = &g->node[n];
    unsigned waits = 0;
    const int32_t reach = (int32_t)g->rob_entries, end = n + reach < g->nodes ? n + reach : g->nodes;
    for (int32_t k = n > reach ? n - reach : 0; k < end; k++)
        if (k != n && (g->node[k].flags & GRAPH_OCCUPIES) != 0)
            waits += graph_wait_for(in, waits, &g->node[k], k);
    for (; waits < GRAPH_CONFLICTS; waits++)
        in->wait[waits].cycles = 0;
}

void graph_explain(struct graph *g)
{
    const struct graph_without all = {0};
    graph_empty_places(g);
    for (int32_t n = 0; n < g->nodes; n++) {
        struct graph_node *in = &g->node[n];
        graph_copy(g, n);
        in->occupant = (in->flags & GRAPH_OCCUPIES) != 0 ? graph_find_occupant(g, n) : GRAPH_NONE;
        in->rest[GRAPH_FETCH] = in->at[GRAPH_FETCH] - graph_bound_fetch(g, n, all);
        in->rest[GRAPH_MAP] = in->at[GRAPH_MAP] - graph_bound_map(g, n, all);
        in->rest[GRAPH_ISSUE] = in->at[GRAPH_ISSUE] - graph_bound_issue(g, n);
        in->rest[GRAPH_DONE] = in->at[GRAPH_DONE] - graph_bound_done(g, n, all);
        in->rest[GRAPH_RETIRE] = in->at[GRAPH_RETIRE] - graph_bound_retire(g, n);
        in->rest[GRAPH_DRAIN] = in->at[GRAPH_DRAIN] - graph_bound_drain(g, n);
        graph_free_places(g, n);
    }
    for (int32_t n = 0; n < g->nodes; n++)
        if ((g->node[n].flags & GRAPH_OCCUPIES) != 0)
            graph_find_waits(g, n);
}

/* ---- answers ---- */

static inline bool graph_asks(int32_t question, int32_t first, int32_t last)
{
    return question >= first && question <= last;
}

/* The set of causes of the node that are in question. */
static inline unsigned graph_causes_asked(const struct graph_node *in, int32_t first, int32_t last)
{
    unsigned causes = 0;
    for (unsigned c = 0; in->is_asked && c < GRAPH_CAUSES; c++)
        causes |= (unsigned)graph_asks(in->question[c], first, last) << c;
    return causes;
}

/* Whether the load, or the access that misses the TLB, that fetches what the node needs, too, is in question. */
static inline bool graph_is_led(const struct graph *g, int32_t leader, int32_t first, int32_t last)
{
    const struct graph_node *other = leader >= 0 ? &g->node[leader] : NULL;
    return other != NULL && (graph_asks(other->question[GRAPH_CAUSE_LOAD], first, last) ||
                             graph_asks(other->question[GRAPH_CAUSE_TLB], first, last));
}

/* The latency of a node; without the causes, or if the access that it waits for, too, is in question. */
static inline int32_t graph_latency(const struct graph *g, const struct graph_node *in, unsigned without, int32_t first,
                                    int32_t last)
{
    enum { ACCESS = 1 << GRAPH_CAUSE_LOAD | 1 << GRAPH_CAUSE_TLB };
    const bool is_store = (in->flags & GRAPH_IS_STORE) != 0;
    int32_t latency = in->rest[GRAPH_DONE];
    if ((without >> GRAPH_CAUSE_LATENCY & 1) != 0)
        latency = latency > 1 ? 1 : latency;
    if ((without & ACCESS) != 0 || graph_is_led(g, in->walker, first, last) ||
        (!is_store && graph_is_led(g, in->leader, first, last))) {
        const int32_t least = is_store ? 0 : g->hit_cycles;
        latency = latency > least ? least : latency;
    }
    if ((without >> GRAPH_CAUSE_FORWARD & 1) != 0)
        latency = latency > g->forward_cycles ? g->forward_cycles : latency;
    return latency;
}

/* The rest of issue, without the waits for instructions in question. */
static inline int32_t graph_wait_cycles(const struct graph *g, const struct graph_node *in, int32_t first, int32_t last)
{
    int32_t rest = in->rest[GRAPH_ISSUE];
    if ((in->flags & GRAPH_OCCUPIES) == 0)
        return rest;
    for (unsigned k = 0; k < GRAPH_CONFLICTS && in->wait[k].cycles != 0; k++)
        if (graph_asks(g->node[in->wait[k].node].question[GRAPH_CAUSE_LATENCY], first, last))
            rest -= in->wait[k].cycles;
    return rest;
}

/* A rest that is the delay by causes. */
static inline int32_t graph_rest_without(int32_t rest, unsigned causes) { return causes != 0 && rest > 0 ? 0 : rest; }

static inline void graph_move(struct graph *g, int32_t n, int32_t first, int32_t last)
{
    const struct graph_node *in = &g->node[n];
    int32_t *at = g->at[n];
    const struct graph_without without = {graph_causes_asked(in, first, last),
                                          n > 0 ? graph_causes_asked(&g->node[n - 1], first, last) : 0};
    const unsigned fetch = 1u << GRAPH_CAUSE_FETCH |
                           ((in->flags & GRAPH_REPLAYED) != 0 ? 1u << GRAPH_CAUSE_FORWARD : 0);
    at[GRAPH_FETCH] = graph_bound_fetch(g, n, without) + graph_rest_without(in->rest[GRAPH_FETCH], without.own & fetch);
    at[GRAPH_MAP] = graph_bound_map(g, n, without) +
                    graph_rest_without(in->rest[GRAPH_MAP], without.own & GRAPH_ENTERS);
    at[GRAPH_ISSUE] = graph_bound_issue(g, n) + graph_wait_cycles(g, in, first, last);
    at[GRAPH_DONE] = graph_bound_done(g, n, without) + graph_latency(g, in, without.own, first, last);
    at[GRAPH_RETIRE] = graph_bound_retire(g, n) + in->rest[GRAPH_RETIRE];
    if ((in->flags & GRAPH_IS_STORE) != 0)
        at[GRAPH_DRAIN] = graph_bound_drain(g, n) +
                          (graph_is_led(g, in->leader, first, last) ? 0 : in->rest[GRAPH_DRAIN]);
    graph_free_places(g, n);
}

int32_t graph_answer(struct graph *g, int32_t first, int32_t last, int32_t begin, int32_t end)
{
    const int32_t from = begin > g->context ? begin - g->context : 0;
    const int32_t to = end + g->tail < g->nodes ? end + g->tail : g->nodes;
    graph_empty_places(g);
    for (int32_t n = from; n < begin; n++)
        graph_free_places(g, n);
    for (int32_t n = begin; n < to; n++)
        graph_move(g, n, first, last);
    const int32_t gain = g->node[to - 1].at[GRAPH_RETIRE] - g->at[to - 1][GRAPH_RETIRE];
    for (int32_t n = begin; n < to; n++)
        graph_copy(g, n);
    return gain;
}

/* ---- delays ---- */

enum graph_stage graph_delayed(const struct graph *g, int32_t n, enum graph_cause cause)
{
    const bool replays = cause == GRAPH_CAUSE_FORWARD && (g->node[n].flags & GRAPH_REPLAYED) != 0;
    return cause == GRAPH_CAUSE_FETCH || replays ? GRAPH_FETCH : GRAPH_DONE;
}

int32_t graph_delay(const struct graph *g, int32_t n, enum graph_cause cause)
{
    const struct graph_node *in = &g->node[n];
    const struct graph_without without = {.own = 1u << cause};
    if (graph_delayed(g, n, cause) == GRAPH_FETCH)
        return graph_later(in->rest[GRAPH_FETCH], 0);
    if (cause == GRAPH_CAUSE_BRANCH || cause == GRAPH_CAUSE_FLUSH)
        return n + 1 < g->nodes ? graph_later(in[1].at[GRAPH_FETCH] - in->at[GRAPH_FETCH] - 1, 0) : 0;
    return in->at[GRAPH_DONE] - graph_bound_done(g, n, without) - graph_latency(g, in, without.own, 0, -1);
}
