/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of the value profile against a fake bus with slots filled in by hand. */
#include <math.h>
#include <stdlib.h>

#include "host/driver/driver.h"
#include "isa/pchash.h"
#include "isa/sample.h"
#include "tests/unit/fake_host.h"

/* Last: it defines the word fail. */
#include "tests/unit/suite.h"

enum { SLOTS = 64, WORD_FULL = 20, ADMIT = 1, FEW = 2, RSLOT = 1, CHANCE = 4096, VISIT = 700000, PAUSE = 1000000 };

static struct fake *fake;
static struct image image;
static struct driver *driver;
static struct host_cost cost;

static void make_image(void)
{
    struct image_layout *l = &image.layout[0];
    image_init(&image);
    snprintf(image.name, IMAGE_NAME, "value");
    image.cam_entries = image.data_rows = SLOTS;
    image.words = WORD_FULL + 1;
    snprintf(image.index_name[RSLOT], IMAGE_NAME, "rslot");
    snprintf(image.const_name[ADMIT], IMAGE_NAME, "admit");
    image.constant[ADMIT] = CHANCE;
    snprintf(image.const_name[FEW], IMAGE_NAME, "few");
    image.constant[FEW] = 3;
    snprintf(image.param[0].name, IMAGE_NAME, "budget");
    image.param[0].value = 1024; /* a cycle for each load */
    snprintf(image.param[1].name, IMAGE_NAME, "settled");
    image.param[1].value = 5;
    image.params = 2;
    image.layouts = 1;
    fake_init_layout(l, "slots", SLOTS);
    l->key = FORMAT_PC;
    fake_add_member(l, "value", LANE_W0, FORMAT_HEX);
    fake_add_member(l, "hit", LANE_B4, FORMAT_COUNT);
    fake_add_member(l, "miss", LANE_B5, FORMAT_COUNT);
    fake_add_member(l, "total", LANE_H3, FORMAT_COUNT);
}

static enum status make_driver(struct errmsg *err)
{
    const struct driver_env env = {.bus = &fake->bus, .image = &image, .cost = &cost};
    return driver_new(&driver, &env, err);
}

static void setup(void)
{
    fake = fake_new(SLOTS, SLOTS);
    cost = (struct host_cost){.entry = 100};
    make_image();
    ck_assert_int_eq(make_driver(NULL), ST_OK);
    ck_assert_uint_eq(driver_timer(driver, 0, 0), 100); /* the run begins */
    fake_mark(fake);
}

static void teardown(void)
{
    driver_free(driver);
    free(fake);
}

/* `loads` have retired, a third of those that the filters have seen; two thirds of all are not masked. */
static void offer(uint64_t loads)
{
    *fake_at(fake, BUS_OFFERED) = 60 * loads;
    *fake_at(fake, BUS_FILTERED) = 58 * loads;
    *fake_at(fake, BUS_ELIGIBLE) = 3 * loads;
    *fake_at(fake, BUS_DELIVERED) = 2 * loads / 3;
}

/* Fills `n` slots with these samples, of loads from `key` on. */
static void fill(unsigned n, uint32_t key, unsigned total)
{
    for (unsigned i = 0; i < n; i++)
        fake_put_slot(fake, i, key + i, (uint64_t)7 | (uint64_t)total << 32 | (uint64_t)total << 48, true);
    *fake_at(fake, BUS_INDEXES) = (uint64_t)n % SLOTS << 16 * RSLOT;
}

static void interrupt(uint64_t cycle)
{
    *fake_at(fake, BUS_STATUS) = BUS_INTERRUPT | WORD_FULL << 8;
    driver_interrupt(driver, cycle, cycle);
}

static bool is_masked(uint32_t key)
{
    unsigned function = *fake_at(fake, BUS_FILTER2) & 3;
    uint32_t bit = pchash_filter2(function, key, FILTER2_BITS);
    return (*fake_at(fake, BUS_MASKED + 8 * (bit / 64)) >> bit % 64 & 1) != 0;
}

START_TEST(masks_loads_with_enough_samples)
{
    offer(1000000);
    fill(SLOTS, 100, 16);
    fake_put_slot(fake, 3, 103, (uint64_t)7 | (uint64_t)8 << 32 | (uint64_t)8 << 48, true);
    interrupt(5000);
    ck_assert(is_masked(100));
    ck_assert(!is_masked(103)); /* the square root of 8 is below 3 */
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    ck_assert_uint_eq(*fake_at(fake, BUS_DATA), 0);
    ck_assert_uint_eq(*fake_at(fake, BUS_INDEXES), 0);
    fill(4, 100, 3); /* with 3 more they are enough */
    interrupt(9000);
    ck_assert(is_masked(103));
}
END_TEST

START_TEST(a_load_with_other_values_needs_twice_the_samples)
{
    offer(1000000);
    fill(SLOTS, 100, 16);
    fake_put_slot(fake, 3, 103, (uint64_t)7 | (uint64_t)7 << 32 | (uint64_t)9 << 40 | (uint64_t)16 << 48, true);
    fake_put_slot(fake, 4, 104, (uint64_t)7 | (uint64_t)8 << 32 | (uint64_t)8 << 40 | (uint64_t)16 << 48, true);
    fake_put_slot(fake, 5, 105, (uint64_t)7 | (uint64_t)16 << 32 | (uint64_t)20 << 40 | (uint64_t)36 << 48, true);
    interrupt(5000);
    ck_assert(!is_masked(103));                  /* 7 of 16, with a weight of 4 */
    ck_assert(is_masked(104) && is_masked(105)); /* 8 of 16; 16 of 36, with a weight of 6 */
}
END_TEST

/* Two loads with the same bit by one hash function have different ones by the next. */
START_TEST(each_visit_has_another_hash_function)
{
    offer(1000000);
    for (unsigned n = 1; n < 6; n++) {
        fill(4, 100, 16);
        interrupt(5000 * n);
        ck_assert_uint_eq(*fake_at(fake, BUS_FILTER2), n % PCHASH_COUNT);
        ck_assert(is_masked(100) && is_masked(103));
    }
}
END_TEST

START_TEST(a_visit_with_few_loads_unmasks_all)
{
    offer(1000000);
    fill(SLOTS, 100, 16);
    interrupt(5000);
    fill(31, 500, 16);
    interrupt(6000); /* an interrupt says that there are many */
    ck_assert(is_masked(100) && is_masked(500));
    fill(31, 600, 16);
    driver_timer(driver, 7000 + VISIT, 7000 + VISIT);
    ck_assert(!is_masked(100) && !is_masked(500) && !is_masked(600));
}
END_TEST

START_TEST(unmasks_all_when_many_are_masked)
{
    offer(100000000);
    for (unsigned n = 0; n < 15; n++) {
        fill(SLOTS, 1000 + n * SLOTS, 16);
        interrupt(5000 * (n + 1));
        ck_assert(is_masked(1000));
    }
    fill(SLOTS, 9000, 16); /* 1,024 */
    interrupt(500000);
    ck_assert(!is_masked(1000) && !is_masked(9000));
}
END_TEST

static bool masks_any(const struct bus_geometry *g)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < g->filter2_bits / 64; i++)
        any |= *fake_at(fake, BUS_MASKED + 8 * i);
    return any != 0;
}

START_TEST(a_wider_filter_masks_more)
{
    const struct bus_geometry g = {SLOTS, SLOTS, 1024, 4 * FILTER2_BITS};
    driver_free(driver);
    *fake_at(fake, BUS_GEOMETRY) = bus_pack_geometry(&g);
    ck_assert_int_eq(make_driver(NULL), ST_OK);
    offer(100000000);
    for (unsigned n = 0; n < 62; n++) {
        fill(SLOTS, 1000 + n * SLOTS, 16);
        interrupt(5000 * (n + 1));
        ck_assert(masks_any(&g));
    }
    ck_assert_uint_ne(*fake_at(fake, BUS_MASKED + 4096 / 8), 0); /* behind the first 4096 bits */
    fill(SLOTS, 9000, 16);                                       /* 4,032 */
    interrupt(500000);
    ck_assert(!masks_any(&g));
}
END_TEST

/* A visit of the same 8 loads that the timer ends. Returns the time of the next timer. */
static uint64_t visit(uint64_t cycle, uint32_t key)
{
    offer(1000000);
    fill(8, key, 16);
    ck_assert(driver_wants_timer(driver, cycle));
    return driver_timer(driver, cycle, cycle);
}

static bool is_paused(void) { return *fake_at(fake, BUS_CONSTS + 8 * FEW) == 0; }

START_TEST(a_round_without_change_pauses)
{
    *fake_at(fake, BUS_CONSTS + 8 * FEW) = 3;
    uint64_t now = visit(VISIT, 100);
    ck_assert(!is_paused()); /* all loads are new */
    ck_assert_uint_eq(*fake_at(fake, BUS_FILTER2), 1);
    now = visit(now + VISIT, 100);
    ck_assert(is_paused() && is_masked(100));
    ck_assert(!driver_wants_timer(driver, now + PAUSE - 101));
    ck_assert(driver_wants_timer(driver, now + PAUSE));
    fill(0, 0, 0); /* in a pause no load has a slot */
    now = driver_timer(driver, now + PAUSE, now + PAUSE);
    ck_assert(!is_paused() && !is_masked(100));
    now = visit(now + VISIT, 100);
    ck_assert(is_paused());
    ck_assert(!driver_wants_timer(driver, now + 2 * PAUSE - 101));
    ck_assert(driver_wants_timer(driver, now + 2 * PAUSE));
}
END_TEST

START_TEST(unmasked_loads_interrupt_a_pause)
{
    *fake_at(fake, BUS_CONSTS + 8 * FEW) = 3;
    uint64_t now = visit(VISIT, 100), pause = now = visit(now + VISIT, 100);
    interrupt(now + 5000);
    ck_assert(!is_paused() && is_masked(100));
    now = visit(now + 6000 + VISIT / 2, 500);
    ck_assert(is_paused() && is_masked(100) && is_masked(500)); /* the pause goes on */
    ck_assert(driver_wants_timer(driver, pause + PAUSE));
    now = driver_timer(driver, pause + PAUSE, pause + PAUSE);
    ck_assert(!is_paused() && !is_masked(500));
    now = visit(now + VISIT, 900); /* other loads: a change */
    ck_assert(!is_paused() && !is_masked(900));
    (void)visit(now + VISIT, 900);
    ck_assert(is_paused());
}
END_TEST

/* A driver without pauses, and the cycle in which its run begins. */
static uint64_t restart_without_pauses(void)
{
    driver_free(driver);
    image.param[1].value = 0;
    ck_assert_int_eq(make_driver(NULL), ST_OK);
    offer(100000000);
    return driver_timer(driver, 0, 0);
}

START_TEST(the_parameter_forbids_pauses)
{
    uint64_t now = restart_without_pauses();
    *fake_at(fake, BUS_CONSTS + 8 * FEW) = 3;
    for (unsigned n = 0; n < 4; n++) {
        now = visit(now + VISIT, 100);
        ck_assert(!is_paused() && !is_masked(100));
    }
}
END_TEST

/* Two visits that the timer ends: 40 loads from `key` on have slots, then none has, because they are masked. Returns
 * the time of the next timer. */
static uint64_t visit_twice(uint64_t now, uint32_t key)
{
    fill(40, key, 16);
    now = driver_timer(driver, now + VISIT, now + VISIT);
    ck_assert(is_masked(key));
    now = driver_timer(driver, now + VISIT, now + VISIT);
    ck_assert(!is_masked(key));
    return now;
}

START_TEST(loads_that_have_room_are_not_masked)
{
    uint64_t now = restart_without_pauses(), start = now;
    for (unsigned n = 0; n < 4; n++) {
        fill(40, 100, 16);
        now = driver_timer(driver, now + VISIT, now + VISIT);
        ck_assert(!is_masked(100));
    }
    fill(SLOTS, 100, 16); /* an interrupt says that there are more */
    interrupt(now + 5000);
    ck_assert(is_masked(100));
    now = driver_timer(driver, now + VISIT, now + VISIT); /* no load is left: all are unmasked */
    uint64_t crowded = now - start;
    for (uint64_t end = now + crowded - 2 * VISIT; now < end;)
        now = visit_twice(now, 100);
    now = driver_timer(driver, now + 2 * VISIT, now + 2 * VISIT); /* half of the run */
    fill(40, 100, 16);
    (void)driver_timer(driver, now + VISIT, now + VISIT);
    ck_assert(!is_masked(100));
}
END_TEST

START_TEST(few_loads_of_many_are_masked)
{
    uint64_t now = restart_without_pauses();
    for (unsigned n = 0; n < 3; n++) { /* 192 loads, three for each slot */
        fill(SLOTS, 1000 + n * SLOTS, 1);
        now += 5000;
        interrupt(now);
    }
    for (unsigned n = 0; n < 8; n++)
        now = visit_twice(now, 100);
}
END_TEST

START_TEST(the_chance_follows_the_budget)
{
    offer(1000000);
    fill(SLOTS, 100, 3);
    interrupt(5000);
    ck_assert_uint_eq(*fake_at(fake, BUS_CONSTS + 8 * ADMIT), CHANCE);
    offer(150); /* twice: this is the second handler of 100 cycles, and the first timer was one */
    interrupt(6000);
    ck_assert_uint_eq(*fake_at(fake, BUS_CONSTS + 8 * ADMIT), CHANCE / 64 + 1); /* 2^-6 */
    offer(30);
    interrupt(7000);
    ck_assert_uint_eq(*fake_at(fake, BUS_CONSTS + 8 * ADMIT), 2); /* which admits none but 1 */
    offer(450);
    interrupt(8000);
    ck_assert_uint_eq(*fake_at(fake, BUS_CONSTS + 8 * ADMIT), (uint64_t)(CHANCE * pow(450.0 / 500, 6)) + 1);
    offer(100000);
    interrupt(9000);
    ck_assert_uint_eq(*fake_at(fake, BUS_CONSTS + 8 * ADMIT), CHANCE);
}
END_TEST

START_TEST(visits_follow_the_budget)
{
    offer(300);
    interrupt(5000);
    ck_assert(!driver_wants_timer(driver, 5100 + VISIT - 1));
    ck_assert(driver_wants_timer(driver, 5100 + VISIT));
    offer(1000);
    interrupt(6000);
    ck_assert(!driver_wants_timer(driver, 6100 + VISIT / 2 - 1));
    ck_assert(driver_wants_timer(driver, 6100 + VISIT / 2));
    offer(400); /* a quarter above */
    interrupt(7000);
    interrupt(8000);
    ck_assert(!driver_wants_timer(driver, 8100 + VISIT * 5 / 4 - 1));
    ck_assert(driver_wants_timer(driver, 8100 + VISIT * 5 / 4));
}
END_TEST

START_TEST(says_what_the_program_lacks)
{
    struct errmsg err;
    struct driver *kept = driver;
    image.const_name[FEW][0] = '\0';
    ck_assert_int_eq(make_driver(&err), ST_FORMAT);
    ck_assert_str_eq(err.text, "program value: expected a constant register named 'few', found none");
    image.const_name[ADMIT][0] = '\0';
    ck_assert_int_eq(make_driver(&err), ST_FORMAT);
    ck_assert_str_eq(err.text, "program value: expected a constant register named 'admit', found none");
    image.index_name[RSLOT][0] = '\0';
    ck_assert_int_eq(make_driver(&err), ST_FORMAT);
    ck_assert_str_eq(err.text, "program value: expected an index register named 'rslot', found none");
    driver = kept;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host value driver");
    TCase *t = tcase_create("driver");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, masks_loads_with_enough_samples);
    tcase_add_test(t, a_load_with_other_values_needs_twice_the_samples);
    tcase_add_test(t, each_visit_has_another_hash_function);
    tcase_add_test(t, a_visit_with_few_loads_unmasks_all);
    tcase_add_test(t, unmasks_all_when_many_are_masked);
    tcase_add_test(t, a_wider_filter_masks_more);
    tcase_add_test(t, a_round_without_change_pauses);
    tcase_add_test(t, unmasked_loads_interrupt_a_pause);
    tcase_add_test(t, the_parameter_forbids_pauses);
    tcase_add_test(t, loads_that_have_room_are_not_masked);
    tcase_add_test(t, few_loads_of_many_are_masked);
    tcase_add_test(t, the_chance_follows_the_budget);
    tcase_add_test(t, visits_follow_the_budget);
    tcase_add_test(t, says_what_the_program_lacks);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
