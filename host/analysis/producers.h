/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions whose results an instruction may wait for, over all paths that are not rare. Private to
 * host/analysis. */
#ifndef HOST_ANALYSIS_PRODUCERS_H
#define HOST_ANALYSIS_PRODUCERS_H

#include "host/analysis/analysis_parts.h"

struct producer {
    bool outside;     /* a caller or a callee has computed the value; the rest is then 0 */
    bool other_block; /* in another block than the instruction, or in an earlier execution of its own block */
    double cycles;    /* static cycles of the instructions between */
    bool is_fp;       /* it reads or writes a floating-point register */
    uint64_t pc;
    uint8_t flags; /* enum code_flag */
};

/* Calls `found` for each producer of a register that instruction i reads, or writes. A path ends at an earlier reader
 * of the register, because that one has waited instead, and where the instructions passed take longer than any result.
 */
void producers_find(struct analysis_run *r, uint32_t i,
                    void (*found)(void *ctx, uint32_t i, const struct producer *producer), void *ctx);

#endif
