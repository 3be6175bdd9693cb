/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/fatal.h"

#include <stdlib.h>

#include "base/tool.h"
#include "tools/pcemu/message.h"

void die(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    print_message_arguments(fmt, ap);
    va_end(ap);
    exit(EXIT_BAD_INPUT);
}

void must(enum status st, const struct errmsg *err)
{
    if (st != ST_OK)
        die("%s", err->text);
}
