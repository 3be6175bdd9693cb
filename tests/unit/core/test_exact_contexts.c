/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `contexts` over instructions written by hand, and the numbers of contexts. */
#include "contract/context.h"
#include "tests/unit/exact_steps.h"

#include "tests/unit/suite.h"

/* The counts of a context: mispredicted, missed, and those that 16 and 32 records have. */
static void check_counts(const struct exact_row *rows, size_t n, uint32_t context, const unsigned counts[4])
{
    size_t i = 0;
    while (i < n && rows[i].key[0] != context)
        i++;
    ck_assert_uint_lt(i, n);
    ck_assert_uint_eq(rows[i].count[EXACT_CONTEXTS_MISPREDICTED], counts[0]);
    ck_assert_uint_eq(rows[i].count[EXACT_CONTEXTS_MISSED], counts[1]);
    ck_assert_uint_eq(rows[i].count[EXACT_CONTEXTS_CTR16], counts[2]);
    ck_assert_uint_eq(rows[i].count[EXACT_CONTEXTS_CTR32], counts[3]);
}

enum { F = 0x20000, G = 0x30000, STUB = 0x40000, LIBRARY = 0x50000 };
static uint32_t child(uint32_t parent, uint64_t function) { return context_child(parent, sample_pc32(function)); }

START_TEST(contexts_by_calls_and_returns)
{
    static const struct step steps[] = {
        {.opclass = OPCLASS_BRANCH, .pc = 0x10000, .sp = 0x8000, .events = PROBE_MISPREDICTED},
        {.opclass = OPCLASS_CALL, .pc = 0x10010, .next = F, .sp = 0x8000, .events = PROBE_MISPREDICTED},
        {.opclass = OPCLASS_LOAD, .pc = F, .sp = 0x7fe0, .events = PROBE_DCACHE_MISS},
        {.opclass = OPCLASS_ICALL, .pc = F + 8, .next = G, .sp = 0x7fe0},
        {.opclass = OPCLASS_IJUMP, .pc = G, .sp = 0x7fc0, .events = PROBE_MISPREDICTED},
        {.opclass = OPCLASS_LOAD, .pc = G, .sp = 0x7fc0, .events = PROBE_MISPREDICTED},
        {.opclass = OPCLASS_RET, .pc = G + 4, .next = F + 12, .sp = 0x7fe0, .events = PROBE_MISPREDICTED},
        {.opclass = OPCLASS_CALL, .pc = F + 12, .next = STUB, .sp = 0x7fe0},
        {.opclass = OPCLASS_LJUMP, .pc = STUB, .next = LIBRARY, .sp = 0x7fe0},
        {.opclass = OPCLASS_BRANCH, .pc = LIBRARY, .sp = 0x7fe0, .events = PROBE_MISPREDICTED},
        {.opclass = OPCLASS_RET, .pc = LIBRARY, .next = F + 16, .sp = 0x7fe0},
        {.opclass = OPCLASS_LJUMP, .pc = F + 16, .next = F + 20, .sp = 0x7fe0}, /* not where f was called */
        {.opclass = OPCLASS_BRANCH, .pc = F + 20, .sp = 0x7fe0, .events = PROBE_MISPREDICTED},
        {.opclass = OPCLASS_BRANCH, .pc = F + 24, .sp = 0x7fe0},
    };
    struct exact_row *row;
    size_t n = rows_behind(EXACT_CONTEXTS, EVERY_CLASS, steps, COUNT(steps), &row);
    uint32_t f = child(0, F);
    ck_assert_uint_eq(n, 4);
    check_counts(row, n, 0, (const unsigned[]){1, 0, 1, 1});
    check_counts(row, n, f, (const unsigned[]){1, 1, 2, 2});
    check_counts(row, n, child(f, G), (const unsigned[]){1, 0, 1, 1});
    check_counts(row, n, child(f, LIBRARY), (const unsigned[]){1, 0, 1, 1});
    free(row);
}
END_TEST

/* f calls g calls g; longjmp returns to f, behind its own call. The records still have two of the three. */
START_TEST(contexts_behind_longjmp)
{
    static const struct step steps[] = {
        {.opclass = OPCLASS_CALL, .pc = 0x10010, .next = F, .sp = 0x8000},
        {.opclass = OPCLASS_CALL, .pc = F, .next = G, .sp = 0x7fe0},
        {.opclass = OPCLASS_CALL, .pc = G, .next = G, .sp = 0x7fc0},
        {.opclass = OPCLASS_RET, .pc = G, .next = F + 40, .sp = 0x7fe0},
        {.opclass = OPCLASS_BRANCH, .pc = F + 40, .sp = 0x7fe0, .events = PROBE_MISPREDICTED},
        {.opclass = OPCLASS_RET, .pc = F + 44, .next = 0x10014, .sp = 0x8000},
        {.opclass = OPCLASS_BRANCH, .pc = 0x10014, .sp = 0x8000, .events = PROBE_MISPREDICTED},
        {.opclass = OPCLASS_RET, .pc = 0x10018, .next = 0x500, .sp = 0x8020}, /* below where the profile began */
        {.opclass = OPCLASS_BRANCH, .pc = 0x500, .sp = 0x8020, .events = PROBE_MISPREDICTED},
    };
    struct exact_row *row;
    size_t n = rows_behind(EXACT_CONTEXTS, EVERY_CLASS, steps, COUNT(steps), &row);
    ck_assert_uint_eq(n, 2);
    check_counts(row, n, child(0, F), (const unsigned[]){1, 0, 0, 0});
    check_counts(row, n, 0, (const unsigned[]){2, 0, 1, 1}); /* both functions were active before */
    free(row);
}
END_TEST

/* A function calls itself 20 times and returns 18 times, with an event behind each: 16 records lose the oldest four. */
START_TEST(records_overflow)
{
    enum { CALLS = 20, RETURNS = 18 };
    struct step steps[2 * (CALLS + RETURNS)];
    uint32_t context[CALLS + 1] = {0};
    size_t n = 0;
    for (unsigned i = 0; i < CALLS; i++) {
        context[i + 1] = child(context[i], F);
        steps[n++] = (struct step){.opclass = OPCLASS_CALL, .pc = F, .next = F, .sp = 0x8000 - 16 * i};
        steps[n++] = (struct step){.opclass = OPCLASS_BRANCH, .pc = F, .events = PROBE_MISPREDICTED};
    }
    for (unsigned i = CALLS; i > CALLS - RETURNS; i--) {
        steps[n++] = (struct step){.opclass = OPCLASS_RET, .pc = F, .next = F + 4, .sp = 0x8000 - 16 * (i - 1)};
        steps[n++] = (struct step){.opclass = OPCLASS_BRANCH, .pc = F, .events = PROBE_MISPREDICTED};
    }
    struct exact_row *row;
    n = rows_behind(EXACT_CONTEXTS, EVERY_CLASS, steps, n, &row);
    ck_assert_uint_eq(n, CALLS);
    check_counts(row, n, context[1], (const unsigned[]){1, 0, 1, 1});
    check_counts(row, n, context[2], (const unsigned[]){2, 0, 1, 2});
    check_counts(row, n, context[16], (const unsigned[]){2, 0, 1, 2});
    check_counts(row, n, context[17], (const unsigned[]){2, 0, 0, 2});
    check_counts(row, n, context[20], (const unsigned[]){1, 0, 0, 1});
    free(row);
}
END_TEST

START_TEST(function_of_a_context)
{
    static const uint64_t functions[] = {0x10000, 0x10002, 0x1fffe, 0x20000, 0x3ff7ab1234, 0xffffffff};
    static const uint32_t parents[] = {0, 1, 0x12345678, 0xffffffff, 0x8000ffff};
    for (size_t f = 0; f < COUNT(functions); f++)
        for (size_t p = 0; p < COUNT(parents); p++)
            ck_assert_uint_eq(context_function(child(parents[p], functions[f]), parents[p]), sample_pc32(functions[f]));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("exact contexts");
    TCase *t = tcase_create("contexts");
    tcase_add_test(t, contexts_by_calls_and_returns);
    tcase_add_test(t, contexts_behind_longjmp);
    tcase_add_test(t, records_overflow);
    tcase_add_test(t, function_of_a_context);
    suite_add_tcase(s, t);
    return run_suite(s);
}
