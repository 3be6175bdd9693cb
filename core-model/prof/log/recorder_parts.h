/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the recorder. Private to recorder*.c. */
#ifndef CORE_MODEL_PROF_LOG_RECORDER_PARTS_H
#define CORE_MODEL_PROF_LOG_RECORDER_PARTS_H

#include "core-model/prof/observer.h"
#include "core-model/record/part.h"
#include "core-model/record/stream.h"

/* A retired store whose access is outstanding. */
struct waiting_store {
    uint64_t seq, number; /* sequence number; number among the stores */
    uint32_t events;      /* events at retirement */
};

struct recorder {
    struct observer base;
    struct stream stream;
    bool values;
    struct event_filter stores; /* passes only stores */
    struct column column[RECORD_COLUMNS];
    struct column tail; /* metadata */
    struct part_writer *writer;
    /* Hash table with open addressing from address and word to instruction number; 0: free entry. The size is a power
     * of two. */
    uint32_t *number;
    size_t numbers;
    uint64_t last_position;        /* position of the last instruction in the column exec */
    bool wrong_path;               /* PROBE_WRONG_PATH was reported for the next fetched instruction */
    struct waiting_store *waiting; /* owned; in order of retirement */
    size_t waiting_count, waiting_space;
};

/* Appends an operation. */
static inline void recorder_put(struct recorder *r, enum record_op op)
{
    column_put(&r->column[RECORD_OPS], (uint8_t)op);
}

/* Writes the cycle number, if needed, before an operation of this cycle. */
static inline void recorder_set_clock(struct recorder *r, uint64_t cycle)
{
    if (cycle == r->stream.now)
        return;
    recorder_put(r, OP_CLOCK);
    column_put_number(&r->column[RECORD_REST], cycle);
    r->stream.now = cycle;
}

static inline bool recorder_same_oir(const struct probe_oir *a, const struct probe_oir *b)
{
    return a->pc == b->pc && a->events == b->events && a->mispredicted == b->mispredicted && a->flush == b->flush &&
           a->exception == b->exception;
}

/* Encodes a token, and writes the block if it is full. ctx: the recorder. */
void recorder_on_token(void *ctx, const struct probe_token *t);

#endif
