/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequencies of classes and their propagation: the DCPI paper's copy loop, each rule by itself, and flows that are
 * known. */
#include <stdlib.h>

#include "base/random.h"
#include "base/status.h"
#include "host/analysis/constants.h"
#include "host/analysis/flow.h"
#include "tests/unit/copy_loop.h"
#include "tests/unit/fake_code.h"
#include "tests/unit/suite.h"

enum { MOST_STALL = 1000 };

static struct frequency of(struct frequency_insn *insn, uint32_t insns)
{
    struct frequency_block b = {insn, insns};
    return frequency_of_class(&b, 1, MOST_STALL);
}

/* Golden: the four ratios that the paper marks, and its frequency. 1636 is within the cluster's range; its partner,
 * with 390 samples, shows that the two do not always issue together. */
START_TEST(copy_loop_as_in_the_paper)
{
    struct frequency_insn insn[COPY_INSNS];
    for (int i = 0; i < COPY_INSNS; i++)
        insn[i] = (struct frequency_insn){.samples = copy_loop[i].samples, .cycles = copy_loop[i].cycles};
    struct frequency f = of(insn, COPY_INSNS);
    ck_assert_double_eq_tol(f.value, copy_frequency, 1e-9);
    ck_assert_int_eq(f.confidence, CONFIDENCE_HIGH);
    for (int i = 0; i < COPY_INSNS; i++)
        ck_assert_int_eq(insn[i].chosen, copy_loop[i].chosen);
    insn[3].samples = 0; /* they do */
    ck_assert_double_eq_tol(of(insn, COPY_INSNS).value, (1482 + 1493 + 1548 + 1586 + 1636) / 5.0, 1e-9);
}
END_TEST

START_TEST(few_samples)
{
    struct frequency_insn insn[] = {
        {.samples = 9, .cycles = 1}, {.samples = 0, .cycles = 0}, {.samples = 3, .cycles = 2}};
    struct frequency f = of(insn, 3);
    ck_assert_double_eq(f.value, 4);
    ck_assert_int_eq(f.confidence, CONFIDENCE_LOW);
    struct frequency_insn none[] = {{.samples = 100, .cycles = 0}};
    ck_assert_int_eq(of(none, 1).confidence, CONFIDENCE_NONE);
    ck_assert_int_eq(frequency_of_class(NULL, 0, MOST_STALL).confidence, CONFIDENCE_NONE);
}
END_TEST

/* A multiplication of 8 cycles, whose use waits for 6 after another instruction. A stall of that one of 4 cycles takes
 * as many from the wait. The ratio of the sum is too large by the stall, that of the wait alone too small by a third.
 */
START_TEST(dependence)
{
    enum { F = 1000 };
    struct frequency_insn insn[] = {{.samples = F * 9, .cycles = 1},
                                    {.samples = F * 5, .cycles = 1},
                                    {.samples = F * 2, .cycles = 6, .depends = 2}};
    ck_assert_double_eq_tol(of(insn, 3).value, F, 1e-9);
    ck_assert(insn[2].chosen && !insn[0].chosen && !insn[1].chosen);
    insn[2].depends = 0;
    ck_assert_double_lt(of(insn, 3).value, F / 2.0);
}
END_TEST

/* Most points wait for loads that always miss. Their cluster implies more static cycles than there are samples, so the
 * two points that do not wait are chosen, although they are few. */
START_TEST(points_that_always_stall)
{
    enum { F = 100, LOADS = 6 };
    struct frequency_insn insn[2 * LOADS + 3];
    uint32_t n = 0;
    for (int i = 0; i < LOADS; i++) {
        insn[n++] = (struct frequency_insn){.samples = 0, .cycles = 0};
        insn[n++] = (struct frequency_insn){.samples = F * 31 + i, .cycles = 2, .waits = true};
    }
    insn[n++] = (struct frequency_insn){.samples = 0, .cycles = 0};
    insn[n++] = (struct frequency_insn){.samples = F, .cycles = 1};
    insn[n++] = (struct frequency_insn){.samples = F, .cycles = 1};
    struct frequency f = of(insn, n);
    ck_assert_double_eq(f.value, F);
    ck_assert_int_eq(f.confidence, CONFIDENCE_LOW);
}
END_TEST

/* Points with equal ratios that all may wait for memory; one that does not wait confirms the others. */
START_TEST(points_that_may_all_wait)
{
    struct frequency_insn insn[8];
    for (int i = 0; i < 8; i++)
        insn[i] = (struct frequency_insn){.samples = 3000 + i, .cycles = 2, .waits = true};
    ck_assert_int_eq(of(insn, 8).confidence, CONFIDENCE_LOW);
    insn[7].waits = false;
    ck_assert_int_eq(of(insn, 8).confidence, CONFIDENCE_HIGH);
}
END_TEST

/* Many points with few samples each: the smallest ratios are small by chance. */
START_TEST(few_samples_of_each_point)
{
    struct frequency_insn insn[200];
    for (int i = 0; i < 200; i++)
        insn[i] = (struct frequency_insn){.samples = 6 + i % 4, .cycles = 1};
    ck_assert_int_eq(of(insn, 200).confidence, CONFIDENCE_LOW);
}
END_TEST

/* A cluster with too few points, and one that would make an instruction stall too long. */
START_TEST(rejected_clusters)
{
    struct frequency_insn insn[10];
    for (int i = 0; i < 10; i++)
        insn[i] = (struct frequency_insn){.samples = 1000 + i, .cycles = 1};
    insn[4].samples = 300;
    ck_assert_double_ge(of(insn, 10).value, 1000);
    insn[5].samples = insn[6].samples = 300; /* now enough */
    ck_assert_double_eq(of(insn, 10).value, 300);
    insn[0].samples = 300 * (MOST_STALL + 2);
    ck_assert_double_ge(of(insn, 10).value, 1000);
}
END_TEST

START_TEST(uncertain_points)
{
    struct frequency_insn insn[] = {{.samples = 200, .cycles = 0.5, .varies = true},
                                    {.samples = 1000, .cycles = 1},
                                    {.samples = 1100, .cycles = 1}};
    ck_assert_double_eq(of(insn, 3).value, 1050);
    ck_assert_double_eq(of(insn, 1).value, 400); /* there is no other */
    ck_assert_int_eq(of(insn, 1).confidence, CONFIDENCE_LOW);
}
END_TEST

/* Of four points one with a wrong M does not decide; nor does one of few samples, if all M are uncertain. */
START_TEST(lone_points)
{
    struct frequency_insn insn[] = {{.samples = 300, .cycles = 1},
                                    {.samples = 1000, .cycles = 1},
                                    {.samples = 1020, .cycles = 1},
                                    {.samples = 1040, .cycles = 1}};
    ck_assert_double_eq(of(insn, 4).value, 1020);
    ck_assert_double_eq(of(insn, 3).value, 300); /* a third of the points */
    for (int i = 0; i < 4; i++)
        insn[i].varies = true;
    insn[0] = (struct frequency_insn){.samples = 3, .cycles = 0.5, .varies = true};
    ck_assert_double_eq(of(insn, 3).value, 1010);
}
END_TEST

/* Random walks through a random procedure are its executions. Given the exact frequencies of all blocks, propagation
 * finds the edges that constraints determine, and its sums balance everywhere. */
enum { BLOCKS = 14, WALKS = 400 };

static void random_procedure(struct random *r, struct fake_insn *insn)
{
    for (int i = 0; i < BLOCKS - 1; i++) {
        insn[i] = (struct fake_insn){CODE_BRANCH, (int)random_below(r, BLOCKS)};
        if (random_chance(r, 20))
            insn[i].kind = CODE_JUMP;
        if (insn[i].target == i || (insn[i].kind == CODE_JUMP && insn[i].target <= i))
            insn[i] = (struct fake_insn){CODE_BRANCH, BLOCKS - 1};
    }
    insn[BLOCKS - 1] = (struct fake_insn){CODE_RETURN, 0};
}

static void walk(struct random *r, const struct procedure *p, double *block, double *edge)
{
    uint32_t at = p->blocks;
    do {
        uint32_t edges = p->out_first[at + 1] - p->out_first[at];
        uint32_t e = at == p->blocks ? p->out[p->out_first[at]] : p->out[p->out_first[at] + random_below(r, edges)];
        edge[e]++;
        at = p->edge[e].to;
        if (at < p->blocks)
            block[at]++;
    } while (at != p->blocks);
}

START_TEST(flows)
{
    struct random r = {(uint64_t)_i};
    struct fake_insn insn[BLOCKS];
    random_procedure(&r, insn);
    struct fake_code code = {insn, BLOCKS};
    struct code_graph *g = fake_graph(&code);
    code_graph_resolve(g);
    code_graph_build(g);
    struct procedure *p = procedure_new(g, 0);
    double *block = xcalloc(p->blocks, sizeof *block), *edge = xcalloc(p->edges, sizeof *edge);
    for (int n = 0; n < WALKS; n++)
        walk(&r, p, block, edge);
    struct frequency *estimate = xcalloc(p->classes, sizeof *estimate);
    for (uint32_t b = 0; b < p->blocks; b++)
        estimate[p->block_class[b]] = (struct frequency){block[b], CONFIDENCE_HIGH};
    struct procedure_flow *f = flow_new(p);
    flow_propagate(f, estimate);
    for (uint32_t b = 0; b < p->blocks; b++) {
        ck_assert_double_eq(flow_of_block(f, b).value, block[b]);
        double in = 0;
        bool determined = true;
        for (uint32_t i = p->in_first[b]; i < p->in_first[b + 1]; i++) {
            in += flow_of_edge(f, p->in[i]).value;
            determined = determined && flow_of_edge(f, p->in[i]).confidence >= CONFIDENCE_MEDIUM;
        }
        if (determined)
            ck_assert_double_eq_tol(in, block[b], 1e-6);
    }
    for (uint32_t e = 0; e < p->edges; e++) {
        struct frequency x = flow_of_edge(f, e);
        ck_assert_int_ne(x.confidence, CONFIDENCE_NONE);
        ck_assert_double_ge(x.value, 0);
        if (x.confidence >= CONFIDENCE_MEDIUM) /* determined; a shared remainder has low confidence */
            ck_assert_double_eq_tol(x.value, edge[e], 1e-6);
    }
    flow_free(f);
    free(estimate);
    free(block);
    free(edge);
    procedure_free(p);
    code_graph_free(g);
}
END_TEST

/* A loop without an exit, code that nothing reaches, and a jump with unknown destinations. */
START_TEST(odd_procedures)
{
    static const struct fake_insn insn[] = {{CODE_BRANCH, 3}, {CODE_PLAIN, 0},  {CODE_JUMP, 1},
                                            {CODE_RETURN, 0}, {CODE_BRANCH, 4}, {CODE_RETURN, 0}};
    struct fake_code code = {insn, 6};
    struct code_graph *g = fake_graph(&code);
    code_graph_resolve(g);
    code_graph_build(g);
    struct procedure *p = procedure_new(g, 0);
    unsigned endless = 0, entered = 0;
    for (uint32_t e = 0; e < p->edges; e++) {
        endless += p->edge[e].kind == PROCEDURE_ENDLESS;
        entered += p->edge[e].kind == PROCEDURE_ENTER;
    }
    ck_assert_uint_eq(endless, 1);
    ck_assert_uint_eq(entered, 2); /* the entry, and the loop behind the return */
    ck_assert(!p->missing);
    ck_assert_uint_lt(p->classes, p->blocks + p->edges);
    procedure_free(p);
    code_graph_free(g);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("frequency");
    TCase *t = tcase_create("frequency");
    tcase_add_test(t, copy_loop_as_in_the_paper);
    tcase_add_test(t, few_samples);
    tcase_add_test(t, dependence);
    tcase_add_test(t, points_that_always_stall);
    tcase_add_test(t, points_that_may_all_wait);
    tcase_add_test(t, few_samples_of_each_point);
    tcase_add_test(t, rejected_clusters);
    tcase_add_test(t, uncertain_points);
    tcase_add_test(t, lone_points);
    tcase_add_loop_test(t, flows, 0, 300);
    tcase_add_test(t, odd_procedures);
    suite_add_tcase(s, t);
    return run_suite(s);
}
