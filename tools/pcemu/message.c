/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/terminal.h"
#include "base/text.h"
#include "host/report/fold.h"

static const char name[] = "pcemu: ";

void print_message_arguments(const char *fmt, va_list ap)
{
    char *text = text_make_printable(xvasprintf(fmt, ap));
    fputs(name, stderr);
    fold_print(text, terminal_width(STDERR_FILENO), sizeof name - 1, sizeof name - 1, stderr);
    fputc('\n', stderr);
    free(text);
}

void print_message(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    print_message_arguments(fmt, ap);
    va_end(ap);
}
