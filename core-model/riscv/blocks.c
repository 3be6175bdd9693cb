/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/riscv/blocks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "core-model/riscv/code.h"

enum { MOST_BLOCKS = 1 << 26, NO_BLOCK = -1 };
static const size_t counter_bytes = sizeof(uint32_t) * MOST_BLOCKS;

struct block_key {
    uint64_t pc, insns;
};

struct counted_block {
    struct block_key key; /* code that was written over can have another length */
    uint64_t executions;  /* before the current interval */
    uint32_t number;
    int64_t adjust; /* instructions of the current interval by which executions of the whole block differ from it */
    UT_hash_handle hh;
};

struct rv_blocks {
    struct counted_block *by_key;
    struct counted_block **block; /* by number */
    uint32_t count;
    uint32_t *counter;             /* by number: executions in the current interval. Translated code has addresses. */
    struct counted_block *current; /* begun last; NULL: none yet */
    uint64_t rest;                 /* its instructions that are not executed yet */
    uint64_t pc, instret;          /* of the hart when it paused */
};

struct rv_blocks *rv_blocks_new(void)
{
    struct rv_blocks *b = xcalloc(1, sizeof *b);
    b->counter = mmap(NULL, counter_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if ((void *)b->counter == MAP_FAILED)
        out_of_memory();
    return b;
}

void rv_blocks_free(struct rv_blocks *b)
{
    if (b == NULL)
        return;
    HASH_CLEAR(hh, b->by_key);
    for (uint32_t i = 0; i < b->count; i++)
        free(b->block[i]);
    free(b->block);
    munmap(b->counter, counter_bytes);
    free(b);
}

void rv_count_blocks(struct hart *h, struct rv_blocks *b)
{
    h->blocks = b;
    b->pc = h->pc;
    b->instret = h->instret;
}

uint32_t rv_blocks_count(const struct rv_blocks *b) { return b->count; }

struct rv_block rv_blocks_get(const struct rv_blocks *b, uint32_t number)
{
    const struct counted_block *block = b->block[number];
    return (struct rv_block){.pc = block->key.pc, .insns = block->key.insns, .executions = block->executions};
}

/* ---- counting ---- */

static bool ends_block(const struct rv_insn *in)
{
    return (in->flags & (RV_BRANCH | RV_JUMP | RV_ECALL)) || in->op == RV_EBREAK || in->op == RV_FENCE_I;
}

/* Number of instructions of the block at pc; 0: there is no instruction at pc. */
static uint64_t block_length(struct hart *h, uint64_t pc)
{
    const uint64_t page = pc >> MEM_PAGE_BITS;
    uint64_t n = 0;
    enum rv_trap trap;
    while (n < RV_BLOCK_INSNS && pc >> MEM_PAGE_BITS == page) {
        const struct rv_insn *in = code_fetch(h, pc, &trap);
        if (in == NULL)
            return n;
        n++;
        if (ends_block(in))
            return n;
        pc += in->length_bytes;
    }
    return n;
}

static struct counted_block *find_block(const struct rv_blocks *b, struct block_key key)
{
    struct counted_block *block;
    HASH_FIND(hh, b->by_key, &key, sizeof key, block);
    return block;
}

static struct counted_block *block_of(struct rv_blocks *b, struct block_key key)
{
    struct counted_block *block = find_block(b, key);
    if (block != NULL)
        return block;
    if (b->count == MOST_BLOCKS)
        out_of_memory();
    block = xcalloc(1, sizeof *block);
    block->key = key;
    block->number = b->count;
    b->block = xgrow(b->block, b->count, sizeof(struct counted_block *));
    b->block[b->count++] = block;
    HASH_ADD(hh, b->by_key, key, sizeof key, block);
    return block;
}

uint32_t blocks_number_at(struct hart *h, uint64_t pc, uint64_t *insns)
{
    *insns = block_length(h, pc);
    return block_of(h->blocks, (struct block_key){.pc = pc, .insns = *insns})->number;
}

uint32_t *blocks_counter(const struct hart *h, uint32_t number) { return &h->blocks->counter[number]; }

/* What is left of the current block is not executed any more. */
static void abandon(struct rv_blocks *b)
{
    if (b->rest != 0)
        b->current->adjust -= (int64_t)b->rest;
    b->rest = 0;
}

void blocks_resume(struct hart *h)
{
    struct rv_blocks *b = h->blocks;
    if (h->instret != b->instret)
        blocks_executed(h, h->instret - b->instret);
    if (h->pc != b->pc)
        abandon(b);
}

void blocks_pause(struct hart *h)
{
    h->blocks->pc = h->pc;
    h->blocks->instret = h->instret;
}

uint64_t blocks_rest(struct hart *h)
{
    struct rv_blocks *b = h->blocks;
    if (b->rest != 0)
        return b->rest;
    const struct block_key key = {.pc = h->pc, .insns = block_length(h, h->pc)};
    if (key.insns == 0)
        return 1; /* it will not be executed */
    b->current = block_of(b, key);
    b->counter[b->current->number]++;
    b->rest = key.insns;
    return b->rest;
}

void blocks_executed(struct hart *h, uint64_t insns)
{
    if (insns > h->blocks->rest)
        BUG("%lu instructions of the %lu left in a block", (unsigned long)insns, (unsigned long)h->blocks->rest);
    h->blocks->rest -= insns;
}

int blocks_is_inside(const struct hart *h) { return h->blocks->rest != 0; }

void blocks_leave(struct hart *h, uint32_t number, uint64_t rest)
{
    h->blocks->current = h->blocks->block[number];
    h->blocks->rest = rest;
}

/* ---- reading ---- */

/* Calls `each` for the block, and begins an interval without executions of it. */
static void read_one(struct rv_blocks *b, uint32_t number, rv_blocks_each *each, void *ctx)
{
    struct counted_block *block = b->block[number];
    const int64_t insns = (int64_t)(b->counter[number] * block->key.insns) + block->adjust;
    block->executions += b->counter[number];
    b->counter[number] = 0;
    block->adjust = 0;
    if (insns != 0)
        each(ctx, number, (uint64_t)insns);
}

void rv_blocks_read(struct hart *h, rv_blocks_each *each, void *ctx)
{
    struct rv_blocks *b = h->blocks;
    blocks_resume(h);
    blocks_pause(h);
    struct counted_block *current = b->current;
    if (b->rest != 0)
        current->adjust -= (int64_t)b->rest;
    for (uint32_t number = 0; number < b->count; number++)
        if (b->counter[number] != 0)
            read_one(b, number, each, ctx);
    if (b->rest == 0)
        return;
    /* The next interval has an execution of it, of which it lacks what has been executed in this one. */
    b->counter[current->number] = 1;
    current->executions--;
    current->adjust = (int64_t)b->rest - (int64_t)current->key.insns;
}

struct rv_block_place rv_blocks_place(struct hart *h)
{
    const struct rv_blocks *b = h->blocks;
    if (b->rest != 0)
        return (struct rv_block_place){.pc = b->current->key.pc,
                                       .execution = b->current->executions + 1,
                                       .executed = b->current->key.insns - b->rest};
    const struct counted_block *next = find_block(b, (struct block_key){h->pc, block_length(h, h->pc)});
    return (struct rv_block_place){.pc = h->pc, .execution = next != NULL ? next->executions + 1 : 1};
}
