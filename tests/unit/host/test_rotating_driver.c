/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver that lets parts of the instructions pass in turn, against a fake bus: when a visit ends, which part comes
 * next, and how counts are scaled. */
#include <jansson.h>
#include <stdlib.h>

#include "host/driver/driver.h"
#include "isa/pchash.h"
#include "tests/unit/fake_host.h"
#include "tests/unit/rendered.h"

/* Last: it defines the word fail. */
#include "tests/unit/suite.h"

static struct fake *fake;
static struct image image;
static struct driver *driver;
static const struct host_cost cost = {.entry = 10, .exit = 10, .bus_read = 1, .bus_write = 1};

/* loads[8] {key: pc, n: count}; two parts, by the low bit of the address' bits 32:1. */
static void setup(void)
{
    fake = fake_new(16, 16);
    image_init(&image);
    image.cam_entries = image.data_rows = 16;
    image.words = 4;
    image.filter1_mask = 1;
    image.params = 1;
    image.param[0] = (struct image_param){.name = "budget", .value = 1};
    image.layouts = 1;
    fake_init_layout(&image.layout[0], "loads", 8);
    image.layout[0].key = FORMAT_PC;
    fake_add_member(&image.layout[0], "n", LANE_D, FORMAT_COUNT);
    const struct driver_env env = {.bus = &fake->bus, .image = &image, .cost = &cost};
    struct errmsg err;
    ck_assert_msg(driver_new(&driver, &env, &err) == ST_OK, "%s", err.text);
}

static void teardown(void)
{
    driver_free(driver);
    free(fake);
}

static unsigned part_passing(void) { return *fake_at(fake, BUS_FILTER1) >> 16 & 0xffff; }

/* The timer comes first when the run begins. The first handler is expected to find the 8 slots in use, 8 * 1 + 20
 * cycles; then the mean is known. A visit ends when the handlers, with the one of this visit, take one cycle in 1024.
 */
START_TEST(visits_within_the_budget)
{
    ck_assert(driver_wants_timer(driver, 5000));
    driver_timer(driver, 5000, 5000);
    ck_assert_uint_eq(part_passing(), 0);
    ck_assert(!driver_wants_timer(driver, 5000 + 28 * 1024 - 1));
    ck_assert(driver_wants_timer(driver, 5000 + 28 * 1024));
    const uint64_t spent = driver_timer(driver, 25000, 25000) - 25000;
    ck_assert_uint_gt(spent, 20);
    ck_assert_uint_eq(part_passing(), 1);
    ck_assert_uint_eq(*fake_at(fake, BUS_FILTER1) & 0xffff, 1);
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    ck_assert(!driver_wants_timer(driver, 5000 + 2 * spent * 1024 - 1));
    ck_assert(driver_wants_timer(driver, 5000 + 2 * spent * 1024));
    driver_timer(driver, 200000, 200000);
    ck_assert_uint_eq(part_passing(), 0); /* all parts were visited */
}
END_TEST

/* 300 eligible instructions in the visit of part 0, 100 in that of part 1: their counts stand for 4/3 and for 4. An
 * interrupt of the program ends a visit, too. */
START_TEST(scaled_by_part)
{
    driver_timer(driver, 0, 0);
    fake_put_slot(fake, 0, 0x100, 30, true);
    *fake_at(fake, BUS_ELIGIBLE) = 300;
    fake_stop(fake, 3, 30);
    driver_interrupt(driver, 1000, 1000);
    ck_assert_uint_eq(part_passing(), 1);
    fake_put_slot(fake, 0, 0x101, 10, true);
    *fake_at(fake, BUS_ELIGIBLE) = 400;
    *fake_at(fake, BUS_PROCESSED) = 40;
    *fake_at(fake, BUS_DELIVERED) = 40;
    driver_finish(driver, 2000);
    struct program_profile *p = driver_profile(driver);
    ck_assert_uint_eq(p->table[0].rows, 2);
    ck_assert_double_eq_tol(p->table[0].row[0].number[0].estimate, 40, 1e-12);
    ck_assert_double_eq_tol(p->table[0].row[1].number[0].estimate, 40, 1e-12);
    ck_assert_double_eq_tol(p->table[0].scale.thinned, 2, 1e-12);
    struct report *r = report_new();
    driver_report(driver, p, &(struct run_facts){.guest = "guest"}, r);
    program_profile_free(p);
    json_t *j = rendered_json(r);
    ck_assert_int_eq(json_integer_value(json_object_get(j, "parts_visited")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(j, "part_visits")), 2);
    json_decref(j);
}
END_TEST

/* A mask that is no power of two less 1 has no parts to rotate; a budget of 0 keeps the part. */
START_TEST(one_part)
{
    const struct driver_env env = {.bus = &fake->bus, .image = &image, .cost = &cost};
    struct errmsg err;
    driver_free(driver);
    image.filter1_mask = 5;
    ck_assert_int_eq(driver_new(&driver, &env, &err), ST_FORMAT);
    ck_assert_msg(strstr(err.text, "mask 0x5, expected a power of two less 1") != NULL, "%s", err.text);
    image.filter1_mask = 1;
    image.param[0].value = 0;
    ck_assert_int_eq(driver_new(&driver, &env, &err), ST_OK);
    ck_assert(!driver_wants_timer(driver, 1000000000));
    fake_stop(fake, 3, 30);
    driver_interrupt(driver, 1000, 1000);
    ck_assert_uint_eq(part_passing(), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host rotating driver");
    TCase *t = tcase_create("driver");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, visits_within_the_budget);
    tcase_add_test(t, scaled_by_part);
    tcase_add_test(t, one_part);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
