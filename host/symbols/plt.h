/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stubs of a procedure linkage table, which have no symbols of their own. */
#ifndef HOST_SYMBOLS_PLT_H
#define HOST_SYMBOLS_PLT_H

#include <gelf.h>

/* Calls `see` for each stub of the riscv64 file, with its address in the file: "NAME@plt", and for a function that is
 * chosen at run time without a symbol (IFUNC) "*ABS*+0xRESOLVER@plt"; what is in front of the first stub, or a table
 * without one, has the name of its section. Other machines' files have none. `name` is valid during the call. */
void plt_each(Elf *elf, void (*see)(void *ctx, uint64_t start, uint64_t size_bytes, const char *name), void *ctx);

#endif
