/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `paths` over instructions written by hand. */
#include "tests/unit/exact_steps.h"

#include "tests/unit/suite.h"

START_TEST(paths_by_eight_outcomes)
{
    static const struct step steps[] = {
        {.opclass = OPCLASS_BRANCH, .pc = 0x20000, .history = 0x101, .delay = 3},
        {.opclass = OPCLASS_BRANCH, .pc = 0x20000, .history = 0x201, .delay = 4, .events = PROBE_MISPREDICTED},
        {.opclass = OPCLASS_JUMP, .pc = 0x20000, .history = 0x201, .delay = 100, .events = PROBE_MISPREDICTED},
        {.opclass = OPCLASS_BRANCH, .pc = 0x20000, .history = 0x80, .events = PROBE_TAKEN},
        {.opclass = OPCLASS_BRANCH, .pc = 0x20002, .history = 0x80, .delay = 70000},
    };
    struct exact_row *row;
    ck_assert_uint_eq(rows_behind(EXACT_PATHS, EVERY_CLASS, steps, COUNT(steps), &row), 3);
    ck_assert_uint_eq(row[0].key[0], 0x01010000);
    ck_assert_uint_eq(row[0].count[EXACT_PATHS_EXECUTIONS], 2);
    ck_assert_uint_eq(row[0].count[EXACT_PATHS_MISPREDICTED], 1);
    ck_assert_uint_eq(row[0].count[EXACT_PATHS_CYCLES], 7);
    ck_assert_uint_eq(row[1].key[0], 0x80010000);
    ck_assert_uint_eq(row[1].count[EXACT_PATHS_CYCLES], 0);
    ck_assert_uint_eq(row[2].key[0], 0x80010001);
    ck_assert_uint_eq(row[2].count[EXACT_PATHS_CYCLES], 70000);
    free(row);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("exact paths");
    TCase *t = tcase_create("paths");
    tcase_add_test(t, paths_by_eight_outcomes);
    suite_add_tcase(s, t);
    return run_suite(s);
}
