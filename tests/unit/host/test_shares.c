/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of a run's total by row, from units: how often their intervals hold where few units have a row, with exact
 * values and with samples of them; the share that no unit has; groups. */
#include "host/region/shares.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/status.h"
#include "tests/unit/suite.h"

/* A run of strata, in whose units rows occur with a probability of their own. */
enum { STRATA = 20, UNITS = 100, CHOSEN = 5, ROWS = 12, TRIALS = 600, CYCLES = 10000 };

struct made_unit {
    double value[ROWS], whole;
};

static struct made_unit (*make_run(struct random *r))[UNITS]
{
    struct made_unit(*run)[UNITS] = xcalloc(STRATA, sizeof *run);
    for (size_t k = 0; k < STRATA; k++)
        for (size_t row = 0; row < ROWS; row++) {
            /* Row 0 is in all units of all strata, and the last in about one of ten units. */
            const bool is_here = row < 3 || random_below(r, 2) == 0;
            const uint64_t often = 10 + 9 * (ROWS - 1 - row);
            const double mean = (double)(50 + random_below(r, 1500));
            for (size_t i = 0; i < UNITS; i++) {
                if (is_here && (row < 3 || random_below(r, 100) < often))
                    run[k][i].value[row] = mean * (0.7 + 0.6 * (double)random_below(r, 1000) / 1000);
                run[k][i].whole += run[k][i].value[row];
            }
        }
    return run;
}

static void shuffle_units(struct made_unit *unit, struct random *r)
{
    for (size_t i = 0; i < CHOSEN; i++) {
        const size_t other = i + random_below(r, UNITS - (uint32_t)i);
        const struct made_unit swapped = unit[i];
        unit[i] = unit[other];
        unit[other] = swapped;
    }
}

/* A value from samples of every `period` cycles, at random. */
static double sampled(double value, double period, struct random *r)
{
    double samples = floor(value / period);
    samples += random_below(r, 1000) < (uint32_t)(1000 * (value / period - samples));
    return samples * period;
}

static struct region_shares share_units(const struct region_plan *p, struct made_unit (*run)[UNITS], double period,
                                        struct random *r)
{
    struct region_shares s = region_shares_new(p);
    uint32_t unit = 0;
    for (size_t k = 0; k < STRATA; k++)
        for (size_t i = 0; i < CHOSEN; i++, unit++) {
            s.whole[unit] = run[k][i].whole;
            for (size_t row = 0; row < ROWS; row++) {
                const double exact = run[k][i].value[row], value = period > 0 ? sampled(exact, period, r) : exact;
                if (value > 0)
                    region_shares_add(&s, row, (struct region_shares_value){unit, value, period * value});
            }
        }
    return s;
}

static struct region_plan plan_of(struct region_stratum stratum[STRATA])
{
    for (size_t k = 0; k < STRATA; k++)
        stratum[k] = (struct region_stratum){.units = UNITS, .chosen = CHOSEN};
    return (struct region_plan){.units = STRATA * UNITS, .strata = STRATA, .stratum = stratum};
}

static double true_share(struct made_unit (*run)[UNITS], size_t row)
{
    double sum = 0, whole = 0;
    for (size_t k = 0; k < STRATA; k++)
        for (size_t i = 0; i < UNITS; i++) {
            sum += run[k][i].value[row];
            whole += run[k][i].whole;
        }
    return sum / whole;
}

static const double periods[] = {0, 101};

START_TEST(intervals_of_rows_hold)
{
    struct random r = {.state = 77 + (uint64_t)_i};
    struct region_stratum stratum[STRATA];
    const struct region_plan p = plan_of(stratum);
    struct made_unit(*run)[UNITS] = make_run(&r);
    unsigned known = 0, holds = 0;
    for (unsigned n = 0; n < TRIALS; n++) {
        for (size_t k = 0; k < STRATA; k++)
            shuffle_units(run[k], &r);
        struct region_shares s = share_units(&p, run, periods[_i], &r);
        for (size_t row = 0; row < s.rows; row++) {
            const struct region_share e = region_shares_estimate(&s, row);
            known += e.has_interval;
            holds += e.has_interval && fabs(e.share - true_share(run, row)) <= e.half;
        }
        region_shares_release(&s);
    }
    ck_assert_uint_gt(known, TRIALS * ROWS / 2);
    ck_assert_msg(holds >= 0.93 * known && holds <= 0.98 * known, "%u of %u intervals hold", holds, known);
    free(run);
}
END_TEST

/* Units of one stratum, each with the whole 10. */
static struct region_plan small_plan(struct region_stratum *stratum, size_t units, size_t chosen)
{
    *stratum = (struct region_stratum){.units = units, .chosen = chosen};
    return (struct region_plan){.units = units, .strata = 1, .stratum = stratum};
}

static struct region_shares small_shares(const struct region_plan *p)
{
    struct region_shares s = region_shares_new(p);
    for (size_t unit = 0; unit < s.units; unit++)
        s.whole[unit] = 10;
    return s;
}

static void add(struct region_shares *s, size_t row, uint32_t unit, double value)
{
    region_shares_add(s, row, (struct region_shares_value){.unit = unit, .value = value});
}

START_TEST(share_that_no_unit_has)
{
    struct region_stratum stratum;
    const struct region_plan p = small_plan(&stratum, 100, 4);
    struct region_shares s = small_shares(&p);
    for (uint32_t unit = 0; unit < 4; unit++)
        add(&s, 0, unit, 7);
    add(&s, 1, 0, 3);
    add(&s, 2, 1, 3);
    add(&s, 2, 2, 3);
    add(&s, 3, 3, 2);
    /* Rows 1 and 3 are in one unit alone: 5 of 40. */
    ck_assert_double_eq_tol(region_shares_unseen(&s).share, 5.0 / 40, 1e-12);
    ck_assert_double_eq_tol(region_shares_total(&s), 1000, 1e-9);
    region_shares_release(&s);
}
END_TEST

START_TEST(too_few_units)
{
    struct region_stratum stratum;
    const struct region_plan p = small_plan(&stratum, 100, 20);
    struct region_shares s = small_shares(&p);
    for (uint32_t unit = 0; unit < 20; unit++) {
        add(&s, 0, unit, 5);
        if (unit < REGION_SHARES_LEAST - 1)
            add(&s, 1, unit, 5);
    }
    const struct region_share all = region_shares_estimate(&s, 0), few = region_shares_estimate(&s, 1);
    ck_assert(all.has_interval && !few.has_interval);
    ck_assert_double_eq_tol(all.share, 0.5, 1e-12);
    ck_assert_uint_eq(few.units, REGION_SHARES_LEAST - 1);
    region_shares_release(&s);
}
END_TEST

/* With all units measured nothing is uncertain, however few have the row. */
START_TEST(whole_run)
{
    struct region_stratum stratum;
    const struct region_plan p = small_plan(&stratum, 4, 4);
    struct region_shares s = small_shares(&p);
    add(&s, 0, 2, 1);
    const struct region_share e = region_shares_estimate(&s, 0);
    ck_assert(e.has_interval);
    ck_assert_double_eq(e.half, 0);
    ck_assert_double_eq_tol(e.share, 1.0 / 40, 1e-12);
    region_shares_release(&s);
}
END_TEST

START_TEST(groups_are_sums)
{
    struct region_stratum stratum;
    const struct region_plan p = small_plan(&stratum, 50, 3);
    struct region_shares s = small_shares(&p);
    for (uint32_t unit = 0; unit < 3; unit++)
        for (size_t row = 0; row < 3; row++)
            if (unit != row)
                region_shares_add(&s, row, (struct region_shares_value){unit, (double)(1 + row), 0.5});
    struct region_shares g = region_shares_group(&s, (const size_t[]){1, 0, 1});
    ck_assert_uint_eq(g.rows, 2);
    ck_assert_uint_eq(g.row[0].values, 2);
    ck_assert_uint_eq(g.row[1].values, 3);
    ck_assert_double_eq(g.row[1].value[1].value, 4); /* rows 0 and 2 in unit 1 */
    ck_assert_double_eq(g.row[1].value[1].variance, 1);
    ck_assert_double_eq_tol(region_shares_estimate(&g, 1).share,
                            region_shares_estimate(&s, 0).share + region_shares_estimate(&s, 2).share, 1e-12);
    region_shares_release(&g);
    region_shares_release(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("shares");
    TCase *t = tcase_create("intervals");
    tcase_add_loop_test(t, intervals_of_rows_hold, 0, sizeof periods / sizeof periods[0]);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    t = tcase_create("rows");
    tcase_add_test(t, share_that_no_unit_has);
    tcase_add_test(t, too_few_units);
    tcase_add_test(t, whole_run);
    tcase_add_test(t, groups_are_sums);
    suite_add_tcase(s, t);
    return run_suite(s);
}
