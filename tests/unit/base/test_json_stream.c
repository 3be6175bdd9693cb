/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON that is written piece by piece: separators, lines, escapes, numbers. */
#include "base/json_stream.h"

#include <stdlib.h>

#include "base/status.h"
#include "tests/unit/suite.h"

static void fill(struct json_stream *s)
{
    json_stream_begin(s, NULL, '{');
    json_stream_text(s, "text", "a\"\\\n\x01\xc3\xa9");
    json_stream_line(s, 2);
    json_stream_begin(s, "list", '[');
    json_stream_count(s, NULL, UINT64_MAX);
    json_stream_integer(s, NULL, -1);
    json_stream_flag(s, NULL, true);
    json_stream_null(s, NULL);
    json_stream_text(s, NULL, NULL);
    json_stream_line(s, 0);
    json_stream_end(s, ']');
    json_stream_begin(s, "empty", '{');
    json_stream_end(s, '}');
    json_stream_real(s, "real", 1e-20);
    json_stream_real(s, "whole", -3);
    json_stream_decimals(s, "decimals", 2.0 / 3, 2);
    json_stream_digits(s, "digits", 123456789, 3);
    json_stream_end(s, '}');
}

static void expect(bool lines, const char *expected)
{
    char *text;
    size_t size;
    struct json_stream s = {.out = xopen_text(&text, &size), .lines = lines};
    fill(&s);
    xclose_text(s.out);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(on_few_lines)
{
    expect(false,
           "{\"text\": \"a\\\"\\\\\\n\\u0001\xc3\xa9\",\n  \"list\": [18446744073709551615, -1, true, null, null\n], "
           "\"empty\": {}, \"real\": 9.9999999999999995e-21, \"whole\": -3.0, \"decimals\": 0.67, "
           "\"digits\": 1.23e+08}");
}
END_TEST

START_TEST(on_a_line_each)
{
    expect(true,
           "{\n \"text\": \"a\\\"\\\\\\n\\u0001\xc3\xa9\",\n \"list\": [\n  18446744073709551615,\n  -1,\n  true,\n"
           "  null,\n  null\n ],\n \"empty\": {},\n \"real\": 9.9999999999999995e-21,\n \"whole\": -3.0,\n"
           " \"decimals\": 0.67,\n \"digits\": 1.23e+08\n}");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("json_stream");
    TCase *t = tcase_create("json_stream");
    tcase_add_test(t, on_few_lines);
    tcase_add_test(t, on_a_line_each);
    suite_add_tcase(s, t);
    return run_suite(s);
}
