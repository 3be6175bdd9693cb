/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time line: its intervals add up to the Oracle's profile of the same run, address by address, and to the core's
 * statistics, on both cores; intervals are of equal length, and at most PHASE_INTERVALS. */
#include "contract/phaseprof.h"
#include "core-model/stats.h"
#include "tests/unit/guest_mix.h"

#include "tests/unit/token_stream.h"

enum { CORES = 2 };

struct phased {
    struct bench bench;
    struct observers *set;
    const struct phase_profile *phases;
    const struct time_profile *oracle;
};

static void phase_run(struct phased *p, int core, int rounds)
{
    struct errmsg err;
    struct core_config cfg = faulting(core);
    bench_open(&p->bench, eventful_loop(rounds), &cfg);
    p->set = observers_new();
    ck_assert_int_eq(observers_create(p->set, "oracle,phases", 1, &err), ST_OK);
    observers_attach(p->set, p->bench.core);
    core_run(p->bench.core, UINT64_MAX);
    observers_finish(p->set, core_cycle(p->bench.core), &p->bench.guest.hart);
    p->phases = observers_phases(p->set)->profile;
    p->oracle = observers_time(p->set)->profile;
}

static void phased_fini(struct phased *p)
{
    observers_free(p->set);
    bench_close(&p->bench);
}

/* The time of an address in all intervals. */
static uint64_t time_at(const struct phase_profile *p, uint64_t pc)
{
    uint64_t sum = 0;
    for (size_t n = 0; n < p->intervals; n++)
        for (size_t r = 0; r < p->interval[n].rows; r++)
            sum += p->interval[n].row[r].pc == pc ? p->interval[n].row[r].time : 0;
    return sum;
}

START_TEST(intervals_add_up_to_the_oracle)
{
    struct phased p;
    uint64_t category[TIME_CATEGORY_COUNT] = {0};
    phase_run(&p, _i, 400);
    ck_assert_uint_gt(p.phases->intervals, 8);
    for (size_t r = 0; r < p.oracle->rows; r++) {
        ck_assert_uint_eq(time_at(p.phases, p.oracle->row[r].pc), time_row_total(&p.oracle->row[r]));
        for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
            category[c] += p.oracle->row[r].time[c];
    }
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++) {
        for (size_t n = 0; n < p.phases->intervals; n++)
            category[c] -= p.phases->interval[n].time[c];
        ck_assert_uint_eq(category[c], 0);
    }
    phased_fini(&p);
}
END_TEST

START_TEST(intervals_add_up_to_the_statistics)
{
    struct phased p;
    phase_run(&p, _i, 400);
    const struct core_stats s = core_statistics(p.bench.core);
    uint64_t cycles = 0, retired = 0, handlers = 0;
    for (size_t n = 0; n < p.phases->intervals; n++) {
        const struct phase_interval *i = &p.phases->interval[n];
        ck_assert_uint_eq(i->from, cycles);
        cycles += i->cycles;
        retired += i->retired;
        handlers += i->handlers;
    }
    ck_assert_uint_eq(cycles, core_cycle(p.bench.core));
    ck_assert_uint_eq(retired, s.retired);
    ck_assert_uint_gt(handlers, 0);
    ck_assert_uint_eq(handlers, s.page_faults);
    phased_fini(&p);
}
END_TEST

/* However long the run is. */
START_TEST(intervals_have_one_length)
{
    for (int rounds = 10; rounds < 2000; rounds *= 3) {
        struct phased p;
        phase_run(&p, _i, rounds);
        ck_assert_uint_gt(p.phases->intervals, 0);
        ck_assert_uint_le(p.phases->intervals, PHASE_INTERVALS);
        for (size_t n = 0; n + 1 < p.phases->intervals; n++)
            ck_assert_uint_eq(p.phases->interval[n].cycles, p.phases->interval[0].cycles);
        ck_assert_uint_le(p.phases->interval[p.phases->intervals - 1].cycles, p.phases->interval[0].cycles);
        phased_fini(&p);
    }
}
END_TEST

/* A wait that is longer than many intervals is split where they end. */
START_TEST(a_long_wait_is_split)
{
    struct stream s = watch("phases", 4);
    commit(&s, 1, (const uint64_t[]){I1}, false, false);
    struct probe_token wait = {.repeat = 10000};
    wait.bank[s.head].valid = true;
    wait.bank[s.head].pc = I2;
    send(&s, &wait);
    commit(&s, 1, (const uint64_t[]){I2}, false, false);
    observers_finish(s.set, s.cycle, NULL);
    const struct phase_profile *p = observers_phases(s.set)->profile;
    ck_assert_uint_eq(p->intervals, 10);
    ck_assert_uint_eq(p->interval[0].rows, 2);
    ck_assert_uint_eq(p->interval[0].row[0].time, TIME_PER_CYCLE);
    ck_assert_uint_eq(p->interval[0].row[1].time, 1023 * TIME_PER_CYCLE);
    for (size_t n = 1; n < 9; n++) {
        ck_assert_uint_eq(p->interval[n].rows, 1);
        ck_assert_uint_eq(p->interval[n].time[TIME_STALL_ALU], 1024 * TIME_PER_CYCLE);
    }
    ck_assert_uint_eq(p->interval[9].cycles, 10002 - 9 * 1024);
    ck_assert_uint_eq(p->interval[9].retired, 1);
    observers_free(s.set);
    free(s.port);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("phases");
    TCase *t = tcase_create("phases");
    tcase_add_test(t, a_long_wait_is_split);
    tcase_add_loop_test(t, intervals_add_up_to_the_oracle, 0, CORES);
    tcase_add_loop_test(t, intervals_add_up_to_the_statistics, 0, CORES);
    tcase_add_loop_test(t, intervals_have_one_length, 0, CORES);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return run_suite(s);
}
