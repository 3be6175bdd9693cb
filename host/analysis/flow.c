/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/analysis/flow.h"

#include <stdlib.h>

#include "base/status.h"

struct procedure_flow *flow_new(const struct procedure *p)
{
    struct procedure_flow *f = xcalloc(1, sizeof *f);
    f->procedure = p;
    f->of_class = xcalloc((size_t)p->classes + 1, sizeof *f->of_class);
    return f;
}

void flow_free(struct procedure_flow *f)
{
    if (f == NULL)
        return;
    free(f->of_class);
    free(f);
}

struct frequency flow_of_block(const struct procedure_flow *f, uint32_t block)
{
    return f->of_class[f->procedure->block_class[block]];
}

struct frequency flow_of_edge(const struct procedure_flow *f, uint32_t edge)
{
    return f->of_class[f->procedure->edge_class[edge]];
}

/* The blocks that have a block or an edge of a class: those of class c are at [first[c], first[c + 1]). */
struct members {
    uint32_t *first, *block;
};

static void add_member(struct members *m, uint32_t class, uint32_t block, bool place)
{
    if (place)
        m->block[m->first[class + 1]++] = block;
    else
        m->first[class + 2]++;
}

static void each_member(const struct procedure *p, struct members *m, bool place)
{
    for (uint32_t b = 0; b < p->blocks; b++)
        add_member(m, p->block_class[b], b, place);
    for (uint32_t e = 0; e < p->edges; e++) {
        if (p->edge[e].from < p->blocks)
            add_member(m, p->edge_class[e], p->edge[e].from, place);
        if (p->edge[e].to < p->blocks)
            add_member(m, p->edge_class[e], p->edge[e].to, place);
    }
}

static struct members members_of(const struct procedure *p)
{
    struct members m = {xcalloc((size_t)p->classes + 3, sizeof *m.first),
                        xcalloc((size_t)p->blocks + 2 * (size_t)p->edges + 1, sizeof *m.block)};
    each_member(p, &m, false);
    for (uint32_t c = 2; c < p->classes + 2; c++)
        m.first[c] += m.first[c - 1];
    each_member(p, &m, true);
    return m;
}

struct work {
    struct procedure_flow *f;
    struct members members;
    uint32_t *block; /* to look at; each at most once at a time */
    bool *waits;
    size_t begin, end, room;
};

static void look_at(struct work *w, uint32_t block)
{
    if (w->waits[block])
        return;
    w->waits[block] = true;
    w->block[w->end++ % w->room] = block;
}

static void set(struct work *w, uint32_t class, struct frequency value)
{
    w->f->of_class[class] = value;
    for (uint32_t i = w->members.first[class]; i < w->members.first[class + 1]; i++)
        look_at(w, w->members.block[i]);
}

/* The edges on one side of a block: their sum, and what is unknown. */
struct side {
    double sum;
    uint32_t unknown, class; /* number of edges, and the class of one */
    enum confidence confidence;
};

static struct side side_of(const struct procedure_flow *f, const uint32_t *first, const uint32_t *edge, uint32_t block)
{
    struct side s = {.confidence = CONFIDENCE_HIGH};
    for (uint32_t i = first[block]; i < first[block + 1]; i++) {
        uint32_t class = f->procedure->edge_class[edge[i]];
        if (f->of_class[class].confidence == CONFIDENCE_NONE) {
            s.unknown++;
            s.class = class;
            continue;
        }
        s.sum += f->of_class[class].value;
        if (f->of_class[class].confidence < s.confidence)
            s.confidence = f->of_class[class].confidence;
    }
    return s;
}

static enum confidence lower(enum confidence a, enum confidence b) { return a < b ? a : b; }

/* A propagated frequency has at most medium confidence, unless it is that of a single edge. */
static struct frequency derived(double value, enum confidence a, enum confidence b, bool same)
{
    enum confidence c = lower(a, b);
    return (struct frequency){value > 0 ? value : 0, same ? c : lower(c, CONFIDENCE_MEDIUM)};
}

static void balance(struct work *w, uint32_t block, const uint32_t *first, const uint32_t *edge)
{
    uint32_t class = w->f->procedure->block_class[block], edges = first[block + 1] - first[block];
    struct side s = side_of(w->f, first, edge, block);
    struct frequency own = w->f->of_class[class];
    if (own.confidence == CONFIDENCE_NONE && s.unknown == 0 && edges != 0)
        set(w, class, derived(s.sum, s.confidence, CONFIDENCE_HIGH, edges == 1));
    else if (own.confidence != CONFIDENCE_NONE && s.unknown == 1)
        set(w, s.class, derived(own.value - s.sum, s.confidence, own.confidence, edges == 1));
}

/* Of a graph with missing edges only the outgoing edges are all known, except those of the jumps themselves. */
static void propagate(struct work *w)
{
    const struct procedure *p = w->f->procedure;
    while (w->begin != w->end) {
        uint32_t block = w->block[w->begin++ % w->room];
        w->waits[block] = false;
        if (!p->missing)
            balance(w, block, p->in_first, p->in);
        if (!p->missing || !code_graph_lost(p->graph, p->first + block))
            balance(w, block, p->out_first, p->out);
    }
}

/* Shares what is left of a block's frequency equally among its unknown edges. Returns whether it has any. */
static bool flow_split(struct work *w, uint32_t block, const uint32_t *first, const uint32_t *edge)
{
    struct frequency own = w->f->of_class[w->f->procedure->block_class[block]];
    struct side s = side_of(w->f, first, edge, block);
    if (own.confidence == CONFIDENCE_NONE || s.unknown == 0)
        return false;
    double left = own.value > s.sum ? (own.value - s.sum) / s.unknown : 0;
    set(w, s.class, (struct frequency){left, CONFIDENCE_LOW});
    propagate(w);
    return true;
}

/* Gives the classes that constraints leave open a frequency. */
static void split_all(struct work *w)
{
    const struct procedure *p = w->f->procedure;
    for (uint32_t b = 0; b < p->blocks; b++) {
        while (flow_split(w, b, p->out_first, p->out))
            continue;
        while (!p->missing && flow_split(w, b, p->in_first, p->in))
            continue;
    }
}

void flow_propagate(struct procedure_flow *f, const struct frequency *estimate)
{
    const struct procedure *p = f->procedure;
    struct work w = {.f = f, .members = members_of(p), .room = (size_t)p->blocks + 1};
    w.block = xcalloc(w.room, sizeof *w.block);
    w.waits = xcalloc(w.room, sizeof *w.waits);
    for (uint32_t c = 0; c < p->classes; c++)
        f->of_class[c] = (struct frequency){0, CONFIDENCE_NONE};
    for (enum confidence level = CONFIDENCE_HIGH; level >= CONFIDENCE_LOW; level--) {
        for (uint32_t c = 0; c < p->classes; c++)
            if (f->of_class[c].confidence == CONFIDENCE_NONE && estimate[c].confidence == level)
                set(&w, c, estimate[c]);
        propagate(&w);
    }
    for (uint32_t e = 0; e < p->edges; e++)
        if (p->edge[e].kind == PROCEDURE_ENDLESS && f->of_class[p->edge_class[e]].confidence == CONFIDENCE_NONE) {
            set(&w, p->edge_class[e], (struct frequency){0, CONFIDENCE_LOW});
            propagate(&w);
        }
    split_all(&w);
    free(w.members.first);
    free(w.members.block);
    free(w.block);
    free(w.waits);
}
