/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a recording of samples. A static instruction, an address with a class, has a number, and the fields of its
 * last sample, to which those of the next are compared. */
#include <stdlib.h>

#include "core-model/record/sample_codec.h"
#include "core-model/record/sample_file.h"

enum { HASH_LEAST = 1 << 12 };

struct sample_writer {
    struct sample_sink sink;
    struct event_filter filter, due;
    struct part_writer *parts;
    struct column column[SAMPLE_COLUMNS];
    struct sample_codec codec;
    uint32_t *number; /* owned; open-addressed, by address and class; 0: free */
    uint32_t numbers; /* its size, a power of two */
    uint32_t samples; /* of the block */
};

static uint32_t *sample_writer_place_of(const struct sample_writer *w, uint64_t pc, uint8_t opclass)
{
    uint32_t at = (uint32_t)((pc ^ (uint64_t)opclass << 56) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (w->numbers - 1);
    while (w->number[at] != 0) {
        const struct sample_code *code = &w->codec.code[w->number[at]];
        if (code->pc == pc && code->opclass == opclass)
            break;
        at = (at + 1) & (w->numbers - 1);
    }
    return &w->number[at];
}

static void sample_writer_grow(struct sample_writer *w)
{
    uint32_t *old = w->number, n = w->numbers;
    w->numbers *= 2;
    w->number = xcalloc(w->numbers, sizeof *w->number);
    for (uint32_t i = 0; i < n; i++)
        if (old[i] != 0)
            *sample_writer_place_of(w, w->codec.code[old[i]].pc, w->codec.code[old[i]].opclass) = old[i];
    free(old);
}

/* Writes which instruction it is; returns its number. */
static uint32_t put_instruction(struct sample_writer *w, const struct sample *s)
{
    uint64_t pc = s->field[FIELD_PC];
    uint8_t opclass = (uint8_t)s->opclass;
    struct sample_codec *c = &w->codec;
    const struct sample_code *predicted = &c->code[c->code[c->last].next];
    if (predicted->pc == pc && predicted->opclass == opclass && c->code[c->last].next != 0) {
        column_put(&w->column[SAMPLE_INSN], 0);
        return c->code[c->last].next;
    }
    uint32_t *place = sample_writer_place_of(w, pc, opclass);
    if (*place != 0) {
        column_put_number(&w->column[SAMPLE_INSN], *place + SAMPLE_FIRST_NUMBER);
        return *place;
    }
    column_put_number(&w->column[SAMPLE_INSN], SAMPLE_NEW);
    column_put_difference(&w->column[SAMPLE_CODE], pc - c->code[c->count - 1].pc);
    column_put(&w->column[SAMPLE_CODE], opclass);
    uint32_t number = *place = sample_codec_add(c, pc, opclass);
    if (number == 0)
        BUG("more than %u instructions", SAMPLE_CODES_MOST);
    if (2 * c->count > w->numbers)
        sample_writer_grow(w);
    return number;
}

static void sample_writer_end_block(struct sample_writer *w)
{
    part_write(w->parts, RECORD_PART_SAMPLES, w->column);
    w->samples = 0;
}

static bool sample_writer_is_full(struct sample_writer *w)
{
    bool full = ++w->samples == RECORD_BLOCK_OPS;
    for (unsigned n = 0; n < SAMPLE_COLUMNS; n++)
        full |= w->column[n].size >= RECORD_BLOCK_BYTES;
    return full;
}

static void sample_writer_deliver(void *ctx, const struct sample *s)
{
    struct sample_writer *w = ctx;
    struct sample_codec *c = &w->codec;
    uint32_t number = put_instruction(w, s);
    column_put_number(&w->column[SAMPLE_CYCLE], s->cycle - c->cycle);
    c->cycle = s->cycle;
    sample_codec_follow(c, number);
    uint64_t *last = sample_codec_last(c, number);
    for (unsigned i = 0; i < c->fields; i++) {
        column_put_difference(&w->column[SAMPLE_FIELDS], s->field[c->field[i]] - last[i]);
        last[i] = s->field[c->field[i]];
    }
    if (sample_writer_is_full(w))
        sample_writer_end_block(w);
}

static bool accept(void *ctx, enum opclass opclass, uint64_t pc, uint64_t cycle)
{
    (void)pc, (void)cycle;
    return (((const struct sample_writer *)ctx)->filter.classes >> opclass & 1) != 0;
}

static void sample_writer_pass_time(void *ctx, uint64_t cycle) { (void)ctx, (void)cycle; }

struct sample_sink sample_writer_sink(struct sample_writer *w) { return w->sink; }

static void write_head(struct sample_writer *w, const struct record_head *head, const struct sample_contents *what,
                       uint64_t clock)
{
    struct column facts = {0};
    facts_put_head(&facts, head);
    facts_put_number(&facts, "clock", clock);
    facts_put(&facts, "samples.sampler", what->sampler);
    facts_put_number(&facts, "samples.classes", what->classes);
    for (unsigned i = 0; i < w->codec.fields; i++)
        facts_put(&facts, "samples.field", sample_fields[w->codec.field[i]].name);
    part_write(w->parts, RECORD_PART_HEAD, &facts);
    free(facts.byte);
}

struct sample_writer *sample_writer_new(FILE *out, const struct record_head *head, const struct sample_contents *what,
                                        uint64_t clock)
{
    struct sample_writer *w = xcalloc(1, sizeof *w);
    w->filter = (struct event_filter){.classes = what->classes, .from = UINT64_MAX};
    w->due = (struct event_filter){.from = UINT64_MAX};
    w->sink = (struct sample_sink){.ctx = w,
                                   .wanted = what->fields,
                                   .filter = &w->filter,
                                   .due = &w->due,
                                   .pass_time = sample_writer_pass_time,
                                   .accept = accept,
                                   .deliver = sample_writer_deliver};
    field_set_add(&w->sink.wanted, FIELD_PC);
    w->numbers = HASH_LEAST;
    w->number = xcalloc(w->numbers, sizeof *w->number);
    sample_codec_init(&w->codec, &what->fields, clock);
    w->parts = part_writer_new(out);
    record_begin_file(out);
    write_head(w, head, what, clock);
    return w;
}

void sample_writer_conclude(struct sample_writer *w, const struct record_tail *tail)
{
    struct column facts = {0};
    if (w->samples != 0)
        sample_writer_end_block(w);
    facts_put_tail(&facts, tail);
    part_write(w->parts, RECORD_PART_TAIL, &facts);
    free(facts.byte);
}

void sample_writer_free(struct sample_writer *w)
{
    if (w == NULL)
        return;
    for (unsigned n = 0; n < SAMPLE_COLUMNS; n++)
        free(w->column[n].byte);
    free(w->number);
    sample_codec_fini(&w->codec);
    part_writer_free(w->parts);
    free(w);
}
