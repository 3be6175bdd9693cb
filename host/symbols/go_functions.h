/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of programs in Go, from the table that the runtime of Go keeps of them, which strip does not remove. */
#ifndef HOST_SYMBOLS_GO_FUNCTIONS_H
#define HOST_SYMBOLS_GO_FUNCTIONS_H

#include <gelf.h>
#include <stdint.h>

/* Calls `see` for each function [start, end) of the section .gopclntab of a little-endian file of 64 bits, in the order
 * of the table, with its name, which is the file's. Tables of Go 1.18 and later with the program's addresses are read,
 * which those of position-independent files have not; of others there is no function. */
void go_functions_each(Elf *elf, void (*see)(void *ctx, uint64_t start, uint64_t end, const char *name), void *ctx);

#endif
