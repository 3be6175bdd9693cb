/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/place_text.h"

#include <string.h>

#include "tests/unit/suite.h"

static const struct {
    const char *text;
    enum status st;
    size_t name_length;
    uint64_t bytes;
} offsets[] = {
    {"main+4", ST_OK, 4, 4},
    {"main+0x1c", ST_OK, 4, 28},
    {"main+010", ST_OK, 4, 8},
    {"0x10000+4", ST_OK, 7, 4},
    {"a::operator++5", ST_OK, 12, 5}, /* of operator+ */
    {"f+18446744073709551615", ST_OK, 1, UINT64_MAX},
    {"f+18446744073709551616", ST_RANGE, 0, 0},
    {"f+0x10000000000000000", ST_RANGE, 0, 0},
    {"main", ST_INPUT, 0, 0},
    {"main+", ST_INPUT, 0, 0},
    {"main+x", ST_INPUT, 0, 0},
    {"main+-4", ST_INPUT, 0, 0},
    {"main+4x", ST_INPUT, 0, 0},
    {"main+ 4", ST_INPUT, 0, 0},
    {"+4", ST_INPUT, 0, 0},
    {"", ST_INPUT, 0, 0},
};

START_TEST(offset_is_split)
{
    size_t name_length = 0;
    uint64_t bytes = 0;
    ck_assert_int_eq(place_text_offset(offsets[_i].text, strlen(offsets[_i].text), &name_length, &bytes),
                     offsets[_i].st);
    if (offsets[_i].st != ST_OK)
        return;
    ck_assert_uint_eq(name_length, offsets[_i].name_length);
    ck_assert_uint_eq(bytes, offsets[_i].bytes);
}
END_TEST

/* What follows is no part of the text. */
START_TEST(length_ends_the_text)
{
    size_t length = 0;
    uint64_t bytes = 0;
    unsigned line = 0;
    ck_assert_int_eq(place_text_offset("main+12 if $sp+1", 7, &length, &bytes), ST_OK);
    ck_assert_uint_eq(bytes, 12);
    ck_assert_int_eq(place_text_offset("main+12", 6, &length, &bytes), ST_OK);
    ck_assert_uint_eq(bytes, 1);
    ck_assert(place_text_line("a.c:12 if x:3", 6, &length, &line));
    ck_assert_uint_eq(line, 12);
    ck_assert_uint_eq(length, 3);
}
END_TEST

static const struct {
    const char *text;
    bool is_line;
    size_t file_length;
    unsigned line;
} lines[] = {
    {"below.c:19", true, 7, 19},
    {"a:b/c.h:007", true, 7, 7},
    {":3", true, 0, 3},
    {"a.c:0", true, 3, 0},
    {"a.c:2147483647", true, 3, 2147483647},
    {"a.c:2147483648", false, 0, 0},
    {"a.c:99999999999999999999", false, 0, 0},
    {"a.c:", false, 0, 0},
    {"a.c:1x", false, 0, 0},
    {"a.c:-1", false, 0, 0},
    {"ns::f", false, 0, 0},
    {"main", false, 0, 0},
    {"", false, 0, 0},
};

START_TEST(line_is_split)
{
    size_t file_length = 0;
    unsigned line = 0;
    ck_assert_int_eq(place_text_line(lines[_i].text, strlen(lines[_i].text), &file_length, &line), lines[_i].is_line);
    if (!lines[_i].is_line)
        return;
    ck_assert_uint_eq(file_length, lines[_i].file_length);
    ck_assert_uint_eq(line, lines[_i].line);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("place text");
    TCase *t = tcase_create("splits");
    tcase_add_loop_test(t, offset_is_split, 0, (int)(sizeof offsets / sizeof offsets[0]));
    tcase_add_test(t, length_ends_the_text);
    tcase_add_loop_test(t, line_is_split, 0, (int)(sizeof lines / sizeof lines[0]));
    suite_add_tcase(s, t);
    return run_suite(s);
}
