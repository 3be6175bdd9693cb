/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call chain of a stopped guest, from the call frame information of its ELF file (.eh_frame, .debug_frame); frame
 * pointers are not needed. */
#ifndef HOST_SYMBOLS_UNWIND_H
#define HOST_SYMBOLS_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

struct symbols;

struct unwind_source {
    const struct symbols *symbols;
    /* Reads 8 bytes at a guest address; false: not mapped. */
    bool (*read)(void *ctx, uint64_t address, uint64_t *value);
    void *ctx;
};

/* A frame of the chain: where its function goes on, and its stack pointer there. */
struct unwind_place {
    uint64_t pc, sp;
};

/* Unwinds from `pc` and the integer registers `reg` (x0 to x31). Fills `chain` with pc and the return addresses of its
 * callers, and returns their number, at most `room`. The chain ends where the file has no information, or where a
 * frame makes no progress. */
unsigned unwind_chain(const struct unwind_source *source, uint64_t pc, const uint64_t reg[32],
                      struct unwind_place *chain, unsigned room);

#endif
