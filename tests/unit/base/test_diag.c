/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The form of diagnostics: with and without a place, a line and colours. */
#include "base/diag.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"

#define TEXT "first\r\nsecond line\nlast"
static const struct diag_source source = {.name = "x.pasm", .text = TEXT, .size_bytes = sizeof TEXT - 1};

/* An error at a place, as it is printed. */
static void expect(struct diag_loc loc, bool color, const char *expected)
{
    char *said;
    size_t bytes;
    struct diag d;
    FILE *out = open_memstream(&said, &bytes);
    diag_init(&d, out);
    ck_assert(!d.color); /* the stream is no terminal */
    d.color = color;
    diag_error(&d, loc, "no");
    fclose(out);
    ck_assert_str_eq(said, expected);
    free(said);
}

START_TEST(places)
{
    const struct diag_source *s = &source;
    expect((struct diag_loc){0}, false, "error: no\n");
    expect((struct diag_loc){.source = s}, false, "x.pasm: error: no\n");
    expect((struct diag_loc){.source = s, .line = 1, .column = 2, .end_column = 4}, false,
           "x.pasm:1:2: error: no\n    1 | first\n      |  ^~\n");
    expect((struct diag_loc){.source = s, .line = 2, .column = 8}, false,
           "x.pasm:2:8: error: no\n    2 | second line\n      |        ^\n");
    expect((struct diag_loc){.source = s, .line = 3, .column = 1, .end_column = 99}, false,
           "x.pasm:3:1: error: no\n    3 | last\n      | ^~~~\n");
    expect((struct diag_loc){.source = s, .line = 3}, false, "x.pasm:3:0: error: no\n    3 | last\n      | ^\n");
    expect((struct diag_loc){.source = s, .line = 9, .column = 1}, false,
           "x.pasm:9:1: error: no\n    9 | \n      | ^\n");
}
END_TEST

START_TEST(colours)
{
    expect((struct diag_loc){.source = &source, .line = 1, .column = 1, .end_column = 6}, true,
           "x.pasm:1:1: \033[1;31merror:\033[m no\n    1 | first\n      | \033[1;31m^~~~~\033[m\n");
}
END_TEST

/* The first error of what was said, or all of it. */
START_TEST(one_line)
{
    struct errmsg err;
    ck_assert_int_eq(diag_fail("x:1:1: error: no\nx:2:1: error: never\n", "-D", &err), ST_INPUT);
    ck_assert_str_eq(err.text, "-D: no");
    ck_assert_int_eq(diag_fail("nothing\n", "-D", &err), ST_INPUT);
    ck_assert_str_eq(err.text, "-D: nothing");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("diag");
    TCase *t = tcase_create("form");
    tcase_add_test(t, places);
    tcase_add_test(t, colours);
    tcase_add_test(t, one_line);
    suite_add_tcase(s, t);
    return run_suite(s);
}
