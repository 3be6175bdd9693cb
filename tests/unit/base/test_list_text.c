/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists in text files. */
#include "base/list_text.h"

#include "tests/unit/suite.h"

START_TEST(elements_have_their_lines)
{
    char text[] = "first\n\n  # a comment\n\t second element \t# its comment\r\n \nlast";
    char *rest = text;
    unsigned line = 0;
    ck_assert_str_eq(list_text_next(&rest, &line), "first");
    ck_assert_uint_eq(line, 1);
    ck_assert_str_eq(list_text_next(&rest, &line), "second element");
    ck_assert_uint_eq(line, 4);
    ck_assert_str_eq(list_text_next(&rest, &line), "last");
    ck_assert_uint_eq(line, 6);
    ck_assert_ptr_null(list_text_next(&rest, &line));
    ck_assert_ptr_null(list_text_next(&rest, &line));
    ck_assert_uint_eq(line, 6);
}
END_TEST

START_TEST(a_text_without_elements_ends)
{
    static const char *const texts[] = {"", "\n", "#", " # x\n\n", "\t\n#"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[16], *rest = strcpy(text, texts[i]);
        unsigned line = 0;
        ck_assert_ptr_null(list_text_next(&rest, &line));
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("list_text");
    TCase *tc = tcase_create("list_text");
    tcase_add_test(tc, elements_have_their_lines);
    tcase_add_test(tc, a_text_without_elements_ends);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
