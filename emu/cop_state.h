/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of the co-processor. Internal to the files of emu/ that implement it. */
#ifndef EMU_COP_STATE_H
#define EMU_COP_STATE_H

#include "emu/admission_queue.h"
#include "emu/buffer.h"
#include "emu/bus_device.h"
#include "emu/cam.h"
#include "emu/cop_inspect.h"
#include "emu/cop_use.h"
#include "emu/cop_watch.h"
#include "emu/filters.h"
#include "emu/lfsr.h"
#include "emu/lookahead.h"
#include "emu/predecode.h"

enum { NO_DISPATCH = 0xff }; /* dispatch-table entry of a class without a start address */

/* Callbacks of the model's owner. They are not part of the co-processor's state: clones have none. */
struct cop_owner {
    void (*interrupt)(void *ctx, uint64_t cycle);
    void *interrupt_ctx;
    uint64_t (*clock)(void *ctx, uint64_t cycle);
    void *clock_ctx;
    uint64_t next_clock; /* core cycle of the next call of `clock`; UINT64_MAX: none */
    struct cop_watch watch;
    bool watched;
};

/* Statistics: counts since the last clear command. */
struct cop_counts {
    uint64_t bubbles, waiting;        /* co-processor cycles */
    uint64_t offered, filtered;       /* instructions, except those that the event filter counts */
    uint64_t eligible;                /* of them, instructions of the opcode filter's classes */
    uint64_t delivered, processed;    /* samples */
    uint64_t dropped[COP_DROP_KINDS]; /* samples */
    uint64_t first_cycle, first_word; /* co-processor cycle and words executed at the clear command */
};

struct cop {
    struct cop_config config;
    enum bus_state state;
    unsigned pc;
    uint64_t time;         /* co-processor cycle in which the next word can execute */
    uint64_t words;        /* number of words executed */
    uint64_t sample_start; /* number of words executed before the head sample */
    unsigned clock_shift;  /* log2 of the ratio of core clock to co-processor clock */
    struct lookahead lookahead;

    uint64_t microcode[ISA_WORDS];
    struct decoded_word word[DECODED_WORDS];
    uint8_t dispatch[OPCLASS_COUNT];
    uint8_t format[ISA_FIELDS];

    uint64_t operand[SLOTS];
    uint16_t lfsr; /* state after lfsr_words words; later steps are evaluated on read */
    uint64_t lfsr_words;
    uint16_t base[ISA_BASES];
    uint8_t wide; /* bit mask of base registers whose keys include operand A */
    uint8_t index_width[ISA_INDEXES];
    bool index_saturates[ISA_INDEXES];
    uint8_t gate; /* index register that is the gate; ISA_INDEXES: none */
    uint8_t target[ISA_TARGETS];
    struct cam cam;
    uint64_t data[COP_MAX_data_rows];

    struct filters filters;
    struct buffer buffer;
    struct admission admission;

    struct cop_counts counts;
    struct cop_use use;

    struct cop_owner owner;
};

/* Calls a function of the watch, if it is set. */
#define COP_NOTIFY(c, event, ...)                                      \
    do {                                                               \
        if ((c)->owner.watched && (c)->owner.watch.event != NULL)      \
            (c)->owner.watch.event((c)->owner.watch.ctx, __VA_ARGS__); \
    } while (0)

static inline struct bus_geometry cop_geometry(const struct cop *c)
{
    return (struct bus_geometry){.cam_entries = c->config.cam_entries,
                                 .data_rows = c->config.data_rows,
                                 .buffer_bytes = c->config.buffer_bytes,
                                 .filter2_bits = c->config.filter2_bits};
}

/* The largest value of an index register. */
static inline uint16_t index_limit(const struct cop *c, unsigned i)
{
    return (uint16_t)((1u << c->index_width[i]) - 1);
}

/* Words executed for the head sample. */
static inline uint64_t sample_words(const struct cop *c) { return c->words - c->sample_start; }

/* The LFSR as read by the word with sequence number `words`. */
static inline uint16_t cop_lfsr(const struct cop *c, uint64_t words)
{
    return lfsr_after(c->lfsr, words - c->lfsr_words);
}

/* Converts a core cycle to a cycle of the co-processor's clock. */
static inline uint64_t own_cycle(const struct cop *c, uint64_t cycle) { return cycle >> c->clock_shift; }

#endif
