/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ProfileMe's hardware: the intervals' distribution, selection, register sets and collisions, pairs, the buffer, and
 * that the Profile Registers hold all that the counts need. */
#include "contract/opclass.h"
#include "core-model/prof/count/geometric.h"
#include "core-model/prof/count/profile_registers.h"
#include "core-model/prof/observers.h"
#include "core-model/stats.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/refused.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */
#include <math.h>

enum { ROUNDS = 400, DRAWS = 200000, MEAN = 100 };

/* The largest mean: each bit of an interval is drawn. */
START_TEST(largest_interval)
{
    struct geometric g;
    geometric_init(&g, UINT64_MAX);
    ck_assert_uint_eq(g.bits, GEOMETRIC_BITS);
    geometric_init(&g, 1);
    ck_assert_uint_eq(g.bits, 0);
}
END_TEST

/* The mean, and the shares of intervals longer than 1, 100 and 250, within four standard errors. */
START_TEST(intervals_are_geometric)
{
    static const unsigned longer_than[] = {1, MEAN, 5 * MEAN / 2};
    struct geometric g;
    struct random r = {(uint64_t)_i};
    uint64_t sum = 0, longer[3] = {0};
    const double q = 1 - 1.0 / MEAN;
    geometric_init(&g, MEAN);
    for (unsigned i = 0; i < DRAWS; i++) {
        uint64_t n = geometric_draw(&g, &r);
        MUST(n >= 1);
        sum += n;
        for (unsigned k = 0; k < 3; k++)
            longer[k] += n > longer_than[k];
    }
    ck_assert_double_eq_tol((double)sum / DRAWS, MEAN, 4 * sqrt(q) * MEAN / sqrt(DRAWS));
    for (unsigned k = 0; k < 3; k++) {
        double p = pow(q, longer_than[k]);
        ck_assert_double_eq_tol((double)longer[k] / DRAWS, p, 4 * sqrt(p * (1 - p) / DRAWS));
    }
}
END_TEST

START_TEST(intervals_of_the_ends_of_the_range)
{
    struct geometric g;
    struct random r = {1};
    double sum = 0;
    geometric_init(&g, 2);
    for (unsigned i = 0; i < DRAWS; i++)
        sum += (double)geometric_draw(&g, &r);
    ck_assert_double_eq_tol(sum / DRAWS, 2, 0.02);
    geometric_init(&g, UINT64_C(1) << 40);
    sum = 0;
    for (unsigned i = 0; i < DRAWS; i++)
        sum += (double)geometric_draw(&g, &r);
    ck_assert_double_eq_tol(sum / DRAWS / (double)(UINT64_C(1) << 40), 1, 0.01);
}
END_TEST

/* Each instruction adds the same to a row from its registers as by itself. */
static void compare_rows(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle)
{
    struct count_row a = {.pc = in->pc}, b = {.pc = in->pc};
    struct profileme_record record = profile_registers_record(in);
    (void)tag, (void)cycle;
    count_row_add(&a, in);
    count_row_add_record(&b, &record);
    for (int k = 0; k < COUNT_KINDS; k++)
        if (a.count[k] != b.count[k])
            ck_abort_msg("%s of %s: %llu and %llu", count_name((enum count_kind)k), opclass_name(in->insn->opclass),
                         (unsigned long long)a.count[k], (unsigned long long)b.count[k]);
    MUST(profileme_retired(&record) == (record.cause == PROBE_CAUSE_NONE));
    MUST(record.pc == in->pc && record.path == in->history && record.events == in->events);
    MUST(in->outcome->mem_bytes == 0 || record.address == in->outcome->ea);
    MUST(record.latency[LATENCY_MAPPED_ISSUED] >= record.latency[LATENCY_DATA_READY_ISSUED]);
    MUST(record.oldest <= record.retire_delay && record.oldest <= record.latency[LATENCY_FETCHED_RETIRED]);
    ++*(uint64_t *)ctx;
}

static unsigned always(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    (void)ctx, (void)seq, (void)pc, (void)opclass, (void)cycle;
    return 1;
}

START_TEST(registers_hold_what_counts_need)
{
    struct core_config cfg = config_of(_i);
    struct bench b;
    uint64_t compared = 0;
    bench_open(&b, loop_of_everything(ROUNDS), &cfg);
    struct probe_listener o = {.ctx = &compared, .cycles = PROBE_ALL_CYCLES};
    o.tagger = (struct probe_tagger){
        .at = PROBE_FETCHED, .bits = 1, .tag = always, .tagged = compare_rows, .squashed = true, .complete = true};
    core_subscribe(b.core, &o);
    bench_finish(&b);
    ck_assert_uint_eq(compared, core_statistics(b.core).fetched);
    bench_close(&b);
}
END_TEST

/* The profiles of a run, by profiler. */
struct profiles {
    struct bench bench;
    struct observers *set;
    const struct count_profile *of;
    uint64_t fetched;
};

static void run(struct profiles *p, const char *profilers, const struct program *program, int core)
{
    struct core_config cfg = config_of(core);
    struct errmsg err;
    bench_open(&p->bench, program, &cfg);
    p->set = observers_new();
    ck_assert_msg(observers_create(p->set, profilers, 1, &err) == ST_OK, "%s", err.text);
    observers_attach(p->set, p->bench.core);
    bench_finish(&p->bench);
    observers_finish(p->set, core_cycle(p->bench.core), &p->bench.guest.hart);
    p->of = observers_counts(p->set)->profile;
    p->fetched = core_statistics(p->bench.core).fetched;
}

static void done(struct profiles *p)
{
    observers_free(p->set);
    bench_close(&p->bench);
}

static uint64_t samples_of(const struct count_profile *p)
{
    uint64_t n = 0, fetched = 0;
    for (size_t i = 0; i < p->rows; i++) {
        n += p->row[i].samples;
        fetched += p->row[i].count[COUNT_FETCHED];
    }
    ck_assert_uint_eq(n, p->samples);
    ck_assert_uint_eq(n, fetched);
    return n;
}

/* Three standard deviations of the number of selections among n instructions, one in `period`. */
static double deviation(double n, double period) { return 3 * sqrt(n / period * (1 - 1 / period)); }

START_TEST(a_selection_without_a_free_set_is_lost)
{
    struct profiles p;
    run(&p, "profileme:period=20,profileme:period=20:n=3,profileme:period=20:n=255", loop_of_everything(ROUNDS), _i);
    const double expected = (double)p.fetched / 20, d = deviation((double)p.fetched, 20);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_double_eq_tol((double)(samples_of(&p.of[i]) + p.of[i].lost), expected, d);
    ck_assert_uint_gt(p.of[0].lost, p.of[1].lost);
    ck_assert_uint_gt(p.of[1].lost, p.of[2].lost);
    ck_assert_uint_eq(p.of[2].lost, 0);
    ck_assert_double_eq(p.of[2].scale, 20);
    ck_assert_double_eq_tol(p.of[0].scale * (double)p.of[0].samples, 20 * (double)(p.of[0].samples + p.of[0].lost),
                            1e-6 * (double)p.fetched);
    done(&p);
}
END_TEST

START_TEST(opportunities_without_an_instruction_are_useless)
{
    struct profiles p;
    run(&p, "profileme:period=40:opportunity:n=255", loop_of_everything(ROUNDS), _i);
    const double slots = (double)core_cycle(p.bench.core) * config_of(_i).fetch_width;
    ck_assert_double_eq_tol((double)(samples_of(p.of) + p.of->useless), slots / 40, deviation(slots, 40));
    ck_assert_double_eq_tol((double)p.of->samples, (double)p.fetched / 40, deviation((double)p.fetched, 40));
    ck_assert_uint_gt(p.of->useless, p.of->samples);
    ck_assert_uint_eq(p.of->lost, 0);
    done(&p);
}
END_TEST

/* A loop of 8 instructions in every round, two of them on one of two sides of a branch that is often mispredicted. */
static const struct program *loop_of_two_sides(void)
{
    struct program *p = program_begin();
    lui(p, T0, 0x2000);
    guess_begin(p);
    uint32_t top = p->count;
    guess_step(p);
    addi(p, T2, T2, 1);
    branch(p, 4, T4, ZERO, p->count + 3); /* blt */
    addi(p, T3, T3, 1);
    branch(p, 0, ZERO, ZERO, p->count + 3); /* beq */
    addi(p, T1, T1, 1);
    addi(p, T1, T1, 1);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    return p;
}

/* The entries of squashed instructions are assigned again, so the sides of the loop's branch, which are of one length,
 * change nothing: an ID is that of one instruction, or of one on each side. Those that are squashed are discarded. */
START_TEST(an_instruction_id_is_a_rob_entry)
{
    struct profiles p;
    run(&p, "profileme:period=50:iid=0,profileme:period=50:iid=1,profileme:period=50:iid=5,profileme:period=50:iid=129",
        loop_of_two_sides(), _i);
    uint64_t useless = 0;
    ck_assert_uint_gt(core_statistics(p.bench.core).squashed_mispredict, 0x2000 / 4);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_uint_gt(samples_of(&p.of[i]), 200);
        ck_assert_uint_le(p.of[i].rows, 2);
        ck_assert_double_eq_tol(p.of[i].scale * (double)p.of[i].samples, (double)core_retired(p.bench.core), 1e-6);
        useless += p.of[i].useless;
    }
    ck_assert(useless > 0 || _i != 0); /* in order, none of them had entered the issue stage */
    ck_assert_mem_eq(p.of[1].row, p.of[3].row, p.of[1].rows * sizeof *p.of[1].row); /* of 128 entries */
    done(&p);
}
END_TEST

START_TEST(a_buffer_saves_interrupts)
{
    struct profiles p;
    run(&p, "profileme:period=50:n=255,profileme:period=50:n=255:buffer=8,profileme:period=200:pair:buffer=4",
        loop_of_everything(ROUNDS), _i);
    ck_assert_uint_eq(p.of[0].interrupts, p.of[0].samples);
    ck_assert_uint_eq(p.of[1].interrupts, p.of[0].samples / 8);
    ck_assert_uint_eq(p.of[1].samples, p.of[0].samples); /* what is buffered at the end is read too */
    ck_assert_mem_eq(p.of[0].row, p.of[1].row, p.of[0].rows * sizeof *p.of[0].row);
    ck_assert_uint_eq(p.of[2].interrupts, p.of[2].samples / 2 / 4);
    done(&p);
}
END_TEST

/* Of a pair, the second follows the first; both are samples, and no selection in between is one. */
START_TEST(pairs_have_two_samples)
{
    struct profiles p;
    run(&p, "profileme:period=100:pair:window=16", loop_of_everything(ROUNDS), _i);
    ck_assert_uint_eq(samples_of(p.of) % 2, 0);
    ck_assert_uint_gt(p.of->samples, 100);
    ck_assert_double_eq_tol((double)(p.of->samples + p.of->lost) / 2, (double)p.fetched / 100,
                            deviation((double)p.fetched, 100));
    ck_assert_double_eq(p.of->pair_scale, 2 * 16 * p.of->scale);
    ck_assert_uint_ne(p.of->kinds >> COUNT_USEFUL_ISSUES & 1, 0);
    done(&p);
}
END_TEST

/* The paper's Figure 5(b): b overlaps a usefully, c was squashed, d issues when a is done, e before a is
 * fetched. */
START_TEST(relations_of_a_pair)
{
    const struct profileme_record a = {
        .flags = PROFILEME_RETIRED,
        .latency = {
            [LATENCY_FETCHED_ISSUED] = 5, [LATENCY_FETCHED_READY_TO_RETIRE] = 20, [LATENCY_FETCHED_RETIRED] = 40}};
    const struct profileme_record b = {
        .flags = PROFILEME_RETIRED,
        .latency = {
            [LATENCY_FETCHED_ISSUED] = 8, [LATENCY_FETCHED_READY_TO_RETIRE] = 9, [LATENCY_FETCHED_RETIRED] = 30}};
    struct profileme_record squashed = b;
    squashed.flags = 0;
    squashed.latency[LATENCY_FETCHED_RETIRED] = 0;
    ck_assert(profileme_useful_overlap(&a, &b, 11));
    ck_assert(!profileme_useful_overlap(&a, &b, 12));
    ck_assert(profileme_useful_overlap(&a, &b, -8));
    ck_assert(!profileme_useful_overlap(&a, &b, -9));
    ck_assert(!profileme_useful_overlap(&a, &squashed, 0));
    ck_assert(!profileme_useful_overlap(&b, &a, 5)); /* a issues 10 cycles behind b's fetch: b is done */
    ck_assert(profileme_useful_overlap(&b, &a, 3));
    ck_assert(profileme_retires_beside(&a, &b, 9) && !profileme_retires_beside(&a, &b, 10));
    ck_assert(profileme_retires_beside(&a, &b, -30) && !profileme_retires_beside(&a, &b, -31));
    ck_assert(!profileme_retires_beside(&a, &squashed, 0));
    ck_assert(profileme_retires_near(&a, &b, 40, 30) && !profileme_retires_near(&a, &b, 41, 30));
    ck_assert(profileme_retires_near(&a, &b, -20, 30) && !profileme_retires_near(&a, &b, -21, 30));
    ck_assert(!profileme_retires_near(&squashed, &a, 0, 30));
}
END_TEST

/* a is in the queue from cycle 2 to 5, executes to 20 and retires in 40; b, fetched `later`, from 1 to 8, to 9 and 30.
 */
START_TEST(phases_of_a_pair)
{
    const struct profileme_record a = {.flags = PROFILEME_RETIRED,
                                       .latency = {[LATENCY_FETCHED_MAPPED] = 2,
                                                   [LATENCY_MAPPED_ISSUED] = 3,
                                                   [LATENCY_FETCHED_ISSUED] = 5,
                                                   [LATENCY_ISSUED_READY_TO_RETIRE] = 15,
                                                   [LATENCY_FETCHED_READY_TO_RETIRE] = 20,
                                                   [LATENCY_READY_TO_RETIRE_RETIRED] = 20}};
    const struct profileme_record b = {.flags = PROFILEME_RETIRED,
                                       .latency = {[LATENCY_FETCHED_MAPPED] = 1,
                                                   [LATENCY_MAPPED_ISSUED] = 7,
                                                   [LATENCY_FETCHED_ISSUED] = 8,
                                                   [LATENCY_ISSUED_READY_TO_RETIRE] = 1,
                                                   [LATENCY_FETCHED_READY_TO_RETIRE] = 9,
                                                   [LATENCY_READY_TO_RETIRE_RETIRED] = 21}};
    struct profileme_record squashed = b;
    squashed.flags = 0;
    ck_assert_uint_eq(profileme_together(&a, PHASE_QUEUED, &b, PHASE_QUEUED, 0), 3);
    ck_assert_uint_eq(profileme_together(&a, PHASE_QUEUED, &b, PHASE_QUEUED, 3), 1);
    ck_assert_uint_eq(profileme_together(&a, PHASE_QUEUED, &b, PHASE_QUEUED, 4), 0);
    ck_assert_uint_eq(profileme_together(&a, PHASE_QUEUED, &b, PHASE_WAITING, -10), 3);
    ck_assert_uint_eq(profileme_together(&a, PHASE_EXECUTING, &b, PHASE_EXECUTING, 11), 1);
    ck_assert_uint_eq(profileme_together(&a, PHASE_EXECUTING, &b, PHASE_EXECUTING, 12), 0);
    ck_assert_uint_eq(profileme_together(&a, PHASE_EXECUTING, &b, PHASE_WAITING, 0), 11);
    ck_assert_uint_eq(profileme_together(&a, PHASE_WAITING, &b, PHASE_WAITING, 0), 10);
    ck_assert_uint_eq(profileme_together(&a, PHASE_WAITING, &squashed, PHASE_WAITING, 0), 0);
    ck_assert_uint_eq(profileme_together(&squashed, PHASE_WAITING, &a, PHASE_WAITING, 0), 10);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_profile)
{
    struct profiles p;
    run(&p, "profileme:period=50:n=3,profileme:period=50:n=3:seed=1,profileme:period=50:n=3:seed=2",
        loop_of_everything(ROUNDS), _i);
    ck_assert_uint_eq(p.of[0].rows, p.of[1].rows);
    ck_assert_mem_eq(p.of[0].row, p.of[1].row, p.of[0].rows * sizeof *p.of[0].row);
    ck_assert(p.of[0].rows != p.of[2].rows ||
              memcmp(p.of[0].row, p.of[2].row, p.of[0].rows * sizeof *p.of[0].row) != 0);
    done(&p);
}
END_TEST

START_TEST(options_that_exclude_each_other)
{
    static const struct refused bad[] = {
        {"profileme:period=0", "expected from 2 to"},
        {"profileme:period=1", "expected from 2 to"},
        {"profileme:pair:window=0", "expected from 1 to"},
        {"profileme:n=256", "expected from 1 to 255 register sets"},
        {"profileme:pair:n=2", "expected 'pair' or 'n=N', found both"},
        {"profileme:pair:opportunity", "expected 'pair' or 'opportunity', found both"},
        {"profileme:window=50", "expected 'pair' beside 'window=N'"},
        {"profileme:pair:period=100:window=101", "not larger than the period"},
        {"profileme:pair:iid=0", "expected 'iid=N' or one of 'pair' and 'opportunity', found both"},
        {"profileme:opportunity:iid=0", "expected 'iid=N' or one of 'pair' and 'opportunity', found both"},
        {"profileme:iid=512", "expected from 0 to 511 ROB entries"},
        {"profileme:buffer=0", "expected from 1 to"},
        {"profileme:n=255,profileme:n=255:seed=2,profileme:n=255:seed=3,profileme:n=127:seed=4", "tags"},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_refused(&bad[i]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("profileme");
    TCase *t = tcase_create("intervals");
    tcase_add_loop_test(t, intervals_are_geometric, 1, 4);
    tcase_add_test(t, largest_interval);
    tcase_add_test(t, intervals_of_the_ends_of_the_range);
    suite_add_tcase(s, t);
    t = tcase_create("both cores");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, registers_hold_what_counts_need, 0, 2);
    tcase_add_loop_test(t, a_selection_without_a_free_set_is_lost, 0, 2);
    tcase_add_loop_test(t, opportunities_without_an_instruction_are_useless, 0, 2);
    tcase_add_loop_test(t, an_instruction_id_is_a_rob_entry, 0, 2);
    tcase_add_loop_test(t, a_buffer_saves_interrupts, 0, 2);
    tcase_add_loop_test(t, pairs_have_two_samples, 0, 2);
    tcase_add_loop_test(t, the_same_seed_gives_the_same_profile, 0, 2);
    suite_add_tcase(s, t);
    t = tcase_create("software");
    tcase_add_test(t, relations_of_a_pair);
    tcase_add_test(t, phases_of_a_pair);
    tcase_add_test(t, options_that_exclude_each_other);
    suite_add_tcase(s, t);
    return run_suite(s);
}
