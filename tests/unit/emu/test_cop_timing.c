/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Execution times of words, branches, done, interrupt and waiting, in cycles, at each clock of the co-processor. The
 * expected values are computed here from the rules in docs/decisions.md ("Sequencing", "Record"), independently of
 * the model:
 *
 * - A sample of one beat that is sent in core cycle t on a free path can be read in core cycle t + 1 + 4. On a busy
 *   path it is delayed until the earlier beats have been sent.
 * - With a clock of 1/d, an event of core cycle x is visible in co-processor cycle ceil(x / d), the first that starts
 *   then or later.
 * - The first word of a sample executes in the cycle after the one in which the sample is visible, or in the cycle
 *   after the end of the preceding sample, if that is later.
 * - A word takes one cycle, a mispredicted branch one more. Unconditional branches are not predicted. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/cop_bench.h"

enum { CLOCKS = 4, RECORD_BYTES = 16, BUFFERED = 1024 / RECORD_BYTES };

static uint64_t seen(uint64_t core_cycle, unsigned divide) { return (core_cycle + divide - 1) / divide; }

/* Co-processor cycle in which the first word of a sample executes. The sample is sent in core cycle `t`; `beats` is
 * the number of beats up to and including its own; the co-processor is idle from cycle `free` on. */
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

/* Each kind of branch, without its target. The condition holds at each execution; the inverted one fails. */
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
    BOTH(.idx = IDX_DEC, .cond = COND_LIMIT), /* 1-bit saturating index: remains 0 */
    BOTH(.idx = IDX_TEST, .cond = COND_IZERO),
    BOTH(.cam = CAM_MATCH, .b = F0, .iw = 1, .idx = IDX_MATCH, .cond = COND_HIT),
#undef BOTH
};

enum { BRANCH_WORD = 8, REGISTER_TARGETS = 40 };

/* Word 8 is the branch; all other words are `done`, so that one more word ends the sample after a taken or not-taken
 * branch. Target register i holds word 40 + i. */
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

/* A branch under test and its expected behaviour. */
struct branch {
    unsigned kind, target, counter, divide;
    bool conditional, taken;
    unsigned words; /* executed per sample */
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

/* Whether the word's 2-bit counter mispredicts the branch. Updates the counter. */
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

/* Core cycle of the last interrupt. */
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

/* The buffer is empty when each sample arrives. The samples arrive in each core cycle of a co-processor cycle in
 * turn, with the same counter value. */
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

/* A second sample waits while an interrupt is pending; the host restarts the co-processor in each possible core
 * cycle. */
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

/* One cycle has one sample more than the buffer holds, which is dropped. The samples execute back to
 * back; after an interrupt the host restarts the co-processor at once. */
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

/* An entry of a full buffer is free in the cycle after `done`: a sample in that core cycle is admitted, one in the
 * preceding core cycle is dropped. */
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

/* Records of 44 bytes (five fields of 64 bits and the class) take three beats. Of two records sent together the
 * second arrives three cycles later; a record sent in between follows both. */
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

/* Alternating outcomes from a weakly not-taken counter: taken (mispredicted, counter 1 to 2), not taken
 * (mispredicted, 2 to 1), and so on. Each outcome causes one bubble. */
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
