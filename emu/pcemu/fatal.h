/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How pcemu ends on bad input. */
#ifndef EMU_PCEMU_FATAL_H
#define EMU_PCEMU_FATAL_H

#include "isa/support/status.h"

/* Prints the message behind the tool's name and exits as for bad input. */
_Noreturn void die(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Dies of an error, unless there is none. */
void must(enum status st, const struct errmsg *err);

#endif
