/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fatal errors of pcemu: bad input. */
#ifndef TOOLS_PCEMU_FATAL_H
#define TOOLS_PCEMU_FATAL_H

#include "base/status.h"

/* Prints the tool's name and the message, and exits with the status for bad input. */
_Noreturn void die(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Calls die with the message unless `st` is ST_OK. */
void must(enum status st, const struct errmsg *err);

#endif
