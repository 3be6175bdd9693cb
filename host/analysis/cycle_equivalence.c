/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names follow the paper: in the undirected graph with a depth-first tree, a bracket of a tree edge is a back edge from
 * a descendant to an ancestor of it. Two edges are equivalent if they have the same set of brackets, which the topmost
 * bracket of a list and the list's size identify. Capping brackets make the lists of several children comparable. */
#include "host/analysis/cycle_equivalence.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/status.h"

#define NONE UINT32_MAX

/* A back edge, or a capping bracket: those follow the graph's edges in the array. */
struct bracket {
    uint32_t above, below; /* neighbours in its list */
    uint32_t recent_size, recent_class;
    uint32_t next_ending; /* the next bracket that ends at the same node */
};

struct list {
    uint32_t top, bottom, size;
};

struct cycle_node {
    uint32_t number; /* in depth-first order; NONE: not visited */
    uint32_t parent_edge, hi;
    uint32_t cursor; /* next entry of `near` to look at */
    uint32_t ending; /* first bracket that ends here */
    struct list list;
};

struct cycle_equivalence_search {
    const struct cycle_edge *edge;
    uint32_t edges, nodes, visited, classes, caps;
    uint32_t *near_first, *near; /* edge numbers by node */
    uint32_t *order;             /* nodes by their number */
    struct cycle_node *node;
    struct bracket *bracket;
    uint32_t *class_of;
};

static void cycle_equivalence_sort_edges(struct cycle_equivalence_search *s)
{
    s->near_first = xcalloc((size_t)s->nodes + 2, sizeof *s->near_first);
    s->near = xcalloc((size_t)s->edges * 2 + 1, sizeof *s->near);
    for (uint32_t e = 0; e < s->edges; e++) {
        s->near_first[s->edge[e].from + 2]++;
        s->near_first[s->edge[e].to + 2]++;
    }
    for (uint32_t n = 2; n < s->nodes + 2; n++)
        s->near_first[n] += s->near_first[n - 1];
    for (uint32_t e = 0; e < s->edges; e++) {
        s->near[s->near_first[s->edge[e].from + 1]++] = e;
        s->near[s->near_first[s->edge[e].to + 1]++] = e;
    }
}

static uint32_t other_end(const struct cycle_equivalence_search *s, uint32_t e, uint32_t n)
{
    return s->edge[e].from == n ? s->edge[e].to : s->edge[e].from;
}

static void cycle_equivalence_visit(struct cycle_equivalence_search *s, uint32_t n, uint32_t parent_edge)
{
    s->node[n].number = s->visited;
    s->node[n].parent_edge = parent_edge;
    s->node[n].cursor = s->near_first[n];
    s->order[s->visited++] = n;
}

static void depth_first(struct cycle_equivalence_search *s, uint32_t root)
{
    cycle_equivalence_visit(s, root, NONE);
    for (uint32_t n = root;;) {
        struct cycle_node *at = &s->node[n];
        if (at->cursor < s->near_first[n + 1]) {
            uint32_t e = s->near[at->cursor++], to = other_end(s, e, n);
            if (s->node[to].number == NONE) {
                cycle_equivalence_visit(s, to, e);
                n = to;
            }
        } else if (at->parent_edge == NONE) {
            return;
        } else {
            n = other_end(s, at->parent_edge, n);
        }
    }
}

static void cycle_equivalence_push(struct cycle_equivalence_search *s, struct list *l, uint32_t b)
{
    s->bracket[b].above = NONE;
    s->bracket[b].below = l->top;
    if (l->top != NONE)
        s->bracket[l->top].above = b;
    else
        l->bottom = b;
    l->top = b;
    l->size++;
}

static void drop(struct cycle_equivalence_search *s, struct list *l, uint32_t b)
{
    uint32_t above = s->bracket[b].above, below = s->bracket[b].below;
    if (above != NONE)
        s->bracket[above].below = below;
    else
        l->top = below;
    if (below != NONE)
        s->bracket[below].above = above;
    else
        l->bottom = above;
    l->size--;
}

/* Puts the list `upper` on top of *l. */
static void cycle_equivalence_append(struct cycle_equivalence_search *s, struct list *l, const struct list *upper)
{
    if (upper->size == 0)
        return;
    if (l->size == 0) {
        *l = *upper;
        return;
    }
    s->bracket[l->top].above = upper->bottom;
    s->bracket[upper->bottom].below = l->top;
    l->top = upper->top;
    l->size += upper->size;
}

/* The bracket will be removed at node `to`. */
static void ends_at(struct cycle_equivalence_search *s, uint32_t b, uint32_t to)
{
    s->bracket[b].next_ending = s->node[to].ending;
    s->node[to].ending = b;
}

static bool is_child_edge(const struct cycle_equivalence_search *s, uint32_t e, uint32_t n)
{
    uint32_t to = other_end(s, e, n);
    return s->node[to].parent_edge == e && to != n;
}

/* Merges the lists of the node's children. *hi: the least number that a child's list reaches; *second: that of another
 * child. */
static void merge_children(struct cycle_equivalence_search *s, uint32_t n, uint32_t *hi, uint32_t *second)
{
    *hi = *second = NONE;
    for (uint32_t i = s->near_first[n]; i < s->near_first[n + 1]; i++) {
        uint32_t to = other_end(s, s->near[i], n);
        if (!is_child_edge(s, s->near[i], n))
            continue;
        uint32_t child = s->node[to].hi;
        if (child < *hi) {
            *second = *hi;
            *hi = child;
        } else if (child < *second) {
            *second = child;
        }
        cycle_equivalence_append(s, &s->node[n].list, &s->node[to].list);
    }
}

static void end_brackets(struct cycle_equivalence_search *s, uint32_t n)
{
    for (uint32_t b = s->node[n].ending; b != NONE; b = s->bracket[b].next_ending) {
        drop(s, &s->node[n].list, b);
        if (b < s->edges && s->class_of[b] == NONE)
            s->class_of[b] = s->classes++;
    }
}

/* Adds the back edges from the node; returns the least number of their ends. */
static uint32_t begin_brackets(struct cycle_equivalence_search *s, uint32_t n)
{
    uint32_t hi = NONE;
    for (uint32_t i = s->near_first[n]; i < s->near_first[n + 1]; i++) {
        uint32_t e = s->near[i], to = other_end(s, e, n), number = s->node[to].number;
        if (e == s->node[n].parent_edge || number >= s->node[n].number)
            continue;
        if (number < hi)
            hi = number;
        cycle_equivalence_push(s, &s->node[n].list, e);
        ends_at(s, e, to);
    }
    return hi;
}

static void classify_tree_edge(struct cycle_equivalence_search *s, uint32_t n)
{
    uint32_t e = s->node[n].parent_edge, top = s->node[n].list.top, size = s->node[n].list.size;
    if (top == NONE) {
        s->class_of[e] = s->classes++; /* not strongly connected */
        return;
    }
    struct bracket *b = &s->bracket[top];
    if (b->recent_size != size) {
        b->recent_size = size;
        b->recent_class = s->classes++;
    }
    s->class_of[e] = b->recent_class;
    if (size == 1 && top < s->edges)
        s->class_of[top] = b->recent_class;
}

static void cycle_equivalence_classify(struct cycle_equivalence_search *s, uint32_t n)
{
    struct cycle_node *at = &s->node[n];
    uint32_t child, second;
    merge_children(s, n, &child, &second);
    end_brackets(s, n);
    uint32_t own = begin_brackets(s, n);
    at->hi = own < child ? own : child;
    if (second < own && second < at->number) {
        uint32_t cap = s->edges + s->caps++;
        cycle_equivalence_push(s, &at->list, cap);
        ends_at(s, cap, s->order[second]);
    }
    if (at->parent_edge != NONE)
        classify_tree_edge(s, n);
}

uint32_t cycle_equivalence(uint32_t nodes, const struct cycle_edge *edge, uint32_t edges, uint32_t *class_of)
{
    struct cycle_equivalence_search s = {.edge = edge, .edges = edges, .nodes = nodes, .class_of = class_of};
    s.order = xcalloc((size_t)nodes + 1, sizeof *s.order);
    s.node = xcalloc((size_t)nodes + 1, sizeof *s.node);
    s.bracket = xcalloc((size_t)edges + nodes + 1, sizeof *s.bracket); /* at most one cap for each node */
    for (uint32_t n = 0; n < nodes; n++)
        s.node[n] = (struct cycle_node){.number = NONE, .hi = NONE, .ending = NONE, .list = {NONE, NONE, 0}};
    for (uint32_t e = 0; e < edges; e++)
        class_of[e] = NONE;
    cycle_equivalence_sort_edges(&s);
    for (uint32_t n = 0; n < nodes; n++)
        if (s.node[n].number == NONE)
            depth_first(&s, n);
    for (uint32_t i = nodes; i-- > 0;)
        cycle_equivalence_classify(&s, s.order[i]);
    for (uint32_t e = 0; e < edges; e++)
        if (class_of[e] == NONE)
            class_of[e] = s.classes++;
    free(s.near_first);
    free(s.near);
    free(s.order);
    free(s.node);
    free(s.bracket);
    return s.classes;
}
