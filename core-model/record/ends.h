/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first and the last part of a recording, HEAD and TAIL, whatever stands between them. Private to
 * core-model/record. */
#ifndef CORE_MODEL_RECORD_ENDS_H
#define CORE_MODEL_RECORD_ENDS_H

#include "core-model/record/facts.h"
#include "core-model/record/part.h"

/* The part HEAD. Zero-initialised: none. */
struct record_start {
    char *text; /* its bytes; owned, freed by the reader */
    struct column_cursor facts;
    struct record_head head;
    uint64_t clock; /* core cycle in which the recording begins; at most RECORD_CYCLE_MOST */
};

/* Reads HEAD, which must be the next part. `columns` has RECORD_COLUMNS elements, `name` is for messages. */
enum status record_read_start(struct record_start *start, struct part_reader *parts, struct column_cursor *columns,
                              const char *name, struct errmsg *err) MUST_USE;
/* Parses TAIL, the part just read, behind which the file must end; facts_free_tail frees what it allocates. */
enum status record_read_end(struct record_tail *tail, struct part_reader *parts, const struct column_cursor *facts,
                            const char *name, struct errmsg *err) MUST_USE;
/* The error that the part just read is damaged; `what` says how. */
enum status record_damaged(const struct part_reader *parts, const char *name, const char *what, struct errmsg *err);

#endif
