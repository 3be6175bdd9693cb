/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long the co-processor may be left alone: interrupts are noticed by the same question as if time passed at each,
 * and everything else is the same too. What is compared with is a co-processor that is watched, which is never left
 * alone. */
#include <stdlib.h>
#include <string.h>

#include "emu/cop.h"
#include "emu/cop_inspect.h"
#include "emu/cop_watch.h"
#include "isa/image.h"
#include "tests/unit/cop_equal.h"
#include "tests/unit/random_program.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum { CALLS = 600, MOST_NOTICED = CALLS, REGISTERS = 2 };

/* A co-processor, and what its interrupts were noticed by. */
struct machine {
    struct cop *cop;
    struct bus bus;
    unsigned calls; /* questions and deliveries so far */
    unsigned noticed;
    struct {
        unsigned call;
        uint64_t cycle;
    } at[MOST_NOTICED];
};

/* Restarts; with other classes let through, and now and then from a clean slate. */
static void serve(void *ctx, uint64_t cycle)
{
    struct machine *m = ctx;
    ck_assert_uint_lt(m->noticed, MOST_NOTICED);
    m->at[m->noticed].call = m->calls;
    m->at[m->noticed++].cycle = cycle;
    bus_put(&m->bus, BUS_CLASSES, 3u << m->noticed % (OPCLASS_COUNT - 1));
    if (m->noticed % 3 == 0)
        for (uint32_t w = 0; w < ISA_INDEXES / 4; w++)
            bus_put(&m->bus, BUS_INDEXES + 8 * w, 0);
    bus_put(&m->bus, BUS_COMMAND, BUS_RESTART);
}

static void open_machine(struct machine *m, const struct cop_config *config, const struct image *image, bool watched)
{
    struct errmsg err;
    m->cop = cop_new(config);
    m->bus = cop_bus(m->cop);
    m->calls = m->noticed = 0;
    ck_assert_msg(bus_load_program(&m->bus, image, &err) == ST_OK, "%s", err.text);
    cop_on_interrupt(m->cop, serve, m);
    bus_put(&m->bus, BUS_COMMAND, BUS_RESTART);
    if (watched)
        cop_watch(m->cop, &(struct cop_watch){0});
}

/* Reports an instruction like a core, and delivers it if the filters pass it. */
static bool tell(struct machine *m, const struct sample *s)
{
    struct sample_sink sink = cop_sink(m->cop);
    m->calls++;
    if (!event_filter_passes(sink.filter, s->opclass, s->cycle) ||
        !sink.accept(sink.ctx, s->opclass, s->field[FIELD_PC], s->cycle))
        return false;
    m->calls++;
    sink.deliver(sink.ctx, s);
    return true;
}

/* Mostly words that step index registers, and branch on their limits to done or interrupt. */
static struct uop random_step(struct random *r)
{
    static const uint8_t operations[] = {IDX_INC, IDX_INC, IDX_INC, IDX_DEC, IDX_DEC, IDX_DEC, IDX_CLR, IDX_TEST};
    struct uop u = {.idx = operations[random_below(r, sizeof operations)], .ir = (uint8_t)random_below(r, REGISTERS)};
    u.iw = random_chance(r, 86) ? u.ir : (uint8_t)random_below(r, REGISTERS);
    struct isa_use use = isa_uses(&u, 0);
    u.ir = use.index_read ? u.ir : 0;
    u.iw = use.index_write ? u.iw : 0;
    struct uop branch = u;
    branch.cond = random_chance(r, 80) ? COND_LIMIT : COND_IZERO;
    branch.invert = random_chance(r, 50);
    branch.target = branch.invert || random_chance(r, 40) ? TARGET_DONE : TARGET_INTERRUPT;
    return isa_check(&branch, 0) == NULL && random_chance(r, 70) ? branch : u;
}

static struct uop random_any(struct random *r, unsigned fields)
{
    unsigned kind = random_below(r, 100);
    if (kind < 60)
        return random_step(r);
    if (kind < 85)
        return random_word(r, fields, 0,
                           random_chance(r, 50) ? TARGET_DONE : (uint8_t)(TARGET_FORWARD + random_below(r, 4)));
    return (struct uop){.cond = COND_NEVER, .invert = 1, .target = kind < 99 ? TARGET_DONE : TARGET_INTERRUPT};
}

static void random_image(struct random *r, struct image *image)
{
    image_init(image);
    image->cam_entries = image->data_rows = 128;
    image->filter_classes = (1u << OPCLASS_COUNT) - 1;
    image->fields = 2;
    image->field[0] = FIELD_PC32;
    image->field[1] = FIELD_RESULT;
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        image->index_width[i] = (uint8_t)(2 + random_below(r, 4));
        image->index_saturates[i] = random_chance(r, 50);
    }
    image->gate = (uint8_t)(random_chance(r, 30) ? random_below(r, ISA_INDEXES) : IMAGE_NO_INDEX);
    image->words = (uint8_t)(2 + random_below(r, 2 + random_below(r, 30)));
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        image->entry[c] = (uint8_t)random_below(r, image->words / 2);
    const struct uop interrupt = {.cond = COND_NEVER, .invert = 1, .target = TARGET_INTERRUPT};
    struct uop u = {0};
    for (unsigned i = 0; i < image->words; i++) {
        bool guarded = u.cond == COND_LIMIT && u.invert && u.target == TARGET_DONE;
        u = guarded && random_chance(r, 70) ? interrupt : random_any(r, image->fields);
        image->word[i] = isa_encode(&u);
    }
    u = (struct uop){.cond = COND_NEVER, .invert = 1, .target = TARGET_DONE};
    image->word[image->words - 1] = isa_encode(&u);
}

static void check_notices(const struct machine *x, const struct machine *y)
{
    ck_assert_uint_eq(x->calls, y->calls);
    for (unsigned i = 0; i < x->noticed && i < y->noticed; i++) {
        ck_assert_msg(x->at[i].call == y->at[i].call, "interrupt %u: noticed by call %u, watched by %u", i,
                      x->at[i].call, y->at[i].call);
        ck_assert_uint_eq(x->at[i].cycle, y->at[i].cycle);
    }
    ck_assert_uint_eq(x->noticed, y->noticed);
}

struct seen {
    unsigned interrupts, rejected;
};

static void run_both(uint64_t seed, struct seen *seen)
{
    static struct machine alone, watched;
    struct random r = {seed};
    struct image image;
    struct cop_config config = cop_default_config;
    uint64_t cycle = 0;
    random_image(&r, &image);
    config.cam_entries = config.data_rows = 128;
    config.clock_divide = 1u << random_below(&r, 4);
    config.buffer_bytes = 32u << random_below(&r, 6);
    config.early_drop = random_chance(&r, 50);
    config.runaway_words = 500;
    unsigned apart = 2 + random_below(&r, 1 + random_below(&r, 20));
    open_machine(&alone, &config, &image, false);
    open_machine(&watched, &config, &image, true);
    for (unsigned n = 0; n < CALLS / 2; n++) {
        struct sample s;
        cycle += random_below(&r, apart);
        random_sample(&r, (enum opclass)random_below(&r, OPCLASS_COUNT), cycle, &s);
        bool let_through = tell(&alone, &s);
        ck_assert_msg(let_through == tell(&watched, &s), "instruction %u in cycle %llu", n, (unsigned long long)cycle);
    }
    cop_advance(alone.cop, cycle);
    cop_advance(watched.cop, cycle);
    check_notices(&alone, &watched);
    seen->interrupts += alone.noticed;
    seen->rejected += (unsigned)cop_sink(alone.cop).filter->rejected;
    ck_assert_uint_eq(cop_sink(watched.cop).filter->rejected, 0);
    ck_assert(cop_equal(alone.cop, watched.cop));
    cop_free(alone.cop);
    cop_free(watched.cop);
}

START_TEST(test_left_alone_is_the_same)
{
    enum { PROGRAMS = REPETITIONS(1500) };
    struct seen seen = {0, 0};
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        run_both(seed, &seen);
    ck_assert_uint_gt(seen.interrupts, 2 * PROGRAMS);
    ck_assert_uint_gt(seen.rejected, 20 * PROGRAMS);
}
END_TEST

/* One word a sample counts to 16, the width of its register's limit: 16 words can execute before an interrupt, whatever
 * comes. By hand: idle, the program waits for a sample. One that is delivered in cycle 100 has its last beat in the
 * buffer in 105, and the sixteenth word after it ends in cycle 105 + 16 at the earliest. */
START_TEST(test_counter)
{
    static struct machine m;
    struct image image;
    struct uop count = {.idx = IDX_INC, .ir = 3, .iw = 3, .cond = COND_LIMIT, .invert = 1, .target = TARGET_DONE};
    struct uop interrupt = {.cond = COND_NEVER, .invert = 1, .target = TARGET_INTERRUPT};
    image_init(&image);
    image.cam_entries = ISA_CAM_ENTRIES;
    image.data_rows = ISA_DATA_ROWS;
    image.filter_classes = 1u << OPCLASS_LOAD;
    image.entry[OPCLASS_LOAD] = 0;
    image.fields = 1;
    image.field[0] = FIELD_PC32;
    image.index_width[3] = 4;
    image.word[image.words++] = isa_encode(&count);
    image.word[image.words++] = isa_encode(&interrupt);
    open_machine(&m, &cop_default_config, &image, false);
    struct sample load = {.opclass = OPCLASS_LOAD, .cycle = 100}, store = {.opclass = OPCLASS_STORE, .cycle = 100};
    ck_assert(!tell(&m, &store));
    ck_assert(tell(&m, &load));
    uint64_t from = cop_sink(m.cop).filter->from;
    ck_assert_uint_eq(from, 105 + 15);
    store.cycle = from - 1;
    ck_assert(!event_filter_passes(cop_sink(m.cop).filter, OPCLASS_STORE, from - 1));
    ck_assert(event_filter_passes(cop_sink(m.cop).filter, OPCLASS_STORE, from));
    cop_free(m.cop);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lookahead");
    TCase *t = tcase_create("left alone");
    tcase_set_timeout(t, 0);
    tcase_add_test(t, test_left_alone_is_the_same);
    tcase_add_test(t, test_counter);
    suite_add_tcase(s, t);
    return run_suite(s);
}
