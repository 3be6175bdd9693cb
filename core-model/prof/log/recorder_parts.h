/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the recorder share. Private to recorder*.c. */
#ifndef CORE_MODEL_PROF_LOG_RECORDER_PARTS_H
#define CORE_MODEL_PROF_LOG_RECORDER_PARTS_H

#include "core-model/prof/observer.h"
#include "core-model/record/part.h"
#include "core-model/record/stream.h"

/* A store that has retired and waits for its access. */
struct waiting_store {
    uint64_t seq, number; /* by fetch; of the store */
    uint32_t events;      /* as it retired */
};

struct recorder {
    struct observer base;
    struct stream stream;
    bool values;
    struct event_filter stores; /* passes them alone */
    struct column column[RECORD_COLUMNS];
    struct column tail; /* facts */
    struct part_writer *writer;
    /* Numbers of instructions by address and word, open-addressed; 0: a free place. A power of two. */
    uint32_t *number;
    size_t numbers;
    uint64_t last_position;        /* of an instruction of the column exec */
    bool wrong_path;               /* PROBE_WRONG_PATH has happened, of the instruction that is fetched next */
    struct waiting_store *waiting; /* owned; in the order in which they retired */
    size_t waiting_count, waiting_space;
};

/* Appends an operation. */
static inline void recorder_put(struct recorder *r, enum record_op op)
{
    column_put(&r->column[RECORD_OPS], (uint8_t)op);
}

/* What must be noted before an operation of this cycle. */
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

/* Writes a token, and the block if it is full. ctx: the recorder. */
void recorder_on_token(void *ctx, const struct probe_token *t);

#endif
