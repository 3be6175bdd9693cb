/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates whose sampling ends when the interval is narrow enough: how often the intervals hold. */
#include "tools/pcsweep/region_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/status.h"
#include "tests/unit/suite.h"
#include "tools/pcsweep/region_work.h"

enum { STRATA = 35, UNITS = 6000, TRIALS = 600, FIRST_UNITS = 100, MOST_ROUNDS = 1000 };

/* A stratum's values, in random order: those of the first units are measured. */
struct measured_stratum {
    size_t units;
    double *cycles;
};

static double random_share(struct random *r) { return ((double)(random_bits(r) >> 11) + 0.5) / 9007199254740992.0; }

static double random_normal(struct random *r)
{
    const double radius = sqrt(-2 * log(random_share(r)));
    return radius * cos(2 * acos(-1) * random_share(r));
}

/* Strata that differ in size, mean and relative spread, as clusters of real programs do. Returns the mean of all. */
static double make_strata(struct measured_stratum *stratum, struct random *r)
{
    double weight[STRATA], all = 0, sum = 0, units = 0;
    for (size_t k = 0; k < STRATA; k++)
        all += weight[k] = exp(1.2 * random_normal(r));
    for (size_t k = 0; k < STRATA; k++) {
        struct measured_stratum *s = &stratum[k];
        const double mean = exp(0.6 * random_normal(r)), spread = 0.15 * exp(0.8 * random_normal(r));
        s->units = (size_t)fmax(4, floor(weight[k] / all * UNITS));
        s->cycles = xcalloc(s->units, sizeof *s->cycles);
        units += (double)s->units;
        for (size_t i = 0; i < s->units; i++)
            sum += s->cycles[i] = mean * fmax(0.05, 1 + spread * random_normal(r));
    }
    return sum / units;
}

static void shuffle(struct measured_stratum *s, struct random *r)
{
    for (size_t i = 0; i < s->units; i++) {
        const size_t other = i + random_bits(r) % (s->units - i);
        const double cycles = s->cycles[i];
        s->cycles[i] = s->cycles[other];
        s->cycles[other] = cycles;
    }
}

/* Samples until the interval is +-3 %. Returns whether it holds. */
static bool sample_until_narrow(struct region_plan *p, const struct measured_stratum *stratum, double truth)
{
    struct region_sample sample[STRATA];
    const struct region_samples samples = {.strata = STRATA, .sample = sample};
    for (int round = 0; round < MOST_ROUNDS; round++) {
        for (size_t k = 0; k < STRATA; k++)
            sample[k] = (struct region_sample){
                .units = (double)stratum[k].units, .count = p->stratum[k].chosen, .y = stratum[k].cycles};
        struct region_outlook o = region_outlook_of(p, &samples, 0.03);
        const bool is_narrow = o.more == 0, holds = fabs(o.estimate.value - truth) <= o.estimate.half;
        region_outlook_choose(&o, p);
        region_outlook_release(&o);
        if (is_narrow)
            return holds;
    }
    ck_abort_msg("the interval is not narrow after %d rounds", MOST_ROUNDS);
}

static bool run_trial(struct measured_stratum *stratum, double truth, struct random *r)
{
    struct region_stratum planned[STRATA] = {0};
    struct region_plan p = {.strata = STRATA, .stratum = planned};
    for (size_t k = 0; k < STRATA; k++) {
        shuffle(&stratum[k], r);
        planned[k].units = planned[k].candidates = stratum[k].units;
    }
    region_plan_choose(&p, NULL, FIRST_UNITS, REGION_LEAST_OF_STRATUM);
    return sample_until_narrow(&p, stratum, truth);
}

/* Of 600 intervals of 95 %, 93 % or more hold with a probability of 99 %. */
START_TEST(intervals_hold_at_the_end)
{
    struct random r = {.state = 1 + (uint64_t)_i};
    struct measured_stratum stratum[STRATA];
    const double truth = make_strata(stratum, &r);
    int holds = 0;
    for (int n = 0; n < TRIALS; n++)
        holds += run_trial(stratum, truth, &r);
    for (size_t k = 0; k < STRATA; k++)
        free(stratum[k].cycles);
    ck_assert_msg(holds >= 0.93 * TRIALS, "population %d: %d of %d intervals hold", _i, holds, TRIALS);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("region_report");
    TCase *t = tcase_create("intervals");
    tcase_add_loop_test(t, intervals_hold_at_the_end, 0, 4);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return run_suite(s);
}
