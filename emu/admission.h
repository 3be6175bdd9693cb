/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Admission to the sample buffer: all decisions whether a delivered sample is admitted or dropped. Samples are
 * decided on in the order of their delivery, by the state of the co-processor in their cycle.
 *
 * - The co-processor halted by a command: dropped.
 * - Fewer samples in the buffer than admission.certain: admitted. While the co-processor lags behind the core, the
 *   buffer can only be emptier in the sample's cycle than it is now, so the sample enters at once.
 * - The buffer full: dropped (tail drop).
 * - Between: random early drop, if it is configured.
 *
 * While the co-processor lags behind, a sample that is not certain to be admitted waits in the admission queue until
 * the co-processor has reached its cycle. The co-processor may lag behind up to the lookahead. */
#ifndef EMU_ADMISSION_H
#define EMU_ADMISSION_H

#include "emu/cop_state.h"

/* The `deliver` function of the sink (isa/contract/sample.h); `cop` is the struct cop. */
void admission_deliver(void *cop, const struct sample *s);

/* Admits or drops the oldest sample of the admission queue, whose cycle the co-processor has reached. The queue is
 * not empty. */
void admission_decide_oldest(struct cop *c);

/* The co-processor has reached that cycle of its own: samples delivered by then are present in the buffer, or are
 * dropped. Inline, as it runs for each sample that is finished, and most often has nothing to decide. */
static inline __attribute__((always_inline)) void admission_settle(struct cop *c, uint64_t cycle)
{
    struct buffer *b = &c->buffer;
    while (b->present < b->count && own_cycle(c, buffer_at(b, b->present)->delivered) <= cycle)
        b->present++;
    while (c->admission.queued > 0 && own_cycle(c, admission_oldest(b, &c->admission)->delivered) <= cycle) {
        admission_decide_oldest(c);
        b->present = b->count;
    }
    if (b->present > c->use.peak)
        c->use.peak = b->present;
}

#endif
