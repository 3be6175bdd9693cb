/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why the co-processor stopped where it should not have. */
#ifndef EMU_COP_STOP_H
#define EMU_COP_STOP_H

#include <stdio.h>

#include "emu/cop.h"
#include "isa/contract/stop.h"

/* False where it has not stopped so. The names in *s are the program's record format's. */
bool cop_find_stop(const struct cop *c, const struct image *im, struct stop *s);
/* Writes all of it in one line, without its end. */
void stop_describe(const struct stop *s, FILE *out);

#endif
