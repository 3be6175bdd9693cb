/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of the call frame information, which stripped files have too. */
#ifndef HOST_SYMBOLS_FRAMES_H
#define HOST_SYMBOLS_FRAMES_H

#include <gelf.h>
#include <stdint.h>

/* Calls `see` for the range of code [start, end) of each FDE (frame description entry) in .eh_frame, in the order of
 * the file: they can overlap. What reaches beyond the code of its section is cut off. Without section headers the
 * program header of .eh_frame_hdr leads to them. */
void frames_each(Elf *elf, void (*see)(void *ctx, uint64_t start, uint64_t end), void *ctx);

#endif
