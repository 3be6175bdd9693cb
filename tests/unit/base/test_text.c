/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of others on a terminal and in errors. */
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "tests/unit/suite.h"

static const struct {
    const char *text, *printed;
} texts[] = {
    {"", ""},
    {"main+0x10 <a>", "main+0x10 <a>"},
    {"a\tb\nc\x1b[2J\x7f", "a?b?c?[2J?"},
    {"gr\xc3\xb6\xc3\x9f"
     "e \xe2\x82\xac \xf0\x9f\x99\x82",
     "gr\xc3\xb6\xc3\x9f"
     "e \xe2\x82\xac \xf0\x9f\x99\x82"},
    /* U+0080, U+009B (control sequence introducer), U+009F; U+00A0 is a space. */
    {"\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "???\xc2\xa0"},
    /* This text in ISO 8859-1, and other bytes that are not UTF-8: cut, overlong, surrogate, beyond U+10FFFF. */
    {"\x9b"
     "31m\xff",
     "?31m?"},
    {"a\xc3", "a?"},
    {"\xe2\x82", "??"},
    {"\xc0\xaf", "??"},
    {"\xe0\x80\xaf", "???"},
    {"\xed\xa0\x80", "???"},
    {"\xf4\x90\x80\x80", "????"},
    /* Separators of lines; directions of writing, which show a text in another order. */
    {"\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xae\xe2\x80\xaf", "\xe2\x80\xa7???\xe2\x80\xaf"},
    {"\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa", "\xe2\x81\xa5??\xe2\x81\xaa"},
};

START_TEST(texts_are_made_printable)
{
    char *copy = xstrdup(texts[_i].text);
    ck_assert_str_eq(text_make_printable(copy), texts[_i].printed);
    free(copy);
}
END_TEST

/* A tab stays; a character that the end cuts, and a NUL, do not. */
START_TEST(a_line_keeps_its_tabs)
{
    char *line = text_printable_line("\ta\x1b\0\xc3\xa9\xc2\x9b\xc3\xa9", 9);
    ck_assert_str_eq(line, "\ta??\xc3\xa9??");
    free(line);
}
END_TEST

START_TEST(an_error_is_one_line)
{
    struct errmsg err;
    ck_assert_int_eq(fail(&err, ST_INPUT, "%s: found %d", "a\n\x9b", 3), ST_INPUT);
    ck_assert_str_eq(err.text, "a??: found 3");
}
END_TEST

/* The file is named at the beginning, and what was found at the end. */
START_TEST(a_long_error_has_its_beginning_and_its_end)
{
    struct errmsg err;
    char *path = xmalloc(10001);
    memset(path, 'x', 10000);
    path[10000] = '\0';
    ck_assert_int_eq(fail(&err, ST_IO, "/%s: No such file or directory", path), ST_IO);
    ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
    ck_assert_int_eq(strncmp(err.text, "/xxx", 4), 0);
    ck_assert_ptr_nonnull(strstr(err.text, "xxx ... xxx"));
    ck_assert_str_eq(strchr(err.text, ':'), ": No such file or directory");
    path[sizeof err.text - 1] = '\0';
    ck_assert_int_eq(fail(&err, ST_IO, "%s", path), ST_IO);
    ck_assert_str_eq(err.text, path);
    free(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("text");
    TCase *t = tcase_create("text");
    tcase_add_loop_test(t, texts_are_made_printable, 0, sizeof texts / sizeof texts[0]);
    tcase_add_test(t, a_line_keeps_its_tabs);
    tcase_add_test(t, an_error_is_one_line);
    tcase_add_test(t, a_long_error_has_its_beginning_and_its_end);
    suite_add_tcase(s, t);
    return run_suite(s);
}
