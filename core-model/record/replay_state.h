/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a replay, shared by its files. Private to core-model/record. */
#ifndef CORE_MODEL_RECORD_REPLAY_STATE_H
#define CORE_MODEL_RECORD_REPLAY_STATE_H

#include "core-model/engine.h"
#include "core-model/record/ends.h"
#include "core-model/record/replay.h"
#include "core-model/record/stream.h"

enum { STORES_WAIT = 1 << 12, CODE_PAGES_MOST = 1 << 16 };

struct core_replay {
    const char *name;
    struct part_reader *parts;
    struct column_cursor column[RECORD_COLUMNS];
    bool failed; /* a column ended early, or an operation is invalid */
    bool ended;  /* TAIL has been read, or an error has occurred */
    enum status status;
    struct errmsg error;
    struct record_start start;
    struct record_tail tail;
    struct code_page {
        uint64_t number;
        uint8_t byte[MEM_PAGE_BYTES];
    } * page; /* owned; executable pages at the end of the recorded run */
    unsigned pages, page_space;
    struct stream stream;
    uint64_t retired;
    uint64_t history; /* of the next fetched instruction, if it differs from the derived one */
    bool has_history;
    uint64_t waiting;       /* number of the oldest retired store whose access is outstanding */
    bool done[STORES_WAIT]; /* by number from `waiting` on: the access is complete */
    bool needs_exec;        /* an observer needs the column exec */
    bool reads_values;      /* the recording has values, and an observer is called for instructions */
    bool tokens_only;       /* no observer is called for instructions */
    struct guest *guest;    /* borrowed */
    struct probe_port port;
    struct interrupt interrupt;
};

/* replay_operate.c: executes operations up to the end of the block, or of a cycle with a stop request; returns false in
 * the latter case. An invalid operation sets `failed`. */
bool replay_operate(struct core_replay *r);

/* replay_file.c: reads the part HEAD. */
enum status replay_read_head(struct core_replay *r, struct errmsg *err) MUST_USE;
/* Reads the next part; returns false if it is not a block or the replay has ended. */
bool replay_read_block(struct core_replay *r);
/* To be called at the end of a block: ends the replay if the block was damaged. */
void replay_end_block(struct core_replay *r);

#endif
