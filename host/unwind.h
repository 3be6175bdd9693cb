/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call chain of a stopped guest, by the call frame information of its ELF file (.eh_frame, .debug_frame), which
 * also works without frame pointers. */
#ifndef HOST_UNWIND_H
#define HOST_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

struct symbols;

struct unwind_source {
    const struct symbols *symbols;
    /* Reads the 8 bytes at a guest address; false where there is none. */
    bool (*read)(void *ctx, uint64_t address, uint64_t *value);
    void *ctx;
};

/* Walks from `pc` and the integer registers `reg` (x0 to x31) outwards. Fills pcs with pc, then the return addresses of
 * its callers, and returns their number, at most `room`. The chain ends where the file has no information, or a frame
 * makes no progress. */
unsigned unwind_chain(const struct unwind_source *source, uint64_t pc, const uint64_t reg[32], uint64_t *pcs,
                      unsigned room);

#endif
