/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints docs/debugger-reference.md. */
#include "emu/debug/debug.h"

int main(void)
{
    debug_print_manual(stdout);
    (void)fflush(stdout); /* an error is kept */
    return ferror(stdout) ? 2 : 0;
}
