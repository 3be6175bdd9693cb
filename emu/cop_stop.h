/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fatal stops: an illegal word, a class without a start address, or a runaway program. */
#ifndef EMU_COP_STOP_H
#define EMU_COP_STOP_H

#include <stdio.h>

#include "emu/cop.h"
#include "isa/stop.h"

/* Fills *s if the program stopped the co-processor for good; else returns false and leaves *s. The names in *s are
 * static. */
bool cop_find_stop(const struct cop *c, const struct image *im, struct program_stop *s);
/* Writes *s as one line, without a line end. */
void stop_describe(const struct program_stop *s, FILE *out);

#endif
