/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a program has stopped the co-processor for good. */
#ifndef EMU_COP_STOP_H
#define EMU_COP_STOP_H

#include <stdio.h>

#include "emu/cop.h"
#include "isa/contract/stop.h"

/* False where no program has stopped it for good; *s then holds nothing. The names in *s are static. */
bool cop_find_stop(const struct cop *c, const struct image *im, struct program_stop *s);
/* Writes *s as one line, without a line end. */
void stop_describe(const struct program_stop *s, FILE *out);

#endif
