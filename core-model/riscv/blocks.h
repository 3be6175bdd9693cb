/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of executed basic blocks, for basic-block vectors (T. Sherwood, E. Perelman, G. Hamerly and B. Calder,
 * Automatically Characterizing Large Scale Program Behavior, ASPLOS 2002).
 *
 * A block begins where control arrives: behind a branch, taken or not, a jump or a system call, and where a thread or a
 * handler of a signal goes on. It extends to the next branch, jump, system call, ebreak or fence.i, which belongs to
 * it, to the end of the page, or to 64 instructions. Each instruction that retires belongs to the block that was begun
 * last. The numbers of blocks count from 0 in the order of their first execution, so they depend neither on the
 * translation of code nor on the places where the run is interrupted.
 *
 * Translated code counts executions at the heads of blocks, and is entered there only: where it is left inside a block,
 * the rest of the block is interpreted. */
#ifndef CORE_MODEL_RISCV_BLOCKS_H
#define CORE_MODEL_RISCV_BLOCKS_H

#include <stdint.h>

struct hart;
struct rv_blocks;

enum { RV_BLOCK_INSNS = 64 }; /* of a block, at most */

struct rv_block {
    uint64_t pc, insns;
    uint64_t executions; /* begun from the start of the run to the last call of rv_blocks_read */
};

/* A place in a run: the execution of a block, from 1, and its instructions that have been executed. */
struct rv_block_place {
    uint64_t pc, execution, executed;
};

struct rv_blocks *rv_blocks_new(void);
void rv_blocks_free(struct rv_blocks *b);
/* From now on rv_run counts blocks. `b` is borrowed. To be called before the first run. */
void rv_count_blocks(struct hart *h, struct rv_blocks *b);

/* Calls `each` for the blocks executed since the last call, in the order of their numbers, with the number of
 * instructions executed in each. At most UINT32_MAX instructions lie between two calls. */
typedef void rv_blocks_each(void *ctx, uint32_t number, uint64_t insns);
void rv_blocks_read(struct hart *h, rv_blocks_each *each, void *ctx);
uint32_t rv_blocks_count(const struct rv_blocks *b);
struct rv_block rv_blocks_get(const struct rv_blocks *b, uint32_t number);
/* Where the run is, just after a call of rv_blocks_read. */
struct rv_block_place rv_blocks_place(struct hart *h);

/* ---- for the loops that execute ---- */

/* Begins and ends a stretch of execution. In between the hart does what the guest's system calls do. */
void blocks_resume(struct hart *h);
void blocks_pause(struct hart *h);
/* Instructions of the current block that are not executed yet. If there are none, the block at the pc begins. */
uint64_t blocks_rest(struct hart *h);
/* `insns` instructions have been executed, none of them behind the end of the current block. */
void blocks_executed(struct hart *h, uint64_t insns);
/* Whether the next instruction is inside a block. */
int blocks_is_inside(const struct hart *h);
/* Translated code, which has counted the execution of the block, has been left with `rest` instructions to come. */
void blocks_leave(struct hart *h, uint32_t number, uint64_t rest);
/* The number of the block at pc, and where translated code counts its executions. */
uint32_t blocks_number_at(struct hart *h, uint64_t pc, uint64_t *insns);
uint32_t *blocks_counter(const struct hart *h, uint32_t number);

#endif
