/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random programs over random samples, on the co-processor and on a second, deliberately simple one (reference.h):
 * samples that find the buffer full, are dropped early or filtered, interrupts that wait for their restart, and a host
 * that writes to any state while it runs. After every burst of samples all state must be the same.
 *
 * COP_RANDOM_WORDS: how many words to execute, in millions; 4 without it. COP_RANDOM_SEED: where to start. */
#include <stdlib.h>
#include <string.h>

#include "emu/cop.h"
#include "emu/cop_state.h"
#include "tests/unit/machine_state.h"
#include "tests/unit/random_program.h"
#include "tests/unit/reference.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

static void random_registers(struct random *r, struct image *im)
{
    for (unsigned i = 0; i < ISA_CONSTS; i++)
        im->constant[i] = random_number(r);
    for (unsigned i = 0; i < ISA_BASES; i++)
        im->base[i] = (uint16_t)(random_chance(r, 70) ? 32 * random_below(r, 8) : random_bits(r));
    im->wide = random_chance(r, 60) ? (uint8_t)random_bits(r) : 0;
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        im->target[i] = (uint8_t)random_below(r, ISA_WORDS);
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        im->index_width[i] = (uint8_t)(random_chance(r, 80) ? 1 + random_below(r, 6) : 1 + random_below(r, 16));
        im->index_saturates[i] = random_chance(r, 50);
    }
    im->gate = (uint8_t)(random_chance(r, 30) ? random_below(r, ISA_INDEXES) : IMAGE_NO_INDEX);
    if (im->gate < ISA_INDEXES && random_chance(r, 90)) /* short pauses */
        im->index_width[im->gate] = (uint8_t)(1 + random_below(r, 3));
}

/* A word that counts samples: all but one of many end with it. */
static struct uop random_counter(struct random *r)
{
    struct uop u = {.idx = random_chance(r, 50) ? IDX_INC : IDX_DEC, .cond = COND_LIMIT, .invert = 1};
    u.ir = (uint8_t)random_below(r, ISA_INDEXES);
    u.iw = random_chance(r, 90) ? u.ir : (uint8_t)random_below(r, ISA_INDEXES);
    u.target = random_chance(r, 95) ? TARGET_DONE : TARGET_INTERRUPT;
    return u;
}

/* Branches go anywhere, out of the 64 words and round again too; often enough they end the sample. */
static void random_image(struct random *r, struct image *im)
{
    image_init(im);
    im->cam_entries = (uint16_t)(128u << random_below(r, 4));
    im->data_rows = (uint16_t)(128u << random_below(r, 4));
    im->filter_classes = (1u << OPCLASS_COUNT) - 1;
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        im->entry[c] = (uint8_t)random_below(r, ISA_WORDS);
    im->fields = (uint8_t)random_below(r, ISA_FIELDS + 1);
    _Static_assert(FIELD_COUNT >= 3 * ISA_FIELDS, "a record has no field twice");
    for (unsigned i = 0, f = random_below(r, FIELD_COUNT); i < im->fields; i++, f += 3)
        im->field[i] = (uint8_t)(f % FIELD_COUNT);
    im->kept_classes = random_chance(r, 30) ? (uint32_t)random_bits(r) & im->filter_classes : 0;
    random_registers(r, im);
    im->words = ISA_WORDS;
    for (unsigned i = 0; i < ISA_WORDS; i++) {
        bool finish = random_chance(r, 25);
        uint8_t target = (uint8_t)(finish ? (random_chance(r, 85) ? TARGET_DONE : TARGET_INTERRUPT)
                                          : random_below(r, TARGET_CODES));
        struct uop u = random_word(r, im->fields, im->wide, target);
        if (u.cond == COND_NEVER && random_chance(r, 25)) {
            u.invert = 1;
            u.target = target;
        }
        im->word[i] = isa_encode(&u);
    }
    for (unsigned c = 0; c < OPCLASS_COUNT; c++) {
        const struct uop u = random_counter(r);
        if (random_chance(r, 20))
            im->word[im->entry[c]] = isa_encode(&u);
    }
}

/* One that samples bring, with another one or nothing before it. */
static uint64_t random_key(struct random *r)
{
    uint64_t high = random_chance(r, 50) ? 0 : 0x1000 + random_below(r, 12);
    return high << 32 | (0x1000 + random_below(r, 12));
}

/* Both sides start from the same random contents. */
static void random_state(struct random *r, const struct bus *bus, struct isa_machine *m)
{
    for (unsigned i = 0; i < ISA_VALUES; i++)
        m->value[i] = random_number(r);
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        m->index[i] = (unsigned)(random_number(r) & isa_ones(m->width[i]));
    for (unsigned i = 0; i < m->rows; i++)
        m->row[i] = random_chance(r, 50) ? 0 : random_number(r) ^ random_number(r);
    for (unsigned i = 0; i < m->entries; i++) {
        m->tag[i] = i % 2 == 0 ? random_key(r) : random_number(r);
        m->valid[i] = random_chance(r, 25);
    }
    m->lfsr = 1 + random_below(r, 0xffff);
    put_machine(bus, m);
}

/* One of millions of comparisons. */
#define SAME(what, x, y)                                                                                            \
    do {                                                                                                            \
        if ((x) != (y))                                                                                             \
            ck_abort_msg("program %llu, step %u: %s is 0x%llx, expected 0x%llx", (unsigned long long)program, step, \
                         what, (unsigned long long)(x), (unsigned long long)(y));                                   \
    } while (0)

static void compare_counters(const struct cop *c, const struct reference *x, uint64_t program, unsigned step)
{
    struct bus bus = cop_bus((struct cop *)c);
    SAME("processed", c->counts.processed, x->processed);
    SAME("bubbles", c->counts.bubbles, x->bubbles);
    SAME("waiting", c->counts.waiting, x->waiting);
    SAME("offered", bus_get(&bus, BUS_OFFERED), x->offered);
    SAME("filtered", bus_get(&bus, BUS_FILTERED), x->filtered);
    SAME("eligible", bus_get(&bus, BUS_ELIGIBLE), x->eligible);
    SAME("delivered", c->counts.delivered, x->delivered);
    SAME("dropped because full", c->counts.dropped[COP_DROP_FULL], x->full);
    SAME("dropped early", c->counts.dropped[COP_DROP_EARLY], x->early);
    SAME("dropped because halted", c->counts.dropped[COP_DROP_HALTED], x->halted);
    SAME("dropped at the gate", c->counts.dropped[COP_DROP_GATE], x->at_gate);
    for (unsigned i = 0; i < ISA_WORDS; i++)
        SAME("word count", c->word[i].executed, x->executed[i]);
}

static void compare(const struct cop *c, const struct reference *x, uint64_t program, unsigned step)
{
    const struct isa_machine *m = &x->m;
    SAME("state", (unsigned)c->state, (unsigned)x->state);
    SAME("pc", c->pc, x->pc);
    SAME("time", c->time, x->time);
    SAME("samples in the buffer", c->buffer.count, x->queued);
    SAME("lfsr", cop_lfsr(c, c->words), m->lfsr);
    compare_counters(c, x, program, step);
    for (unsigned i = 0; i < ISA_VALUES; i++)
        SAME("value register", c->operand[BSRC_VALUE + i], m->value[i]);
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        SAME("index register", c->operand[SLOT_INDEX + i], m->index[i]);
    for (unsigned i = 0; i < ISA_WORDS; i++)
        SAME("predictor", c->word[i].predictor, x->predictor[i]);
    if (memcmp(c->data, m->row, m->rows * sizeof m->row[0]) != 0)
        for (unsigned i = 0; i < m->rows; i++)
            SAME("data row", c->data[i], m->row[i]);
    if (memcmp(c->cam.tag, m->tag, m->entries * sizeof m->tag[0]) != 0)
        for (unsigned i = 0; i < m->entries; i++)
            SAME("associative entry", c->cam.tag[i], m->tag[i]);
    for (unsigned i = 0; i < m->entries; i++)
        SAME("valid bit", c->cam.valid[i], (uint8_t)m->valid[i]);
}

static void command(const struct bus *bus, struct reference *x, uint64_t bits)
{
    bus_put(bus, BUS_COMMAND, bits);
    reference_command(x, bits);
}

/* One of the registers that steer the sequencer and the filters. */
static void write_control(struct random *r, const struct bus *bus, struct reference *x)
{
    uint64_t v = random_bits(r), w;
    switch (random_below(r, 7)) {
    case 0:
        bus_put(bus, BUS_TARGETS, v);
        for (unsigned i = 0; i < ISA_TARGETS; i++)
            x->target[i] = v >> (8 * i) & (ISA_WORDS - 1);
        break;
    case 1: /* the entries of eight classes */
        v &= UINT64_C(0x3f3f3f3f3f3f3f3f);
        w = random_below(r, OPCLASS_COUNT / 8);
        bus_put(bus, BUS_DISPATCH + 8 * (uint32_t)w, v);
        for (unsigned i = 0; i < 8; i++)
            x->entry[8 * w + i] = v >> (8 * i) & 0x3f;
        break;
    case 2:
        x->classes = (uint32_t)(v | random_bits(r)) & ((1u << OPCLASS_COUNT) - 1);
        bus_put(bus, BUS_CLASSES, x->classes);
        x->kept = random_chance(r, 50) ? (uint32_t)random_bits(r) & ((1u << OPCLASS_COUNT) - 1) : 0;
        if (x->kept != 0)
            bus_put(bus, BUS_KEPT, x->kept);
        break;
    case 3: /* few bits, so that some samples pass */
        x->mask = (uint32_t)v & 3;
        x->match = (uint32_t)(v >> 2) & x->mask;
        x->hash1 = v >> 32 & 3;
        bus_put(bus, BUS_FILTER1, x->mask | x->match << 16 | (uint64_t)x->hash1 << 32);
        break;
    case 4:
        x->hash2 = v & 3;
        bus_put(bus, BUS_FILTER2, x->hash2);
        break;
    case 5:
        w = random_chance(r, 50) ? random_below(r, FILTER2_BITS / 64) : (0x1000 / 2 % FILTER2_BITS) / 64;
        v &= random_bits(r);
        bus_put(bus, BUS_MASKED + 8 * (uint32_t)w, v);
        for (unsigned i = 0; i < 64; i++)
            x->masked[64 * w + i] = v >> i & 1;
        break;
    default:
        w = random_below(r, ISA_WORDS / 32);
        bus_put(bus, BUS_PREDICTOR + 8 * (uint32_t)w, v);
        for (unsigned i = 0; i < 32; i++)
            x->predictor[32 * w + i] = v >> (2 * i) & 3;
    }
}

/* One register of the datapath's, or a piece of an array. */
static void write_data(struct random *r, const struct bus *bus, struct isa_machine *m)
{
    uint64_t v = random_number(r);
    unsigned w;
    switch (random_below(r, 8)) {
    case 0:
        w = random_below(r, ISA_VALUES);
        bus_put(bus, BUS_VALUES + 8 * w, m->value[w] = v);
        break;
    case 1:
        w = random_below(r, ISA_CONSTS);
        bus_put(bus, BUS_CONSTS + 8 * w, m->constant[w] = v);
        break;
    case 2:
        for (unsigned i = 0; i < ISA_INDEXES; i++)
            m->index[i] = (unsigned)(random_number(r) & isa_ones(m->width[i]));
        put_index_registers(bus, m);
        break;
    case 3:
        w = random_below(r, ISA_BASES / 4);
        bus_put(bus, BUS_BASES + 8 * w, v);
        for (unsigned i = 0; i < 4; i++)
            m->base[4 * w + i] = v >> (16 * i) & 0xffff;
        break;
    case 4:
        m->lfsr = 1 + random_below(r, 0xffff);
        bus_put(bus, BUS_LFSR, m->lfsr);
        break;
    case 5:
        w = random_below(r, m->rows);
        bus_put(bus, BUS_DATA + 8 * w, m->row[w] = v);
        break;
    case 6:
        w = 2 * random_below(r, m->entries / 2);
        m->tag[w] = random_key(r);
        m->tag[w + 1] = v;
        put_keys(bus, m, w);
        break;
    default:
        w = 64 * random_below(r, m->entries / 64);
        v = random_bits(r);
        bus_put(bus, BUS_VALID + w / 8, v);
        for (unsigned i = 0; i < 64; i++)
            m->valid[w + i] = v >> i & 1;
    }
}

/* Other widths and modes: what no longer fits is cut. */
static void write_widths(struct random *r, const struct bus *bus, struct reference *x)
{
    struct isa_machine *m = &x->m;
    uint64_t v = 0;
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        m->width[i] = 1 + random_below(r, random_chance(r, 80) ? 6 : 16);
        m->saturates[i] = random_chance(r, 50);
        m->index[i] &= (unsigned)isa_ones(m->width[i]);
        v |= (uint64_t)(m->width[i] | (m->saturates[i] ? 0x80u : 0) | (i == x->gate ? 0x40u : 0)) << (8 * i);
    }
    bus_put(bus, BUS_WIDTHS, v);
}

static void write_word(struct random *r, const struct bus *bus, struct reference *x)
{
    unsigned i = random_below(r, ISA_WORDS);
    struct uop u = random_word(r, x->fields, x->m.wide,
                               random_chance(r, 30) ? TARGET_DONE : (uint8_t)random_below(r, TARGET_CODES));
    x->code[i] = isa_encode(&u);
    bus_put(bus, BUS_MICROCODE + 8 * i, x->code[i]);
}

/* The host at work, at a cycle of the core's. */
static void write_anything(struct random *r, struct cop *cop, struct reference *x, uint64_t cycle)
{
    static const uint64_t commands[] = {BUS_INVALIDATE_ALL, BUS_CLEAR_ALL,        BUS_HALT,
                                        BUS_RESTART,        BUS_CLEAR_STATISTICS, BUS_DROP_SAMPLES | BUS_RESTART,
                                        BUS_DROP_SAMPLES};
    struct bus bus = cop_bus(cop);
    bus.advance(bus.ctx, cycle);
    reference_advance(x, (cycle + x->divide - 1) / x->divide);
    /* The gate follows its register behind each store, and some of those below are of several words: one that changes
     * nothing closes it where a runaway has left its register above 0. */
    bus_put(&bus, BUS_VALUES, x->m.value[0]);
    reference_follow_gate(x);
    for (unsigned n = 1 + random_below(r, 4); n > 0; n--) {
        unsigned kind = random_below(r, 100);
        if (kind < 50)
            write_data(r, &bus, &x->m);
        else if (kind < 80)
            write_control(r, &bus, x);
        else if (kind < 84)
            write_widths(r, &bus, x);
        else if (kind < 90)
            write_word(r, &bus, x);
        else
            command(&bus, x, commands[random_below(r, sizeof commands / sizeof commands[0])]);
        reference_follow_gate(x);
    }
}

/* Reports an instruction like a core: the filters are queried, and a sample that is dropped need not be made. One of
 * twenty was tagged before, when the filters were others. */
static void tell(struct random *r, struct cop *cop, struct reference *x, const struct sample *s)
{
    struct sample_sink sink = cop_sink(cop);
    if (!random_chance(r, 5)) {
        bool accepted = event_filter_passes(sink.filter, s->opclass, s->cycle) &&
                        sink.accept(sink.ctx, s->opclass, s->field[FIELD_PC], s->cycle);
        reference_advance(x, s->cycle / x->divide);
        if (accepted != reference_accepts(x, s->opclass, s->field[FIELD_PC]))
            ck_abort_msg("the filters differ");
        if (!accepted)
            return;
    }
    sink.deliver(sink.ctx, s);
    reference_deliver(x, s);
}

/* Most interrupts and runaways are served soon, the others wait. */
static void restart(struct random *r, const struct bus *bus, struct reference *x)
{
    if (x->state == BUS_RUNAWAY) /* its sample would run away again */
        command(bus, x, BUS_DROP_SAMPLES | BUS_RESTART);
    else if (x->state == BUS_INTERRUPT || (x->state == BUS_HALTED && random_chance(r, 30)))
        command(bus, x, BUS_RESTART);
}

static void run_samples(struct random *r, struct cop *cop, struct reference *x, uint64_t program)
{
    struct bus bus = cop_bus(cop);
    uint64_t cycle = 0;
    enum opclass class = OPCLASS_LOAD; /* often that of the sample before */
    for (unsigned n = 0; n < 150; n++) {
        unsigned burst = random_chance(r, 70) ? 1 : 1 + random_below(r, random_chance(r, 92) ? 8 : 150);
        for (unsigned i = 0; i < burst; i++) {
            struct sample s;
            cycle += random_below(r, random_chance(r, 10) ? 1000 : 10);
            if (random_chance(r, 50))
                class = (enum opclass)random_below(r, OPCLASS_COUNT);
            random_sample(r, class, cycle, &s);
            tell(r, cop, x, &s);
        }
        if (random_chance(r, 25))
            write_anything(r, cop, x, cycle += random_below(r, 50));
        cop_advance(cop, cycle);
        reference_advance(x, cycle / x->divide);
        compare(cop, x, program, n);
        if (random_chance(r, 70))
            restart(r, &bus, x);
    }
    while (x->state != BUS_WAITING_SAMPLE || x->queued > 0) {
        cop_drain(cop);
        reference_drain(x);
        compare(cop, x, program, 150);
        restart(r, &bus, x);
    }
}

static void run_program(uint64_t program, struct reference *x, struct coverage *c)
{
    struct random r = {program * UINT64_C(0x2545f4914f6cdd1d)};
    struct image im;
    struct errmsg err;
    struct cop_config config = cop_default_config;
    random_image(&r, &im);
    config.cam_entries = im.cam_entries;
    config.data_rows = im.data_rows;
    config.clock_divide = 1u << random_below(&r, 4);
    config.path_cycles = random_below(&r, 9);
    config.runaway_words = 20 + random_below(&r, 200);
    config.buffer_bytes = 128u << random_below(&r, 4);
    config.early_drop = random_chance(&r, 70);
    struct cop *cop = cop_new(&config);
    struct bus bus = cop_bus(cop);
    ck_assert_msg(bus_load_program(&bus, &im, &err) == ST_OK, "%s", err.text);
    reference_init(x, &im, &config, c);
    random_state(&r, &bus, &x->m);
    command(&bus, x, BUS_RESTART);
    run_samples(&r, cop, x, program);
    cop_free(cop);
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtoull(text, NULL, 0);
}

/* Everything has been executed this often. */
static void check_coverage(const struct coverage *c, uint64_t least)
{
    ck_assert_uint_gt(c->filtered, least);
    ck_assert_uint_gt(c->full, least);
    ck_assert_uint_gt(c->early, least);
    ck_assert_uint_gt(c->halted, least);
    ck_assert_uint_gt(c->gate, least);
    ck_assert_uint_gt(c->counted, least);
    for (size_t i = 0; i < isa_op_count; i++) {
        const struct isa_op_row *row = &isa_ops[i];
        uint64_t n = row->unit == UNIT_ALU    ? c->alu[row->code]
                     : row->unit == UNIT_DATA ? c->data[row->code]
                     : row->unit == UNIT_IDX  ? c->idx[row->code]
                                              : c->cam[row->code];
        ck_assert_msg(n > least, "operation '%s' of unit %d: executed %llu times", row->mnemonic, (int)row->unit,
                      (unsigned long long)n);
    }
    for (unsigned i = 1; i < 16; i++)
        ck_assert_uint_gt(c->narrow[i], least);
    for (unsigned i = 0; i < LANE_COUNT; i++)
        ck_assert_uint_gt(c->lane[i], least);
    for (unsigned i = 0; i < 32; i++)
        ck_assert_msg(isa_find_bsrc(i) == NULL || c->bsrc[i] > least, "operand %u", i);
    for (unsigned i = 1; i < isa_cond_count; i++)
        for (unsigned k = 0; k < 2; k++)
            ck_assert_msg(c->cond[isa_conds[i].code][k] > least / 2, "condition %s was %s %llu times",
                          isa_conds[i].name, k ? "true" : "false", (unsigned long long)c->cond[isa_conds[i].code][k]);
    for (unsigned i = 0; i < TARGET_CODES; i++)
        ck_assert_uint_gt(c->target[i], least);
}

/* The LFSR takes many steps at once while it is not read: more than its period, too. */
START_TEST(test_lfsr)
{
    static const uint64_t periods[] = {0, 1, 1000000007};
    uint16_t r = 0x1234;
    for (uint64_t words = 0; words <= 0xffff; words++, r = lfsr_step(r))
        if (lfsr_after(0x1234, words + 0xffff * periods[words % 3]) != r)
            ck_abort_msg("after %llu words", (unsigned long long)words);
    ck_assert_uint_eq(r, lfsr_step(0x1234));
}
END_TEST

START_TEST(test_random_programs)
{
    uint64_t words = 1000000 * setting("COP_RANDOM_WORDS", REPETITIONS(4)), program = setting("COP_RANDOM_SEED", 1);
    struct reference *x = xcalloc(1, sizeof *x);
    struct coverage *c = xcalloc(1, sizeof *c);
    while (c->words < words)
        run_program(program++, x, c);
    if (words >= 1000000)
        check_coverage(c, words / 8000);
    free(c);
    free(x);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cop_random");
    TCase *t = tcase_create("random programs");
    tcase_set_timeout(t, 0);
    tcase_add_test(t, test_lfsr);
    tcase_add_test(t, test_random_programs);
    suite_add_tcase(s, t);
    return run_suite(s);
}
