/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bounds of pcasm --cost against the co-processor itself: of each sample's cycles, over the shipped programs and
 * over random ones, none may be outside its bounds; and those that are said to be exact are reached, each from the
 * state and with the sample that prove it. */
#include <stdlib.h>
#include <string.h>

#include "asm/check.h"
#include "asm/cost.h"
#include "asm/witness.h"
#include "base/file.h"
#include "emu/cop.h"
#include "tests/fuzz/roundtrip.h"
#include "tests/unit/machine_state.h"
#include "tests/unit/random_program.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum { RUNAWAY_WORDS = 20000 };

struct bench {
    struct cop *cop;
    struct bus bus;
    struct sample_sink sink;
    uint64_t cycle;
};

static struct bench bench_open(const struct image *im)
{
    struct errmsg err;
    struct cop_config config = cop_default_config;
    config.cam_entries = im->cam_entries > 128 ? im->cam_entries : 128;
    config.data_rows = im->data_rows > 128 ? im->data_rows : 128;
    config.runaway_words = RUNAWAY_WORDS;
    struct bench b = {.cop = cop_new(&config)};
    b.bus = cop_bus(b.cop);
    ck_assert_msg(bus_load_program(&b.bus, im, &err) == ST_OK, "%s", err.text);
    b.sink = cop_sink(b.cop);
    bus_put(&b.bus, BUS_COMMAND, BUS_RESTART);
    return b;
}

/* Has samples of a class start at a word. */
static void bench_enter(struct bench *b, enum opclass k, unsigned word)
{
    uint32_t at = BUS_DISPATCH + 8 * (k / 8);
    uint64_t entries = bus_get(&b->bus, at);
    bus_put(&b->bus, at, (entries & ~(UINT64_C(0xff) << (k % 8 * 8))) | (uint64_t)word << (k % 8 * 8));
}

/* Sets all predictors, a bit for each word: taken or not, both firmly. */
static void bench_predict(struct bench *b, word_set taken)
{
    for (unsigned i = 0; i < ISA_WORDS; i += 32) {
        uint64_t counters = 0;
        for (unsigned k = 0; k < 32; k++)
            counters |= (taken >> (i + k) & 1 ? UINT64_C(3) : 0) << (2 * k);
        bus_put(&b->bus, BUS_PREDICTOR + i / 4, counters);
    }
}

/* The cycles of one sample from its first word to the end of its last, and the word it ended in. */
static uint64_t bench_run(struct bench *b, struct sample *s, unsigned *last)
{
    uint64_t before = bus_get(&b->bus, BUS_CYCLES) - bus_get(&b->bus, BUS_WAITING);
    s->cycle = b->cycle;
    b->sink.deliver(b->sink.ctx, s);
    b->cycle = cop_drain(b->cop);
    uint64_t after = bus_get(&b->bus, BUS_CYCLES) - bus_get(&b->bus, BUS_WAITING);
    *last = cop_pc(b->cop);
    return after - before;
}

static const struct cost_class *find_class(const struct cost *c, enum opclass k)
{
    for (unsigned i = 0; i < c->entries; i++)
        if (c->entry[i].classes >> k & 1)
            return &c->entry[i];
    return NULL;
}

static const struct cost_exit *find_exit(const struct cost_class *e, unsigned word)
{
    for (unsigned i = 0; i < e->exits; i++)
        if (e->exit[i].word == word)
            return &e->exit[i];
    return NULL;
}

/* A sample's cycles against the bounds of its class and of the word it ended in. */
static void check_bounds(const struct cost_class *e, unsigned last, uint64_t cycles, const char *what, unsigned number)
{
    const struct cost_exit *x = find_exit(e, last);
    if (x == NULL || cycles < (uint64_t)e->best || cycles < (uint64_t)x->best.cycles ||
        (x->worst.cycles != COST_UNBOUNDED && cycles > (uint64_t)x->worst.cycles) ||
        (e->worst != COST_UNBOUNDED && cycles > (uint64_t)e->worst))
        ck_abort_msg("%s %u: %llu cycles to word %u; the bounds are %lld to %lld, there %lld to %lld", what, number,
                     (unsigned long long)cycles, last, (long long)e->best, (long long)e->worst,
                     x == NULL ? 0LL : (long long)x->best.cycles, x == NULL ? 0LL : (long long)x->worst.cycles);
}

/* The word a sample ended in is where a waiting co-processor's program counter still stands. */
static void run_random_samples(const struct image *im, struct random *r, unsigned samples, unsigned number)
{
    struct cost c;
    struct bench b = bench_open(im);
    cost_init(&c, im);
    for (unsigned n = 0; n < samples; n++) {
        struct sample s;
        enum opclass k = (enum opclass)random_below(r, OPCLASS_COUNT);
        unsigned last;
        if (im->entry[k] == IMAGE_NO_ENTRY)
            continue;
        random_sample(r, k, 0, &s);
        uint64_t cycles = bench_run(&b, &s, &last);
        if (cop_state(b.cop) == BUS_RUNAWAY) {
            bus_put(&b.bus, BUS_COMMAND, BUS_DROP_SAMPLES | BUS_RESTART);
            if (find_class(&c, k)->worst != COST_UNBOUNDED && find_class(&c, k)->worst < RUNAWAY_WORDS)
                ck_abort_msg("program %u: a runaway where at most %lld cycles were promised", number,
                             (long long)find_class(&c, k)->worst);
            break;
        }
        check_bounds(find_class(&c, k), last, cycles, "program", number);
        if (cop_state(b.cop) == BUS_INTERRUPT)
            bus_put(&b.bus, BUS_COMMAND, BUS_RESTART);
    }
    cost_fini(&c);
    cop_free(b.cop);
}

/* Forward branches, and here and there a loop that an index register ends: many of these programs have bounds. */
static void random_bounded_image(struct random *r, struct image *im)
{
    image_init(im);
    im->cam_entries = im->data_rows = 128;
    im->words = (uint8_t)(2 + random_below(r, 40));
    im->fields = 6;
    for (unsigned i = 0; i < 6; i++)
        im->field[i] = (uint8_t)(5 * i);
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        im->index_width[i] = (uint8_t)(1 + random_below(r, 4));
        im->index_saturates[i] = random_chance(r, 50);
    }
    for (unsigned i = 0; i < ISA_CONSTS; i++)
        im->constant[i] = random_number(r);
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        im->entry[c] = random_chance(r, 50) ? 0 : (uint8_t)random_below(r, im->words);
    for (unsigned i = 0; i < im->words; i++) {
        unsigned left = im->words - 1u - i;
        uint8_t target = TARGET_DONE;
        if (left >= 2 && random_chance(r, 70))
            target = (uint8_t)(TARGET_FORWARD + random_below(r, left < 10 ? left - 1 : 9));
        struct uop u = random_word(r, im->fields, im->wide, target);
        if (i > 0 && left > 0 && random_chance(r, 12)) {
            unsigned most = i < 8 ? i : 8, counter = random_below(r, ISA_INDEXES);
            u = (struct uop){.idx = random_chance(r, 50) ? IDX_INC : IDX_DEC,
                             .ir = (uint8_t)counter,
                             .iw = (uint8_t)counter,
                             .cond = random_chance(r, 70) ? COND_LIMIT : COND_IZERO,
                             .invert = 1,
                             .target = (uint8_t)isa_target_from_offset(-1 - (int)random_below(r, most))};
        }
        if (left == 0)
            u = (struct uop){
                .cond = COND_NEVER, .invert = 1, .target = random_chance(r, 50) ? TARGET_DONE : TARGET_INTERRUPT};
        im->word[i] = isa_encode(&u);
    }
}

START_TEST(random_programs_stay_within_bounds)
{
    struct random r = {2001};
    unsigned bounded = 0, loops = 0, programs = REPETITIONS(1000);
    for (unsigned i = 0; i < programs; i++) {
        struct image im;
        struct errmsg err;
        struct cost c;
        random_bounded_image(&r, &im);
        ck_assert_msg(image_check(&im, &err) == ST_OK, "%s", err.text);
        cost_init(&c, &im);
        bool all = true;
        for (unsigned e = 0; e < c.entries; e++) {
            all = all && c.entry[e].worst != COST_UNBOUNDED;
            for (unsigned x = 0; x < c.entry[e].exits; x++)
                for (unsigned s = 0; s < c.entry[e].exit[x].worst.steps; s++)
                    loops += c.entry[e].exit[x].worst.step[s].passes > 1;
        }
        bounded += all;
        cost_fini(&c);
        run_random_samples(&im, &r, 60, i);
    }
    /* The test is about programs with bounds, loops among them. */
    ck_assert_uint_gt(bounded, programs / 4);
    ck_assert_uint_gt(loops, programs / 2);
}
END_TEST

/* Branches to anywhere in the program, by offset and by target register, and any entries: loops in loops, ways in and
 * out of them. */
static void random_tangled_image(struct random *r, struct image *im)
{
    random_bounded_image(r, im);
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        im->target[i] = (uint8_t)random_below(r, im->words);
    for (unsigned i = 0; i + 1u < im->words; i++) {
        int to = (int)random_below(r, im->words), code = isa_target_from_offset(to - (int)i);
        uint8_t target = code >= 0 && random_chance(r, 80) ? (uint8_t)code : (uint8_t)random_below(r, TARGET_BACK);
        struct uop u = random_word(r, im->fields, im->wide, target);
        if (random_chance(r, 50))
            im->word[i] = isa_encode(&u);
    }
}

/* Whatever the program: the checker and the costs come to an end and agree with each other. */
START_TEST(any_program)
{
    struct random r = {42};
    struct check_finding *found = xcalloc(CHECK_MOST, sizeof *found);
    unsigned unbounded = 0, programs = REPETITIONS(1500);
    for (unsigned i = 0; i < programs; i++) {
        struct image im;
        struct errmsg err;
        struct cost c;
        unsigned loops = 0;
        random_tangled_image(&r, &im);
        ck_assert_msg(image_check(&im, &err) == ST_OK, "%s", err.text);
        cost_init(&c, &im);
        size_t n = pasm_check(&im, found, CHECK_MOST);
        for (size_t k = 0; k < n; k++) {
            if (found[k].word >= im.words || found[k].text[0] == '\0')
                ck_abort_msg("program %u: a finding at word %u: %s", i, found[k].word, found[k].text);
            loops += found[k].kind == CHECK_UNBOUNDED || found[k].kind == CHECK_ENDLESS;
        }
        for (unsigned e = 0; e < c.entries; e++)
            if (c.entry[e].worst != COST_UNBOUNDED && c.entry[e].worst < c.entry[e].best)
                ck_abort_msg("program %u: at least %lld, at most %lld", i, (long long)c.entry[e].best,
                             (long long)c.entry[e].worst);
        if ((loops == 0) != (c.loops == 0))
            ck_abort_msg("program %u: %u loops without a bound found, %u counted", i, loops, c.loops);
        unbounded += loops > 0;
        cost_fini(&c);
        run_random_samples(&im, &r, 5, i);
    }
    ck_assert_uint_gt(unbounded, programs / 15);
    free(found);
}
END_TEST

static struct image assemble(const char *text)
{
    struct image im;
    char *messages;
    ck_assert_msg(assemble_text(text, strlen(text), &im, &messages) == ST_OK, "%s", messages);
    free(messages);
    return im;
}

/* With definitions before its text. */
static struct image assemble_shipped(const char *path, const char *defines)
{
    struct errmsg err;
    char *text, *whole;
    size_t size_bytes;
    ck_assert_msg(file_read(path, 1 << 20, &text, &size_bytes, &err) == ST_OK, "%s", err.text);
    ck_assert_int_gt(asprintf(&whole, "%s%s", defines, text), 0);
    struct image im = assemble(whole);
    free(whole);
    free(text);
    return im;
}

/* The shortest and the longest that a sample has taken to each word where one can end; 0: none has. */
struct extremes {
    uint64_t least[ISA_WORDS], most[ISA_WORDS];
};

static void note(struct extremes *x, unsigned word, uint64_t cycles)
{
    x->least[word] = x->least[word] == 0 || cycles < x->least[word] ? cycles : x->least[word];
    x->most[word] = cycles > x->most[word] ? cycles : x->most[word];
}

/* A state of few keys and of extremes. */
static void random_state(struct random *r, struct isa_machine *m)
{
    for (unsigned i = 0; i < m->entries; i++) {
        m->tag[i] = 0x1000 + random_below(r, 16);
        m->valid[i] = random_chance(r, 3);
    }
    for (unsigned i = 0; i < m->rows; i++)
        m->row[i] = random_number(r) << 32 |
                    (random_chance(r, 50) ? 0x1000 + random_below(r, 12) : random_number(r) & UINT32_MAX);
    m->lfsr = 1 + random_below(r, 0xffff);
}

/* Random samples on arrays that are set anew now and then, and registers and predictors that are for each. */
static void run_random_states(const struct image *im, const struct cost_class *e, struct extremes *x)
{
    struct random r = {7};
    struct bench b = bench_open(im);
    struct isa_machine m;
    enum opclass k = im->entry[OPCLASS_LOAD] != IMAGE_NO_ENTRY ? OPCLASS_LOAD : OPCLASS_BRANCH;
    bench_enter(&b, k, e->entry);
    isa_machine_init(&m, im, im->cam_entries, im->data_rows);
    for (unsigned n = 0; n < 10000; n++) {
        struct sample s;
        unsigned last;
        if (n % 8 == 0) {
            random_state(&r, &m);
            put_machine(&b.bus, &m);
        }
        for (unsigned i = 0; i < ISA_INDEXES; i++)
            m.index[i] = (unsigned)(random_number(&r) & isa_ones(m.width[i]));
        put_index_registers(&b.bus, &m);
        bench_predict(&b, random_bits(&r));
        random_sample(&r, k, 0, &s);
        uint64_t cycles = bench_run(&b, &s, &last);
        check_bounds(e, last, cycles, im->name, n);
        note(x, last, cycles);
        if (cop_state(b.cop) == BUS_INTERRUPT)
            bus_put(&b.bus, BUS_COMMAND, BUS_RESTART);
    }
    cop_free(b.cop);
}

/* Runs the sample that is to reach a bound: with each branch predicted right, or each wrong. */
static void run_witness(const struct image *im, const struct cost_class *e, const struct cost_exit *end, bool worst,
                        struct extremes *x)
{
    const struct cost_path *path = worst ? &end->worst : &end->best;
    enum opclass k = OPCLASS_INT;
    struct sample s = {0};
    struct flow f;
    uint8_t word[ISA_WORDS];
    unsigned last;
    struct witness *w = xmalloc(sizeof *w);
    flow_init(&f, im);
    ck_assert(witness_find(&f, word, cost_words(path, word), w));
    struct bench b = bench_open(im);
    put_machine(&b.bus, &w->start);
    bench_enter(&b, k, e->entry);
    bench_predict(&b, worst ? ~w->taken : w->taken);
    s.opclass = k;
    for (unsigned i = 0; i < im->fields; i++)
        s.field[im->field[i]] = w->start.field[i];
    uint64_t cycles = bench_run(&b, &s, &last);
    if (cycles != (uint64_t)path->cycles || last != end->word)
        ck_abort_msg("'%s', from %u: %llu cycles to word %u; said to be exact: %lld to %u", im->name, e->entry,
                     (unsigned long long)cycles, last, (long long)path->cycles, end->word);
    note(x, last, cycles);
    free(w);
    cop_free(b.cop);
}

/* Returns how many bounds of the entry are said to be exact; all of them are reached. */
static unsigned run_witnesses(const struct image *im, const struct cost_class *e, struct extremes *x)
{
    unsigned exact = 0;
    for (unsigned i = 0; i < e->exits; i++)
        for (unsigned worst = 0; worst < 2; worst++)
            if (worst ? e->exit[i].worst.exact : e->exit[i].best.exact) {
                run_witness(im, e, &e->exit[i], worst, x);
                exact++;
            }
    return exact;
}

/* Every bound of the shipped programs is exact; random samples end in every word where one can, and within its bounds.
 */
static const struct {
    const char *path, *defines;
    unsigned entries, exits;
} shipped[] = {{"programs/value.pasm", "", 1, 9},
               {"programs/value-paper.pasm", "", 1, 8},
               {"programs/value-paper.pasm", ".equ WHOLE = 1\n", 2, 16},
               {"programs/edge.pasm", "", 1, 6},
               {"programs/simple.pasm", "", 1, 3}};

START_TEST(bounds_of_shipped_programs_are_exact)
{
    struct image im = assemble_shipped(shipped[_i].path, shipped[_i].defines);
    struct cost c;
    unsigned exact = 0, exits = 0;
    cost_init(&c, &im);
    cost_find_exact(&c, &im);
    ck_assert_uint_eq(c.entries, shipped[_i].entries);
    for (unsigned i = 0; i < c.entries; i++) {
        const struct cost_class *e = &c.entry[i];
        struct extremes x = {{0}, {0}};
        run_random_states(&im, e, &x);
        for (unsigned k = 0; k < e->exits; k++)
            ck_assert_msg(x.most[e->exit[k].word] != 0, "'%s', from %u: no sample has ended in word %u", im.name,
                          e->entry, e->exit[k].word);
        exits += e->exits;
        exact += run_witnesses(&im, e, &x);
        for (unsigned k = 0; k < e->exits; k++) {
            ck_assert_int_eq((int64_t)x.least[e->exit[k].word], e->exit[k].best.cycles);
            ck_assert_int_eq((int64_t)x.most[e->exit[k].word], e->exit[k].worst.cycles);
        }
        ck_assert(e->best_exact && e->worst_exact);
    }
    ck_assert_uint_eq(exits, shipped[_i].exits);
    ck_assert_uint_eq(exact, 2 * exits);
    cost_fini(&c);
}
END_TEST

START_TEST(exact_bounds_of_random_programs)
{
    struct random r = {77};
    unsigned exact = 0, bounds = 0;
    for (unsigned i = 0; i < REPETITIONS(25); i++) {
        struct image im;
        struct cost c;
        struct extremes x = {{0}, {0}};
        random_bounded_image(&r, &im);
        cost_init(&c, &im);
        cost_find_exact(&c, &im);
        for (unsigned e = 0; e < c.entries; e++) {
            exact += run_witnesses(&im, &c.entry[e], &x);
            bounds += 2 * c.entry[e].exits;
        }
        cost_fini(&c);
    }
    ck_assert_msg(exact > bounds / 3, "%u of %u bounds are exact", exact, bounds);
}
END_TEST

/* Keys of two operands. */
START_TEST(bounds_with_wide_keys_are_exact)
{
    struct image im = assemble_shipped("tests/golden/asm/word/wide.pasm", "");
    struct extremes x = {{0}, {0}};
    struct cost c;
    cost_init(&c, &im);
    cost_find_exact(&c, &im);
    ck_assert_uint_eq(c.entries, 1);
    ck_assert_uint_eq(run_witnesses(&im, &c.entry[0], &x), 2 * c.entry[0].exits);
    cost_fini(&c);
}
END_TEST

/* A load that hits its slot and its value: 4 cycles once the branches are learnt, as value-paper.pasm's header and its
 * bound say. */
START_TEST(hit_of_value_is_exact)
{
    struct image im = assemble_shipped("programs/value-paper.pasm", "");
    struct bench b = bench_open(&im);
    struct cost c;
    unsigned last = 0;
    uint64_t cycles = 0;
    cost_init(&c, &im);
    for (unsigned i = 0; i < 8; i++) {
        struct sample s = {.opclass = OPCLASS_LOAD};
        s.field[FIELD_PC32] = 0x1000;
        s.field[FIELD_RESULT32] = 42;
        cycles = bench_run(&b, &s, &last);
    }
    const struct cost_exit *hit = find_exit(&c.entry[0], last);
    ck_assert_uint_eq(cycles, 4);
    ck_assert_ptr_nonnull(hit);
    ck_assert_int_eq(hit->best.cycles, 4);
    cost_fini(&c);
    cop_free(b.cop);
}
END_TEST

static const struct {
    const char *text;
    int64_t best, worst;
    unsigned loops;
} cases[] = {
    {".entry load x\nx: done\n", 1, 1, 0},
    {".entry load x\nx: nop\nnop\ninterrupt\n", 3, 3, 0},
    {".entry load x\nx: mov taken | if zero done\nnop\ndone\n", 1, 4, 0},
    {".entry load x\n.index i, width 3\nx: inc i | if nolimit goto @2\ndone\nnop\ngoto x\n", 2, 8 * (2 + 2) + 1, 0},
    {".entry load x\n.index i, width 3\nx: nop\ninc i | if nolimit goto x\ndone\n", 3, 8 * (1 + 2) + 1, 0},
    {".entry load x\n.index i, width 3, saturate\nx: nop\ninc i | if nolimit goto x\ndone\n", 3, 7 * (1 + 2) + 1, 0},
    {".entry load x\n.index i, width 3\nx: nop\ndec i | if izero done\ngoto x\n", 2, 8 * (1 + 1 + 2), 0},
    {".entry load x\n.index i, width 3\nx: nop\ninc i | mov pc32 -> v0\nmov taken | if zero goto x\ndone\n", 4,
     COST_UNBOUNDED, 1},
    {".entry load x\n.index i, width 2\n.index j, width 2\nx: nop\ninc j | if nolimit goto x\ninc i | if nolimit goto "
     "x\ndone\n",
     4, 4 * (4 * (1 + 2) + 2) + 1, 0},
    {".entry load x\n.index i, width 3\nx: clr i\ninc i | if nolimit goto x\ndone\n", 3, COST_UNBOUNDED, 1},
    {".entry load x\nx: nop\ngoto x\n", COST_UNBOUNDED, COST_UNBOUNDED, 1},
    {".entry load x\n.index i\n.index j\n.index k\n.index l\nx: nop\ninc i | if nolimit goto x\ninc j | if nolimit "
     "goto x\n"
     "inc k | if nolimit goto x\ninc l | if nolimit goto x\ndone\n",
     6, COST_HUGE, 0},
};

START_TEST(bounds_by_hand)
{
    struct image im = assemble(cases[_i].text);
    struct cost c;
    cost_init(&c, &im);
    ck_assert_uint_eq(c.entries, 1);
    ck_assert_int_eq(c.entry[0].best, cases[_i].best);
    ck_assert_int_eq(c.entry[0].worst, cases[_i].worst);
    ck_assert_uint_eq(c.loops, cases[_i].loops);
    cost_fini(&c);
}
END_TEST

START_TEST(rates)
{
    struct cost c = {.beats = 3};
    ck_assert_double_eq(cost_rate(&c, 4, 1), 250);
    ck_assert_double_eq(cost_rate(&c, 4, 8), 31.25);
    ck_assert_double_eq(cost_rate(&c, 2, 1), 1000 / 3.0); /* the path is what limits it */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cost");
    TCase *t = tcase_create("bounds");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, random_programs_stay_within_bounds);
    tcase_add_test(t, any_program);
    tcase_add_loop_test(t, bounds_of_shipped_programs_are_exact, 0, (int)(sizeof shipped / sizeof shipped[0]));
    tcase_add_test(t, exact_bounds_of_random_programs);
    tcase_add_test(t, bounds_with_wide_keys_are_exact);
    tcase_add_test(t, hit_of_value_is_exact);
    tcase_add_loop_test(t, bounds_by_hand, 0, (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(t, rates);
    suite_add_tcase(s, t);
    return run_suite(s);
}
