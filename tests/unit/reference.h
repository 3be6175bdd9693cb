/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A second co-processor, deliberately simple: word after word, cycle after cycle, by the texts of docs/isa.md and
 * docs/decisions.md, without any of the co-processor's short cuts. What a word does is isa/semantics.h; here are the
 * sample buffer, the filters, the sequencer and time. It is advanced to the current cycle before each
 * call, so no event lies in its past. */
#ifndef TESTS_UNIT_REFERENCE_H
#define TESTS_UNIT_REFERENCE_H

#include <string.h>

#include "emu/cop.h"
#include "isa/pchash.h"
#include "isa/semantics.h"

enum { REFERENCE_QUEUE = 256 }; /* the most records that a buffer of 1 kB holds: of 4 bytes */

/* How often each row of the table was executed, and each condition came out false and true: a test is only as good as
 * these. */
struct coverage {
    uint64_t alu[16], narrow[16], data[16], lane[16], idx[8], cam[4], bsrc[32], vsrc[4], cond[16][2], target[32], words;
    uint64_t filtered, full, early, halted, gate; /* samples */
    uint64_t counted; /* samples with one word, which ends unless at a limit, as that before of this class */
};

struct reference {
    struct isa_machine m;
    uint64_t code[ISA_WORDS], executed[ISA_WORDS];
    unsigned target[ISA_TARGETS], predictor[ISA_WORDS], entry[OPCLASS_COUNT];
    enum bus_state state;
    unsigned pc;
    uint64_t time;                 /* its own cycle in which the next word can execute */
    uint64_t sample_words, budget; /* of the head sample, and the most for one */
    uint64_t last_words;           /* of the sample before */
    enum opclass last_class;
    unsigned divide;

    unsigned fields, slots, beats, path_cycles, drop_lfsr;
    uint8_t format[ISA_FIELDS];
    bool early_drop;
    unsigned gate; /* index register; ISA_INDEXES and above: none */
    bool closed;
    uint32_t kept;      /* classes of which no sample is dropped early */
    unsigned lost;      /* samples were dropped since the last one that was taken */
    uint64_t path_free; /* core cycle */
    struct {
        struct sample sample;
        uint64_t readable;
    } queue[REFERENCE_QUEUE];
    unsigned first, queued; /* the queue goes round */

    uint32_t classes, mask, match;
    unsigned hash1, hash2;
    bool masked[FILTER2_BITS];

    uint64_t waiting, bubbles, processed, offered, filtered, eligible, delivered, full, early, halted, at_gate;
    struct coverage *coverage; /* borrowed */
};

static inline void reference_init(struct reference *x, const struct image *im, const struct cop_config *config,
                                  struct coverage *coverage)
{
    *x = (struct reference){.divide = config->clock_divide,
                            .path_cycles = config->path_cycles,
                            .budget = config->runaway_words,
                            .early_drop = config->early_drop,
                            .drop_lfsr = 1,
                            .coverage = coverage};
    isa_machine_init(&x->m, im, config->cam_entries, config->data_rows);
    memcpy(x->code, im->word, sizeof x->code);
    memcpy(x->format, im->field, sizeof x->format);
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        x->target[i] = im->target[i];
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        x->entry[c] = im->entry[c];
    for (unsigned i = 0; i < ISA_WORDS; i++)
        x->predictor[i] = 1;
    x->gate = im->gate;
    x->kept = im->kept_classes;
    x->fields = im->fields;
    x->slots = config->buffer_bytes / image_record_bytes(im);
    x->beats = (image_record_bytes(im) + 15) / 16;
    x->classes = im->filter_classes;
    x->mask = im->filter1_mask;
    x->match = im->filter1_match;
    x->hash1 = im->filter1_hash;
    x->hash2 = im->filter2_hash;
}

static inline void reference_cover(struct coverage *c, const struct uop *u, bool taken)
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

/* The bubble of a branch predicted wrong, and the 2-bit counter's step towards what happened. */
static inline unsigned reference_bubble(struct reference *x, unsigned pc, bool taken)
{
    bool predicted = x->predictor[pc] / 2 == 1;
    if (taken && x->predictor[pc] < 3)
        x->predictor[pc]++;
    if (!taken && x->predictor[pc] > 0)
        x->predictor[pc]--;
    return predicted != taken;
}

/* The cycle in which the head sample's first word can execute: behind the one in which it is seen. */
static inline uint64_t reference_first_word(const struct reference *x)
{
    uint64_t seen = (x->queue[x->first].readable + x->divide - 1) / x->divide;
    return seen + 1 > x->time ? seen + 1 : x->time;
}

/* Starts on the head sample if that is now. */
static inline void reference_dispatch(struct reference *x)
{
    if (x->queued == 0 || reference_first_word(x) != x->time)
        return;
    for (unsigned i = 0; i < x->fields; i++)
        x->m.field[i] = x->queue[x->first].sample.field[x->format[i]];
    x->pc = x->entry[x->queue[x->first].sample.opclass];
    x->state = BUS_RUNNING;
    x->sample_words = 0;
}

/* Behind a sample, or a store of the host while no sample is in process. */
static inline void reference_follow_gate(struct reference *x)
{
    if (x->state == BUS_RUNNING)
        return;
    x->closed = x->gate < ISA_INDEXES && x->m.index[x->gate] != 0;
    if (!x->closed)
        return;
    x->at_gate += x->queued;
    x->coverage->gate += x->queued;
    x->lost += x->queued;
    x->queued = 0;
}

static inline void reference_finish(struct reference *x, bool interrupt)
{
    x->processed++;
    x->last_class = x->queue[x->first].sample.opclass;
    x->last_words = x->sample_words;
    x->queued--;
    x->first = (x->first + 1) % REFERENCE_QUEUE;
    x->state = interrupt ? BUS_INTERRUPT : BUS_WAITING_SAMPLE;
    reference_follow_gate(x);
    if (!interrupt)
        reference_dispatch(x);
}

/* The word at pc; where it ends the sample pc stays. */
static inline void reference_execute(struct reference *x)
{
    struct uop u;
    unsigned pc = x->pc, lost = 0;
    isa_decode(x->code[pc], &u);
    bool taken = isa_machine_execute(&x->m, &u);
    reference_cover(x->coverage, &u, taken);
    x->coverage->counted += taken && u.target == TARGET_DONE && u.cond == COND_LIMIT && x->sample_words == 0 &&
                            x->last_words == 1 && x->last_class == x->queue[x->first].sample.opclass;
    if (u.cond != COND_NEVER)
        lost = reference_bubble(x, pc, taken);
    x->executed[pc]++;
    x->sample_words++;
    x->bubbles += lost;
    x->time += 1 + lost;
    if (taken && (u.target == TARGET_DONE || u.target == TARGET_INTERRUPT))
        reference_finish(x, u.target == TARGET_INTERRUPT);
    else if (taken)
        x->pc = (u.target < TARGET_DONE ? x->target[u.target] : pc + (unsigned)isa_target_offset(u.target)) % ISA_WORDS;
    else
        x->pc = (pc + 1) % ISA_WORDS;
}

/* A word, or a wait that ends before `limit`. */
static inline void reference_step(struct reference *x, uint64_t limit)
{
    if (x->state == BUS_RUNNING) {
        if (x->sample_words < x->budget)
            reference_execute(x);
        else
            x->state = BUS_RUNAWAY;
    } else if (x->state == BUS_WAITING_SAMPLE) {
        uint64_t until = x->queued > 0 && reference_first_word(x) < limit ? reference_first_word(x) : limit;
        x->waiting += until - x->time;
        x->time = until;
        reference_dispatch(x);
    } else {
        x->time = limit;
    }
}

/* Lets time pass up to a cycle of its own. */
static inline void reference_advance(struct reference *x, uint64_t limit)
{
    while (x->time < limit)
        reference_step(x, limit);
}

/* Lets time pass until nothing is left to do. */
static inline void reference_drain(struct reference *x)
{
    while (x->state == BUS_RUNNING || (x->state == BUS_WAITING_SAMPLE && x->queued > 0))
        reference_step(x, UINT64_MAX);
}

/* The filters, in the core cycle in which an instruction is decoded. */
static inline bool reference_accepts(struct reference *x, enum opclass c, uint64_t pc)
{
    uint32_t key = sample_pc32(pc);
    bool passes = x->state != BUS_HALTED && (x->classes >> c & 1) != 0;
    if ((x->mask != 0 || x->match != 0) && (pchash_filter1(x->hash1, key) & x->mask) != x->match)
        passes = false;
    if (x->masked[pchash_filter2(x->hash2, key, FILTER2_BITS)])
        passes = false;
    x->offered++;
    x->filtered += !passes;
    x->eligible += x->classes >> c & 1;
    x->coverage->filtered += !passes;
    return passes;
}

/* From half full on the chance to be taken falls linearly: room / half. The LFSR serves early drop alone. */
static inline bool reference_drops_early(struct reference *x, enum opclass c)
{
    unsigned half = x->slots / 2, room = x->slots - x->queued;
    if (!x->early_drop || x->gate < ISA_INDEXES || (x->kept >> c & 1) != 0 || room >= half)
        return false;
    x->drop_lfsr = isa_step_lfsr(x->drop_lfsr);
    return x->drop_lfsr % 256 * half >= room * 256;
}

static inline void reference_deliver(struct reference *x, const struct sample *s)
{
    reference_advance(x, s->cycle / x->divide);
    x->delivered++;
    unsigned lost = x->lost;
    x->lost += x->kept == 0 || (x->kept >> s->opclass & 1) != 0;
    if (x->state == BUS_HALTED) {
        x->halted++;
        x->coverage->halted++;
    } else if (x->closed) {
        x->at_gate++;
        x->coverage->gate++;
        x->closed = --x->m.index[x->gate] != 0;
    } else if (x->queued == x->slots) {
        x->full++;
        x->coverage->full++;
    } else if (reference_drops_early(x, s->opclass)) {
        x->early++;
        x->coverage->early++;
    } else {
        x->path_free = (s->cycle > x->path_free ? s->cycle : x->path_free) + x->beats;
        unsigned last = (x->first + x->queued++) % REFERENCE_QUEUE;
        x->queue[last].sample = *s;
        x->queue[last].sample.field[FIELD_LOST] = lost < 255 ? lost : 255;
        x->queue[last].sample.field[FIELD_WEIGHT] = lost < 254 ? lost + 1 : 255;
        x->lost = 0;
        x->queue[last].readable = x->path_free + x->path_cycles;
    }
}

/* The bits of BUS_COMMAND, in their order. */
static inline void reference_command(struct reference *x, uint64_t bits)
{
    if (bits & BUS_INVALIDATE_ALL)
        memset(x->m.valid, 0, sizeof x->m.valid);
    if (bits & BUS_CLEAR_ALL)
        memset(x->m.row, 0, sizeof x->m.row);
    if (bits & BUS_DROP_SAMPLES) { /* the one it works on, too */
        x->lost += x->queued;
        x->queued = 0;
        x->path_free = 0;
        x->state = x->state == BUS_RUNNING ? BUS_WAITING_SAMPLE : x->state;
    }
    if (bits & BUS_RESTART)
        x->state = BUS_WAITING_SAMPLE;
    if (bits & BUS_HALT)
        x->state = BUS_HALTED;
    if (bits & BUS_CLEAR_STATISTICS) {
        x->waiting = x->bubbles = x->processed = x->offered = x->filtered = x->eligible = x->delivered = x->full =
            x->early = x->halted = x->at_gate = 0;
        memset(x->executed, 0, sizeof x->executed);
    }
    reference_follow_gate(x);
}

#endif
