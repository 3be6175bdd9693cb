/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The collection of event counters' samples: table, overflow buffers, flushes, costs. Whatever the sizes, the daemon's
 * counts are those of the samples, except for those counted as lost. */
#include "base/random.h"
#include "contract/countprof.h"
#include "host/collect/collector.h"
#include "host/collect/daemon.h"

#include "tests/unit/suite.h"
#include <stdlib.h>
#include <string.h>

static struct sample_table *table;
static struct sample_entry evicted;

static enum sample_outcome add(uint64_t pc) { return sample_table_add(table, 7, pc, COUNT_CYCLES, &evicted); }

/* One bucket of 4 entries. */
static void one_bucket(bool front)
{
    table = sample_table_new(&(struct sample_table_shape){.entries = 4, .ways = 4, .front = front});
    for (uint64_t pc = 2; pc <= 8; pc += 2)
        ck_assert_int_eq(add(pc), SAMPLE_FILLED);
}

START_TEST(a_rolling_counter_selects_what_is_evicted)
{
    one_bucket(false);
    ck_assert_int_eq(add(4), SAMPLE_HIT);
    for (uint64_t n = 1; n <= 5; n++) { /* 2, 4, 6, 8, then the first that came after them */
        ck_assert_int_eq(add(100 + 2 * n), SAMPLE_EVICTED);
        ck_assert_uint_eq(evicted.pc, n == 5 ? 102 : 2 * n);
        ck_assert_uint_eq(evicted.count, n == 2 ? 2 : 1);
        ck_assert_uint_eq(evicted.pid, 7);
    }
    sample_table_free(table);
}
END_TEST

START_TEST(with_front_the_last_is_evicted)
{
    one_bucket(true);                     /* 8 6 4 2, by the swap of each new entry with the first: 8 2 4 6 */
    ck_assert_int_eq(add(8), SAMPLE_HIT); /* is the first */
    ck_assert_int_eq(add(100), SAMPLE_EVICTED);
    ck_assert_uint_eq(evicted.pc, 6);
    ck_assert_int_eq(add(4), SAMPLE_HIT); /* 100 8 2 4 becomes 4 8 2 100 */
    ck_assert_int_eq(add(102), SAMPLE_EVICTED);
    ck_assert_uint_eq(evicted.pc, 100);
    ck_assert_int_eq(add(4), SAMPLE_HIT);
    sample_table_free(table);
}
END_TEST

START_TEST(process_and_event_tell_samples_apart)
{
    table = sample_table_new(&(struct sample_table_shape){.entries = 8, .ways = 8});
    ck_assert_int_eq(sample_table_add(table, 1, 4, COUNT_CYCLES, &evicted), SAMPLE_FILLED);
    ck_assert_int_eq(sample_table_add(table, 2, 4, COUNT_CYCLES, &evicted), SAMPLE_FILLED);
    ck_assert_int_eq(sample_table_add(table, 1, 4, COUNT_RETIRED, &evicted), SAMPLE_FILLED);
    ck_assert_int_eq(sample_table_add(table, 1, 4, COUNT_CYCLES, &evicted), SAMPLE_HIT);
    sample_table_free(table);
}
END_TEST

static const struct collect_config dcpi = {
#define COLLECT(key, def, min, max, unit, help, source) .key = def,
#include "contract/collect.def"
    .entry = 107,
    .exit = 107,
};

/* A hit takes 214 + 416 cycles, a miss 214 + 700, an entry 2,050 in the daemon. */
START_TEST(costs_of_a_sample)
{
    struct collect_config k = dcpi;
    k.table_entries = k.table_ways = 1;
    k.buffer_entries = 2;
    struct daemon *d = daemon_new();
    struct collector *c = collector_new(&k, 1, daemon_add, d);
    ck_assert_uint_eq(collector_sample(c, 0, 1, 4, COUNT_CYCLES, 10), 914);
    ck_assert_uint_eq(collector_sample(c, 0, 1, 4, COUNT_CYCLES, 20), 630);
    ck_assert_uint_eq(collector_sample(c, 0, 1, 8, COUNT_CYCLES, 30), 914);
    ck_assert_uint_eq(collector_sample(c, 0, 1, 4, COUNT_CYCLES, 40), 914 + 2 * 2050); /* the buffer is full */
    struct collect_account a = collector_account(c, 0);
    ck_assert_uint_eq(a.samples, 4);
    ck_assert_uint_eq(a.hits, 1);
    ck_assert_uint_eq(a.filled, 1);
    ck_assert_uint_eq(a.evicted, 2);
    ck_assert_uint_eq(a.buffers, 1);
    ck_assert_uint_eq(a.entries, 2);
    ck_assert_uint_eq(a.hit_cycles, 630);
    ck_assert_uint_eq(a.miss_cycles, 3 * 914);
    ck_assert_uint_eq(a.daemon_cycles, 4100);
    ck_assert_uint_eq(a.hart_cycles, 3 * 914 + 630 + 4100);
    collector_free(c);
    daemon_free(d);
}
END_TEST

START_TEST(a_free_host_takes_no_time)
{
    struct collect_config k = dcpi;
    k.free = true;
    k.buffer_entries = 1;
    k.table_entries = k.table_ways = 1;
    k.drain_cycles = 5;
    struct daemon *d = daemon_new();
    struct collector *c = collector_new(&k, 1, daemon_add, d);
    for (uint64_t n = 0; n < 100; n++)
        ck_assert_uint_eq(collector_sample(c, 0, 1, 4 * (n % 3), COUNT_CYCLES, n), 0);
    ck_assert_uint_eq(collector_account(c, 0).daemon_cycles, 0);
    collector_free(c);
    daemon_free(d);
}
END_TEST

/* The daemon runs elsewhere, for 2,050 cycles each entry. */
START_TEST(samples_bypass_a_table_that_is_flushed)
{
    struct collect_config k = dcpi;
    k.daemon_elsewhere = 1;
    k.buffer_entries = 3;
    k.drain_cycles = 1000;
    struct daemon *d = daemon_new();
    struct collector *c = collector_new(&k, 1, daemon_add, d);
    ck_assert_uint_eq(collector_sample(c, 0, 1, 4, COUNT_CYCLES, 10), 914);
    ck_assert_uint_eq(collector_sample(c, 0, 1, 4, COUNT_CYCLES, 1000), 630); /* begins a flush of one entry */
    for (int n = 0; n < 4; n++)
        ck_assert_uint_eq(collector_sample(c, 0, 1, 4, COUNT_CYCLES, 1001), 914);
    struct collect_account a = collector_account(c, 0);
    ck_assert_uint_eq(a.flushes, 1);
    ck_assert_uint_eq(a.bypassed, 4);
    ck_assert_uint_eq(a.lost, 1); /* the other buffer is being read */
    ck_assert_uint_eq(a.bypass_cycles, 4 * 914);
    ck_assert_uint_eq(a.hart_cycles, 914 + 630 + 4 * 914);
    ck_assert_uint_eq(collector_sample(c, 0, 1, 4, COUNT_CYCLES, 3050),
                      914); /* the flush is over: the table is empty */
    collector_finish(c);
    size_t count;
    const struct sample_entry *e = daemon_samples(d, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(e->count, 7 - 1);
    collector_free(c);
    daemon_free(d);
}
END_TEST

enum { PLACES = 40, RANDOM_SAMPLES = 20000, CASES = 60 };

/* Counts by process, event and place: the reference. */
START_TEST(nothing_is_lost_but_what_is_counted)
{
    struct random r = {.state = 99 + (uint64_t)_i};
    struct collect_config k = dcpi;
    k.table_entries = 1 + (uint32_t)random_bits(&r) % 64;
    k.table_ways = 1 + (uint32_t)random_bits(&r) % 6;
    k.table_front = (uint32_t)random_bits(&r) % 2;
    k.buffer_entries = 1 + (uint32_t)random_bits(&r) % 32;
    k.drain_cycles = 1 + (uint32_t)random_bits(&r) % 1000000;
    k.daemon_elsewhere = (uint32_t)random_bits(&r) % 2;
    k.daemon_entry = (uint32_t)random_bits(&r) % 3000;
    uint64_t want[2][2][PLACES] = {{{0}}}, cycle = 0, lost = 0, missing = 0;
    struct daemon *d = daemon_new();
    struct collector *c = collector_new(&k, 2, daemon_add, d);
    for (int n = 0; n < RANDOM_SAMPLES; n++) {
        unsigned hart = (unsigned)random_bits(&r) % 2, event = (unsigned)random_bits(&r) % 2;
        unsigned place = (unsigned)(random_bits(&r) % PLACES * (random_bits(&r) % PLACES) / PLACES);
        want[hart][event][place]++; /* each hart runs a process of its own */
        cycle += collector_sample(c, hart, hart, 2 * place, event, cycle) + random_bits(&r) % 2000;
    }
    collector_finish(c);
    for (unsigned hart = 0; hart < 2; hart++) {
        struct collect_account a = collector_account(c, hart);
        ck_assert_uint_eq(a.samples, a.hits + a.filled + a.evicted + a.bypassed);
        lost += a.lost;
    }
    size_t count;
    const struct sample_entry *e = daemon_samples(d, &count);
    for (size_t n = 0; n < count; n++) {
        ck_assert(n == 0 || e[n - 1].pid != e[n].pid || e[n - 1].event != e[n].event || e[n - 1].pc != e[n].pc);
        ck_assert_uint_le(e[n].count, want[e[n].pid][e[n].event][e[n].pc / 2]);
        want[e[n].pid][e[n].event][e[n].pc / 2] -= e[n].count;
    }
    for (size_t n = 0; n < sizeof want / sizeof want[0][0][0]; n++)
        missing += (&want[0][0][0])[n];
    ck_assert_uint_eq(missing, lost);
    collector_free(c);
    daemon_free(d);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("collect");
    TCase *t = tcase_create("table");
    tcase_add_test(t, a_rolling_counter_selects_what_is_evicted);
    tcase_add_test(t, with_front_the_last_is_evicted);
    tcase_add_test(t, process_and_event_tell_samples_apart);
    suite_add_tcase(s, t);
    t = tcase_create("driver");
    tcase_add_test(t, costs_of_a_sample);
    tcase_add_test(t, a_free_host_takes_no_time);
    tcase_add_test(t, samples_bypass_a_table_that_is_flushed);
    tcase_add_loop_test(t, nothing_is_lost_but_what_is_counted, 0, CASES);
    suite_add_tcase(s, t);
    return run_suite(s);
}
