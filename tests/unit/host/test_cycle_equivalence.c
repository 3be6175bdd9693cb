/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycle equivalence against its definition: two edges of a random strongly connected graph are equivalent if and only
 * if no cycle passes one without the other, which a search of the graph without the other edge decides. */
#include "base/random.h"
#include "host/analysis/cycle_equivalence.h"
#include "tests/unit/suite.h"

#include <stdbool.h>

enum { NODES = 12, EDGES = 40, GRAPHS = 4000 };

static bool reaches(const struct cycle_edge *edge, uint32_t edges, uint32_t from, uint32_t to, uint32_t without)
{
    bool seen[NODES] = {false};
    uint32_t work[NODES], count = 0;
    seen[from] = true;
    work[count++] = from;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t e = 0; e < edges; e++) {
            if (e == without || edge[e].from != work[i] || seen[edge[e].to])
                continue;
            seen[edge[e].to] = true;
            work[count++] = edge[e].to;
        }
    return seen[to];
}

/* Returns whether a cycle passes edge a and not edge b. */
static bool parts(const struct cycle_edge *edge, uint32_t edges, uint32_t a, uint32_t b)
{
    return reaches(edge, edges, edge[a].to, edge[a].from, b);
}

/* A cycle through all nodes makes the graph strongly connected; the other edges are random. */
static uint32_t random_graph(struct random *r, uint32_t *nodes, struct cycle_edge *edge)
{
    *nodes = 2 + random_below(r, NODES - 1);
    uint32_t edges = *nodes;
    for (uint32_t n = 0; n < *nodes; n++)
        edge[n] = (struct cycle_edge){n, (n + 1) % *nodes};
    for (uint32_t more = random_below(r, *nodes + 3); more > 0; more--)
        edge[edges++] = (struct cycle_edge){random_below(r, *nodes), random_below(r, *nodes)};
    for (uint32_t e = edges; e-- > 1;) { /* in any order */
        uint32_t other = random_below(r, e + 1);
        struct cycle_edge swap = edge[e];
        edge[e] = edge[other];
        edge[other] = swap;
    }
    return edges;
}

static void check_graph(uint64_t seed)
{
    struct random r = {seed};
    struct cycle_edge edge[EDGES];
    uint32_t class_of[EDGES], nodes, edges = random_graph(&r, &nodes, edge);
    uint32_t classes = cycle_equivalence(nodes, edge, edges, class_of);
    for (uint32_t a = 0; a < edges; a++) {
        ck_assert_uint_lt(class_of[a], classes);
        for (uint32_t b = 0; b < a; b++) {
            bool same = !parts(edge, edges, a, b) && !parts(edge, edges, b, a);
            ck_assert_msg(same == (class_of[a] == class_of[b]), "graph %u: edges %u and %u", (unsigned)seed, a, b);
        }
    }
}

START_TEST(as_defined)
{
    for (uint64_t seed = 0; seed < GRAPHS; seed++)
        check_graph(seed);
}
END_TEST

/* A chain of loops as long as a large procedure: the search is not recursive. */
START_TEST(long_graph)
{
    enum { LONG = 100000 };
    static struct cycle_edge edge[2 * LONG];
    static uint32_t class_of[2 * LONG];
    for (uint32_t n = 0; n < LONG; n++) {
        edge[n] = (struct cycle_edge){n, (n + 1) % LONG};
        edge[LONG + n] = (struct cycle_edge){n, n};
    }
    ck_assert_uint_eq(cycle_equivalence(LONG, edge, 2 * LONG, class_of), LONG + 1);
    for (uint32_t n = 1; n < LONG; n++)
        ck_assert(class_of[n] == class_of[0] && class_of[LONG + n] != class_of[0]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cycle_equivalence");
    TCase *t = tcase_create("cycle_equivalence");
    tcase_add_test(t, as_defined);
    tcase_add_test(t, long_graph);
    suite_add_tcase(s, t);
    return run_suite(s);
}
