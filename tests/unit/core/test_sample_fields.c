/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extraction of sample fields: each row of sample.def gives what its source says, whatever the order of the rows of
 * probe.def. */
#include "core-model/prof/sampler/sample_fields.h"
#include "tests/unit/suite.h"

/* An instruction in flight that has passed each stage in a cycle of its own, in the order of the stages. */
struct flight {
    struct rv_insn insn;
    struct rv_outcome outcome;
    struct probe_insn in;
};

static void open_flight(struct flight *x)
{
    *x = (struct flight){
        .insn =
            {.word = 0x12345678, .dst = 33, .src = {7, 9, 0}, .length_bytes = 2, .opclass = OPCLASS_FLOAD, .imm = -8},
        .outcome = {.next_pc = 0x10006,
                    .value = 0x1122334455667788,
                    .ea = 0xfedcba9876543210,
                    .operand = {5, 6},
                    .mem_bytes = 8},
        .in = {.pc = 0x2000010004, .history = 0xabc, .sp = 0x37ffffff0, .evicted = 0x8040, .retired_before = 95},
    };
    x->in.insn = &x->insn;
    x->in.outcome = &x->outcome;
    for (unsigned s = 0; s < PROBE_STAGE_COUNT; s++)
        x->in.stage_cycle[s] = 100 + 10 * s * s;
}

enum { FIRST_FETCHED = 90 };

/* Of three fields, or fewer: then some are equal. */
static struct sample_format format_of(unsigned a, unsigned b, unsigned c)
{
    struct field_set wanted = {{0}};
    struct sample_format f;
    field_set_add(&wanted, a);
    field_set_add(&wanted, b);
    field_set_add(&wanted, c);
    sample_format_init(&f, &wanted);
    return f;
}

/* The one field, extracted alone. The instruction stands for both of a pair. */
static uint64_t extract(const struct flight *x, unsigned field)
{
    const struct tip_csr tip = {.cycles = 99,
                                .flags = TIP_MISPREDICTED | 3 << TIP_VALID_SHIFT | 1 << TIP_OLDEST_SHIFT,
                                .address = {0x4000, 0x5000}};
    const struct sample_source from = {.in = &x->in,
                                       .second = &x->in,
                                       .first_fetched = FIRST_FETCHED,
                                       .distance = 12,
                                       .tip = &tip,
                                       .banks = 2,
                                       .signature = (const uint32_t[]){0, 5},
                                       .cycle = 4711,
                                       .number = 321};
    struct sample_format f = format_of(field, field, field);
    struct sample s = {.opclass = 0};
    for (enum sample_part part = 0; part < SAMPLE_PARTS; part++)
        sample_format_fill(&f, part, &from, &s);
    return s.field[field];
}

static const struct {
    enum sample_field field;
    uint64_t value;
} cases[] = {
    {FIELD_PC, 0x2000010004},
    {FIELD_PC32, 0x8002},
    {FIELD_TIPEVENTS, 0x80000005},
    {FIELD_WORD, 0x12345678},
    {FIELD_CLASS, OPCLASS_FLOAD},
    {FIELD_LENGTH, 2},
    {FIELD_RD, 33},
    {FIELD_RS1, 7},
    {FIELD_RS2, 9},
    {FIELD_IMM, 0xfffffff8},
    {FIELD_TARGET, 0x10006},
    {FIELD_TARGET32, 0x8003},
    {FIELD_OPERAND1, 5},
    {FIELD_OPERAND2, 6},
    {FIELD_RESULT, 0x1122334455667788},
    {FIELD_RESULT32, 0x55667788},
    {FIELD_RESULT16, 0x8144},
    {FIELD_EA, 0xfedcba9876543210},
    {FIELD_EA32, 0x0eca8642},
    {FIELD_EALOW, 0x76543210},
    {FIELD_LINE32, 0x61d950c8},
    {FIELD_BYTES, 8},
    {FIELD_EVENTS, 0},
    {FIELD_HISTORY, 0xabc},
    {FIELD_HISTORY3, 4},
    {FIELD_PATH3, 0x04008002},
    {FIELD_PATH8, 0xbc008002},
    {FIELD_CYCLE, 4711},
    {FIELD_SP, 0x37ffffff0},
    {FIELD_EVICTED, 0x8040},
    {FIELD_EVICTED32, 0x201},
    {FIELD_RETIRED, 1},
    {FIELD_CAUSE, 0},
    {FIELD_RETDELAY, 100 + 10 * PROBE_RETIRED *PROBE_RETIRED - 95},
    {FIELD_SEQ, 321},
    {FIELD_LOST, 0},
    {FIELD_WEIGHT, 0},
    {FIELD_PAIRPC, 0x8002},
    {FIELD_PAIRCLASS, OPCLASS_FLOAD},
    {FIELD_PAIRRETIRED, 1},
    {FIELD_PAIRISSUE, 100 + 10 * PROBE_ISSUED *PROBE_ISSUED - FIRST_FETCHED},
    {FIELD_DISTANCE, 12},
    {FIELD_INTRAPAIR, 100 - FIRST_FETCHED},
    {FIELD_TIPPC0, 0x2800},
    {FIELD_TIPPC1, 0x2000},
    {FIELD_TIPPC2, 0},
    {FIELD_TIPPC3, 0},
    {FIELD_TIPVALID, 3},
    {FIELD_TIPFLAGS, 8 | 1 << 5},
    {FIELD_TIPCYCLES, 99},
};

START_TEST(values)
{
    struct flight x;
    open_flight(&x);
    ck_assert_uint_eq(extract(&x, cases[_i].field), cases[_i].value);
}
END_TEST

/* The set of fields is extracted, and no other field is written. */
START_TEST(only_the_wanted)
{
    struct flight x;
    struct sample_format f = format_of(FIELD_RD, FIELD_CYCLE, FIELD_CYCLE);
    struct sample s;
    open_flight(&x);
    for (unsigned i = 0; i < FIELD_COUNT; i++)
        s.field[i] = 0xdead;
    const struct sample_source from = {.in = &x.in, .cycle = 1};
    sample_format_fill(&f, SAMPLE_OF_INSN, &from, &s);
    sample_format_fill(&f, SAMPLE_OF_DELIVERY, &from, &s);
    for (unsigned i = 0; i < FIELD_COUNT; i++)
        ck_assert_uint_eq(s.field[i], i == FIELD_RD ? 33 : i == FIELD_CYCLE ? 1 : 0xdead);
}
END_TEST

START_TEST(within_the_width)
{
    struct flight x;
    open_flight(&x);
    memset(&x.outcome, 0xff, sizeof x.outcome);
    x.in.pc = x.in.history = UINT64_MAX;
    x.in.events = UINT32_MAX;
    x.insn.imm = -1;
    for (unsigned s = 1; s < PROBE_STAGE_COUNT; s++)
        x.in.stage_cycle[s] = UINT64_MAX / PROBE_STAGE_COUNT * s;
    for (unsigned f = 0; f < FIELD_COUNT; f++)
        ck_assert_uint_le(extract(&x, f), sample_field_ones((enum sample_field)f));
    ck_assert_uint_eq(extract(&x, FIELD_TOTAL), 0xffff);
}
END_TEST

/* A number of cycles that the field cannot hold is all ones in the fields that clip, and in no others are its low bits
 * lost so: 2^32 has none. */
START_TEST(clipped)
{
    struct flight x;
    unsigned latencies = 0;
    open_flight(&x);
    x.in.retired_before = 1;
    for (unsigned s = 0; s < PROBE_STAGE_COUNT; s++)
        x.in.stage_cycle[s] = FIRST_FETCHED + (((uint64_t)s + 1) << 32);
    for (unsigned f = 0; f < FIELD_COUNT; f++) {
        if (!sample_fields[f].clips || f == FIELD_DISTANCE || f == FIELD_TIPCYCLES)
            continue;
        ck_assert_msg(extract(&x, f) == 0xffff, "%s", sample_fields[f].name);
        latencies++;
    }
    for (unsigned f = 0; f < FIELD_COUNT; f++)
        ck_assert_msg(sample_fields[f].clips || sample_fields[f].group != SAMPLE_GROUP_LATENCIES, "%s",
                      sample_fields[f].name);
    ck_assert_uint_gt(latencies, 0);
}
END_TEST

/* Each extracted field has the value that its rule computes from the others; and of an address the key that programs
 * and drivers have. */
START_TEST(rules)
{
    struct flight x;
    uint64_t field[FIELD_COUNT];
    unsigned count = 0;
    open_flight(&x);
    for (unsigned f = 0; f < FIELD_COUNT; f++)
        field[f] = extract(&x, f);
    for (unsigned f = 0; f < FIELD_COUNT; f++) {
        if (sample_fields[f].rule == SAMPLE_RULE_NONE)
            continue;
        ck_assert_uint_lt(sample_fields[f].whole, f);
        ck_assert_uint_eq(sample_field_follow((enum sample_field)f, field), field[f]);
        count++;
    }
    ck_assert_uint_eq(count, 11);
    ck_assert_uint_eq(extract(&x, FIELD_PC32), sample_pc32(x.in.pc));
    ck_assert_uint_eq(extract(&x, FIELD_TARGET32), sample_pc32(x.outcome.next_pc));
}
END_TEST

/* A part needs of the core what the whole needs. */
START_TEST(the_extras_needed)
{
    struct sample_format whole = format_of(FIELD_EVICTED, FIELD_EVICTED, FIELD_EVICTED);
    struct sample_format part = format_of(FIELD_EVICTED32, FIELD_EVICTED32, FIELD_EVICTED32);
    ck_assert_uint_ne(whole.extras, 0);
    ck_assert_uint_eq(part.extras, whole.extras);
}
END_TEST

/* The hash of a value that fits 16 bits with its sign is that, and depends on each bit of others. */
START_TEST(hash_of_values)
{
    for (int v = INT16_MIN; v <= INT16_MAX; v++)
        ck_assert_uint_eq(sample_hash16((uint64_t)(int64_t)v), (uint16_t)v);
    for (unsigned bit = 0; bit < 64; bit++)
        ck_assert_uint_ne(sample_hash16(UINT64_C(1) << bit), 0);
}
END_TEST

/* Each event's field is set by one bit of the probe, and stands in the field of all events where its row stands
 * among its like. */
START_TEST(events_in_the_order_of_the_rows)
{
    uint32_t seen = 0;
    unsigned position = 0;
    for (unsigned f = 0; f < FIELD_COUNT; f++) {
        if (!sample_fields[f].flag)
            continue;
        unsigned causes = 0;
        for (unsigned e = 0; e < PROBE_EVENT_COUNT; e++) {
            struct flight x;
            open_flight(&x);
            x.in.events = 1u << e;
            if (extract(&x, f) == 0)
                continue;
            ck_assert_uint_eq(extract(&x, f), 1);
            ck_assert_uint_eq(extract(&x, FIELD_EVENTS), UINT64_C(1) << position);
            seen |= 1u << e;
            causes++;
        }
        ck_assert_uint_eq(causes, 1);
        position++;
    }
    struct flight x;
    open_flight(&x);
    x.in.events = ~seen;
    ck_assert_uint_eq(extract(&x, FIELD_EVENTS), 0);
    x.in.events = UINT32_MAX;
    ck_assert_uint_eq(extract(&x, FIELD_EVENTS), (UINT64_C(1) << position) - 1);
    x.in.events = PROBE_TAKEN;
    ck_assert_uint_eq(extract(&x, FIELD_TAKEN), 1);
}
END_TEST

/* A format asks for the stages whose cycles its fields depend on, and for no other. */
START_TEST(the_stages_needed)
{
    for (unsigned f = 0; f < FIELD_COUNT; f++) {
        struct sample_format format = format_of(f, f, f);
        uint32_t depends = 0;
        for (unsigned s = 0; s < PROBE_STAGE_COUNT; s++) {
            struct flight x, y;
            open_flight(&x);
            open_flight(&y);
            y.in.stage_cycle[s]++;
            depends |= extract(&x, f) != extract(&y, f) ? 1u << s : 0;
        }
        ck_assert_msg(sample_format_stages(&format) == depends, "%s asks for the stages 0x%x and depends on 0x%x",
                      sample_fields[f].name, (unsigned)sample_format_stages(&format), (unsigned)depends);
    }
    struct sample_format format = format_of(FIELD_ISSUE, FIELD_MEMLAT, FIELD_PC);
    uint32_t stages = 1u << PROBE_MAPPED | 1u << PROBE_ISSUED | 1u << PROBE_LOAD_COMPLETED;
    ck_assert_uint_eq(sample_format_stages(&format), stages);
}
END_TEST

START_TEST(latency_of_a_stage_not_passed)
{
    struct flight x;
    open_flight(&x);
    ck_assert_uint_gt(extract(&x, FIELD_MEMLAT), 0);
    x.in.stage_cycle[PROBE_LOAD_COMPLETED] = 0;
    ck_assert_uint_eq(extract(&x, FIELD_MEMLAT), 0);
    open_flight(&x);
    x.in.stage_cycle[PROBE_ISSUED] = 0;
    ck_assert_uint_eq(extract(&x, FIELD_MEMLAT), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sample fields");
    TCase *t = tcase_create("extraction");
    tcase_add_loop_test(t, values, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(t, only_the_wanted);
    tcase_add_test(t, within_the_width);
    tcase_add_test(t, clipped);
    tcase_add_test(t, rules);
    tcase_add_test(t, the_extras_needed);
    tcase_add_test(t, hash_of_values);
    tcase_add_test(t, events_in_the_order_of_the_rows);
    tcase_add_test(t, the_stages_needed);
    tcase_add_test(t, latency_of_a_stage_not_passed);
    suite_add_tcase(s, t);
    return run_suite(s);
}
