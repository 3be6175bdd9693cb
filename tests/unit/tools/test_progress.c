/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/progress.h"

#include "tests/unit/suite.h"
#include <stdlib.h>

static void expect(const struct progress *p, unsigned width, const char *line)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    progress_print(f, p, width);
    fclose(f);
    ck_assert_str_eq(text, line);
    free(text);
}

START_TEST(lines)
{
    struct progress p = {"run", "instructions", 12300000, 100000000, 5100000, 3};
    expect(&p, 0, "pcemu: run: 12.3 M of 100.0 M instructions (12 %), 5.1 M cycles, 4.1 M/s, 21 s left");
    p = (struct progress){"skip", "samples", 500, UINT64_MAX, 0, 0};
    expect(&p, 0, "pcemu: skip: 500 samples, 0/s");
    p = (struct progress){"run", "instructions", 1000000, 4001000000, 0, 1};
    expect(&p, 0, "pcemu: run: 1.0 M of 4.00 G instructions (0 %), 1.0 M/s, 1 h 07 min left");
    /* The last column of a terminal stays free. */
    expect(&p, 20, "pcemu: run: 1.0 M o");
    expect(&p, 68, "pcemu: run: 1.0 M of 4.00 G instructions (0 %), 1.0 M/s, 1 h 07 min");
    expect(&p, 1, "");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("progress");
    TCase *t = tcase_create("line");
    tcase_add_test(t, lines);
    suite_add_tcase(s, t);
    return run_suite(s);
}
