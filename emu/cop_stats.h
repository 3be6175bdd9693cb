/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The co-processor's statistics, for people and as JSON. */
#ifndef EMU_COP_STATS_H
#define EMU_COP_STATS_H

#include <stdio.h>

#include "emu/cop.h"
#include "isa/image.h"

/* Prints the counters of the bus map, what was used and when samples were dropped (cop_use.h), and, for each word of
 * the program, how often it was executed. With json, one object. */
void cop_print_stats(struct cop *c, const struct image *im, FILE *out, bool json);

#endif
