/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of pcemu about the run, on standard error. */
#ifndef TOOLS_PCEMU_MESSAGE_H
#define TOOLS_PCEMU_MESSAGE_H

#include <stdarg.h>

#include "base/status.h"

/* Prints "pcemu: " and the message as a line; on a terminal, broken at its width. */
void print_message(const char *fmt, ...) PRINTF_LIKE(1, 2);
void print_message_arguments(const char *fmt, va_list ap);

#endif
