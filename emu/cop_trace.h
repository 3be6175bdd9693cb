/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the co-processor does, as text: a client of the watch port. One line for each event, with the core's cycle:
 *
 *     cycle word     address label: the word ; its operands and results, the cells it wrote, how its branch went
 *     cycle bubble
 *     cycle sample   class and fields ; when it can be read, samples in the buffer
 *     cycle drop     class ; why
 *     cycle dispatch class ; cycles that the co-processor waited for it
 *     cycle done, interrupt, stop
 *     cycle read, write  a word of the host access bus */
#ifndef EMU_COP_TRACE_H
#define EMU_COP_TRACE_H

#include <stdio.h>

#include "emu/cop.h"
#include "isa/image.h"

struct cop_trace_config {
    FILE *out; /* borrowed, as is all here */
    struct cop *cop;
    const struct image *image;
    uint64_t from, to; /* core cycles of which something is shown: from `from` up to, not including, `to` */
};

struct cop_trace;
/* Begins to watch the co-processor. */
struct cop_trace *cop_trace_new(const struct cop_trace_config *config);
/* Ends the watch; before the co-processor does. */
void cop_trace_free(struct cop_trace *t);

#endif
