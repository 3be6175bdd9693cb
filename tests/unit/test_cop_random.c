/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random programs over random samples, on the co-processor and on a second, deliberately simple interpreter of the same table: after
 * every burst of samples all state must be the same. The interpreter is written from the texts of isa.def, docs/isa.md and
 * docs/decisions.md, one operation after the other, without any of the co-processor's short cuts.
 *
 * COP_RANDOM_WORDS: how many words to execute, in millions; 4 without it. COP_RANDOM_SEED: where to start. */
#include <stdlib.h>
#include <string.h>

#include "emu/cop.h"
#include "emu/cop_state.h"
#include "isa/image.h"
#include "tests/unit/random_program.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum { MOST_QUEUED = 4 };

struct reference {
    uint64_t code[ISA_WORDS], value[ISA_VALUES], constant[ISA_CONSTS], row[MAX_ROWS];
    unsigned index[ISA_INDEXES], base[ISA_BASES], width[ISA_INDEXES], target[ISA_TARGETS];
    bool saturates[ISA_INDEXES], valid[MAX_ENTRIES];
    uint32_t tag[MAX_ENTRIES];
    unsigned entries, rows, divide, path_cycles, beats, lfsr;
    unsigned predictor[ISA_WORDS], entry[OPCLASS_COUNT], fields;
    uint8_t format[ISA_FIELDS];
    struct {
        struct sample sample;
        uint64_t readable;
    } queue[MOST_QUEUED];
    unsigned queued;
    uint64_t path_free, last_delivery; /* core cycles */
    uint64_t time, waiting, bubbles, processed, executed[ISA_WORDS], budget;
    enum bus_state state;
    unsigned pc;
};

/* What the units of a word bring forth. */
struct result {
    uint64_t a, b, alu, lane, row;
    bool clipped, full, limit, hit;
    unsigned index;
};

static uint64_t ones(unsigned bits)
{
    uint64_t v = 0;
    while (bits-- > 0)
        v = v << 1 | 1;
    return v;
}

static uint64_t drive_b(const struct reference *m, const struct uop *u)
{
    const struct isa_bsrc_row *row = isa_find_bsrc(u->b);
    unsigned n = u->b - row->code;
    switch (row->code) {
    case BSRC_INDEX:
        return m->index[u->ir];
    case BSRC_RND4:
        return m->lfsr % 16;
    case BSRC_RND8:
        return m->lfsr % 256;
    case BSRC_RND16:
        return m->lfsr;
    case BSRC_VALUE:
        return m->value[n];
    case BSRC_CONST:
        return m->constant[n];
    case BSRC_FIELD:
        return m->queue[0].sample.field[m->format[n]];
    default:
        return 0;
    }
}

static void do_alu(const struct uop *u, struct result *y)
{
    unsigned bits = u->narrow ? 32 : 64;
    uint64_t most = ones(bits), a = y->a & most, b = y->b & most, r = 0;
    uint64_t results[16] = {
        [ALU_MOV] = b, [ALU_ADD] = a + b, [ALU_SUB] = a - b, [ALU_AND] = a & b, [ALU_OR] = a | b, [ALU_XOR] = a ^ b, [ALU_BIC] = a & ~b,
        [ALU_SHL1] = b * 2, [ALU_SHL2] = b * 4, [ALU_SHR1] = b / 2, [ALU_SHR8] = b / 256, [ALU_SHR16] = b / 65536,
    };
    r = results[u->alu] & most;
    if (u->alu == ALU_ADDS) {
        y->clipped = __builtin_add_overflow(a, b, &r) || r > most;
        r = y->clipped ? most : r;
    } else if (u->alu == ALU_SUBS) {
        y->clipped = a < b;
        r = y->clipped ? 0 : a - b;
    }
    y->a = a;
    y->b = b;
    y->alu = r;
}

/* What counting gives, and then the lane's limits. */
static uint64_t count(enum isa_data op, uint64_t lane, uint64_t b, uint64_t most)
{
    uint64_t n = 0, by = op == DATA_INC || op == DATA_DEC ? 1 : b;
    bool beyond = false;
    if (op == DATA_INC || op == DATA_ADD)
        beyond = __builtin_add_overflow(lane, by, &n);
    else if (op == DATA_DEC || op == DATA_SUB)
        n = __builtin_sub_overflow(lane, by, &n) ? 0 : n;
    else if (op == DATA_MAX)
        n = b > lane ? b : lane;
    else
        n = b < lane ? b : lane;
    return beyond || n > most ? most : n;
}

static void do_data(struct reference *m, const struct uop *u, unsigned address, struct result *y)
{
    const struct isa_lane_row *l = &isa_lanes[u->lane];
    uint64_t most = ones(l->width), *row = &m->row[address % m->rows], old = *row >> l->low & most, lane = old;
    if (u->data == DATA_ST || u->data == DATA_XCHG)
        lane = y->b & most;
    else if (u->data == DATA_OR)
        lane = old | (y->b & most);
    else if (u->data != DATA_LD)
        lane = count((enum isa_data)u->data, old, y->b, most);
    bool down = u->data == DATA_DEC || u->data == DATA_SUB || u->data == DATA_MIN;
    y->full = lane == (down ? 0 : most);
    for (unsigned bit = 0; bit < l->width; bit++) {
        *row &= ~(UINT64_C(1) << (l->low + bit));
        *row |= (lane >> bit & 1) << (l->low + bit);
    }
    y->lane = u->data == DATA_XCHG ? old : lane;
    y->row = *row;
}

static void do_cam(struct reference *m, const struct uop *u, unsigned address, struct result *y)
{
    unsigned size = 1u << m->width[u->iw], first = m->base[u->base];
    if (u->cam == CAM_MATCH) {
        size = size < m->entries ? size : m->entries;
        first = first % m->entries / size * size;
        for (unsigned i = 0; i < size && !y->hit; i++)
            if (m->valid[first + i] && m->tag[first + i] == (uint32_t)y->b) {
                y->hit = true;
                y->index = i;
            }
    } else {
        m->valid[address % m->entries] = u->cam == CAM_WRITE;
        if (u->cam == CAM_WRITE)
            m->tag[address % m->entries] = (uint32_t)y->b;
    }
}

/* The index unit's result; true if it is to be written. */
static bool do_index(const struct reference *m, const struct uop *u, struct result *y)
{
    int old = (int)m->index[u->ir], most = (int)ones(m->width[u->iw]), n = u->idx == IDX_INC ? old + 1 : old - 1;
    switch ((enum isa_idx)u->idx) {
    case IDX_NONE:
        return false;
    case IDX_TEST:
        y->index = (unsigned)old;
        y->limit = (unsigned)old == ones(m->width[u->ir]);
        return false;
    case IDX_CLR:
        y->index = 0;
        return true;
    case IDX_MATCH:
        return y->hit;
    case IDX_ALU:
        y->index = (unsigned)(y->alu & (uint64_t)most);
        return true;
    case IDX_INC:
    case IDX_DEC:
        break;
    }
    if (m->saturates[u->iw]) {
        n = n < 0 ? 0 : n > most ? most : n;
        y->limit = n == (u->idx == IDX_INC ? most : 0);
    } else {
        y->limit = u->idx == IDX_INC ? n > most : n < 0;
    }
    y->index = (unsigned)(n & most);
    return true;
}

static bool holds(const struct uop *u, const struct result *y)
{
    int64_t a = u->narrow ? (int32_t)y->a : (int64_t)y->a, b = u->narrow ? (int32_t)y->b : (int64_t)y->b;
    const bool conditions[16] = {
        [COND_EQ] = y->a == y->b,    [COND_LT] = y->a < y->b, [COND_LTS] = a < b,           [COND_ZERO] = y->alu == 0,
        [COND_CLIP] = y->clipped,    [COND_FULL] = y->full,   [COND_EMPTY] = y->lane == 0,  [COND_LIMIT] = y->limit,
        [COND_IZERO] = y->index == 0, [COND_HIT] = y->hit,
    };
    return conditions[u->cond] != u->invert;
}

/* One word: everything reads the old state. True if its branch is taken. */
static bool execute(struct reference *m, const struct uop *u)
{
    unsigned address = m->base[u->base] | m->index[u->ir];
    struct result y = {.a = m->value[u->a], .b = drive_b(m, u)};
    if (u->cam != CAM_NONE)
        do_cam(m, u, address, &y);
    if (u->data != DATA_NONE)
        do_data(m, u, address, &y);
    if (u->alu != ALU_NONE)
        do_alu(u, &y);
    if (do_index(m, u, &y))
        m->index[u->iw] = y.index;
    if (u->vsrc != VSRC_NONE)
        m->value[u->vdst] = u->vsrc == VSRC_ALU ? y.alu : u->vsrc == VSRC_LANE ? y.lane : y.row;
    for (int step = 0; step < 4; step++) { /* x^16 + x^14 + x^13 + x^11 + 1: what is shifted out goes into bits 15, 13, 12 and 10 */
        unsigned out = m->lfsr & 1;
        m->lfsr >>= 1;
        m->lfsr ^= out << 15 | out << 13 | out << 12 | out << 10;
    }
    return holds(u, &y);
}

/* The bubble of a branch predicted wrong, and the 2-bit counter's step towards what happened. */
static unsigned bubble(struct reference *m, unsigned pc, bool taken)
{
    bool predicted = m->predictor[pc] / 2 == 1;
    if (taken && m->predictor[pc] < 3)
        m->predictor[pc]++;
    if (!taken && m->predictor[pc] > 0)
        m->predictor[pc]--;
    return predicted != taken;
}

static unsigned branch_to(const struct reference *m, const struct uop *u, unsigned pc)
{
    int to = u->target < TARGET_DONE ? (int)m->target[u->target] : (int)pc + isa_target_offset(u->target);
    return (unsigned)(to + ISA_WORDS) % ISA_WORDS;
}

static void leave(struct reference *m)
{
    m->processed++;
    m->queued--;
    memmove(&m->queue[0], &m->queue[1], m->queued * sizeof m->queue[0]);
}

/* How often each row of the table was executed, and each condition came out false and true: the test is only as good as these. */
struct coverage {
    uint64_t alu[16], narrow[16], data[16], lane[16], idx[8], cam[4], bsrc[32], vsrc[4], cond[16][2], target[32], words;
};

static void cover(struct coverage *c, const struct uop *u, bool taken)
{
    c->alu[u->alu]++;
    c->narrow[u->alu] += u->narrow;
    c->data[u->data]++;
    c->lane[u->lane] += u->data != DATA_NONE;
    c->idx[u->idx]++;
    c->cam[u->cam]++;
    c->bsrc[u->b]++;
    c->vsrc[u->vsrc]++;
    c->cond[u->cond][taken != u->invert]++;
    c->target[u->target] += taken;
    c->words++;
}

/* The head sample from its class's entry to done, interrupt or the end of patience. */
static enum bus_state run_sample(struct reference *m, struct coverage *c)
{
    unsigned pc = m->entry[m->queue[0].sample.opclass];
    uint64_t seen = (m->queue[0].readable + m->divide - 1) / m->divide, start = seen + 1 > m->time ? seen + 1 : m->time;
    m->waiting += start - m->time;
    m->time = start;
    for (uint64_t words = 0; words < m->budget; words++) {
        struct uop u;
        isa_decode(m->code[pc], &u);
        bool taken = execute(m, &u);
        cover(c, &u, taken);
        m->executed[pc]++;
        m->time++;
        m->pc = pc;
        unsigned lost = u.cond == COND_NEVER ? 0 : bubble(m, pc, taken);
        m->time += lost;
        m->bubbles += lost;
        if (taken && (u.target == TARGET_DONE || u.target == TARGET_INTERRUPT)) {
            leave(m);
            return u.target == TARGET_DONE ? BUS_WAITING_SAMPLE : BUS_INTERRUPT;
        }
        pc = taken ? branch_to(m, &u, pc) : (pc + 1) % ISA_WORDS;
    }
    m->pc = pc;
    return BUS_RUNAWAY;
}

static void reference_drain(struct reference *m, struct coverage *c)
{
    while (m->queued > 0 && m->state == BUS_WAITING_SAMPLE)
        m->state = run_sample(m, c);
    /* Time goes on while it is halted, with the samples that are still delivered. */
    uint64_t last = m->last_delivery / m->divide;
    if (m->state != BUS_WAITING_SAMPLE && m->time < last)
        m->time = last;
}

static void reference_deliver(struct reference *m, const struct sample *s)
{
    uint64_t start = s->cycle > m->path_free ? s->cycle : m->path_free;
    m->path_free = start + m->beats;
    m->last_delivery = s->cycle;
    m->queue[m->queued].sample = *s;
    m->queue[m->queued++].readable = m->path_free + m->path_cycles;
}

static void random_registers(struct random *r, struct image *im)
{
    for (unsigned i = 0; i < ISA_CONSTS; i++)
        im->constant[i] = random_number(r);
    for (unsigned i = 0; i < ISA_BASES; i++)
        im->base[i] = (uint16_t)(random_chance(r, 70) ? 32 * random_below(r, 8) : random_bits(r));
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        im->target[i] = (uint8_t)random_below(r, ISA_WORDS);
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        im->index_width[i] = (uint8_t)(random_chance(r, 80) ? 1 + random_below(r, 6) : 1 + random_below(r, 16));
        im->index_saturates[i] = random_chance(r, 50);
    }
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
    for (unsigned i = 0, f = random_below(r, FIELD_COUNT); i < im->fields; i++, f += 5)
        im->field[i] = (uint8_t)(f % FIELD_COUNT);
    random_registers(r, im);
    im->words = ISA_WORDS;
    for (unsigned i = 0; i < ISA_WORDS; i++) {
        bool finish = random_chance(r, 25);
        uint8_t target = (uint8_t)(finish ? (random_chance(r, 85) ? TARGET_DONE : TARGET_INTERRUPT) : random_below(r, TARGET_CODES));
        struct uop u = random_word(r, im->fields, target);
        if (u.cond == COND_NEVER && random_chance(r, 25)) {
            u.invert = 1;
            u.target = target;
        }
        im->word[i] = isa_encode(&u);
    }
}

/* Both sides start from the same random contents. */
static void random_state(struct random *r, struct cop *cop, const struct bus *bus, struct reference *m)
{
    for (unsigned i = 0; i < ISA_VALUES; i++)
        bus_put(bus, BUS_VALUES + 8 * i, m->value[i] = random_number(r));
    for (unsigned i = 0; i < ISA_INDEXES; i += 4) {
        uint64_t word = 0;
        for (unsigned k = 0; k < 4; k++) {
            m->index[i + k] = (unsigned)(random_number(r) & ones(m->width[i + k]));
            word |= (uint64_t)m->index[i + k] << (16 * k);
        }
        bus_put(bus, BUS_INDEXES + 2 * i, word);
    }
    for (unsigned i = 0; i < m->rows; i++)
        bus_put(bus, BUS_DATA + 8 * i, m->row[i] = random_chance(r, 50) ? 0 : random_number(r) ^ random_number(r));
    for (unsigned i = 0; i < m->entries; i += 2) {
        m->tag[i] = 0x1000 + random_below(r, 12);
        m->tag[i + 1] = (uint32_t)random_number(r);
        bus_put(bus, BUS_CAM + 4 * i, m->tag[i] | (uint64_t)m->tag[i + 1] << 32);
    }
    for (unsigned i = 0; i < m->entries; i += 64) {
        uint64_t bits = random_bits(r) & random_bits(r);
        for (unsigned k = 0; k < 64; k++)
            m->valid[i + k] = bits >> k & 1;
        bus_put(bus, BUS_VALID + i / 8, bits);
    }
    m->lfsr = 1 + random_below(r, 0xffff);
    bus_put(bus, BUS_LFSR, m->lfsr);
    for (unsigned i = 0; i < ISA_WORDS; i++)
        m->predictor[i] = cop->word[i].predictor;
}

static void reference_init(struct reference *m, const struct image *im, const struct cop_config *config)
{
    *m = (struct reference){.entries = config->cam_entries, .rows = config->data_rows, .divide = config->clock_divide,
                            .path_cycles = config->path_cycles, .budget = config->runaway_words, .state = BUS_WAITING_SAMPLE};
    memcpy(m->code, im->word, sizeof m->code);
    memcpy(m->constant, im->constant, sizeof m->constant);
    memcpy(m->format, im->field, sizeof m->format);
    for (unsigned i = 0; i < ISA_BASES; i++)
        m->base[i] = im->base[i];
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        m->target[i] = im->target[i];
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        m->width[i] = im->index_width[i];
        m->saturates[i] = im->index_saturates[i];
    }
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        m->entry[c] = im->entry[c];
    m->beats = (image_record_bytes(im) + 15) / 16;
}

/* Check writes a message for each assertion that holds: too slow for millions of them. */
#define SAME(what, x, y) \
    do { \
        if ((x) != (y)) \
            ck_abort_msg("program %llu, sample %u: %s is 0x%llx, expected 0x%llx", (unsigned long long)program, sample, what, \
                         (unsigned long long)(x), (unsigned long long)(y)); \
    } while (0)

static void compare(const struct cop *c, const struct reference *m, uint64_t program, unsigned sample)
{
    SAME("state", (unsigned)c->state, (unsigned)m->state);
    SAME("pc", c->pc, m->state == BUS_WAITING_SAMPLE ? c->pc : m->pc);
    SAME("processed", c->processed, m->processed);
    SAME("bubbles", c->bubbles, m->bubbles);
    SAME("time", c->time, m->time);
    SAME("waiting", c->waiting, m->waiting);
    SAME("lfsr", cop_lfsr(c, c->words), m->lfsr);
    for (unsigned i = 0; i < ISA_VALUES; i++)
        SAME("value register", c->operand[BSRC_VALUE + i], m->value[i]);
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        SAME("index register", c->operand[SLOT_INDEX + i], m->index[i]);
    for (unsigned i = 0; i < ISA_WORDS; i++) {
        SAME("predictor", c->word[i].predictor, m->predictor[i]);
        SAME("word count", c->word[i].executed, m->executed[i]);
    }
    if (memcmp(c->data, m->row, m->rows * sizeof m->row[0]) != 0)
        for (unsigned i = 0; i < m->rows; i++)
            SAME("data row", c->data[i], m->row[i]);
    if (memcmp(c->cam.tag, m->tag, m->entries * sizeof m->tag[0]) != 0)
        for (unsigned i = 0; i < m->entries; i++)
            SAME("associative entry", c->cam.tag[i], m->tag[i]);
    for (unsigned i = 0; i < m->entries; i++)
        SAME("valid bit", c->cam.valid[i], (uint8_t)m->valid[i]);
}

static void restart(const struct bus *bus, struct reference *m)
{
    if (m->state == BUS_RUNAWAY) { /* its sample would run away again */
        bus_put(bus, BUS_COMMAND, BUS_DROP_SAMPLES);
        m->queued = 0;
        m->path_free = 0;
    }
    bus_put(bus, BUS_COMMAND, BUS_RESTART);
    m->state = BUS_WAITING_SAMPLE;
}

static void run_samples(struct random *r, struct cop *cop, struct reference *m, uint64_t program, struct coverage *c)
{
    struct bus bus = cop_bus(cop);
    struct sample_sink sink = cop_sink(cop);
    uint64_t cycle = 0;
    for (unsigned n = 0; n < 150; n++) {
        unsigned burst = random_chance(r, 70) ? 1 : 1 + random_below(r, MOST_QUEUED);
        for (unsigned i = 0; i < burst; i++) {
            struct sample s;
            cycle += random_below(r, random_chance(r, 20) ? 1000 : 10);
            random_sample(r, (enum opclass)random_below(r, OPCLASS_COUNT), cycle, &s);
            sink.deliver(sink.ctx, &s);
            reference_deliver(m, &s);
        }
        for (;;) {
            cop_drain(cop);
            reference_drain(m, c);
            compare(cop, m, program, n);
            if (m->state == BUS_WAITING_SAMPLE)
                break;
            restart(&bus, m);
        }
    }
}

static void run_program(uint64_t program, struct reference *m, struct coverage *c)
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
    struct cop *cop = cop_new(&config);
    struct bus bus = cop_bus(cop);
    ck_assert_msg(bus_load_program(&bus, &im, &err) == ST_OK, "%s", err.text);
    reference_init(m, &im, &config);
    random_state(&r, cop, &bus, m);
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    run_samples(&r, cop, m, program, c);
    ck_assert_uint_eq(bus_get(&bus, BUS_DROPPED), 0);
    cop_free(cop);
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtoull(text, NULL, 0);
}

static void check_coverage(const struct coverage *c)
{
    for (size_t i = 0; i < isa_op_count; i++) {
        const struct isa_op_row *row = &isa_ops[i];
        uint64_t n = row->unit == UNIT_ALU ? c->alu[row->code] : row->unit == UNIT_DATA ? c->data[row->code]
                   : row->unit == UNIT_IDX ? c->idx[row->code] : c->cam[row->code];
        ck_assert_msg(n > 1000, "operation '%s' of unit %d: executed %llu times", row->mnemonic, (int)row->unit, (unsigned long long)n);
    }
    for (unsigned i = 1; i < 16; i++)
        ck_assert_uint_gt(c->narrow[i], 1000);
    for (unsigned i = 0; i < LANE_COUNT; i++)
        ck_assert_uint_gt(c->lane[i], 1000);
    for (unsigned i = 0; i < 32; i++)
        ck_assert_msg(isa_find_bsrc(i) == NULL || c->bsrc[i] > 1000, "operand %u", i);
    for (unsigned i = 1; i < isa_cond_count; i++)
        for (unsigned k = 0; k < 2; k++)
            ck_assert_msg(c->cond[isa_conds[i].code][k] > 500, "condition %s was %s %llu times", isa_conds[i].name, k ? "true" : "false",
                          (unsigned long long)c->cond[isa_conds[i].code][k]);
    for (unsigned i = 0; i < TARGET_CODES; i++)
        ck_assert_uint_gt(c->target[i], 1000);
}

/* The LFSR takes many steps at once where nobody looks: more than its period, too. */
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
    uint64_t words = 1000000 * setting("COP_RANDOM_WORDS", 4), program = setting("COP_RANDOM_SEED", 1);
    struct reference *m = xcalloc(1, sizeof *m);
    struct coverage *c = xcalloc(1, sizeof *c);
    while (c->words < words)
        run_program(program++, m, c);
    if (words >= 4000000)
        check_coverage(c);
    free(c);
    free(m);
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
