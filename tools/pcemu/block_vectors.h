/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Basic-block vectors of a functional run (--bbv): a line for each interval, in the format of the program SimPoint. */
#ifndef TOOLS_PCEMU_BLOCK_VECTORS_H
#define TOOLS_PCEMU_BLOCK_VECTORS_H

#include <stdio.h>

#include "core-model/riscv/blocks.h"
#include "tools/pcemu/options.h"
#include "tools/pcemu/target.h"

struct block_vectors {
    FILE *out;         /* NULL: there are no vectors. Borrowed. */
    uint64_t interval; /* in instructions */
    uint64_t written;  /* instructions in the vectors written */
    struct rv_blocks *blocks;
};

/* Has the run be functional, if the options ask for vectors. */
void block_vectors_begin(struct options *o);
/* The guest has been started: its blocks are counted from now on. */
void block_vectors_start(struct block_vectors *v, const struct options *o, struct target *t, FILE *out);
/* guest_run for a guest with vectors: writes each at the end of its interval. */
enum rv_trap block_vectors_run(struct block_vectors *v, struct target *t, uint64_t insts);
/* Writes the vector of the last interval, if it is not empty, and the list of blocks. */
void block_vectors_end(struct block_vectors *v, struct target *t);
void block_vectors_release(struct block_vectors *v);

#endif
