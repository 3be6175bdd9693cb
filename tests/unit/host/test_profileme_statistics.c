/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ProfileMe's estimates against the exact counts of the same runs, over SEEDS seeds, which are given: no result depends
 * on chance. ProfileMe paper, sections 5.1 and 5.2. */
#include "contract/opclass.h"
#include "core-model/prof/observers.h"
#include "host/family/count_score.h"
#include "tests/unit/guest_mix.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */
#include <math.h>

enum { SEEDS = REPETITIONS(40), AT_ONCE = 5, TOTALS = COUNT_KINDS + 1 };

/* Three loops one after the other, as the program of the paper's Figure 7 has: with branches that are hard to predict;
 * with loads that miss and what depends on them; and with independent additions. */
static const struct program *three_loops(uint32_t rounds)
{
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T1, ZERO, 77);
    lui(p, T0, rounds);
    uint32_t top = p->count;
    mul(p, T1, T1, T1);
    addi(p, T1, T1, 13);
    sd(p, T1, S2, 0);
    ld(p, T2, S2, 0);
    srli(p, T2, T2, 45);
    andi(p, T2, T2, 1);
    branch(p, 1, T2, ZERO, p->count + 3);
    addi(p, T3, T3, 1);
    xor_(p, T4, T4, T3);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    lui(p, T0, rounds);
    top = p->count;
    slli(p, T2, T0, 8);
    andi(p, T3, T0, 7);
    xor_(p, T2, T2, T3);
    slli(p, T2, T2, 44); /* keep 20 bits */
    srli(p, T2, T2, 44);
    add(p, T2, T2, S2);
    ld(p, T5, T2, 0);
    add(p, T6, T6, T5);
    mul(p, T6, T6, T6);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    lui(p, T0, rounds);
    top = p->count;
    for (int i = 0; i < 10; i++)
        addi(p, T1 + i % 2, ZERO, i);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    return p;
}

/* The estimates of all seeds beside the exact counts. */
struct experiment {
    double total[TOTALS][SEEDS], exact_total[TOTALS]; /* the last is wasted slots */
    double samples_of_total[TOTALS];                  /* over all seeds */
    double lost, samples;
    size_t inside, instructions; /* of the envelope */
    double squares, points;      /* sum of (estimate - exact)^2 / expected variance, over instructions; their number */
    double inside_interval;      /* of these, with the exact count in the interval */
};

/* Adds how far one profile's instructions are from the exact ones. */
static void add_instructions(struct experiment *e, const struct count_profile *p, const struct count_profile *exact)
{
    struct count_envelope envelope = count_envelope(p, exact, COUNT_RETIRED);
    e->inside += envelope.inside;
    e->instructions += envelope.instructions;
    for (size_t i = 0; i < exact->rows; i++) {
        static const struct count_row nothing;
        const struct count_row *row = count_find(p, exact->row[i].pc);
        double truth = (double)exact->row[i].count[COUNT_RETIRED];
        row = row != NULL ? row : &nothing;
        if (truth < 10 * p->scale)
            continue;
        /* The paper's coefficient of variation, sqrt((S - f) / (f N)), for N executions of this instruction, each of
         * which has the property: f = 1. */
        double variance = truth * (p->scale - 1), error = count_estimate(p, row, COUNT_RETIRED) - truth;
        struct interval interval = count_interval(p, row, COUNT_RETIRED);
        e->squares += error * error / variance;
        e->points++;
        e->inside_interval += interval.low <= truth && truth <= interval.high;
    }
}

static void add_profile(struct experiment *e, unsigned seed, const struct count_profile *p,
                        const struct count_profile *exact)
{
    struct count_row sum = count_total(p), truth = count_total(exact);
    for (int k = 0; k < COUNT_KINDS; k++) {
        e->total[k][seed] = count_estimate(p, &sum, (enum count_kind)k);
        e->exact_total[k] = (double)truth.count[k];
        e->samples_of_total[k] += (double)sum.count[k];
    }
    e->total[COUNT_KINDS][seed] = count_wasted(p, &sum);
    e->exact_total[COUNT_KINDS] = count_wasted(exact, &truth);
    e->samples_of_total[COUNT_KINDS] += (double)sum.samples;
    e->lost += (double)p->lost;
    e->samples += (double)p->samples;
    add_instructions(e, p, exact);
}

/* Runs the program with the options and each seed. */
static struct experiment *experiment(const char *options, const struct program *program, int core)
{
    struct experiment *e = xcalloc(1, sizeof *e);
    for (unsigned first = 0; first < SEEDS; first += AT_ONCE) {
        struct core_config cfg = config_of(core);
        struct bench b;
        struct errmsg err;
        struct observers *set = observers_new();
        ck_assert_int_eq(observers_create(set, "counts:slots", 1, &err), ST_OK);
        for (unsigned s = first; s < first + AT_ONCE; s++) {
            char *text = xasprintf("profileme:%s:seed=%u", options, 1 + s);
            ck_assert_msg(observers_create(set, text, 1, &err) == ST_OK, "%s", err.text);
            free(text);
        }
        bench_open(&b, program, &cfg);
        observers_attach(set, b.core);
        bench_finish(&b);
        observers_finish(set, core_cycle(b.core), &b.guest.hart);
        const struct count_profile *p = observers_counts(set)->profile;
        for (unsigned s = 0; s < AT_ONCE; s++)
            add_profile(e, first + s, &p[1 + s], &p[0]);
        observers_free(set);
        bench_close(&b);
    }
    return e;
}

struct estimate {
    double mean, deviation; /* of one seed's estimate */
};

static struct estimate estimate_of(const double *total)
{
    struct estimate e = {0};
    for (unsigned s = 0; s < SEEDS; s++)
        e.mean += total[s] / SEEDS;
    for (unsigned s = 0; s < SEEDS; s++)
        e.deviation += (total[s] - e.mean) * (total[s] - e.mean) / (SEEDS - 1);
    e.deviation = sqrt(e.deviation);
    return e;
}

/* The mean over the seeds is within three of its standard errors of the exact count. The seeds of a sanitized build are
 * too few for that. */
static void expect_unbiased(const struct experiment *e, int kind)
{
    struct estimate x = estimate_of(e->total[kind]);
    double error = x.mean - e->exact_total[kind], standard = x.deviation / sqrt(SEEDS);
    const char *name = kind < COUNT_KINDS ? count_name((enum count_kind)kind) : "wasted-slots";
    ck_assert_msg(SANITIZED || fabs(error) <= 3 * standard, "%s: %f, exactly %f, standard error %f", name, x.mean,
                  e->exact_total[kind], standard);
}

START_TEST(single_estimates_are_unbiased)
{
    struct experiment *e = experiment("period=101:n=15", loop_of_everything(2000), _i);
    for (int k = 0; k < COUNT_KINDS; k++)
        if (e->exact_total[k] != 0 && e->samples_of_total[k] >= 10 && !count_is_of_pairs((enum count_kind)k))
            expect_unbiased(e, k);
    free(e);
}
END_TEST

START_TEST(paired_estimates_are_unbiased)
{
    struct experiment *e = experiment("pair:period=2003:window=320", three_loops(16384), _i);
    for (int k = 0; k <= COUNT_KINDS; k++)
        if (e->exact_total[k] != 0 && e->samples_of_total[k] >= 10)
            expect_unbiased(e, k);
    free(e);
}
END_TEST

/* Of all instructions with enough samples: two thirds are within one standard deviation (the paper's Figure 3); the
 * variance is that of the paper's formula; and 95 % of the intervals hold the exact count. */
START_TEST(errors_are_as_large_as_the_paper_says)
{
    struct experiment *e = experiment("period=251:n=15", three_loops(16384), _i);
    double inside = (double)e->inside / (double)e->instructions, ratio = sqrt(e->squares / e->points);
    double covered = e->inside_interval / e->points;
    ck_assert_uint_gt(e->instructions, 500);
    ck_assert_msg(inside >= 0.60 && inside <= 0.72, "%f of %zu instructions", inside, e->instructions);
    ck_assert_msg(ratio >= 0.9 && ratio <= 1.1, "standard deviation: %f of the formula's", ratio);
    ck_assert_msg(covered >= 0.93 && covered <= 0.97, "%f of the intervals", covered);
    free(e);
}
END_TEST

/* One register set loses selections, most of them behind instructions that are in flight for long: the totals stay
 * right. */
START_TEST(lost_selections_do_not_bias_totals)
{
    struct experiment *e = experiment("period=503", three_loops(16384), _i);
    ck_assert(e->lost > 0.05 * e->samples);
    expect_unbiased(e, COUNT_FETCHED);
    free(e);
}
END_TEST

enum { BODY = 8, TURNS = 0x4000 };

/* A loop of BODY instructions, which are the program's rows from TOP on. BODY divides the number of ROB entries, so an
 * instruction of the loop has the same entry, or one of a few, in every round. */
static const struct program *short_loop(void)
{
    struct program *p = program_begin();
    lui(p, T0, TURNS);
    uint32_t top = p->count;
    for (int i = 0; i < BODY - 2; i++)
        addi(p, T1 + i % 2, ZERO, i);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    return p;
}

/* Of the loop's instructions in the profile: how many have samples; which the last one is; and the sum of squared
 * deviations from equal numbers of samples, over these. */
struct shares {
    unsigned sampled, last;
    double chi_square;
};

static struct shares shares_of(const struct count_profile *p, const struct count_profile *exact)
{
    struct shares s = {0};
    uint64_t most = 0, all = 0, of[BODY] = {0};
    unsigned found = 0;
    for (size_t i = 0; i < exact->rows; i++)
        most = exact->row[i].count[COUNT_RETIRED] > most ? exact->row[i].count[COUNT_RETIRED] : most;
    for (size_t i = 0; i < exact->rows; i++) {
        const struct count_row *row = count_find(p, exact->row[i].pc);
        if (exact->row[i].count[COUNT_RETIRED] != most)
            continue;
        ck_assert_uint_lt(found, BODY);
        of[found] = row != NULL ? row->count[COUNT_RETIRED] : 0;
        all += of[found++];
    }
    ck_assert_uint_eq(found, BODY);
    for (unsigned i = 0; i < BODY; i++) {
        double expected = (double)all / BODY, error = (double)of[i] - expected;
        s.sampled += of[i] != 0;
        s.last = of[i] != 0 ? i : s.last;
        s.chi_square += error * error / expected;
    }
    return s;
}

/* Westcott and White's selection (ProfileMe paper, section 8): only instructions with one IID are selected, which is
 * one instruction of a loop whose length divides the number of IIDs; the next IID is that of the next instruction,
 * whatever the seed. The counter of fetched instructions alone selects all with the same probability: the sums of
 * squares are those of BODY - 1 degrees of freedom, whose mean over the seeds is within three standard errors. */
START_TEST(selection_by_instruction_id_is_biased)
{
    struct core_config cfg = config_of(_i);
    struct errmsg err;
    struct bench b;
    double chi_square = 0;
    struct observers *set = observers_new();
    ck_assert_uint_eq(cfg.rob_entries % BODY, 0);
    ck_assert_int_eq(observers_create(set, "counts", 1, &err), ST_OK);
    for (unsigned n = 0; n < BODY; n++) {
        char *text = xasprintf("profileme:period=101:n=3:seed=%u,profileme:period=101:seed=%u:iid=%u", 1 + n, 1 + n, n);
        ck_assert_msg(observers_create(set, text, 1, &err) == ST_OK, "%s", err.text);
        free(text);
    }
    bench_open(&b, short_loop(), &cfg);
    observers_attach(set, b.core);
    bench_finish(&b);
    observers_finish(set, core_cycle(b.core), &b.guest.hart);
    const struct count_profile *p = observers_counts(set)->profile;
    unsigned first = shares_of(&p[2], &p[0]).last;
    for (unsigned n = 0; n < BODY; n++) {
        struct shares random = shares_of(&p[1 + 2 * n], &p[0]), fixed = shares_of(&p[2 + 2 * n], &p[0]);
        ck_assert_uint_eq(fixed.sampled, 1);
        ck_assert_uint_eq(fixed.last, (first + n) % BODY);
        ck_assert_uint_eq(random.sampled, BODY);
        chi_square += random.chi_square / BODY;
    }
    ck_assert_double_eq_tol(chi_square, BODY - 1, 3 * sqrt(2.0 * (BODY - 1) / BODY));
    observers_free(set);
    bench_close(&b);
}
END_TEST

/* An instruction can be ranked from RANKED_SAMPLES on; an exact profile has no samples. */
START_TEST(few_samples_are_counted)
{
    const struct count_row rows[] = {{.pc = 4, .samples = RANKED_SAMPLES - 1},
                                     {.pc = 8, .samples = RANKED_SAMPLES},
                                     {.pc = 12, .samples = 0},
                                     {.pc = 20, .samples = 1000}};
    struct count_profile p = {.row = rows, .rows = sizeof rows / sizeof rows[0], .scale = 10};
    ck_assert_uint_eq(count_few(&p), 2);
    for (size_t i = 0; i < p.rows; i++)
        ck_assert_ptr_eq(count_find(&p, rows[i].pc), &rows[i]);
    ck_assert_ptr_null(count_find(&p, 0));
    ck_assert_ptr_null(count_find(&p, 16));
    ck_assert_ptr_null(count_find(&p, 24));
    p.exact = true;
    ck_assert_uint_eq(count_few(&p), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("profileme statistics");
    TCase *t = tcase_create("both cores");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, single_estimates_are_unbiased, 0, 2);
    tcase_add_loop_test(t, paired_estimates_are_unbiased, 0, 2);
    if (!SANITIZED) /* needs all seeds */
        tcase_add_loop_test(t, errors_are_as_large_as_the_paper_says, 0, 2);
    tcase_add_loop_test(t, lost_selections_do_not_bias_totals, 0, 2);
    tcase_add_loop_test(t, selection_by_instruction_id_is_biased, 0, 2);
    tcase_add_test(t, few_samples_are_counted);
    suite_add_tcase(s, t);
    return run_suite(s);
}
