/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost of a service: each entry, access, piece of work and exit in core cycles, when accesses reach the
 * co-processor, and what happens to samples meanwhile. The generic driver does the serving, with costs that keep their
 * sums apart. */
#include <stdlib.h>

#include "emu/cop.h"
#include "host/driver/driver.h"
#include "tests/unit/fake_host.h"

/* Last: it defines the word fail. */
#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

static const struct host_cost cost = {
    .entry = 1000, .exit = 500, .bus_read = 7, .bus_write = 3, .row = 1, .update = 20, .insert = 40, .judge = 2};

static struct image image;
static struct driver *driver;
static struct fake *fake;
static uint64_t reached[FAKE_LOG]; /* the cycles at which the fake was accessed */
static unsigned accesses;

static void reach(void *ctx, uint64_t cycle)
{
    (void)ctx;
    ck_assert_uint_lt(accesses, FAKE_LOG);
    reached[accesses++] = cycle;
}

/* edges[8] at row 0, keyed, with a count; the one word of the program interrupts at each sample. */
static void make_image(void)
{
    const struct uop stop = {.cond = COND_NEVER, .invert = 1, .target = TARGET_INTERRUPT};
    image_init(&image);
    snprintf(image.name, IMAGE_NAME, "edges");
    image.cam_entries = image.data_rows = 128;
    image.word[0] = isa_encode(&stop);
    image.words = 1;
    image.filter_classes = 1u << OPCLASS_LOAD;
    image.entry[OPCLASS_LOAD] = 0;
    image.fields = 2;
    image.field[0] = FIELD_PC32;
    image.field[1] = FIELD_RESULT;
    image.layouts = 1;
    struct image_layout *l = &image.layout[0];
    fake_init_layout(l, "edges", 8);
    l->key = FORMAT_PC;
    fake_add_member(l, "taken", LANE_W0, FORMAT_COUNT);
}

static void make_driver(const struct bus *bus, const struct host_cost *costs)
{
    const struct driver_env env = {.bus = bus, .image = &image, .cost = costs};
    ck_assert_int_eq(driver_new(&driver, &env, NULL), ST_OK);
}

static void setup(void)
{
    make_image();
    fake = fake_new(128, 128);
    fake->bus.advance = reach;
    make_driver(&fake->bus, &cost);
    fake_mark(fake);
    accesses = 0;
}

static void teardown(void)
{
    driver_free(driver);
    free(fake);
}

/* Reads: the status, the samples processed and dropped, 8 rows, a word of keys, a word of valid bits. Work: 8 rows, 2
 * updates, 1 insertion as both are of one edge. Writes: two words of index registers and the command, which restarts.
 */
enum {
    READS = 1 + 2 + 8 + 1 + 1,
    WRITES = 3,
    TABLES = 8 * 1 + 2 * 20 + 1 * 40,
    TO_RESTART = 1000 + READS * 7 + TABLES + WRITES * 3
};

static void stop_with_edge(void)
{
    fake_put_slot(fake, 0, 0x100, 5, true);
    fake_put_slot(fake, 1, 0x100, 6, true);
    fake_stop(fake, 0, 10);
}

START_TEST(sum_of_its_parts)
{
    stop_with_edge();
    ck_assert_uint_eq(driver_interrupt(driver, 4990, 5000), 5000 + TO_RESTART + 500);
}
END_TEST

START_TEST(each_access_at_its_cycle)
{
    stop_with_edge();
    driver_interrupt(driver, 4990, 5000);
    ck_assert_uint_eq(accesses, READS + WRITES);
    ck_assert_uint_eq(reached[0], 5000 + 1000 + 7);
    ck_assert_uint_eq(reached[1], 5000 + 1000 + 2 * 7);
    ck_assert_uint_eq(reached[READS], 5000 + 1000 + READS * 7 + TABLES + 3);
    ck_assert_uint_eq(reached[accesses - 1], 5000 + TO_RESTART);
}
END_TEST

START_TEST(known_records_are_not_inserted)
{
    stop_with_edge();
    driver_interrupt(driver, 4990, 5000);
    stop_with_edge();
    ck_assert_uint_eq(driver_interrupt(driver, 19990, 20000), 20000 + TO_RESTART - 40 + 500);
}
END_TEST

START_TEST(free_of_charge)
{
    static const struct host_cost none = {.free = 1, .entry = 1000, .bus_read = 7};
    const struct host_cost *const costs[] = {NULL, &none};
    driver_free(driver);
    make_driver(&fake->bus, costs[_i]);
    stop_with_edge();
    ck_assert_uint_eq(driver_interrupt(driver, 4990, 5000), 5000);
}
END_TEST

/* Free costs are not in the account, but in what policies read. */
START_TEST(free_costs_are_known)
{
    struct host_cost free_cost = cost;
    struct host_clock clock;
    free_cost.free = (uint32_t)_i;
    host_clock_init(&clock, &free_cost);
    host_clock_enter(&clock, 4990, 5000);
    host_clock_read(&clock);
    host_clock_work(&clock, HOST_JUDGE, 5);
    const uint64_t left = host_clock_leave(&clock), cycles = 1000 + 7 + 5 * 2 + 500;
    ck_assert_uint_eq(clock.charged, cycles);
    ck_assert_uint_eq(host_account_cycles(&clock.account), _i ? 0 : cycles);
    ck_assert_uint_eq(left, _i ? 5000 : 5000 + cycles);
}
END_TEST

START_TEST(nothing_passes_when_the_run_is_over)
{
    stop_with_edge();
    driver_stop_clock(driver);
    ck_assert_uint_eq(driver_interrupt(driver, 4990, 5000), 5000);
    driver_finish(driver, 5000);
    ck_assert_uint_eq(accesses, 0);
}
END_TEST

/* The co-processor itself, which reports each interrupt here. */
static struct cop *cop;
static uint64_t raised;

static void note_interrupt(void *ctx, uint64_t cycle)
{
    (void)ctx;
    raised = cycle;
}

static void offer(uint64_t cycle)
{
    struct sample_sink sink = cop_sink(cop);
    struct sample s = {.opclass = OPCLASS_LOAD, .cycle = cycle};
    if (sink.accept(sink.ctx, OPCLASS_LOAD, 0x1000, cycle))
        sink.deliver(sink.ctx, &s);
}

/* Halted from its interrupt to the restart it takes 64 samples of 16 bytes and drops the others; then it goes on with
 * those it took, and comes to the next interrupt one of its cycles after the restart. */
START_TEST(halted_until_restarted)
{
    unsigned divide = 1u << _i;
    struct cop_config config = cop_default_config;
    config.clock_divide = divide;
    config.early_drop = false;
    cop = cop_new(&config);
    cop_on_interrupt(cop, note_interrupt, NULL);
    struct bus bus = cop_bus(cop);
    driver_free(driver);
    make_driver(&bus, &cost);
    raised = 0;
    offer(0);
    cop_advance(cop, 1000);
    ck_assert_uint_gt(raised, 0);
    ck_assert_uint_lt(raised, 1000);
    for (unsigned i = 0; i < 100; i++)
        offer(1000 + i);
    ck_assert_uint_eq(bus_get(&bus, BUS_DROPPED), 36);
    ck_assert_uint_eq(bus_get(&bus, BUS_PROCESSED), 1);

    uint64_t first = raised,
             restart = 2001 + 1000 + (1 + 2 + 8 + 1) * 7 + 8 + 3 * 3; /* no slot is in use: no key is read */
    ck_assert_uint_eq(driver_interrupt(driver, first, 2001), restart + 500);
    ck_assert_uint_eq(raised, first);
    cop_advance(cop, restart + 500);
    ck_assert_uint_eq(raised, (restart + divide - 1) / divide * divide + divide);
    cop_free(cop);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host cost");
    TCase *tc = tcase_create("service");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, sum_of_its_parts);
    tcase_add_test(tc, each_access_at_its_cycle);
    tcase_add_test(tc, known_records_are_not_inserted);
    tcase_add_loop_test(tc, free_of_charge, 0, 2);
    tcase_add_loop_test(tc, free_costs_are_known, 0, 2);
    tcase_add_test(tc, nothing_passes_when_the_run_is_over);
    tcase_add_loop_test(tc, halted_until_restarted, 0, 4);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
