/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The insides of the co-processor, for the files of emu/ that make it up. */
#ifndef EMU_COP_STATE_H
#define EMU_COP_STATE_H

#include "emu/cop_inspect.h"
#include "emu/cop_watch.h"

enum { MAX_ENTRIES = 4 * ISA_CAM_ENTRIES, MAX_ROWS = 4 * ISA_DATA_ROWS, CAM_BUCKETS = 2048, NO_ENTRY = 0xffff };
enum { NO_DISPATCH = 0xff, NO_FIELD = 0xff };

/* The associative array. Hardware compares all entries at once; here valid entries hang in chains by a hash of their tag. */
struct cam {
    unsigned entries;
    uint32_t tag[MAX_ENTRIES];
    uint8_t valid[MAX_ENTRIES];
    uint16_t bucket[CAM_BUCKETS], next[MAX_ENTRIES], previous[MAX_ENTRIES];
};

void cam_init(struct cam *m, unsigned entries);
void cam_write(struct cam *m, unsigned entry, uint32_t tag);
void cam_set_valid(struct cam *m, unsigned entry, bool valid);
/* Changes a tag and leaves the valid bit, as the host can. */
void cam_set_tag(struct cam *m, unsigned entry, uint32_t tag);
/* The lowest valid entry with that tag in [first, first + count), or -1. */
int cam_match(const struct cam *m, uint32_t tag, unsigned first, unsigned count);

/* A sample in the buffer: the fields of the record format by position. */
struct record {
    uint64_t field[ISA_FIELDS];
    uint64_t readable; /* core cycle at which its last beat is in the buffer */
    uint8_t opclass;
};

/* The sample buffer. Space is taken when a sample sets out, so that what is on the path always finds room. */
struct buffer {
    unsigned capacity_bytes, record_bytes;
    struct record *ring; /* of `slots` records, one more than fit */
    unsigned slots, head, count;
    unsigned fields;     /* of the record format */
    bool early_drop;
    uint16_t lfsr;      /* its own, at the door */
    uint64_t path_free; /* core cycle from which the 128-bit path is free again */
};

struct filters {
    uint32_t classes;
    uint16_t mask1, match1;
    uint8_t hash1, hash2;
    uint64_t masked[64];
};

/* A word made ready once, when it is written, for being executed often. */
struct ready_word {
    struct uop u;
    uint8_t target;      /* address that a branch to an offset or a target register goes to */
    uint8_t lane_low;
    bool legal;
    bool always;         /* branches without a condition */
    uint64_t lane_ones, alu_ones;
};

struct cop {
    struct cop_config config;
    enum bus_state state;
    unsigned pc;
    uint64_t time;          /* co-processor cycle in which the next word can execute */
    uint64_t sample_words;  /* words executed for the head sample */

    uint64_t microcode[ISA_WORDS];
    struct ready_word word[ISA_WORDS];
    uint8_t predictor[ISA_WORDS];
    uint8_t dispatch[OPCLASS_COUNT];
    uint8_t format[ISA_FIELDS];

    /* What can drive bus B, by its code in the word: value registers, constants, and the head sample's fields, copied to the DFE
     * when it is dispatched. The entries of the index register, of zero and of the LFSR stay 0. */
    uint64_t operand[32];
    uint16_t index[ISA_INDEXES], base[ISA_BASES];
    uint8_t index_width[ISA_INDEXES];
    bool index_saturates[ISA_INDEXES];
    uint8_t target[ISA_TARGETS];
    uint16_t lfsr;
    struct cam cam;
    uint64_t data[MAX_ROWS];

    struct filters filters;
    struct buffer buffer;

    uint64_t bubbles, waiting, offered, filtered, delivered, dropped, processed;
    uint64_t first_cycle;   /* of the statistics, in co-processor cycles */
    uint64_t word_count[ISA_WORDS];

    void (*interrupt)(void *ctx, uint64_t cycle);
    void *interrupt_ctx;
    struct cop_watch watch;
    bool watched;
};

/* Calls one of the watch's functions. */
#define COP_TELL(c, event, ...) \
    do { \
        if ((c)->watched && (c)->watch.event != NULL) \
            (c)->watch.event((c)->watch.ctx, __VA_ARGS__); \
    } while (0)

/* The largest value of an index register. */
static inline uint16_t index_limit(const struct cop *c, unsigned i) { return (uint16_t)((1u << c->index_width[i]) - 1); }

/* An LFSR: x^16 + x^14 + x^13 + x^11 + 1, of maximal length, four steps at once, so that its low four bits are fresh each time. What the
 * four bits that leave feed back is wired: a table of it is what four steps one after the other give. */
static inline uint16_t lfsr_step(uint16_t r)
{
    static const uint16_t feedback[16] = {0x0000, 0x1680, 0x2d00, 0x3b80, 0x5a00, 0x4c80, 0x7700, 0x6180,
                                          0xb400, 0xa280, 0x9900, 0x8f80, 0xee00, 0xf880, 0xc300, 0xd580};
    return (uint16_t)((r >> 4) ^ feedback[r & 0xf]);
}

/* sequencer.c: lets time pass up to a cycle of the co-processor's own, or until nothing is left to do. */
void sequencer_advance(struct cop *c, uint64_t limit);
void sequencer_drain(struct cop *c);
/* Could time alone change anything? */
bool sequencer_busy(const struct cop *c);
/* After a change of word i, or of the target registers it may use. */
void sequencer_ready_word(struct cop *c, unsigned i);

/* buffer.c */
void buffer_init(struct buffer *b, unsigned capacity_bytes, bool early_drop);
void buffer_fini(struct buffer *b);
/* Sets the record size from the format; drops what is there. */
void buffer_set_format(struct buffer *b, const uint8_t format[ISA_FIELDS]);
/* False where it is full, or early drop decides against the sample. */
bool buffer_push(struct buffer *b, const uint8_t format[ISA_FIELDS], unsigned path_cycles, const struct sample *s);
const struct record *buffer_head(const struct buffer *b); /* NULL where it is empty */
struct record *buffer_at(const struct buffer *b, unsigned i); /* i-th from the head, i < count */
void buffer_pop(struct buffer *b);
void buffer_clear(struct buffer *b);

/* filters.c */
bool filters_pass(const struct filters *f, enum opclass c, uint64_t pc);

/* bus_device.c: the co-processor's end of the host access bus, of which the watch is not told. */
enum status bus_device_read(const struct cop *c, uint32_t address, uint64_t *value);
enum status bus_device_write(struct cop *c, uint32_t address, uint64_t value);

#endif
