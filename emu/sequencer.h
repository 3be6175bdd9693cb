/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advances the co-processor in time. */
#ifndef EMU_SEQUENCER_H
#define EMU_SEQUENCER_H

#include <stdint.h>

struct cop;
/* Advances up to cycle `limit` of the co-processor's clock. All samples in the admission queue were delivered by
 * then. */
void sequencer_advance(struct cop *c, uint64_t limit);
/* Advances until buffer and admission queue are empty, or the co-processor is halted. */
void sequencer_drain(struct cop *c);

#endif
