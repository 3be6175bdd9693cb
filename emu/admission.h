/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Admission to the sample buffer: each delivered sample is admitted or dropped. Decisions are made in delivery order,
 * from the state of the co-processor in the sample's delivery cycle.
 *
 * - Co-processor halted by a command: dropped.
 * - Fewer samples in the buffer than admission.certain: admitted. While the co-processor lags behind the core, the
 *   buffer can only be emptier in the sample's cycle than it is now, so the sample enters at once.
 * - Buffer full: dropped (tail drop).
 * - Otherwise: random early drop. Without early drop, admission.certain is the capacity.
 *
 * A program can name an index register as the gate of the buffer. The gate closes if the register is not 0 at the end
 * of a sample, or behind a store of the host while no sample is in process. When it closes, the samples in the buffer
 * are discarded; while it is closed, each delivered sample is dropped and decrements the register. The co-processor is
 * idle meanwhile. A program with a gate chooses the samples that it drops, so there is no early drop.
 *
 * While the co-processor lags behind, a sample that is not certain to be admitted waits in the admission queue until
 * the co-processor has reached its cycle. The co-processor may lag behind up to the lookahead. */
#ifndef EMU_ADMISSION_H
#define EMU_ADMISSION_H

#include "emu/cop_state.h"

/* The `deliver` function of the sink (isa/sample.h); `cop` is the struct cop. */
void admission_deliver(void *cop, const struct sample *s);

/* Opens or closes the gate as its register says. No sample is in process; closing discards those in the buffer. */
void admission_follow_gate(struct cop *c);

/* Admits or drops the oldest sample of the admission queue, whose cycle the co-processor has reached. The queue is
 * not empty. */
void admission_decide_oldest(struct cop *c);
/* Admits or drops all samples of the queue that were delivered by cycle `cycle` of the co-processor's clock. */
void admission_decide_until(struct cop *c, uint64_t cycle);

/* The co-processor has reached cycle `cycle` of its own clock: marks the samples delivered by then as present, and
 * decides those in the admission queue. Inline, because it is called for each completed sample and the queue is usually
 * empty. */
static inline __attribute__((always_inline)) void admission_settle(struct cop *c, uint64_t cycle)
{
    struct buffer *b = &c->buffer;
    while (b->present < b->count && own_cycle(c, buffer_at(b, b->present)->delivered) <= cycle)
        b->present++;
    if (c->admission.queued > 0)
        admission_decide_until(c, cycle);
    if (b->present > c->use.peak)
        c->use.peak = b->present;
}

#endif
