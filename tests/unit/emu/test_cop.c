/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The co-processor: what each operation does, its buffer, filters and bus. How long things take is in
 * test_cop_timing.c. */
#include <stdlib.h>
#include <string.h>

#include "emu/cop_inspect.h"
#include "emu/cop_state.h"
#include "emu/cop_stop.h"
#include "isa/pchash.h"
#include "tests/unit/cop_bench.h"
#include "tests/unit/cop_equal.h"

static uint64_t value(unsigned n) { return bus_get(&bus, BUS_VALUES + 8 * n); }
static unsigned index_of(unsigned n) { return bus_get(&bus, BUS_INDEXES + 8 * (n / 4)) >> (16 * (n % 4)) & 0xffff; }

/* Runs one word over one sample and stops. */
static void run_word(struct uop u, uint64_t result)
{
    image.words = 0;
    add(u);
    add((struct uop){DONE});
    uint64_t saved[ISA_VALUES];
    for (unsigned i = 0; i < ISA_VALUES; i++)
        saved[i] = value(i);
    start();
    for (unsigned i = 0; i < ISA_VALUES; i++)
        bus_put(&bus, BUS_VALUES + 8 * i, saved[i]);
    offer(0x1000, result, 0);
    cop_drain(cop);
    ck_assert_int_eq(cop_state(cop), BUS_WAITING_SAMPLE);
}

static const struct {
    enum isa_alu op;
    bool narrow;
    uint64_t a, b, result;
} alu_cases[] = {
    {ALU_MOV, false, 9, 5, 5},
    {ALU_ADD, false, UINT64_MAX, 2, 1},
    {ALU_ADD, true, UINT32_MAX, 2, 1},
    {ALU_SUB, false, 1, 2, UINT64_MAX},
    {ALU_SUB, true, 1, 2, UINT32_MAX},
    {ALU_ADDS, false, UINT64_MAX - 1, 2, UINT64_MAX},
    {ALU_ADDS, true, UINT32_MAX - 1, 1, UINT32_MAX},
    {ALU_SUBS, false, 3, 5, 0},
    {ALU_AND, false, 0xff0f, 0x0fff, 0x0f0f},
    {ALU_OR, false, 0xf000, 0x000f, 0xf00f},
    {ALU_XOR, false, 0xff, 0x0f, 0xf0},
    {ALU_BIC, false, 0xff, 0x0f, 0xf0},
    {ALU_SHL1, false, 0, UINT64_C(1) << 63 | 1, 2},
    {ALU_SHL2, true, 0, 0xc0000001, 4},
    {ALU_SHR1, false, 0, 3, 1},
    {ALU_SHR8, false, 0, 0x1234, 0x12},
    {ALU_SHR16, true, 0, 0xffff12345678, 0x1234},
};

START_TEST(test_alu)
{
    struct uop u = {
        .alu = (uint8_t)alu_cases[_i].op, .narrow = alu_cases[_i].narrow, .b = F1, .vsrc = VSRC_ALU, .vdst = 3};
    if (isa_uses(&u, 0).a)
        u.a = 2;
    bus_put(&bus, BUS_VALUES + 16, alu_cases[_i].a);
    run_word(u, alu_cases[_i].b);
    ck_assert_uint_eq(value(3), alu_cases[_i].result);
}
END_TEST

static const struct {
    enum isa_data op;
    enum isa_lane lane;
    uint64_t row, b, after, lane_read;
} data_cases[] = {
    {DATA_LD, LANE_B1, 0x8877665544332211, 0, 0x8877665544332211, 0x22},
    {DATA_LD, LANE_W1, 0x8877665544332211, 0, 0x8877665544332211, 0x88776655},
    {DATA_ST, LANE_H2, 0, 0x12345, 0x234500000000, 0},
    {DATA_INC, LANE_B4, 0x8877665544332211, 0, 0x8877665644332211, 0x56},
    {DATA_INC, LANE_B0, 0xff, 0, 0xff, 0xff},
    {DATA_DEC, LANE_H3, 0x0001ffffffffffff, 0, 0x0000ffffffffffff, 0},
    {DATA_DEC, LANE_D, 0, 0, 0, 0},
    {DATA_ADD, LANE_H0, 0xfff0, 0x20, 0xffff, 0xffff},
    {DATA_ADD, LANE_D, 5, 7, 12, 12},
    {DATA_ADD, LANE_B0, 0x2210, 0x101, 0x22ff, 0xff}, /* what the lane cannot hold is clipped, */
    {DATA_SUB, LANE_B0, 0x2210, 0x101, 0x2200, 0},
    {DATA_MAX, LANE_B0, 0x2210, 0x101, 0x22ff, 0xff},
    {DATA_MIN, LANE_B0, 0x2210, 0x101, 0x2210, 0x10},
    {DATA_OR, LANE_B0, 0x2210, 0x101, 0x2211, 0x11}, /* and cut by what moves bits */
    {DATA_SUB, LANE_W0, 0xffffffff00000005, 6, 0xffffffff00000000, 0},
    {DATA_MAX, LANE_B7, UINT64_C(0x05) << 56, 9, UINT64_C(0x09) << 56, 9},
    {DATA_MIN, LANE_B7, UINT64_C(0x05) << 56, 9, UINT64_C(0x05) << 56, 5},
    {DATA_OR, LANE_B0, 0xf0, 0x0f, 0xff, 0xff},
    {DATA_XCHG, LANE_H1, 0x00070000, 9, 0x00090000, 7},
};

START_TEST(test_data)
{
    struct uop u = {.data = (uint8_t)data_cases[_i].op, .lane = (uint8_t)data_cases[_i].lane};
    if (isa_uses(&u, 0).b)
        u.b = F1;
    if (u.data != DATA_ST) {
        u.vsrc = VSRC_LANE;
        u.vdst = 1;
    }
    image.words = 0;
    add(u);
    add((struct uop){DONE});
    start();
    bus_put(&bus, BUS_DATA, data_cases[_i].row);
    offer(0x1000, data_cases[_i].b, 0);
    cop_drain(cop);
    ck_assert_uint_eq(bus_get(&bus, BUS_DATA), data_cases[_i].after);
    if (u.data != DATA_ST)
        ck_assert_uint_eq(value(1), data_cases[_i].lane_read);
}
END_TEST

/* The condition same looks at the lane as it was before the operation, and cuts B to its width. */
static const struct {
    enum isa_data op;
    enum isa_lane lane;
    uint64_t row, b;
    bool same;
} same_cases[] = {
    {DATA_LD, LANE_D, 0x8877665544332211, 0x8877665544332211, true},
    {DATA_LD, LANE_D, 0x8877665544332211, 0x0877665544332211, false},
    {DATA_LD, LANE_W1, 0x8877665544332211, 0x1188776655, true}, /* B is cut */
    {DATA_LD, LANE_W1, 0x8877665544332211, 0x88776654, false},
    {DATA_LD, LANE_B1, 0x2211, 0x22, true},
    {DATA_LD, LANE_B1, 0x2211, 0x11, false}, /* another lane has it */
    {DATA_INC, LANE_H0, 7, 7, true},         /* before: */
    {DATA_INC, LANE_H0, 7, 8, false},
    {DATA_ADD, LANE_B0, 0xff, 0xff, true},
    {DATA_ST, LANE_W0, 5, 5, true},
    {DATA_ST, LANE_W0, 5, 6, false},
    {DATA_XCHG, LANE_H1, 0x00090000, 9, true},
    {DATA_XCHG, LANE_H1, 0x00070000, 9, false},
};

START_TEST(test_same)
{
    struct uop u = {.data = (uint8_t)same_cases[_i].op,
                    .lane = (uint8_t)same_cases[_i].lane,
                    .b = F1,
                    .cond = COND_SAME,
                    .target = TARGET_INTERRUPT};
    u.alu = isa_uses(&u, 0).b ? ALU_NONE : ALU_MOV;
    image.words = 0;
    add(u);
    add((struct uop){DONE});
    start();
    bus_put(&bus, BUS_DATA, same_cases[_i].row);
    offer(0x1000, same_cases[_i].b, 0);
    cop_drain(cop);
    ck_assert_int_eq(cop_state(cop), same_cases[_i].same ? BUS_INTERRUPT : BUS_WAITING_SAMPLE);
}
END_TEST

/* A whole row comes back updated. */
START_TEST(test_row)
{
    image.words = 0;
    add((struct uop){.data = DATA_INC, .lane = LANE_H3, .vsrc = VSRC_ROW, .vdst = 2});
    add((struct uop){DONE});
    start();
    bus_put(&bus, BUS_DATA, 0x0004000000000077);
    offer(0, 0, 0);
    cop_drain(cop);
    ck_assert_uint_eq(value(2), 0x0005000000000077);
}
END_TEST

static const struct {
    enum isa_idx op;
    unsigned width;
    bool saturates;
    unsigned before, after;
    bool limit;
} index_cases[] = {
    {IDX_INC, 4, false, 14, 15, false},   {IDX_INC, 4, false, 15, 0, true},      {IDX_INC, 4, true, 14, 15, true},
    {IDX_INC, 4, true, 15, 15, true},     {IDX_DEC, 16, false, 1, 0, false},     {IDX_DEC, 16, false, 0, 0xffff, true},
    {IDX_DEC, 16, true, 1, 0, true},      {IDX_DEC, 3, true, 0, 0, true},        {IDX_CLR, 8, false, 77, 0, false},
    {IDX_TEST, 8, false, 255, 255, true}, {IDX_TEST, 8, false, 254, 254, false}, {IDX_INC, 1, false, 1, 0, true},
};

START_TEST(test_index)
{
    bool test = index_cases[_i].op == IDX_TEST, clr = index_cases[_i].op == IDX_CLR;
    image.index_width[5] = (uint8_t)index_cases[_i].width;
    image.index_saturates[5] = index_cases[_i].saturates;
    image.words = 0;
    add((struct uop){.idx = (uint8_t)index_cases[_i].op,
                     .ir = clr ? 0 : 5,
                     .iw = test ? 0 : 5,
                     .cond = COND_LIMIT,
                     .target = TARGET_INTERRUPT});
    add((struct uop){DONE});
    start();
    bus_put(&bus, BUS_INDEXES + 8, (uint64_t)index_cases[_i].before << 16);
    offer(0, 0, 0);
    cop_drain(cop);
    ck_assert_uint_eq(index_of(5), index_cases[_i].after);
    ck_assert_int_eq(cop_state(cop), index_cases[_i].limit ? BUS_INTERRUPT : BUS_WAITING_SAMPLE);
}
END_TEST

/* A step from a wider register into a narrower one: cut where that wraps, clipped where it saturates. */
START_TEST(test_index_of_another_width)
{
    image.index_width[4] = 6;
    image.index_width[5] = 4;
    image.index_saturates[5] = _i / 2 == 1;
    image.words = 0;
    add((struct uop){.idx = _i % 2 == 0 ? IDX_INC : IDX_DEC, .ir = 4, .iw = 5});
    add((struct uop){DONE});
    start();
    bus_put(&bus, BUS_INDEXES + 8, 40);
    offer(0, 0, 0);
    cop_drain(cop);
    static const unsigned after[] = {41 % 16, 39 % 16, 15, 15};
    ck_assert_uint_eq(index_of(5), after[_i]);
    ck_assert_uint_eq(index_of(4), 40);
}
END_TEST

START_TEST(test_match_in_sub_array)
{
    image.base[1] = 64;
    image.index_width[2] = 5;
    image.words = 0;
    add((struct uop){
        .cam = CAM_MATCH, .idx = IDX_MATCH, .b = F0, .base = 1, .iw = 2, .cond = COND_HIT, .target = TARGET_INTERRUPT});
    add((struct uop){DONE});
    start();
    bus_put(&bus, BUS_CAM + 8 * (70 / 2), 0x800);  /* entry 70: in the sub-array 64..95 */
    bus_put(&bus, BUS_CAM + 8 * (100 / 2), 0x800); /* entry 100: outside */
    bus_put(&bus, BUS_VALID + 8, UINT64_C(1) << (100 - 64));
    offer(0x1000, 0, 0);
    cop_drain(cop);
    ck_assert_int_eq(cop_state(cop), BUS_WAITING_SAMPLE);
    bus_put(&bus, BUS_VALID + 8, UINT64_C(1) << (70 - 64) | UINT64_C(1) << (80 - 64));
    bus_put(&bus, BUS_CAM + 8 * (80 / 2), 0x800); /* a second one: the lower wins */
    offer(0x1000, 0, 1000);
    cop_drain(cop);
    ck_assert_int_eq(cop_state(cop), BUS_INTERRUPT);
    ck_assert_uint_eq(index_of(2), 70 - 64);
}
END_TEST

static void deliver_pair(uint64_t pc, uint64_t result)
{
    offer(pc, result, cop_drain(cop) + 1);
    cop_drain(cop);
}

/* A wide sub-array compares operand A's low half too, which a match in another sub-array takes for 0. */
START_TEST(test_wide_keys)
{
    image.base[1] = 64;
    image.wide = 1u << 1;
    image.index_width[2] = 5;
    image.words = 0;
    add((struct uop){.alu = ALU_MOV, .b = F1, .vsrc = VSRC_ALU, .vdst = 3});
    add((struct uop){.cam = CAM_MATCH,
                     .idx = IDX_MATCH,
                     .a = 3,
                     .b = F0,
                     .base = 1,
                     .iw = 2,
                     .cond = COND_HIT,
                     .target = TARGET_INTERRUPT});
    add((struct uop){.cam = CAM_WRITE, .a = 3, .b = F0, .base = 1, .ir = 4, DONE});
    start();
    bus_put(&bus, BUS_INDEXES + 8, 6);
    deliver_pair(0x1000, UINT64_C(0x500000007));
    ck_assert_int_eq(cop_state(cop), BUS_WAITING_SAMPLE);
    ck_assert_uint_eq(bus_get(&bus, BUS_CAM + 8 * (70 / 2)), sample_pc32(0x1000));
    ck_assert_uint_eq(bus_get(&bus, BUS_CAM_HIGH + 8 * (70 / 2)), 7);
    bus_put(&bus, BUS_INDEXES + 8, 4);
    deliver_pair(0x1000, 8);
    deliver_pair(0x1000, 0);
    ck_assert_int_eq(cop_state(cop), BUS_WAITING_SAMPLE);
    deliver_pair(0x1000, 7);
    ck_assert_int_eq(cop_state(cop), BUS_INTERRUPT);
    ck_assert_uint_eq(index_of(2), 6);
}
END_TEST

/* The bus: the halves of an entry are written one by one; a word whose operand A is no part of its key is illegal. */
START_TEST(test_wide_registers)
{
    image.words = 0;
    add((struct uop){.cam = CAM_WRITE, .b = F0, .base = 1, .ir = 4, DONE});
    start();
    bus_put(&bus, BUS_CAM, UINT64_C(0x2222222211111111));
    bus_put(&bus, BUS_CAM_HIGH, UINT64_C(0x4444444433333333));
    ck_assert_uint_eq(bus_get(&bus, BUS_CAM), 0x2222222211111111);
    bus_put(&bus, BUS_CAM, 0);
    ck_assert_uint_eq(bus_get(&bus, BUS_CAM_HIGH), 0x4444444433333333);
    bus_put(&bus, BUS_WIDE, 0x1ff);
    ck_assert_uint_eq(bus_get(&bus, BUS_WIDE), 0xff);
    bus_put(&bus, BUS_MICROCODE, bus_get(&bus, BUS_MICROCODE) | UINT64_C(2) << 31); /* operand A: v2 */
    offer(0x1000, 0, 0);
    cop_drain(cop);
    ck_assert_int_eq(cop_state(cop), BUS_WAITING_SAMPLE);
    bus_put(&bus, BUS_WIDE, 0);
    offer(0x1000, 0, 1000);
    cop_drain(cop);
    ck_assert_int_eq(cop_state(cop), BUS_ILLEGAL);
}
END_TEST

static void use_buffer(bool early_drop)
{
    struct cop_config config = cop_default_config;
    config.early_drop = early_drop;
    configure(&config);
    image.words = 0;
    add((struct uop){DONE});
    ck_assert_uint_eq(image_record_bytes(&image), 16);
    start();
}

/* 1024 bytes hold 64 records of 16 bytes (8 of result, 4 of pc32, the class, rounded up): the 65th of a burst is
 * dropped. */
START_TEST(test_full_buffer_drops)
{
    use_buffer(false);
    for (unsigned i = 0; i < 70; i++)
        offer(0x1000, 0, 0);
    ck_assert_uint_eq(bus_get(&bus, BUS_DROPPED), 6);
    ck_assert_uint_eq(bus_get(&bus, BUS_DROPPED_FULL), 6);
    cop_drain(cop);
    bus_put(&bus, BUS_COMMAND, BUS_HALT);
    deliver(0x1000, 0, cop_drain(cop)); /* tagged before */
    ck_assert_uint_eq(bus_get(&bus, BUS_DROPPED_HALTED), 1);
    ck_assert_uint_eq(bus_get(&bus, BUS_DROPPED), 7);
    ck_assert_uint_eq(bus_get(&bus, BUS_PROCESSED), 64);
    ck_assert_uint_eq(bus_get(&bus, BUS_DELIVERED), 71);
}
END_TEST

/* The first half of the buffer takes all. After that each of 32 places is harder to come by: the chance to take the
 * next one is 31/32, 30/32 and so on, and 32 x (1 + 1/2 + ... + 1/31) = 129 samples, +- 40, fill it. */
START_TEST(test_early_drop)
{
    use_buffer(true);
    unsigned offered = 0;
    while (bus_get(&bus, BUS_DELIVERED) - bus_get(&bus, BUS_DROPPED) < 32)
        offer(0x1000, offered++, 0);
    ck_assert_uint_eq(offered, 32);
    while (bus_get(&bus, BUS_DELIVERED) - bus_get(&bus, BUS_DROPPED) < 64 && offered < 1000)
        offer(0x1000, offered++, 0);
    ck_assert_uint_gt(offered, 32 + 129 - 2 * 40);
    ck_assert_uint_lt(offered, 32 + 129 + 2 * 40);
    offer(0x1000, 0, 0);
    ck_assert_uint_eq(bus_get(&bus, BUS_DELIVERED) - bus_get(&bus, BUS_DROPPED), 64);
    ck_assert_uint_eq(bus_get(&bus, BUS_DROPPED_FULL), 1);
    ck_assert_uint_eq(bus_get(&bus, BUS_DROPPED_EARLY), bus_get(&bus, BUS_DROPPED) - 1);
}
END_TEST

/* The field LOST of the newest sample in the buffer. */
/* Of the newest sample in the buffer the fields about what was dropped before it: the weight is one more. */
static uint64_t newest_lost(void)
{
    struct cop_record r;
    ck_assert(cop_record(cop, cop_queued(cop) - 1, &r));
    ck_assert_uint_eq(r.field[2], r.field[1] < 255 ? r.field[1] + 1 : 255);
    return r.field[1];
}

/* A sample counts those dropped since the one before it. What the host discards is dropped too. */
START_TEST(test_lost)
{
    struct cop_config config = cop_default_config;
    config.early_drop = 0;
    configure(&config);
    image.field[1] = FIELD_LOST;
    image.field[2] = FIELD_WEIGHT;
    image.fields = 3;
    add((struct uop){DONE});
    start();
    bus_put(&bus, BUS_COMMAND, BUS_HALT);
    for (unsigned i = 0; i < 3; i++)
        deliver(0x1000, 0, 0); /* dropped: halted */
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    deliver(0x1000, 0, 0);
    ck_assert_uint_eq(newest_lost(), 3);
    deliver(0x1000, 0, 0);
    ck_assert_uint_eq(newest_lost(), 0);
    for (unsigned i = 0; i < 500; i++)
        deliver(0x1000, 0, 0);
    ck_assert_uint_gt(bus_get(&bus, BUS_DROPPED_FULL), 300);
    ck_assert_uint_eq(newest_lost(), 0);
    cop_drain(cop);
    deliver(0x1000, 0, cop_cycle(cop));
    ck_assert_uint_eq(newest_lost(), 255); /* all that the field can say */
    deliver(0x1000, 0, cop_cycle(cop));
    uint64_t queued = cop_queued(cop);
    bus_put(&bus, BUS_COMMAND, BUS_DROP_SAMPLES);
    deliver(0x1000, 0, cop_cycle(cop));
    ck_assert_uint_eq(newest_lost(), queued);
    deliver(0x1000, 0, cop_cycle(cop));
    ck_assert_uint_eq(newest_lost(), 0);
}
END_TEST

static uint64_t core_now, raised_at;

static void note_raised(void *ctx, uint64_t cycle)
{
    (void)ctx;
    ck_assert_uint_le(cycle, core_now);
    raised_at = core_now;
}

/* The core cycle in which a sample's interrupt, some words later, reaches the core: by questions about each
 * instruction, or by the filter for time alone. */
static uint64_t interrupt_seen(bool asks)
{
    struct cop_config config = cop_default_config;
    configure(&config);
    cop_on_interrupt(cop, note_raised, NULL);
    start();
    struct sample_sink sink = cop_sink(cop);
    raised_at = 0;
    core_now = 5;
    sink.pass_time(sink.ctx, core_now);
    deliver(0x1000, 7, core_now);
    for (core_now++; core_now < 200 && raised_at == 0; core_now++) {
        if (asks && event_filter_passes(sink.filter, OPCLASS_STORE, core_now))
            ck_assert(!sink.accept(sink.ctx, OPCLASS_STORE, 0x2000, core_now));
        if (!asks && event_filter_passes(sink.due, OPCLASS_LOAD, core_now))
            sink.pass_time(sink.ctx, core_now);
    }
    return raised_at;
}

START_TEST(test_time_passes_without_questions)
{
    for (unsigned i = 0; i < 9; i++)
        add((struct uop){.alu = ALU_MOV, .b = F1, .vsrc = VSRC_ALU});
    add((struct uop){.cond = COND_NEVER, .invert = 1, .target = TARGET_INTERRUPT});
    uint64_t seen = interrupt_seen(false);
    ck_assert_uint_gt(seen, 5 + 9);
    ck_assert_uint_eq(seen, interrupt_seen(true));
}
END_TEST

START_TEST(test_interrupt_halts_and_restarts)
{
    image.words = 0;
    add((struct uop){.cond = COND_NEVER, .invert = 1, .target = TARGET_INTERRUPT});
    start();
    offer(0, 0, 0);
    offer(0, 0, 0);
    cop_drain(cop);
    ck_assert_uint_eq(bus_get(&bus, BUS_STATUS), BUS_INTERRUPT);
    ck_assert_uint_eq(bus_get(&bus, BUS_PROCESSED), 1);
    cop_advance(cop, 1000);
    ck_assert_uint_eq(bus_get(&bus, BUS_PROCESSED), 1);
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    cop_drain(cop);
    ck_assert_uint_eq(bus_get(&bus, BUS_PROCESSED), 2);
}
END_TEST

START_TEST(test_filters)
{
    image.words = 0;
    add((struct uop){DONE});
    start();
    struct sample_sink sink = cop_sink(cop);
    ck_assert(!sink.accept(sink.ctx, OPCLASS_STORE, 0x1000, 0));
    ck_assert(sink.accept(sink.ctx, OPCLASS_LOAD, 0x1000, 0));
    bus_put(&bus, BUS_FILTER1, 0x3 | 0x1 << 16);
    ck_assert(!sink.accept(sink.ctx, OPCLASS_LOAD, 0x1000, 0));
    ck_assert(sink.accept(sink.ctx, OPCLASS_LOAD, 0x1002, 0));
    bus_put(&bus, BUS_FILTER1, 0);
    uint32_t bit = pchash_filter2(0, sample_pc32(0x1002), FILTER2_BITS);
    bus_put(&bus, BUS_MASKED + 8 * (bit / 64), UINT64_C(1) << bit % 64);
    ck_assert(!sink.accept(sink.ctx, OPCLASS_LOAD, 0x1002, 0));
    ck_assert(sink.accept(sink.ctx, OPCLASS_LOAD, 0x1000, 0));
    ck_assert_uint_eq(bus_get(&bus, BUS_OFFERED), 6);
    ck_assert_uint_eq(bus_get(&bus, BUS_FILTERED), 3);
}
END_TEST

/* By the table's own words: every address of a region is found in it, every other in none. */
START_TEST(test_bus_regions_are_found)
{
    for (uint32_t address = 0; address < 0x20000; address++) {
        const struct bus_region *expected = NULL;
        for (size_t i = 0; i < bus_region_count; i++)
            if (address >= bus_regions[i].address && address - bus_regions[i].address < 8 * bus_regions[i].words)
                expected = &bus_regions[i];
        if (bus_find(address) != expected)
            ck_abort_msg("0x%x is found in %s", (unsigned)address,
                         bus_find(address) != NULL ? bus_find(address)->name : "no region");
    }
    ck_assert_ptr_null(bus_find(UINT32_MAX));
}
END_TEST

static uint64_t look_at_clock(void *ctx, uint64_t cycle)
{
    *(uint64_t *)ctx = cycle;
    return cycle + 1000;
}

/* Samples that the event filter rejects count as seen by the filters. The filter is open while the clock is read. */
START_TEST(test_event_filter)
{
    uint64_t looked = UINT64_MAX;
    image.words = 0;
    add((struct uop){DONE});
    start();
    struct sample_sink sink = cop_sink(cop);
    cop_on_clock(cop, look_at_clock, &looked);
    ck_assert(event_filter_passes(sink.filter, OPCLASS_STORE, 5));
    ck_assert(!sink.accept(sink.ctx, OPCLASS_STORE, 0x1000, 5));
    ck_assert_uint_eq(looked, 5);
    ck_assert(!event_filter_passes(sink.filter, OPCLASS_STORE, 1004));
    ck_assert(event_filter_passes(sink.filter, OPCLASS_LOAD, 1004));
    ck_assert(event_filter_passes(sink.filter, OPCLASS_STORE, 1005));
    ck_assert_uint_eq(bus_get(&bus, BUS_OFFERED), 2);
    ck_assert_uint_eq(bus_get(&bus, BUS_FILTERED), 2);
    ck_assert(!sink.accept(sink.ctx, OPCLASS_STORE, 0x1000, 1005));
    ck_assert_uint_eq(looked, 1005);
    ck_assert(!event_filter_passes(sink.filter, OPCLASS_STORE, 1005));
    bus_put(&bus, BUS_CLASSES, 1u << OPCLASS_STORE);
    ck_assert(event_filter_passes(sink.filter, OPCLASS_LOAD, 1006));
    ck_assert(sink.accept(sink.ctx, OPCLASS_STORE, 0x1000, 1006));
    ck_assert(!event_filter_passes(sink.filter, OPCLASS_LOAD, 1006));
    bus_put(&bus, BUS_COMMAND, BUS_CLEAR_STATISTICS);
    ck_assert_uint_eq(bus_get(&bus, BUS_OFFERED), 0);
    ck_assert_uint_eq(bus_get(&bus, BUS_FILTERED), 0);
}
END_TEST

/* Answers that the core knows count as its questions do. A halted co-processor accepts nothing, so none is known. */
START_TEST(test_known_answers)
{
    image.words = 0;
    add((struct uop){DONE});
    start();
    struct sample_sink sink = cop_sink(cop);
    ck_assert(sink.accept(sink.ctx, OPCLASS_LOAD, 0x1000, 5));
    ck_assert(event_filter_is_known(sink.filter, OPCLASS_LOAD, 5));
    ck_assert(!event_filter_is_known(sink.filter, OPCLASS_STORE, 5));
    event_filter_count(sink.filter, true);
    event_filter_count(sink.filter, false);
    ck_assert_uint_eq(bus_get(&bus, BUS_OFFERED), 3);
    ck_assert_uint_eq(bus_get(&bus, BUS_ELIGIBLE), 3);
    ck_assert_uint_eq(bus_get(&bus, BUS_FILTERED), 1);
    bus_put(&bus, BUS_COMMAND, BUS_CLEAR_STATISTICS);
    ck_assert_uint_eq(bus_get(&bus, BUS_OFFERED) + bus_get(&bus, BUS_ELIGIBLE) + bus_get(&bus, BUS_FILTERED), 0);
    ck_assert(!event_filter_is_known(sink.filter, OPCLASS_LOAD, 6)); /* after a store to the bus it asks first */
    ck_assert(sink.accept(sink.ctx, OPCLASS_LOAD, 0x1000, 6));
    ck_assert(event_filter_is_known(sink.filter, OPCLASS_LOAD, 6));
    bus_put(&bus, BUS_COMMAND, BUS_HALT);
    ck_assert(!sink.accept(sink.ctx, OPCLASS_LOAD, 0x1000, 7));
    ck_assert(!event_filter_is_known(sink.filter, OPCLASS_LOAD, 7));
}
END_TEST

/* Regions follow each other by address, each once, and all of them. */
START_TEST(test_bus_regions_in_order)
{
    const struct bus_region *last = NULL;
    size_t count = 0;
    for (const struct bus_region *r = bus_next(NULL); r != NULL; r = bus_next(r)) {
        ck_assert_msg(last == NULL || r->address >= last->address + 8 * last->words, "%s", r->name);
        last = r;
        count++;
    }
    ck_assert_uint_eq(count, bus_region_count);
}
END_TEST

/* A register file has one region, of as many elements; a region scales with one key of the configuration at most. */
START_TEST(test_bus_columns)
{
    for (unsigned file = 0; file < REG_FILES; file++)
        ck_assert_uint_eq(bus_find_names((enum bus_names)file)->elements, isa_regfiles[file].count);
    ck_assert_uint_eq(bus_find_names(BUS_NAMES_FIELD)->address, BUS_HEAD);
    const struct bus_geometry g = {.cam_entries = 128, .data_rows = 512, .buffer_bytes = 1024, .filter2_bits = 16384};
    ck_assert_uint_eq(bus_elements(bus_find(BUS_CAM), &g), 128);
    ck_assert_uint_eq(bus_elements(bus_find(BUS_VALID), &g), 128);
    ck_assert_uint_eq(bus_elements(bus_find(BUS_DATA), &g), 512);
    ck_assert_uint_eq(bus_elements(bus_find(BUS_MASKED), &g), 16384);
    ck_assert_uint_eq(bus_elements(bus_find(BUS_CONSTS), &g), 4);
    const struct bus_geometry again = bus_unpack_geometry(bus_pack_geometry(&g));
    ck_assert_mem_eq(&again, &g, sizeof g);
    ck_assert(!bus_is_readable(bus_find(BUS_COMMAND)));
    ck_assert(bus_is_readable(bus_find(BUS_STATUS)));
}
END_TEST

/* Whatever has been counted, a command clears it. */
START_TEST(test_statistics_are_cleared)
{
    struct cop_config config = cop_default_config;
    config.buffer_bytes = 16;
    configure(&config);
    add((struct uop){DONE});
    start();
    for (unsigned i = 0; i < 5; i++)
        offer(0x1000, 0, 10);
    cop_drain(cop);
    ck_assert_uint_gt(bus_get(&bus, BUS_DROPPED_FULL), 0);
    ck_assert_uint_gt(bus_get(&bus, BUS_WORDS), 0);
    bus_put(&bus, BUS_COMMAND, BUS_CLEAR_STATISTICS);
    for (size_t i = 0; i < bus_region_count; i++)
        if (bus_regions[i].kind == BUS_KIND_STATISTIC)
            ck_assert_msg(bus_get(&bus, bus_regions[i].address) == 0, "%s", bus_regions[i].name);
}
END_TEST

/* Table 1 of the paper; what it leaves open is our choice (isa/cop_config.def). */
START_TEST(test_default_config)
{
    const struct cop_config *c = &cop_default_config;
    ck_assert_uint_eq(c->cam_entries, 256);
    ck_assert_uint_eq(c->data_rows, 256);
    ck_assert_uint_eq(c->buffer_bytes, 1024);
    ck_assert_uint_eq(c->clock_divide, 1);
    ck_assert_uint_eq(c->path_cycles, 4);
    ck_assert_uint_eq(c->runaway_words, ISA_RUNAWAY_WORDS);
    ck_assert_uint_eq(c->early_drop, true);
}
END_TEST

/* Everything readable and writable reads back as written. */
START_TEST(test_bus_reads_back)
{
    const struct bus_region *r = &bus_regions[_i];
    if (strcmp(r->access, "RW") != 0)
        return;
    for (uint32_t w = 0; w < r->words; w++) {
        uint64_t v = r->address == BUS_WIDTHS ? UINT64_C(0x8105100407060504) : UINT64_C(0x0101010101010101) + w % 3,
                 back;
        uint32_t at = r->address + 8 * w;
        enum status st = bus.write(bus.ctx, at, v);
        ck_assert_int_eq(bus.read(bus.ctx, at, &back), st);
        if (st != ST_OK)
            continue; /* beyond the configured arrays */
        uint64_t kept = r->address == BUS_LFSR                                ? 0xffff
                        : r->address == BUS_CLASSES || r->address == BUS_KEPT ? (1u << OPCLASS_COUNT) - 1
                        : r->address == BUS_WIDE                              ? (1u << ISA_BASES) - 1
                        : r->address == BUS_FILTER1                           ? 0x3ffffffff
                        : r->address == BUS_FILTER2                           ? 3
                        : r->address == BUS_MICROCODE                         ? (UINT64_C(1) << 48) - 1
                        : r->address == BUS_TARGETS                           ? 0xffffffff
                                                                              : UINT64_MAX;
        if (r->address == BUS_DISPATCH && w == 2)
            v |= UINT64_C(0xffffff) << 40;
        ck_assert_msg(back == (v & kept), "%s word %u: wrote %llx, read %llx", r->name, w, (unsigned long long)v,
                      (unsigned long long)back);
    }
}
END_TEST

static const struct {
    bool write;
    uint32_t address;
    uint64_t value;
    const char *reason;
} refused[] = {
    {false, BUS_COMMAND, 0, "it can only be written"},
    {true, BUS_STATUS, 0, "it can only be read"},
    {false, BUS_DATA + 4, 0, "the address is no multiple of 8"},
    {true, 0xfff9, 0, "the address is no multiple of 8"},
    {false, BUS_DATA + 8 * ISA_DATA_ROWS, 0, "it is outside the configured arrays"},
    {true, BUS_CAM + 4 * ISA_CAM_ENTRIES, 0, "it is outside the configured arrays"},
    {true, BUS_VALID + ISA_CAM_ENTRIES / 8, 0, "it is outside the configured arrays"},
    {false, 0xfff8, 0, "there is nothing at this address"},
    {true, BUS_WIDTHS, 0x11, "the register cannot have this value"},
    {true, BUS_FORMAT, FIELD_COUNT, "the register cannot have this value"},
};

START_TEST(test_bus_refuses)
{
    uint64_t v;
    enum status st = refused[_i].write ? bus.write(bus.ctx, refused[_i].address, refused[_i].value)
                                       : bus.read(bus.ctx, refused[_i].address, &v);
    ck_assert_int_eq(st, ST_RANGE);
    ck_assert_str_eq(bus_refusal(&bus, refused[_i].address, refused[_i].write), refused[_i].reason);
}
END_TEST

/* Description of a stop, behind "the co-processor was stopped ". */
static void expect_stop(const char *text)
{
    struct program_stop stop;
    char *said = NULL;
    size_t size_bytes;
    ck_assert(cop_find_stop(cop, &image, &stop));
    FILE *out = open_memstream(&said, &size_bytes);
    stop_describe(&stop, out);
    fclose(out);
    ck_assert_str_eq(said + strlen("the co-processor was stopped "), text);
    free(said);
}

START_TEST(test_illegal_word_stops)
{
    image.words = 0;
    add((struct uop){DONE});
    start();
    bus_put(&bus, BUS_MICROCODE, (UINT64_C(1) << 48) - 1);
    offer(0, 0, 0);
    cop_drain(cop);
    ck_assert_int_eq(cop_state(cop), BUS_ILLEGAL);
    expect_stop("at word 0 (illegal: ffffffffffff) after 0 words for sample 1 (load pc32=0x0 result=0x0, of cycle 0): "
                "this is no microinstruction");
}
END_TEST

START_TEST(test_class_without_entry_stops)
{
    image.words = 0;
    add((struct uop){DONE});
    strcpy(image.label[0], "go");
    image.fields = 1;
    image.field[0] = FIELD_PC32;
    start();
    offer(0, 0, 0);
    cop_drain(cop);
    for (unsigned i = 0; i < 3; i++)
        bus_put(&bus, BUS_DISPATCH + 8 * i, UINT64_MAX);
    offer(0, 0, 100);
    cop_drain(cop);
    ck_assert_int_eq(cop_state(cop), BUS_ILLEGAL);
    expect_stop("by sample 2 (load pc32=0x0, of cycle 100): its class has no entry");
    bus_put(&bus, BUS_COMMAND, BUS_DROP_SAMPLES);
    expect_stop("at word 63 (nop) after 0 words for a sample that has left the buffer: this is no microinstruction");
}
END_TEST

START_TEST(test_runaway_is_stopped)
{
    image.words = 0;
    add((struct uop){0});
    add((struct uop){.cond = COND_NEVER, .invert = 1, .target = TARGET_FORWARD - 1}); /* back to word 0 */
    start();
    offer(0, 0, 0);
    cop_drain(cop);
    ck_assert_int_eq(cop_state(cop), BUS_RUNAWAY);
    expect_stop("at word 0 (nop) after 1048576 words for sample 1 (load pc32=0x0 result=0x0, of cycle 0): no sample "
                "may take more words (cop_runaway_words)");
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    ck_assert(!cop_find_stop(cop, &image, &(struct program_stop){0}));
}
END_TEST

/* The LFSR's 65535 states, each once. */
START_TEST(test_lfsr_period)
{
    image.words = 0;
    add((struct uop){DONE});
    start();
    uint64_t first = bus_get(&bus, BUS_LFSR), n = 0, low = 0;
    do {
        offer(0, 0, 10 * n++);
        cop_drain(cop);
        low += bus_get(&bus, BUS_LFSR) % 16 == 15;
    } while (bus_get(&bus, BUS_LFSR) != first);
    ck_assert_uint_eq(n, 65535);
    ck_assert_uint_eq(low, 4096);
}
END_TEST

/* A change of each part of a co-processor's state: CHANGE(name, statement). */
#define CHANGES(CHANGE)                                        \
    CHANGE(time, c->time++)                                    \
    CHANGE(words, c->words++)                                  \
    CHANGE(first_cycle, c->counts.first_cycle++)               \
    CHANGE(value_register, c->operand[BSRC_VALUE]++)           \
    CHANGE(use, *(uint8_t *)&c->use ^= 1)                      \
    CHANGE(count, c->buffer.count--)                           \
    CHANGE(fields, c->buffer.fields--)                         \
    CHANGE(path, c->buffer.path_free++)                        \
    CHANGE(admission, c->admission.lfsr ^= 1)                  \
    CHANGE(sample_class, buffer_at(&c->buffer, 0)->opclass++)  \
    CHANGE(sample_time, buffer_at(&c->buffer, 0)->readable++)  \
    CHANGE(sample_field, buffer_at(&c->buffer, 0)->field[0]++) \
    CHANGE(executed, c->word[0].executed++)                    \
    CHANGE(base, c->base[1]++)
#define DEFINE(part, statement) \
    static void change_##part(struct cop *c) { statement; }
CHANGES(DEFINE)
#define COP_PARAM(key, def, min, max, unit, help) \
    static void change_##key(struct cop *c) { c->config.key++; }
#include "isa/cop_config.def"

static const struct {
    const char *what;
    void (*change)(struct cop *c);
} changes[] = {
#define ROW(part, statement) {#part, change_##part},
    CHANGES(ROW)
#define COP_PARAM(key, def, min, max, unit, help) {#key, change_##key},
#include "isa/cop_config.def"
};

START_TEST(test_equal)
{
    image.words = 0;
    add((struct uop){DONE});
    start();
    offer(0x1000, 5, 1);
    offer(0x1004, 6, 1);
    struct cop *same = cop_clone(cop);
    ck_assert(cop_equal(cop, same) && cop->buffer.count > 0);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct cop *other = cop_clone(cop);
        changes[i].change(other);
        ck_assert_msg(!cop_equal(cop, other), "%s", changes[i].what);
        cop_free(other);
    }
    cop_free(same);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cop");
    TCase *t = tcase_create("co-processor");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_alu, 0, sizeof alu_cases / sizeof alu_cases[0]);
    tcase_add_loop_test(t, test_data, 0, sizeof data_cases / sizeof data_cases[0]);
    tcase_add_loop_test(t, test_same, 0, sizeof same_cases / sizeof same_cases[0]);
    tcase_add_loop_test(t, test_index, 0, sizeof index_cases / sizeof index_cases[0]);
    tcase_add_loop_test(t, test_index_of_another_width, 0, 4);
    tcase_add_test(t, test_equal);
    tcase_add_test(t, test_default_config);
    tcase_add_test(t, test_bus_regions_in_order);
    tcase_add_test(t, test_bus_columns);
    tcase_add_test(t, test_statistics_are_cleared);
    tcase_add_test(t, test_bus_regions_are_found);
    tcase_add_loop_test(t, test_bus_reads_back, 0, (int)bus_region_count);
    tcase_add_test(t, test_row);
    tcase_add_test(t, test_match_in_sub_array);
    tcase_add_test(t, test_wide_keys);
    tcase_add_test(t, test_wide_registers);
    tcase_add_test(t, test_full_buffer_drops);
    tcase_add_test(t, test_early_drop);
    tcase_add_test(t, test_lost);
    tcase_add_test(t, test_time_passes_without_questions);
    tcase_add_test(t, test_interrupt_halts_and_restarts);
    tcase_add_test(t, test_filters);
    tcase_add_test(t, test_event_filter);
    tcase_add_test(t, test_known_answers);
    tcase_add_loop_test(t, test_bus_refuses, 0, sizeof refused / sizeof refused[0]);
    tcase_add_test(t, test_illegal_word_stops);
    tcase_add_test(t, test_class_without_entry_stops);
    tcase_add_test(t, test_runaway_is_stopped);
    tcase_add_test(t, test_lfsr_period);
    suite_add_tcase(s, t);
    return run_suite(s);
}
