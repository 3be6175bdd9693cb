/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reconstruction of paths over code made by hand, where the answer of each scheme is known. */
#include "host/family/path_walk.h"
#include "tests/unit/fake_code.h"
#include "tests/unit/suite.h"

/* A loop around a diamond, in a function that is called from two places:
 *   caller: 0, 1 call 6, 2 branch to 1, 3 call 6, 4 return
 *   callee: 6 plain, 7 branch to 10, 8 plain, 9 jump to 11, 10 plain, 11 plain, 12 branch to 7, 13 return */
static const struct fake_insn insns[] = {
    [0] = {CODE_PLAIN, 0},   [1] = {CODE_CALL, 6},    [2] = {CODE_BRANCH, 1}, [3] = {CODE_CALL, 6},
    [4] = {CODE_RETURN, 0},  [5] = {CODE_PLAIN, 0},   [6] = {CODE_PLAIN, 0},  [7] = {CODE_BRANCH, 10},
    [8] = {CODE_PLAIN, 0},   [9] = {CODE_JUMP, 11},   [10] = {CODE_PLAIN, 0}, [11] = {CODE_PLAIN, 0},
    [12] = {CODE_BRANCH, 7}, [13] = {CODE_RETURN, 0},
};

/* The true path, youngest first: at 11 after the diamond's left side, in the second iteration of the call from 3. */
static const struct path_transfer path[] = {
    {0x1000 + 4 * 9, 0x1000 + 4 * 11, CODE_JUMP, true},   {0x1000 + 4 * 7, 0x1000 + 4 * 8, CODE_BRANCH, false},
    {0x1000 + 4 * 12, 0x1000 + 4 * 7, CODE_BRANCH, true}, {0x1000 + 4 * 7, 0x1000 + 4 * 10, CODE_BRANCH, true},
    {0x1000 + 4 * 3, 0x1000 + 4 * 6, CODE_CALL, true},    {0x1000 + 4 * 2, 0x1000 + 4 * 3, CODE_BRANCH, false},
    {0x1000 + 4 * 13, 0x1000 + 4 * 2, CODE_RETURN, true},
};
enum { HISTORY = 0x6 }; /* youngest in bit 0: not taken, taken, taken, not taken */

/* The left side is taken seldom; the callee's loop goes round often. By pc. */
static const struct path_edge edges[] = {
    {0x1000 + 4 * 1, 0x1000 + 4 * 6, 50},   {0x1000 + 4 * 2, 0x1000 + 4 * 1, 40},
    {0x1000 + 4 * 2, 0x1000 + 4 * 3, 10},   {0x1000 + 4 * 3, 0x1000 + 4 * 6, 10},
    {0x1000 + 4 * 7, 0x1000 + 4 * 8, 100},  {0x1000 + 4 * 7, 0x1000 + 4 * 10, 900},
    {0x1000 + 4 * 9, 0x1000 + 4 * 11, 100}, {0x1000 + 4 * 12, 0x1000 + 4 * 7, 940},
    {0x1000 + 4 * 12, 0x1000 + 4 * 13, 60}, {0x1000 + 4 * 13, 0x1000 + 4 * 2, 50},
    {0x1000 + 4 * 13, 0x1000 + 4 * 4, 10},
};

struct bench {
    struct fake_code code;
    struct path_sample sample;
    struct path_profile profile;
    struct code_graph *code_graph;
    struct path_graph *graph;
};

static void begin(struct bench *b)
{
    *b = (struct bench){.code = {insns, sizeof insns / sizeof insns[0]}};
    b->sample = (struct path_sample){.pc = fake_pc(11),
                                     .history = HISTORY,
                                     .partner_pc = fake_pc(11),
                                     .distance = 5,
                                     .transfers = sizeof path / sizeof path[0]};
    b->profile = (struct path_profile){.length = 4,
                                       .window = 50,
                                       .sample = &b->sample,
                                       .samples = 1,
                                       .transfer = path,
                                       .edge = edges,
                                       .edges = sizeof edges / sizeof edges[0]};
    b->code_graph = fake_graph(&b->code);
    code_graph_build(b->code_graph);
    b->graph = path_graph_new(b->code_graph, &b->profile);
}

static void end(struct bench *b)
{
    path_graph_free(b->graph);
    code_graph_free(b->code_graph);
}

static enum path_outcome find(const struct bench *b, enum path_scheme scheme, enum path_scope scope, unsigned length)
{
    return path_reconstruct(b->graph, &b->sample, scheme, scope, length);
}

START_TEST(counts_choose_the_frequent_side)
{
    struct bench b;
    begin(&b);
    ck_assert_int_eq(find(&b, PATH_COUNTS, PATH_INTRAPROCEDURAL, 1), PATH_WRONG);
    b.sample.pc = fake_pc(8); /* behind the branch: there is but one way */
    b.sample.first = 1;
    b.sample.transfers--;
    ck_assert_int_eq(find(&b, PATH_COUNTS, PATH_INTRAPROCEDURAL, 3), PATH_RIGHT);
    end(&b);
}
END_TEST

START_TEST(history_decides_the_side_and_the_caller)
{
    struct bench b;
    begin(&b);
    ck_assert_int_eq(find(&b, PATH_HISTORY, PATH_INTERPROCEDURAL, 1), PATH_RIGHT);
    /* Two branches back: from the loop's branch or, by the call from 1, from the caller's. */
    for (int scope = 0; scope < PATH_SCOPES; scope++)
        ck_assert_int_eq(find(&b, PATH_HISTORY, (enum path_scope)scope, 2), PATH_SEVERAL);
    /* The loop's is likelier. Before the caller's branch the callee's loop ends, against the history. */
    ck_assert_int_eq(find(&b, PATH_LIKELY, PATH_INTERPROCEDURAL, 2), PATH_RIGHT);
    for (unsigned length = 3; length <= 4; length++)
        for (int scope = 0; scope < PATH_SCOPES; scope++)
            ck_assert_int_eq(find(&b, PATH_STATIC, (enum path_scope)scope, length), PATH_RIGHT);
    b.sample.history = 0x7; /* of what did not happen */
    ck_assert_int_eq(find(&b, PATH_HISTORY, PATH_INTERPROCEDURAL, 1), PATH_WRONG);
    end(&b);
}
END_TEST

START_TEST(a_pair_discards)
{
    struct bench b;
    begin(&b);
    ck_assert_int_eq(find(&b, PATH_HISTORY, PATH_INTERPROCEDURAL, 2), PATH_SEVERAL);
    ck_assert_int_eq(find(&b, PATH_PAIR, PATH_INTERPROCEDURAL, 2), PATH_RIGHT);
    ck_assert_int_eq(find(&b, PATH_DISTANCE, PATH_INTERPROCEDURAL, 2), PATH_RIGHT);
    b.sample.partner_pc = fake_pc(8); /* it is there, but nearer */
    ck_assert_int_eq(find(&b, PATH_PAIR, PATH_INTERPROCEDURAL, 2), PATH_SEVERAL);
    ck_assert_int_eq(find(&b, PATH_DISTANCE, PATH_INTERPROCEDURAL, 2), PATH_NONE);
    b.sample.partner_pc = fake_pc(5); /* on no path */
    ck_assert_int_eq(find(&b, PATH_PAIR, PATH_INTERPROCEDURAL, 2), PATH_NONE);
    b.sample.distance = 1000; /* before all paths: nothing is known */
    ck_assert_int_eq(find(&b, PATH_PAIR, PATH_INTERPROCEDURAL, 2), PATH_SEVERAL);
    end(&b);
}
END_TEST

START_TEST(records_hold_the_path)
{
    struct bench b;
    begin(&b);
    for (unsigned length = 1; length <= 4; length++)
        for (int scope = 0; scope < PATH_SCOPES; scope++)
            ck_assert_int_eq(find(&b, PATH_RECORDS, (enum path_scope)scope, length), PATH_RIGHT);
    b.sample.transfers = 4; /* not reaching the fourth branch */
    ck_assert_int_eq(find(&b, PATH_RECORDS, PATH_INTERPROCEDURAL, 4), PATH_NONE);
    end(&b);
}
END_TEST

START_TEST(outside_the_code)
{
    struct bench b;
    begin(&b);
    b.sample.pc = 0x10;
    ck_assert_int_eq(find(&b, PATH_HISTORY, PATH_INTRAPROCEDURAL, 1), PATH_NONE);
    end(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("path_walk");
    TCase *t = tcase_create("path_walk");
    tcase_add_test(t, counts_choose_the_frequent_side);
    tcase_add_test(t, history_decides_the_side_and_the_caller);
    tcase_add_test(t, a_pair_discards);
    tcase_add_test(t, records_hold_the_path);
    tcase_add_test(t, outside_the_code);
    suite_add_tcase(s, t);
    return run_suite(s);
}
