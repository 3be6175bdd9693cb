/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worked examples of the TIP paper, section 2.2, on hand-written streams of the probe port: the four states of
 * commit (Figure 3) as the streams of Figure 4, and the two of the text, a serialising instruction and a page miss on a
 * load. Every profiler samples every cycle, so what differs is its policy alone. */
#include "tests/unit/token_stream.h"

enum { PROFILERS = 6 };

/* Cycles that each profiler of `all` gives to an instruction, in the order of that list. */
struct expected {
    uint64_t pc;
    double cycles[PROFILERS];
};

/* The rows are all instructions of the stream: the profilers give time to no other. */
static void expect(struct stream *s, const struct expected *rows, size_t count)
{
    for (unsigned i = 0; i < PROFILERS; i++) {
        double sum = 0;
        for (size_t r = 0; r < count; r++) {
            double cycles = time_of(s, i, rows[r].pc);
            ck_assert_msg(cycles == rows[r].cycles[i], "%s gives %" PRIx64 " %.2f cycles, expected %.2f",
                          s->result->profile[i].label, rows[r].pc, cycles, rows[r].cycles[i]);
            sum += cycles;
        }
        ck_assert_double_eq(sum, (double)s->cycle);
    }
}

#define EXPECT_ALL(s, ...)                             \
    do {                                               \
        const struct expected rows[] = {__VA_ARGS__};  \
        expect(s, rows, sizeof rows / sizeof rows[0]); \
    } while (0)

/* The state of commit, as Figure 3 names it, that oracle and TIP report for the cycles of one instruction. */
static void expect_state(struct stream *s, uint64_t pc, enum time_category state, double cycles)
{
    EXPECT_IN(s, ORACLE, pc, state, cycles);
    EXPECT_IN(s, TIP, pc, state, cycles);
}

START_TEST(figure_4a_computing)
{
    struct stream s = watch(all, 2);
    commit2(&s, I1, I2);
    commit2(&s, I3, I4);
    finish(&s);
    EXPECT_ALL(&s, /*   oracle tip  tip-ilp nci nci+ilp lci */
               {I1, {0.5, 0.5, 1, 1, 0.5, 0}}, {I2, {0.5, 0.5, 0, 0, 0.5, 1}}, {I3, {0.5, 0.5, 1, 1, 0.5, 0}},
               {I4, {0.5, 0.5, 0, 0, 0.5, 1}});
    expect_state(&s, I1, TIME_EXECUTE, 0.5);
    done(&s);
}
END_TEST

/* I1 commits in cycle 1; the load, I2, stalls in 2 to 41 and commits with I3 in 42. LCI's cycle 42 is the load's in the
 * figure; example c takes the youngest of a group, which is I3 here. */
START_TEST(figure_4b_stalled)
{
    struct stream s = watch(all, 2);
    commit(&s, 1, (uint64_t[]){I1}, false, false);
    stall(&s, I2, 40);
    commit2(&s, I2, I3);
    finish(&s);
    EXPECT_ALL(&s, /*   oracle tip  tip-ilp nci nci+ilp lci */
               {I1, {1, 1, 1, 1, 1, 41}}, {I2, {40.5, 40.5, 41, 41, 20.5, 0}}, {I3, {0.5, 0.5, 0, 0, 20.5, 1}});
    expect_state(&s, I2, TIME_STALL_ALU, 40); /* the program is not known here */
    expect_state(&s, I2, TIME_EXECUTE, 0.5);
    done(&s);
}
END_TEST

/* I1 and the mispredicted branch, I2, commit in cycle 1; the ROB is empty in 2 to 5; I5 enters in 6, commits in 7. */
START_TEST(figure_4c_flushed)
{
    struct stream s = watch(all, 2);
    commit(&s, 2, (uint64_t[]){I1, I2}, true, false);
    empty(&s, 4);
    enter(&s, I5);
    commit(&s, 1, (uint64_t[]){I5}, false, false);
    finish(&s);
    EXPECT_ALL(&s, /*   oracle tip  tip-ilp nci nci+ilp lci */
               {I1, {0.5, 0.5, 1, 1, 0.5, 0}}, {I2, {4.5, 4.5, 4, 0, 0.5, 6}}, {I5, {2, 2, 2, 6, 6, 1}});
    expect_state(&s, I2, TIME_MISPREDICT, 4);
    expect_state(&s, I5, TIME_STALL_ALU, 1);
    done(&s);
}
END_TEST

/* I1 and I2 commit in cycle 1; fetch misses I3's line: the ROB is empty in 2 to 41, I3 enters in 42 and commits in
 * 43. */
START_TEST(figure_4d_drained)
{
    struct stream s = watch(all, 2);
    commit2(&s, I1, I2);
    empty(&s, 40);
    enter(&s, I3);
    commit(&s, 1, (uint64_t[]){I3}, false, false);
    finish(&s);
    EXPECT_ALL(&s, /*   oracle tip  tip-ilp nci nci+ilp lci */
               {I1, {0.5, 0.5, 1, 1, 0.5, 0}}, {I2, {0.5, 0.5, 0, 0, 0.5, 42}}, {I3, {42, 42, 42, 42, 42, 1}});
    expect_state(&s, I3, TIME_FRONTEND, 40);
    expect_state(&s, I3, TIME_STALL_ALU, 1);
    done(&s);
}
END_TEST

/* The serialising instruction, I3, enters when I1 and I2 have committed; I4 enters when I3 has. I3 waits before the ROB
 * while I2 stalls: that is I2's time. */
START_TEST(a_serialising_instruction_and_its_neighbours)
{
    struct stream s = watch(all, 2);
    stall(&s, I1, 6);
    commit(&s, 1, (uint64_t[]){I1}, false, false);
    stall(&s, I2, 10);
    commit(&s, 1, (uint64_t[]){I2}, false, false);
    enter(&s, I3);
    stall(&s, I3, 19);
    commit(&s, 1, (uint64_t[]){I3}, false, false);
    enter(&s, I4);
    stall(&s, I4, 2);
    commit(&s, 1, (uint64_t[]){I4}, false, false);
    finish(&s);
    EXPECT_ALL(&s, /*   oracle tip  tip-ilp nci nci+ilp lci */
               {0, {0, 0, 0, 0, 0, 6}}, {I1, {7, 7, 7, 7, 7, 11}}, {I2, {11, 11, 11, 11, 11, 21}},
               {I3, {21, 21, 21, 21, 21, 4}}, {I4, {4, 4, 4, 4, 4, 1}});
    expect_state(&s, I3, TIME_STALL_ALU, 20);
    expect_state(&s, I3, TIME_EXECUTE, 1);
    expect_state(&s, I4, TIME_STALL_ALU, 3);
    done(&s);
}
END_TEST

/* The load, I2, is the oldest from cycle 1 on while the page table is walked, and its exception fires in 30. In 31 to
 * 37 the ROB is empty; the handler's I5 enters in 38, I4 flushes as it returns. The load enters again, stalls on the
 * TLB and the cache, and commits. */
START_TEST(a_page_miss_on_a_load)
{
    struct stream s = watch(all, 2);
    commit(&s, 1, (uint64_t[]){I1}, false, false);
    stall(&s, I2, 29);
    exception(&s, I2);
    empty(&s, 7);
    enter(&s, I5);
    commit(&s, 1, (uint64_t[]){I5}, false, false);
    stall(&s, I4, 3);
    commit(&s, 1, (uint64_t[]){I4}, false, true);
    empty(&s, 5);
    enter(&s, I2);
    stall(&s, I2, 49);
    commit2(&s, I2, I3);
    finish(&s);
    EXPECT_ALL(&s, /*   oracle tip  tip-ilp nci nci+ilp lci */
               {I1, {1, 1, 1, 1, 1, 39}}, {I2, {87.5, 87.5, 88, 56, 28, 0}}, {I3, {0.5, 0.5, 0, 0, 28, 1}},
               {I4, {9, 9, 9, 4, 4, 56}}, {I5, {2, 2, 2, 39, 39, 4}});
    expect_state(&s, I2, TIME_STALL_ALU, 80);
    expect_state(&s, I2, TIME_FLUSH, 7);
    expect_state(&s, I4, TIME_FLUSH, 5);
    done(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tip_figures");
    TCase *tc = tcase_create("examples");
    tcase_add_test(tc, figure_4a_computing);
    tcase_add_test(tc, figure_4b_stalled);
    tcase_add_test(tc, figure_4c_flushed);
    tcase_add_test(tc, figure_4d_drained);
    tcase_add_test(tc, a_serialising_instruction_and_its_neighbours);
    tcase_add_test(tc, a_page_miss_on_a_load);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
