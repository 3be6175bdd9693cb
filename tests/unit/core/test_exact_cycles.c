/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact references that are more than counts of retired instructions, time and concurrency, over hand-written
 * streams of the probe port. */
#include "contract/pics.h"
#include "core-model/prof/exact/exact.h"
#include "core-model/prof/time/time_map.h"

#include "tests/unit/token_stream.h"

/* A stream that the oracle and the reference observe. */
static struct stream watch_exact(enum exact_reference e, struct observer **o)
{
    const struct exact_setup setup = {.classes = 0};
    struct stream s = watch("oracle", 4);
    *o = exact_new(e, &setup);
    observers_add(s.set, *o);
    return s;
}

/* The row of this address, without counts if there is none. */
static struct exact_row row_of(enum exact_reference e, struct observer *o, uint64_t pc)
{
    const struct exact_source source = exact_source(e, o);
    struct exact_row *rows, found = {.key = {pc}};
    size_t n = source.rows(source.ctx, &rows);
    for (size_t r = 0; r < n; r++) {
        ck_assert(r == 0 || rows[r - 1].key[0] < rows[r].key[0]);
        if (rows[r].key[0] == pc)
            found = rows[r];
    }
    free(rows);
    return found;
}

static void expect_time(struct observer *o, uint64_t pc, const uint64_t cycles[4])
{
    struct exact_row row = row_of(EXACT_TIME, o, pc);
    ck_assert_uint_eq(row.count[EXACT_TIME_COMPUTING], cycles[0]);
    ck_assert_uint_eq(row.count[EXACT_TIME_STALLED], cycles[1]);
    ck_assert_uint_eq(row.count[EXACT_TIME_FLUSHED], cycles[2]);
    ck_assert_uint_eq(row.count[EXACT_TIME_DRAINED], cycles[3]);
}

/* I1 commits alone and stalls; I2 is mispredicted; I3 flushes; fetch is late with I4; I5's exception fires. */
START_TEST(time_by_state)
{
    struct observer *o;
    struct stream s = watch_exact(EXACT_TIME, &o);
    stall(&s, I1, 7);
    commit(&s, 1, (uint64_t[]){I1}, false, false);
    commit(&s, 1, (uint64_t[]){I2}, true, false);
    empty(&s, 4);
    enter(&s, I3);
    commit(&s, 1, (uint64_t[]){I3}, false, true);
    empty(&s, 3);
    enter(&s, I1);
    commit(&s, 1, (uint64_t[]){I1}, false, false);
    empty(&s, 11);
    enter(&s, I4);
    commit(&s, 1, (uint64_t[]){I4}, false, false);
    exception(&s, I5);
    empty(&s, 5);
    handler(&s, 20);
    finish(&s);
    expect_time(o, I1, (uint64_t[]){2, 8, 0, 0});
    expect_time(o, I2, (uint64_t[]){1, 0, 4, 0});
    expect_time(o, I3, (uint64_t[]){1, 1, 3, 0});
    expect_time(o, I4, (uint64_t[]){1, 1, 0, 11});
    expect_time(o, I5, (uint64_t[]){0, 1, 5, 0});
    expect_time(o, HANDLER_PC, (uint64_t[]){0, 0, 0, 0});
    done(&s);
}
END_TEST

/* Three share each of 10 cycles, 3.33 for each, and four each of 2: whole cycles whose sum is that of the parts. */
START_TEST(time_in_whole_cycles)
{
    struct observer *o;
    struct stream s = watch_exact(EXACT_TIME, &o);
    for (unsigned n = 0; n < 10; n++)
        commit(&s, 3, (uint64_t[]){I1, I2, I3}, false, false);
    for (unsigned n = 0; n < 2; n++)
        commit(&s, 4, (uint64_t[]){I1, I2, I3, I4}, false, false);
    finish(&s);
    uint64_t sum = 0;
    for (uint64_t pc = I1; pc <= I4; pc += 4) {
        uint64_t cycles = row_of(EXACT_TIME, o, pc).count[EXACT_TIME_COMPUTING];
        ck_assert_uint_le(cycles, pc == I4 ? 1 : 4);
        ck_assert_uint_ge(cycles, pc == I4 ? 0 : 3);
        sum += cycles;
    }
    ck_assert_uint_eq(sum, 12);
    done(&s);
}
END_TEST

/* A load stalls and commits with its misses; it runs again without; a mispredicted branch leaves the ROB empty. */
START_TEST(stacks_by_signature)
{
    enum { MISSES = PROBE_DCACHE_MISS | PROBE_DTLB_MISS };
    static const struct {
        uint64_t pc;
        uint16_t signature;
        uint64_t cycles;
    } expected[] = {
        {I1, 1 << PICS_BIT_ST_L1 | 1 << PICS_BIT_ST_TLB, 8}, {I1, PICS_NO_EVENT, 1}, {I2, 1 << PICS_BIT_FL_MB, 5}};
    struct observer *o;
    struct exact_row *rows;
    struct stream s = watch_exact(EXACT_PICS, &o);
    struct probe_token t = {.committing = 1};
    stall(&s, I1, 7);
    t.bank[s.head] = (__typeof__(t.bank[0])){.pc = I1, .events = MISSES, .valid = true, .commits = true};
    send(&s, &t);
    commit(&s, 1, (uint64_t[]){I1}, false, false);
    commit(&s, 1, (uint64_t[]){I2}, true, false);
    empty(&s, 4);
    handler(&s, 9);
    finish(&s);
    const struct exact_source source = exact_source(EXACT_PICS, o);
    ck_assert_uint_eq(source.rows(source.ctx, &rows), 3);
    for (unsigned e = 0; e < 3; e++) {
        unsigned r = 0;
        while (r < 3 && (rows[r].key[0] != expected[e].pc || rows[r].key[1] != expected[e].signature))
            r++;
        ck_assert_uint_lt(r, 3);
        ck_assert_uint_eq(rows[r].count[EXACT_PICS_TIME], expected[e].cycles);
    }
    free(rows);
    done(&s);
}
END_TEST

struct flight {
    uint64_t pc, fetched, issued, done, retired; /* retired 0: squashed */
};

/* Four instructions, the third on the wrong path. While the first is in progress, in 10 to 19, the second and the
 * fourth issue; in 10 to 15 the first one does; in 18 to 24 none does. */
START_TEST(concurrency_of_pairs)
{
    static const struct flight flights[] = {
        {I1, 10, 14, 20, 22}, {I2, 10, 15, 16, 22}, {I3, 12, 13, 15, 0}, {I1, 18, 19, 25, 26}};
    enum { FLIGHTS = sizeof flights / sizeof flights[0] };
    const struct exact_setup setup = {.classes = 0};
    struct observer *o = exact_new(EXACT_CONCURRENCY, &setup);
    const struct probe_tagger *t = &o->probe.tagger;
    const struct rv_insn insn = {.opclass = OPCLASS_INT};
    for (unsigned i = 0; i < FLIGHTS; i++)
        ck_assert_uint_eq(t->tag(o->probe.ctx, i + 1, flights[i].pc, OPCLASS_INT, flights[i].fetched), 1);
    for (unsigned i = 0; i < FLIGHTS; i++) {
        const struct flight *f = &flights[i];
        const struct probe_insn in = {.seq = i + 1,
                                      .pc = f->pc,
                                      .insn = &insn,
                                      .cause = f->retired != 0 ? PROBE_CAUSE_NONE : PROBE_CAUSE_MISPREDICT,
                                      .stage_cycle = {[PROBE_FETCHED] = f->fetched,
                                                      [PROBE_ISSUED] = f->issued,
                                                      [PROBE_READY_TO_RETIRE] = f->done,
                                                      [PROBE_RETIRED] = f->retired}};
        t->tagged(o->probe.ctx, &in, 1, 26);
    }
    o->kind->finish(o, 30, NULL);
    static const uint64_t expected[][4] = {{I1, 2, 2, 17}, {I2, 1, 1, 6}, {I3, 1, 1, 3}};
    for (unsigned i = 0; i < 3; i++) {
        struct exact_row row = row_of(EXACT_CONCURRENCY, o, expected[i][0]);
        ck_assert_uint_eq(row.count[EXACT_CONCURRENCY_FETCHED], expected[i][1]);
        ck_assert_uint_eq(row.count[EXACT_CONCURRENCY_USEFUL], expected[i][2]);
        ck_assert_uint_eq(row.count[EXACT_CONCURRENCY_PROGRESS], expected[i][3]);
    }
    observer_release(o);
}
END_TEST

/* Samples of a file have no cycles: these references take none. */
START_TEST(samples_are_not_enough)
{
    const struct exact_setup setup = {.classes = 1u << OPCLASS_BRANCH};
    static const struct {
        enum exact_reference reference;
        bool takes;
    } each[] = {{EXACT_BRANCHES, true}, {EXACT_TIME, false}, {EXACT_CONCURRENCY, false}, {EXACT_PICS, false}};
    for (unsigned i = 0; i < sizeof each / sizeof each[0]; i++) {
        struct observer *o = exact_new(each[i].reference, &setup);
        ck_assert(exact_takes_samples(o) == each[i].takes);
        observer_release(o);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("exact references of cycles");
    TCase *t = tcase_create("references");
    tcase_add_test(t, time_by_state);
    tcase_add_test(t, time_in_whole_cycles);
    tcase_add_test(t, stacks_by_signature);
    tcase_add_test(t, concurrency_of_pairs);
    tcase_add_test(t, samples_are_not_enough);
    suite_add_tcase(s, t);
    return run_suite(s);
}
