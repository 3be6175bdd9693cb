/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's results from profiles of time: basic blocks, sums, errors and the report. */
#include "host/family/time_confidence.h"
#include "host/family/time_report.h"
#include "host/family/time_score.h"
#include "tests/unit/rendered.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */
#include <stdlib.h>
#include <string.h>

/* 0x100 to 0x10c, a branch to 0x104 at the end; 0x110 behind it; 0x200 elsewhere, which jumps to 0x10c. */
static bool describe(void *ctx, uint64_t pc, struct code_insn *out)
{
    (void)ctx;
    *out = (struct code_insn){.length_bytes = 4, .kind = pc == 0x10c || pc == 0x200 ? CODE_JUMP : CODE_PLAIN};
    out->target = pc == 0x10c ? 0x104 : pc == 0x200 ? 0x10c : 0;
    snprintf(out->text, sizeof out->text, "insn %x", (unsigned)pc);
    return pc != 0;
}

static const struct code code = {.describe = describe};

static const struct time_row exact_rows[] = {
    {0x100, {[TIME_EXECUTE] = 10}}, {0x104, {[TIME_EXECUTE] = 10, [TIME_STALL_LOAD] = 30}},
    {0x108, {[TIME_EXECUTE] = 10}}, {0x10c, {[TIME_EXECUTE] = 10, [TIME_MISPREDICT] = 10}},
    {0x110, {[TIME_EXECUTE] = 10}}, {0x200, {[TIME_EXECUTE] = 5, [TIME_FRONTEND] = 5}},
};
/* The load's time is its neighbour's in the block; the branch's is its successor's. */
static const struct time_row other_rows[] = {
    {0x100, {20}},
    {0x108, {80}},
    {0x110, {80}},
    {0x200, {20}},
};
static const struct time_profile profiles[] = {
    {.label = "other", .samples = 7, .lost = 1, .time = 200, .row = other_rows, .rows = 4},
    {.label = "oracle", .exact = true, .by_category = true, .time = 100, .row = exact_rows, .rows = 6},
};

START_TEST(blocks_begin_where_control_arrives)
{
    static const uint64_t starts[] = {0x100, 0x104, 0x10c, 0x110, 0x200};
    struct time_blocks b;
    size_t count;
    time_blocks_init(&b, &profiles[1], &code, NULL);
    struct time_sum *sums = time_sums(&profiles[1], LEVEL_BLOCK, &b, NULL, &count);
    ck_assert_uint_eq(count, 5);
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(sums[i].key, starts[i]);
    ck_assert_uint_eq(sums[1].time, 50);
    free(sums);
    time_blocks_fini(&b);
}
END_TEST

/* Shares, %: exact 10 40 10 20 10 10; other 10 0 40 0 40 10. */
START_TEST(error_is_the_time_of_the_wrong_symbols)
{
    struct time_blocks b;
    time_blocks_init(&b, &profiles[1], &code, NULL);
    ck_assert_double_eq_tol(time_error(&profiles[0], &profiles[1], LEVEL_INSTRUCTION, &b, NULL), 0.60, 1e-12);
    ck_assert_double_eq_tol(time_error(&profiles[0], &profiles[1], LEVEL_BLOCK, &b, NULL), 0.30, 1e-12);
    ck_assert_double_eq_tol(time_error(&profiles[0], &profiles[1], LEVEL_FUNCTION, &b, NULL), 0, 1e-12);
    ck_assert_double_eq_tol(time_error(&profiles[1], &profiles[1], LEVEL_INSTRUCTION, &b, NULL), 0, 1e-12);
    struct time_profile nothing = {.label = "nothing"};
    ck_assert_double_eq(time_error(&nothing, &profiles[1], LEVEL_INSTRUCTION, &b, NULL), 1);
    time_blocks_fini(&b);
}
END_TEST

static char *report(enum report_form form, unsigned count)
{
    struct time_result result = {.profile = profiles, .profiles = count, .cycles = 100, .code = code};
    struct report *r = report_new();
    time_report(&result, NULL, r);
    char *text = rendered(r, form, &(struct report_view){.top = 2});
    report_free(r);
    return text;
}

/* Does a line of the text consist of these words? However wide the columns are. */
static bool has_line(const char *text, const char *words)
{
    char line[256];
    size_t n = 0;
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            line[n] = '\0';
            if (strcmp(line, words) == 0)
                return true;
            n = 0;
        } else if ((*text != ' ' || (n > 0 && line[n - 1] != ' ')) && n + 1 < sizeof line) {
            line[n++] = *text;
        }
    }
    return false;
}

START_TEST(text_has_the_largest_first)
{
    char *text = report(REPORT_AS_text, 2);
    ck_assert(has_line(text, "other 7 1 60.00 30.00 0.00 0"));
    ck_assert(has_line(text, "load stall 0 30.00"));
    ck_assert(has_line(text, "Instructions by time, 2 of 6; % of the cycles"));
    char *first = strstr(text, "load stall  insn 104"), *second = strstr(text, "insn 10c");
    ck_assert(first != NULL && second > first);
    ck_assert(has_line(text, "0.00 20.00 execute insn 10c 0x10c"));
    free(text);
}
END_TEST

START_TEST(without_an_exact_profile_there_are_no_errors)
{
    char *text = report(REPORT_AS_text, 1);
    ck_assert(has_line(text, "other 7 1 - - - 0"));
    ck_assert_ptr_null(strstr(text, "load stall"));
    free(text);
}
END_TEST

START_TEST(json_has_all)
{
    char *text = report(REPORT_AS_json, 2);
    json_error_t error;
    json_t *root = json_loads(text, 0, &error), *time = json_object_get(root, "time");
    ck_assert_msg(root != NULL, "%s", error.text);
    ck_assert_int_eq(json_integer_value(json_object_get(time, "per_cycle")), 840);
    ck_assert_uint_eq(json_array_size(json_object_get(time, "instructions")), 6);
    json_t *load = json_array_get(json_object_get(time, "instructions"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(load, "pc")), "0x104");
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(load, "categories"), "load stall")), 30);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(load, "time"), "oracle")), 40);
    ck_assert_ptr_null(json_object_get(json_array_get(json_object_get(time, "profilers"), 1), "error"));
    json_decref(root);
    free(text);
}
END_TEST

/* Two profiles that differ in their seed: errors 0.60 and 0, mean 0.30, deviation 0.6 / sqrt 2, half of the interval
 * 12.7062 * 0.3. Of 100 samples, 40 and 20 are enough to rank
 * an instruction, 10 are not. */
START_TEST(seeds_have_a_mean_and_an_interval)
{
    struct time_profile p[] = {profiles[0], profiles[1], profiles[1]};
    p[0].label = "tip:seed=1:random";
    p[1].label = "oracle";
    p[2].label = "tip:seed=22:random";
    p[2].exact = false;
    p[2].samples = 100;
    struct time_result result = {.profile = p, .profiles = 3, .cycles = 100, .code = code};
    struct report *r = report_new();
    time_report(&result, NULL, r);
    json_t *root = rendered_json(r), *time = json_object_get(root, "time");
    json_t *seeds = json_object_get(time, "seeds"), *first = json_array_get(seeds, 0);
    ck_assert_uint_eq(json_array_size(seeds), 1);
    ck_assert_str_eq(json_string_value(json_object_get(first, "profiler")), "tip:random");
    ck_assert_int_eq(json_integer_value(json_object_get(first, "seeds")), 2);
    ck_assert_double_eq_tol(json_number_value(json_object_get(json_object_get(first, "error"), "instruction")), 0.30,
                            1e-12);
    json_t *bounds = json_object_get(json_object_get(first, "interval"), "instruction");
    ck_assert_double_eq_tol(json_number_value(json_array_get(bounds, 0)), 0, 1e-12);
    ck_assert_double_eq_tol(json_number_value(json_array_get(bounds, 1)), 1, 1e-12);
    struct time_ranked ranked = time_ranked(&p[2]);
    ck_assert_uint_eq(ranked.instructions, 2);
    ck_assert_double_eq_tol(ranked.share, 0.6, 1e-12);
    p[2].samples = 160;
    ck_assert_uint_eq(time_ranked(&p[2]).instructions, 6);
    json_decref(root);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("prof_score");
    TCase *tc = tcase_create("score");
    tcase_add_test(tc, blocks_begin_where_control_arrives);
    tcase_add_test(tc, error_is_the_time_of_the_wrong_symbols);
    tcase_add_test(tc, text_has_the_largest_first);
    tcase_add_test(tc, without_an_exact_profile_there_are_no_errors);
    tcase_add_test(tc, json_has_all);
    tcase_add_test(tc, seeds_have_a_mean_and_an_interval);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
