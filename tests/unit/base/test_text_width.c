/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of texts, tables aligned by them, and texts that --width shortens. */
#include "base/text_width.h"

#include <string.h>

#include "tests/unit/rendered.h"
#include "tests/unit/suite.h"

static const struct {
    const char *text;
    size_t columns;
} texts[] = {
    {"", 0},
    {"abc", 3},
    {"\xc3\xa9", 1},                 /* U+00E9 */
    {"e\xcc\x81", 1},                /* e and a combining accent */
    {"\xf0\x9f\x9a\x80rocket", 8},   /* U+1F680 */
    {"\xe6\xbc\xa2\xe5\xad\x97", 4}, /* two ideographs */
    {"\xe2\x80\x8b", 0},             /* U+200B, zero width space */
    {"\xef\xbd\x81", 2},             /* U+FF41, full width */
    {"\xe1\x84\x80\xe1\x85\xa1", 2}, /* Hangul, an initial and a medial */
    {"\xff\xc3", 2},                 /* not UTF-8 */
    {"\x01", 1},
};

START_TEST(columns) { ck_assert_uint_eq(text_columns(texts[_i].text, strlen(texts[_i].text)), texts[_i].columns); }
END_TEST

START_TEST(beginnings_and_ends)
{
    static const char text[] = "a\xf0\x9f\x9a\x80"
                               "be\xcc\x81"; /* 1, 2, 1 and 1 columns */
    static const size_t beginning[] = {0, 1, 1, 5, 6, 9, 9}, end[] = {0, 3, 4, 4, 8, 9, 9};
    size_t bytes = sizeof text - 1;
    for (size_t n = 0; n < sizeof end / sizeof end[0]; n++) {
        ck_assert_uint_eq(text_beginning(text, bytes, n), beginning[n]);
        ck_assert_uint_eq(text_end(text, bytes, n), end[n]);
    }
    ck_assert_uint_eq(text_columns("\xf0\x9f\x9a\x80", 2), 2); /* cut: bytes that are not UTF-8 */
}
END_TEST

static void expect_view(const struct report *r, unsigned width, const char *want)
{
    char *text = rendered(r, REPORT_AS_text, &(struct report_view){.width = width});
    ck_assert_str_eq(text, want);
    free(text);
}

START_TEST(tables_are_aligned_by_columns)
{
    struct report *r = report_new();
    struct report_table *t = report_table(r, "t", NULL);
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "a", .title = "a"});
    report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "n", .title = "n"});
    const char *const name[] = {"main", "\xf0\x9f\x9a\x80rocket", "e\xcc\x81t\xc3\xa9"};
    for (unsigned n = 0; n < 3; n++) {
        report_row(t);
        report_cell_text(t, name[n]);
        report_cell_count(t, n);
    }
    expect_view(r, 0, "\na         n\nmain      0\n\xf0\x9f\x9a\x80rocket  1\ne\xcc\x81t\xc3\xa9       2\n");
    report_free(r);
}
END_TEST

static void find(void *ctx, struct report_place *p)
{
    (void)ctx;
    p->function = "a_function_with_a_long_name";
    p->offset = 0x68;
    p->file = "stl_algo.h";
    p->line = 1867;
}

/* Names are shortened, and not offsets and lines of the source; columns that are kept after the others. */
START_TEST(names_are_shortened)
{
    struct report *r = report_new();
    struct report_table *t = report_table(r, "t", NULL);
    report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "n", .title = "n"});
    report_column(t, &(struct report_column){.type = REPORT_ADDRESS, .title = "place"});
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "a", .title = "name"});
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "l", .title = "line", .kept = true});
    report_row(t);
    report_cell_count(t, 1);
    report_cell_address(t, 0x1000);
    report_cell_text(t, "another_name");
    report_cell_text(t, "predefined.h:1234");
    report_resolve(r, find, NULL);
    expect_view(r, 0,
                "\nn  place                                             name          line\n"
                "1  a_function_with_a_long_name+0x68 stl_algo.h:1867  another_name  predefined.h:1234\n");
    expect_view(r, 66,
                "\nn  place                           name          line\n"
                "1  a_func...+0x68 stl_algo.h:1867  another_name  predefined.h:1234\n");
    report_free(r);
}
END_TEST

static struct report *texts_report(void)
{
    static const char *const hostile[] = {"=1+1", "+1", "-1+cmd", "@sum", "-", "a=b", "\"=1\"", "=a,b"};
    struct report *r = report_new();
    struct report_table *t = report_table(r, "t", NULL);
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "a", .title = "a"});
    report_column(t, &(struct report_column){.type = REPORT_REAL, .member = "x", .title = "x"});
    for (size_t n = 0; n < sizeof hostile / sizeof hostile[0]; n++) {
        report_row(t);
        report_cell_text(t, hostile[n]);
        report_cell_real(t, -1.5);
    }
    return r;
}

START_TEST(csv_has_no_formulas)
{
    struct report *r = texts_report();
    char *text = rendered(r, REPORT_AS_csv, &(struct report_view){0});
    ck_assert_str_eq(text, "summary,key,value,unit,exact,low,high\n"
                           "t,a,x\n"
                           "t,\"'=1+1\",-1.5\n"
                           "t,\"'+1\",-1.5\n"
                           "t,\"'-1+cmd\",-1.5\n"
                           "t,\"'@sum\",-1.5\n"
                           "t,-,-1.5\n"
                           "t,a=b,-1.5\n"
                           "t,\"\"\"=1\"\"\",-1.5\n"
                           "t,\"'=a,b\",-1.5\n");
    free(text);
    report_free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("text_width");
    TCase *t = tcase_create("text_width");
    tcase_add_loop_test(t, columns, 0, sizeof texts / sizeof texts[0]);
    tcase_add_test(t, beginnings_and_ends);
    tcase_add_test(t, tables_are_aligned_by_columns);
    tcase_add_test(t, names_are_shortened);
    tcase_add_test(t, csv_has_no_formulas);
    suite_add_tcase(s, t);
    return run_suite(s);
}
