/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frequency of a class of blocks from the samples of its instructions (DCPI paper, section 6.1.3). Frequencies are
 * in samples: executions divided by the sampling period. */
#ifndef HOST_ANALYSIS_FREQUENCY_H
#define HOST_ANALYSIS_FREQUENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum confidence { CONFIDENCE_NONE, CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

struct frequency {
    double value; /* meaningless without confidence */
    enum confidence confidence;
};

/* An instruction: samples S, static cycles M, and the distance back to the instruction of its block that it depends on
 * statically; 0: it does not. */
struct frequency_insn {
    double samples, cycles;
    uint32_t depends;
    bool varies; /* M is a mean: its ratio is used only if the class has no other */
    bool waits;  /* it may wait for memory in each execution: for a load's result, or the store buffer */
    bool chosen; /* set by frequency_of_class: its ratio is in the average */
};

/* Instructions of a block, which execute in order. */
struct frequency_block {
    struct frequency_insn *insn;
    uint32_t insns;
};

/* Estimates the frequency of a class from its blocks. Without an instruction that takes a cycle the confidence is
 * CONFIDENCE_NONE. `most_stall`: the largest dynamic stall of an instruction in cycles that is reasonable. */
struct frequency frequency_of_class(const struct frequency_block *block, size_t blocks, double most_stall);

#endif
