/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the value driver's rounds and checks are affordable: by what handlers were charged, with costs that keep the
 * sums apart. */
#include "host/driver/value/value_budget.h"

#include "tests/unit/suite.h"

enum { MASK_WORDS = 16, LEAST_ROUND = 50000 };
enum { SERVICE = 1000 + 500, RECORD = 15 + 1 + 20 + 2, CHECK = 2 * SERVICE + 2 * MASK_WORDS * 3 + 64 * RECORD };

static const struct host_cost cost = {
    .entry = 1000, .exit = 500, .bus_read = 10, .bus_write = 3, .row = 1, .update = 20, .insert = 40, .judge = 2};
static struct host_clock clock;
static struct value_budget budget;

static void start(const struct host_cost *c, unsigned resample)
{
    host_clock_init(&clock, c);
    value_budget_init(&budget, &clock, resample, MASK_WORDS);
}

static void setup(void) { start(&cost, 10); }

static uint64_t round_due(void) { return value_budget_round_due(&budget, 7) - 7; }

/* A service of `updates` that ends a visit, and the entry alone is charged before its end. */
static void end_visit(uint64_t updates)
{
    host_clock_enter(&clock, 0, 0);
    host_clock_work(&clock, HOST_UPDATE, updates);
    value_budget_count(&budget, BUDGET_ROUND);
    host_clock_leave(&clock);
}

START_TEST(first_estimate_is_of_the_configured_costs)
{
    ck_assert_uint_eq(value_budget_check_due(&budget), CHECK * 400);
}
END_TEST

START_TEST(a_round_costs_what_was_charged)
{
    end_visit(100);
    ck_assert_uint_eq(round_due(), (1000 + 2000) * 100);
    end_visit(0); /* the exit of the service before, and the entry of this one */
    ck_assert_uint_eq(round_due(), (1000 + 2000 + 500 + 1000) * 100);
}
END_TEST

START_TEST(checks_are_not_the_rounds)
{
    end_visit(200);
    const uint64_t before = round_due();
    host_clock_enter(&clock, 0, 0);
    value_budget_count(&budget, BUDGET_CHECK);
    host_clock_leave(&clock);
    host_clock_enter(&clock, 0, 0);
    host_clock_work(&clock, HOST_JUDGE, 50);
    value_budget_end_check(&budget, 3000000);
    ck_assert_uint_eq(round_due(), before);
    ck_assert_uint_eq(value_budget_check_due(&budget), 3000000 + (2 * 1500 + 100) * 400);
    value_budget_begin_round(&budget);
    ck_assert_uint_eq(round_due(), LEAST_ROUND);
}
END_TEST

/* However rare: not while handlers have had 18 thousandths of the time. */
START_TEST(checks_wait_for_the_share_of_all_handlers)
{
    end_visit(1000000);
    ck_assert_uint_eq(value_budget_check_due(&budget), (1000 + UINT64_C(20000000)) * 1000 / 18);
}
END_TEST

START_TEST(nothing_is_due_without_a_share)
{
    start(&cost, 0);
    end_visit(100);
    ck_assert_uint_eq(value_budget_round_due(&budget, 7), UINT64_MAX);
    ck_assert_uint_eq(value_budget_check_due(&budget), UINT64_MAX);
}
END_TEST

/* Rounds are those of the configured costs where these pass in no time, and do not follow at once where there are
 * none. */
START_TEST(free_and_without_costs)
{
    struct host_cost in_no_time = cost;
    in_no_time.free = 1;
    start(&in_no_time, 10);
    end_visit(100);
    ck_assert_uint_eq(round_due(), (1000 + 2000) * 100);
    ck_assert_uint_eq(host_account_cycles(&clock.account), 0);
    start(NULL, 10);
    end_visit(100);
    ck_assert_uint_eq(round_due(), LEAST_ROUND);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host value budget");
    TCase *t = tcase_create("budget");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, first_estimate_is_of_the_configured_costs);
    tcase_add_test(t, a_round_costs_what_was_charged);
    tcase_add_test(t, checks_are_not_the_rounds);
    tcase_add_test(t, checks_wait_for_the_share_of_all_handlers);
    tcase_add_test(t, nothing_is_due_without_a_share);
    tcase_add_test(t, free_and_without_costs);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
