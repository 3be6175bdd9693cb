/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of samples: what the writer has written is read again, and damage behind valid checksums is refused. */
#include "core-model/record/sample_codec.h"
#include "core-model/record/sample_file.h"

#include <inttypes.h>

#include "tests/unit/recording.h"
#include "tests/unit/suite.h"

static struct sample_contents contents(void)
{
    struct field_set wanted = {{0}};
    field_set_add(&wanted, FIELD_PC);
    field_set_add(&wanted, FIELD_RESULT);
    field_set_add(&wanted, FIELD_EA);
    return sample_contents_of(1u << OPCLASS_LOAD | 1u << OPCLASS_STORE, "retire", &wanted);
}

/* ---- what has been written ---- */

/* The n-th sample of a run. */
typedef struct sample sample_fn(uint64_t n);

/* Each instruction follows the one before it; every 1,000 begin again. */
static struct sample of_few(uint64_t n)
{
    struct sample s = {.opclass = OPCLASS_LOAD, .cycle = 100 + 3 * n};
    s.field[FIELD_PC] = 0x10000 + 4 * (n % 1000);
    s.field[FIELD_RESULT] = n * n;
    s.field[FIELD_EA] = 0x80000000 - n;
    return s;
}

/* No two have the same address; every other is of another class at the address of the one before it. */
static struct sample of_many(uint64_t n)
{
    struct sample s = of_few(n);
    s.opclass = n % 2 != 0 ? OPCLASS_LOAD : OPCLASS_STORE;
    s.field[FIELD_PC] = 0x10000 + 4 * (n / 2) * (n / 2);
    return s;
}

/* The instruction that is expected to follow is another one, or of another class. The first is at address 0. */
static struct sample of_classes(uint64_t n)
{
    struct sample s = of_few(n);
    s.opclass = n == 0 ? (enum opclass)0 : n % 4 == 3 ? OPCLASS_STORE : OPCLASS_LOAD;
    s.field[FIELD_PC] = n == 0 ? 0 : 0x10000 + n % 2;
    return s;
}

/* Fields that take as many bytes as they can. */
static struct sample of_long_fields(uint64_t n)
{
    struct sample s = of_few(n);
    s.field[FIELD_RESULT] = n % 2 != 0 ? UINT64_MAX / 2 : 0;
    s.field[FIELD_EA] = s.field[FIELD_RESULT];
    return s;
}

static void write_run(struct recording *d, uint64_t samples, sample_fn *sample)
{
    const struct record_head head = recording_head();
    const struct sample_contents what = contents();
    const struct record_tail tail = {.cycles = 3 * samples};
    FILE *out = open_memstream(&d->text, &d->bytes);
    struct sample_writer *w = sample_writer_new(out, &head, &what, 100);
    const struct sample_sink sink = sample_writer_sink(w);
    ck_assert(sink.accept(sink.ctx, OPCLASS_LOAD, 0, 0) && !sink.accept(sink.ctx, OPCLASS_BRANCH, 0, 0));
    sink.pass_time(sink.ctx, 100);
    for (uint64_t n = 0; n < samples; n++) {
        struct sample s = sample(n);
        sink.deliver(sink.ctx, &s);
    }
    sample_writer_conclude(w, &tail);
    sample_writer_free(w);
    fclose(out);
}

static struct sample_file *open_run(const struct recording *d, FILE **in)
{
    struct sample_file *f;
    struct errmsg err;
    *in = fmemopen(d->text, d->bytes, "r");
    ck_assert_msg(sample_file_open(&f, *in, "x.smp", &err) == ST_OK, "%s", err.text);
    return f;
}

static void read_run(const struct recording *d, uint64_t samples, sample_fn *sample)
{
    struct sample got;
    struct errmsg err;
    FILE *in;
    struct sample_file *f = open_run(d, &in);
    for (uint64_t n = 0; n < samples; n++) {
        const struct sample s = sample(n);
        ck_assert_msg(sample_file_next(f, &got), "sample %" PRIu64 " is missing", n);
        ck_assert(got.opclass == s.opclass && got.cycle == s.cycle && got.field[FIELD_PC] == s.field[FIELD_PC] &&
                  got.field[FIELD_RESULT] == s.field[FIELD_RESULT] && got.field[FIELD_EA] == s.field[FIELD_EA]);
    }
    ck_assert(!sample_file_next(f, &got) && !sample_file_next(f, &got));
    ck_assert_msg(sample_file_error(f, &err) == ST_OK, "%s", err.text);
    ck_assert_uint_eq(sample_file_cycles(f), 3 * samples);
    sample_file_close(f);
    fclose(in);
}

static const struct {
    uint64_t samples;
    sample_fn *sample;
} runs[] = {{0, of_few},
            {2500, of_few},
            {9000, of_many},
            {16, of_classes},
            {RECORD_BLOCK_OPS, of_few},
            {230000, of_long_fields}};
enum { RUNS = sizeof runs / sizeof runs[0] };

START_TEST(samples_are_read_again)
{
    struct recording d;
    write_run(&d, runs[_i].samples, runs[_i].sample);
    read_run(&d, runs[_i].samples, runs[_i].sample);
    free(d.text);
}
END_TEST

/* More instructions than a recording can have. */
START_TEST(instructions_are_limited)
{
    struct sample_codec c;
    const struct field_set none = {{0}};
    sample_codec_init(&c, &none, 0);
    for (uint32_t n = 1; n < SAMPLE_CODES_MOST; n++)
        ck_assert_uint_eq(sample_codec_add(&c, n, 0), n);
    ck_assert_uint_eq(sample_codec_add(&c, 1, 0), 0);
    sample_codec_fini(&c);
}
END_TEST

/* Needs of programs that the recording does not meet. */
static void expect_unwanted(const struct sample_contents *what, const char *message)
{
    struct recording d;
    struct errmsg err;
    FILE *in;
    const struct field_set none = {{0}};
    write_run(&d, 1, of_few);
    struct sample_file *f = open_run(&d, &in);
    ck_assert_int_eq(sample_file_want(f, what, &none, &err), ST_INPUT);
    expect_message(&err, message);
    sample_file_close(f);
    fclose(in);
    free(d.text);
}

START_TEST(wants_what_is_not_recorded)
{
    struct sample_contents what = contents();
    what.sampler = "dispatch";
    expect_unwanted(&what, "x.smp: recorded with sampler 'retire', but the program has 'dispatch'");
    what = contents();
    what.classes |= 1u << OPCLASS_BRANCH;
    expect_unwanted(&what, "x.smp: recorded without samples of the class 'branch', which the program needs");
    what = contents();
    field_set_add(&what.fields, FIELD_HISTORY);
    expect_unwanted(&what, "x.smp: recorded without the field 'history', which the program needs");
}
END_TEST

/* ---- damage ---- */

static void put_head(struct recording *d)
{
    const struct record_head head = recording_head();
    facts_put_head(&d->facts, &head);
    facts_put_number(&d->facts, "clock", 0);
    facts_put(&d->facts, "samples.sampler", "retire");
    facts_put_number(&d->facts, "samples.classes", 1u << OPCLASS_LOAD);
    facts_put(&d->facts, "samples.field", "result");
    facts_put(&d->facts, "samples.field", "pc");
}

/* Begins a recording; its part HEAD is written. */
static void begin(struct recording *d)
{
    recording_begin(d);
    put_head(d);
    part_write(d->parts, RECORD_PART_HEAD, &d->facts);
    fflush(d->out);
}

static void end(struct recording *d, uint64_t cycles)
{
    const struct record_tail tail = {.cycles = cycles};
    facts_put_tail(&d->facts, &tail);
    part_write(d->parts, RECORD_PART_TAIL, &d->facts);
    recording_end(d);
}

/* Reads the file to its end, or up to an error. */
static enum status read_all(const struct recording *d, struct errmsg *err)
{
    struct sample_file *f;
    struct sample sample;
    FILE *in = fmemopen(d->text, d->bytes, "r");
    enum status st = sample_file_open(&f, in, "x.smp", err);
    if (st == ST_OK) {
        while (sample_file_next(f, &sample))
            ;
        ck_assert(!sample_file_next(f, &sample));
        st = sample_file_error(f, err);
        sample_file_close(f);
    }
    fclose(in);
    return st;
}

static void expect_refused(const struct recording *d, const char *message)
{
    struct errmsg err;
    ck_assert_msg(read_all(d, &err) == ST_FORMAT, "not refused, but: %s", message);
    expect_message(&err, message);
}

static const struct {
    const char *name, *value, *says;
} heads[] = {
    {"samples.sampler", NULL,
     "expected a recording of samples (--record-samples), found one of a core's stages (--core replay:FILE)"},
    {"samples.classes", NULL, "expected a fact 'samples.classes'"},
    {"samples.classes", "x", "expected a fact 'samples.classes'"},
    {"samples.classes", "1099511627776", "expected a fact 'samples.classes'"},
    {"samples.field", "colour", "unknown sample field 'colour'"},
};
enum { HEADS = sizeof heads / sizeof heads[0] };

START_TEST(facts_are_checked)
{
    struct recording d;
    char message[256];
    recording_begin(&d);
    put_head(&d);
    recording_set(&d, heads[_i].name, heads[_i].value);
    part_write(d.parts, RECORD_PART_HEAD, &d.facts);
    end(&d, 0);
    snprintf(message, sizeof message, "x.smp: offset %d: %s", RECORDING_HEAD, heads[_i].says);
    expect_refused(&d, message);
    free(d.text);
}
END_TEST

/* A number in a column; zero-initialised: the end. */
struct step {
    int column; /* plus 1 */
    uint64_t number;
};
#define PUT(column, number)         \
    {                               \
        SAMPLE_##column + 1, number \
    }
/* A sample of a new instruction, and of an instruction with this number. */
#define NEW(opclass, cycles) PUT(INSN, SAMPLE_NEW), PUT(CODE, 0x2000), PUT(CODE, opclass), PUT(CYCLE, cycles)
#define OLD(number, cycles) PUT(INSN, number), PUT(CYCLE, cycles)

static const struct block {
    const char *says; /* NULL: the block is sound */
    struct step step[12];
} blocks[] = {
    {NULL, {NEW(OPCLASS_LOAD, 7), PUT(FIELDS, 0), OLD(SAMPLE_FIRST_NUMBER + 1, 3), PUT(FIELDS, 0)}},
    {"a sample is impossible where it stands", {OLD(0, 1), PUT(FIELDS, 0)}},
    {"a sample is impossible where it stands", {OLD(SAMPLE_FIRST_NUMBER + 1, 1), PUT(FIELDS, 0)}},
    {"a sample is impossible where it stands", {NEW(OPCLASS_COUNT, 1), PUT(FIELDS, 0)}},
    {"a sample is impossible where it stands", {PUT(INSN, SAMPLE_NEW), PUT(CODE, 0x2000)}},
    {"a sample is impossible where it stands", {NEW(OPCLASS_LOAD, UINT64_C(1) << 61), PUT(FIELDS, 0)}},
    {"a sample is impossible where it stands", {NEW(OPCLASS_LOAD, 1)}},
    {"a sample is impossible where it stands", {NEW(OPCLASS_LOAD, 1), PUT(FIELDS, 0), PUT(CYCLE, 0)}},
    {"its last sample is behind its end", {NEW(OPCLASS_LOAD, 11), PUT(FIELDS, 0)}},
    {"an empty block", {PUT(FIELDS, 0)}},
};
enum { BLOCKS = sizeof blocks / sizeof blocks[0] };

START_TEST(blocks_are_checked)
{
    const struct block *b = &blocks[_i];
    struct recording d;
    struct errmsg err = {{0}};
    begin(&d);
    for (const struct step *s = b->step; s->column != 0; s++)
        column_put_number(&d.column[s->column - 1], s->number);
    part_write(d.parts, RECORD_PART_SAMPLES, d.column);
    end(&d, 10);
    ck_assert_int_eq(read_all(&d, &err), b->says == NULL ? ST_OK : ST_FORMAT);
    ck_assert_msg(b->says == NULL || strstr(err.text, b->says) != NULL, "%s", err.text);
    ck_assert_msg(b->says == NULL || strncmp(err.text, "x.smp: offset ", 14) == 0, "%s", err.text);
    free(d.text);
}
END_TEST

START_TEST(other_parts)
{
    struct recording d;
    char message[256];
    begin(&d);
    snprintf(message, sizeof message, "x.smp: offset %zu: the recording is damaged: a part that is not of samples",
             d.bytes);
    part_write(d.parts, RECORD_PART_CODE, d.column);
    end(&d, 0);
    expect_refused(&d, message);
    free(d.text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sample_file");
    TCase *written = tcase_create("written");
    tcase_add_loop_test(written, samples_are_read_again, 0, RUNS);
    tcase_add_test(written, instructions_are_limited);
    tcase_add_test(written, wants_what_is_not_recorded);
    suite_add_tcase(s, written);
    TCase *damaged = tcase_create("damaged");
    tcase_add_loop_test(damaged, facts_are_checked, 0, HEADS);
    tcase_add_loop_test(damaged, blocks_are_checked, 0, BLOCKS);
    tcase_add_test(damaged, other_parts);
    suite_add_tcase(s, damaged);
    return run_suite(s);
}
