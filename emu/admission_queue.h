/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of the admission to the sample buffer: the admission queue and the early drop.
 *
 * The admission queue holds samples that were delivered while the co-processor lags behind the core, and whose
 * admission depends on pending work of the co-processor. Each is admitted or dropped when the co-processor has reached
 * its cycle (admission.h). In the ring, queued samples follow those of the buffer. */
#ifndef EMU_ADMISSION_QUEUE_H
#define EMU_ADMISSION_QUEUE_H

#include "emu/buffer.h"

struct admission {
    unsigned certain;       /* with fewer samples than this in the buffer, every sample is admitted */
    unsigned first, queued; /* sequence number of the oldest sample in the queue; number of samples */
    bool early_drop;
    bool gated;    /* there is a gate, and the co-processor is not ideal: no sample is certain to be admitted, and no
                      sample is dropped early */
    bool closed;   /* the gate is closed: samples are dropped */
    uint32_t kept; /* bit set of enum opclass: no sample of these is dropped early; 0: no class is kept */
    unsigned lost; /* samples dropped since the last one was admitted, by admission or by the host; of the kept classes
                    * alone, if there are any */
    uint16_t lfsr; /* random source of early drop */
};

static inline struct record *admission_oldest(const struct buffer *b, const struct admission *a)
{
    return &b->ring[a->first & b->ring_mask];
}

static inline struct record *admission_newest(const struct buffer *b, const struct admission *a)
{
    return &b->ring[(a->first + a->queued - 1) & b->ring_mask];
}

/* Number of records in the ring from the head of the buffer to the newest one of buffer and queue. */
static inline unsigned admission_records(const struct buffer *b, const struct admission *a)
{
    return a->queued != 0 ? a->first + a->queued - b->head : b->count;
}

/* Derives `certain` from the number of buffer slots, and empties the queue. */
void admission_fit(struct admission *a, unsigned slots);
static inline void admission_clear(struct admission *a) { a->queued = 0; }

#endif
