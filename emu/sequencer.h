/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The passing of time in the co-processor. */
#ifndef EMU_SEQUENCER_H
#define EMU_SEQUENCER_H

#include <stdint.h>

struct cop;
/* Advances up to a cycle of the co-processor's own clock. The samples of the admission queue were delivered by then. */
void sequencer_advance(struct cop *c, uint64_t limit);
/* Advances until buffer and admission queue are empty, or the co-processor has halted. */
void sequencer_drain(struct cop *c);

#endif
