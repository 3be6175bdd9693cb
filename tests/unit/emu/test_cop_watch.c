/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watch port: events in their order and with their contents, changes made from inside; and the inspection of state
 * by name, copies of whole states, and that a watched co-processor does what another does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/cop_inspect.h"
#include "emu/cop_watch.h"
#include "tests/unit/cop_equal.h"
#include "tests/unit/random_program.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

static struct cop *cop;
static struct bus bus;
static struct image image;
static char seen[8192];

static void note(const char *fmt, ...) PRINTF_LIKE(1, 2);
static void note(const char *fmt, ...)
{
    va_list ap;
    size_t used = strlen(seen);
    va_start(ap, fmt);
    vsnprintf(seen + used, sizeof seen - used, fmt, ap);
    va_end(ap);
}

static void on_before(void *ctx, uint64_t cycle) { note("%llu before %u\n", (unsigned long long)cycle, cop_pc(ctx)); }
static void on_bubble(void *ctx, uint64_t cycle) { (void)ctx, note("%llu bubble\n", (unsigned long long)cycle); }
static void on_done(void *ctx, uint64_t cycle) { note("%llu done %u\n", (unsigned long long)cycle, cop_pc(ctx)); }
static void on_interrupt(void *ctx, uint64_t cycle)
{
    note("%llu interrupt %u\n", (unsigned long long)cycle, cop_pc(ctx));
}
static void on_stopped(void *ctx, uint64_t cycle)
{
    note("%llu stopped %u state %d\n", (unsigned long long)cycle, cop_pc(ctx), cop_state(ctx));
}

static void on_after(void *ctx, const struct cop_step *s)
{
    (void)ctx;
    note("%llu after %u:", (unsigned long long)s->cycle, s->pc);
    for (unsigned i = 0; i < s->writes; i++) {
        char name[32];
        const struct cop_place place = {s->write[i].region, s->write[i].element};
        cop_print_place(name, sizeof name, NULL, &place);
        note(" %s %llx->%llx", name, (unsigned long long)s->write[i].before, (unsigned long long)s->write[i].after);
    }
    note("%s%s%s next %u\n", s->branch ? " branch" : "", s->taken ? " taken" : "", s->predicted_right ? "" : " wrong",
         s->next);
}

static void on_delivered(void *ctx, const struct cop_arrival *a)
{
    (void)ctx;
    note("%llu delivered %s %llx readable %llu queued %u\n", (unsigned long long)a->cycle, opclass_name(a->opclass),
         (unsigned long long)a->field[1], (unsigned long long)a->readable, a->queued);
}

static void on_dropped(void *ctx, const struct sample *s, enum cop_drop why)
{
    (void)ctx;
    note("%llu dropped %s\n", (unsigned long long)s->cycle, why == COP_DROP_FULL ? "full" : "halted");
}

static void on_dispatched(void *ctx, uint64_t cycle, enum opclass opclass)
{
    note("%llu dispatched %s to %u\n", (unsigned long long)cycle, opclass_name(opclass), cop_pc(ctx));
}

static void on_bus(void *ctx, uint64_t cycle, bool write, uint32_t address, uint64_t value)
{
    (void)ctx;
    note("%llu bus %s %04x %llx\n", (unsigned long long)cycle, write ? "write" : "read", address,
         (unsigned long long)value);
}

static struct cop_watch all_events(void)
{
    return (struct cop_watch){.ctx = cop,
                              .before = on_before,
                              .after = on_after,
                              .bubble = on_bubble,
                              .delivered = on_delivered,
                              .dropped = on_dropped,
                              .dispatched = on_dispatched,
                              .done = on_done,
                              .interrupt = on_interrupt,
                              .stopped = on_stopped,
                              .bus = on_bus};
}

static void add(struct uop u)
{
    ck_assert_ptr_null(isa_check(&u, image.wide));
    image.word[image.words++] = isa_encode(&u);
}

enum { F0 = BSRC_FIELD, F1 = BSRC_FIELD + 1, V0 = BSRC_VALUE, C0 = BSRC_CONST };

#define DONE .cond = COND_NEVER, .invert = 1, .target = TARGET_DONE

/* Word 0 takes a slot in both arrays and goes on if the value is not 0; 1 is done; 2 interrupts. */
static void setup(void)
{
    seen[0] = '\0';
    cop = cop_new(&cop_default_config);
    bus = cop_bus(cop);
    image_init(&image);
    image.cam_entries = ISA_CAM_ENTRIES;
    image.data_rows = ISA_DATA_ROWS;
    image.filter_classes = 1u << OPCLASS_LOAD | 1u << OPCLASS_STORE;
    image.entry[OPCLASS_LOAD] = 0;
    image.fields = 2;
    image.field[0] = FIELD_PC32;
    image.field[1] = FIELD_RESULT;
    image.base[1] = 64;
    strcpy(image.value_name[2], "sum");
    strcpy(image.index_name[3], "slot");
    strcpy(image.base_name[1], "slots");
    add((struct uop){.cam = CAM_WRITE,
                     .data = DATA_ADD,
                     .lane = LANE_W1,
                     .b = F1,
                     .ir = 3,
                     .base = 1,
                     .vsrc = VSRC_LANE,
                     .vdst = 2,
                     .cond = COND_EMPTY,
                     .target = TARGET_FORWARD});
    add((struct uop){.idx = IDX_INC, .ir = 3, .iw = 3, DONE});
    add((struct uop){.cond = COND_NEVER, .invert = 1, .target = TARGET_INTERRUPT});
}

static void teardown(void) { cop_free(cop); }

static void start(void)
{
    struct errmsg err;
    ck_assert_msg(bus_load_program(&bus, &image, &err) == ST_OK, "%s", err.text);
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
}

static void offer(enum opclass opclass, uint64_t result, uint64_t cycle)
{
    struct sample_sink sink = cop_sink(cop);
    struct sample s = {.opclass = opclass, .cycle = cycle};
    s.field[FIELD_PC32] = 0x800;
    s.field[FIELD_RESULT] = result;
    sink.deliver(sink.ctx, &s);
}

START_TEST(test_events_in_order)
{
    start();
    struct cop_watch w = all_events();
    cop_watch(cop, &w);
    offer(OPCLASS_LOAD, 7, 0);
    offer(OPCLASS_LOAD, 0, 0);
    offer(OPCLASS_LOAD, 0, 0);
    cop_drain(cop);
    offer(OPCLASS_STORE, 9, 40);
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    cop_drain(cop);
    ck_assert_str_eq(seen, "0 delivered load 7 readable 5 queued 1\n"
                           "0 delivered load 0 readable 6 queued 2\n"
                           "0 delivered load 0 readable 7 queued 3\n"
                           "6 dispatched load to 0\n"
                           "6 before 0\n"
                           "6 after 0: v2 0->7 data[64] 0->700000000 cam[64] 0->7 valid[64] 0->1 branch next 1\n"
                           "7 before 1\n"
                           "7 after 1: i3 0->1 taken next 1\n"
                           "8 done 1\n"
                           "8 dispatched load to 0\n"
                           "8 before 0\n"
                           "8 after 0: v2 7->0 data[65] 0->0 cam[65] 0->0 valid[65] 0->1 branch taken wrong next 2\n"
                           "9 bubble\n"
                           "10 before 2\n"
                           "10 after 2: taken next 2\n"
                           "11 interrupt 2\n"
                           "40 delivered store 9 readable 45 queued 2\n"
                           "40 bus write 0000 8\n"
                           "40 dispatched load to 0\n"
                           "40 before 0\n"
                           "40 after 0: v2 0->0 data[65] 0->0 cam[65] 0->0 valid[65] 1->1 branch taken wrong next 2\n"
                           "41 bubble\n"
                           "42 before 2\n"
                           "42 after 2: taken next 2\n"
                           "43 interrupt 2\n");
    seen[0] = '\0';
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    cop_drain(cop);
    bus_put(&bus, BUS_COMMAND, BUS_HALT);
    offer(OPCLASS_LOAD, 1, 60);
    ck_assert_str_eq(seen, "43 bus write 0000 8\n"
                           "46 dispatched store to 63\n"
                           "46 stopped 63 state 4\n"
                           "46 bus write 0000 10\n"
                           "60 dropped halted\n");
}
END_TEST

START_TEST(test_full_buffer_and_runaway)
{
    image.words = 0;
    add((struct uop){.idx = IDX_INC});
    add((struct uop){.cond = COND_NEVER, .invert = 1, .target = TARGET_BACK + 7});
    struct cop_config config = cop_default_config;
    config.buffer_bytes = 16;
    config.runaway_words = 3;
    config.clock_divide = 4;
    cop_free(cop);
    cop = cop_new(&config);
    bus = cop_bus(cop);
    start();
    struct cop_watch w = all_events();
    cop_watch(cop, &w);
    offer(OPCLASS_LOAD, 7, 0);
    offer(OPCLASS_LOAD, 8, 0);
    cop_drain(cop);
    ck_assert_str_eq(seen, "0 delivered load 7 readable 5 queued 1\n"
                           "0 dropped full\n"
                           "12 dispatched load to 0\n"
                           "12 before 0\n"
                           "12 after 0: i0 0->1 next 1\n"
                           "16 before 1\n"
                           "16 after 1: taken next 0\n"
                           "20 before 0\n"
                           "20 after 0: i0 1->2 next 1\n"
                           "24 stopped 1 state 5\n");
}
END_TEST

static void must_find(const char *name, struct cop_place *place)
{
    ck_assert_msg(cop_find_place(cop, &image, name, place), "no %s", name);
}

static void poke(const char *name, uint64_t value)
{
    struct cop_place place;
    must_find(name, &place);
    ck_assert_msg(cop_poke(cop, &place, value) == ST_OK, "%s", name);
}

static uint64_t peek(const char *name)
{
    struct cop_place place;
    uint64_t value = 0;
    must_find(name, &place);
    ck_assert_msg(cop_peek(cop, &place, &value) == ST_OK, "%s", name);
    return value;
}

/* At word 1 the watcher makes the sample another one: it goes round once more, with what it finds in f1. */
static void change_course(void *ctx, uint64_t cycle)
{
    (void)cycle;
    on_before(ctx, cycle);
    if (cop_pc(ctx) != 1 || peek("i3") == 5)
        return;
    poke("f1", 0);
    poke("slot", 5);
    ck_assert(cop_set_pc(ctx, 0));
}

START_TEST(test_change_from_inside)
{
    start();
    struct cop_watch w = {.ctx = cop, .before = change_course, .interrupt = on_interrupt};
    cop_watch(cop, &w);
    offer(OPCLASS_LOAD, 7, 0);
    cop_drain(cop);
    ck_assert_str_eq(seen, "6 before 0\n7 before 1\n9 before 2\n10 interrupt 2\n");
    ck_assert_uint_eq(peek("valid[69]"), 1);
    ck_assert_uint_eq(peek("sum"), 0);
}
END_TEST

/* Ends its own watch, and the co-processor's work. */
static void end_all(void *ctx, uint64_t cycle)
{
    on_before(ctx, cycle);
    cop_watch(ctx, NULL);
    bus_put(&bus, BUS_COMMAND, BUS_HALT);
}

START_TEST(test_end_from_inside)
{
    start();
    struct cop_watch w = {.ctx = cop, .before = end_all};
    cop_watch(cop, &w);
    offer(OPCLASS_LOAD, 7, 0);
    cop_drain(cop);
    ck_assert_str_eq(seen, "6 before 0\n");
    ck_assert_int_eq(cop_state(cop), BUS_HALTED);
    ck_assert_uint_eq(bus_get(&bus, BUS_WORDS), 0);
}
END_TEST

START_TEST(test_names)
{
    static const struct {
        const char *name;
        enum bus_address region;
        unsigned element;
        const char *printed;
    } names[] = {
        {"v0", BUS_VALUES, 0, "v0"},
        {"v2", BUS_VALUES, 2, "sum"},
        {"sum", BUS_VALUES, 2, "sum"},
        {"i7", BUS_INDEXES, 7, "i7"},
        {"slot", BUS_INDEXES, 3, "slot"},
        {"b1", BUS_BASES, 1, "slots"},
        {"t3", BUS_TARGETS, 3, "t3"},
        {"c3", BUS_CONSTS, 3, "c3"},
        {"result", BUS_HEAD, 1, "result"},
        {"f0", BUS_HEAD, 0, "pc32"},
        {"lfsr", BUS_LFSR, 0, "lfsr"},
        {"data[255]", BUS_DATA, 255, "data[255]"},
        {"cam[0x10]", BUS_CAM, 16, "cam[16]"},
        {"predictor[63]", BUS_PREDICTOR, 63, "predictor[63]"},
        {"masked[4095]", BUS_MASKED, 4095, "masked[4095]"},
        {"microcode[1]", BUS_MICROCODE, 1, "microcode[1]"},
        {"bubbles", BUS_BUBBLES, 0, "bubbles"},
    };
    static const char *const not_names[] = {"",         "v4",        "v",       "i8",       "t4",
                                            "data",     "data[256]", "data[1",  "data[1]]", "data[-1]",
                                            "cam[256]", "nothing",   "command", "lfsr[0"};
    struct cop_place p;
    char text[64];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        must_find(names[i].name, &p);
        ck_assert_msg(p.region == names[i].region && p.element == names[i].element, "%s", names[i].name);
        cop_print_place(text, sizeof text, &image, &p);
        ck_assert_str_eq(text, names[i].printed);
    }
    for (size_t i = 0; i < sizeof not_names / sizeof not_names[0]; i++)
        ck_assert_msg(!cop_find_place(cop, &image, not_names[i], &p), "%s", not_names[i]);
}
END_TEST

/* Every element of what can be written, one by one, and its neighbours left alone. */
START_TEST(test_peek_and_poke)
{
    const struct bus_region *r = &bus_regions[_i];
    struct cop_place p = {.region = (enum bus_address)r->address};
    uint64_t v, most = UINT64_MAX >> (64 - r->bits);
    if (strcmp(r->access, "RW") != 0)
        return;
    uint64_t first = r->address == BUS_WIDTHS || r->address == BUS_FORMAT ? 3 : most & 0x155;
    if (r->address == BUS_TARGETS)
        first = 0x15;
    for (p.element = 0; p.element < cop_elements(cop, p.region); p.element++)
        ck_assert_int_eq(cop_poke(cop, &p, first), ST_OK);
    for (p.element = 0; p.element < cop_elements(cop, p.region); p.element += 2)
        ck_assert_int_eq(cop_poke(cop, &p, first - 1), ST_OK);
    for (p.element = 0; p.element < cop_elements(cop, p.region); p.element++) {
        uint64_t expected = first - (p.element % 2 == 0);
        if (r->address == BUS_FILTER2)
            expected &= 3;
        ck_assert_int_eq(cop_peek(cop, &p, &v), ST_OK);
        ck_assert_msg(v == expected, "%s[%u]: 0x%llx", r->name, p.element, (unsigned long long)v);
    }
    ck_assert_int_eq(cop_peek(cop, &p, &v), ST_RANGE);
    ck_assert_int_eq(cop_poke(cop, &p, 0), ST_RANGE);
    p.element = 0;
    if (r->bits < 64)
        ck_assert_int_eq(cop_poke(cop, &p, most + 1), ST_RANGE);
}
END_TEST

START_TEST(test_records)
{
    struct cop_record r;
    start();
    ck_assert(!cop_set_pc(cop, 0));
    offer(OPCLASS_LOAD, 7, 0);
    offer(OPCLASS_STORE, 8, 3);
    ck_assert_uint_eq(cop_queued(cop), 2);
    ck_assert(cop_record(cop, 1, &r));
    ck_assert(!cop_record(cop, 2, &r));
    ck_assert_int_eq(r.opclass, OPCLASS_STORE);
    ck_assert_uint_eq(r.readable, 8);
    ck_assert_uint_eq(r.fields, 2);
    ck_assert_uint_eq(r.field[1], 8);
    ck_assert(cop_set_record(cop, 0, 1, 99));
    ck_assert(!cop_set_record(cop, 0, 2, 99));
    ck_assert(!cop_set_record(cop, 2, 0, 99));
    cop_advance(cop, 7);
    ck_assert_uint_eq(peek("v2"), 99);
    ck_assert_uint_eq(cop_cycle(cop), 7);
}
END_TEST

/* Random programs, watched and not, and from a copy half-way: the same states. */
static void random_image(struct random *r)
{
    image_init(&image);
    image.cam_entries = image.data_rows = 128;
    image.filter_classes = (1u << OPCLASS_COUNT) - 1;
    image.fields = 8;
    for (unsigned i = 0; i < image.fields; i++)
        image.field[i] = (uint8_t)(3 * i);
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        image.index_width[i] = (uint8_t)(1 + random_below(r, 7));
    for (unsigned i = 0; i < ISA_CONSTS; i++)
        image.constant[i] = random_number(r);
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        image.entry[c] = (uint8_t)random_below(r, ISA_WORDS);
    image.words = ISA_WORDS;
    for (unsigned i = 0; i < ISA_WORDS; i++) {
        struct uop u = random_word(r, image.fields, image.wide,
                                   random_chance(r, 50) ? TARGET_DONE : (uint8_t)random_below(r, TARGET_CODES));
        image.word[i] = isa_encode(&u);
    }
}

static void feed(struct cop *c, uint64_t seed, uint64_t *cycle)
{
    struct random r = {seed};
    struct sample_sink sink = cop_sink(c);
    for (unsigned n = 0; n < 100; n++) {
        struct sample s;
        *cycle += random_below(&r, 30);
        random_sample(&r, (enum opclass)random_below(&r, OPCLASS_COUNT), *cycle, &s);
        sink.deliver(sink.ctx, &s);
        if (cop_state(c) > BUS_WAITING_SAMPLE) {
            struct bus b = cop_bus(c);
            bus_put(&b, BUS_COMMAND, BUS_DROP_SAMPLES | BUS_RESTART);
        }
    }
}

static void count_before(void *ctx, uint64_t cycle) { (void)cycle, ++*(uint64_t *)ctx; }
static void count_after(void *ctx, const struct cop_step *s) { ((uint64_t *)ctx)[1] += s->writes; }

START_TEST(test_watched_is_the_same)
{
    struct random r = {(uint64_t)_i + 1};
    uint64_t cycle = 0, counts[2] = {0, 0};
    struct cop_config config = cop_default_config;
    random_image(&r);
    config.runaway_words = 100;
    config.clock_divide = 1u << _i % 4;
    cop_free(cop);
    cop = cop_new(&config);
    bus = cop_bus(cop);
    start();
    feed(cop, 1, &cycle);
    struct cop *copy = cop_clone(cop), *watched = cop_clone(cop);
    ck_assert(cop_equal(copy, cop) && cop_equal(watched, cop));
    struct cop_watch w = {.ctx = counts, .before = count_before, .after = count_after};
    cop_watch(watched, &w);
    uint64_t until = cycle;
    feed(cop, 2, &until);
    ck_assert(!cop_equal(copy, cop));
    until = cycle;
    feed(watched, 2, &until);
    ck_assert(cop_equal(watched, cop));
    ck_assert_uint_gt(counts[0], 0);
    uint64_t before = counts[0];
    cop_restore(watched, copy); /* the watch stays */
    ck_assert(cop_equal(watched, copy));
    until = cycle;
    feed(watched, 2, &until);
    ck_assert(cop_equal(watched, cop));
    ck_assert_uint_eq(counts[0], 2 * before);
    cop_free(copy);
    cop_free(watched);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cop_watch");
    TCase *t = tcase_create("watch port");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_events_in_order);
    tcase_add_test(t, test_full_buffer_and_runaway);
    tcase_add_test(t, test_change_from_inside);
    tcase_add_test(t, test_end_from_inside);
    tcase_add_test(t, test_names);
    tcase_add_loop_test(t, test_peek_and_poke, 0, (int)bus_region_count);
    tcase_add_test(t, test_records);
    tcase_add_loop_test(t, test_watched_is_the_same, 0, 24);
    suite_add_tcase(s, t);
    return run_suite(s);
}
