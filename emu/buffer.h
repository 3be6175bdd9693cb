/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sample buffer and the 128-bit path to it (co-processor paper, section 3.2). A sample reserves its slot when its
 * transfer starts, so a sample on the path always has a free slot. Admission is decided in admission.c. */
#ifndef EMU_BUFFER_H
#define EMU_BUFFER_H

#include <stddef.h>

#include "isa/isa.h"
#include "isa/sample.h"

enum { NO_FIELD = 0xff };      /* record-format position without a field */
enum { ADMISSION_QUEUE = 64 }; /* capacity of the admission queue, in records (admission_queue.h) */

/* A sample in the buffer or in the admission queue. */
struct record {
    uint64_t delivered, readable; /* core cycles: delivery; arrival of the last beat in the buffer */
    uint8_t opclass;
    uint64_t field[ISA_FIELDS]; /* indexed by position in the record format */
};

struct buffer {
    unsigned capacity_bytes, record_bytes;
    unsigned slots;       /* capacity in records */
    struct record *ring;  /* owned; slots and admission queue; its length is a power of two */
    unsigned ring_mask;   /* index mask: ring length minus 1 */
    unsigned head, count; /* sequence number of the oldest sample; number of samples */
    unsigned present;     /* of `count`: samples delivered by the cycle that the co-processor has reached */
    unsigned fields;      /* positions of the record format up to the last one with a field */
    unsigned beats;       /* transfer time of a record on the path, in core cycles */
    /* Fields of the record format: their number; for each, its position in the record and its sample field. */
    unsigned taken;
    uint8_t position[ISA_FIELDS], from[ISA_FIELDS];
    int lost, weight;   /* positions of these fields in the record; -1: not in the format */
    uint64_t path_free; /* first core cycle in which the path is free */
};

/* Allocates the ring; buffer_fini frees it. */
void buffer_init(struct buffer *b, unsigned capacity_bytes);
void buffer_fini(struct buffer *b);
/* Initialises *to as a copy of *from with a ring of its own: `records` from the head on, and zeros. */
void buffer_copy(struct buffer *to, const struct buffer *from, unsigned records);
/* Sets the record size from the format, and empties the buffer. */
void buffer_set_format(struct buffer *b, const uint8_t format[ISA_FIELDS]);
void buffer_clear(struct buffer *b);

/* Length of the ring in records. */
static inline size_t buffer_ring(const struct buffer *b) { return (size_t)b->ring_mask + 1; }

/* Record of sample i, counted from the head; for i = count, the record of the next sample. */
static inline struct record *buffer_at(const struct buffer *b, unsigned i)
{
    return &b->ring[(b->head + i) & b->ring_mask];
}

/* The head sample; NULL if the buffer is empty. */
static inline const struct record *buffer_head(const struct buffer *b) { return b->count > 0 ? buffer_at(b, 0) : NULL; }

/* Copies the sample's fields that the format selects to a record. Positions without a field stay 0. buffer_store_lost
 * sets the fields on dropped samples at admission. */
static inline void buffer_store(const struct buffer *b, struct record *r, const struct sample *s)
{
    for (unsigned i = 0; i < b->taken; i++)
        r->field[b->position[i]] = s->field[b->from[i]];
    r->opclass = (uint8_t)s->opclass;
    r->delivered = s->cycle;
}

/* Sets the fields `lost` and `weight` from the number of samples dropped since the previous admission. Both saturate at
 * 8 bits. */
static inline void buffer_store_lost(const struct buffer *b, struct record *r, unsigned lost)
{
    const unsigned most = 255;
    if (b->lost >= 0)
        r->field[b->lost] = lost < most ? lost : most;
    if (b->weight >= 0)
        r->field[b->weight] = lost < most ? lost + 1 : most;
}

/* Frees the slot of the head sample. */
static inline void buffer_pop(struct buffer *b)
{
    b->head++;
    b->count--;
    b->present--;
}

#endif
