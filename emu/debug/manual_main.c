/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints docs/debugger-reference.md. */
#include "emu/debug/debug.h"

int main(void)
{
    debug_print_manual(stdout);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}
