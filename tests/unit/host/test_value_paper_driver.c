/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of the value profile as in the paper against a fake bus with slots filled in by hand. */
#include <jansson.h>
#include <stdlib.h>

#include "host/driver/driver.h"
#include "isa/pchash.h"
#include "isa/sample.h"
#include "tests/unit/fake_host.h"
#include "tests/unit/rendered.h"

/* Last: it defines the word fail. */
#include "tests/unit/suite.h"

enum { SLOTS = 8, WORD_FULL = 20, WORD_THRASH = 9, WORD_HIGH = 17, VISIT = 600 };

static struct fake *fake;
static struct image image;
static struct driver *driver;
static struct host_cost cost; /* nothing, unless a test sets it */

static void set_param(const char *name, uint64_t value)
{
    struct image_param *p = &image.param[image.params++];
    snprintf(p->name, IMAGE_NAME, "%s", name);
    p->value = value;
}

static void make_image(void)
{
    struct image_layout *l = &image.layout[0];
    image_init(&image);
    snprintf(image.name, IMAGE_NAME, "value_paper");
    image.cam_entries = image.data_rows = 16;
    image.words = 21;
    snprintf(image.label[WORD_FULL], IMAGE_NAME, "full");
    snprintf(image.label[WORD_THRASH], IMAGE_NAME, "thrash");
    snprintf(image.index_name[1], IMAGE_NAME, "rslot");
    snprintf(image.index_name[2], IMAGE_NAME, "failed");
    snprintf(image.index_name[3], IMAGE_NAME, "dropped");
    image.layouts = 1;
    fake_init_layout(l, "slots", SLOTS);
    l->key = FORMAT_PC;
    fake_add_member(l, "value", LANE_W0, FORMAT_HEX);
    fake_add_member(l, "hit", LANE_B4, FORMAT_COUNT);
    fake_add_member(l, "miss", LANE_B5, FORMAT_COUNT);
    fake_add_member(l, "total", LANE_H3, FORMAT_COUNT);
}

static enum status make_driver(const struct truth *truth, struct errmsg *err)
{
    const struct driver_env env = {.bus = &fake->bus, .image = &image, .truth = truth, .cost = &cost};
    return driver_new(&driver, &env, err);
}

static void setup(void)
{
    fake = fake_new(16, 16);
    driver = NULL;
    cost = (struct host_cost){0};
    make_image();
    ck_assert_int_eq(make_driver(NULL, NULL), ST_OK);
    fake_mark(fake);
}

static void teardown(void)
{
    driver_free(driver);
    free(fake);
}

static void put(unsigned i, uint32_t key, uint32_t value, unsigned hit, unsigned miss, unsigned total, bool valid)
{
    fake_put_slot(fake, i, key, value | (uint64_t)hit << 32 | (uint64_t)miss << 40 | (uint64_t)total << 48, valid);
}

static struct report *new_report(const struct run_facts *facts)
{
    struct report *r = report_new();
    struct program_profile *p = driver_profile(driver);
    driver_report(driver, p, facts, r);
    program_profile_free(p);
    return r;
}

/* A report as JSON, read back. */
static json_t *report(const struct run_facts *facts) { return rendered_json(new_report(facts)); }

static json_int_t integer(const json_t *j, const char *key)
{
    const json_t *n = json_object_get(j, key);
    ck_assert_msg(json_is_integer(n), "%s", key);
    return json_integer_value(n);
}

START_TEST(start)
{
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    driver_free(driver);
    fake_mark(fake);
    ck_assert_int_eq(make_driver(NULL, NULL), ST_OK);
    uint64_t command = 0;
    ck_assert_uint_eq(fake_written(fake, BUS_COMMAND, 8, &command), 2); /* halt and clear, then start */
    ck_assert_uint_eq(command, BUS_RESTART);
}
END_TEST

START_TEST(accumulates)
{
    put(0, 0x8000, 7, 50, 14, 64, true);
    put(3, 0x8000, 9, 30, 0, 40, true);
    put(4, 0x9000, 1, 3, 13, 20, false); /* turned off: its key is still there */
    put(5, 0x0bad, 0, 0, 0, 0, true);    /* not taken yet */
    fake_stop(fake, WORD_FULL, VISIT);
    driver_interrupt(driver, 1000, 1000);
    put(1, 0x8000, 7, 5, 1, 6, true);
    driver_finish(driver, 2000);
    json_t *j = report(&(struct run_facts){.guest = "guest", .cycles = 2000});
    ck_assert_int_eq(integer(j, "interrupts"), 1);
    ck_assert_int_eq(integer(j, "interrupts_full"), 1);
    ck_assert_int_eq(integer(j, "interrupts_thrash"), 0);
    ck_assert_int_eq(integer(j, "records"), 4);
    const json_t *loads = json_object_get(j, "loads"), *first = json_array_get(loads, 0),
                 *second = json_array_get(loads, 1);
    ck_assert_uint_eq(json_array_size(loads), 2);
    ck_assert_str_eq(json_string_value(json_object_get(first, "pc")), "0x10000");
    ck_assert_int_eq(integer(first, "samples"), 110);
    ck_assert_int_eq(integer(first, "visits"), 1);
    ck_assert_int_eq(integer(second, "samples"), 20);
    const json_t *value = json_array_get(json_object_get(first, "values"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(value, "value")), "0x7");
    ck_assert_int_eq(integer(value, "hits"), 55);
    ck_assert_int_eq(integer(value, "misses"), 15);
    json_decref(j);
}
END_TEST

START_TEST(masks_exactly_the_known)
{
    uint64_t want[FILTER2_BITS / 64] = {0};
    const uint32_t invariant = 0x12345, variant = 0xfedcba;
    put(0, invariant, 7, 200, 0, 200, true);
    put(1, variant, 7, 1, 3, 500, true);
    put(2, 0x4444, 7, 50, 50, 100, true); /* neither: to be seen again */
    fake_stop(fake, WORD_FULL, VISIT);
    driver_interrupt(driver, 1000, 1000);
    want[pchash_filter2(0, invariant, FILTER2_BITS) / 64] |= 1ull << (pchash_filter2(0, invariant, FILTER2_BITS) % 64);
    want[pchash_filter2(0, variant, FILTER2_BITS) / 64] |= 1ull << (pchash_filter2(0, variant, FILTER2_BITS) % 64);
    ck_assert_mem_eq(fake_at(fake, BUS_MASKED), want, sizeof want);
    ck_assert_uint_eq(fake_written(fake, BUS_MASKED, sizeof want, NULL), 2);
    /* A load that is masked is not masked again, and one seen four times is. */
    for (unsigned visit = 2; visit <= 4; visit++) {
        ck_assert_int_eq((int)(*fake_at(fake, BUS_MASKED + 8 * (0x444 / 64)) >> (0x444 % 64) & 1), 0);
        put(2, 0x4444, 7, 50, 50, 100, true);
        fake_stop(fake, WORD_FULL, visit * VISIT);
        driver_interrupt(driver, 1000 * visit, 1000 * visit);
    }
    want[0x444 / 64] |= 1ull << (0x444 % 64);
    ck_assert_mem_eq(fake_at(fake, BUS_MASKED), want, sizeof want);
    ck_assert_uint_eq(fake_written(fake, BUS_MASKED, sizeof want, NULL), 3);
}
END_TEST

START_TEST(rearms_with_few_stores)
{
    *fake_at(fake, BUS_INDEXES) = 0x0007000600050004;
    put(0, 0x4444, 7, 50, 50, 100, true);
    fake_stop(fake, WORD_FULL, VISIT);
    driver_interrupt(driver, 1000, 1000);
    uint64_t command = 0;
    unsigned mask_writes = fake_written(fake, BUS_MASKED, FILTER2_BITS / 8, NULL);
    ck_assert_uint_lt(fake->writes - mask_writes, 10);
    ck_assert_uint_eq(fake_written(fake, BUS_COMMAND, 8, &command), 1);
    ck_assert_uint_eq(command, BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_RESTART);
    ck_assert_uint_eq(fake->log[fake->writes - 1].address, BUS_COMMAND); /* last of all */
    ck_assert_uint_eq(*fake_at(fake, BUS_INDEXES), 0);
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    /* status, samples, rows, and the key of the one slot in use */
    ck_assert_uint_eq(fake->reads, 2 + SLOTS + 1);
}
END_TEST

static void thrash(uint64_t processed, uint64_t cycle)
{
    fake_mark(fake);
    fake_stop(fake, WORD_THRASH, processed);
    driver_interrupt(driver, cycle, cycle);
}

START_TEST(thrash_splits)
{
    const uint64_t hash = (uint64_t)(PCHASH_COUNT - 1) << 32;
    uint64_t filter1 = 0, command = 0;
    put(0, 0x4444, 7, 50, 50, 100, true);
    thrash(63, 1000); /* 4 x 8 replacements in fewer than twice as many samples: four ways */
    ck_assert_uint_eq(fake_written(fake, BUS_FILTER1, 8, &filter1), 1);
    ck_assert_uint_eq(filter1, hash | 0 << 16 | 3);
    ck_assert_uint_eq(fake_written(fake, BUS_COMMAND, 8, &command), 1);
    ck_assert_uint_eq(command, BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_RESTART | BUS_DROP_SAMPLES);
    ck_assert_uint_lt(fake->writes, 10);
    ck_assert_uint_eq(fake->reads, 2); /* nothing is copied */
    thrash(63 + 64,
           2000); /* slower: the first quarter in two; the three not seen yet come first, and its halves last */
    const uint64_t order[] = {1 << 16 | 3, 2 << 16 | 3, 3 << 16 | 3, 0 << 16 | 7, 4 << 16 | 7};
    ck_assert_uint_eq(*fake_at(fake, BUS_FILTER1), hash | order[0]);
    for (unsigned i = 1; i < 5; i++) {
        put(0, 0x4444 + i, 7, 50, 50, 100, true);
        fake_stop(fake, WORD_FULL, 127 + VISIT * i);
        driver_interrupt(driver, 2000 + 1000 * i, 2000 + 1000 * i);
        ck_assert_uint_eq(*fake_at(fake, BUS_FILTER1), hash | order[i]);
    }
    json_t *j = report(&(struct run_facts){.guest = "guest"});
    ck_assert_int_eq(integer(j, "interrupts_thrash"), 2);
    ck_assert_int_eq(integer(j, "partitions"), 5);
    ck_assert_int_eq(integer(j, "records"), 4);
    json_decref(j);
}
END_TEST

START_TEST(slow_thrash_is_copied)
{
    put(0, 0x4444, 7, 200, 0, 200, true);
    thrash(8 * 32, 1000); /* one replacement in eight samples */
    ck_assert_uint_eq(fake_written(fake, BUS_FILTER1, 8, NULL), 0);
    ck_assert_uint_eq(fake_written(fake, BUS_MASKED, FILTER2_BITS / 8, NULL), 1);
    json_t *j = report(&(struct run_facts){.guest = "guest"});
    ck_assert_int_eq(integer(j, "interrupts_thrash"), 1);
    ck_assert_int_eq(integer(j, "interrupts_full"), 0);
    ck_assert_int_eq(integer(j, "records"), 1);
    ck_assert_int_eq(integer(j, "partitions"), 1);
    json_decref(j);
    thrash(8 * 32 + 8 * 32 - 1, 2000); /* one sample less: it thrashes */
    ck_assert_uint_eq(fake_written(fake, BUS_FILTER1, 8, NULL), 1);
}
END_TEST

START_TEST(splits_as_far_as_the_hash_goes)
{
    /* The program filters with 13 bits itself, which stay: 3 are left, so there are 8 parts. After that a partition
     * that thrashes takes its turn like the others. */
    driver_free(driver);
    image.filter1_mask = 0x1fff;
    image.filter1_match = 0x0123;
    image.filter1_hash = 2;
    ck_assert_int_eq(make_driver(NULL, NULL), ST_OK);
    unsigned visited = 0;
    for (unsigned i = 0; i < 40; i++) {
        uint64_t filter1 = *fake_at(fake, BUS_FILTER1);
        ck_assert_uint_eq(filter1 >> 32, 2);
        ck_assert_uint_eq(filter1 & 0x1fff, 0x1fff);
        ck_assert_uint_eq(filter1 >> 16 & 0x1fff, 0x0123);
        if ((filter1 & 0xffff) == 0xffff)
            visited |= 1u << (filter1 >> 29 & 7);
        thrash(40 * (i + 1), 1000 + 100 * i);
        ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    }
    ck_assert_uint_eq(visited, 0xff);
    json_t *j = report(&(struct run_facts){.guest = "guest"});
    ck_assert_int_eq(integer(j, "partitions"), 8);
    json_decref(j);
}
END_TEST

/* One load that is known at once accounts for all samples. */
static void fill_with_known(uint32_t key, uint64_t processed, uint64_t cycle)
{
    put(0, key, 7, 255, 0, 255, false);
    put(1, key, 7, 255, 0, 255, false);
    fake_stop(fake, WORD_FULL, processed);
    driver_interrupt(driver, cycle, cycle);
}

/* Makes the driver again, with a parameter. */
static void make_with(const char *param, uint64_t value)
{
    driver_free(driver);
    set_param(param, value);
    ck_assert_int_eq(make_driver(NULL, NULL), ST_OK);
}

START_TEST(completes)
{
    make_with("halt", 1);
    thrash(64, 1000); /* two halves */
    fill_with_known(0x100, 64 + 515, 2000);
    ck_assert_uint_eq(*fake_at(fake, BUS_FILTER1) & 0xffffffff, 1 << 16 | 1);
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    fill_with_known(0x200, 64 + 515 + 600, 3000); /* too many samples of others: not finished */
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    fill_with_known(0x300, 64 + 515 + 600 + 515, 4000);
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_HALTED);
    driver_finish(driver, 9000);
    json_t *j = report(&(struct run_facts){.guest = "guest"});
    ck_assert(json_is_true(json_object_get(j, "complete")));
    ck_assert_int_eq(integer(j, "complete_cycle"), 4000);
    ck_assert_int_eq(integer(j, "partitions_finished"), 2);
    ck_assert_int_eq(integer(j, "loads_masked"), 3);
    json_decref(j);
}
END_TEST

/* A complete profile stays armed with its masks: known loads bring no interrupt, another load is profiled. */
START_TEST(stays_armed)
{
    const uint32_t known = 0x100, late = 0x200;
    fill_with_known(known, 515, 2000);
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    ck_assert(!driver_wants_timer(driver, UINT64_MAX - 1));
    uint32_t bit = pchash_filter2(0, known, FILTER2_BITS);
    ck_assert_uint_eq(*fake_at(fake, BUS_MASKED + 8 * (bit / 64)) >> (bit % 64) & 1, 1);
    put(1, known, 0, 0, 0, 0, false);
    put(0, late, 9, 200, 0, 200, true);
    fake_mark(fake);
    fake_stop(fake, WORD_FULL, 515 + 202);
    driver_interrupt(driver, 5000000, 5000000);
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    ck_assert_uint_eq(fake_written(fake, BUS_MASKED, FILTER2_BITS / 8, NULL), 1); /* the other stays masked */
    ck_assert_uint_lt(fake->writes, 10);
    driver_finish(driver, 6000000);
    json_t *j = report(&(struct run_facts){.guest = "guest"});
    ck_assert(json_is_true(json_object_get(j, "complete")));
    ck_assert_int_eq(integer(j, "complete_cycle"), 2000); /* the first time */
    ck_assert_int_eq(integer(j, "loads_masked"), 2);
    ck_assert_int_eq(integer(j, "rounds"), 1);
    json_decref(j);
}
END_TEST

/* Both halves of a split program are visited again after the profile is complete. */
START_TEST(stays_armed_in_all_partitions)
{
    thrash(64, 1000);
    fill_with_known(0x100, 64 + 515, 2000);
    fill_with_known(0x200, 64 + 2 * 515, 3000);
    uint64_t first = *fake_at(fake, BUS_FILTER1);
    fill_with_known(0x300, 64 + 3 * 515, 4000);
    uint64_t second = *fake_at(fake, BUS_FILTER1);
    ck_assert_uint_ne(first, second);
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
}
END_TEST

/* Samples with which a decision is made: those of the parameters. */
START_TEST(decides_by_its_parameters)
{
    const uint32_t keys[] = {0x100, 0x200, 0x300};
    for (unsigned strict = 0; strict < 2; strict++) {
        if (strict) {
            set_param("confident", 64);
            set_param("visit", 16);
            driver_free(driver);
            ck_assert_int_eq(make_driver(NULL, NULL), ST_OK);
        }
        for (unsigned visit = 1; visit <= 4; visit++) {
            put(0, keys[0], 7, 16, 0, 16, true); /* one value, 16 times */
            put(1, keys[1], 7, 2, 2, 4, true);   /* no result, but a visit */
            put(2, keys[2], 7, 50, 50, 100, true);
            fake_stop(fake, WORD_FULL, (4 * strict + visit) * VISIT);
            driver_interrupt(driver, 1000 * visit, 1000 * visit);
            for (unsigned k = 0; k < 3; k++) {
                uint32_t bit = pchash_filter2(0, keys[k], FILTER2_BITS);
                bool is_masked = *fake_at(fake, BUS_MASKED + 8 * (bit / 64)) >> (bit % 64) & 1,
                     is_due = k == 0 ? !strict || visit == 4 : visit == 4 && (k == 2 || !strict);
                ck_assert_msg(is_masked == is_due, "strict %u, visit %u, load %u", strict, visit, k);
            }
        }
    }
}
END_TEST

START_TEST(visits_by_what_is_expected)
{
    const uint64_t first = 1, second = 1 << 16 | 1;
    thrash(64, 1000);
    /* The first half leaves 600 samples in 1000 cycles, the second 600 in 10,000: ten turns for one. */
    uint64_t processed = 64, cycle = 1000, turns[2] = {0};
    for (unsigned i = 0; i < 44; i++) {
        bool is_first = (*fake_at(fake, BUS_FILTER1) & 0xffffffff) == (first & 0xffffffff);
        if (!is_first)
            ck_assert_uint_eq(*fake_at(fake, BUS_FILTER1) & 0xffffffff, second);
        turns[is_first ? 0 : 1]++;
        processed += VISIT;
        cycle += is_first ? 1000 : 10000;
        fake_stop(fake, WORD_FULL, processed);
        driver_interrupt(driver, cycle, cycle);
    }
    ck_assert_uint_ge(turns[1], 4);
    ck_assert_uint_ge(turns[0], 9 * turns[1] - 9);
}
END_TEST

/* The program says that a thousandth of the time may go into sampling again; a service costs 484 cycles. */
START_TEST(samples_again)
{
    cost.entry = 484;
    make_with("resample", 1);
    ck_assert(!driver_wants_timer(driver, UINT64_MAX - 1)); /* no round before the first is complete */
    fill_with_known(0x100, 515, 2000);
    ck_assert(!driver_wants_timer(driver, 483999));
    ck_assert(driver_wants_timer(driver, 484000));
    driver_timer(driver, 484000, 484000);
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    for (unsigned w = 0; w < FILTER2_BITS / 64; w++)
        ck_assert_uint_eq(*fake_at(fake, BUS_MASKED + 8 * w), 0);
    put(0, 0x100, 9, 255, 0, 255, false); /* by now it holds another value */
    fake_stop(fake, WORD_FULL, 515 + 255);
    driver_interrupt(driver, 500000, 500000);
    driver_finish(driver, 968000);
    json_t *j = report(&(struct run_facts){.guest = "guest"});
    const json_t *load = json_array_get(json_object_get(j, "loads"), 0), *values = json_object_get(load, "values");
    ck_assert_int_eq(integer(j, "rounds"), 2);
    ck_assert(json_is_true(json_object_get(load, "glacial")));
    ck_assert_uint_eq(json_array_size(values), 2);
    json_decref(j);
}
END_TEST

enum { SEEMED_INVARIANT = 0x123, SEEMED_VARIANT = 0x456 };

/* A profile that costs twice the cycles is followed by the next round after twice the time. */
START_TEST(rounds_follow_from_what_was_charged)
{
    cost.entry = 2 * 484;
    make_with("resample", 1);
    fill_with_known(0x100, 515, 2000);
    ck_assert(!driver_wants_timer(driver, 2 * 484000 - 1));
    ck_assert(driver_wants_timer(driver, 2 * 484000));
}
END_TEST

/* A profile that is complete, of a load that seemed invariant and one that did not, and with the next round far off:
 * 101 services of 300 cycles. */
static void complete_at_great_cost(bool recheck)
{
    driver_free(driver);
    set_param("resample", 1);
    set_param("split", 0);
    set_param("recheck", recheck);
    set_param("halt", 1);
    cost.entry = 300;
    ck_assert_int_eq(make_driver(NULL, NULL), ST_OK);
    for (unsigned i = 1; i <= 100; i++)
        thrash(40 * i, i);
    put(0, SEEMED_INVARIANT, 7, 200, 0, 200, true);
    put(1, SEEMED_VARIANT, 7, 1, 3, 500, true); /* masked, but of no one value */
    fake_stop(fake, WORD_FULL, 4700);
    driver_interrupt(driver, 19000000, 19000000); /* complete: nothing else to do */
}

START_TEST(checks_only_if_wanted)
{
    complete_at_great_cost(false);
    ck_assert(!driver_wants_timer(driver, 20000000));
}
END_TEST

/* A load that seemed invariant is let through the mask again, alone, and is found to hold another value. */
START_TEST(checks_what_seemed_invariant)
{
    const uint32_t key = SEEMED_INVARIANT;
    complete_at_great_cost(true);
    ck_assert(driver_wants_timer(driver, 20000000));
    driver_timer(driver, 20000000, 20000000);
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    for (unsigned bit = 0; bit < FILTER2_BITS; bit++)
        ck_assert_uint_eq(*fake_at(fake, BUS_MASKED + 8 * (bit / 64)) >> (bit % 64) & 1,
                          bit != pchash_filter2(0, key, FILTER2_BITS));
    put(0, key, 9, 100, 0, 100, true);
    *fake_at(fake, BUS_INDEXES) = 1ull << 16; /* one slot was taken */
    driver_timer(driver, 20100000, 20100000);
    driver_finish(driver, 30000000);
    json_t *j = report(&(struct run_facts){.guest = "guest"});
    const json_t *load = json_array_get(json_object_get(j, "loads"), 1),
                 *value = json_array_get(json_object_get(load, "values"), 0);
    ck_assert_int_eq(integer(j, "checks"), 1);
    ck_assert_int_eq(integer(j, "loads_one_visit"), 1);
    ck_assert_int_eq(integer(load, "checks"), 1);
    ck_assert(json_is_true(json_object_get(load, "glacial")));
    /* 7 until half-way between the visits, 200 times in 19 million cycles; 9 since, 100 times in 100,000. */
    double sevens = 200 * 19.5 / 19, nines = 100 * 10.5 / 0.1;
    ck_assert_str_eq(json_string_value(json_object_get(value, "value")), "0x9");
    ck_assert_double_eq_tol(json_real_value(json_object_get(value, "estimated")), nines / (sevens + nines), 0.001);
    json_decref(j);
}
END_TEST

static void add_second_pass(void)
{
    driver_free(driver);
    snprintf(image.label[WORD_HIGH], IMAGE_NAME, "high");
    snprintf(image.base_name[1], IMAGE_NAME, "lows");
    image.base[1] = SLOTS / 2;
    image.entry[OPCLASS_LOAD] = 0;
    ck_assert_int_eq(make_driver(NULL, NULL), ST_OK);
}

START_TEST(asks_about_high_halves)
{
    const uint32_t key = 0x123;
    set_param("halt", 1);
    add_second_pass();
    fill_with_known(key, 515, 2000); /* all is masked: nothing else to do */
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_RUNNING);
    ck_assert_uint_eq(*fake_at(fake, BUS_DISPATCH) >> 8 * OPCLASS_LOAD & 0xff, WORD_HIGH);
    ck_assert_uint_eq((uint32_t)*fake_at(fake, BUS_CAM), key);
    ck_assert_uint_eq(*fake_at(fake, BUS_VALID), 1);
    ck_assert_uint_eq(*fake_at(fake, BUS_DATA + 8 * (SLOTS / 2)), 7);
    for (unsigned bit = 0; bit < FILTER2_BITS; bit++)
        ck_assert_uint_eq(*fake_at(fake, BUS_MASKED + 8 * (bit / 64)) >> (bit % 64) & 1,
                          bit != pchash_filter2(0, key, FILTER2_BITS));
    put(0, key, 1, 200, 55, 255, false);
    fake_stop(fake, WORD_FULL, 515 + 300);
    driver_interrupt(driver, 4000, 4000);
    /* 78 %: to be asked again, up to four times, also where no answer comes in time. */
    ck_assert_uint_eq(*fake_at(fake, BUS_DISPATCH) >> 8 * OPCLASS_LOAD & 0xff, WORD_HIGH);
    for (uint64_t asked = 2; asked <= 4; asked++) {
        ck_assert(driver_wants_timer(driver, asked * 100000));
        driver_timer(driver, asked * 100000, asked * 100000);
    }
    ck_assert_uint_eq(*fake_at(fake, BUS_STATUS), BUS_HALTED);
    driver_finish(driver, 900000);
    json_t *j = report(&(struct run_facts){.guest = "guest"});
    const json_t *load = json_array_get(json_object_get(j, "loads"), 0),
                 *value = json_array_get(json_object_get(load, "values"), 0);
    ck_assert_int_eq(integer(j, "high_visits"), 4);
    ck_assert_str_eq(json_string_value(json_object_get(value, "value")), "0x100000007");
    ck_assert_double_eq_tol(json_real_value(json_object_get(value, "estimated")), 200.0 / 255, 1e-9);
    json_decref(j);
}
END_TEST

START_TEST(changes_the_hash)
{
    /* 256 loads masked, eight at a time: with the last the next function is taken, and all bits move. */
    uint64_t want[FILTER2_BITS / 64] = {0};
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t key = 0x10000 + 77 * n;
        put(n % SLOTS, key, 7, 200, 0, 200, true);
        want[pchash_filter2(1, key, FILTER2_BITS) / 64] |= 1ull << (pchash_filter2(1, key, FILTER2_BITS) % 64);
        if (n % SLOTS != SLOTS - 1)
            continue;
        ck_assert_uint_eq(*fake_at(fake, BUS_FILTER2), 0);
        fake_mark(fake);
        fake_stop(fake, WORD_FULL, 2000 * (n + 1));
        driver_interrupt(driver, 1000 * (n + 1), 1000 * (n + 1));
    }
    ck_assert_uint_eq(*fake_at(fake, BUS_FILTER2), 1);
    ck_assert_mem_eq(fake_at(fake, BUS_MASKED), want, sizeof want);
    ck_assert_uint_le(fake->writes, 64 + 9);
}
END_TEST

/* Of the loads 0x100, 0x101, .. that are in the partition the co-processor is at, those which are masked; *elsewhere:
 * so are others. */
static unsigned masked_here(bool *elsewhere)
{
    uint64_t want[FILTER2_BITS / 64] = {0};
    uint32_t half = *fake_at(fake, BUS_FILTER1) >> 16 & 1;
    unsigned here = 0;
    for (uint32_t key = 0x100; key < 0x100 + SLOTS; key++)
        if ((pchash_filter1(PCHASH_COUNT - 1, key) & 1) == half) {
            uint32_t bit = pchash_filter2(0, key, FILTER2_BITS);
            want[bit / 64] |= 1ull << (bit % 64);
            here += (unsigned)(*fake_at(fake, BUS_MASKED + 8 * (bit / 64)) >> (bit % 64) & 1);
        }
    *elsewhere = false;
    for (unsigned w = 0; w < FILTER2_BITS / 64; w++)
        *elsewhere |= (*fake_at(fake, BUS_MASKED + 8 * w) & ~want[w]) != 0;
    return here;
}

START_TEST(masks_in_each_partition_its_own_loads)
{
    bool elsewhere;
    for (unsigned i = 0; i < SLOTS; i++)
        put(i, 0x100 + i, 7, 200, 0, 200, true);
    fake_stop(fake, WORD_FULL, 4000);
    driver_interrupt(driver, 1000, 1000);
    masked_here(&elsewhere);
    ck_assert(elsewhere);    /* one partition: all are masked */
    thrash(4000 + 64, 2000); /* two halves; what was masked before the split stays masked */
    unsigned first = masked_here(&elsewhere);
    ck_assert(!elsewhere);
    fake_stop(fake, WORD_FULL, 4064 + VISIT);
    driver_interrupt(driver, 3000, 3000);
    unsigned second = masked_here(&elsewhere);
    ck_assert(!elsewhere);
    ck_assert_uint_eq(first + second, SLOTS);
    ck_assert_uint_gt(first, 0);
    ck_assert_uint_gt(second, 0);
}
END_TEST

/* With one mask for all partitions a change of the partition writes no word of it. */
START_TEST(one_mask_for_all_partitions)
{
    make_with("masks", 0);
    thrash(64, 1000);
    fill_with_known(0x100, 64 + 515, 2000);
    fake_mark(fake);
    put(0, 0x200, 7, 50, 50, 100, true);
    put(1, 0x100, 0, 0, 0, 0, false);
    fake_stop(fake, WORD_FULL, 64 + 515 + VISIT);
    driver_interrupt(driver, 3000, 3000);
    ck_assert_uint_eq(fake_written(fake, BUS_MASKED, FILTER2_BITS / 8, NULL), 0);
    uint32_t bit = pchash_filter2(0, 0x100, FILTER2_BITS);
    ck_assert_uint_eq(*fake_at(fake, BUS_MASKED + 8 * (bit / 64)) >> (bit % 64) & 1, 1);
}
END_TEST

START_TEST(illegal_word_stays_halted)
{
    *fake_at(fake, BUS_STATUS) = BUS_ILLEGAL | 13 << 8;
    driver_interrupt(driver, 100, 100);
    ck_assert_uint_eq(fake->writes, 0);
    struct program_stop stop = {.state = BUS_ILLEGAL,
                                .word = 13,
                                .text = "illegal: ffff",
                                .has_sample = true,
                                .sample = 3,
                                .fields = 1,
                                .name = {"pc32"},
                                .field = {0x8000}};
    json_t *j = report(&(struct run_facts){.guest = "guest", .stop = &stop});
    ck_assert_int_eq(integer(j, "fault_word"), 13);
    ck_assert_int_eq(integer(j, "fault_sample"), 3);
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(j, "fault_fields"), "pc32")), "0x8000");
    json_decref(j);
}
END_TEST

static const struct truth_value truth_values[] = {{7, 900}, {8, 100}};
static const struct truth_load truth_table = {.pc = 0x10000, .count = 1000, .values = truth_values, .value_count = 2};

static void truth_loads(void *ctx, void (*each)(void *arg, const struct truth_load *load), void *arg)
{
    each(arg, ctx);
}

static void with_truth(void)
{
    const struct truth truth = {.ctx = (void *)(uintptr_t)&truth_table, .loads = truth_loads};
    static struct truth kept; /* outlives the driver */
    kept = truth;
    driver_free(driver);
    ck_assert_int_eq(make_driver(&kept, NULL), ST_OK);
    put(0, 0x8000, 7, 95, 5, 100, true);
    put(1, 0x9000, 1, 2, 1, 3, true);
    driver_finish(driver, 100);
}

START_TEST(report_json_with_truth)
{
    with_truth();
    json_t *j = report(&(struct run_facts){.guest = "g\xff", .cycles = 100, .instructions = 50, .partial = true});
    const json_t *load = json_array_get(json_object_get(j, "loads"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(j, "guest")), "g?");
    ck_assert(json_is_true(json_object_get(j, "partial")));
    ck_assert_int_eq(integer(load, "executions"), 1000);
    const json_t *value = json_array_get(json_object_get(load, "values"), 0);
    ck_assert_double_eq_tol(json_real_value(json_object_get(value, "estimated")), 0.95, 1e-9);
    ck_assert_double_eq_tol(json_real_value(json_object_get(value, "exact")), 0.90, 1e-9);
    ck_assert_double_eq_tol(json_real_value(json_object_get(j, "rms_error")), 0.05, 1e-9);
    ck_assert_int_eq(integer(j, "pairs_scored"), 1);
    ck_assert_uint_eq(json_array_size(json_object_get(j, "pairs")), 1);
    json_decref(j);
}
END_TEST

START_TEST(text_form)
{
    with_truth();
    struct report *r = new_report(&(struct run_facts){.guest = "guest", .cycles = 1234567, .partial = true});
    char *text = rendered(r, REPORT_AS_text, &(struct report_view){.top = 1});
    report_free(r);
    ck_assert_ptr_nonnull(strstr(text, "1,234,567 cycles"));
    ck_assert_ptr_nonnull(strstr(text, "PARTIAL"));
    ck_assert_ptr_nonnull(strstr(text, "1 of 2"));
    ck_assert_ptr_nonnull(strstr(text, "RMS error, weighted                 5.00 %"));
    ck_assert_ptr_nonnull(strstr(text, "samples  executions  value  est. %  95 %  exact %  flags  load\n"
                                       "    100       1,000    0x7    95.0  -        90.0         0x10000\n"));
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        ck_assert_int_le(end - line, 120);
        ck_assert_msg(end == line || end[-1] != ' ', "blank at the end of: %.*s", (int)(end - line), line);
    }
    free(text);
}
END_TEST

/* Each of these spoils the image in one way; driver_new must say what it misses. */
static void no_layout(void) { image.layout[0].name[0] = 'x'; }
static void other_key(void) { image.layout[0].key = FORMAT_HEX; }
static void no_member(void) { image.layout[0].member[3].name[0] = 'x'; }
static void narrow_member(void) { image.layout[0].member[0].lane = LANE_H0; }
static void no_counter(void) { image.index_name[2][0] = '\0'; }
static void no_label(void) { image.label[WORD_THRASH][0] = '\0'; }
static void too_large(void) { image.cam_entries = 32; }
static void all_the_time(void) { set_param("resample", 1001); }
static void no_flag(void) { set_param("recheck", UINT64_MAX); }

static const struct {
    void (*spoil)(void);
    const char *message;
} spoilt[] = {
    {no_layout, "'slots'"},
    {other_key, "format pc"},
    {no_member, "'total'"},
    {narrow_member, "'value' of at least 32"},
    {no_counter, "'failed'"},
    {no_label, "'thrash'"},
    {too_large, "32 associative entries"},
    {all_the_time, "parameter resample is 1001, expected 0 to 1000"},
    {no_flag, "parameter recheck is -1, expected 0 to 1"},
};

START_TEST(refuses_what_it_does_not_know)
{
    struct errmsg err = {{0}};
    driver_free(driver);
    driver = NULL;
    spoilt[_i].spoil();
    ck_assert_int_ne(make_driver(NULL, &err), ST_OK);
    ck_assert_msg(strstr(err.text, spoilt[_i].message) != NULL, "%s", err.text);
    ck_assert_ptr_null(driver);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host value driver as in the paper");
    TCase *t = tcase_create("driver");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, start);
    tcase_add_test(t, accumulates);
    tcase_add_test(t, masks_exactly_the_known);
    tcase_add_test(t, rearms_with_few_stores);
    tcase_add_test(t, thrash_splits);
    tcase_add_test(t, slow_thrash_is_copied);
    tcase_add_test(t, splits_as_far_as_the_hash_goes);
    tcase_add_test(t, completes);
    tcase_add_test(t, stays_armed);
    tcase_add_test(t, stays_armed_in_all_partitions);
    tcase_add_test(t, decides_by_its_parameters);
    tcase_add_test(t, visits_by_what_is_expected);
    tcase_add_test(t, samples_again);
    tcase_add_test(t, rounds_follow_from_what_was_charged);
    tcase_add_test(t, checks_only_if_wanted);
    tcase_add_test(t, checks_what_seemed_invariant);
    tcase_add_test(t, asks_about_high_halves);
    tcase_add_test(t, changes_the_hash);
    tcase_add_test(t, masks_in_each_partition_its_own_loads);
    tcase_add_test(t, one_mask_for_all_partitions);
    tcase_add_test(t, illegal_word_stays_halted);
    tcase_add_test(t, report_json_with_truth);
    tcase_add_test(t, text_form);
    tcase_add_loop_test(t, refuses_what_it_does_not_know, 0, sizeof spoilt / sizeof spoilt[0]);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
