/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What pcemu says about the run on standard error, beside the report. */
#ifndef EMU_PCEMU_TELL_H
#define EMU_PCEMU_TELL_H

#include <stdarg.h>

#include "isa/support/status.h"

/* Prints the message behind the tool's name, as a line; on a terminal, in lines of its width. */
void tell(const char *fmt, ...) PRINTF_LIKE(1, 2);
void tell_arguments(const char *fmt, va_list ap);

#endif
