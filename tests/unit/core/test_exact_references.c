/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of exact references, and the references instructions, branches and latencies, over hand-written streams. */
#include <stdlib.h>

#include "core-model/prof/exact/exact.h"
#include "core-model/prof/exact/exact_table.h"

#include "tests/unit/suite.h"

static struct exact_row *rows;

static void teardown(void)
{
    free(rows);
    rows = NULL;
}

/* More rows than the table begins with, each met as often as its first key says. */
START_TEST(table_counts_by_keys)
{
    enum { KEYS = 3000 };
    struct exact_table t = {0};
    for (uint64_t i = KEYS; i-- > 0;)
        for (uint64_t n = 0; n <= i % 4; n++)
            exact_table_at(&t, i / 4, i % 4, i == 7 ? 1 : 0)->count[2]++;
    ck_assert_uint_eq(exact_table_copy(&t, &rows), KEYS);
    for (uint64_t i = 0; i < KEYS; i++) {
        ck_assert_uint_eq(rows[i].key[0], i / 4);
        ck_assert_uint_eq(rows[i].key[1], i % 4);
        ck_assert_uint_eq(rows[i].key[2], i == 7 ? 1 : 0);
        ck_assert_uint_eq(rows[i].count[2], i % 4 + 1);
        ck_assert_uint_eq(rows[i].count[0], 0);
    }
    exact_table_fini(&t);
}
END_TEST

START_TEST(empty_table)
{
    struct exact_table t = {0};
    ck_assert_uint_eq(exact_table_copy(&t, &rows), 0);
    exact_table_fini(&t);
}
END_TEST

/* An observer of the reference for loads and branches. */
static struct observer *new_reference(enum exact_reference e)
{
    const struct exact_setup setup = {.classes = 1u << OPCLASS_LOAD | 1u << OPCLASS_BRANCH};
    return exact_new(e, &setup);
}

/* One retired instruction, if the observer's filter passes its class. */
static void retire(struct observer *o, enum opclass c, uint64_t pc, uint32_t events, uint64_t latency)
{
    const struct rv_insn insn = {.opclass = (uint8_t)c};
    const struct rv_outcome outcome = {.mem_bytes = c == OPCLASS_LOAD ? 8 : 0};
    const struct probe_insn in = {
        .pc = pc,
        .insn = &insn,
        .outcome = &outcome,
        .events = events,
        .stage_cycle[PROBE_ISSUED] = 100,
        .stage_cycle[PROBE_LOAD_COMPLETED] = 100 + latency,
    };
    if (event_filter_passes(o->probe.filter[PROBE_RETIRED], c, 1))
        o->probe.stage[PROBE_RETIRED](o->probe.ctx, &in, 200);
}

static size_t read_rows(enum exact_reference e, struct observer *o)
{
    struct exact_source s = exact_source(e, o);
    ck_assert_int_eq(s.reference, e);
    return s.rows(s.ctx, &rows);
}

START_TEST(instructions)
{
    struct observer *o = new_reference(EXACT_INSTRUCTIONS);
    retire(o, OPCLASS_LOAD, 0x1004, PROBE_DCACHE_MISS | PROBE_L2_MISS, 3);
    retire(o, OPCLASS_BRANCH, 0x1000, PROBE_MISPREDICTED, 0);
    retire(o, OPCLASS_LOAD, 0x1004, PROBE_DCACHE_MISS | PROBE_DTLB_MISS, 3);
    retire(o, OPCLASS_STORE, 0x1008, 0, 0);
    ck_assert_uint_eq(read_rows(EXACT_INSTRUCTIONS, o), 2);
    ck_assert_uint_eq(rows[0].key[0], 0x1000);
    ck_assert_uint_eq(rows[0].count[EXACT_INSTRUCTIONS_RETIRED], 1);
    ck_assert_uint_eq(rows[0].count[EXACT_INSTRUCTIONS_MISPRED], 1);
    ck_assert_uint_eq(rows[0].count[EXACT_INSTRUCTIONS_BYTES], 0);
    ck_assert_uint_eq(rows[1].count[EXACT_INSTRUCTIONS_RETIRED], 2);
    ck_assert_uint_eq(rows[1].count[EXACT_INSTRUCTIONS_L1MISS], 2);
    ck_assert_uint_eq(rows[1].count[EXACT_INSTRUCTIONS_L2MISS], 1);
    ck_assert_uint_eq(rows[1].count[EXACT_INSTRUCTIONS_LLMISS], 0);
    ck_assert_uint_eq(rows[1].count[EXACT_INSTRUCTIONS_DTMISS], 1);
    ck_assert_uint_eq(rows[1].count[EXACT_INSTRUCTIONS_BYTES], 16);
    observer_release(o);
}
END_TEST

/* A store retires without the events of its access, which follow. Stores of other classes are not counted. */
START_TEST(misses_of_stores)
{
    const struct exact_setup setup = {.classes = 1u << OPCLASS_STORE};
    const struct rv_insn insn = {.opclass = OPCLASS_STORE};
    const struct rv_outcome outcome = {.mem_bytes = 4};
    const struct probe_insn in = {
        .pc = 0x1004, .insn = &insn, .outcome = &outcome, .events = PROBE_DCACHE_MISS | PROBE_DTLB_MISS};
    struct observer *o = exact_new(EXACT_INSTRUCTIONS, &setup);
    const struct probe_tagger *t = &o->probe.tagger;
    ck_assert(t->complete);
    ck_assert(event_filter_passes(t->filter, OPCLASS_STORE, 1));
    ck_assert(!event_filter_passes(t->filter, OPCLASS_FSTORE, 1));
    retire(o, OPCLASS_STORE, 0x1004, PROBE_DTLB_MISS, 0);
    t->tagged(o->probe.ctx, &in, t->tag(o->probe.ctx, 1, 0x1004, OPCLASS_STORE, 1), 300);
    ck_assert_uint_eq(read_rows(EXACT_INSTRUCTIONS, o), 1);
    ck_assert_uint_eq(rows[0].count[EXACT_INSTRUCTIONS_RETIRED], 1);
    ck_assert_uint_eq(rows[0].count[EXACT_INSTRUCTIONS_L1MISS], 1);
    ck_assert_uint_eq(rows[0].count[EXACT_INSTRUCTIONS_DTMISS], 1);
    observer_release(o);
}
END_TEST

/* A sample of a file has the events of the access, too. */
START_TEST(sample_of_a_store)
{
    const struct exact_setup setup = {.classes = 1u << OPCLASS_STORE};
    const struct sample s = {.opclass = OPCLASS_STORE,
                             .field = {[FIELD_PC] = 0x1004, [FIELD_BYTES] = 4, [FIELD_L1MISS] = 1}};
    struct observer *o = exact_new(EXACT_INSTRUCTIONS, &setup);
    ck_assert(exact_takes_samples(o));
    exact_add_sample(o, &s);
    ck_assert_uint_eq(read_rows(EXACT_INSTRUCTIONS, o), 1);
    ck_assert_uint_eq(rows[0].count[EXACT_INSTRUCTIONS_RETIRED], 1);
    ck_assert_uint_eq(rows[0].count[EXACT_INSTRUCTIONS_L1MISS], 1);
    ck_assert_uint_eq(rows[0].count[EXACT_INSTRUCTIONS_BYTES], 4);
    observer_release(o);
}
END_TEST

START_TEST(branches)
{
    struct observer *o = new_reference(EXACT_BRANCHES);
    retire(o, OPCLASS_BRANCH, 0x1000, PROBE_TAKEN | PROBE_MISPREDICTED, 0);
    retire(o, OPCLASS_BRANCH, 0x1000, 0, 0);
    retire(o, OPCLASS_BRANCH, 0x1000, PROBE_TAKEN, 0);
    ck_assert_uint_eq(read_rows(EXACT_BRANCHES, o), 1);
    ck_assert_uint_eq(rows[0].count[EXACT_BRANCHES_TAKEN], 2);
    ck_assert_uint_eq(rows[0].count[EXACT_BRANCHES_UNTAKEN], 1);
    observer_release(o);
}
END_TEST

START_TEST(latencies)
{
    static const struct {
        uint64_t cycles;
        unsigned bucket;
    } each[] = {{0, 0}, {3, 0}, {4, 1}, {7, 1}, {8, 2}, {31, 3}, {32, 4}, {64, 5}, {255, 6}, {256, 7}, {100000, 7}};
    struct observer *o = new_reference(EXACT_LATENCIES);
    ck_assert_uint_eq(o->probe.cycles, 1u << PROBE_ISSUED | 1u << PROBE_LOAD_COMPLETED);
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++)
        retire(o, OPCLASS_LOAD, 0x1000 + 4 * i, 0, each[i].cycles);
    ck_assert_uint_eq(read_rows(EXACT_LATENCIES, o), sizeof each / sizeof each[0]);
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++)
        for (unsigned b = 0; b < EXACT_COUNTS; b++)
            ck_assert_uint_eq(rows[i].count[b], b == each[i].bucket);
    observer_release(o);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("exact references");
    TCase *t = tcase_create("references");
    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, table_counts_by_keys);
    tcase_add_test(t, empty_table);
    tcase_add_test(t, instructions);
    tcase_add_test(t, misses_of_stores);
    tcase_add_test(t, sample_of_a_store);
    tcase_add_test(t, branches);
    tcase_add_test(t, latencies);
    suite_add_tcase(s, t);
    return run_suite(s);
}
