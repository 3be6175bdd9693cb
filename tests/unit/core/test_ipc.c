/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observer ipc on hand-written commit tokens. */
#include <math.h>

#include "core-model/prof/observer.h"
#include "tests/unit/rendered.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

static struct observer *observer_of(uint64_t window)
{
    return observer_ipc.create(&observer_ipc, &(struct observer_setup){.option = {window}});
}

static void commit(struct observer *o, uint64_t cycle, uint64_t repeat, uint8_t committing)
{
    o->probe.token(o, &(struct probe_token){.cycle = cycle, .repeat = repeat, .committing = committing, .banks = 4});
}

/* The one element of the list, the caller's to release with the root. */
static json_t *element(const struct observer *o, json_t **root)
{
    struct report *r = report_new();
    observer_ipc.report(o, r);
    *root = rendered_json(r);
    return json_array_get(json_object_get(*root, "ipc"), 0);
}

static void expect_real(const json_t *e, const char *key, double value)
{
    ck_assert_double_eq_tol(json_real_value(json_object_get(e, key)), value, 1e-9);
}

/* Windows of 2 cycles from cycle 10 on: 4, 0, 0, 0, 2 retired, and one that the run ends in. */
START_TEST(windows_of_two)
{
    struct observer *o = observer_of(2);
    json_t *root;
    commit(o, 10, 1, 3);
    commit(o, 11, 1, 1);
    commit(o, 12, 5, 0);
    commit(o, 17, 2, 0);
    commit(o, 19, 1, 2);
    commit(o, 20, 1, 4);
    json_t *e = element(o, &root), *h = json_object_get(e, "histogram");
    ck_assert_int_eq(json_integer_value(json_object_get(e, "windows")), 5);
    expect_real(e, "mean", 6.0 / 10);
    /* weighted: (4 * 4 + 2 * 2) / 6 instructions of a window; squares (64 + 8) / 6 */
    expect_real(e, "weighted_mean", 20.0 / 6 / 2);
    expect_real(e, "weighted_deviation", sqrt(72.0 / 6 - 400.0 / 36) / (20.0 / 6));
    expect_real(e, "low", 1);
    expect_real(e, "high", 2);
    expect_real(e, "ratio", 2);
    ck_assert_uint_eq(json_array_size(h), 3);
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(h, 0), "windows")), 3);
    json_decref(root);
    observer_release(o);
}
END_TEST

/* Without a whole window there is no mean. */
START_TEST(no_window)
{
    struct observer *o = observer_of(30);
    json_t *root;
    commit(o, 0, 1, 4);
    json_t *e = element(o, &root);
    ck_assert_int_eq(json_integer_value(json_object_get(e, "windows")), 0);
    ck_assert(json_is_null(json_object_get(e, "mean")));
    ck_assert(json_is_null(json_object_get(e, "ratio")));
    json_decref(root);
    observer_release(o);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ipc");
    TCase *t = tcase_create("ipc");
    tcase_add_test(t, windows_of_two);
    tcase_add_test(t, no_window);
    suite_add_tcase(s, t);
    return run_suite(s);
}
