/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The co-processor's statistics as text and as JSON. */
#ifndef EMU_COP_STATS_H
#define EMU_COP_STATS_H

#include <stdio.h>

#include "base/json_stream.h"
#include "emu/cop.h"
#include "isa/image.h"

/* Prints the counters of the bus map, utilisation and drops over time (cop_use.h), and the execution count of each word
 * of the program. */
void cop_print_stats(struct cop *c, const struct image *im, FILE *out);
void cop_write_stats_json(struct cop *c, const struct image *im, const char *key, struct json_stream *out);

#endif
