/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pace of programs with a gate: the width of the gate's register, as the budget of the handlers requires. */
#include "host/driver/pace.h"
#include "tests/unit/fake_host.h"

/* Last: it defines the word fail. */
#include "tests/unit/suite.h"

static struct fake *fake;
static struct image image;
static struct pace pace;
static struct driver_env env;

/* i2, of 6 bits, is the gate; i1 saturates. Handlers may take 10 of 1024 cycles. */
static void setup(void)
{
    struct errmsg err;
    fake = fake_new(16, 16);
    image_init(&image);
    image.gate = 2;
    image.index_width[2] = 6;
    image.index_saturates[1] = 1;
    image.params = 1;
    image.param[0] = (struct image_param){.name = "budget", .value = 10};
    env = (struct driver_env){.bus = &fake->bus, .image = &image};
    ck_assert_int_eq(pace_init(&pace, &image, &err), ST_OK);
}

static void teardown(void) { free(fake); }

/* The register of all registers' widths, with that of i2. */
static uint64_t widths(unsigned gate) { return UINT64_C(0x1010101010009010) | (uint64_t)(0x40 | gate) << 16; }

/* A handler of 100 cycles may come every 10,240 cycles; this one came after 2,000. With twice the pauses the next comes
 * 4,000 cycles later, with four times 8,000. */
START_TEST(longer_pauses)
{
    pace_set(&pace, &env, 2000, 100);
    ck_assert_uint_eq(pace.width, 8);
    ck_assert_uint_eq(*fake_at(fake, BUS_WIDTHS), widths(8));
}
END_TEST

/* Behind it they come late: 100,000 cycles may have ten handlers of 100 cycles. */
START_TEST(shorter_pauses)
{
    pace_set(&pace, &env, 2000, 100);
    pace_set(&pace, &env, 100000, 100);
    ck_assert_uint_eq(pace.width, 7);
    pace_set(&pace, &env, 200000, 100);
    pace_set(&pace, &env, 300000, 100);
    ck_assert_uint_eq(pace.width, 6); /* not below that of the program */
    ck_assert_uint_eq(*fake_at(fake, BUS_WIDTHS), widths(6));
}
END_TEST

START_TEST(no_more_than_16_bits)
{
    pace_set(&pace, &env, 10, 1000000);
    ck_assert_uint_eq(pace.width, 16);
}
END_TEST

/* Without the parameter, or with 0, the width is the program's. */
START_TEST(no_budget)
{
    struct errmsg err;
    image.params = 0;
    ck_assert_int_eq(pace_init(&pace, &image, &err), ST_OK);
    fake_mark(fake);
    pace_set(&pace, &env, 10, 1000000);
    ck_assert_uint_eq(fake->writes, 0);
}
END_TEST

START_TEST(budget_too_large)
{
    struct errmsg err;
    image.param[0].value = 1025;
    ck_assert_int_eq(pace_init(&pace, &image, &err), ST_INPUT);
    ck_assert_msg(strstr(err.text, "parameter budget is 1025, expected 0 to 1024") != NULL, "%s", err.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host pace");
    TCase *t = tcase_create("pace");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, longer_pauses);
    tcase_add_test(t, shorter_pauses);
    tcase_add_test(t, no_more_than_16_bits);
    tcase_add_test(t, no_budget);
    tcase_add_test(t, budget_too_large);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
