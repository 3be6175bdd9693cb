/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many cycles words, branches, done, interrupt and waiting take, at each clock of the co-processor. What is
 * expected is worked out here, by the sentences of docs/decisions.md ("Sequencing", "Record") and nothing of the
 * model's:
 *
 *   A sample of one beat that sets out in core cycle t, with the path free, can be read in t + 1 + 4. A path that is
 * not free delays it until the beats before it have gone. With a clock of 1/d, what comes in core cycle x is seen in
 * the first cycle of the co-processor's that starts then or later: ceil(x / d). The first word of a sample executes in
 * the cycle after the one in which it is seen, or in the one behind the sample before it. A word takes one cycle, a
 * branch predicted wrong one more. Unconditional branches are not predicted. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/cop_bench.h"

enum { CLOCKS = 4, RECORD_BYTES = 16, BUFFERED = 1024 / RECORD_BYTES };

static uint64_t seen(uint64_t core_cycle, unsigned divide) { return (core_cycle + divide - 1) / divide; }

/* The cycle of the co-processor in which a sample's first word executes that sets out at `t` with that many beats
 * before it on the path, its own included; the co-processor is free from `free` on. */
static uint64_t first_word(uint64_t t, unsigned beats, unsigned divide, uint64_t free)
{
    uint64_t at = seen(t + beats + 4, divide) + 1;
    return at > free ? at : free;
}

static void configure_clock(unsigned divide)
{
    struct cop_config config = cop_default_config;
    config.clock_divide = divide;
    config.early_drop = false;
    configure(&config);
    image.words = 0;
}

#define EXPECT(what, found, expected, ...)                                                                            \
    do {                                                                                                              \
        uint64_t f = (found), x = (expected);                                                                         \
        if (f != x) {                                                                                                 \
            char where[200];                                                                                          \
            snprintf(where, sizeof where, __VA_ARGS__);                                                               \
            ck_abort_msg("%s: %s is %llu, expected %llu", where, what, (unsigned long long)f, (unsigned long long)x); \
        }                                                                                                             \
    } while (0)

START_TEST(test_one_word_per_cycle)
{
    for (unsigned divide = 1; divide <= 8; divide *= 2) {
        configure_clock(divide);
        for (int i = 1; i < _i; i++)
            add((struct uop){0});
        add((struct uop){DONE});
        start();
        offer(0x1000, 0, 0);
        EXPECT("the end", cop_drain(cop), (first_word(0, 1, divide, 0) + (unsigned)_i) * divide, "%d words, clock 1/%u",
               _i, divide);
    }
}
END_TEST

/* Each kind of branch: its condition without a target; state and samples make it hold, or with the inverse fail, as
 * often as it executes. */
static const struct {
    struct uop u;
    bool holds;
} branch_cases[] = {
#define BOTH(...) \
    {{__VA_ARGS__}, true}, { {__VA_ARGS__, .invert = 1}, false }
    {{.cond = COND_NEVER, .invert = 1}, true},
    BOTH(.alu = ALU_CMP, .a = 0, .b = BSRC_ZERO, .cond = COND_EQ),
    BOTH(.alu = ALU_CMP, .a = 0, .b = F1, .cond = COND_LT),
    BOTH(.alu = ALU_CMP, .a = 0, .b = F1, .cond = COND_LTS),
    BOTH(.alu = ALU_MOV, .b = BSRC_ZERO, .cond = COND_ZERO),
    BOTH(.alu = ALU_SUBS, .a = 0, .b = F1, .cond = COND_CLIP),
    BOTH(.data = DATA_MIN, .b = BSRC_ZERO, .lane = LANE_B0, .cond = COND_FULL),
    BOTH(.data = DATA_LD, .lane = LANE_D, .cond = COND_EMPTY),
    BOTH(.data = DATA_LD, .lane = LANE_D, .alu = ALU_MOV, .b = BSRC_ZERO, .cond = COND_SAME),
    BOTH(.idx = IDX_DEC, .cond = COND_LIMIT), /* of one bit, saturating: 0 stays 0 */
    BOTH(.idx = IDX_TEST, .cond = COND_IZERO),
    BOTH(.cam = CAM_MATCH, .b = F0, .iw = 1, .idx = IDX_MATCH, .cond = COND_HIT),
#undef BOTH
};

enum { BRANCH_WORD = 8, REGISTER_TARGETS = 40 };

/* Word 8 is the branch, all others are done: whatever a branch goes to, or falls to, ends the sample with one word
 * more. Target register i leads to word 40 + i. */
static void branch_program(struct uop u)
{
    for (unsigned i = 0; i < ISA_WORDS; i++)
        add(i == BRANCH_WORD ? u : (struct uop){DONE});
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        image.target[i] = (uint8_t)(REGISTER_TARGETS + i);
    image.entry[OPCLASS_LOAD] = BRANCH_WORD;
    image.index_width[0] = 1;
    image.index_saturates[0] = true;
}

/* A branch under test, and what is expected of it. */
struct branch {
    unsigned kind, target, counter, divide;
    bool conditional, taken;
    unsigned words; /* of a sample */
    char text[80];
};

static struct branch branch_of(unsigned kind, unsigned target, unsigned counter, unsigned divide)
{
    const struct uop *u = &branch_cases[kind].u;
    struct branch b = {kind, target, counter, divide, u->cond != COND_NEVER, branch_cases[kind].holds, 2, ""};
    if (b.taken && (target == TARGET_DONE || target == TARGET_INTERRUPT))
        b.words = 1;
    snprintf(b.text, sizeof b.text, "condition %u%s, target %u, counter %u, clock 1/%u", u->cond,
             u->invert ? " inverted" : "", target, counter, divide);
    return b;
}

/* Is it predicted wrong by its word's counter, which learns? */
static bool goes_wrong(struct branch *b)
{
    bool wrong = b->conditional && b->taken != (b->counter >= 2);
    if (b->conditional && b->taken && b->counter < 3)
        b->counter++;
    if (b->conditional && !b->taken && b->counter > 0)
        b->counter--;
    return wrong;
}

static bool interrupts(const struct branch *b) { return b->taken && b->target == TARGET_INTERRUPT; }

static void set_counter(const struct branch *b)
{
    bus_put(&bus, BUS_PREDICTOR, (uint64_t)b->counter << (2 * BRANCH_WORD));
}

/* The core cycle of the last interrupt. */
static uint64_t raised;
static void note_interrupt(void *ctx, uint64_t cycle) { *(uint64_t *)ctx = cycle; }

static void start_branch(const struct branch *b)
{
    struct uop u = branch_cases[b->kind].u;
    u.target = (uint8_t)b->target;
    configure_clock(b->divide);
    branch_program(u);
    start();
    cop_on_interrupt(cop, note_interrupt, &raised);
    bus_put(&bus, BUS_CAM, sample_pc32(0x1000));
    bus_put(&bus, BUS_VALID, 1);
    set_counter(b);
}

static void expect_end(const struct branch *b, const char *what, uint64_t end, uint64_t bubbles)
{
    EXPECT("the end", cop_drain(cop), end * b->divide, "%s, %s", b->text, what);
    EXPECT("the number of bubbles", bus_get(&bus, BUS_BUBBLES), bubbles, "%s, %s", b->text, what);
    EXPECT("the counter", bus_get(&bus, BUS_PREDICTOR) >> (2 * BRANCH_WORD) & 3, b->counter, "%s, %s", b->text, what);
    EXPECT("the state", cop_state(cop), interrupts(b) ? BUS_INTERRUPT : BUS_WAITING_SAMPLE, "%s, %s", b->text, what);
    if (interrupts(b))
        EXPECT("the interrupt", raised, end * b->divide, "%s, %s", b->text, what);
}

/* The buffer is empty whenever a sample comes: in one run in every core cycle of a cycle of the co-processor's, with
 * the same counter. */
static void try_empty_buffer(struct branch b)
{
    unsigned counter = b.counter;
    uint64_t end = 0, bubbles = 0, waited = 0;
    start_branch(&b);
    for (unsigned n = 0; n <= b.divide; n++) {
        uint64_t t = 40 * b.divide * n + n;
        b.counter = counter;
        set_counter(&b);
        offer(0x1000, 1, t);
        unsigned wrong = goes_wrong(&b);
        uint64_t begin = first_word(t, 1, b.divide, end);
        waited += begin - end;
        bubbles += wrong;
        end = begin + b.words + wrong;
        expect_end(&b, "empty buffer", end, bubbles);
        EXPECT("the wait", bus_get(&bus, BUS_WAITING), waited, "%s, empty buffer", b.text);
        bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    }
}

/* A second sample waits behind an interrupt, and the host restarts the co-processor in any core cycle. */
static void try_late_restart(struct branch b)
{
    unsigned counter = b.counter;
    for (unsigned late = 0; late <= b.divide; late++) {
        b.counter = counter;
        start_branch(&b);
        offer(0x1000, 1, 0);
        offer(0x1000, 1, 0);
        unsigned bubbles = goes_wrong(&b);
        uint64_t end = first_word(0, 1, b.divide, 0) + b.words + bubbles;
        expect_end(&b, "interrupt", end, bubbles);
        bus.advance(bus.ctx, end * b.divide + late);
        bus_put(&bus, BUS_COMMAND, BUS_RESTART);
        unsigned wrong = goes_wrong(&b);
        end = first_word(0, 2, b.divide, seen(end * b.divide + late, b.divide));
        expect_end(&b, "restart", end + b.words + wrong, bubbles + wrong);
    }
}

/* All the buffer holds sets out at once, and one sample more, for which there is no room until the first is finished.
 * Samples follow each other without a gap, behind an interrupt where the host restarts at once. */
static void try_full_buffer(struct branch b)
{
    uint64_t bubbles = 0, end = 0, interrupts_taken = 0;
    start_branch(&b);
    for (unsigned i = 0; i < BUFFERED + 1; i++)
        offer(0x1000, 1, 0);
    EXPECT("the number of drops", bus_get(&bus, BUS_DROPPED), 1, "%s", b.text);
    for (unsigned i = 0; i < BUFFERED; i++) {
        unsigned wrong = goes_wrong(&b);
        bubbles += wrong;
        end = first_word(0, i + 1, b.divide, end) + b.words + wrong;
        if (!interrupts(&b))
            continue;
        EXPECT("the end", cop_drain(cop), end * b.divide, "%s, sample %u of a full buffer", b.text, i);
        EXPECT("the state", cop_state(cop), BUS_INTERRUPT, "%s, sample %u of a full buffer", b.text, i);
        if (++interrupts_taken < BUFFERED)
            bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    }
    expect_end(&b, "full buffer", end, bubbles);
    EXPECT("the number of samples", bus_get(&bus, BUS_PROCESSED), BUFFERED, "%s, full buffer", b.text);
}

START_TEST(test_every_branch)
{
    for (unsigned target = 0; target < TARGET_CODES; target++)
        for (unsigned counter = 0; counter < 4; counter++)
            for (unsigned divide = 1; divide <= 8; divide *= SANITIZED ? 8 : 2) {
                struct branch b = branch_of((unsigned)_i, target, counter, divide);
                try_empty_buffer(b);
                try_full_buffer(b);
                if (interrupts(&b))
                    try_late_restart(b);
            }
}
END_TEST

/* A place in a full buffer is free in the cycle behind done: a sample that comes a core cycle sooner finds no room, one
 * that comes then does. */
START_TEST(test_full_buffer_frees_a_place)
{
    unsigned divide = 1u << _i;
    configure_clock(divide);
    add((struct uop){0});
    add((struct uop){DONE});
    start();
    for (unsigned i = 0; i < BUFFERED; i++)
        offer(0x1000, 0, 0);
    uint64_t first = first_word(0, 1, divide, 0), behind = (first + 2) * divide;
    offer(0x1000, 0, behind - 1);
    ck_assert_uint_eq(bus_get(&bus, BUS_DROPPED), 1);
    offer(0x1000, 0, behind);
    ck_assert_uint_eq(bus_get(&bus, BUS_DROPPED), 1);
    ck_assert_uint_eq(cop_drain(cop), (first + 2 * (BUFFERED + 1)) * divide);
}
END_TEST

/* Records of 44 bytes, five fields of 64 bits and the class, are three beats: of two that set out together the second
 * is three cycles behind, and one that comes in between sets out behind both. */
START_TEST(test_records_of_several_beats)
{
    unsigned divide = 1u << _i;
    static const uint8_t wide[] = {FIELD_PC, FIELD_RESULT, FIELD_EA, FIELD_OPERAND1, FIELD_OPERAND2};
    configure_clock(divide);
    image.fields = sizeof wide;
    memcpy(image.field, wide, sizeof wide);
    add((struct uop){DONE});
    start();
    ck_assert_uint_eq(image_record_bytes(&image), 44);
    uint64_t at[] = {3, 3, 5}, end = 0;
    for (unsigned i = 0; i < 3; i++)
        offer(0x1000, 0, at[i]);
    for (unsigned i = 0; i < 3; i++)
        end = first_word(3, 3 * (i + 1), divide, end) + 1;
    ck_assert_uint_eq(cop_drain(cop), end * divide);
}
END_TEST

/* Outcomes that alternate, from weakly not taken: taken (wrong, 1 to 2), not taken (wrong, 2 to 1), and so on: a bubble
 * each. */
START_TEST(test_alternating_branch)
{
    unsigned divide = 1u << _i;
    configure_clock(divide);
    image.constant[0] = 1;
    add((struct uop){.alu = ALU_MOV, .b = F1, .vsrc = VSRC_ALU, .vdst = 0});
    add((struct uop){.alu = ALU_AND, .a = 0, .b = C0, .cond = COND_ZERO, .target = TARGET_DONE});
    add((struct uop){DONE});
    start();
    for (unsigned i = 0; i < 20; i++)
        offer(0x1000, i, 0);
    ck_assert_uint_eq(cop_drain(cop), (first_word(0, 1, divide, 0) + 10 * 2 + 10 * 3 + 20) * divide);
    ck_assert_uint_eq(bus_get(&bus, BUS_BUBBLES), 20);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cop_timing");
    TCase *t = tcase_create("cycles");
    tcase_set_timeout(t, 300);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_one_word_per_cycle, 1, ISA_WORDS);
    tcase_add_loop_test(t, test_every_branch, 0, (int)(sizeof branch_cases / sizeof branch_cases[0]));
    tcase_add_loop_test(t, test_full_buffer_frees_a_place, 0, CLOCKS);
    tcase_add_loop_test(t, test_records_of_several_beats, 0, CLOCKS);
    tcase_add_loop_test(t, test_alternating_branch, 0, CLOCKS);
    suite_add_tcase(s, t);
    return run_suite(s);
}
