/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a recording of samples. */
#include "core-model/record/sample_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/record/ends.h"
#include "core-model/record/sample_codec.h"

struct sample_file {
    const char *name;
    struct part_reader *parts;
    struct column_cursor column[RECORD_COLUMNS];
    bool failed; /* a column ended early, or has an impossible value */
    bool ended;  /* TAIL has been read, or an error has occurred */
    enum status status;
    struct errmsg error;
    struct record_start start;
    struct record_tail tail;
    struct sample_contents contents;
    struct sample_codec codec;
    unsigned derived;
    uint8_t derive[FIELD_COUNT]; /* fields that sample_field_follow gives: enum sample_field */
};

/* Adds the field, or those from which it derives. The buffer and the replay set the others. */
static void sample_file_add_source(struct field_set *set, unsigned f)
{
    switch ((enum sample_field)f) {
    case FIELD_PC:
    case FIELD_CLASS:
    case FIELD_CYCLE:
    case FIELD_SEQ:
    case FIELD_LOST:
    case FIELD_WEIGHT:
        return;
    default:
        break;
    }
    if (sample_fields[f].rule == SAMPLE_RULE_NONE)
        field_set_add(set, f);
    else
        sample_file_add_source(set, sample_fields[f].whole);
}

struct sample_contents sample_contents_of(uint32_t classes, const char *sampler, const struct field_set *wanted)
{
    struct sample_contents what = {.classes = classes, .sampler = sampler};
    for (unsigned f = 0; f < FIELD_COUNT; f++)
        if (field_set_has(wanted, f))
            sample_file_add_source(&what.fields, f);
    return what;
}

/* ---- the part HEAD ---- */

static enum status read_contents(struct sample_file *f, struct errmsg *err)
{
    uint64_t classes;
    const struct column_cursor *facts = &f->start.facts;
    const char *sampler = facts_find(facts, "samples.sampler");
    if (sampler == NULL)
        return fail(err, ST_FORMAT,
                    "expected a recording of samples (--record-samples), found one of a core's stages "
                    "(--core replay:FILE)");
    if (!facts_number(facts, "samples.classes", &classes) || classes >> OPCLASS_COUNT != 0)
        return fail(err, ST_FORMAT, "expected a fact 'samples.classes'");
    f->contents = (struct sample_contents){.classes = (uint32_t)classes, .sampler = sampler};
    struct column_cursor rest = *facts;
    for (const char *name; (name = facts_find(&rest, "samples.field")) != NULL;) {
        int field = sample_find_field(name);
        if (field < 0)
            return fail(err, ST_FORMAT, "unknown sample field '%.40s'", name);
        field_set_add(&f->contents.fields, (unsigned)field);
        rest.at = (const uint8_t *)name + strlen(name) + 1;
    }
    return ST_OK;
}

static enum status sample_file_read_head(struct sample_file *f, struct errmsg *err)
{
    struct errmsg why;
    enum status st = record_read_start(&f->start, f->parts, f->column, f->name, err);
    if (st != ST_OK)
        return st;
    st = read_contents(f, &why);
    if (st != ST_OK)
        return fail(err, st, "%s: offset %" PRIu64 ": %.400s", f->name, part_offset(f->parts), why.text);
    return ST_OK;
}

enum status sample_file_open(struct sample_file **out, FILE *in, const char *name, struct errmsg *err)
{
    struct sample_file *f = xcalloc(1, sizeof *f);
    f->name = name;
    for (unsigned n = 0; n < RECORD_COLUMNS; n++)
        f->column[n].failed = &f->failed;
    enum status st = part_reader_new(&f->parts, in, name, err);
    if (st == ST_OK)
        st = sample_file_read_head(f, err);
    if (st != ST_OK) {
        sample_file_close(f);
        return st;
    }
    for (unsigned n = 0; n < SAMPLE_COLUMNS; n++)
        f->column[n].at = f->column[n].end;
    sample_codec_init(&f->codec, &f->contents.fields, f->start.clock);
    *out = f;
    return ST_OK;
}

void sample_file_close(struct sample_file *f)
{
    facts_free_tail(&f->tail);
    part_reader_free(f->parts);
    sample_codec_fini(&f->codec);
    free(f->start.text);
    free(f);
}

const struct record_head *sample_file_head(const struct sample_file *f) { return &f->start.head; }
const struct record_tail *sample_file_tail(const struct sample_file *f) { return &f->tail; }
const struct sample_contents *sample_file_contents(const struct sample_file *f) { return &f->contents; }
uint64_t sample_file_clock(const struct sample_file *f) { return f->start.clock; }

uint64_t sample_file_cycles(const struct sample_file *f)
{
    uint64_t read = f->codec.cycle - f->start.clock;
    return f->tail.cycles > read ? f->tail.cycles : read;
}

enum status sample_file_error(const struct sample_file *f, struct errmsg *err)
{
    if (f->status != ST_OK)
        *err = f->error;
    return f->status;
}

enum status sample_file_want(struct sample_file *f, const struct sample_contents *what, const struct field_set *wanted,
                             struct errmsg *err)
{
    const struct sample_contents *has = &f->contents;
    if (strcmp(what->sampler, has->sampler) != 0)
        return fail(err, ST_INPUT, "%s: recorded with sampler '%s', but the program has '%s'", f->name, has->sampler,
                    what->sampler);
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        if ((what->classes & ~has->classes) >> c & 1)
            return fail(err, ST_INPUT, "%s: recorded without samples of the class '%s', which the program needs",
                        f->name, opclass_name((enum opclass)c));
    for (unsigned n = 0; n < FIELD_COUNT; n++)
        if (field_set_has(&what->fields, n) && !field_set_has(&has->fields, n))
            return fail(err, ST_INPUT, "%s: recorded without the field '%s', which the program needs", f->name,
                        sample_fields[n].name);
    for (unsigned n = 0; n < FIELD_COUNT; n++)
        if (sample_fields[n].rule != SAMPLE_RULE_NONE && (field_set_has(wanted, n) || n == FIELD_PC32))
            f->derive[f->derived++] = (uint8_t)n;
    return ST_OK;
}

/* ---- the samples ---- */

static void sample_file_end_with(struct sample_file *f, enum status st)
{
    f->ended = true;
    f->status = st;
}

static enum status sample_file_damaged(struct sample_file *f, const char *what)
{
    return record_damaged(f->parts, f->name, what, &f->error);
}

static void sample_file_read_tail(struct sample_file *f)
{
    enum status st = record_read_end(&f->tail, f->parts, &f->column[0], f->name, &f->error);
    if (st == ST_OK && f->tail.cycles < f->codec.cycle - f->start.clock)
        st = sample_file_damaged(f, "its last sample is behind its end");
    sample_file_end_with(f, st);
}

/* Reads the next block; false at the end. The columns of the last one must have been read completely. */
static __attribute__((noinline)) bool read_block(struct sample_file *f)
{
    enum record_part kind;
    for (unsigned n = 0; n < SAMPLE_COLUMNS && !f->failed; n++)
        f->failed = f->column[n].at != f->column[n].end;
    if (f->failed) {
        sample_file_end_with(f, sample_file_damaged(f, "a sample is impossible where it stands"));
        return false;
    }
    enum status st = part_read(f->parts, &kind, f->column, 0, &f->error);
    if (st != ST_OK)
        sample_file_end_with(f, st);
    else if (kind == RECORD_PART_TAIL)
        sample_file_read_tail(f);
    else if (kind != RECORD_PART_SAMPLES)
        sample_file_end_with(f, sample_file_damaged(f, "a part that is not of samples"));
    else if (f->column[SAMPLE_INSN].at == f->column[SAMPLE_INSN].end)
        sample_file_end_with(f, sample_file_damaged(f, "an empty block"));
    return !f->ended;
}

/* The number of the next instruction; 0: the file is damaged. */
static inline uint32_t read_instruction(struct sample_file *f)
{
    struct sample_codec *c = &f->codec;
    uint64_t n = cursor_number(&f->column[SAMPLE_INSN]);
    if (n == 0)
        return c->code[c->last].next;
    if (n != SAMPLE_NEW)
        return n - SAMPLE_FIRST_NUMBER < c->count ? (uint32_t)(n - SAMPLE_FIRST_NUMBER) : 0;
    uint64_t pc = c->code[c->count - 1].pc + cursor_difference(&f->column[SAMPLE_CODE]);
    uint8_t opclass = cursor_get(&f->column[SAMPLE_CODE]);
    return opclass < OPCLASS_COUNT ? sample_codec_add(c, pc, opclass) : 0;
}

bool sample_file_next(struct sample_file *f, struct sample *s)
{
    struct sample_codec *c = &f->codec;
    if (f->ended || (f->column[SAMPLE_INSN].at == f->column[SAMPLE_INSN].end && !read_block(f)))
        return false;
    uint32_t number = read_instruction(f);
    uint64_t cycles = cursor_number(&f->column[SAMPLE_CYCLE]);
    if (number == 0 || f->failed || cycles > RECORD_CYCLE_MOST - c->cycle) {
        f->failed = true;
        sample_file_end_with(f, sample_file_damaged(f, "a sample is impossible where it stands"));
        return false;
    }
    sample_codec_follow(c, number);
    c->cycle += cycles;
    uint64_t *last = sample_codec_last(c, number);
    const struct sample_code *code = &c->code[number];
    s->opclass = (enum opclass)code->opclass;
    s->cycle = c->cycle;
    s->field[FIELD_PC] = code->pc;
    s->field[FIELD_CLASS] = code->opclass;
    for (unsigned i = 0; i < c->fields; i++)
        s->field[c->field[i]] = last[i] += cursor_difference(&f->column[SAMPLE_FIELDS]);
    for (unsigned i = 0; i < f->derived; i++)
        s->field[f->derive[i]] = sample_field_follow((enum sample_field)f->derive[i], s->field);
    return true;
}
