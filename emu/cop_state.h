/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The insides of the co-processor, for the files of emu/ that make it up. */
#ifndef EMU_COP_STATE_H
#define EMU_COP_STATE_H

#include "emu/cop_inspect.h"
#include "emu/cop_use.h"
#include "emu/cop_watch.h"
#include "emu/filters.h"

/* COP_MAX_key: the largest value of each configuration key. */
enum {
#define COP_PARAM(key, def, min, max, unit, help) COP_MAX_##key = (max),
#include "isa/contract/cop_config.def"
#undef COP_PARAM
};

enum { MAX_ENTRIES = COP_MAX_cam_entries, MAX_ROWS = COP_MAX_data_rows, CAM_BUCKETS = 2048, NO_ENTRY = 0xffff };
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

static inline unsigned cam_bucket(uint32_t tag) { return (tag * 0x9e3779b1u) >> (32 - 11); }
_Static_assert(CAM_BUCKETS == 1 << 11, "cam_bucket yields 11 bits");

/* The lowest valid entry with that tag in [first, first + count), or -1. */
static inline int cam_match(const struct cam *m, uint32_t tag, unsigned first, unsigned count)
{
    int best = -1;
    for (unsigned e = m->bucket[cam_bucket(tag)]; e != NO_ENTRY; e = m->next[e])
        if (m->tag[e] == tag && e - first < count && (best < 0 || (int)e < best))
            best = (int)e;
    return best;
}

/* A sample in the buffer or in its admission queue: the fields of the record format by position. */
struct record {
    uint64_t delivered, readable; /* core cycles: it set out; its last beat is in the buffer */
    uint8_t opclass;
    uint64_t field[ISA_FIELDS];
};

/* The sample buffer. Space is taken when a sample sets out, so that what is on the path always finds room.
 * The admission queue (admission.h) holds samples that were delivered while the co-processor lags behind the core. Each is admitted or dropped
 * when the co-processor has reached its cycle. In the ring they follow the samples that are in the buffer. */
enum { ADMISSION_QUEUE = 64 };
struct buffer {
    unsigned capacity_bytes, record_bytes;
    unsigned slots;        /* records that fit */
    unsigned calm;         /* with fewer samples than these any is admitted */
    struct record *ring;   /* a power of two of records: slots and admission queue */
    unsigned ring_ones;
    unsigned head, count;  /* the number of the first, which counts on for ever; how many */
    unsigned present;      /* of them, that had set out by the cycle that the co-processor has got to */
    unsigned first, queued; /* the same of those in the admission queue */
    unsigned fields;     /* of the record format */
    unsigned beats;      /* of a record on the path */
    unsigned taken;      /* fields that are there; at which position, and from where */
    uint8_t position[ISA_FIELDS], from[ISA_FIELDS];
    bool early_drop;
    uint16_t lfsr;      /* of early drop */
    uint64_t path_free; /* core cycle from which the 128-bit path is free again */
};

/* What a word's ports can be connected to, in one array: what drives bus B by its code in the word (value registers, constants, the head
 * sample's fields, copied to the DFE when it is dispatched, the LFSR as it was last drawn from), the index registers, and a place for what
 * nobody wants. The slots of codes that drive nothing stay 0. */
enum { SLOT_INDEX = 32, SLOT_NOWHERE = SLOT_INDEX + ISA_INDEXES, SLOTS };

/* Behind the words stand others that are not executed: the first word once more, for what falls through the last, and what follows the last word
 * of a sample. */
enum { NEXT_FIRST = ISA_WORDS, NEXT_DONE, NEXT_INTERRUPT, READY_WORDS };

/* A word made ready once, when it is written, for being executed often: its selectors followed through the registers that only the host
 * writes, and the kind it is of (datapath.h). */
struct ready_word {
    uint64_t executed;          /* since the statistics were cleared */
    struct ready_word *target;  /* of its branch */
    uint64_t lane_ones;
    uint16_t kind;
    uint8_t predictor;
    bool invert;
    uint8_t a, b, value;        /* slots */
    uint8_t ir, iw;             /* slots */
    uint8_t lane_low;
    bool saturates;             /* the index register written */
    uint16_t base;              /* contents of the base register */
    uint16_t row_ones;          /* of an address of the data array */
    uint16_t most;              /* of the index register written */
    uint16_t first, count;      /* match: the sub-array */
    bool legal;
    struct uop u;
};
/* Whom it tells of what. Not a part of its state. */
struct cop_owner {
    void (*interrupt)(void *ctx, uint64_t cycle);
    void *interrupt_ctx;
    uint64_t (*clock)(void *ctx, uint64_t cycle);
    void *clock_ctx;
    uint64_t next_clock; /* core cycle; UINT64_MAX where nobody looks at it */
    struct cop_watch watch;
    bool watched;
};

/* How long no interrupt can come (lookahead.c). */
enum { LOOKAHEAD_FOREVER = 0xff };
struct guard {
    uint8_t reg;    /* an index register that must get to the end of its range */
    bool up;
    uint8_t apart;  /* words from step to step, at least; LOOKAHEAD_FOREVER: there is no second one */
};
struct lookahead {
    uint64_t until; /* core cycle up to which it can be advanced without an interrupt: nothing changes the filters so long */
    uint64_t idle;  /* words for the next sample, and others after it, of which none but the last can interrupt; UINT64_MAX: it is not waited for */
    bool known;     /* does what follows hold? */
    uint8_t words[READY_WORDS]; /* from each, this one included, of which none but the last can interrupt */
    unsigned guards;
    struct guard guard[2 * ISA_INDEXES];
};

/* The statistics: counts since the command that cleared them. */
struct cop_counts {
    uint64_t bubbles, waiting;        /* co-processor cycles */
    uint64_t offered, filtered;       /* instructions, without those that the event filter rejected */
    uint64_t delivered, processed;    /* samples */
    uint64_t dropped[COP_DROP_KINDS]; /* samples */
    uint64_t first_cycle, first_word; /* co-processor cycle and number of words executed at the command */
};

struct cop {
    struct cop_config config;
    enum bus_state state;
    unsigned pc;
    uint64_t time;          /* co-processor cycle in which the next word can execute */
    uint64_t words;         /* executed */
    uint64_t sample_start;  /* of these, before the head sample */
    unsigned clock_shift;   /* log2 of the clock's divisor */
    struct lookahead lookahead;

    uint64_t microcode[ISA_WORDS];
    struct ready_word word[READY_WORDS];
    uint8_t dispatch[OPCLASS_COUNT];
    uint8_t format[ISA_FIELDS];

    uint64_t operand[SLOTS];
    uint16_t lfsr;          /* as it was after lfsr_words words: steps that nobody has seen are made when somebody looks */
    uint64_t lfsr_words;
    uint16_t base[ISA_BASES];
    uint8_t index_width[ISA_INDEXES];
    bool index_saturates[ISA_INDEXES];
    uint8_t target[ISA_TARGETS];
    struct cam cam;
    uint64_t data[MAX_ROWS];

    struct filters filters;
    struct buffer buffer;

    struct cop_counts counts;

    struct cop_use use;

    struct cop_owner owner;
};

/* Calls one of the watch's functions. */
#define COP_TELL(c, event, ...) \
    do { \
        if ((c)->owner.watched && (c)->owner.watch.event != NULL) \
            (c)->owner.watch.event((c)->owner.watch.ctx, __VA_ARGS__); \
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

/* lfsr.c: what the steps of that many words make of it. */
uint16_t lfsr_after(uint16_t r, uint64_t words);

/* Words executed for the head sample. */
static inline uint64_t sample_words(const struct cop *c) { return c->words - c->sample_start; }

/* The LFSR as the word that executes after `words` others sees it. */
static inline uint16_t cop_lfsr(const struct cop *c, uint64_t words) { return lfsr_after(c->lfsr, words - c->lfsr_words); }

/* The state has changed: the lookahead must be computed anew. */
static inline void lookahead_invalidate(struct cop *c)
{
    c->lookahead.until = c->filters.opcode.from = 0;
    c->lookahead.idle = UINT64_MAX;
}

/* The cycle of the co-processor's own that a core cycle falls into. */
static inline uint64_t own_cycle(const struct cop *c, uint64_t cycle) { return cycle >> c->clock_shift; }

/* sequencer.c: lets time pass up to a cycle of the co-processor's own, or until nothing is left to do. */
void sequencer_advance(struct cop *c, uint64_t limit);
void sequencer_drain(struct cop *c);

/* lookahead.c: finds the next lookahead.until. */
void lookahead_update(struct cop *c);
/* A sample has come for a co-processor that was idle. */
void lookahead_end_idle(struct cop *c, uint64_t cycle);

/* ready.c: after a change of word i; of registers that any word may use; of the place of it all. */
void ready_word(struct cop *c, unsigned i);
void ready_all(struct cop *c);
void ready_links(struct cop *c);

/* buffer.c */
void buffer_init(struct buffer *b, unsigned capacity_bytes, bool early_drop);
void buffer_fini(struct buffer *b);
/* Sets the record size from the format; drops what is there. */
void buffer_set_format(struct buffer *b, const uint8_t format[ISA_FIELDS]);
/* Asked once for each sample that finds the buffer no longer calm, and not full. */
bool buffer_drops_early(struct buffer *b);

/* Records that the ring is of. */
static inline size_t buffer_ring(const struct buffer *b) { return (size_t)b->ring_ones + 1; }

/* The i-th from the head; one more than are there. */
static inline struct record *buffer_at(const struct buffer *b, unsigned i) { return &b->ring[(b->head + i) & b->ring_ones]; }

/* NULL where it is empty. */
static inline const struct record *buffer_head(const struct buffer *b) { return b->count > 0 ? buffer_at(b, 0) : NULL; }

static inline struct record *buffer_first_queued(const struct buffer *b) { return &b->ring[b->first & b->ring_ones]; }

static inline struct record *buffer_last_queued(const struct buffer *b) { return &b->ring[(b->first + b->queued - 1) & b->ring_ones]; }

static inline void buffer_store(const struct buffer *b, struct record *r, const struct sample *s)
{
    for (unsigned i = 0; i < b->taken; i++) /* the others are never written */
        r->field[b->position[i]] = s->field[b->from[i]];
    r->opclass = (uint8_t)s->opclass;
    r->delivered = s->cycle;
}

static inline void buffer_pop(struct buffer *b)
{
    b->head++;
    b->count--;
    b->present--;
}
void buffer_clear(struct buffer *b);

/* bus_device.c: the co-processor's end of the host access bus, of which the watch is not told. */
enum status bus_device_read(const struct cop *c, uint32_t address, uint64_t *value);
enum status bus_device_write(struct cop *c, uint32_t address, uint64_t value);

#endif
