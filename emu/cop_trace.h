/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text trace of the co-processor's activity: a client of the watch port. One line per event, with the core cycle:
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
    FILE *out; /* all pointers are borrowed */
    struct cop *cop;
    const struct image *image;
    uint64_t from, to; /* trace window in core cycles: [from, to) */
    bool samples_only; /* prints only the lines `sample` and `drop` */
};

struct cop_trace;
/* Starts the trace: sets the co-processor's watch. */
struct cop_trace *cop_trace_new(const struct cop_trace_config *config);
/* Ends the trace. To be called before the co-processor is freed. */
void cop_trace_free(struct cop_trace *t);

#endif
