/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of writer and reader of a recording of samples, derived from the samples so far: both sides keep it by the same
 * functions. Private to core-model/record. */
#ifndef CORE_MODEL_RECORD_SAMPLE_CODEC_H
#define CORE_MODEL_RECORD_SAMPLE_CODEC_H

#include <stdlib.h>

#include "core-model/record/format.h"
#include "isa/sample.h"

enum { SAMPLE_CODES_MOST = 1 << 22 };

/* The column insn: 0 is the instruction that last followed the one before it, SAMPLE_NEW one that the column code
 * adds; others are numbers plus SAMPLE_FIRST_NUMBER. */
enum { SAMPLE_NEW = 1, SAMPLE_FIRST_NUMBER = 1 };

struct sample_code {
    uint64_t pc;
    uint32_t next; /* number of the instruction that followed it last; 0: none */
    uint8_t opclass;
};

struct sample_codec {
    struct sample_code *code; /* owned; by number; number 0 stands before the first sample */
    uint64_t *value;          /* owned; of each instruction, the recorded fields of its last sample */
    uint32_t count, room;
    uint32_t last;  /* number of the last sample's instruction */
    uint64_t cycle; /* of the last sample */
    unsigned fields;
    uint8_t field[FIELD_COUNT]; /* the recorded fields in their order: enum sample_field */
};

static inline void sample_codec_init(struct sample_codec *c, const struct field_set *fields, uint64_t clock)
{
    enum { LEAST = 1 << 10 };
    *c = (struct sample_codec){.count = 1, .room = LEAST, .cycle = clock};
    for (unsigned f = 0; f < FIELD_COUNT; f++)
        if (field_set_has(fields, f) && f != FIELD_PC)
            c->field[c->fields++] = (uint8_t)f;
    c->code = xcalloc(LEAST, sizeof *c->code);
    c->value = xcalloc((size_t)LEAST * (c->fields + 1), sizeof *c->value);
}

static inline void sample_codec_fini(struct sample_codec *c)
{
    free(c->code);
    free(c->value);
}

/* The fields of the instruction's last sample. */
static inline uint64_t *sample_codec_last(const struct sample_codec *c, uint32_t number)
{
    return &c->value[(size_t)number * c->fields];
}

/* Adds an instruction; returns its number, or 0 if there are too many. */
static inline uint32_t sample_codec_add(struct sample_codec *c, uint64_t pc, uint8_t opclass)
{
    if (c->count == SAMPLE_CODES_MOST)
        return 0;
    if (c->count == c->room) {
        size_t old = c->room;
        c->room *= 2;
        c->code = xrealloc(c->code, c->room * sizeof *c->code);
        c->value = xrealloc(c->value, (size_t)c->room * (c->fields + 1) * sizeof *c->value);
        for (size_t i = old * c->fields; i < (size_t)c->room * c->fields; i++)
            c->value[i] = 0;
    }
    c->code[c->count] = (struct sample_code){.pc = pc, .opclass = opclass};
    return c->count++;
}

/* The sample of this instruction follows the last one. */
static inline void sample_codec_follow(struct sample_codec *c, uint32_t number)
{
    c->code[c->last].next = number;
    c->last = number;
}

#endif
