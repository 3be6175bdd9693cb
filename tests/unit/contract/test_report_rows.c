/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of tables are packed: what is read is what was added, in any order, and a row takes few bytes. */
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "contract/report_tree.h"
#include "tests/unit/suite.h"

enum { ROWS = 20000, COUNTS = 20 };

static struct report_table *declare(struct report *r)
{
    struct report_table *t = report_table(r, "t", NULL);
    report_column(t, &(struct report_column){.type = REPORT_ADDRESS, .title = "place"});
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "text"});
    report_column(t, &(struct report_column){.type = REPORT_REAL, .member = "real"});
    report_column(t, &(struct report_column){.type = REPORT_INTERVAL, .member = "interval"});
    report_column(t, &(struct report_column){.type = REPORT_FLAG, .member = "flag"});
    for (unsigned n = 0; n < COUNTS; n++)
        report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "count"});
    return t;
}

static double real_of(uint64_t row)
{
    static const double reals[] = {0, -0.0, 1, -1, 0.1, 1e300, -1e-300, 0x1p52, 0x1p52 - 1, 4503599627370497.0};
    return reals[row % (sizeof reals / sizeof reals[0])];
}

static void add_row(struct report_table *t, uint64_t row)
{
    static const char *const texts[] = {"", "add a5,a5,4", "\xe2\x82\xac"};
    report_row(t);
    report_cell_address(t, 0x10000 + 2 * row);
    report_cell_text(t, row % 4 == 3 ? NULL : texts[row % 4]);
    report_cell_real(t, real_of(row));
    report_cell_interval(t, real_of(row), real_of(row + 1));
    report_cell_flag(t, row % 2 != 0);
    for (unsigned n = 0; n < COUNTS; n++)
        if (n == 7)
            report_cell_absent(t);
        else
            report_cell_count(t, n == 3 ? UINT64_MAX - row : row % (n + 1));
}

static void find(void *ctx, struct report_place *p)
{
    (void)ctx;
    p->function = p->pc % 4 == 0 ? "even" : "odd\n";
    p->offset = p->pc - 0x10000;
    p->file = "a.c";
    p->line = (int)(p->pc & 1023) - 1;
    p->address = p->pc - 0x8000;
}

static void expect_row(const struct report_table *t, size_t at, uint64_t row, bool is_resolved)
{
    const struct report_cell *c = report_cell_at(t, at, 0);
    ck_assert_int_eq(c->type, REPORT_ADDRESS);
    ck_assert_uint_eq(c->place->pc, 0x10000 + 2 * row);
    ck_assert_uint_eq(c->place->address, c->place->pc - (is_resolved ? 0x8000 : 0));
    if (is_resolved) {
        ck_assert_str_eq(c->place->function, row % 2 == 0 ? "even" : "odd?");
        ck_assert_int_eq(c->place->line, (int)(c->place->pc & 1023) - 1);
    }
    ck_assert_int_eq(report_cell_at(t, at, 1)->type, row % 4 == 3 ? REPORT_ABSENT : REPORT_TEXT);
    double real = report_cell_at(t, at, 2)->real, *interval = report_cell_at(t, at, 3)->interval;
    ck_assert(real == real_of(row) && signbit(real) == signbit(real_of(row)));
    ck_assert(interval[0] == real_of(row) && interval[1] == real_of(row + 1));
    ck_assert(report_cell_at(t, at, 4)->flag == (row % 2 != 0));
    ck_assert_uint_eq(report_cell_at(t, at, 5 + 3)->count, UINT64_MAX - row);
    ck_assert_uint_eq(report_cell_at(t, at, 5 + 19)->count, row % 20);
    ck_assert_int_eq(report_cell_at(t, at, 5 + 7)->type, REPORT_ABSENT);
}

static void expect_all(const struct report_table *t, bool is_resolved)
{
    for (size_t row = 0; row < t->rows; row++)
        expect_row(t, row, row, is_resolved);
    for (size_t n = 0, row = 0; n < 1000; n++, row = (row * 7919 + 13) % t->rows)
        expect_row(t, row, row, is_resolved);
}

START_TEST(rows_are_what_was_added)
{
    struct report *r = report_new();
    struct report_table *t = declare(r);
    ck_assert(!report_has_absent(t, 12));
    for (uint64_t row = 0; row < ROWS; row++)
        add_row(t, row);
    expect_all(t, false);
    ck_assert(report_has_absent(t, 12) && report_has_absent(t, 1) && !report_has_absent(t, 2));
    report_resolve(r, find, NULL);
    expect_all(t, true);
    report_free(r);
}
END_TEST

START_TEST(rows_in_another_order)
{
    struct report *r = report_new();
    struct report_table *t = declare(r);
    size_t *order = xcalloc(ROWS, sizeof *order);
    for (uint64_t row = 0; row < ROWS; row++) {
        add_row(t, row);
        order[row] = ROWS - 1 - row;
    }
    report_rows_order(t, order);
    for (size_t row = 0; row < ROWS; row++)
        expect_row(t, row, ROWS - 1 - row, false);
    report_rows_order(t, order);
    expect_all(t, false);
    ck_assert(!report_has_absent(t, 2));
    report_rows_order(t, order);
    report_resolve(r, find, NULL);
    for (size_t row = 0; row < ROWS; row++)
        expect_row(t, row, ROWS - 1 - row, true);
    free(order);
    report_free(r);
}
END_TEST

/* 25 cells of a row took 400 bytes, and each text, place and interval a block of its own. */
START_TEST(rows_take_few_bytes)
{
    struct report *r = report_new();
    struct report_table *t = declare(r);
    struct mallinfo2 before = mallinfo2();
    for (uint64_t row = 0; row < ROWS; row++)
        add_row(t, row);
    report_resolve(r, find, NULL);
    struct mallinfo2 after = mallinfo2();
    ck_assert_uint_lt((after.uordblks + after.hblkhd - before.uordblks - before.hblkhd) / ROWS, 120);
    report_free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("report_rows");
    TCase *t = tcase_create("report_rows");
    tcase_add_test(t, rows_are_what_was_added);
    tcase_add_test(t, rows_in_another_order);
    tcase_add_test(t, rows_take_few_bytes);
    suite_add_tcase(s, t);
    return run_suite(s);
}
