/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a profile of shared data, beside sets of bytes. */
#include "contract/sharingprof.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/unit/assertions.h"
#include "tests/unit/suite.h"

enum { LINE = 64, LINES = 4, ROWS = 12, HARTS = 3 };

static int compare_rows(const void *a, const void *b)
{
    const struct sharing_row *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

/* Random accesses that cross no line. */
static void make_rows(struct sharing_row row[ROWS], struct random *r)
{
    for (int n = 0; n < ROWS; n++) {
        const uint32_t bytes = 1u << random_below(r, 4);
        row[n] = (struct sharing_row){.address = (uint64_t)random_below(r, LINES * LINE / bytes) * bytes,
                                      .bytes = bytes,
                                      .hart = random_below(r, HARTS),
                                      .accesses = 1 + random_below(r, 100)};
    }
    qsort(row, ROWS, sizeof row[0], compare_rows);
}

/* What is known of each line by its bytes: the harts of each, as bits. */
struct expected {
    uint64_t accesses;
    unsigned harts, byte[LINE];
};

static void check_line(const struct sharing_line *l, const struct expected *e)
{
    bool same = false;
    for (int b = 0; b < LINE; b++)
        same |= __builtin_popcount(e->byte[b]) > 1;
    ck_assert_uint_eq(l->accesses, e->accesses);
    ck_assert_int_eq(l->is_known, __builtin_popcount(e->harts) > 1);
    ck_assert_int_eq(l->is_false, l->is_known && !same);
}

START_TEST(lines_are_false_if_no_byte_is_of_two_harts)
{
    struct random r = {.state = (uint64_t)_i + 1};
    for (int turn = 0; turn < 1000; turn++) {
        struct sharing_row row[ROWS];
        struct expected expected[LINES] = {{0}};
        struct sharing_line *line;
        const struct sharing_profile p = {.line_bytes = LINE, .row = row, .rows = ROWS};
        make_rows(row, &r);
        for (int n = 0; n < ROWS; n++) {
            struct expected *e = &expected[row[n].address / LINE];
            e->accesses += row[n].accesses;
            e->harts |= 1u << row[n].hart;
            for (uint32_t b = 0; b < row[n].bytes; b++)
                e->byte[row[n].address % LINE + b] |= 1u << row[n].hart;
        }
        const size_t lines = sharing_lines(&p, &line);
        for (size_t n = 0; n < lines; n++) {
            check_line(&line[n], &expected[line[n].address / LINE]);
            ck_assert(n == 0 || line[n - 1].accesses >= line[n].accesses);
            expected[line[n].address / LINE].accesses = 0;
        }
        for (int n = 0; n < LINES; n++)
            ck_assert_uint_eq(expected[n].accesses, 0);
        free(line);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sharing");
    TCase *t = tcase_create("sharing");
    tcase_add_loop_test(t, lines_are_false_if_no_byte_is_of_two_harts, 0, 3);
    suite_add_tcase(s, t);
    return run_suite(s);
}
