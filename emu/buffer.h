/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sample buffer and the 128-bit path to it (co-processor paper, section 3.2). A sample takes its space in the
 * buffer when it sets out on the path, so a sample on the path always finds room. Whether a sample is admitted is
 * decided in admission.c. */
#ifndef EMU_BUFFER_H
#define EMU_BUFFER_H

#include <stddef.h>

#include "isa/contract/sample.h"
#include "isa/isa.h"

enum { NO_FIELD = 0xff };      /* a position of the record format without a field */
enum { ADMISSION_QUEUE = 64 }; /* records of the ring for the admission queue (admission_queue.h) */

/* A sample in the buffer or in the admission queue. */
struct record {
    uint64_t delivered, readable; /* core cycles: it sets out; its last beat is in the buffer */
    uint8_t opclass;
    uint64_t field[ISA_FIELDS]; /* by position in the record format */
};

struct buffer {
    unsigned capacity_bytes, record_bytes;
    unsigned slots;       /* records that fit */
    struct record *ring;  /* a power of two of records, for the slots and the admission queue */
    unsigned ring_ones;   /* records of the ring, less one */
    unsigned head, count; /* sequence number of the oldest sample; number of samples */
    unsigned present;     /* of the samples, those that had set out by the cycle that the co-processor has reached */
    unsigned fields;      /* positions of the record format, up to the last that has a field */
    unsigned beats;       /* of a record on the path */
    /* The fields of the record format: their number, the position of each in the record, and its sample field. */
    unsigned taken;
    uint8_t position[ISA_FIELDS], from[ISA_FIELDS];
    int lost, weight;   /* positions of the fields in the record; -1: the format does not have the field */
    uint64_t path_free; /* core cycle from which the path is free */
};

/* Owns the ring; buffer_fini frees it. */
void buffer_init(struct buffer *b, unsigned capacity_bytes);
void buffer_fini(struct buffer *b);
/* Sets the record size from the format, and empties the buffer. */
void buffer_set_format(struct buffer *b, const uint8_t format[ISA_FIELDS]);
void buffer_clear(struct buffer *b);

/* Records of the ring. */
static inline size_t buffer_ring(const struct buffer *b) { return (size_t)b->ring_ones + 1; }

/* Sample i from the head. For i = count, the place of the next sample. */
static inline struct record *buffer_at(const struct buffer *b, unsigned i)
{
    return &b->ring[(b->head + i) & b->ring_ones];
}

/* NULL while the buffer is empty. */
static inline const struct record *buffer_head(const struct buffer *b) { return b->count > 0 ? buffer_at(b, 0) : NULL; }

/* Copies a sample's fields of the format to a record. Positions without a field stay 0. Fields about dropped
 * samples are set by buffer_store_lost when the sample is admitted. */
static inline void buffer_store(const struct buffer *b, struct record *r, const struct sample *s)
{
    for (unsigned i = 0; i < b->taken; i++)
        r->field[b->position[i]] = s->field[b->from[i]];
    r->opclass = (uint8_t)s->opclass;
    r->delivered = s->cycle;
}

/* Sets the fields about the samples that have been dropped since the one before it. */
static inline void buffer_store_lost(const struct buffer *b, struct record *r, unsigned lost)
{
    const unsigned most = 255;
    if (b->lost >= 0)
        r->field[b->lost] = lost < most ? lost : most;
    if (b->weight >= 0)
        r->field[b->weight] = lost < most ? lost + 1 : most;
}

/* Frees the head's space. */
static inline void buffer_pop(struct buffer *b)
{
    b->head++;
    b->count--;
    b->present--;
}

#endif
