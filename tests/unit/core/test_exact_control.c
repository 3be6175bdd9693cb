/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact references of control transfers: targets, edges, calls, mispredictions and branchpairs, over hand-written
 * streams. */
#include <stdlib.h>

#include "core-model/prof/exact/exact.h"

#include "tests/unit/suite.h"

enum {
    BRANCH = 1u << OPCLASS_BRANCH,
    CALLS = 1u << OPCLASS_CALL | 1u << OPCLASS_ICALL | 1u << OPCLASS_LJUMP,
    INDIRECT = 1u << OPCLASS_ICALL | 1u << OPCLASS_IJUMP | 1u << OPCLASS_RET,
};

static struct observer *o;
static struct exact_row *rows;

static void teardown(void)
{
    observer_release(o);
    free(rows);
    rows = NULL;
}

static void start(enum exact_reference e, uint32_t classes)
{
    o = exact_new(e, &(struct exact_setup){.classes = classes});
}

/* One retired instruction, if the observer's filter passes its class. */
static void retire(enum opclass c, uint64_t pc, uint64_t next, uint32_t events, uint64_t history)
{
    const struct rv_insn insn = {.opclass = (uint8_t)c};
    const struct rv_outcome outcome = {.next_pc = next};
    const struct probe_insn in = {.pc = pc, .insn = &insn, .outcome = &outcome, .events = events, .history = history};
    if (event_filter_passes(o->probe.filter[PROBE_RETIRED], c, 1))
        o->probe.stage[PROBE_RETIRED](o->probe.ctx, &in, 1);
}

static void expect_rows(enum exact_reference e, size_t n)
{
    struct exact_source s = exact_source(e, o);
    ck_assert_uint_eq(s.rows(s.ctx, &rows), n);
}

static void expect_row(size_t i, uint64_t key0, uint64_t key1, uint64_t key2)
{
    ck_assert_uint_eq(rows[i].key[0], key0);
    ck_assert_uint_eq(rows[i].key[1], key1);
    ck_assert_uint_eq(rows[i].key[2], key2);
}

START_TEST(targets)
{
    start(EXACT_TARGETS, INDIRECT);
    retire(OPCLASS_IJUMP, 0x1000, 0x2000, PROBE_TAKEN, 0);
    retire(OPCLASS_IJUMP, 0x1000, 0x3000, PROBE_TAKEN, 0);
    retire(OPCLASS_RET, 0x4000, 0x3000, PROBE_TAKEN, 0);
    retire(OPCLASS_IJUMP, 0x1000, 0x2000, PROBE_TAKEN, 0);
    retire(OPCLASS_CALL, 0x1008, 0x2000, PROBE_TAKEN, 0);
    expect_rows(EXACT_TARGETS, 3);
    expect_row(0, 0x1000, 0x2000, 0);
    expect_row(1, 0x1000, 0x3000, 0);
    expect_row(2, 0x4000, 0x3000, 0);
    ck_assert_uint_eq(rows[0].count[EXACT_TARGETS_RETIRED], 2);
    ck_assert_uint_eq(rows[1].count[EXACT_TARGETS_RETIRED], 1);
    ck_assert_uint_eq(rows[2].count[EXACT_TARGETS_RETIRED], 1);
}
END_TEST

START_TEST(edges)
{
    start(EXACT_EDGES, BRANCH);
    retire(OPCLASS_BRANCH, 0x1000, 0x2000, PROBE_TAKEN, 0);
    retire(OPCLASS_BRANCH, 0x1000, 0x1004, 0, 0);
    retire(OPCLASS_BRANCH, 0x1000, 0x2000, PROBE_TAKEN, 0);
    retire(OPCLASS_CALL, 0x3000, 0x1000, PROBE_TAKEN, 0);
    expect_rows(EXACT_EDGES, 2);
    bool first = rows[0].key[1] == 1;
    expect_row(first ? 0 : 1, 0x1000, 1, 0);
    expect_row(first ? 1 : 0, 0x1000, 0, 0);
    ck_assert_uint_eq(rows[first ? 0 : 1].count[EXACT_EDGES_TIMES], 2);
    ck_assert_uint_eq(rows[first ? 1 : 0].count[EXACT_EDGES_TIMES], 1);
}
END_TEST

START_TEST(calls)
{
    start(EXACT_CALLS, CALLS);
    retire(OPCLASS_CALL, 0x1000, 0x2000, PROBE_TAKEN, 0);
    retire(OPCLASS_CALL, 0x1000, 0x2000, PROBE_TAKEN, 0);
    retire(OPCLASS_ICALL, 0x1004, 0x2000, PROBE_TAKEN, 0);
    retire(OPCLASS_ICALL, 0x1004, 0x3000, PROBE_TAKEN, 0);
    retire(OPCLASS_LJUMP, 0x1008, 0x3000, PROBE_TAKEN, 0);
    retire(OPCLASS_RET, 0x2004, 0x1004, PROBE_TAKEN, 0);
    expect_rows(EXACT_CALLS, 4);
    expect_row(0, 0x1000, 0x2000, OPCLASS_CALL);
    expect_row(1, 0x1004, 0x2000, OPCLASS_ICALL);
    expect_row(2, 0x1004, 0x3000, OPCLASS_ICALL);
    expect_row(3, 0x1008, 0x3000, OPCLASS_LJUMP);
    ck_assert_uint_eq(rows[0].count[EXACT_CALLS_DIRECT], 2);
    ck_assert_uint_eq(rows[0].count[EXACT_CALLS_INDIRECT], 0);
    ck_assert_uint_eq(rows[1].count[EXACT_CALLS_DIRECT], 0);
    ck_assert_uint_eq(rows[1].count[EXACT_CALLS_INDIRECT], 1);
    ck_assert_uint_eq(rows[3].count[EXACT_CALLS_INDIRECT], 1);
}
END_TEST

/* Of the history, its three youngest outcomes. */
START_TEST(mispredictions)
{
    start(EXACT_MISPREDICTIONS, BRANCH);
    retire(OPCLASS_BRANCH, 0x1000, 0x1004, PROBE_MISPREDICTED, 0xff5);
    retire(OPCLASS_BRANCH, 0x1000, 0x1004, 0, 0x00d);
    retire(OPCLASS_BRANCH, 0x1000, 0x2000, PROBE_TAKEN, 4);
    retire(OPCLASS_CALL, 0x1000, 0x2000, PROBE_MISPREDICTED, 4);
    expect_rows(EXACT_MISPREDICTIONS, 2);
    expect_row(0, 0x1000, 4, 0);
    expect_row(1, 0x1000, 5, 0);
    ck_assert_uint_eq(rows[0].count[EXACT_MISPREDICTIONS_EXECUTED], 1);
    ck_assert_uint_eq(rows[0].count[EXACT_MISPREDICTIONS_MISPREDICTED], 0);
    ck_assert_uint_eq(rows[1].count[EXACT_MISPREDICTIONS_EXECUTED], 2);
    ck_assert_uint_eq(rows[1].count[EXACT_MISPREDICTIONS_MISPREDICTED], 1);
}
END_TEST

/* Bits 3:1 of the address of the one that passes are 2. */
START_TEST(mispredictions_of_a_part)
{
    o = exact_new(EXACT_MISPREDICTIONS, &(struct exact_setup){.classes = BRANCH, .pc_mask = 7, .pc_match = 2});
    retire(OPCLASS_BRANCH, 0x1000, 0x1004, 0, 0);
    retire(OPCLASS_BRANCH, 0x1014, 0x1018, 0, 0);
    retire(OPCLASS_BRANCH, 0x100a, 0x1018, 0, 0);
    expect_rows(EXACT_MISPREDICTIONS, 1);
    expect_row(0, 0x1014, 0, 0);
}
END_TEST

/* Other instructions between two branches do not part them. The first branch has no earlier one. */
START_TEST(branchpairs)
{
    start(EXACT_BRANCHPAIRS, BRANCH);
    retire(OPCLASS_BRANCH, 0x1000, 0x1004, 0, 0);
    retire(OPCLASS_BRANCH, 0x2000, 0x1000, PROBE_TAKEN, 0);
    retire(OPCLASS_LOAD, 0x3000, 0x3004, 0, 0);
    retire(OPCLASS_BRANCH, 0x1000, 0x1004, PROBE_TAKEN, 0);
    retire(OPCLASS_BRANCH, 0x2000, 0x1000, PROBE_TAKEN, 0);
    retire(OPCLASS_BRANCH, 0x1000, 0x1004, 0, 0);
    retire(OPCLASS_BRANCH, 0x1000, 0x1004, 0, 0);
    expect_rows(EXACT_BRANCHPAIRS, 3);
    expect_row(0, 0x1000, 0x1000, 0);
    expect_row(1, 0x1000, 0x2000, 0);
    expect_row(2, 0x2000, 0x1000, 0);
    static const uint64_t expected[3][EXACT_COUNTS] = {
        {[EXACT_BRANCHPAIRS_NEITHER] = 1},
        {[EXACT_BRANCHPAIRS_SECOND] = 1, [EXACT_BRANCHPAIRS_BOTH] = 1},
        {[EXACT_BRANCHPAIRS_BOTH] = 1, [EXACT_BRANCHPAIRS_FIRST] = 1},
    };
    for (unsigned r = 0; r < 3; r++)
        for (unsigned c = 0; c < EXACT_COUNTS; c++)
            ck_assert_uint_eq(rows[r].count[c], expected[r][c]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("exact references of control transfers");
    TCase *t = tcase_create("references");
    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, targets);
    tcase_add_test(t, edges);
    tcase_add_test(t, calls);
    tcase_add_test(t, mispredictions);
    tcase_add_test(t, mispredictions_of_a_part);
    tcase_add_test(t, branchpairs);
    suite_add_tcase(s, t);
    return run_suite(s);
}
