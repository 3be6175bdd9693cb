/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the statistics, against cycles and samples counted by hand. */
#include "emu/cop_use.h"
#include "isa/image.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

static struct cop *cop;
static struct bus bus;

/* A load takes three words, a store one. */
static void setup(void)
{
    static const struct uop words[] = {
        {.idx = IDX_INC}, {.idx = IDX_INC}, {.cond = COND_NEVER, .invert = 1, .target = TARGET_DONE}};
    static struct image image;
    struct errmsg err;
    struct cop_config config = cop_default_config;
    config.early_drop = false;
    config.buffer_bytes = 16; /* four records of the class alone */
    cop = cop_new(&config);
    bus = cop_bus(cop);
    image_init(&image);
    image.cam_entries = image.data_rows = 128;
    image.filter_classes = 1u << OPCLASS_LOAD | 1u << OPCLASS_STORE;
    image.entry[OPCLASS_LOAD] = 0;
    image.entry[OPCLASS_STORE] = 2;
    image.words = 3;
    for (unsigned i = 0; i < 3; i++)
        image.word[i] = isa_encode(&words[i]);
    ck_assert_msg(bus_load_program(&bus, &image, &err) == ST_OK, "%s", err.text);
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
}

static void teardown(void) { cop_free(cop); }

static void offer(enum opclass k, uint64_t cycle)
{
    struct sample_sink sink = cop_sink(cop);
    struct sample s = {.opclass = k, .cycle = cycle};
    sink.deliver(sink.ctx, &s);
}

START_TEST(test_words_by_class)
{
    offer(OPCLASS_LOAD, 0);
    offer(OPCLASS_STORE, 0);
    offer(OPCLASS_LOAD, 0);
    cop_drain(cop);
    struct cop_use u = cop_get_use(cop);
    ck_assert_uint_eq(u.by_class[OPCLASS_LOAD].samples, 2);
    ck_assert_uint_eq(u.by_class[OPCLASS_LOAD].words, 6);
    ck_assert_uint_eq(u.by_class[OPCLASS_LOAD].least, 3);
    ck_assert_uint_eq(u.by_class[OPCLASS_LOAD].most, 3);
    ck_assert_uint_eq(u.by_class[OPCLASS_STORE].samples, 1);
    ck_assert_uint_eq(u.by_class[OPCLASS_STORE].words, 1);
}
END_TEST

/* Readable in cycles 5, 6 and 7; the first starts in 6 and takes 3 cycles: finished in 9, 10 and 13. */
START_TEST(test_occupancy)
{
    offer(OPCLASS_LOAD, 0);
    offer(OPCLASS_STORE, 0);
    offer(OPCLASS_LOAD, 0);
    ck_assert_uint_eq(cop_get_use(cop).occupancy, 0);
    cop_advance(cop, 8);
    ck_assert_uint_eq(cop_get_use(cop).occupancy, 3 * 8);
    cop_drain(cop);
    ck_assert_uint_eq(cop_get_use(cop).occupancy, 9 + 10 + 13);
    ck_assert_uint_eq(cop_get_use(cop).peak, 3);
    offer(OPCLASS_LOAD, 20);
    cop_advance(cop, 22);
    bus_put(&bus, BUS_COMMAND, BUS_CLEAR_STATISTICS); /* with a sample on its way: from here on */
    ck_assert_uint_eq(cop_get_use(cop).occupancy, 0);
    cop_advance(cop, 23);
    ck_assert_uint_eq(cop_get_use(cop).occupancy, 1);
    bus_put(&bus, BUS_COMMAND, BUS_DROP_SAMPLES);
    cop_advance(cop, 50);
    ck_assert_uint_eq(cop_get_use(cop).occupancy, 1);
}
END_TEST

/* Six at once, of which two find no room; then the run grows too long for its intervals. */
START_TEST(test_drops_over_time)
{
    for (unsigned i = 0; i < 6; i++)
        offer(OPCLASS_STORE, 300);
    struct cop_use u = cop_get_use(cop);
    ck_assert_uint_eq(u.interval_shift, 8);
    ck_assert_uint_eq(u.interval[1].delivered, 6);
    ck_assert_uint_eq(u.interval[1].dropped, 2);
    offer(OPCLASS_STORE, 256 * USE_INTERVALS - 1);
    ck_assert_uint_eq(cop_get_use(cop).interval[USE_INTERVALS - 1].delivered, 1);
    offer(OPCLASS_STORE, 256 * USE_INTERVALS);
    u = cop_get_use(cop);
    ck_assert_uint_eq(u.interval_shift, 9);
    ck_assert_uint_eq(u.interval[0].delivered, 6);
    ck_assert_uint_eq(u.interval[0].dropped, 2);
    ck_assert_uint_eq(u.interval[USE_INTERVALS / 2 - 1].delivered, 1);
    ck_assert_uint_eq(u.interval[USE_INTERVALS / 2].delivered, 1);
    offer(OPCLASS_STORE,
          256 * USE_INTERVALS * UINT64_C(1024)); /* many doublings at once: all before it is the first interval */
    u = cop_get_use(cop);
    ck_assert_uint_eq(u.interval_shift, 19);
    ck_assert_uint_eq(u.interval[0].delivered, 8);
    ck_assert_uint_eq(u.interval[USE_INTERVALS / 2].delivered, 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cop_use");
    TCase *t = tcase_create("use");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_words_by_class);
    tcase_add_test(t, test_occupancy);
    tcase_add_test(t, test_drops_over_time);
    suite_add_tcase(s, t);
    return run_suite(s);
}
