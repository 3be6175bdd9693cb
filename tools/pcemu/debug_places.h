/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places in the guest, for breakpoints. */
#ifndef TOOLS_PCEMU_DEBUG_PLACES_H
#define TOOLS_PCEMU_DEBUG_PLACES_H

#include "tools/pcemu/target.h"

/* Why no instruction retires at an address, as things are; NULL: one can. `is_certain`: no change of the guest's memory
 * makes one, but for code that is written there. The caller frees the text. */
char *debug_places_objection(struct target *t, uint64_t pc, bool *is_certain);

#endif
